"""TotalAggregation: the aggregates of all rows of a bounded table, even if there are none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedCoProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.retracting_aggregates import RetractingRowAggregation
from typeinfo.row import Row, make_row

__all__ = ["TotalAggregation"]

_END = 2**63 - 1


class TotalAggregation(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Aggregate all rows, and emit one result when the input ends.

    The second stream has one row, which makes sure that there is a result. Both streams have the same key,
    that of the ``NullByteKeySelector``. The result has no names. State: the accumulator.

    Args:
        aggregation: the aggregates.
    """

    def __init__(self, aggregation: RowAggregation | RetractingRowAggregation) -> None:
        self._aggregation = aggregation
        self._descriptor = ValueStateDescriptor("accumulator", Types.PICKLED_BYTE_ARRAY())
        self._state: ValueState[list[Any]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions of the program."""
        self._state = runtime_context.get_state(self._descriptor)
        self._aggregation.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program."""
        self._aggregation.close()

    def process_element1(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterator[Row[Any]]:
        """Aggregate a row."""
        self._state.update(self._aggregation.add(value, self._accumulator()))
        return iter(())

    def process_element2(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterator[Row[Any]]:
        """Wait for the end."""
        ctx.timer_service().register_event_time_timer(_END)
        return iter(())

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the result."""
        yield make_row(self._aggregation.get_result(self._accumulator()), None)

    def _accumulator(self) -> list[Any]:
        known = self._state.value()
        return self._aggregation.create_accumulator() if known is None else known
