"""Operators that pass elements one at a time refuse functions that take batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pystream.datastream.functions as functions
from pystream.arguments.batches import ElementParameter, element_parameters, refuse_batches
from pystream.common import Duration, Encoder, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner, WatermarkGenerator
from pystream.datastream import (
    AggregateFunction,
    AsyncDataStream,
    AsyncFunction,
    BroadcastProcessFunction,
    CoFlatMapFunction,
    CoGroupFunction,
    CoMapFunction,
    CoProcessFunction,
    DataStream,
    FlatJoinFunction,
    JoinFunction,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    ProcessFunction,
    ProcessJoinFunction,
    ReduceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors.file_system import BucketAssigner, FileSink, StreamingFileSink
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.functions import Partitioner
from pystream.datastream.state import MapStateDescriptor
from pystream.datastream.window import (
    CountTumblingWindowAssigner,
    DeltaEvictor,
    DeltaTrigger,
    EventTimeSessionWindows,
    Evictor,
    GlobalWindows,
    ProcessingTimeoutTrigger,
    PurgingTrigger,
    SessionWindowTimeGapExtractor,
    Trigger,
    WindowAssigner,
)
from pystream.errors import PlanError
from pystream.testing import (
    AsyncFunctionTestHarnesses,
    FunctionTestHarnesses,
    JoinTestHarnesses,
    ProcessFunctionTestHarnesses,
    WindowJoinTestHarnesses,
    WindowTestHarnesses,
)

LONG = Types.LONG()
WINDOWS = CountTumblingWindowAssigner.of(2)
SECOND = Time.seconds(1)
STATE = MapStateDescriptor("rules", LONG, LONG)


def unused(*_: Any) -> Any:
    """Stand for a method that does not matter."""


def of(base: type[Any], method: str, position: int = 0, annotation: Any = "pd.Series") -> Any:
    """Return a function object with a method that has a parameter with an annotation; it is never called."""

    def takes(self, a=None, b=None, c=None, d=None):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    async def later(self, a):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    written = later if method == "async_invoke" else takes
    written.__annotations__ = {"abcd"[position]: annotation}
    others = dict.fromkeys(base.__abstractmethods__, unused)
    if issubclass(base, AsyncFunction) and method != "async_invoke":
        others["async_invoke"] = later
        later.__annotations__ = {}
    return type("Own", (base,), {**others, "__module__": __name__, method: written})()


def batch(a: pd.Series, b: Any = None) -> Any:
    raise NotImplementedError


def last_batch(a: Any, b: pa.Array) -> Any:
    raise NotImplementedError


def one(value: int) -> int:
    return value


def plain(a: Any, b: Any = None) -> Any:
    raise NotImplementedError


class Marks(WatermarkGenerator[Any]):
    def on_event(self, event: pd.Series, event_timestamp: int, output: Any) -> None:
        raise NotImplementedError

    def on_periodic_emit(self, output: Any) -> None:
        raise NotImplementedError


def assigned(assigner: Any) -> Callable[[Any], Any]:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
    return lambda stream: stream.assign_timestamps_and_watermarks(strategy)


def from_source(stream: Any) -> Any:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(batch)
    env = stream.get_execution_environment()
    return env.from_source(NumberSequenceSource(1, 2), strategy, "numbers")


def windowed(stream: Any) -> Any:
    return stream.key_by(one).window(WINDOWS)


def two_windowed(stream: Any, kind: str) -> Any:
    return getattr(stream, kind)(stream).where(one).equal_to(one).window(WINDOWS)


def keyed(stream: Any) -> Any:
    return stream.key_by(one)


def joined(stream: Any) -> Any:
    return keyed(stream).interval_join(keyed(stream)).between(Time.seconds(0), SECOND)


def file_sink(stream: Any, encoder: Any = None, buckets: Any = None, kind: Any = FileSink) -> Any:
    builder = kind.for_row_format("/no/such", encoder or Encoder.simple_string_encoder())
    return builder.with_bucket_assigner(buckets or BucketAssigner.base_path_bucket_assigner()).build()


STREAMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "process": (
        lambda s: s.process(of(ProcessFunction, "process_element"), LONG),
        "process: process_element of Own",
    ),
    "keyed process": (
        lambda s: keyed(s).process(of(KeyedProcessFunction, "process_element"), LONG),
        "process: process_element of Own",
    ),
    "reduce": (lambda s: keyed(s).reduce(batch), "reduce: batch"),
    "reduce, second": (lambda s: keyed(s).reduce(of(ReduceFunction, "reduce", 1)), "reduce: reduce of Own"),
    "key selector": (lambda s: s.partition_custom(plain, batch), "partition_custom: batch"),
    "partitioner": (lambda s: s.partition_custom(batch, one), "partition_custom: batch"),
    "partitioner object": (
        lambda s: s.partition_custom(of(Partitioner, "partition"), one),
        "partition_custom: partition of Own",
    ),
    "timestamp function": (assigned(batch), "assign_timestamps_and_watermarks: batch"),
    "timestamp assigner": (
        assigned(of(TimestampAssigner, "extract_timestamp")),
        "assign_timestamps_and_watermarks: extract_timestamp of Own",
    ),
    "source": (from_source, "assign_timestamps_and_watermarks: batch"),
    "watermark generator": (
        lambda s: s.assign_timestamps_and_watermarks(WatermarkStrategy.for_generator(Marks)),
        r"assign_timestamps_and_watermarks: Marks\.on_event",
    ),
    "co map": (lambda s: s.connect(s).map(of(CoMapFunction, "map2"), LONG), "map: map2 of Own"),
    "co flat map": (
        lambda s: s.connect(s).flat_map(of(CoFlatMapFunction, "flat_map1"), LONG),
        "flat_map: flat_map1 of Own",
    ),
    "co process": (
        lambda s: s.connect(s).process(of(CoProcessFunction, "process_element2"), LONG),
        "process: process_element2 of Own",
    ),
    "keyed co process": (
        lambda s: keyed(s).connect(keyed(s)).process(of(KeyedCoProcessFunction, "process_element1"), LONG),
        "process: process_element1 of Own",
    ),
    "broadcast": (
        lambda s: s.connect(s.broadcast(STATE)).process(
            of(BroadcastProcessFunction, "process_element"), LONG
        ),
        "process: process_element of Own",
    ),
    "keyed broadcast": (
        lambda s: (
            keyed(s)
            .connect(s.broadcast(STATE))
            .process(of(KeyedBroadcastProcessFunction, "process_broadcast_element"), LONG)
        ),
        "process: process_broadcast_element of Own",
    ),
    "interval join": (
        lambda s: joined(s).process(of(ProcessJoinFunction, "process_element", 1), LONG),
        "process: process_element of Own",
    ),
    "join": (lambda s: two_windowed(s, "join").apply(last_batch, LONG), "apply: last_batch"),
    "join object": (
        lambda s: two_windowed(s, "join").apply(of(JoinFunction, "join"), LONG),
        "apply: join of Own",
    ),
    "flat join": (
        lambda s: two_windowed(s, "join").apply(of(FlatJoinFunction, "join", 1), LONG),
        "apply: join of Own",
    ),
    "co group": (lambda s: two_windowed(s, "co_group").apply(batch, LONG), "apply: batch"),
    "co group object": (
        lambda s: two_windowed(s, "co_group").apply(of(CoGroupFunction, "co_group", 1), LONG),
        "apply: co_group of Own",
    ),
    "async": (
        lambda s: AsyncDataStream.ordered_wait(
            s, of(AsyncFunction, "async_invoke"), SECOND, output_type=LONG
        ),
        "AsyncDataStream: async_invoke of Own",
    ),
    "async timeout": (
        lambda s: AsyncDataStream.unordered_wait(s, of(AsyncFunction, "timeout"), SECOND, output_type=LONG),
        "AsyncDataStream: timeout of Own",
    ),
    "window reduce": (lambda s: windowed(s).reduce(batch), "reduce: batch"),
    "window_all reduce": (lambda s: s.window_all(WINDOWS).reduce(last_batch), "reduce: last_batch"),
    "window aggregate": (
        lambda s: windowed(s).aggregate(of(AggregateFunction, "add")),
        "aggregate: add of Own",
    ),
    "assigner": (
        lambda s: keyed(s).window(of(WindowAssigner, "assign_windows")),
        "window: assign_windows of Own",
    ),
    "session gap": (
        lambda s: keyed(s).window(EventTimeSessionWindows.with_dynamic_gap(batch)),
        "DynamicEventTimeSessionWindows: batch",
    ),
    "session gap object": (
        lambda s: keyed(s).window(
            EventTimeSessionWindows.with_dynamic_gap(of(SessionWindowTimeGapExtractor, "extract"))
        ),
        "DynamicEventTimeSessionWindows: extract of Own",
    ),
    "trigger": (lambda s: windowed(s).trigger(of(Trigger, "on_element")), "trigger: on_element of Own"),
    "nested trigger": (
        lambda s: windowed(s).trigger(PurgingTrigger.of(of(Trigger, "on_element"))),
        "trigger: on_element of Own",
    ),
    "trigger with timeout": (
        lambda s: windowed(s).trigger(
            ProcessingTimeoutTrigger.of(DeltaTrigger.of(1, last_batch), Duration.of_millis(1))
        ),
        "DeltaTrigger: last_batch",
    ),
    "evictor": (
        lambda s: windowed(s).evictor(of(Evictor, "evict_after", annotation="pd.DataFrame")),
        "evictor: evict_after of Own",
    ),
    "distance of an evictor": (
        lambda s: windowed(s).evictor(DeltaEvictor.of(1, batch)),
        "DeltaEvictor: batch",
    ),
    "trigger of a join": (
        lambda s: two_windowed(s, "join").trigger(of(Trigger, "on_element")),
        "trigger: on_element of Own",
    ),
    "encoder": (lambda s: s.sink_to(file_sink(s, of(Encoder, "encode"))), "a file sink: encode of Own"),
    "bucket assigner": (
        lambda s: s.sink_to(file_sink(s, buckets=of(BucketAssigner, "get_bucket_id"))),
        "a file sink: get_bucket_id of Own",
    ),
    "sink function": (
        lambda s: s.add_sink(file_sink(s, of(Encoder, "encode"), kind=StreamingFileSink)),
        "a file sink: encode of Own",
    ),
}

PROCESS, JOINS = ProcessFunctionTestHarnesses, WindowJoinTestHarnesses
HARNESSES: dict[str, tuple[Callable[[], Any], str]] = {
    "for_reduce": (lambda: FunctionTestHarnesses.for_reduce(batch, one), "batch"),
    "for_reduce, typed": (lambda: FunctionTestHarnesses.for_reduce(batch, one, element_type=LONG), "batch"),
    "for_co_map": (lambda: FunctionTestHarnesses.for_co_map(of(CoMapFunction, "map2")), "map2 of Own"),
    "for_co_flat_map": (
        lambda: FunctionTestHarnesses.for_co_flat_map(of(CoFlatMapFunction, "flat_map1")),
        "flat_map1 of Own",
    ),
    "for_process_function": (
        lambda: PROCESS.for_process_function(of(ProcessFunction, "process_element")),
        "process_element of Own",
    ),
    "for_keyed_process_function": (
        lambda: PROCESS.for_keyed_process_function(of(KeyedProcessFunction, "process_element"), one),
        "process_element of Own",
    ),
    "for_co_process_function": (
        lambda: PROCESS.for_co_process_function(of(CoProcessFunction, "process_element2")),
        "process_element2 of Own",
    ),
    "for_keyed_co_process_function": (
        lambda: PROCESS.for_keyed_co_process_function(
            of(KeyedCoProcessFunction, "process_element1"), one, one
        ),
        "process_element1 of Own",
    ),
    "for_broadcast_process_function": (
        lambda: PROCESS.for_broadcast_process_function(
            of(BroadcastProcessFunction, "process_broadcast_element"), STATE
        ),
        "process_broadcast_element of Own",
    ),
    "for_keyed_broadcast_process_function": (
        lambda: PROCESS.for_keyed_broadcast_process_function(
            of(KeyedBroadcastProcessFunction, "process_element"), one, STATE
        ),
        "process_element of Own",
    ),
    "for_interval_join": (
        lambda: JoinTestHarnesses.for_interval_join(
            of(ProcessJoinFunction, "process_element", 1), one, one, Time.seconds(0), SECOND
        ),
        "process_element of Own",
    ),
    "join": (lambda: JOINS(WINDOWS, one, one).join(batch), "batch"),
    "join, flat": (lambda: JOINS(WINDOWS, one, one).join(of(FlatJoinFunction, "join", 1)), "join of Own"),
    "co_group": (lambda: JOINS(WINDOWS, one, one).co_group(last_batch), "last_batch"),
    "join, trigger": (
        lambda: JOINS(WINDOWS, one, one, trigger=of(Trigger, "on_element")),
        "on_element of Own",
    ),
    "reduce": (lambda: WindowTestHarnesses(WINDOWS, one).reduce(batch), "batch"),
    "aggregate": (
        lambda: WindowTestHarnesses(WINDOWS, element_type=LONG).aggregate(of(AggregateFunction, "add")),
        "add of Own",
    ),
    "windows, assigner": (
        lambda: WindowTestHarnesses(of(WindowAssigner, "assign_windows")),
        "assign_windows of Own",
    ),
    "windows, evictor": (
        lambda: WindowTestHarnesses(WINDOWS, evictor=DeltaEvictor.of(1, batch)),
        "DeltaEvictor: batch",
    ),
    "for_ordered_wait": (
        lambda: AsyncFunctionTestHarnesses.for_ordered_wait(of(AsyncFunction, "async_invoke"), SECOND),
        "async_invoke of Own",
    ),
}


@pytest.fixture
def numbers() -> DataStream[int]:
    return StreamExecutionEnvironment.get_execution_environment().from_collection([1, 2, 3], LONG)


@pytest.mark.filterwarnings("ignore:StreamingFileSink is deprecated")
@pytest.mark.parametrize("place", STREAMS)
def test_streams_refuse_batches(numbers: DataStream[int], place: str) -> None:
    add, words = STREAMS[place]
    where = (
        rf"{words} at \S*test_refused_batches.py:\d+ takes .*, but elements of .* are passed one at a time"
    )
    with pytest.raises(PlanError, match=f"^{where}"):
        add(numbers)


@pytest.mark.parametrize("place", HARNESSES)
def test_harnesses_refuse_batches(place: str) -> None:
    make, words = HARNESSES[place]
    where = rf"{words} at \S*test_refused_batches.py:\d+ takes .*, but elements.* are passed one at a time"
    with pytest.raises(PlanError, match=where):
        make()


def test_the_message_names_the_annotation_to_write(numbers: DataStream[int]) -> None:
    with pytest.raises(PlanError) as refused:
        two_windowed(numbers, "co_group").apply(batch, LONG)
    assert str(refused.value).endswith(
        " takes 'pd.Series', but elements of Long are passed one at a time here: annotate"
        " an Iterable of the class of one element;"
        " only map, filter, flat_map, key_by and functions of whole windows take batches"
    )


class TestElementsThatAreColumns:
    def test_elements_of_unknown_type(self, numbers: DataStream[int]) -> None:
        pickled = numbers.map(lambda number: number)
        assert pickled.process(of(ProcessFunction, "process_element"), LONG)
        assert pickled.partition_custom(batch, lambda number: number)
        assert assigned(batch)(pickled)
        assert windowed(pickled).reduce(batch)

    @pytest.mark.parametrize(
        "annotation", [np.ndarray, "np.ndarray", Annotated[pd.Series, Types.PICKLED_BYTE_ARRAY()]]
    )
    def test_a_harness_without_an_element_type(self, annotation: Any) -> None:
        function = of(ProcessFunction, "process_element", annotation=annotation)
        assert PROCESS.for_process_function(function)

    def test_a_harness_with_an_element_type(self) -> None:
        assert FunctionTestHarnesses.for_reduce(batch, one, element_type=Types.PICKLED_BYTE_ARRAY())

    def test_accumulators_may_be_columns(self, numbers: DataStream[int]) -> None:
        assert windowed(numbers).aggregate(of(AggregateFunction, "add", 1))
        assert windowed(numbers).aggregate(of(AggregateFunction, "get_result"), output_type=LONG)

    def test_each_stream_has_its_own_type(self, numbers: DataStream[int]) -> None:
        both = numbers.connect(numbers.map(lambda number: number))
        assert both.map(of(CoMapFunction, "map2"), LONG)
        with pytest.raises(PlanError, match=r"map1 of Own .*elements of Long"):
            both.map(of(CoMapFunction, "map1"), LONG)


class BySeries(ProcessFunction[pd.Series, Any]):
    def process_element(self, value, ctx):  # type: ignore[no-untyped-def]
        raise NotImplementedError


class Second(CoGroupFunction[int, pd.Series, Any]):
    def co_group(self, first, second):  # type: ignore[no-untyped-def]
        raise NotImplementedError


def test_type_arguments_of_the_class_count(numbers: DataStream[int]) -> None:
    with pytest.raises(PlanError, match="process_element of BySeries"):
        numbers.process(BySeries(), LONG)
    with pytest.raises(PlanError, match="co_group of Second"):
        two_windowed(numbers, "co_group").apply(Second(), LONG)
    assert JOINS(WINDOWS, one, one).co_group(Second(), LONG)  # says that it takes an iterable of Series


def test_an_unknown_name_is_refused(numbers: DataStream[int]) -> None:
    lost = of(ProcessFunction, "process_element", annotation="pandas.Series")
    with pytest.raises(PlanError, match=r"process_element of Own .*'pandas' in 'pandas.Series' is not known"):
        numbers.process(lost, LONG)


def test_element_parameters_of_function_classes() -> None:
    assert element_parameters(ProcessJoinFunction) == (
        ElementParameter("process_element", 0, 0, 0, True),
        ElementParameter("process_element", 1, 1, 1, True),
    )
    assert element_parameters(KeyedBroadcastProcessFunction) == (
        ElementParameter("process_element", 0, 0, 1, True),
        ElementParameter("process_broadcast_element", 0, 1, 2, True),
    )
    assert element_parameters(functions.WindowFunction) == (ElementParameter("apply", 2, 0, 0, False),)


_NO_ELEMENTS = {
    "AsyncRetryPredicate",
    "AsyncRetryStrategy",
    "NullByteKeySelector",  # looks at no element
    "SinkFunction",
    "SourceFunction",
}
CLASSES = [
    cls
    for name in functions.__all__
    if hasattr(cls := getattr(functions, name), "__parameters__")
    and cls.__module__.startswith("pystream.datastream.functions")
    and name not in _NO_ELEMENTS
]


ELSEWHERE = [
    AggregateFunction,
    BucketAssigner,
    Encoder,
    Evictor,
    ReduceFunction,
    SessionWindowTimeGapExtractor,
    TimestampAssigner,
    Trigger,
    WatermarkGenerator,
    WindowAssigner,
]


@pytest.mark.parametrize("cls", [*CLASSES, *ELSEWHERE])
def test_every_function_class_has_an_element_parameter(cls: type[Any]) -> None:
    assert element_parameters(cls)


# The types of elements and results are found by these names.
ELEMENT_NAMES, RESULT_NAMES = {"E", "IN", "IN1", "IN2", "KEY_IN", "T"}, {"OUT"}
OTHER_NAMES = {"ACC", "KEY", "W"}


@pytest.mark.parametrize("cls", [*CLASSES, *ELSEWHERE])
def test_every_type_variable_of_a_function_class_has_a_known_name(cls: type[Any]) -> None:
    names = {variable.__name__ for variable in cls.__parameters__}
    assert names <= ELEMENT_NAMES | RESULT_NAMES | OTHER_NAMES


def test_functions_of_elements_are_accepted() -> None:
    for function in (one, len, partial(plain, 1), None, plain):
        refuse_batches("reduce", function, ReduceFunction, LONG)


def iterables(values: Iterable[int], others: Iterable[int]) -> list[int]:
    raise NotImplementedError


def test_iterables_of_elements_are_accepted(numbers: DataStream[int]) -> None:
    assert two_windowed(numbers, "co_group").apply(iterables, LONG)
    assert keyed(numbers).window(GlobalWindows.create())
