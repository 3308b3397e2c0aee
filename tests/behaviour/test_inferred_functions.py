"""The types of results of process, window, join, broadcast and asynchronous functions that declare none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

import pytest

from pystream.common import Configuration, Row, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    AsyncDataStream,
    AsyncFunction,
    BroadcastProcessFunction,
    CoFlatMapFunction,
    CoGroupFunction,
    CoMapFunction,
    DataStream,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessAllWindowFunction,
    ProcessFunction,
    ProcessJoinFunction,
    ProcessWindowFunction,
    StreamExecutionEnvironment,
    WindowFunction,
)
from pystream.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    ValueStateDescriptor,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.engine.exchange import batch_encoder

T = TypeVar("T")
PAIR = Types.TUPLE([Types.STRING(), Types.LONG()])
RATE = Types.TUPLE([Types.STRING(), Types.DOUBLE()])
RATES = MapStateDescriptor("rates", Types.STRING(), Types.DOUBLE())
SMALL = OutputTag("small")
NAMES = OutputTag("names", Types.STRING())


@dataclass
class Box(Generic[T]):
    item: T
    n: int


class Named(NamedTuple):
    name: str
    n: int


class Entry(TypedDict):
    name: str
    n: int


class ItsNumber(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


class Totals(KeyedProcessFunction):
    def open(self, runtime_context):
        self.total = runtime_context.get_state(ValueStateDescriptor("total", Types.LONG()))

    def process_element(self, value, ctx):
        total = (self.total.value() or 0) + value[1]
        self.total.update(total)
        yield ctx.get_current_key(), total


class PickledTotals(KeyedProcessFunction):
    def open(self, runtime_context):
        descriptor = ValueStateDescriptor("total", Types.PICKLED_BYTE_ARRAY())
        self.total = runtime_context.get_state(descriptor)

    def process_element(self, value, ctx):
        total = self.total.value()
        if total is None:
            total = (0, 0)
            ctx.timer_service().register_event_time_timer(100)
        self.total.update((total[0] + value[1], total[1] + 1))

    def on_timer(self, timestamp, ctx):
        total = self.total.value()
        yield ctx.get_current_key(), total[0], total[1]


class Sums(AggregateFunction):
    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator):
        return accumulator[0] / accumulator[1]

    def merge(self, a, b):
        return a[0] + b[0], a[1] + b[1]


class AllStates(KeyedProcessFunction):
    def open(self, runtime_context):
        self.seen = runtime_context.get_list_state(ListStateDescriptor("seen", Types.LONG()))
        self.counts = runtime_context.get_map_state(
            MapStateDescriptor("counts", key_type_info=Types.STRING(), value_type_info=Types.LONG())
        )
        self.sum = runtime_context.get_reducing_state(
            ReducingStateDescriptor("sum", lambda a, b: a + b, Types.LONG())
        )
        accumulator = Types.TUPLE([Types.LONG(), Types.LONG()])
        self.mean = runtime_context.get_aggregating_state(
            AggregatingStateDescriptor("mean", MEAN, accumulator)
        )

    def process_element(self, value, ctx):
        self.seen.add(value[1])
        self.counts.put(value[0], value[1])
        self.sum.add(value[1])
        self.mean.add(value)
        largest = max(self.seen.get())
        counts = {key: count + 0 for key, count in self.counts.items()}
        return [(list(self.seen), largest, counts, self.sum.get(), self.mean.get() or 0.0)]


MEAN = Sums()


class Numbered(MapFunction):
    def __init__(self):
        self.number = 0
        self.names = {}
        self.last = None

    def map(self, value):
        self.number += 1
        self.names[value[0]] = self.number
        last, self.last = self.last, value[0]
        return self.number, dict(self.names), last


class Divided(ProcessFunction):
    def process_element(self, value, ctx):
        if value[1] < 20:
            yield SMALL, value
        elif value[1] < 30:
            yield NAMES, value[0]
        else:
            yield value[1], ctx.timestamp()


class Spans(ProcessWindowFunction):
    def process(self, key, context, elements):
        return [(key, context.window().start, len(list(elements)), context.current_watermark())]


class CountedWindows(ProcessWindowFunction):
    def open(self, runtime_context):
        self.descriptor = ValueStateDescriptor("windows", Types.INT())

    def process(self, key, context, elements):
        windows = context.global_state().get_state(self.descriptor)
        windows.update((windows.value() or 0) + 1)
        yield key, windows.value()


class Ends(WindowFunction):
    def apply(self, key, window, inputs):
        return [(key, sum(number for _, number in inputs), window.end)]


class Largest(ProcessAllWindowFunction):
    def process(self, context, elements):
        yield max(elements, key=lambda element: element[1])


class Both(CoMapFunction):
    def map1(self, value):
        return value[0], float(value[1])

    def map2(self, value):
        return value


class BothFlat(CoFlatMapFunction):
    def flat_map1(self, value):
        yield value[0]

    def flat_map2(self, value):
        if value[1] > 1:
            yield value[0].upper()


class Converted(KeyedCoProcessFunction):
    def open(self, runtime_context):
        self.rate = runtime_context.get_state(ValueStateDescriptor("rate", Types.DOUBLE()))
        self.waiting = runtime_context.get_list_state(ListStateDescriptor("waiting", Types.LONG()))

    def process_element1(self, value, ctx):
        rate = self.rate.value()
        if rate is None:
            self.waiting.add(value[1])
        else:
            yield value[0], value[1] * rate

    def process_element2(self, value, ctx):
        self.rate.update(value[1])
        for number in self.waiting.get():
            yield value[0], number * value[1]
        self.waiting.clear()


class Rated(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        rates = ctx.get_broadcast_state(RATES)
        known = value[0] in rates
        yield value[0], rates[value[0]] if known else 0.0

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(RATES).put(value[0], value[1])


class KeyedRated(KeyedBroadcastProcessFunction):
    def process_element(self, value, ctx):
        rate = ctx.get_broadcast_state(RATES).get(ctx.get_current_key())
        yield ctx.get_current_key(), 1.0 if rate is None else rate

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(RATES).put(value[0], value[1])


class Products(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left[0], left[1] * right[1], ctx.get_left_timestamp()


class Matched(CoGroupFunction):
    def co_group(self, first, second):
        rates = [rate for _, rate in second]
        for name, number in first:
            yield name, number, len(rates)


class Later(AsyncFunction):
    async def async_invoke(self, value):
        number = await self.doubled(value[1])
        return [(value[0], number)]

    async def doubled(self, number):
        await asyncio.sleep(0)
        return number * 2


def environment(*, infer: bool) -> StreamExecutionEnvironment:
    options = {"pystream.runner": "local", "pystream.infer-types": str(infer).lower()}
    return StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(options))


def timed(elements: DataStream[Any]) -> DataStream[Any]:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(ItsNumber())
    return elements.assign_timestamps_and_watermarks(strategy)


Stream = DataStream[Any]
WINDOWS = TumblingEventTimeWindows.of(Time.milliseconds(20))


def name(value):
    return value[0]


def joined(one: Stream, two: Stream) -> Any:
    return one.join(two).where(name).equal_to(name).window(WINDOWS)


PROGRAMS: dict[str, tuple[Callable[[Stream, Stream], Stream], str]] = {
    "value state": (lambda one, two: one.key_by(name).process(Totals()), "(String, Long)"),
    "state of pickled values": (
        lambda one, two: one.key_by(name).process(PickledTotals()),
        "(String, Long, Long)",
    ),
    "all states": (
        lambda one, two: one.key_by(name).process(AllStates()),
        "(ListTypeInfo<Long>, Long, MapTypeInfo<String, Long>, Optional<Long>, Double)",
    ),
    "attributes": (
        lambda one, two: one.map(Numbered()),
        "(Long, MapTypeInfo<String, Long>, Optional<String>)",
    ),
    "main output": (lambda one, two: one.process(Divided()), "(Long, Optional<Long>)"),
    "side output": (lambda one, two: one.process(Divided()).get_side_output(SMALL), "(String, Long)"),
    "declared side output": (lambda one, two: one.process(Divided()).get_side_output(NAMES), "String"),
    "side output of declared pickled elements": (
        lambda one, two: one.process(Divided()).get_side_output(
            OutputTag("small", Types.PICKLED_BYTE_ARRAY())
        ),
        "PickledByteArrayTypeInfo",
    ),
    "late elements": (
        lambda one, two: (
            one.key_by(name).window(WINDOWS).side_output_late_data(SMALL).apply(Ends()).get_side_output(SMALL)
        ),
        "(String, Long)",
    ),
    "process windows": (
        lambda one, two: one.key_by(name).window(WINDOWS).process(Spans()),
        "(String, Long, Long, Long)",
    ),
    "state of windows": (
        lambda one, two: one.key_by(name).window(WINDOWS).process(CountedWindows()),
        "(String, Optional<Integer>)",
    ),
    "apply windows": (
        lambda one, two: one.key_by(name).window(WINDOWS).apply(Ends()),
        "(String, Long, Long)",
    ),
    "aggregated windows": (lambda one, two: one.key_by(name).window(WINDOWS).aggregate(Sums()), "Double"),
    "aggregate and process": (
        lambda one, two: one.key_by(name).window(WINDOWS).aggregate(Sums(), window_function=Spans()),
        "(String, Long, Long, Long)",
    ),
    "all windows": (lambda one, two: one.window_all(WINDOWS).process(Largest()), "(String, Long)"),
    "co map": (lambda one, two: one.connect(two).map(Both()), "(String, Double)"),
    "co flat map": (lambda one, two: one.connect(two).flat_map(BothFlat()), "String"),
    "keyed co process": (
        lambda one, two: one.connect(two).key_by(name, name).process(Converted()),
        "(String, Double)",
    ),
    "broadcast": (lambda one, two: one.connect(two.broadcast(RATES)).process(Rated()), "(String, Double)"),
    "keyed broadcast": (
        lambda one, two: one.key_by(name).connect(two.broadcast(RATES)).process(KeyedRated()),
        "(String, Double)",
    ),
    "window join": (
        lambda one, two: joined(timed(one), timed_rates(two)).apply(lambda a, b: (a[0], a[1] * b[1])),
        "(String, Double)",
    ),
    "co group": (
        lambda one, two: (
            timed(one).co_group(timed_rates(two)).where(name).equal_to(name).window(WINDOWS).apply(Matched())
        ),
        "(String, Long, Long)",
    ),
    "interval join": (
        lambda one, two: (
            one.key_by(name)
            .interval_join(timed_rates(two).key_by(name))
            .between(Time.milliseconds(-50), Time.milliseconds(50))
            .process(Products())
        ),
        "(String, Double, Long)",
    ),
    "async": (
        lambda one, two: AsyncDataStream.unordered_wait(one, Later(), Time.seconds(10)),
        "(String, Long)",
    ),
    "union": (lambda one, two: one.map(name).union(two.map(name)), "String"),
    "generic dataclass": (
        lambda one, two: one.map(lambda v: Box(v, 1)),
        "Box(item: (String, Long), n: Long)",
    ),
    "its item": (lambda one, two: one.map(lambda v: Box(v, n=1)).map(lambda box: box.item[1]), "Long"),
    "replaced dataclass": (
        lambda one, two: one.map(lambda v: Box(v[1], 1)).map(lambda box: replace(box, n=2)),
        "Box(item: Long, n: Long)",
    ),
    "named tuple": (
        lambda one, two: one.map(lambda v: Named(*v)._replace(n=2)),
        "Named(name: String, n: Long)",
    ),
    "typed dict": (
        lambda one, two: one.map(lambda v: Entry(name=v[0], n=v[1])),
        "Entry(name: String, n: Long)",
    ),
    "its key": (
        lambda one, two: one.map(lambda v: Entry(name=v[0], n=v[1])).map(lambda entry: entry["n"]),
        "Long",
    ),
    "row": (lambda one, two: one.map(lambda v: Row(*v)), "RowTypeInfo(String, Long)"),
}


class OfRate(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return int(value[1] * 10)


def timed_rates(rates: Stream) -> Stream:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(OfRate())
    return rates.assign_timestamps_and_watermarks(strategy)


def outcome(build: Callable[[Stream, Stream], Stream], *, infer: bool) -> tuple[str, list[str]]:
    """Return the type of a stream, and the texts of its elements in order."""
    env = environment(infer=infer).set_parallelism(1)
    env.get_config().set_auto_watermark_interval(0)
    one = timed(env.from_collection([("a", 10), ("b", 25), ("a", 30), ("a", 5), ("b", 41)], PAIR))
    two = env.from_collection([("a", 0.5), ("b", 2.5)], RATE)
    stream = build(one, two)
    sent = stream.rebalance().map(lambda value: repr(value)).set_parallelism(2)
    with sent.execute_and_collect() as results:
        return str(stream.get_type()).replace("TupleTypeInfo(", "("), sorted(results)


@pytest.mark.parametrize("program", PROGRAMS)
def test_results_have_the_types_of_their_code(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pickled: list[Any] = []
    monkeypatch.setattr(batch_encoder, "count_pickled_batch", pickled.append)
    build, expected = PROGRAMS[program]
    found, inferred = outcome(build, infer=True)
    assert found.removesuffix(" (inferred)") == expected
    _, without = outcome(build, infer=False)
    assert inferred == without != []
    assert not pickled, "elements do not have the type"
