"""Iterations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from pystream.common import Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AsyncDataStream,
    AsyncFunction,
    CoMapFunction,
    DataStream,
    FilterFunction,
    IterativeStream,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import ValueStateDescriptor
from pystream.errors import JobExecutionError, PlanError, PlanTypeError

PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


@pytest.fixture
def env(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    return env.set_parallelism(2)


class MinusOne(MapFunction[int, int]):
    def map(self, value: int) -> int:
        return value - 1


class PositiveNumber(FilterFunction[int]):
    def filter(self, value: int) -> bool:
        return value > 0


class LessEqualToZero(FilterFunction[int]):
    def filter(self, value: int) -> bool:
        return value <= 0


@pytest.mark.promise(
    "ex:J16",
    "DataStream.iterate",
    "IterativeStream",
    "IterativeStream.close_with",
    "beh:jython.iterate-feedback",
)
@pytest.mark.parametrize("parallelism", [1, 2])
def test_elements_return_until_none_is_left(env: StreamExecutionEnvironment, parallelism: int) -> None:
    env.set_parallelism(parallelism)
    iteration = env.from_collection([3, 1, 0, -5]).iterate(5000)
    body = iteration.map(MinusOne())
    iteration.close_with(body.filter(PositiveNumber()))
    assert sorted(body.filter(LessEqualToZero()).execute_and_collect()) == [-6, -1, 0, 0]


def test_a_deep_loop_ends(env: StreamExecutionEnvironment) -> None:
    loop = env.from_collection([(0, 5000), (0, 7)], PAIR).iterate()
    stepped = loop.map(lambda pair: (pair[0] + 1, pair[1]), PAIR)
    loop.close_with(stepped.filter(lambda pair: pair[0] < pair[1]))
    done = stepped.filter(lambda pair: pair[0] >= pair[1])
    assert sorted(done.execute_and_collect()) == [(7, 7), (5000, 5000)]


def test_a_loop_without_end_stops_once_enough_is_collected(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(1)
    loop = env.from_collection([1], Types.LONG()).iterate()
    doubled = loop.map(lambda value: value * 2, Types.LONG())
    loop.close_with(doubled)
    assert doubled.execute_and_collect(limit=5) == [2, 4, 8, 16, 32]


NEIGHBOURS = {1: [2, 8], 2: [1, 3], 3: [2], 4: [5], 5: [4], 6: [7], 7: [6, 8], 8: [7, 1], 9: []}


class KeepSmallest(KeyedProcessFunction[int, tuple[int, int], tuple[int, int]]):
    """Keeps the smallest label of each vertex, and emits every smaller one."""

    def open(self, runtime_context: Any) -> None:
        self.label = runtime_context.get_state(ValueStateDescriptor("label", Types.LONG()))

    def process_element(self, value: tuple[int, int], ctx: Any) -> Iterator[tuple[int, int]]:
        label = self.label.value()
        if label is None or value[1] < label:
            self.label.update(value[1])
            yield value


def spread(value: tuple[int, int]) -> Iterator[tuple[int, int]]:
    return ((neighbour, value[1]) for neighbour in NEIGHBOURS[value[0]])


def test_keyed_state_is_kept_in_all_rounds(env: StreamExecutionEnvironment) -> None:
    """The loop computes the connected components of a graph."""
    loop = env.from_collection([(vertex, vertex) for vertex in NEIGHBOURS], PAIR).iterate()
    changed = loop.key_by(lambda value: value[0]).process(KeepSmallest(), PAIR)
    loop.close_with(changed.flat_map(spread, PAIR))
    last: dict[int, int] = {}
    for vertex, label in changed.execute_and_collect():
        last[vertex] = min(label, last.get(vertex, label))
    assert last == {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 1, 7: 1, 8: 1, 9: 9}


class DescribeInput(CoMapFunction[int, int, str]):
    def map1(self, value: int) -> str:
        return f"even {value}"

    def map2(self, value: int) -> str:
        return f"odd {value}"


def test_branches_of_the_body_can_be_connected(env: StreamExecutionEnvironment) -> None:
    loop = env.from_collection([6], Types.LONG()).iterate()
    even = loop.filter(lambda value: value % 2 == 0)
    odd = loop.filter(lambda value: value % 2 == 1 and value > 1)
    steps = even.map(lambda value: value // 2, Types.LONG()).union(
        odd.map(lambda value: 3 * value + 1, Types.LONG())
    )
    loop.close_with(steps)
    told = even.connect(odd).map(DescribeInput(), Types.STRING())
    assert sorted(told.execute_and_collect()) == sorted(
        [f"even {n}" for n in (6, 10, 16, 8, 4, 2)] + [f"odd {n}" for n in (3, 5)]
    )


AGAIN = OutputTag("again", Types.LONG())


class Halve(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: Any) -> Iterator[Any]:
        if value % 2:
            yield value
        else:
            yield AGAIN, value // 2


def test_a_side_output_can_be_fed_back(env: StreamExecutionEnvironment) -> None:
    loop = env.from_collection([8, 12, 5], Types.LONG()).iterate()
    halved = loop.process(Halve(), Types.LONG())
    loop.close_with(halved.get_side_output(AGAIN))
    assert sorted(halved.execute_and_collect()) == [1, 3, 5]


def test_one_loop_after_another_and_one_within_another(env: StreamExecutionEnvironment) -> None:
    def counted_down(stream: DataStream[int], step: int) -> DataStream[int]:
        loop = stream.iterate()
        less = loop.map(lambda value: value - step, Types.LONG())
        loop.close_with(less.filter(lambda value: value > 0))
        return less.filter(lambda value: value <= 0)

    first = counted_down(env.from_collection([10], Types.LONG()), 3)
    again = counted_down(first.map(lambda value: value + 9, Types.LONG()), 2)
    assert list(again.execute_and_collect()) == [-1]  # 10 -> -2 -> 7 -> -1

    outer = env.from_collection([3], Types.LONG()).iterate()
    tens = outer.map(lambda value: value * 10, Types.LONG())
    inner = tens.iterate()
    less = inner.map(lambda value: value - 7, Types.LONG())
    inner.close_with(less.filter(lambda value: value > 0))
    small = less.filter(lambda value: value <= 0)
    outer.close_with(small.map(lambda value: value + 2, Types.LONG()).filter(lambda value: value > 0))
    assert list(small.execute_and_collect()) == [-5]  # 30, 23, 16, 9, 2, -5; -3 does not return to the loop


class First(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[0])


class HoldUntilTimestamp(KeyedProcessFunction[int, tuple[int, int], tuple[int, int]]):
    """Holds an element until the watermark reaches its timestamp."""

    def open(self, runtime_context: Any) -> None:
        self.held = runtime_context.get_state(ValueStateDescriptor("held", PAIR))

    def process_element(self, value: tuple[int, int], ctx: Any) -> None:
        self.held.update(value)
        ctx.timer_service().register_event_time_timer(ctx.timestamp())

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[tuple[int, int]]:
        yield self.held.value()


def test_results_of_timers_at_the_end_of_time_return_to_the_loop(env: StreamExecutionEnvironment) -> None:
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(First())
    loop = env.from_collection([(5, 2)], PAIR).assign_timestamps_and_watermarks(times).iterate()
    held = loop.key_by(lambda value: value[1]).process(HoldUntilTimestamp(), PAIR)
    loop.close_with(held.filter(lambda value: value[1] > 0).map(lambda value: (value[0], value[1] - 1), PAIR))
    assert sorted(held.execute_and_collect()) == [(5, 0), (5, 1), (5, 2)]


class HoldForAnHour(KeyedProcessFunction[int, tuple[int, int], tuple[int, int]]):
    """Holds an element for an hour of processing time."""

    def open(self, runtime_context: Any) -> None:
        self.held = runtime_context.get_state(ValueStateDescriptor("held", PAIR))

    def process_element(self, value: tuple[int, int], ctx: Any) -> None:
        self.held.update(value)
        timers = ctx.timer_service()
        timers.register_processing_time_timer(timers.current_processing_time() + 3_600_000)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[tuple[int, int]]:
        yield self.held.value()


def test_timers_of_processing_time_in_a_loop_fire_in_every_round(env: StreamExecutionEnvironment) -> None:
    loop = env.from_collection([(1, 2)], PAIR).iterate()
    joined = loop.union(loop.filter(lambda value: False))
    held = joined.key_by(lambda value: value[0]).process(HoldForAnHour(), PAIR)
    loop.close_with(held.filter(lambda value: value[1] > 0).map(lambda value: (value[0], value[1] - 1), PAIR))
    assert sorted(held.execute_and_collect()) == [(1, 0), (1, 1), (1, 2)]


class Ask(AsyncFunction[int, int]):
    async def async_invoke(self, value: int) -> list[int]:
        await asyncio.sleep(0.01)
        return [value + 1]


def test_results_of_asynchronous_calls_return_to_the_loop(env: StreamExecutionEnvironment) -> None:
    loop = env.from_collection([0, 10], Types.LONG()).iterate()
    asked = AsyncDataStream.unordered_wait(loop, Ask(), Time.seconds(60), 10, Types.LONG())
    loop.close_with(asked.filter(lambda value: value % 10 < 4))
    assert sorted(asked.execute_and_collect()) == [1, 2, 3, 4, 11, 12, 13, 14]


def test_changes_of_elements_in_the_loop_do_not_affect_emitted_elements(
    env: StreamExecutionEnvironment,
) -> None:
    def longer(values: list[int]) -> list[int]:
        values.append(len(values))
        return values

    loop = env.from_collection([[0]]).iterate()
    short = loop.map(longer).filter(lambda values: len(values) < 4)
    loop.close_with(short)
    assert sorted(short.execute_and_collect()) == [[0, 1], [0, 1, 2]]


@pytest.mark.promise("beh:iterations-no-checkpoint")
def test_checkpoints_and_batch_mode_are_refused(env: StreamExecutionEnvironment) -> None:
    def job() -> DataStream[int]:
        loop = env.from_collection([1], Types.LONG()).iterate()
        loop.close_with(loop.filter(lambda value: value < 0))
        return loop

    env.set_runtime_mode(RuntimeExecutionMode.AUTOMATIC)
    with pytest.raises(PlanError, match="iterations are not supported in batch mode"):
        job().execute_and_collect()
    env.set_runtime_mode(RuntimeExecutionMode.STREAMING)
    env.enable_checkpointing(1000)
    with pytest.raises(PlanError, match="cannot be combined with checkpoints"):
        job().execute_and_collect()


def test_wrong_feedback_is_refused_at_once(env: StreamExecutionEnvironment) -> None:
    source = env.from_collection([1], Types.LONG())
    loop = source.iterate()
    assert isinstance(loop, IterativeStream)
    with pytest.raises(PlanError, match="'Collection Source' is not made from the iteration 'Iteration'"):
        loop.close_with(source)
    with pytest.raises(PlanError, match=r"the iteration is of Long, but 'Map' produces String; set"):
        loop.close_with(loop.map(str, Types.STRING()))  # type: ignore[arg-type]
    with pytest.raises(PlanTypeError, match="close_with"):
        loop.close_with(3)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="must not be negative, but is -1"):
        source.iterate(-1)
    with pytest.raises(PlanTypeError, match=r"takes an int .*not 'a'"):
        source.iterate("a")  # type: ignore[arg-type]


def test_an_error_in_the_body_names_its_operator(env: StreamExecutionEnvironment) -> None:
    loop = env.from_collection([2], Types.LONG()).iterate()
    less = loop.map(lambda value: 10 // value - 5, Types.LONG()).name("step")
    loop.close_with(less)
    with pytest.raises(JobExecutionError, match=r"(?s)'step'.*ZeroDivisionError.*element: 0"):
        list(less.execute_and_collect())
