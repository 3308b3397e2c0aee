"""Inner joins of rows in the same window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedCoProcessFunction, RuntimeContext
from pystream.datastream.state import ListState, ListStateDescriptor
from pystream.engine.metrics.metric import Counter
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.pair_condition import PairCondition
from typeinfo.row import Row, make_row

__all__ = ["WindowJoin"]

Context = KeyedCoProcessFunction.Context[Any]
OnTimerContext = KeyedCoProcessFunction.OnTimerContext[Any]


class WindowJoin(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Join the rows of a window and a key when the watermark passes the end of the window.

    The key of both streams has the bounds of the windows. A result is a row without names: the fields of the
    left row, then those of the right one. Rows of windows that have ended are dropped, as are those with a
    null in their key. State kept for each key: the rows of both sides, until the window ends. Mirrors
    ``…table.runtime.operators.join.window.WindowJoinOperator``.

    Args:
        left_keys: positions of the values of the key among the fields of a left row.
        right_keys: those of a right row.
        left_end: position of the end of the window, a naive datetime, among the fields of a left row.
        right_end: that of a right row.
        time: the local time of the bounds.
        condition: a further condition on the fields of both rows; ``None`` if there is none.
    """

    def __init__(
        self,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        left_end: int,
        right_end: int,
        time: LocalTime,
        condition: Evaluation | None = None,
    ) -> None:
        self._sides = (tuple(left_keys), left_end), (tuple(right_keys), right_end)
        self._time = time
        self._condition = PairCondition(condition)
        rows = Types.PICKLED_BYTE_ARRAY()
        self._descriptors = [ListStateDescriptor(name, rows) for name in ("left rows", "right rows")]
        self._states: list[ListState[tuple[Any, ...]]]
        self._late: Counter

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state of both sides, and open the functions of the condition."""
        self._condition.open(runtime_context)
        self._states = [runtime_context.get_list_state(descriptor) for descriptor in self._descriptors]
        self._late = runtime_context.get_metrics_group().counter("numLateRecordsDropped")

    def close(self) -> None:
        """Close the functions of the condition."""
        self._condition.close()

    def process_element1(self, value: Row[Any], ctx: Context) -> None:
        """Keep a left row until its window ends."""
        self._keep(value, 0, ctx)

    def process_element2(self, value: Row[Any], ctx: Context) -> None:
        """Keep a right row until its window ends."""
        self._keep(value, 1, ctx)

    def _keep(self, value: Row[Any], side: int, ctx: Context) -> None:
        keys, end = self._sides[side]
        if any(value[position] is None for position in keys):
            return
        last = self._time.last_instant(self._time.of_datetime(value[end]) - 1)
        timers = ctx.timer_service()
        if last <= timers.current_watermark():
            self._late.inc()
            return
        self._states[side].add(tuple(value))
        timers.register_event_time_timer(last)

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterator[Row[Any]]:
        """Yield the pairs of rows of a window that has ended."""
        left, right = ([*state.get()] for state in self._states)
        for state in self._states:
            state.clear()
        for fields in left:
            for others in right:
                pair = fields + others
                if self._condition.holds(pair):
                    yield make_row(pair, None)
