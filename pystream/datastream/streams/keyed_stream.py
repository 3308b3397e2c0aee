"""KeyedStream: a stream partitioned by key, with state and timers per key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, overload

from typing_extensions import TypeVar

from pystream.datastream.functions import KeyedProcessFunction, ReduceFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.operators.elementwise import PROCESS
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.count_windows import CountSlidingWindowAssigner, CountTumblingWindowAssigner
from pystream.engine.windows.windows import CountWindow
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.field_aggregations import AggregationKind, FieldAggregation
from pystream.plan.function import UserFunction
from pystream.plan.nodes import KeyFunction
from typeinfo.arguments import checks_arguments
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.broadcast_stream import BroadcastConnectedStream, BroadcastStream
    from pystream.datastream.streams.cached_data_stream import CachedDataStream
    from pystream.datastream.streams.connected_streams import ConnectedStreams
    from pystream.datastream.streams.interval_join import IntervalJoin
    from pystream.datastream.streams.windowed_stream import WindowedStream

__all__ = ["KeyedStream"]

T = TypeVar("T")
# Any for a function that returns Any, which would match a batch function as well.
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)
K = TypeVar("K")
W = TypeVar("W")


class NotKeyed:
    """Type marker of streams that are not keyed; it has no instances."""


@checks_arguments(ArgumentTypeError)
class KeyedStream(DataStream[T], Generic[T, K]):
    """A stream partitioned by key: the elements of a key reach the same subtask, in order of arrival.

    Functions on it may use the state of the element's key, except for batch functions, which get
    elements of many keys. A KeyedStream is not an operator and has no settings or partitionings of
    its own. Mirrors ``org.apache.flink.streaming.api.datastream.KeyedStream``.
    """

    def __init__(self, environment: StreamExecutionEnvironment, node_id: int, key: KeyFunction) -> None:
        super().__init__(environment, node_id)
        self._key = key
        self._keys = (key,)

    def _described(self) -> list[str]:
        return [*super()._described(), f"key={self._key.type_info}"]

    def process(  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        self, func: KeyedProcessFunction[K, T, U], output_type: TypeInformation[OUT, U] | None = None
    ) -> DataStream[OUT]:
        """Apply a function to each element and each timer, with state and timers of the current key.

        Args:
            func: a KeyedProcessFunction.
            output_type: type of one result; else the annotation of ``process_element``, else pickled.

        Raises:
            PlanError: ``func`` is not a KeyedProcessFunction, or ``output_type`` contradicts its annotation.
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``KeyedStream.process``.

        Examples:
            >>> from pystream.common import Types
            >>> from pystream.datastream import KeyedProcessFunction
            >>> from pystream.datastream.state import ValueStateDescriptor
            >>> class Numbered(KeyedProcessFunction):
            ...     def open(self, runtime_context):
            ...         self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))
            ...     def process_element(self, value, ctx):
            ...         self.count.update((self.count.value() or 0) + 1)
            ...         yield value, self.count.value()
            >>> env.from_collection(["a", "b", "a"]).key_by(lambda word: word).process(Numbered()).take(3)
            [('a', 1), ('b', 1), ('a', 2)]
        """
        if not isinstance(func, KeyedProcessFunction):
            raise PlanTypeError(
                f"process on a keyed stream takes a KeyedProcessFunction, not {short_repr(func)}"
            )
        return self._operator(
            PROCESS,
            func,
            "process_element",
            KeyedProcessFunction,
            output_type,
            many=True,
            title="KEYED PROCESS",
        )

    def reduce(self, func: Callable[[T, T], T] | ReduceFunction[T]) -> DataStream[T]:
        """Reduce the elements of each key; emit every intermediate result, but only the last in batch mode.

        Args:
            func: combines the result so far, initially the first element, with a new element.

        Raises:
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``KeyedStream.reduce``.

        Examples:
            >>> numbers = env.from_collection([1, 2, 3, 4]).key_by(lambda n: n % 2)
            >>> numbers.reduce(lambda total, n: total + n).take(4)
            [1, 2, 4, 6]
        """
        return self._like_itself(REDUCE, func, "reduce", ReduceFunction)

    def sum(self, position_to_sum: int | str = 0) -> DataStream[T]:
        """Compute the rolling sum of a field; other fields are those of the key's first element.

        Values are added by ``+``, so that texts and lists are joined. Values that cannot be added, such as
        dates, and sums that do not fit the field's type, such as those of booleans, fail the job.

        Args:
            position_to_sum: position or name of the field; 0 for elements without fields.

        Raises:
            PlanError: the elements' type has no such field.

        Mirrors ``KeyedStream.sum``.

        Examples:
            >>> sales = env.from_collection([("tea", 2), ("tea", 3)]).key_by(lambda sale: sale[0])
            >>> sales.sum(1).take(2)
            [('tea', 2), ('tea', 5)]
        """
        return self._aggregated("sum", position_to_sum)

    def min(self, position_to_min: int | str = 0) -> DataStream[T]:
        """Compute the rolling minimum of a field; other fields are those of the key's first element.

        Mirrors ``KeyedStream.min``.
        """
        return self._aggregated("min", position_to_min)

    def max(self, position_to_max: int | str = 0) -> DataStream[T]:
        """Compute the rolling maximum of a field; other fields are those of the key's first element.

        Mirrors ``KeyedStream.max``.
        """
        return self._aggregated("max", position_to_max)

    def min_by(self, position_to_min_by: int | str = 0) -> DataStream[T]:
        """Emit the element with the lowest value of a field so far; among equal ones, the first.

        Mirrors ``KeyedStream.minBy``.

        Examples:
            >>> laps = env.from_collection([("Ada", 61, "wet"), ("Ada", 59, "dry"), ("Ada", 60, "dry")])
            >>> laps.key_by(lambda lap: lap[0]).min_by(1).take(3)
            [('Ada', 61, 'wet'), ('Ada', 59, 'dry'), ('Ada', 59, 'dry')]
        """
        return self._aggregated("min_by", position_to_min_by)

    def max_by(self, position_to_max_by: int | str = 0) -> DataStream[T]:
        """Emit the element with the highest value of a field so far; among equal ones, the first.

        Mirrors ``KeyedStream.maxBy``.
        """
        return self._aggregated("max_by", position_to_max_by)

    def _aggregated(self, kind: AggregationKind, field: int | str) -> DataStream[T]:
        if type(field) not in (int, str):
            raise PlanTypeError(f"{kind} takes the position or the name of a field, not {field!r}")
        if isinstance(field, int) and field < 0:
            raise PlanError(f"{kind}: positions of fields count from 0; there is no field {field}")
        type_info = self._type
        if isinstance(type_info, FieldsTypeInfo):
            names = type_info.get_field_names()
            if field not in names and not (isinstance(field, int) and 0 <= field < len(names)):
                raise PlanError(
                    f"{kind}: there is no field {field!r} in {type_info}; it has {', '.join(names)}"
                )
        elif not isinstance(type_info, PickledBytesTypeInfo) and field != 0 and not type_info.slots():
            raise PlanTypeError(f"{kind}: {type_info} has no fields, so there is no field {field!r}")
        function = UserFunction.of(FieldAggregation(kind, field).reduce, kind)
        return self._added(REDUCE, replace(function, description=f"{kind}({field!r})"), keys=self._keys)

    def window(self, window_assigner: WindowAssigner[T, W]) -> WindowedStream[T, K, W]:
        """Group the elements of each key into windows.

        Args:
            window_assigner: assigns elements to windows.

        Mirrors ``KeyedStream.window``.

        Examples:
            >>> from pystream.common import Time, WatermarkStrategy
            >>> from pystream.common.watermark_strategy import TimestampAssigner
            >>> from pystream.datastream.window import TumblingEventTimeWindows
            >>> class Second(TimestampAssigner):
            ...     def extract_timestamp(self, value, record_timestamp):
            ...         return value[1]
            >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
            >>> clicks = env.from_collection([("a", 100), ("a", 900), ("a", 1500)])
            >>> clicks = clicks.assign_timestamps_and_watermarks(times).key_by(lambda click: click[0])
            >>> seconds = clicks.window(TumblingEventTimeWindows.of(Time.seconds(1)))
            >>> seconds.reduce(lambda first, later: later).take(2)
            [('a', 900), ('a', 1500)]
        """
        from pystream.datastream.streams.windowed_stream import WindowedStream

        return WindowedStream(self, window_assigner)

    def interval_join(self, other_stream: KeyedStream[U, K]) -> IntervalJoin[T, U]:
        """Join with another keyed stream: pair the elements with the same key and close timestamps.

        Args:
            other_stream: the other stream, on the right side of the join.

        Raises:
            PlanError: the streams belong to different environments, or their keys have different types.
            PlanTypeError: the other stream is not keyed.

        PyFlink lacks this; Flink's method is ``KeyedStream.intervalJoin``.
        """
        from pystream.datastream.streams.interval_join import IntervalJoin

        return IntervalJoin(self, other_stream)

    @overload  # type: ignore[override]  # the other stream's keys must be of the same type
    def connect(self, ds: BroadcastStream[U]) -> BroadcastConnectedStream[T, U, K]: ...

    @overload
    def connect(self, ds: KeyedStream[U, K]) -> ConnectedStreams[T, U, K]: ...

    def connect(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, ds: DataStream[U] | BroadcastStream[U]
    ) -> ConnectedStreams[T, U, Any] | BroadcastConnectedStream[T, U, Any]:
        """Connect with a keyed stream of the same key type, or with a broadcast stream.

        As ``DataStream.connect`` otherwise.
        """
        return super().connect(ds)

    def count_window(self, size: int, slide: int = 0) -> WindowedStream[T, K, CountWindow]:
        """Group the elements of each key into windows by count; windows not full at the end emit nothing.

        Args:
            size: number of elements in a window.
            slide: number of elements between the ends of two windows; 0 for ``size``.

        Mirrors ``KeyedStream.countWindow``.

        Examples:
            >>> numbers = env.from_collection([1, 2, 3, 4, 5, 6]).key_by(lambda n: n % 2)
            >>> numbers.count_window(2).reduce(lambda a, b: a + b).take(2)
            [4, 6]
        """
        if slide == 0:
            return self.window(CountTumblingWindowAssigner.of(size))
        return self.window(CountSlidingWindowAssigner.of(size, slide))

    # Written out one by one so that type checkers report each call: a KeyedStream is not a NotKeyed. mypy
    # reports the definitions as well, hence the ``type: ignore[misc]``.
    def rebalance(self: NotKeyed) -> DataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("rebalance")

    def rescale(self: NotKeyed) -> DataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("rescale")

    def shuffle(self: NotKeyed) -> DataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("shuffle")

    def forward(self: NotKeyed) -> DataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("forward")

    def broadcast(  # type: ignore[misc]
        self: NotKeyed,  # pyright: ignore[reportGeneralTypeIssues]
        broadcast_state_descriptor: Any = None,
        *other_broadcast_state_descriptors: Any,
    ) -> Any:
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("broadcast")

    def global_(self: NotKeyed) -> DataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("global_")

    def partition_custom(self: NotKeyed, partitioner: Any, key_selector: Any) -> DataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is partitioned by key."""
        raise _no_partitioning("partition_custom")

    def cache(self: NotKeyed) -> CachedDataStream[T]:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("cache")

    def get_name(self: NotKeyed) -> str:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("get_name")

    def name(self: NotKeyed, name: str | None) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("name")

    def uid(self: NotKeyed, uid: str) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("uid")

    def set_uid_hash(self: NotKeyed, uid_hash: str) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("set_uid_hash")

    def set_description(self: NotKeyed, description: str) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("set_description")

    def set_parallelism(self: NotKeyed, parallelism: int) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("set_parallelism")

    def set_max_parallelism(self: NotKeyed, max_parallelism: int) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("set_max_parallelism")

    def force_non_parallel(self: NotKeyed) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("force_non_parallel")

    def set_buffer_timeout(self: NotKeyed, timeout_millis: int) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("set_buffer_timeout")

    def start_new_chain(self: NotKeyed) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("start_new_chain")

    def disable_chaining(self: NotKeyed) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("disable_chaining")

    def slot_sharing_group(self: NotKeyed, slot_sharing_group: Any) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("slot_sharing_group")

    def set_resources(self: NotKeyed, resource_spec: Any, preferred_resources: Any = None) -> Any:  # type: ignore[misc]
        """Raise an error: a keyed stream is not an operator."""
        raise _no_operator("set_resources")


def _no_partitioning(method: str) -> PlanError:
    return PlanError(f"{method}: a KeyedStream is partitioned by its keys; call it before key_by")


def _no_operator(what: str) -> PlanError:
    return PlanError(f"{what}: a KeyedStream is not an operator; call it before or after key_by")
