"""PandasAggregator: a function of the program that gets all values of a group at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from pystream.sql_types.data_types import DataType, RowType
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.function_definition import AggregateFunctionDefinition
from pystream.table.streaming.user_aggregators import ProgramAggregator, UserAggregator
from typeinfo.row import Row

__all__ = ["PandasAggregator", "user_aggregator"]

Values = list[tuple[Any, ...]]


class PandasAggregator(ProgramAggregator):
    """A function of the program that gets all values of a group at once.

    It is given a Series for each argument, a DataFrame for one that is a row. NaN, NA and NaT are null.

    Args:
        definition: the function, or an ``AggregateFunction`` that accumulates whole Series.
        types: the SQL types of its arguments.
    """

    def __init__(self, definition: AggregateFunctionDefinition, types: Sequence[DataType]) -> None:
        super().__init__(definition, types)
        self._is_object = definition.function.is_object
        self._types = tuple(types)

    def empty(self) -> Values:
        """Return no values."""
        return []

    def add(self, accumulated: Values, value: tuple[Any, ...]) -> Values:
        """Return the values with those of another row; the list is modified."""
        accumulated.append(value)
        return accumulated

    def merge(self, one: Values, other: Values) -> Values:
        """Return the values of both; the first list is modified."""
        one += other
        return one

    def result(self, accumulated: Values) -> Any:
        """Return the result of the function for the columns of the values."""
        columns = zip(*accumulated, strict=True) if accumulated else [()] * len(self._types)
        zone = self._program.zone
        given = [
            _argument(data_type, column, zone) for data_type, column in zip(self._types, columns, strict=True)
        ]
        call = self._accumulated if self._is_object else self._program.loaded
        return self._conformed(_plain(self._program.called(call, *given)), given)

    def _accumulated(self, *given: Any) -> Any:
        function = self._program.loaded
        accumulator = function.create_accumulator()
        function.accumulate(accumulator, *given)
        return function.get_value(accumulator)


def _argument(data_type: DataType, values: Sequence[Any], zone: tzinfo) -> Any:
    """Return values as an argument of the function."""
    import pandas as pd

    from pystream.engine.vectorised.arguments import series
    from typeinfo.serde.registry import codec_for

    if isinstance(data_type, RowType):
        columns = {
            field.name: _argument(
                field.data_type, [None if row is None else row[number] for row in values], zone
            )
            for number, field in enumerate(data_type.fields)
        }
        return pd.DataFrame(columns)
    codec = codec_for(data_type.type_info, nullable=data_type.is_nullable)
    return series(codec, codec.encode(list(values)), zone)


def _plain(result: Any) -> Any:
    """Return a scalar of pandas or NumPy, or a row of such, as a value of Python."""
    import numpy as np
    import pandas as pd

    if isinstance(result, tuple | Row):
        return Row(*map(_plain, result))
    if pd.api.types.is_scalar(result) and pd.isna(result):
        return None
    match result:
        case np.generic():
            return result.item()
        case np.ndarray():
            return result.tolist()
        case pd.Timestamp():
            return result.to_pydatetime()
        case pd.Timedelta():
            return result.to_pytimedelta()
    return result


def user_aggregator(call: AggregateCall) -> UserAggregator | PandasAggregator:
    """Return the aggregator of a call of a function of the program."""
    assert call.definition is not None
    if call.definition.function.takes_batches:
        return PandasAggregator(call.definition, call.types)
    return UserAggregator(call.definition, call.types)
