"""Joins of rows of unbounded tables whose times lie close together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedCoProcessFunction, ProcessJoinFunction, RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.joins import JoinSide
from pystream.table.streaming.pair_condition import PairCondition
from typeinfo.row import Row, make_row

__all__ = ["JoinedRows", "OuterIntervalJoin"]

Fields = tuple[Any, ...]


class JoinedRows(ProcessJoinFunction[Row[Any], Row[Any], Row[Any]]):
    """Join the pairs of rows of an interval join.

    A result is a row without names: the fields of the left row, then those of the right one. Rows with a null
    among their required fields are not joined. Mirrors
    ``…table.runtime.operators.join.interval.IntervalJoinFunction``.

    Args:
        left: the side of the first stream.
        right: that of the second one.
        condition: a further condition on the fields of both sides; ``None`` if there is none.
    """

    def __init__(self, left: JoinSide, right: JoinSide, condition: Evaluation | None = None) -> None:
        self._left = left
        self._right = right
        self._condition = PairCondition(condition)

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the condition."""
        self._condition.open(runtime_context)

    def close(self) -> None:
        """Close the condition."""
        self._condition.close()

    def process_element(
        self, left: Row[Any], right: Row[Any], ctx: ProcessJoinFunction.Context
    ) -> Iterator[Row[Any]]:
        """Yield a pair as one row."""
        one, other = tuple(left), tuple(right)
        if not (self._left.may_have_partners(one) and self._right.may_have_partners(other)):
            return
        if self._condition.holds(one + other):
            yield make_row(one + other, None)


class OuterIntervalJoin(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Join each row with the rows of the other stream that have the same key and lie close in event time.

    A result is a row without names: the fields of the left row, then those of the right one; the fields of a
    side are null in the result of a row without a partner, if the other side is outer. Results are never
    retracted: a row without a partner is one when the watermark says that no partner can come any more. All
    rows have timestamps. A late row is joined with the rows that are still kept, or has no partner. A row
    with a null among its required fields has no partners, and is a result at once.

    State kept for each key: the rows of both sides that may still find a partner, with a timer for each time.
    Mirrors ``…table.runtime.operators.join.interval.RowTimeIntervalJoin``, which keeps rows, and delays
    results without a partner, by up to half of the interval longer.

    Args:
        left: the side of the first stream.
        right: that of the second one.
        interval: the least and the greatest time of a right row minus that of a left one, in milliseconds.
        condition: a further condition on the fields of both sides; ``None`` if there is none.
    """

    def __init__(
        self, left: JoinSide, right: JoinSide, interval: tuple[int, int], condition: Evaluation | None = None
    ) -> None:
        lower, upper = interval
        self._sides = left, right
        self._condition = PairCondition(condition)
        # the least and the greatest time of a partner, minus that of a row of the side
        self._intervals = (lower, upper), (-upper, -lower)
        self._descriptors = [
            MapStateDescriptor(name, Types.LONG(), Types.PICKLED_BYTE_ARRAY())
            for name in ("left rows", "right rows")
        ]
        self._states: list[MapState[int, list[tuple[Fields, bool]]]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state of both sides."""
        self._states = [runtime_context.get_map_state(descriptor) for descriptor in self._descriptors]
        self._condition.open(runtime_context)

    def close(self) -> None:
        """Close the condition."""
        self._condition.close()

    def process_element1(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterable[Row[Any]]:
        """Yield a left row with each right row."""
        return self._joined(0, tuple(value), ctx)

    def process_element2(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterable[Row[Any]]:
        """Yield each left row with a right row."""
        return self._joined(1, tuple(value), ctx)

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the rows that have found no partner by a time, and forget all that cannot find one later."""
        for own, (_, greatest) in enumerate(self._intervals):
            time = timestamp - greatest
            for fields, is_joined in self._states[own].get(time) or ():
                if self._sides[own].is_outer and not is_joined:
                    yield self._without_partner(own, fields)
            self._states[own].remove(time)

    def _joined(
        self, own: int, fields: Fields, ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterator[Row[Any]]:
        side = self._sides[own]
        time = ctx.timestamp()
        assert time is not None
        deadline = time + self._intervals[own][1]
        may_have_partners = side.may_have_partners(fields)
        is_joined = False
        if may_have_partners:
            for pair in self._pairs(own, fields, time):
                is_joined = True
                yield pair
        if may_have_partners and ctx.timer_service().current_watermark() < deadline:
            state = self._states[own]
            state.put(time, [*(state.get(time) or ()), (fields, is_joined)])
            ctx.timer_service().register_event_time_timer(deadline)
        elif side.is_outer and not is_joined:
            yield self._without_partner(own, fields)

    def _pairs(self, own: int, fields: Fields, time: int) -> Iterator[Row[Any]]:
        """Yield the pairs of a row with those of the other side, which are marked as joined."""
        least, greatest = self._intervals[own]
        others = self._states[1 - own]
        for partner_time, rows in others.items():
            if not least <= partner_time - time <= greatest:
                continue
            marked = []
            for other, was_joined in rows:
                pair = fields + other if own == 0 else other + fields
                is_pair = self._condition.holds(pair)
                marked.append((other, was_joined or is_pair))
                if is_pair:
                    yield make_row(pair, None)
            if marked != rows:
                others.put(partner_time, marked)

    def _without_partner(self, own: int, fields: Fields) -> Row[Any]:
        nulls = (None,) * self._sides[1 - own].width
        return make_row(fields + nulls if own == 0 else nulls + fields, None)
