"""The first or the last row of each key by event time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.streaming.expiry import expiring
from typeinfo.row import Row, RowKind, make_row

__all__ = ["FirstRow", "LastRow"]

Fields: TypeAlias = "tuple[Any, ...]"


class FirstRow(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit the row of each key with the least timestamp, once the watermark has reached it.

    Rows that come after a watermark of their timestamp or later are dropped. Of rows with the same timestamp,
    the one that came first is emitted. The input has only rows of kind INSERT, and so has the output, without
    names. State kept for each key: the row so far, or that it has been emitted. Mirrors
    ``…table.runtime.operators.deduplicate.RowTimeDeduplicateKeepFirstRowFunction``.

    Args:
        has_number: whether the number of the row, which is 1, is the last field of a result.
        ttl: the time, since the last change of a key, after which its state expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, *, has_number: bool = False, ttl: Time | None = None) -> None:
        self._number = (1,) if has_number else ()
        self._descriptor = expiring(ValueStateDescriptor("first row", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[int, Fields | None]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Keep the row, if it is the first so far."""
        timestamp = ctx.timestamp()
        assert timestamp is not None
        if timestamp <= ctx.timer_service().current_watermark():
            return iter(())
        known = self._state.value()
        if known is None or (known[1] is not None and timestamp < known[0]):
            self._state.update((timestamp, tuple(value)))
            ctx.timer_service().register_event_time_timer(timestamp)
        return iter(())

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the first row, unless it has been emitted."""
        known = self._state.value()
        if known is not None and known[1] is not None:
            self._state.update((timestamp, None))
            yield make_row(known[1] + self._number, None)


class LastRow(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit the row of each key with the greatest timestamp so far, or the one that came last.

    The first row of a key emits an INSERT, each one that is not earlier than the last row the UPDATE_BEFORE
    of that row and an UPDATE_AFTER. The input has only rows of kind INSERT; results have no names. State kept
    for each key: its last row. Mirrors ``RowTimeDeduplicateFunction`` and
    ``ProcTimeDeduplicateKeepLastRowFunction`` of ``…table.runtime.operators.deduplicate``.

    Args:
        has_number: whether the number of the row, which is 1, is the last field of a result.
        is_by_arrival: whether the last row is the one that came last, whatever its timestamp.
        ttl: the time, since the last change of a key, after which its state expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(
        self, *, has_number: bool = False, is_by_arrival: bool = False, ttl: Time | None = None
    ) -> None:
        self._is_by_arrival = is_by_arrival
        self._number = (1,) if has_number else ()
        self._descriptor = expiring(ValueStateDescriptor("last row", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[int, Fields]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the changes of the last row."""
        timestamp, fields = 0 if self._is_by_arrival else ctx.timestamp(), tuple(value)
        assert timestamp is not None
        known = self._state.value()
        if known is not None and timestamp < known[0]:
            return
        self._state.update((timestamp, fields))
        if known is None:
            yield make_row(fields + self._number, None)
        else:
            yield make_row(known[1] + self._number, None, RowKind.UPDATE_BEFORE)
            yield make_row(fields + self._number, None, RowKind.UPDATE_AFTER)
