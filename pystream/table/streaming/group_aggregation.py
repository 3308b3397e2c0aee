"""GroupAggregation: the results of a grouped query over an unbounded table, updated with each row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.value_keys import are_same, is_plain
from typeinfo.row import Row, RowKind, make_row

__all__ = ["GroupAggregation"]


class GroupAggregation(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Aggregate the rows of each key, and emit how the result of the key changes.

    A result is a row without names: the values of the key, then the results of the aggregates. The first row
    of a key emits an INSERT, each further one the UPDATE_BEFORE of the former result and the UPDATE_AFTER of
    the new one, in the order of the rows. Without a time to live, a row that leaves the result as it was
    emits nothing; without aggregates, as in ``SELECT DISTINCT``, these are all rows after the first. With a
    time to live, every row emits an update, so that the state of later operators is renewed, too. A result
    with a NaN counts as changed. Of equal values of the key, such as 0.0 and -0.0, results have the first.
    The input has only rows of kind INSERT; null is a key like any other.
    State kept for each key: its accumulator, and its values if equal ones differ. Mirrors
    ``…table.runtime.operators.aggregate.GroupAggFunction``.

    Args:
        keys: positions of the values of the key among the fields of a row; none for a query without groups,
            whose stream is keyed by the ``NullByteKeySelector``.
        aggregates: the aggregates; none for the distinct keys.
        ttl: the time, since the last row of a key, after which its state expires; ``None`` for never.

    Raises:
        UnsupportedOperationError: as `RowAggregation`.
        PlanError: as `RowAggregation`.
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(
        self, keys: Sequence[int], aggregates: Sequence[AggregateCall], ttl: Time | None = None
    ) -> None:
        self._keys = tuple(keys)
        self._aggregation = RowAggregation(aggregates)
        self._always_updates = ttl is not None
        self._descriptor = expiring(ValueStateDescriptor("accumulator", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[list[Any] | None, list[Any]]]

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
        known = self._state.value()
        first, accumulator = known or (None if is_plain(key) else key, aggregation.create_accumulator())
        key = key if first is None else first
        before = aggregation.get_result(accumulator)
        accumulator = aggregation.add(value, accumulator)
        self._state.update((first, accumulator))
        after = aggregation.get_result(accumulator)
        if known is None:
            yield make_row((*key, *after), None)
        elif self._always_updates or not are_same(before, after):
            yield make_row((*key, *before), None, RowKind.UPDATE_BEFORE)
            yield make_row((*key, *after), None, RowKind.UPDATE_AFTER)
