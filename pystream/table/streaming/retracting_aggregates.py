"""RetractingRowAggregation: the aggregate functions of SQL over rows that are updated, one row at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pystream.datastream.functions import RuntimeContext
from pystream.engine.lifecycle import close_all
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregate_arguments import accumulated_values
from pystream.table.streaming.aggregates import checked_call
from pystream.table.streaming.aggregator_classes import AGGREGATORS
from pystream.table.streaming.aggregators import Maximum, Minimum
from pystream.table.streaming.retracting_aggregators import (
    MonotonicExtreme,
    RetractingAggregator,
    RetractingDistinct,
)
from pystream.table.streaming.user_aggregators import UserAggregator
from typeinfo.row import Row, RowKind

__all__ = ["ADDED", "RetractingRowAggregation"]

ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)
"""The kinds of rows that add values."""

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
            (accumulated_values(call), _monotonic(call) if position in monotonic else _aggregator(call))
            for position, call in enumerate(aggregates)
        ]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the functions of the program."""
        for _, aggregator in self._steps:
            aggregator.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program."""
        close_all(aggregator.close for _, aggregator in self._steps)

    def create_accumulator(self) -> list[Any]:
        """Return the accumulator of no rows."""
        return [aggregator.empty() for _, aggregator in self._steps]

    def add(self, value: Row[Any], accumulator: list[Any]) -> list[Any]:
        """Return the accumulator, modified: with a row added or taken back."""
        is_added = value.get_row_kind() in ADDED
        for index, (value_of, aggregator) in enumerate(self._steps):
            changed = value_of(value)
            if changed is not None:
                step = aggregator.add if is_added else aggregator.retract
                accumulator[index] = step(accumulator[index], changed)
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
    if call.definition is not None:
        user = UserAggregator(call.definition, call.types)
        return RetractingDistinct(user) if call.is_distinct else user
    aggregator = AGGREGATORS[checked_call(call).function].retracting(call.result)
    is_counted = call.is_distinct and call.function not in _SAME_IF_DISTINCT
    return RetractingDistinct(aggregator) if is_counted else aggregator
