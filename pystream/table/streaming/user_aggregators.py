"""Aggregate functions of the program over the values of a group."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.sql_types.data_types import ArrayType, DataType, MapType, RowType
from pystream.table.conversions import converter
from pystream.table.function_definition import AggregateFunctionDefinition
from pystream.table.functions.errors import SqlArithmeticError
from pystream.table.functions.values.program import ProgramFunction
from pystream.table.streaming.aggregators import Aggregator
from pystream.table.streaming.retracting_aggregators import RetractingAggregator

if TYPE_CHECKING:
    from pystream.engine.context import RuntimeContext
    from pystream.engine.function_context import FunctionContext

__all__ = ["ProgramAggregator", "UserAggregator"]

_WITH_PARTS = (ArrayType, MapType, RowType)


class ProgramAggregator(Aggregator):
    """Base class of aggregators by a function of the program, which is opened and closed.

    Args:
        definition: the function.
        types: the SQL types of its arguments.
    """

    def __init__(self, definition: AggregateFunctionDefinition, types: Sequence[DataType]) -> None:
        super().__init__(definition.result_type)
        is_nullable = definition.result_type.is_nullable
        self._program = ProgramFunction(
            definition.name,
            definition.function,
            definition.type_info,
            [data_type.type_info for data_type in types],
            is_nullable=is_nullable,
        )
        self._convert = converter(definition.type_info, definition.column_type, definition.name)

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        """Load and open the function."""
        self._program.open(context)

    def close(self) -> None:
        """Close the function."""
        self._program.close()

    def _conformed(self, result: Any, values: Sequence[Any]) -> Any:
        (conformed,) = self._program.conformed([result], values)
        if conformed is None or self._convert is None:
            return conformed
        try:
            return self._convert(conformed)
        except SqlArithmeticError as error:
            raise self._program.failure(error, values, [result]) from error


class UserAggregator(ProgramAggregator, RetractingAggregator):
    """An ``AggregateFunction`` of the program; values are tuples of its arguments, which may be null.

    The accumulator is modified. A result with parts is a copy, which later values leave as it is.
    """

    def __init__(self, definition: AggregateFunctionDefinition, types: Sequence[DataType]) -> None:
        super().__init__(definition, types)
        self._has_parts = isinstance(definition.result_type, _WITH_PARTS)

    def empty(self) -> Any:
        """Return a new accumulator."""
        return self._program.called(self._program.loaded.create_accumulator)

    def add(self, accumulated: Any, value: tuple[Any, ...]) -> Any:
        """Return the accumulator with the values of another row."""
        self._program.called(self._program.loaded.accumulate, accumulated, *self._program.localized(value))
        return accumulated

    def retract(self, accumulated: Any, value: tuple[Any, ...]) -> Any:
        """Return the accumulator without the values of a row."""
        self._program.called(self._program.loaded.retract, accumulated, *self._program.localized(value))
        return accumulated

    def merge(self, one: Any, other: Any) -> Any:
        """Return the first accumulator with all that the second one has."""
        self._program.called(self._program.loaded.merge, one, [other])
        return one

    def result(self, accumulated: Any) -> Any:
        """Return the result of ``get_value``."""
        result = self._program.called(self._program.loaded.get_value, accumulated)
        conformed = self._conformed(result, [accumulated])
        return copy.deepcopy(conformed) if self._has_parts else conformed
