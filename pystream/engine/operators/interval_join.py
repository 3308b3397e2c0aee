"""IntervalJoin: the operator that pairs elements of one key with close timestamps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP
from pystream.engine.operators.operator import ElementProcessor, Operator
from pystream.engine.operators.sorted_by_key import by_key
from pystream.engine.operators.timed_operator import TimedOperator
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import OwnState
from pystream.engine.state.keyed_content import KeyedContent
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.engine.time.timers import TimeDomain, Timer
from pystream.kinds import FunctionCall, Given, OperatorKind
from typeinfo.basic import LONG
from typeinfo.collection import ListTypeInfo
from typeinfo.errors import PyStreamError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = [
    "INTERVAL_JOIN",
    "IntervalJoinContext",
    "IntervalJoinOperator",
    "IntervalJoinPlan",
    "MissingTimestampError",
]

_Buckets = dict[int, list[Any]]  # elements by timestamp
_BUFFERS = ("left-buffer", "right-buffer")


class MissingTimestampError(PyStreamError, ValueError):
    """An element has no timestamp."""


class IntervalJoinContext:
    """The timestamps of a pair; valid only during the call.

    Mirrors ``…streaming.api.functions.co.ProcessJoinFunction.Context``.
    """

    __slots__ = ("_left_timestamp", "_right_timestamp")

    def __init__(self) -> None:
        self._left_timestamp = self._right_timestamp = NO_TIMESTAMP

    def get_left_timestamp(self) -> int:
        """Return the timestamp of the left element in ms since the Unix epoch."""
        return self._left_timestamp

    def get_right_timestamp(self) -> int:
        """Return the timestamp of the right element in ms since the Unix epoch."""
        return self._right_timestamp

    def get_timestamp(self) -> int:
        """Return the later of both timestamps, which the results get."""
        return max(self._left_timestamp, self._right_timestamp)


@dataclass(frozen=True, slots=True)
class IntervalJoinPlan:
    """The description of an interval join; pickled as the function of an OperatorSpec.

    Attributes:
        function: the ProcessJoinFunction.
        lower: the lowest difference of the right timestamp from the left one, in ms; may be negative.
        upper: the highest difference.
        late_tags: side outputs of late elements of the left and of the right, ``None`` to drop them.
        types: the types of the elements of both sides.
    """

    function: Any
    lower: int
    upper: int
    late_tags: tuple[OutputTag[Any] | None, OutputTag[Any] | None] = (None, None)
    types: tuple[TypeInformation[Any], TypeInformation[Any]] = (PICKLED_BYTE_ARRAY, PICKLED_BYTE_ARRAY)


class IntervalJoinOperator(TimedOperator):
    """Buffer the elements of both sides until no further elements can match them.

    Mirrors ``org.apache.flink.streaming.api.operators.co.IntervalJoinOperator``.
    """

    @classmethod
    def make(cls, spec: OperatorSpec, batch: bool) -> Operator:
        """Return the operator of a specification."""
        return by_key(cls(spec), batch)

    def __init__(self, spec: OperatorSpec) -> None:
        from typeinfo.serde.copies import copy_of

        super().__init__(spec)
        self._copy_of = copy_of
        plan: IntervalJoinPlan = self._function
        self._process_element = plan.function.process_element
        self._ranges = (plan.lower, plan.upper), (-plan.upper, -plan.lower)
        self._kept_for = max(plan.upper, 0), max(-plan.lower, 0)
        self._late_tags = plan.late_tags
        self._types = plan.types

    def _user_functions(self) -> tuple[Any, ...]:
        return (self._function.function,)

    def own_states(self) -> tuple[OwnState, ...]:
        return tuple(
            OwnState(MapStateDescriptor(name, LONG, ListTypeInfo(type_info)))
            for name, type_info in zip(_BUFFERS, self._types, strict=True)
        )

    def _prepare(self, context: RuntimeContext) -> None:
        self._context = IntervalJoinContext()
        self._tables: list[dict[Hashable, _Buckets]] = [self._own[name] for name in _BUFFERS]
        # For each side and key, the times of its buckets in order, possibly including removed ones.
        self._times: list[dict[Hashable, list[int]]] = [{}, {}]
        super()._prepare(context)

    def add(self, content: KeyedContent) -> None:
        super().add(content)
        for name, times in zip(_BUFFERS, self._times, strict=True):
            table = content.tables.get(name, {})
            times.update((slot, sorted(buckets)) for slot, buckets in table.items())

    def unload(self) -> None:
        super().unload()
        for times in self._times:
            times.clear()

    def _element_processor(self, side: int) -> ElementProcessor:
        other = self._tables[1 - side]
        earliest, latest = self._ranges[side]
        kept_for, tag = self._kept_for[side], self._late_tags[side]
        scope, timers, out = self._scope, self._timers, self._out

        def process(value: Any, timestamp: int) -> None:
            if timestamp == NO_TIMESTAMP:
                raise MissingTimestampError(
                    "an interval join needs event times: use assign_timestamps_and_watermarks before it"
                )
            if timestamp < timers.watermark:
                if tag is not None:
                    out.add_side(tag, value, timestamp)
                return
            slot = scope.slot
            self._keep(side, slot, value, timestamp)
            buckets = other.get(slot, _NONE)
            for time in self._times_between(1 - side, slot, timestamp + earliest, timestamp + latest):
                for partner in buckets.get(time, ()):
                    if side == 0:
                        self._join(value, partner, timestamp, time)
                    else:
                        self._join(partner, value, time, timestamp)
            until = min(timestamp + kept_for, MAX_WATERMARK)
            timers.event_time.register(until, slot, scope.key)

        return process

    def _keep(self, side: int, slot: Hashable, value: Any, time: int) -> None:
        buckets = self._tables[side].setdefault(slot, {})
        held = buckets.get(time)
        if held is not None:
            held.append(value)
            return
        buckets[time] = [value]
        times = self._times[side].setdefault(slot, [])
        at = bisect_left(times, time)
        if at == len(times) or times[at] != time:
            times.insert(at, time)

    def _times_between(self, side: int, slot: Hashable, first: int, last: int) -> list[int]:
        times = self._times[side].get(slot, [])
        return times[bisect_left(times, first) : bisect_right(times, last)]

    def _join(self, left: Any, right: Any, left_time: int, right_time: int) -> None:
        context = self._context
        context._left_timestamp, context._right_timestamp = left_time, right_time
        results = self._process_element(self._copy_of(left), self._copy_of(right), context)
        if results is not None:
            self._out.add_all(results, max(left_time, right_time))

    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        """Drop the buffered elements of both sides that can no longer match."""
        for side, kept_for in enumerate(self._kept_for):
            self._drop(side, timer.slot, timer.time - kept_for)

    def _drop(self, side: int, slot: Hashable, time: int) -> None:
        table, times_of = self._tables[side], self._times[side]
        buckets = table.get(slot)
        if buckets is None or buckets.pop(time, None) is None:
            return
        if not buckets:
            del table[slot], times_of[slot]
        elif len(times_of[slot]) > 2 * len(buckets):
            times_of[slot] = [kept for kept in times_of[slot] if kept in buckets]


_NONE: _Buckets = {}


def _calls(plan: IntervalJoinPlan, is_object: bool) -> tuple[FunctionCall, ...]:
    arguments = Given.ELEMENT, Given.OTHER, Given.CONTEXT
    return (FunctionCall(plan.function.process_element, arguments, many=True),)


def _late_tags(plan: IntervalJoinPlan) -> dict[str, int]:
    return {tag.tag_id: side for side, tag in enumerate(plan.late_tags) if tag is not None}


INTERVAL_JOIN = OperatorKind(
    "Interval Join",
    IntervalJoinOperator.make,
    inputs=2,
    side_outputs=True,
    has_own_state=True,
    calls=_calls,
    late_tags=_late_tags,
)
