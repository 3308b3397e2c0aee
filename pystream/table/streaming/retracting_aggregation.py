"""RetractingGroupAggregation: the results of a grouped query over rows that are updated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.streaming.aggregates import AggregateCall, checked_call
from pystream.table.streaming.aggregators import Maximum, Minimum
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.group_aggregation import results_differ
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
from typeinfo.row import Row, RowKind, make_row

__all__ = ["RetractingGroupAggregation"]

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
_ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)


class RetractingGroupAggregation(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Aggregate the rows of each key, which are updated, and emit how the result of the key changes.

    As `GroupAggregation`, but rows of kind UPDATE_BEFORE and DELETE take back an equal row that was added. A
    key whose last row is taken back emits the DELETE of its result, and starts over with its next row. A row
    that is taken back before any row of its key was added is ignored. Of equal values, ``FIRST_VALUE`` and
    ``LAST_VALUE`` take back the one that came first. State kept for each key: its accumulator, with all
    values that differ for ``MIN``, ``MAX`` and ``DISTINCT``, and all values for ``FIRST_VALUE`` and
    ``LAST_VALUE``. Mirrors ``…table.runtime.operators.aggregate.GroupAggFunction`` with the
    ``…WithRetractAggFunction`` of each aggregate.

    Args:
        keys: positions of the values of the key among the fields of a row; none for a query without groups,
            whose stream is keyed by the ``NullByteKeySelector``.
        aggregates: the aggregates; none for the distinct keys.
        ttl: the time, since the last row of a key, after which its state expires; ``None`` for never.
        monotonic: the positions, among the aggregates, of each ``MAX`` of values whose updates never make
            them less, and each ``MIN`` of values whose updates never make them greater, which need no values
            of the state; in between, they ignore that a value is taken back.

    Raises:
        UnsupportedOperationError: an aggregate function is not supported, or not for the type of its result.
        PlanError: a function other than ``COUNT`` has no argument.
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(
        self,
        keys: Sequence[int],
        aggregates: Sequence[AggregateCall],
        ttl: Time | None = None,
        monotonic: Collection[int] = (),
    ) -> None:
        self._keys = tuple(keys)
        self._steps = [
            (call.argument, _monotonic(call) if position in monotonic else _aggregator(call))
            for position, call in enumerate(aggregates)
        ]
        self._always_updates = ttl is not None
        self._descriptor = expiring(ValueStateDescriptor("accumulator", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[int, list[Any]]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the changes of the result."""
        key = [value[position] for position in self._keys]
        is_added = value.get_row_kind() in _ADDED
        known = self._state.value()
        if known is None:
            if not is_added:
                return
            known = 0, [aggregator.empty() for _, aggregator in self._steps]
        count, accumulator = known
        is_first, before = not count, self._results(accumulator)
        count += 1 if is_added else -1
        if not count:
            self._state.clear()
            yield make_row((*key, *before), None, RowKind.DELETE)
            return
        self._accumulate(accumulator, value, is_added)
        self._state.update((count, accumulator))
        after = self._results(accumulator)
        if is_first:
            yield make_row((*key, *after), None)
        elif self._always_updates or results_differ(before, after):
            yield make_row((*key, *before), None, RowKind.UPDATE_BEFORE)
            yield make_row((*key, *after), None, RowKind.UPDATE_AFTER)

    def _accumulate(self, accumulator: list[Any], value: Row[Any], is_added: bool) -> None:
        for index, (argument, aggregator) in enumerate(self._steps):
            field = True if argument is None else value[argument]
            if field is not None:
                step = aggregator.add if is_added else aggregator.retract
                accumulator[index] = step(accumulator[index], field)

    def _results(self, accumulator: list[Any]) -> list[Any]:
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
