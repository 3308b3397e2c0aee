"""Calls of table functions, a row at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, repeat
from typing import TYPE_CHECKING, Any

from pystream.engine.function_context import FunctionContext
from pystream.table.functions.values.program import ProgramFunction
from typeinfo.row import Row, row_values

if TYPE_CHECKING:
    from pystream.engine.context import RuntimeContext

__all__ = ["ProgramTableCall", "TableCall", "UnnestCall", "entries_of", "occurrences_of"]


class TableCall(ABC):
    """A function of values to rows, on workers."""

    def open(self, context: RuntimeContext | FunctionContext) -> None:  # noqa: B027 - most need neither
        """Prepare the function; called once, before any row."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once, after a failure too."""

    @abstractmethod
    def rows(self, values: Sequence[Any]) -> Iterable[Sequence[Any]]:
        """Return the rows for the values of the arguments.

        Raises:
            TaskFailure: the function raised, or a row is not of its type.
        """


class ProgramTableCall(TableCall):
    """A table function of the program.

    Args:
        function: the function, whose type is that of a row.
    """

    def __init__(self, function: ProgramFunction) -> None:
        self._function = function

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        self._function.open(context)

    def close(self) -> None:
        self._function.close()

    def rows(self, values: Sequence[Any]) -> Iterable[Sequence[Any]]:
        function = self._function
        results = function.called(partial(_rows, function.eval), *values)
        return map(row_values, function.conformed(results, values))


def _rows(call: Callable[..., Any], *values: Any) -> list[Row[Any]]:
    """Return the rows that the result of a call stands for."""
    result = call(*values)
    if result is None:
        return []
    return list(map(_row, result if isinstance(result, list | range | Iterator) else (result,)))


def _row(item: Any) -> Row[Any]:
    if isinstance(item, Row):
        return item
    return Row(*item) if isinstance(item, tuple) else Row(item)


class UnnestCall(TableCall):
    """The elements of a collection, whose rows are taken apart; none of null.

    Args:
        elements: returns the elements of a collection.
        width: the number of fields of an element that is a row, 0 for any other element.
        is_counted: whether each row ends with its number, from 1 on.
    """

    def __init__(self, elements: Callable[[Any], Iterable[Any]], width: int, *, is_counted: bool) -> None:
        self._elements = elements
        self._width = width
        self._is_counted = is_counted

    def rows(self, values: Sequence[Any]) -> Iterable[Sequence[Any]]:
        (collection,) = values
        if collection is None:
            return ()
        rows = map(self._row, self._elements(collection))
        if not self._is_counted:
            return rows
        return ((*row, number) for row, number in zip(rows, count(1), strict=False))

    def _row(self, element: Any) -> Sequence[Any]:
        if not self._width:
            return (element,)
        return (None,) * self._width if element is None else tuple(element)


def entries_of(entries: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    """Return the keys of a map with their values."""
    return entries.items()


def occurrences_of(counts: Mapping[Any, int]) -> Iterator[Any]:
    """Yield the elements of a multiset, each as often as it occurs."""
    for element, number in counts.items():
        yield from repeat(element, number)
