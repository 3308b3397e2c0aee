"""Folds of elements that are columns, whose results are kept as columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.columns.arrow_run import column_of
from pystream.engine.columns.group_part import COMPARED, Codes, GroupPart
from pystream.engine.vectorised.columns import Column, ColumnValues, exact_values, layout_of
from pystream.expressions.control import constant_value
from pystream.expressions.folds import Accumulation, Fold, Reduction
from pystream.expressions.kernels import Kernels, NotComputedError
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind
from typeinfo.serde.codec import Codec
from typeinfo.serde.composite import FieldsCodec

__all__ = ["AccumulatedColumns", "FoldedColumns", "Groups", "ReducedColumns", "folded_columns"]

_MOST_UNUSED = 1024  # places of groups that are no longer held, beside as many as are
_FEWEST_RESULTS = 100  # of accumulators; computing fewer as columns takes longer


class Groups(Protocol):
    """The state of groups by their slots, such as a table of a keyed state."""

    def __contains__(self, slot: Any, /) -> bool: ...

    def __getitem__(self, slot: Any, /) -> Any: ...

    def update(self, pairs: Iterable[tuple[Any, Any]], /) -> None:
        """Set the state of some groups."""
        ...


class _NotFoldedError(Exception):
    """The function must be called with each element."""


class FoldedColumns(ABC):
    """Folds the elements of many groups by columns, each group in the order of its elements.

    A table of state holds what groups were folded to before. What they are folded to since is held as
    columns, until it is written to the table.

    Args:
        element_type: the type of the elements.
        type_info: the type of what they are folded to.
        folds: the fold of each of its fields.
        table: the table.
    """

    def __init__(
        self,
        element_type: TypeInformation[Any],
        type_info: TypeInformation[Any],
        folds: tuple[Fold, ...],
        table: Groups,
    ) -> None:
        self._element_layout = layout_of(element_type)
        self._layout = layout_of(type_info)
        self._folds = folds
        self._table = table
        codec = self._layout.codec
        self._codec = codec if isinstance(codec, FieldsCodec) and has_columns(type_info) else None
        self.discard()

    @abstractmethod
    def _fold(self, part: GroupPart, results: list[Column] | None) -> None:
        """Fold further elements into the columns; append the columns of the result after each.

        Raises:
            TypeCheckError, NotComputedError, pa.ArrowException: an operation raises.
        """

    def discard(self) -> None:
        """Discard what is held as columns."""
        self._places: dict[Hashable, int] = {}
        self._columns: list[list[Any]] = [[] for _ in self._folds]
        self._count = 0  # the length of the columns

    def write(self) -> None:
        """Write what is held as columns to the table."""
        if self._places:
            self._write(list(self._places))
            self.discard()

    def release(self, slots: Iterable[Hashable]) -> None:
        """Write what is held of some groups as columns to the table."""
        held = [slot for slot in dict.fromkeys(slots) if slot in self._places]
        if held:
            self._write(held)
            self.forget(held)

    def forget(self, slots: Iterable[Hashable]) -> None:
        """Forget groups that are held as columns."""
        for slot in slots:
            del self._places[slot]
        if self._count - len(self._places) > len(self._places) + _MOST_UNUSED:
            self._columns = self._of(self._places)
            self._count = len(self._places)
            self._places = dict(zip(self._places, range(self._count), strict=True))

    def _write(self, slots: list[Hashable]) -> None:
        self._table.update(zip(slots, self._layout.built(self._of(slots), len(slots)), strict=True))

    def _of(self, slots: Iterable[Hashable]) -> list[list[Any]]:
        """Return the columns of some groups."""
        places = [self._places[slot] for slot in slots]
        return [[column[place] for place in places] for column in self._columns]

    @property
    def slots(self) -> Iterable[Hashable]:
        """The slots of the groups that are held as columns."""
        return self._places.keys()

    def add(
        self, values: Sequence[Any], slots: Sequence[Hashable], codes: Codes
    ) -> Callable[[], None] | None:
        """Fold further elements; return a function that undoes it.

        ``None`` if nothing was folded because these are no columns, or an operation raises: the function
        must then be called with each element, so that it raises its own error at the right element.

        Args:
            values: the elements.
            slots: the slots of groups.
            codes: for each element, the position of the slot of its group.
        """
        return self._added(values, slots, codes, None)

    def _added(
        self,
        values: Sequence[Any],
        slots: Sequence[Hashable],
        codes: Codes,
        results: list[Column] | None,
    ) -> Callable[[], None] | None:
        if not isinstance(values, ColumnValues) or values.layout is not self._element_layout:
            return None
        firsts = np.full(len(slots), -1)
        firsts[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
        present = np.flatnonzero(firsts >= 0)
        try:
            known = self._known([slots[group] for group in present.tolist()])
        except _NotFoldedError:
            return None
        is_new = known < 0
        new = present[is_new]
        count = self._count
        known[is_new] = np.arange(count, count + len(new))
        codes_of = np.empty(len(slots), np.int64)
        codes_of[present] = np.arange(len(present))
        part = GroupPart(values, known, codes_of[codes], firsts[new], known[~is_new], count)
        added = [slots[group] for group in new.tolist()]
        self._places.update(zip(added, range(count, count + len(added)), strict=True))
        self._count += len(added)
        undo = partial(self._undo, added, part.old.tolist(), self._values_at(part.old.tolist()))
        try:
            self._fold(part, results)
        except (TypeCheckError, NotComputedError, pa.ArrowException):
            undo()
            return None
        return undo

    @abstractmethod
    def in_order(self, slots: Sequence[Hashable]) -> ColumnValues | None:
        """Return the results of groups, in the order of their slots.

        ``None`` if functions must be called for them: something in the table cannot be a column, a result
        does not have its type or cannot be computed, or there are too few.
        """

    def _held(
        self, slots: Sequence[Hashable], checked: Callable[[Codec, Sequence[Any]], Sequence[Any]]
    ) -> ColumnValues | None:
        """Return what groups are folded to, in the order of their slots; ``None`` if a value is no column's.

        Args:
            slots: the slots.
            checked: returns the values of a field as its column holds them, or raises a TypeCheckError.
        """
        try:
            if (self._known(slots) < 0).any():
                return None
            columns = [
                Column(codec, values=checked(codec, column))
                for codec, column in zip(self._layout.codecs, self._of(slots), strict=True)
            ]
        except (_NotFoldedError, TypeCheckError):
            return None
        return ColumnValues.of_columns(self._layout, columns, len(slots))

    def _values_at(self, places: list[int]) -> list[list[Any]]:
        """Return the values of the groups at some places, for each column that changes."""
        return [
            [] if fold is Fold.FIRST else [column[place] for place in places]
            for fold, column in zip(self._folds, self._columns, strict=True)
        ]

    def _undo(self, added: list[Hashable], places: list[int], values: list[list[Any]]) -> None:
        """Forget the groups that were added last; return to the earlier values of those at some places."""
        self._count -= len(added)
        for slot in added:
            del self._places[slot]
        for column, before in zip(self._columns, values, strict=True):
            del column[self._count :]
            for place, value in zip(places, before, strict=False):
                column[place] = value

    def _known(self, slots: Sequence[Hashable]) -> npt.NDArray[np.int64]:
        """Return the places of groups, -1 for new ones."""
        places, table = self._places, self._table
        self._load([slot for slot in slots if slot not in places and slot in table])
        return np.array([places.get(slot, -1) for slot in slots], np.int64)

    def _load(self, slots: list[Hashable]) -> None:
        """Load what groups were folded to before.

        Raises:
            _NotFoldedError: it is no such element, or a row of a kind other than INSERT.
        """
        if not slots:
            return
        held = [self._table[slot] for slot in slots]
        if any(isinstance(one, Row) and one.get_row_kind() is not RowKind.INSERT for one in held):
            raise _NotFoldedError
        columns: list[Sequence[Any]] = [held]
        if self._codec is not None:
            try:
                columns = self._codec.opened(held, set(map(type, held)))[1]
            except TypeCheckError as error:
                raise _NotFoldedError from error
        count = self._count
        self._places.update(zip(slots, range(count, count + len(slots)), strict=True))
        self._count += len(slots)
        for column, loaded in zip(self._columns, columns, strict=True):
            column += loaded


class ReducedColumns(FoldedColumns):
    """Reduces the elements of many groups by columns.

    Args:
        reduction: the reduction.
        table: the table.
    """

    def __init__(self, reduction: Reduction, table: Groups) -> None:
        super().__init__(reduction.type, reduction.type, reduction.folds, table)
        compared = [at for at, fold in enumerate(reduction.folds) if fold in COMPARED]
        self._compared = compared[0] if Fold.CHOSEN in reduction.folds else None

    def _fold(self, part: GroupPart, results: list[Column] | None) -> None:
        if self._compared is None:
            for at, fold in enumerate(self._folds):
                part.fold(fold, at, self._columns[at], results)
        else:
            part.choose(self._folds[self._compared], self._compared, self._columns, results)

    def add_each(self, values: Sequence[Any], slots: Sequence[Hashable], codes: Codes) -> ColumnValues | None:
        """Fold further elements; return the result after each, ``None`` if nothing was folded.

        Args:
            values: the elements.
            slots: the slots of groups.
            codes: for each element, the position of the slot of its group.
        """
        results: list[Column] = []
        if self._added(values, slots, codes, results) is None:
            return None
        return ColumnValues.of_columns(self._layout, results, len(values))

    def in_order(self, slots: Sequence[Hashable]) -> ColumnValues | None:
        return self._held(slots, lambda codec, values: codec.conform(values))


class AccumulatedColumns(FoldedColumns):
    """Accumulates the elements of many groups by columns.

    Args:
        accumulation: the folds of their parts.
        table: the table.
    """

    def __init__(self, accumulation: Accumulation, table: Groups) -> None:
        folds = tuple(part.fold for part in accumulation.parts)
        super().__init__(accumulation.element_type, accumulation.type, folds, table)
        self._parts = accumulation.parts
        self._results = accumulation.results
        result_type = accumulation.result_type
        self._result_layout = None if result_type is None else layout_of(result_type)

    def _fold(self, part: GroupPart, results: list[Column] | None) -> None:
        columns = part.values.columns
        kernels = Kernels(lambda position: columns[position].array, len(part.values))
        for own, codec, column in zip(self._parts, self._layout.codecs, self._columns, strict=True):
            given = Column(codec, kernels.column(own.value, codec.arrow))
            part.accumulate(own.fold, given, constant_value(own.initial), column)

    def in_order(self, slots: Sequence[Hashable]) -> ColumnValues | None:
        layout = self._result_layout
        if layout is None or len(slots) < _FEWEST_RESULTS:
            return None
        held = self._held(slots, exact_values)
        if held is None:
            return None
        kernels = Kernels(lambda position: held.columns[position].array, len(slots))
        try:
            columns = list(map(partial(column_of, held, kernels), self._results, layout.codecs))
        except (NotComputedError, TypeCheckError):
            return None
        return ColumnValues.of_columns(layout, columns, len(slots))


def folded_columns(fold: Reduction | Accumulation, table: Groups) -> FoldedColumns:
    """Return what groups are folded to, with a table of what they were folded to before."""
    return ReducedColumns(fold, table) if isinstance(fold, Reduction) else AccumulatedColumns(fold, table)
