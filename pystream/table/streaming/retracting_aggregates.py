"""RetractingRowAggregation: the aggregate functions of SQL over rows that are updated, one row at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregates import checked_call
from pystream.table.streaming.aggregators import Maximum, Minimum
from pystream.table.streaming.retracting_aggregators import (
    MonotonicExtreme,
    RetractingAggregator,
    RetractingAverage,
    RetractingCount,
    RetractingDistinct,
    RetractingFirstValue,
    RetractingLastValue,
    RetractingMaximum,
    RetractingMinimum,
    RetractingSum,
)
from typeinfo.row import Row, RowKind

__all__ = ["ADDED", "RetractingRowAggregation"]

ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)
"""The kinds of rows that add values."""

_AGGREGATORS: dict[str, type[RetractingAggregator]] = {
    "COUNT": RetractingCount,
    "SUM": RetractingSum,
    "AVG": RetractingAverage,
    "MIN": RetractingMinimum,
    "MAX": RetractingMaximum,
    "FIRST_VALUE": RetractingFirstValue,
    "LAST_VALUE": RetractingLastValue,
}
_SAME_IF_DISTINCT = frozenset({"MIN", "MAX"})


class RetractingRowAggregation:
    """Aggregate rows as `RowAggregation` does; those of kind UPDATE_BEFORE and DELETE take values back.

    Args:
        aggregates: the calls, in the order of the results.
        monotonic: as `RetractingGroupAggregation`.

    Raises:
        UnsupportedOperationError: an aggregate function is not supported, or not for the type of its result.
        PlanError: a function other than ``COUNT`` has no argument.
    """

    def __init__(self, aggregates: Sequence[AggregateCall], monotonic: Collection[int] = ()) -> None:
        self._steps = [
            (call.argument, _monotonic(call) if position in monotonic else _aggregator(call))
            for position, call in enumerate(aggregates)
        ]

    def create_accumulator(self) -> list[Any]:
        """Return the accumulator of no rows."""
        return [aggregator.empty() for _, aggregator in self._steps]

    def add(self, value: Row[Any], accumulator: list[Any]) -> list[Any]:
        """Return the accumulator, modified: with a row added or taken back."""
        is_added = value.get_row_kind() in ADDED
        for index, (argument, aggregator) in enumerate(self._steps):
            field = True if argument is None else value[argument]
            if field is not None:
                step = aggregator.add if is_added else aggregator.retract
                accumulator[index] = step(accumulator[index], field)
        return accumulator

    def get_result(self, accumulator: list[Any]) -> list[Any]:
        """Return the results, in the order of the aggregates."""
        return [
            aggregator.result(accumulated)
            for (_, aggregator), accumulated in zip(self._steps, accumulator, strict=True)
        ]


def _monotonic(call: AggregateCall) -> RetractingAggregator:
    return MonotonicExtreme(call.result, (Maximum if call.function == "MAX" else Minimum)(call.result))


def _aggregator(call: AggregateCall) -> RetractingAggregator:
    aggregator = _AGGREGATORS[checked_call(call).function](call.result)
    is_counted = call.is_distinct and call.function not in _SAME_IF_DISTINCT
    return RetractingDistinct(aggregator) if is_counted else aggregator
