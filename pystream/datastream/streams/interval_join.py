"""Interval joins: pairs of elements of two keyed streams whose timestamps lie close together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches
from pystream.arguments.checks import require
from pystream.arguments.element_types import element_type
from pystream.datastream.functions import ProcessJoinFunction
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.operators.interval_join import INTERVAL_JOIN, IntervalJoinPlan
from pystream.engine.output_tag import OutputTag
from pystream.engine.windows.arguments import LengthOfTime, to_milliseconds
from pystream.errors import ArgumentTypeError, PlanError
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.datastream.streams.data_stream import DataStream

__all__ = ["IntervalJoin", "IntervalJoined"]

A = TypeVar("A")
B = TypeVar("B")
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)


@checks_arguments(ArgumentTypeError)
class IntervalJoin(Generic[A, B]):
    """Two keyed streams to be joined by key and time interval.

    PyFlink has no such joins. Mirrors ``…streaming.api.datastream.KeyedStream.IntervalJoin``.

    Raises:
        PlanError: the streams belong to different environments, or their keys have different types.

    Examples:
        >>> from pystream.common import Time, WatermarkStrategy
        >>> from pystream.common.watermark_strategy import TimestampAssigner
        >>> from pystream.datastream import ProcessJoinFunction
        >>> class Second(TimestampAssigner):
        ...     def extract_timestamp(self, value, record_timestamp):
        ...         return value[1]
        >>> class Paired(ProcessJoinFunction):
        ...     def process_element(self, left, right, ctx):
        ...         yield left[1], right[1]
        >>> def keyed(events):
        ...     times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
        ...     stream = env.from_collection(events).assign_timestamps_and_watermarks(times)
        ...     return stream.key_by(lambda event: event[0])
        >>> orders, payments = keyed([("a", 1_000)]), keyed([("a", 3_000), ("a", 9_000)])
        >>> near = orders.interval_join(payments).between(Time.seconds(0), Time.seconds(5))
        >>> near.process(Paired()).take(1)
        [(1000, 3000)]
    """

    def __init__(self, stream1: KeyedStream[A, Any], stream2: KeyedStream[B, Any]) -> None:
        require(stream2, KeyedStream, "interval_join", "a keyed stream")
        stream1.connect(stream2)  # rejects incompatible streams
        self._streams = (stream1, stream2)

    def between(self, lower_bound: LengthOfTime, upper_bound: LengthOfTime) -> IntervalJoined[A, B]:
        """Set the bounds of the right element's timestamp relative to the left element's.

        Args:
            lower_bound: offset of the earliest right timestamp from the left one; may be negative.
            upper_bound: offset of the latest right timestamp from the left one; may be negative.

        Both bounds are inclusive, unless ``lower_bound_exclusive`` or ``upper_bound_exclusive`` is called.
        """
        return IntervalJoined(
            *self._streams,
            to_milliseconds(lower_bound, "the lower bound"),
            to_milliseconds(upper_bound, "the upper bound"),
        )


@checks_arguments(ArgumentTypeError)
class IntervalJoined(Generic[A, B]):
    """An interval join with its bounds; each setting changes this object.

    Mirrors ``…streaming.api.datastream.KeyedStream.IntervalJoined``.
    """

    def __init__(
        self, stream1: KeyedStream[A, Any], stream2: KeyedStream[B, Any], lower_ms: int, upper_ms: int
    ) -> None:
        self._streams = (stream1, stream2)
        self._lower = lower_ms
        self._upper = upper_ms
        self._exclusive = [0, 0]
        self._late_tags: list[OutputTag[Any] | None] = [None, None]

    def lower_bound_exclusive(self) -> Self:
        """Exclude the lower bound."""
        self._exclusive[0] = 1
        return self

    def upper_bound_exclusive(self) -> Self:
        """Exclude the upper bound."""
        self._exclusive[1] = 1
        return self

    def side_output_left_late_data(self, output_tag: OutputTag[A]) -> Self:
        """Send late elements of the left stream to a side output.

        Without this, they are dropped.
        """
        return self._with_late_tag(0, output_tag)

    def side_output_right_late_data(self, output_tag: OutputTag[B]) -> Self:
        """Send late elements of the right stream to a side output.

        Without this, they are dropped.
        """
        return self._with_late_tag(1, output_tag)

    def _with_late_tag(self, side: int, tag: OutputTag[Any]) -> Self:
        require(tag, OutputTag, "side output of late data", "an OutputTag")
        self._late_tags[side] = tag
        return self

    def process(
        self,
        process_join_function: ProcessJoinFunction[A, B, U],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function that emits any number of results for each pair.

        Each pair is emitted once, when its second element arrives. Results have the later of both timestamps.

        Args:
            process_join_function: the function.
            output_type: type of one result; else the annotation of ``process_element``, else pickled.

        Raises:
            PlanTypeError: it is not a ProcessJoinFunction.
            PlanError: the lower bound is above the upper one, or ``output_type`` contradicts the annotation.
            FunctionPicklingError: the function cannot be sent to workers.

        An element without a timestamp fails the job. Mirrors ``IntervalJoined.process``.
        """
        function = process_join_function
        require(function, ProcessJoinFunction, "process", "a ProcessJoinFunction")
        lower, upper = self._lower + self._exclusive[0], self._upper - self._exclusive[1]
        if lower > upper:
            raise PlanError(
                f"interval join: the interval from {self._lower} ms to {self._upper} ms"
                f"{', without its bounds,' if any(self._exclusive) else ''} is empty"
            )
        one, two = self._streams
        late_tags, types = (self._late_tags[0], self._late_tags[1]), (one._type, two._type)
        plan = IntervalJoinPlan(function, lower, upper, late_tags, types)
        refuse_batches("process", function, ProcessJoinFunction, one._type, two._type)
        return one._environment._operator(
            INTERVAL_JOIN,
            (one._node_id, two._node_id),
            UserFunction.of(plan, "interval_join", is_object=True, described=function),
            element_type(function, "process_element", ProcessJoinFunction, output_type, many=True),
            keys=(one._key, two._key),
        )
