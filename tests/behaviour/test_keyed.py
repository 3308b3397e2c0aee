"""Keyed programs: each element is processed once with the state of its key, at any parallelism."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
import pydantic
import pytest

from pystream.common import Configuration, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    ProcessWindowFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors import NumberSequenceSource
from pystream.datastream.state import ListStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows
from pystream.errors import JobExecutionError

EVENT = Types.TUPLE([Types.STRING(), Types.LONG()])
MODES = [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH]
HIGH = OutputTag("high", EVENT)


class EventTime(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


def events(count: int, keys: int, seed: int) -> list[tuple[str, int]]:
    drawn = random.Random(seed)
    return [(f"k{drawn.randrange(keys)}", drawn.randrange(10_000)) for _ in range(count)]


@pytest.fixture(params=MODES, ids=lambda mode: mode.name)
def env(request: pytest.FixtureRequest, host: str, by_value: None) -> StreamExecutionEnvironment:
    environment = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)
    environment.set_runtime_mode(request.param)
    return environment


def collected(stream: Any) -> list[Any]:
    with stream.execute_and_collect() as results:
        return list(results)


@attrs.frozen
class Reading:
    sensor: str
    _value: float = attrs.field(alias="v")


class Total(pydantic.BaseModel):
    sensor: str
    total: float = 0.0


def to_total(reading: Reading) -> Total:
    return Total(sensor=reading.sensor, total=reading._value)


def test_attrs_classes_and_pydantic_models_can_be_elements(host: str, by_value: None) -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    given = [Reading("a", 1.0), Reading("b", 2.0), Reading("a", 4.0), Reading("c", -1.0)]
    readings = env.from_collection(given, Types.of(Reading)).filter(lambda r: r._value > 0)
    totals = readings.map(to_total).key_by("sensor").sum("total")
    assert totals.get_type() == Types.of(Total)
    expected = [Total(sensor="a", total=5.0), Total(sensor="b", total=2.0)]
    assert sorted(collected(totals), key=lambda t: t.sensor) == expected


@pytest.mark.parametrize("parallelism", [1, 3])
def test_sums_of_many_keys(env: StreamExecutionEnvironment, parallelism: int) -> None:
    env.set_parallelism(parallelism)
    given = events(5_000, 300, seed=1)
    sums = env.from_collection(given, EVENT).key_by(lambda e: e[0], Types.STRING()).sum(1)
    expected: Counter[str] = Counter()
    for key, value in given:
        expected[key] += value
    last: dict[str, int] = {}
    results = collected(sums)
    for key, value in results:
        last[key] = max(value, last.get(key, 0))
    assert last == expected
    is_batch = env._configuration.to_dict().get("execution.runtime-mode") == "BATCH"
    assert len(results) == (len(expected) if is_batch else len(given))


class Median(KeyedProcessFunction[Any, Any, Any]):
    """Keeps all values of a key, and emits their median at the time of the last one."""

    def open(self, runtime_context: Any) -> None:
        self._values = runtime_context.get_list_state(ListStateDescriptor("values", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        if value[1] > 9_000:
            yield HIGH, value
        self._values.add(value[1])
        ctx.timer_service().register_event_time_timer(10_000)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterable[Any]:
        values = sorted(self._values.get())
        self._values.clear()
        yield ctx.get_current_key(), values[len(values) // 2]


@pytest.mark.promise("beh:generator-outputs")
@pytest.mark.parametrize("assigner", [EventTime(), lambda event, _: event[1]])
def test_state_timers_and_side_outputs(env: StreamExecutionEnvironment, assigner: Any) -> None:
    env.set_parallelism(2)
    given = events(3_000, 50, seed=2)
    stream = env.from_collection(given, EVENT).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
    )
    medians = stream.key_by(lambda e: e[0], Types.STRING()).process(Median(), EVENT)
    values = defaultdict(list)
    for key, value in given:
        values[key].append(value)
    assert dict(collected(medians)) == {k: sorted(v)[len(v) // 2] for k, v in values.items()}
    high = collected(medians.get_side_output(HIGH))
    assert sorted(high) == sorted(event for event in given if event[1] > 9_000)


class Seen(KeyedProcessFunction[Any, Any, Any]):
    """Emits how many elements of its key a timer has seen that is due at once, and whether they are late."""

    def open(self, runtime_context: Any) -> None:
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> None:
        self._seen.update((self._seen.value() or 0) + 1)
        timers = ctx.timer_service()
        assert ctx.timestamp() > timers.current_watermark()
        timers.register_processing_time_timer(timers.current_processing_time())

    def on_timer(self, timestamp: int, ctx: Any) -> Iterable[Any]:
        yield ctx.get_current_key(), self._seen.value()


@pytest.mark.promise("beh:batch-mode-semantics")
def test_batch_mode_has_no_late_elements_and_no_processing_time_within_a_key(
    host: str, by_value: None
) -> None:
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    env.get_config().set_auto_watermark_interval(0)
    given = events(1_000, 20, seed=4)
    stream = env.from_collection(given, EVENT).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
    )
    keyed = stream.key_by(lambda e: e[0], Types.STRING())
    counts = Counter(key for key, _ in given)
    assert set(collected(keyed.process(Seen(), EVENT))) == set(counts.items())
    last = keyed.map(lambda e: (e[0], 1), EVENT).key_by(lambda e: e[0], Types.STRING())
    assert sorted(collected(last.reduce(lambda a, b: (a[0], a[1] + b[1])))) == sorted(counts.items())


class Enriched(KeyedCoProcessFunction[Any, Any, Any, Any]):
    """Emits orders with the name of their customer, in any order of arrival."""

    def open(self, runtime_context: Any) -> None:
        self._name = runtime_context.get_state(ValueStateDescriptor("name", Types.STRING()))
        self._waiting = runtime_context.get_list_state(ListStateDescriptor("waiting", Types.LONG()))

    def process_element1(self, value: Any, ctx: Any) -> Iterable[Any]:
        if self._name.value() is None:
            self._waiting.add(value[1])
        else:
            yield self._name.value(), value[1]

    def process_element2(self, value: Any, ctx: Any) -> Iterable[Any]:
        self._name.update(value[1])
        for order in self._waiting.get():
            yield value[1], order
        self._waiting.clear()


def test_two_inputs_share_the_state_of_a_key(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(2)
    orders = events(1_000, 40, seed=3)
    names = [(f"k{n}", f"name of {n}") for n in range(40)]
    enriched = (
        env.from_collection(orders, EVENT)
        .connect(env.from_collection(names, Types.TUPLE([Types.STRING(), Types.STRING()])))
        .key_by(lambda order: order[0], lambda name: name[0], Types.STRING())
        .process(Enriched(), EVENT)
    )
    assert sorted(collected(enriched)) == sorted((f"name of {key[1:]}", value) for key, value in orders)


class Extent(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        window = context.window()
        yield key, window.start, window.end, len(list(elements))


@pytest.mark.promise("beh:generator-outputs")
def test_tumbling_windows(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(2)
    given = events(2_000, 20, seed=4)
    stream = env.from_collection(given, EVENT).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
    )
    windows = stream.key_by(lambda e: e[0], Types.STRING()).window(
        TumblingEventTimeWindows.of(Time.milliseconds(500))
    )
    expected = Counter((key, time // 500 * 500, time // 500 * 500 + 500) for key, time in given)
    assert sorted(collected(windows.process(Extent()))) == sorted((*w, n) for w, n in expected.items())


def test_session_windows(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(2)
    given = events(300, 10, seed=5)
    stream = env.from_collection(given, EVENT).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
    )
    sessions = stream.key_by(lambda e: e[0], Types.STRING()).window(
        EventTimeSessionWindows.with_gap(Time.milliseconds(300))
    )
    expected = []
    for key in {key for key, _ in given}:
        times = sorted(time for own, time in given if own == key)
        start, last, count = times[0], times[0], 0
        for time in times:
            if time - last > 300:
                expected.append((key, start, last + 300, count))
                start, count = time, 0
            last, count = time, count + 1
        expected.append((key, start, last + 300, count))
    assert sorted(collected(sessions.process(Extent()))) == sorted(expected)


class SortedTimes(AggregateFunction[Any, list[int], list[int]]):
    """Collects times in the accumulator that it gets, and returns that."""

    def create_accumulator(self) -> list[int]:
        return []

    def add(self, value: Any, accumulator: list[int]) -> list[int]:
        accumulator.append(value[1])
        return accumulator

    def get_result(self, accumulator: list[int]) -> list[int]:
        return sorted(accumulator)

    def merge(self, acc_a: list[int], acc_b: list[int]) -> list[int]:
        acc_a.extend(acc_b)
        return acc_a


@pytest.mark.promise("beh:aggregate-merge-reuse")
def test_an_aggregate_function_may_change_and_return_its_accumulators(
    env: StreamExecutionEnvironment,
) -> None:
    given = [("a", 100), ("b", 100), ("a", 500), ("a", 300), ("b", 900)]
    times = env.from_collection(given, EVENT).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
    )
    sessions = times.key_by(lambda e: e[0], Types.STRING()).window(
        EventTimeSessionWindows.with_gap(Time.milliseconds(300))
    )
    assert sorted(collected(sessions.aggregate(SortedTimes()))) == [[100], [100, 300, 500], [900]]


@pytest.mark.promise("beh:reduce-same-type")
def test_reduce_keeps_the_type_down_to_one_value(env: StreamExecutionEnvironment) -> None:
    given = events(100, 3, seed=6)
    keyed = env.from_collection(given, EVENT).key_by(lambda e: e[0], Types.STRING())
    largest = keyed.reduce(lambda a, b: a if a[1] > b[1] else b)
    assert largest.get_type() == EVENT
    assert dict(collected(largest)) == {key: max(t for k, t in given if k == key) for key, _ in given}


class Alarm(KeyedProcessFunction[Any, Any, Any]):
    """Registers a timer an hour ahead."""

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        now = ctx.timer_service().current_processing_time()
        ctx.timer_service().register_processing_time_timer(now + 3_600_000)
        return ()

    def on_timer(self, timestamp: int, ctx: Any) -> Iterable[Any]:
        yield ctx.get_current_key(), ctx.time_domain().name


def test_timers_of_processing_time_left_at_the_end_fire(env: StreamExecutionEnvironment) -> None:
    alarms = env.from_collection(["a", "b"], Types.STRING()).key_by(lambda key: key).process(Alarm())
    assert sorted(collected(alarms)) == [("a", "PROCESSING_TIME"), ("b", "PROCESSING_TIME")]


def test_timers_of_processing_time_left_at_the_end_can_be_dropped(host: str, by_value: None) -> None:
    settings = Configuration.from_dict({"pystream.fire-timers-at-end": "false"})
    env = StreamExecutionEnvironment.get_execution_environment(settings)
    alarms = env.from_collection(["a", "b"], Types.STRING()).key_by(lambda key: key).process(Alarm())
    assert collected(alarms) == []


def test_a_failure_names_operator_element_and_key(env: StreamExecutionEnvironment) -> None:
    class Fails(KeyedProcessFunction[Any, Any, Any]):
        def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
            yield 1 // (value[1] - 7)

    keyed = env.from_collection([("a", 1), ("b", 7)], EVENT).key_by(lambda e: e[0], Types.STRING())
    with pytest.raises(JobExecutionError, match=r"KEYED PROCESS") as failure:
        collected(keyed.process(Fails()))
    assert "element: ('b', 7)" in str(failure.value)
    assert "key: 'b'" in str(failure.value)
    assert isinstance(failure.value.__cause__, ZeroDivisionError)


def test_an_element_without_a_key_fails(env: StreamExecutionEnvironment) -> None:
    keyed = env.from_collection([1, None, 2]).key_by(lambda n: n)
    with pytest.raises(JobExecutionError, match="the key is None; every element needs a key"):
        collected(keyed.reduce(lambda a, b: a))


class Tenfold(TimestampAssigner):
    def extract_timestamp(self, value: int, record_timestamp: int) -> int:
        return value * 10


class Times(ProcessFunction[int, tuple[int, int]]):
    def process_element(self, value: int, ctx: Any) -> Iterator[tuple[int, int]]:
        yield value, ctx.timestamp()


def test_a_source_assigns_the_times_of_its_strategy(env: StreamExecutionEnvironment) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Tenfold())
    numbers = env.from_source(NumberSequenceSource(1, 3), strategy, "numbers")
    times = numbers.process(Times(), Types.TUPLE([Types.LONG(), Types.LONG()]))
    assert sorted(times.execute_and_collect()) == [(1, 10), (2, 20), (3, 30)]
