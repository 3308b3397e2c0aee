"""RetractingGroupAggregation: the results of a grouped query over rows that are updated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.retracting_aggregates import ADDED, RetractingRowAggregation
from pystream.table.streaming.value_keys import are_same, is_plain
from typeinfo.row import Row, RowKind, make_row

__all__ = ["RetractingGroupAggregation"]


class RetractingGroupAggregation(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Aggregate the rows of each key, which are updated, and emit how the result of the key changes.

    As `GroupAggregation`, but rows of kind UPDATE_BEFORE and DELETE take back an equal row that was added. A
    key whose last row is taken back emits the DELETE of its result, and starts over with its next row. A row
    that is taken back before any row of its key was added is ignored. Of equal values, ``FIRST_VALUE`` and
    ``LAST_VALUE`` take back the one that came first. State kept for each key: its accumulator, with all
    values that differ for ``MIN``, ``MAX`` and ``DISTINCT``, and all values for ``FIRST_VALUE`` and
    ``LAST_VALUE``; and its values if equal ones differ. Mirrors
    ``…table.runtime.operators.aggregate.GroupAggFunction`` with the ``…WithRetractAggFunction`` of each
    aggregate.

    Args:
        keys: positions of the values of the key among the fields of a row; none for a query without groups,
            whose stream is keyed by the ``NullByteKeySelector``.
        aggregates: the aggregates; none for the distinct keys.
        ttl: the time, since the last row of a key, after which its state expires; ``None`` for never.
        monotonic: the positions, among the aggregates, of each ``MAX`` of values whose updates never make
            them less, and each ``MIN`` of values whose updates never make them greater, which need no values
            of the state; in between, they ignore that a value is taken back.

    Raises:
        UnsupportedOperationError: as `RetractingRowAggregation`.
        PlanError: as `RetractingRowAggregation`.
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
        self._aggregation = RetractingRowAggregation(aggregates, monotonic)
        self._always_updates = ttl is not None
        self._descriptor = expiring(ValueStateDescriptor("accumulator", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[list[Any] | None, int, list[Any]]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions of the program."""
        self._state = runtime_context.get_state(self._descriptor)
        self._aggregation.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program."""
        self._aggregation.close()

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the changes of the result."""
        aggregation = self._aggregation
        key = [value[position] for position in self._keys]
        is_added = value.get_row_kind() in ADDED
        known = self._state.value()
        if known is None:
            if not is_added:
                return
            known = None if is_plain(key) else key, 0, aggregation.create_accumulator()
        first, count, accumulator = known
        key = key if first is None else first
        is_new, before = not count, aggregation.get_result(accumulator)
        count += 1 if is_added else -1
        if not count:
            self._state.clear()
            yield make_row((*key, *before), None, RowKind.DELETE)
            return
        accumulator = aggregation.add(value, accumulator)
        self._state.update((first, count, accumulator))
        after = aggregation.get_result(accumulator)
        if is_new:
            yield make_row((*key, *after), None)
        elif self._always_updates or not are_same(before, after):
            yield make_row((*key, *before), None, RowKind.UPDATE_BEFORE)
            yield make_row((*key, *after), None, RowKind.UPDATE_AFTER)
