"""DataStream: a stream of elements of one type, with operators that make new streams from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, Generic, overload

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.batches import (
    BATCH,
    BatchFunction,
    FlatBatchFunction,
    refuse_batches,
    vector_function,
)
from pystream.arguments.checks import require, require_function, require_parameters
from pystream.arguments.element_types import element_type, vector_result_type
from pystream.common.watermark_strategy import TimestampAssigner, WatermarkGenerator, WatermarkStrategy
from pystream.datastream.functions import (
    FilterFunction,
    FlatMapFunction,
    KeySelector,
    MapFunction,
    ProcessFunction,
)
from pystream.datastream.streams.key_functions import key_function
from pystream.datastream.streams.stream_ends import StreamEnds
from pystream.datastream.streams.stream_partitions import StreamPartitions
from pystream.engine.operators.assign_watermarks import (
    ASSIGN_COLUMN_WATERMARKS,
    ASSIGN_WATERMARKS,
    ColumnTimestamps,
    WatermarkPlan,
)
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP, PROCESS, PROJECT
from pystream.engine.operators.split_watermarks import SPLIT_WATERMARKS
from pystream.engine.output_tag import OutputTag
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError, PyStreamError
from pystream.kinds import OperatorKind, PartitionKind
from pystream.plan.cache import Cache
from pystream.plan.explain import Explanation, PlanStage
from pystream.plan.function import UserFunction, call_site
from pystream.plan.nodes import (
    TYPE_OF_INPUT,
    CacheNode,
    IterationNode,
    KeyFunction,
    Node,
    NodeSettings,
    OperatorNode,
    SideOutputNode,
    SourceNode,
    UnionNode,
    UnknownType,
)
from typeinfo.arguments import checks_arguments
from typeinfo.composite import TupleTypeInfo
from typeinfo.errors import short_repr
from typeinfo.inferred import expected_type
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.common.execution_config import ExecutionConfig
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.broadcast_stream import BroadcastConnectedStream, BroadcastStream
    from pystream.datastream.streams.cached_data_stream import CachedDataStream
    from pystream.datastream.streams.connected_streams import ConnectedStreams, NoKey
    from pystream.datastream.streams.iterative_stream import IterativeStream
    from pystream.datastream.streams.keyed_stream import KeyedStream
    from pystream.datastream.streams.window_joins import CoGroupedStreams, JoinedStreams
    from pystream.datastream.streams.windowed_stream import AllWindowedStream
    from pystream.engine.windows.assigners import WindowAssigner

__all__ = ["DataStream"]

T = TypeVar("T")
# Any for a function that returns Any, which would match a batch function as well.
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)
W = TypeVar("W")
# Left open by a field given by name or position.
K = TypeVar("K", default=Any)
# The type of keys after encoding by key_type.
KEY = TypeVar("KEY", default=K)
Keys = tuple[KeyFunction, ...]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class DataStream(StreamPartitions[T], StreamEnds[T], Generic[T]):
    """A stream of elements of one type.

    Operators make new streams and never change the one they are called on. Settings (``name``, ``uid``,
    ``set_parallelism``, …) change the operator the stream comes from and return the stream. Nothing runs
    before ``execute`` or ``execute_and_collect``. Elements keep their order within a subtask as long as no
    partitioning intervenes.

    Mirrors ``org.apache.flink.streaming.api.datastream.DataStream``.
    """

    _keys: Keys = ()

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """Return the environment that the stream belongs to."""
        return self._environment

    def get_execution_config(self) -> ExecutionConfig:
        """Return the execution settings of the environment."""
        return self._environment.get_config()

    @overload
    def map(self, func: Callable[[T], U] | MapFunction[T, U]) -> DataStream[U]: ...

    @overload
    def map(
        self,
        func: Callable[[T], U] | MapFunction[T, U] | BatchFunction[BATCH],
        output_type: TypeInformation[OUT, U] | None,
    ) -> DataStream[OUT]: ...

    def map(
        self,
        func: Callable[[T], Any] | MapFunction[T, Any] | BatchFunction[Any],
        output_type: TypeInformation[Any] | None = None,
    ) -> DataStream[Any]:
        """Apply a function that returns exactly one result for each element.

        Args:
            func: a function or a MapFunction; one that takes and returns ``pd.Series``, ``pd.DataFrame``,
                ``pa.Array`` or ``pa.RecordBatch``, by its annotation, is called once per batch.
            output_type: type of the results; else the function's annotation, else pickled. A result that
                does not fit it fails the job, naming operator, element and place.

        Raises:
            PlanError: ``output_type`` contradicts the function's annotation, or is lacking for a function of
                batches, or the elements cannot be converted to batches.
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``DataStream.map``.

        Examples:
            >>> env.from_collection([1, 2, 3]).map(lambda n: n * 10).take(3)
            [10, 20, 30]
        """
        return self._operator(MAP, func, "map", MapFunction, output_type)

    @overload
    def flat_map(self, func: Callable[[T], Iterable[U] | None] | FlatMapFunction[T, U]) -> DataStream[U]: ...

    @overload
    def flat_map(
        self,
        func: Callable[[T], Iterable[U] | None] | FlatMapFunction[T, U] | FlatBatchFunction[BATCH],
        output_type: TypeInformation[OUT, U] | None,
    ) -> DataStream[OUT]: ...

    def flat_map(
        self,
        func: Callable[[T], Iterable[Any] | None] | FlatMapFunction[T, Any] | FlatBatchFunction[Any],
        output_type: TypeInformation[Any] | None = None,
    ) -> DataStream[Any]:
        """Apply a function that emits any number of results for each element.

        Args:
            func: a generator function, a function that returns an iterable or ``None``, or a FlatMapFunction;
                called once per batch as the function of ``map``.
            output_type: type of one result; else the function's annotation (X of ``Iterator[X]``), else
                pickled.

        Raises:
            PlanError: ``output_type`` contradicts the function's annotation.
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``DataStream.flatMap``.

        Examples:
            >>> env.from_collection(["to be", "or not"]).flat_map(str.split).take(4)
            ['to', 'be', 'or', 'not']
        """
        return self._operator(FLAT_MAP, func, "flat_map", FlatMapFunction, output_type, many=True)

    def filter(self, func: Callable[[T], object] | FilterFunction[T] | BatchFunction[BATCH]) -> DataStream[T]:
        """Keep the elements that satisfy a predicate; the type stays the same.

        Args:
            func: a predicate or a FilterFunction, called once per batch as the function of ``map``; it must
                not change elements.

        Raises:
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``DataStream.filter``.

        Examples:
            >>> env.from_collection([1, 2, 3, 4]).filter(lambda n: n % 2 == 0).take(4)
            [2, 4]
        """
        return self._like_itself(FILTER, func, "filter", FilterFunction)

    def process(
        self, func: ProcessFunction[T, U], output_type: TypeInformation[OUT, U] | None = None
    ) -> DataStream[OUT]:
        """Apply a function that emits any number of results for each element, with access to its timestamp.

        Args:
            func: a ProcessFunction.
            output_type: type of one result; else the annotation of ``process_element``, else pickled.

        Raises:
            PlanError: ``func`` is not a ProcessFunction, or ``output_type`` contradicts its annotation.
            FunctionPicklingError: the function cannot be sent to workers.

        Mirrors ``DataStream.process``.

        Examples:
            >>> from pystream.datastream import ProcessFunction
            >>> class Repeated(ProcessFunction):
            ...     def process_element(self, value, ctx):
            ...         for _ in range(value):
            ...             yield value
            >>> env.from_collection([1, 3]).process(Repeated()).take(4)
            [1, 3, 3, 3]
        """
        require(func, ProcessFunction, "process", "a ProcessFunction (map and flat_map take functions)")
        return self._operator(PROCESS, func, "process_element", ProcessFunction, output_type, many=True)

    def project(self, *field_indexes: int) -> DataStream[Any]:
        """Project a stream of tuples, declared or inferred, onto some of their fields, in the given order.

        Args:
            field_indexes: positions from 0; a field may occur more than once.

        Raises:
            PlanError: the elements are not tuples, or a position is out of range.

        Mirrors ``DataStream.project``.

        Examples:
            >>> from pystream.common import Types
            >>> person = Types.TUPLE([Types.STRING(), Types.INT(), Types.STRING()])
            >>> people = env.from_collection([("Ada", 36, "London")], person)
            >>> people.project(2, 0).take(1)
            [('London', 'Ada')]
        """
        stream = self._declared("project")
        type_info = stream._type
        if not isinstance(type_info, TupleTypeInfo):
            raise PlanError(
                f"project needs a stream of Types.TUPLE, but {self.get_name()!r} produces {type_info}; "
                "give it an output_type"
            )
        arity = len(type_info.field_types)
        for index in field_indexes:
            if type(index) is not int or not 0 <= index < arity:
                raise PlanError(f"project: there is no field {index!r} in {type_info}; use 0 to {arity - 1}")
        if not field_indexes:
            raise PlanError("project needs at least one field position")
        return stream._added(
            PROJECT,
            UserFunction.of(field_indexes, "project"),
            (TupleTypeInfo(type_info.field_types[i] for i in field_indexes), "the fields chosen"),
        )

    def union(self, *streams: DataStream[T]) -> DataStream[T]:
        """Merge with other streams of the same type. Duplicates are kept, even from a stream passed twice.

        If the type of one is inferred and that of another declared, the type of the union is inferred.

        The order between the streams is not defined.

        Raises:
            PlanError: the streams' types differ, or they belong to different environments.
            PlanTypeError: an argument is not a stream.

        Mirrors ``DataStream.union``.

        Examples:
            >>> sorted(env.from_collection([1, 3]).union(env.from_collection([2])).take(3))
            [1, 2, 3]
        """
        for stream in streams:
            require(stream, DataStream, "union", "streams")
            if stream._environment is not self._environment:
                raise PlanError("union: the streams belong to different environments")
            if stream._type != self._type and not self._expects_type_of(stream):
                raise PlanError(
                    f"union: {self.get_name()!r} produces {self._type}, but {stream.get_name()!r} "
                    f"produces {stream._type}; map one to the type of the other first"
                )
        is_declared = all(stream._type == self._type for stream in streams)
        node = self._environment._add(
            UnionNode,
            inputs=(self._node_id, *(stream._node_id for stream in streams)),
            type_info=self._type if is_declared else Types.PICKLED_BYTE_ARRAY(),
            type_origin=self._node.type_origin,
            settings=self._settings("Union"),
        )
        return DataStream(self._environment, node.id)

    def _expects_type_of(self, other: DataStream[Any]) -> bool:
        """Return whether elements have, or are expected to have, the same type as those of another stream."""
        own, its = (self._environment._inferred_type(stream._node_id) for stream in (self, other))
        return expected_type(own) == expected_type(its)

    @overload
    def key_by(self, key_selector: Callable[[T], K] | KeySelector[T, K] | str | int) -> KeyedStream[T, K]: ...

    @overload
    def key_by(
        self,
        key_selector: Callable[[T], K] | KeySelector[T, K] | BatchFunction[BATCH] | str | int,
        key_type: TypeInformation[KEY, K] | None,
    ) -> KeyedStream[T, KEY]: ...

    def key_by(
        self,
        key_selector: Callable[[T], Any] | KeySelector[T, Any] | BatchFunction[Any] | str | int,
        key_type: TypeInformation[Any] | None = None,
    ) -> KeyedStream[T, Any]:
        """Partition the stream by key, so that all elements of a key reach the same subtask.

        Args:
            key_selector: a function or a KeySelector that returns an element's key, always the same for the
                same element, called once per batch as the function of ``map``; or the name or position of a
                field.
            key_type: type of the keys; else the selector's annotation or the field's type. Keys of unknown
                type are compared as Python compares them.

        Raises:
            PlanError: the field does not exist, or values of the type cannot be keys.
            FunctionPicklingError: the function cannot be sent to workers.

        An element whose key is ``None``, or does not fit the type, fails the job. Mirrors
        ``DataStream.keyBy``.

        Examples:
            >>> words = env.from_collection([("tea", 2), ("milk", 1), ("tea", 3)])
            >>> words.key_by(lambda word: word[0]).reduce(lambda a, b: (a[0], a[1] + b[1])).take(3)
            [('tea', 2), ('milk', 1), ('tea', 5)]
        """
        from pystream.datastream.streams.keyed_stream import KeyedStream

        type_info = self._type
        if isinstance(key_selector, (str, int)) and isinstance(type_info, PickledBytesTypeInfo):
            type_info = expected_type(self.get_type())
            key_type = key_type or Types.PICKLED_BYTE_ARRAY()
        key = key_function(type_info, key_selector, key_type)
        return KeyedStream(self._environment, self._partition(PartitionKind.HASH, key=key), key)

    def window_all(self, window_assigner: WindowAssigner[T, W]) -> AllWindowedStream[T, W]:
        """Group all elements into windows, in a single subtask.

        Args:
            window_assigner: assigns elements to windows.

        Mirrors ``DataStream.windowAll``.

        Examples:
            >>> from pystream.datastream.window import CountTumblingWindowAssigner
            >>> pairs = env.from_collection([1, 2, 3, 4]).window_all(CountTumblingWindowAssigner.of(2))
            >>> pairs.reduce(lambda a, b: a + b).take(2)
            [3, 7]
        """
        from pystream.datastream.streams.windowed_stream import AllWindowedStream

        return AllWindowedStream(self.key_by(_no_key, Types.BYTE()), window_assigner)

    @overload
    def connect(self, ds: DataStream[U]) -> ConnectedStreams[T, U, NoKey]: ...

    @overload
    def connect(self, ds: BroadcastStream[U]) -> BroadcastConnectedStream[T, U, NoKey]: ...

    def connect(
        self, ds: DataStream[U] | BroadcastStream[U]
    ) -> ConnectedStreams[T, U, Any] | BroadcastConnectedStream[T, U, Any]:
        """Connect with another stream, of any type, so that a function can process the elements of both.

        Args:
            ds: a stream, or one broadcast with states.

        Raises:
            PlanError: the streams belong to different environments, or their keys have different types.

        Mirrors ``DataStream.connect``.

        Examples:
            >>> from pystream.datastream import CoMapFunction
            >>> class Named(CoMapFunction):
            ...     def map1(self, value):
            ...         return f"number {value}"
            ...     def map2(self, value):
            ...         return f"word {value}"
            >>> both = env.from_collection([1]).connect(env.from_collection(["a"]))
            >>> sorted(both.map(Named()).take(2))
            ['number 1', 'word a']
        """
        from pystream.datastream.streams.broadcast_stream import BroadcastConnectedStream, BroadcastStream
        from pystream.datastream.streams.connected_streams import ConnectedStreams

        if isinstance(ds, BroadcastStream):
            return BroadcastConnectedStream(self, ds)
        if not isinstance(ds, DataStream):
            raise PlanTypeError(f"connect takes a stream, not {short_repr(ds)}")
        return ConnectedStreams(self, ds)._with_equal_keys()

    def join(self, other_stream: DataStream[U]) -> JoinedStreams[T, U]:
        """Join with another stream: pair the elements that have the same key and window.

        ``one.join(two).where(key).equal_to(key).window(assigner).apply(function)``.

        Raises:
            PlanError: the streams belong to different environments.

        PyFlink lacks this; Flink's method is ``DataStream.join``.

        Examples:
            >>> from pystream.common import Time, WatermarkStrategy
            >>> from pystream.common.watermark_strategy import TimestampAssigner
            >>> from pystream.datastream.window import TumblingEventTimeWindows
            >>> class Second(TimestampAssigner):
            ...     def extract_timestamp(self, value, record_timestamp):
            ...         return value[1]
            >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
            >>> orders = env.from_collection([("tea", 10)]).assign_timestamps_and_watermarks(times)
            >>> prices = env.from_collection([("tea", 20)]).assign_timestamps_and_watermarks(times)
            >>> pairs = orders.join(prices).where(lambda o: o[0]).equal_to(lambda p: p[0])
            >>> minutes = pairs.window(TumblingEventTimeWindows.of(Time.minutes(1)))
            >>> minutes.apply(lambda order, price: (order, price)).take(1)
            [(('tea', 10), ('tea', 20))]
        """
        from pystream.datastream.streams.window_joins import JoinedStreams

        return JoinedStreams(self, other_stream)

    def co_group(self, other_stream: DataStream[U]) -> CoGroupedStreams[T, U]:
        """Co-group with another stream: collect the elements of both that have the same key and window.

        ``one.co_group(two).where(key).equal_to(key).window(assigner).apply(function)``.

        Raises:
            PlanError: the streams belong to different environments.

        PyFlink lacks this; Flink's method is ``DataStream.coGroup``.
        """
        from pystream.datastream.streams.window_joins import CoGroupedStreams

        return CoGroupedStreams(self, other_stream)

    def assign_timestamps_and_watermarks(self, watermark_strategy: WatermarkStrategy[T]) -> DataStream[T]:
        """Assign timestamps to elements, and generate watermarks.

        Args:
            watermark_strategy: assigns timestamps and generates watermarks.

        Watermarks are emitted at the auto-watermark interval, between bundles of elements, and at the end
        of a bounded stream; with an interval of 0 after every element. Mirrors
        ``DataStream.assignTimestampsAndWatermarks``.

        Examples:
            >>> from pystream.common import WatermarkStrategy
            >>> from pystream.common.watermark_strategy import TimestampAssigner
            >>> from pystream.datastream import ProcessFunction
            >>> class Second(TimestampAssigner):
            ...     def extract_timestamp(self, value, record_timestamp):
            ...         return value[1]
            >>> class Times(ProcessFunction):
            ...     def process_element(self, value, ctx):
            ...         yield value[0], ctx.timestamp()
            >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
            >>> events = env.from_collection([("a", 5), ("b", 7)]).assign_timestamps_and_watermarks(times)
            >>> events.process(Times()).take(2)
            [('a', 5), ('b', 7)]
        """
        if not isinstance(watermark_strategy, WatermarkStrategy):
            raise PlanTypeError(
                "assign_timestamps_and_watermarks takes a WatermarkStrategy, not "
                f"{short_repr(watermark_strategy)}"
            )
        function = self._watermark_function(watermark_strategy)
        if isinstance(watermark_strategy.timestamp_assigner, ColumnTimestamps):
            return self._added(ASSIGN_COLUMN_WATERMARKS, function).name(ASSIGN_WATERMARKS.name)
        return self._added(ASSIGN_WATERMARKS, function)

    def _assign_split_watermarks(
        self, watermark_strategy: WatermarkStrategy[Any], type_info: TypeInformation[U]
    ) -> DataStream[U]:
        """Generate the watermarks of each split; elements are those of ``SplitSource.split_reader``.

        Args:
            watermark_strategy: assigns timestamps and generates watermarks.
            type_info: type of the elements without their splits.
        """
        function = self._watermark_function(watermark_strategy)
        return self._added(SPLIT_WATERMARKS, function, (type_info, "the source"))

    def _watermark_function(self, watermark_strategy: WatermarkStrategy[Any]) -> UserFunction:
        call = "assign_timestamps_and_watermarks"
        assigner, supplier = watermark_strategy.timestamp_assigner, watermark_strategy.generator_supplier
        refuse_batches(call, assigner, TimestampAssigner, self._type)
        if isinstance(supplier, type) and issubclass(supplier, WatermarkGenerator):
            on_event: Callable[..., None] = supplier.on_event
            refuse_batches(call, partial(on_event, None), WatermarkGenerator, self._type)
        idleness = watermark_strategy.idleness
        plan = WatermarkPlan(
            watermark_strategy.extract_timestamp(),
            watermark_strategy.generator(),
            None if idleness is None else idleness.to_millis(),
            assigner.timestamps_of_columns if isinstance(assigner, ColumnTimestamps) else None,
        )
        return UserFunction.of(plan, call, described=assigner)

    def iterate(self, max_wait_time_ms: int = 0) -> IterativeStream[T]:
        """Start an iteration: a stream to which elements derived from it can be fed back.

        ``loop = stream.iterate()``, then any operators on it, then ``loop.close_with(feedback)``.

        Args:
            max_wait_time_ms: how long Flink waits for feedback before it ends the loop, 0 for ever. A
                loop over bounded input ends as soon as no feedback is left, independent of this value.

        Raises:
            PlanError: the time is negative. When the program is executed: the loop is not closed, another
                stream comes into its body, or the program runs in batch mode or with checkpoints.
            PlanTypeError: the time is not an int.

        Mirrors ``DataStream.iterate`` of Flink 1.

        Examples:
            >>> loop = env.from_collection([3]).iterate()
            >>> less = loop.map(lambda n: n - 1)
            >>> _ = loop.close_with(less.filter(lambda n: n > 0))
            >>> less.take(3)
            [2, 1, 0]
        """
        from pystream.datastream.streams.iterative_stream import IterativeStream

        if type(max_wait_time_ms) is not int:
            raise PlanTypeError(
                f"iterate: max_wait_time_ms must be an int, not {short_repr(max_wait_time_ms)}"
            )
        if max_wait_time_ms < 0:
            raise PlanError(f"iterate: max_wait_time_ms must not be negative, but is {max_wait_time_ms}")
        node = self._environment._add(
            IterationNode,
            inputs=(self._node_id,),
            type_info=self._type,
            type_origin=self._node.type_origin,
            settings=self._settings("Iteration"),
            max_wait_time_ms=max_wait_time_ms,
        )
        return IterativeStream(self._environment, node.id)

    def get_side_output(self, output_tag: OutputTag[U]) -> DataStream[U]:
        """Return a side output of the operator as a stream.

        Args:
            output_tag: the tag, with the type of the elements.

        Raises:
            PlanError: this is neither a process function, a window nor a source with side outputs, or the tag
                was read as another type.

        Mirrors ``SingleOutputStreamOperator.getSideOutput``.

        Examples:
            >>> from pystream.datastream import OutputTag, ProcessFunction
            >>> odd = OutputTag("odd")
            >>> class Even(ProcessFunction):
            ...     def process_element(self, value, ctx):
            ...         yield value if value % 2 == 0 else (odd, value)
            >>> even = env.from_collection([1, 2, 3]).process(Even())
            >>> even.take(3), even.get_side_output(odd).take(3)
            ([2], [1, 3])
        """
        if not isinstance(output_tag, OutputTag):
            raise PlanTypeError(f"get_side_output takes an OutputTag, not {short_repr(output_tag)}")
        builder = self._environment._builder
        operator = builder.node(self._node_id)
        while not _has_side_outputs(operator) and operator.settings.part_of is not None:
            operator = builder.node(operator.settings.part_of)
        if not _has_side_outputs(operator):
            raise PlanError(
                f"get_side_output: {operator.settings.name!r} has no side outputs; only process functions "
                f"and windows have them"
            )
        for other in builder.consumers(operator.id):
            if (
                isinstance(other, SideOutputNode)
                and other.tag == output_tag.tag_id
                and other.type_info != output_tag.type_info
            ):
                raise PlanError(
                    f"get_side_output: {output_tag.tag_id!r} was read as {other.type_info}; it cannot be "
                    f"{output_tag.type_info} too"
                )
        node = self._environment._add(
            SideOutputNode,
            inputs=(operator.id,),
            type_info=output_tag.type_info,
            type_origin="the OutputTag" if output_tag.is_typed else UnknownType("the OutputTag has no type"),
            settings=self._settings(f"Side output {output_tag.tag_id}"),
            tag=output_tag.tag_id,
        )
        return DataStream(self._environment, node.id)

    def cache(self) -> CachedDataStream[T]:
        """Cache the elements of the stream for later jobs.

        The first job that uses the stream computes the elements and writes them to temporary files; later
        jobs in the same runtime mode read the files instead. The other mode has a cache of its own, as
        elements may differ. Subtasks, order, timestamps and watermarks stay the same. A job caches nothing if
        it fails, is cancelled, or takes a limited number of elements as ``take`` and ``show`` do; nor does
        ``to_data_frame``. Two jobs that start before the cache is filled both compute the elements.

        ``CachedDataStream.invalidate`` and ``StreamExecutionEnvironment.close`` remove the files, at the
        latest the end of the process does; those that a table of ``to_data_frame`` reads stay until then.
        Lost elements are recomputed.

        Raises:
            PlanError: the stream is partitioned, a union, cached or the head of an iteration.
            UnsupportedOperationError: when the program is executed: the workers may run on other machines.

        Mirrors ``SingleOutputStreamOperator.cache``, which Flink supports in batch mode only.

        Examples:
            >>> lengths = env.from_collection(["house", "cat"]).map(len).cache()
            >>> list(lengths.execute_and_collect())  # computes and keeps them
            [5, 3]
            >>> list(lengths.map(lambda n: n + 1).execute_and_collect())  # reads them
            [6, 4]
        """
        from pystream.datastream.streams.cached_data_stream import CachedDataStream

        if not isinstance(self._node, (SourceNode, OperatorNode, SideOutputNode)):
            raise PlanError(
                f"cache: {self._node.title!r} is not an operator; cache the stream before it, or one made "
                "from it"
            )
        node = self._environment._add(
            CacheNode,
            inputs=(self._node_id,),
            type_info=self._type,
            type_origin=self._node.type_origin,
            settings=self._settings("Cache"),
            cache=Cache(),
        )
        self._environment._schedule_operator(node.id)
        return CachedDataStream(self._environment, node.id)

    def explain(self, stage: PlanStage = "physical") -> Explanation:
        """Return the plan of this stream: operators, types, paths and why no faster path applies.

        The result is a ``str`` to print; ``to_mermaid()`` and ``to_svg()`` draw it.

        Args:
            stage: the plan as written, after the rules, or as tasks.

        Examples:
            >>> explained = env.from_collection([1]).map(str).explain()
            >>> [(operator.title, operator.path) for operator in explained.operators]
            [('Source: Collection Source', 'typed'), ('Map (str)', 'typed')]
        """
        return self._environment._explain([self._node_id], stage)

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the stream, its type and, if the program can be planned, its graph."""
        shown = f"<p><code>{escape(repr(self))}</code></p>{self.get_type()._repr_html_()}"
        with suppress(PyStreamError):
            shown += self.explain()._repr_html_()
        return shown

    def _like_itself(self, kind: OperatorKind, func: Any, method: str, base: type[Any]) -> DataStream[T]:
        """Return the stream of a new operator whose results have the same type as its input."""
        function = self._function(kind, func, method, base)
        return self._added(kind, function, keys=self._keys_of(function))

    def _operator(
        self,
        kind: OperatorKind,
        func: Any,
        method: str,
        base: type[Any],
        output_type: TypeInformation[Any] | None,
        *,
        many: bool = False,
        title: str | None = None,
    ) -> DataStream[Any]:
        """Return the stream of a new operator whose results have the declared or annotated type."""
        function = self._function(kind, func, method, base)
        if function.takes_batches:
            result = vector_result_type(func, method, base, output_type)
        else:
            result = element_type(func, method, base, output_type, many=many)
        return self._added(kind, function, result, keys=self._keys_of(function), title=title)

    def _function(self, kind: OperatorKind, func: Any, method: str, base: type[Any]) -> UserFunction:
        """Return the function of a new operator, which may take batches if the operator does."""
        name, is_object = method.removesuffix("_element"), isinstance(func, base)
        require_function(func, name, base)
        require_parameters(func, name, base, method)
        if kind.takes_batches:
            vector = vector_function(self._type, func, method, base, name)
            if vector is not None:
                return UserFunction.of(
                    vector, name, is_object=is_object, takes_batches=True, described=func, blamed=func
                )
        else:
            refuse_batches(name, func, base, self._type)
        return UserFunction.of(func, name, is_object=is_object)

    def _keys_of(self, function: UserFunction) -> Keys:
        return () if function.takes_batches else self._keys  # a batch has elements of many keys

    def _added(
        self,
        kind: OperatorKind,
        function: UserFunction,
        result: tuple[TypeInformation[Any], str] | None = None,
        *,
        keys: Keys = (),
        title: str | None = None,
    ) -> DataStream[Any]:
        """Add an operator with one input; without a result type, the type of the elements stays the same."""
        own = result or (self._type, TYPE_OF_INPUT)
        return self._environment._operator(kind, (self._node_id,), function, own, title=title, keys=keys)

    def _settings(self, name: str) -> NodeSettings:
        return NodeSettings(name, call_site=call_site())


def _has_side_outputs(node: Node) -> bool:
    return isinstance(node, OperatorNode) and node.kind.side_outputs


def _no_key(_: object) -> int:
    return 0
