"""ReducedColumns: reduces elements that are columns, field by field, and keeps the results as columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from operator import gt, lt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.state.slots import Table
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.expressions.folds import Fold, Reduction
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import has_columns
from typeinfo.row import Row, RowKind
from typeinfo.serde.composite import FieldsCodec
from typeinfo.serde.registry import codec_for

__all__ = ["Codes", "ReducedColumns"]

Codes: TypeAlias = npt.NDArray[np.int64]
"""For each element, the number of its group."""


class _NotReducedError(Exception):
    """The reduce function must be called with each element."""


class ReducedColumns:
    """What the elements of many groups are reduced to, each group in the order of its elements.

    A table of state holds what groups were reduced to before. What they are reduced to since is held as
    columns, until it is written to the table.

    Args:
        reduction: the reduction.
        table: the table, by the slots of the groups.
    """

    def __init__(self, reduction: Reduction, table: Table) -> None:
        self._layout = layout_of(reduction.type)
        self._folds = reduction.folds
        self._table = table
        codec = codec_for(reduction.type)
        self._codec = codec if isinstance(codec, FieldsCodec) and has_columns(reduction.type) else None
        compared = [at for at, fold in enumerate(self._folds) if fold in _BETTER]
        self._compared = compared[0] if Fold.CHOSEN in self._folds else None
        self.discard()

    def discard(self) -> None:
        """Discard what is held as columns."""
        self._places: dict[Hashable, int] = {}
        self._columns: list[list[Any]] = [[] for _ in self._folds]

    def write(self) -> None:
        """Write what is held as columns to the table."""
        if self._places:
            self._table.update(
                zip(self._places, self._layout.built(self._columns, len(self._places)), strict=True)
            )
            self.discard()

    def in_order(self, slots: Iterable[Hashable]) -> ColumnValues | None:
        """Return what groups are reduced to, in the order of their slots.

        ``None`` if something in the table cannot be a column, or a result does not have its type.
        """
        try:
            self._load([slot for slot in self._table if slot not in self._places])
        except _NotReducedError:
            return None
        places = [self._places[slot] for slot in slots]
        try:
            columns = [
                Column(codec, values=codec.conform([column[at] for at in places]))
                for codec, column in zip(self._layout.codecs, self._columns, strict=True)
            ]
        except TypeCheckError:
            return None
        return ColumnValues.of_columns(self._layout, columns, len(places))

    @property
    def slots(self) -> set[Hashable]:
        """The slots of all groups."""
        return {*self._table, *self._places}

    def add(
        self, values: Sequence[Any], slots: Sequence[Hashable], codes: Codes
    ) -> Callable[[], None] | None:
        """Reduce further elements; return a function that undoes it.

        ``None`` if nothing was reduced because these are no columns, or an operation raises: the function
        must then be called with each element, so that it raises its own error at the right element.

        Args:
            values: the elements.
            slots: the slots of groups.
            codes: for each element, the position of the slot of its group.
        """
        return self._added(values, slots, codes, None)

    def add_each(self, values: Sequence[Any], slots: Sequence[Hashable], codes: Codes) -> ColumnValues | None:
        """Reduce further elements; return the result after each, ``None`` if nothing was reduced.

        Args:
            values: the elements.
            slots: the slots of groups.
            codes: for each element, the position of the slot of its group.
        """
        results: list[Column] = []
        if self._added(values, slots, codes, results) is None:
            return None
        return ColumnValues.of_columns(self._layout, results, len(values))

    def _added(
        self,
        values: Sequence[Any],
        slots: Sequence[Hashable],
        codes: Codes,
        results: list[Column] | None,
    ) -> Callable[[], None] | None:
        if not isinstance(values, ColumnValues) or values.layout is not self._layout:
            return None
        firsts = np.full(len(slots), -1)
        firsts[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
        present = np.flatnonzero(firsts >= 0)
        try:
            known = self._known([slots[group] for group in present.tolist()])
        except _NotReducedError:
            return None
        is_new = known < 0
        new = present[is_new]
        count = len(self._places)
        known[is_new] = np.arange(count, count + len(new))
        places = np.empty(len(slots), np.int64)
        places[present] = known
        part = _Part(values, places[codes], firsts[new], known[~is_new], count)
        undo = partial(self._undo, count, part.old.tolist(), self._values_at(part.old.tolist()))
        try:
            if self._compared is None:
                for at, fold in enumerate(self._folds):
                    part.fold(fold, at, self._columns[at], results)
            else:
                part.choose(self._folds[self._compared], self._compared, self._columns, results)
        except (TypeError, TypeCheckError, pa.ArrowException):
            undo()
            return None
        for place, group in enumerate(new.tolist(), count):
            self._places[slots[group]] = place
        return undo

    def _values_at(self, places: list[int]) -> list[list[Any]]:
        """Return the values of the groups at some places, for each column that changes."""
        return [
            [] if fold is Fold.FIRST else [column[place] for place in places]
            for fold, column in zip(self._folds, self._columns, strict=True)
        ]

    def _undo(self, count: int, places: list[int], values: list[list[Any]]) -> None:
        """Return to a number of groups, those at some places with their earlier values."""
        for slot in list(self._places)[count:]:
            del self._places[slot]
        for column, before in zip(self._columns, values, strict=True):
            del column[count:]
            for place, value in zip(places, before, strict=False):
                column[place] = value

    def _known(self, slots: list[Hashable]) -> npt.NDArray[np.int64]:
        """Return the places of groups, -1 for new ones."""
        places = self._places
        table = self._table
        if table:
            self._load([slot for slot in slots if slot not in places and slot in table])
        return np.array([places.get(slot, -1) for slot in slots], np.int64)

    def _load(self, slots: list[Hashable]) -> None:
        """Load what groups were reduced to before.

        Raises:
            _NotReducedError: it is no such element, or a row of a kind other than INSERT.
        """
        if not slots:
            return
        held = [self._table[slot] for slot in slots]
        if any(isinstance(one, Row) and one.get_row_kind() is not RowKind.INSERT for one in held):
            raise _NotReducedError
        columns: list[Sequence[Any]] = [held]
        if self._codec is not None:
            try:
                columns = self._codec.opened(held, set(map(type, held)))[1]
            except TypeCheckError as error:
                raise _NotReducedError from error
        count = len(self._places)
        self._places.update(zip(slots, range(count, count + len(slots)), strict=True))
        for column, loaded in zip(self._columns, columns, strict=True):
            column += loaded


class _Part:
    """Further elements of groups.

    Args:
        values: the elements.
        places: the place of the group of each, in columns of what groups are reduced to.
        firsts: the first element of each new group, in the order of their places.
        old: the places of the other groups.
        count: the number of groups before.
    """

    def __init__(
        self, values: ColumnValues, places: Codes, firsts: Codes, old: npt.NDArray[np.int64], count: int
    ) -> None:
        self._values = values
        self._places = places
        self._firsts = firsts
        self.old: npt.NDArray[np.int64] = old
        self._count = count
        self._list_of_places: list[int] | None = None

    def fold(self, fold: Fold, at: int, column: list[Any], results: list[Column] | None) -> None:
        """Fold the values of a column into those of the groups; append the column of results."""
        given = self._values.columns[at]
        if fold is Fold.LAST:
            self._keep_last(given, column)
            if results is not None:
                results.append(given)
            return
        if len(self._firsts):
            column += given.taken(self._firsts).values
        if fold is Fold.FIRST:
            if results is not None:
                results.append(self._of_groups(given, column))
            return
        if results is None:
            rest = self._rest()
            if rest is None:
                _FOLDS[fold](column, self._all_places(), given.values)
            else:
                _FOLDS[fold](column, self._places[rest].tolist(), given.taken(rest).values)
        else:
            found = _running(fold, column, self._count, self._all_places(), given.values)
            results.append(Column(given.codec, values=given.codec.conform(found)))

    def _all_places(self) -> list[int]:
        if self._list_of_places is None:
            self._list_of_places = self._places.tolist()
        return self._list_of_places

    def _rest(self) -> npt.NDArray[np.int64] | None:
        """Return the positions of the elements that are not the first of new groups; ``None`` for all."""
        if not len(self._firsts):
            return None
        is_rest = np.ones(len(self._places), bool)
        is_rest[self._firsts] = False
        return np.flatnonzero(is_rest)

    def _keep_last(self, given: Column, column: list[Any]) -> None:
        last = np.full(self._count + len(self._firsts), -1)
        last[self._places] = np.arange(len(self._places))
        column += [None] * len(self._firsts)
        places = np.flatnonzero(last >= 0)
        for place, value in zip(places.tolist(), given.taken(last[places]).values, strict=True):
            column[place] = value

    def _of_groups(self, given: Column, column: list[Any]) -> Column:
        """Return the value of the group of each element."""
        groups, of_each = np.unique(self._places, return_inverse=True)
        values = Column(given.codec, values=[column[place] for place in groups.tolist()])
        return Column(given.codec, values.array).taken(of_each)

    def choose(
        self, fold: Fold, compared: int, columns: list[list[Any]], results: list[Column] | None
    ) -> None:
        """Keep the element of each group that has the least or greatest value in one column."""
        given = self._values.columns
        is_better = _BETTER[fold]
        old = self.old.tolist()
        before = {place: number - len(old) for number, place in enumerate(old)}
        best = {place: columns[compared][place] for place in old}
        running: list[int] = []
        for index, (place, value) in enumerate(zip(self._all_places(), given[compared].values, strict=True)):
            if place not in best or is_better(value, best[place]):
                best[place], before[place] = value, index
            running.append(before[place])
        for column, own in zip(columns, given, strict=True):
            whole = Column(own.codec, values=[*(column[place] for place in old), *own.values])
            if results is not None:
                results.append(whole.taken(np.array(running) + len(old)))
            column += [None] * len(self._firsts)
            chosen = whole.taken(np.array(list(before.values()), np.int64) + len(old))
            for place, value in zip(before, chosen.values, strict=True):
                column[place] = value


def _add(folded: list[Any], places: Iterable[int], values: Iterable[Any]) -> None:
    for place, value in zip(places, values, strict=True):
        folded[place] += value


def _keep_least(folded: list[Any], places: Iterable[int], values: Iterable[Any]) -> None:
    for place, value in zip(places, values, strict=True):
        if value < folded[place]:
            folded[place] = value


def _keep_greatest(folded: list[Any], places: Iterable[int], values: Iterable[Any]) -> None:
    for place, value in zip(places, values, strict=True):
        if value > folded[place]:
            folded[place] = value


def _running(
    fold: Fold, folded: list[Any], count: int, places: Sequence[int], values: Sequence[Any]
) -> list[Any]:
    """Return what groups are folded to after each value; the first value of a new group is its own.

    Args:
        fold: SUM, MIN or MAX.
        folded: what groups are folded to, for new ones their first value; changed to the last results.
        count: the number of groups that are not new.
        places: the group of each value.
        values: the values.
    """
    seen = [True] * count + [False] * (len(folded) - count)
    is_sum = fold is Fold.SUM
    is_better = _BETTER[Fold.MAX] if is_sum else _BETTER[fold]
    results: list[Any] = []
    append = results.append
    for place, value in zip(places, values, strict=True):
        if not seen[place]:
            seen[place] = True
        elif is_sum:
            value = folded[place] = folded[place] + value
        elif is_better(value, folded[place]):
            folded[place] = value
        else:
            value = folded[place]
        append(value)
    return results


_FOLDS: dict[Fold, Callable[[list[Any], Iterable[int], Iterable[Any]], None]] = {
    Fold.SUM: _add,
    Fold.MIN: _keep_least,
    Fold.MAX: _keep_greatest,
}
_BETTER: dict[Fold, Callable[[Any, Any], bool]] = {Fold.MIN: lt, Fold.MAX: gt}
