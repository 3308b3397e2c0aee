"""GroupPart: folds the values of further elements into those of their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from operator import gt, lt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pystream.engine.columns.number_folds import GroupOrder, folded_numbers, running_numbers
from pystream.engine.vectorised.columns import Column, ColumnValues
from pystream.expressions.folds import Fold
from pystream.expressions.operation import NotComputedError

__all__ = ["COMPARED", "Codes", "GroupPart"]

Codes: TypeAlias = npt.NDArray[np.int64]
"""For each element, the number of its group."""


class GroupPart:
    """Further elements of groups.

    Args:
        values: the elements.
        groups: the places of their groups, in columns of what groups are reduced to.
        codes: for each element, the position of its group among them.
        firsts: the first element of each new group, in the order of their places.
        old: the places of the other groups.
        count: the number of groups before.
    """

    def __init__(
        self,
        values: ColumnValues,
        groups: Codes,
        codes: Codes,
        firsts: Codes,
        old: npt.NDArray[np.int64],
        count: int,
    ) -> None:
        self.values: ColumnValues = values
        self._groups = groups
        self._codes = codes
        self._places = groups[codes]
        self._firsts = firsts
        self.old: npt.NDArray[np.int64] = old
        self._count = count

    def fold(self, fold: Fold, at: int, column: list[Any], results: list[Column] | None) -> None:
        """Fold the values of a column into those of the groups; append the column of results."""
        given = self.values.columns[at]
        if fold is Fold.LAST:
            self._keep_last(given, column)
            if results is not None:
                results.append(given)
            return
        if fold is not Fold.FIRST and (
            self._fold_numbers(fold, given, column)
            if results is None
            else self._run_numbers(fold, given, column, results)
        ):
            return
        if len(self._firsts):
            column += given.taken(self._firsts).values
        if fold is Fold.FIRST:
            if results is not None:
                results.append(self._of_groups(given, column))
            return
        if results is None:
            rest = self._rest()
            places = self._all_places if rest is None else self._places[rest].tolist()
            values = given.values if rest is None else given.taken(rest).values
            with _errors_of_values():
                _FOLDS[fold](column, places, values)
        else:
            with _errors_of_values():
                found = _running(fold, column, self._firsts, self._all_places, given.values)
            results.append(Column(given.codec, values=given.codec.conform(found)))

    def accumulate(self, fold: Fold, given: Column, initial: Any, column: list[Any]) -> None:
        """Fold values into those of the groups, which begin with an initial one; null is left out.

        Args:
            fold: FIRST and LAST do not use the initial value, and take null as a value.
            given: a value for each element.
            initial: the initial value; MIN and MAX pass over ``None``.
            column: what groups are folded to.
        """
        if fold is Fold.LAST:
            self._keep_last(given, column)
            return
        if fold is Fold.FIRST:
            column += given.taken(self._firsts).values
            return
        if initial is not None and self._fold_numbers(fold, given, column, initial):
            return
        column += [initial] * len(self._firsts)
        array, places = given.array, self._places
        if array.null_count:
            places = places[array.is_valid().to_numpy(zero_copy_only=False)]
            array = array.drop_null()
        values = given.codec.decode(array)
        with _errors_of_values():
            if initial is None:
                _keep_best(_BETTER[fold], column, places.tolist(), values)
            else:
                _FOLDS[fold](column, places.tolist(), values)

    def _fold_numbers(self, fold: Fold, given: Column, column: list[Any], initial: Any = None) -> bool:
        """Fold numbers without calls; return whether it has, false if they must be folded one by one."""
        held = self._numbers_held(given, column, initial)
        folded = None if held is None else folded_numbers(fold, held, given.array, self._codes)
        if folded is None:
            return False
        self._keep(folded, column)
        return True

    def _run_numbers(self, fold: Fold, given: Column, column: list[Any], results: list[Column]) -> bool:
        """Fold numbers as ``_fold_numbers`` does; append the column of results."""
        held = self._numbers_held(given, column, None)
        found = None if held is None else running_numbers(fold, held, given.array, self._order)
        if found is None:
            return False
        running, folded = found
        results.append(Column(given.codec, running))
        self._keep(folded, column)
        return True

    def _numbers_held(self, given: Column, column: list[Any], initial: Any) -> list[Any] | None:
        """Return the folded number of each group, ``None`` if numbers must be folded one by one."""
        if not given.is_array:
            return None
        places = self._places_of_groups
        if any(column[place] is None for place in places if place < self._count):
            return None
        return [column[place] if place < self._count else initial for place in places]

    def _keep(self, folded: Iterable[Any], column: list[Any]) -> None:
        """Keep what each group is folded to."""
        column += [None] * len(self._firsts)
        for place, value in zip(self._places_of_groups, folded, strict=True):
            column[place] = value

    @cached_property
    def _order(self) -> GroupOrder:
        return GroupOrder(self._codes)

    @cached_property
    def _all_places(self) -> list[int]:
        places: list[int] = self._places.tolist()
        return places

    def _rest(self) -> npt.NDArray[np.int64] | None:
        """Return the positions of the elements that are not the first of new groups; ``None`` for all."""
        if not len(self._firsts):
            return None
        is_rest = np.ones(len(self._places), bool)
        is_rest[self._firsts] = False
        return np.flatnonzero(is_rest)

    def _keep_last(self, given: Column, column: list[Any]) -> None:
        self._keep(given.taken(self._lasts).values, column)

    @cached_property
    def _lasts(self) -> Codes:
        """The last element of each group."""
        lasts = np.empty(len(self._groups), np.int64)
        lasts[self._codes] = np.arange(len(self._codes))
        return lasts

    @cached_property
    def _places_of_groups(self) -> list[int]:
        places: list[int] = self._groups.tolist()
        return places

    def _of_groups(self, given: Column, column: list[Any]) -> Column:
        """Return the value of the group of each element."""
        values = Column(given.codec, values=[column[place] for place in self._places_of_groups])
        return Column(given.codec, values.array).taken(self._codes)

    def choose(
        self, fold: Fold, compared: int, columns: list[list[Any]], results: list[Column] | None
    ) -> None:
        """Keep the element of each group that has the least or greatest value in one column."""
        given = self.values.columns
        is_better = _BETTER[fold]
        old = self.old.tolist()
        before = {place: number - len(old) for number, place in enumerate(old)}
        best = {place: columns[compared][place] for place in old}
        running: list[int] = []
        with _errors_of_values():
            for index, (place, value) in enumerate(
                zip(self._all_places, given[compared].values, strict=True)
            ):
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


@contextmanager
def _errors_of_values() -> Iterator[None]:
    """Raise a TypeError of values, such as that of adding None, as a NotComputedError."""
    try:
        yield
    except TypeError as error:
        raise NotComputedError(str(error)) from error


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


def _keep_best(
    is_better: Callable[[Any, Any], bool], folded: list[Any], places: Iterable[int], values: Iterable[Any]
) -> None:
    for place, value in zip(places, values, strict=True):
        best = folded[place]
        if best is None or is_better(value, best):
            folded[place] = value


def _running(
    fold: Fold, folded: list[Any], firsts: Codes, places: Sequence[int], values: Sequence[Any]
) -> list[Any]:
    """Return what groups are folded to after each value; the first value of a new group is its own.

    Args:
        fold: SUM, MIN or MAX.
        folded: what groups are folded to, for new ones their first value; changed to the last results.
        firsts: the position of the first value of each new group.
        places: the group of each value.
        values: the values.
    """
    is_first = np.zeros(len(places), bool)
    is_first[firsts] = True
    is_sum = fold is Fold.SUM
    is_better = _BETTER[Fold.MAX] if is_sum else _BETTER[fold]
    results: list[Any] = []
    append = results.append
    for place, value, first in zip(places, values, is_first.tolist(), strict=True):
        if first:
            append(value)
        elif is_sum:
            value = folded[place] = folded[place] + value
            append(value)
        elif is_better(value, folded[place]):
            folded[place] = value
            append(value)
        else:
            append(folded[place])
    return results


_FOLDS: dict[Fold, Callable[[list[Any], Iterable[int], Iterable[Any]], None]] = {
    Fold.SUM: _add,
    Fold.MIN: _keep_least,
    Fold.MAX: _keep_greatest,
}
_BETTER: dict[Fold, Callable[[Any, Any], bool]] = {Fold.MIN: lt, Fold.MAX: gt}

COMPARED = frozenset(_BETTER)
"""The folds that compare values."""
