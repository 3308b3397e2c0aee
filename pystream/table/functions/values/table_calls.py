"""Calls of table functions, a row at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.engine.function_context import FunctionContext
from pystream.table.functions.errors import SqlArithmeticError
from pystream.table.functions.values.program import ProgramFunction
from typeinfo.errors import TypeCheckError, misfit
from typeinfo.row import Row, row_values

if TYPE_CHECKING:
    from pystream.engine.context import RuntimeContext
    from typeinfo.info import TypeInformation

__all__ = ["ProgramTableCall", "ResultField", "TableCall", "UnnestCall", "entries_of", "occurrences_of"]


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


class ResultField(NamedTuple):
    """A column of the rows of a function of the program.

    Attributes:
        name: its name.
        type_info: the type of its values in Python.
        is_nullable: whether it may hold nulls.
        convert: gives a value the digits or length of the type in SQL.
    """

    name: str
    type_info: TypeInformation[Any]
    is_nullable: bool
    convert: Callable[[Any], Any]

    def value(self, given: Any) -> Any:
        """Return a value of the type in SQL.

        Raises:
            TypeCheckError: it is null, which the column may not hold.
            SqlArithmeticError: it is out of the range of the type.
        """
        if given is not None:
            return self.convert(given)
        if not self.is_nullable:
            remedy = "leave the row out, or declare that the column may be null"
            raise misfit(None, self.type_info, remedy).within(f".{self.name}", None)
        return None


class ProgramTableCall(TableCall):
    """A table function of the program.

    Args:
        function: the function, whose type is that of a row.
        fields: the columns of its rows.
        converter: for a function that returns objects instead of rows, returns the function that makes the
            row of one.
    """

    def __init__(
        self,
        function: ProgramFunction,
        fields: Sequence[ResultField],
        converter: Callable[[], Callable[[Any], Row[Any]]] | None = None,
    ) -> None:
        self._function = function
        self._fields = fields
        self._converter = converter
        self._row_of: Callable[[Any], Row[Any]] | None = None  # made on the worker

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        self._function.open(context)
        self._row_of = self._converter and self._converter()

    def close(self) -> None:
        self._function.close()

    def rows(self, values: Sequence[Any]) -> Iterable[Sequence[Any]]:
        function = self._function
        results = function.called(partial(_results, function.eval), *function.localized(values))
        row_of = self._row_of
        if row_of is None:
            results = [self._row(result, values) for result in results]
        results = function.conformed(results, values)
        rows = results if row_of is None else list(map(row_of, results))
        try:
            return list(map(self._converted, rows))
        except (TypeCheckError, SqlArithmeticError) as error:
            raise function.failure(error, values, rows) from error

    def _row(self, result: Any, values: Sequence[Any]) -> Row[Any]:
        """Return a result as a row."""
        if isinstance(result, Row):
            return result
        if isinstance(result, tuple):
            return Row(*result)
        if len(self._fields) > 1:
            remedy = f"return a tuple or Row of {len(self._fields)} values"
            raise self._function.failure(misfit(result, self._function.type_info, remedy), values, [result])
        return Row(result)

    def _converted(self, row: Row[Any]) -> Sequence[Any]:
        return [field.value(given) for field, given in zip(self._fields, row_values(row), strict=True)]


def _results(call: Callable[..., Any], *values: Any) -> list[Any]:
    """Return the results of a call, one for each row."""
    result = call(*values)
    if result is None:
        return []
    return list(result if isinstance(result, list | range | Iterator) else (result,))


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
