"""TemporalSort: rows in the order of event time, and of further fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor
from pystream.table.streaming.row_order import RowOrder
from typeinfo.row import Row, make_row

__all__ = ["TemporalSort"]

Fields: TypeAlias = "tuple[Any, ...]"


class TemporalSort(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit rows in the order of their timestamps, once the watermark has reached them.

    All rows have the same key, that of the ``NullByteKeySelector``. Rows that come after a watermark of their
    timestamp or later are dropped. The input has only rows of kind INSERT, and so has the output, without
    names. State: the rows that the watermark has not reached, which never expire. Mirrors
    ``…table.runtime.operators.sort.RowTimeSortOperator``.

    Args:
        order: the order of rows with the same timestamp; those that are equal in it stay as they came.
    """

    def __init__(self, order: RowOrder) -> None:
        self._order = order
        self._descriptor = MapStateDescriptor("rows", Types.LONG(), Types.PICKLED_BYTE_ARRAY())
        self._state: MapState[int, list[Fields]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_map_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Keep the row until the watermark reaches its timestamp."""
        timestamp = ctx.timestamp()
        assert timestamp is not None
        if timestamp > ctx.timer_service().current_watermark():
            rows = self._state.get(timestamp) or []
            rows.append(tuple(value))
            self._state.put(timestamp, rows)
            ctx.timer_service().register_event_time_timer(timestamp)
        return iter(())

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the rows of a timestamp."""
        rows = self._state.get(timestamp) or []
        self._state.remove(timestamp)
        for fields in sorted(rows, key=self._order.key):
            yield make_row(fields, None)
