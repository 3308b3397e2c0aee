"""Calls of functions of the program for several rows at a time, before the expressions around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pystream.sql_types.data_types import DataType
from pystream.table.functions.values.calls import Evaluate
from pystream.table.functions.values.program import ScalarProgramFunction

__all__ = ["AsyncCall", "BatchCall", "BatchEvaluation", "result_of_batch"]


class BatchCall(NamedTuple):
    """A call of a function with a Series per argument, or a DataFrame for one of rows.

    Attributes:
        function: the function.
        arguments: the arguments, for rows with the results of earlier calls.
        types: the SQL types of the arguments.
    """

    function: ScalarProgramFunction
    arguments: tuple[Evaluate, ...]
    types: tuple[DataType, ...]

    def results(self, rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """Return the results for rows, as values of their type.

        Raises:
            TaskFailure: the function raised, or its results are not of their type.
        """
        from pystream.engine.vectorised.arguments import column
        from typeinfo.serde.registry import codec_for  # these need pandas

        columns = []
        for argument, data_type in zip(self.arguments, self.types, strict=True):
            codec = codec_for(data_type.type_info, nullable=True)
            values = codec.conform_and_encode([argument(row) for row in rows])
            columns.append(column(codec, values, self.function.zone))
        return self.function.results_of_batch(columns, len(rows))


class AsyncCall(NamedTuple):
    """A call of an asynchronous function, for several rows at the same time.

    Attributes:
        function: the function.
        arguments: the arguments, for rows with the results of earlier calls.
    """

    function: ScalarProgramFunction
    arguments: tuple[Evaluate, ...]

    def results(self, rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """Return the results for rows, as values of their type.

        Raises:
            TaskFailure: the function raised, or a result is not of its type.
        """
        return self.function.awaited_results([[argument(row) for argument in self.arguments] for row in rows])


class BatchEvaluation(NamedTuple):
    """An expression that calls functions for several rows at a time.

    Attributes:
        calls: the calls, in the order in which they need each other.
        evaluate: the value for a row that ends with the list of their results.
    """

    calls: tuple[BatchCall | AsyncCall, ...]
    evaluate: Evaluate

    def of_rows(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the values for rows.

        Raises:
            TaskFailure: a function raised, or its results are not of their type.
        """
        if not rows:
            return []
        extended: list[tuple[Any, ...]] = [(*row, []) for row in rows]
        for call in self.calls:
            for row, result in zip(extended, call.results(extended), strict=True):
                row[-1].append(result)
        return [self.evaluate(row) for row in extended]

    def of_row(self, row: Sequence[Any]) -> Any:
        """Return the value for a row, of which a batch is made."""
        (value,) = self.of_rows([row])
        return value


def result_of_batch(number: int, row: Sequence[Any]) -> Any:
    """Return the result of a call for several rows."""
    return row[-1][number]
