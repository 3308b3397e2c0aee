"""Window joins, co-groups and interval joins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pystream.common import Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    CoGroupFunction,
    DataStream,
    FlatJoinFunction,
    JoinFunction,
    OutputTag,
    ProcessJoinFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import JobExecutionError, PlanError, PlanTypeError

ORDER = Types.TUPLE([Types.STRING(), Types.LONG()])
ORDERS = [("a", 1), ("a", 4), ("b", 2), ("a", 12), ("c", 13), ("a", 18)]
BILLS = [("a", 3), ("b", 11), ("a", 5), ("a", 17), ("d", 2)]
TENS = TumblingEventTimeWindows.of(Time.milliseconds(10))
MODES = pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])


class Second(TimestampAssigner):
    def extract_timestamp(self, value: tuple[str, int], record_timestamp: int) -> int:
        return value[1]


class Both(JoinFunction[tuple[str, int], tuple[str, int], str]):
    def open(self, runtime_context: Any) -> None:
        self.sign = "+" if runtime_context.get_index_of_this_subtask() >= 0 else "?"

    def join(self, first: tuple[str, int], second: tuple[str, int]) -> str:
        return f"{first[0]}{first[1]}{self.sign}{second[0]}{second[1]}"


class Earlier(FlatJoinFunction[tuple[str, int], tuple[str, int], int]):
    def join(self, first: tuple[str, int], second: tuple[str, int]) -> Iterable[int] | None:
        return [first[1], -second[1]] if first[1] < second[1] else None


class Sides(CoGroupFunction[tuple[str, int], tuple[str, int], tuple[list[int], list[int]]]):
    def co_group(
        self, first: Iterable[tuple[str, int]], second: Iterable[tuple[str, int]]
    ) -> Iterator[tuple[list[int], list[int]]]:
        yield sorted(time for _, time in first), sorted(time for _, time in second)


class Distance(ProcessJoinFunction[tuple[str, int], tuple[str, int], tuple[str, int, int]]):
    def process_element(
        self, left: tuple[str, int], right: tuple[str, int], ctx: ProcessJoinFunction.Context
    ) -> Iterator[tuple[str, int, int]]:
        yield left[0], ctx.get_left_timestamp(), ctx.get_right_timestamp()


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


def timed(env: StreamExecutionEnvironment, values: list[tuple[str, int]]) -> DataStream[tuple[str, int]]:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
    return env.from_collection(values, ORDER).assign_timestamps_and_watermarks(strategy)


def keyed(env: StreamExecutionEnvironment) -> tuple[Any, Any]:
    return timed(env, ORDERS).key_by(0), timed(env, BILLS).key_by(0)


def joined(env: StreamExecutionEnvironment) -> Any:
    return timed(env, ORDERS).join(timed(env, BILLS)).where(0).equal_to(lambda bill: bill[0], Types.STRING())


@MODES
def test_a_window_join_emits_all_pairs_of_a_key_and_window(
    env2: StreamExecutionEnvironment, mode: RuntimeExecutionMode
) -> None:
    env2.set_runtime_mode(mode)
    results = joined(env2).window(TENS).apply(Both())
    assert results.get_type() == Types.STRING()
    assert sorted(collected(results)) == ["a1+a3", "a1+a5", "a12+a17", "a18+a17", "a4+a3", "a4+a5"]


def test_a_window_join_takes_functions_and_flat_functions(env: StreamExecutionEnvironment) -> None:
    pairs = joined(env).window(TENS).apply(lambda order, bill: order[1] * bill[1], Types.LONG())
    assert sorted(collected(pairs)) == [3, 5, 12, 20, 12 * 17, 17 * 18]
    flat = joined(env).window(TENS).apply(Earlier())
    assert sorted(collected(flat)) == sorted([1, -3, 1, -5, 4, -5, 12, -17])


@MODES
def test_a_co_group_includes_keys_of_only_one_stream(
    env2: StreamExecutionEnvironment, mode: RuntimeExecutionMode
) -> None:
    env2.set_runtime_mode(mode)
    grouped: Any = timed(env2, ORDERS).co_group(timed(env2, BILLS)).where(0).equal_to(0)
    results = collected(grouped.window(TENS).apply(Sides()))
    assert sorted(results) == sorted(
        [([1, 4], [3, 5]), ([2], []), ([12, 18], [17]), ([13], []), ([], [11]), ([], [2])]
    )


def test_elements_may_be_none_in_both_streams(env: StreamExecutionEnvironment) -> None:
    maybe = Types.of(int | None)
    strategy: Any = WatermarkStrategy.no_watermarks().with_timestamp_assigner(Constant())
    ones, twos = (
        env.from_collection(values, maybe).assign_timestamps_and_watermarks(strategy)
        for values in ([None, 1], [2, None])
    )
    grouped: Any = ones.co_group(twos).where(lambda _: 0).equal_to(lambda _: 0)
    (sides,) = collected(grouped.window(TENS).apply(lambda first, second: [(list(first), list(second))]))
    assert [sorted(side, key=str) for side in sides] == [[1, None], [2, None]]


class Constant(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return 5


@MODES
def test_an_interval_join_pairs_elements_within_the_bounds(
    env2: StreamExecutionEnvironment, mode: RuntimeExecutionMode
) -> None:
    env2.set_runtime_mode(mode)
    orders, bills = keyed(env2)
    within = orders.interval_join(bills).between(Time.milliseconds(-1), Time.milliseconds(5))
    assert sorted(collected(within.process(Distance()))) == [
        ("a", 1, 3), ("a", 1, 5), ("a", 4, 3), ("a", 4, 5), ("a", 12, 17), ("a", 18, 17),
    ]  # fmt: skip


def test_the_bounds_may_be_exclusive(env: StreamExecutionEnvironment) -> None:
    orders, bills = keyed(env)
    within = orders.interval_join(bills).between(Time.milliseconds(-1), Time.milliseconds(5))
    pairs = within.lower_bound_exclusive().upper_bound_exclusive().process(Distance())
    assert sorted(collected(pairs)) == [("a", 1, 3), ("a", 1, 5), ("a", 4, 5)]


def test_late_elements_of_an_interval_join_have_side_outputs(env: StreamExecutionEnvironment) -> None:
    tag: OutputTag[tuple[str, int]] = OutputTag("late", ORDER)
    orders, bills = keyed(env)
    results = (
        orders.interval_join(bills)
        .between(Time.milliseconds(0), Time.milliseconds(5))
        .side_output_left_late_data(tag)
        .side_output_right_late_data(tag)
        .process(Distance())
    )
    assert collected(results.get_side_output(tag)) == []


def test_an_interval_join_needs_event_times(env: StreamExecutionEnvironment) -> None:
    orders: Any = env.from_collection(ORDERS, ORDER).key_by(0)
    same = Time.milliseconds(0)
    with pytest.raises(JobExecutionError, match=r"'Interval Join'(.|\n)*assign_timestamps_and_watermarks"):
        collected(orders.interval_join(orders).between(same, same).process(Distance()))


def test_wrong_arguments_are_refused(env: StreamExecutionEnvironment) -> None:
    orders: Any = timed(env, ORDERS)
    by_name: Any = orders.key_by(0)
    one, two = Time.milliseconds(1), Time.milliseconds(2)
    with pytest.raises(PlanTypeError, match="interval_join takes a KeyedStream"):
        by_name.interval_join(orders)
    with pytest.raises(PlanError, match="the keys are String and Long"):
        by_name.interval_join(orders.key_by(1))
    with pytest.raises(PlanError, match="from 2 ms to 1 ms is empty"):
        by_name.interval_join(by_name).between(two, one).process(Distance())
    with pytest.raises(PlanError, match="from 1 ms to 1 ms, without its bounds, is empty"):
        by_name.interval_join(by_name).between(one, one).lower_bound_exclusive().process(Distance())
    with pytest.raises(PlanTypeError, match="process takes a ProcessJoinFunction, not 7"):
        by_name.interval_join(by_name).between(one, two).process(7)
    with pytest.raises(PlanTypeError, match="takes an OutputTag, not 7"):
        by_name.interval_join(by_name).between(one, two).side_output_left_late_data(7)
    with pytest.raises(PlanError, match="equal_to: the keys are String and Long"):
        orders.join(orders).where(0).equal_to(1)
    with pytest.raises(PlanTypeError, match="join takes a DataStream, not 7"):
        orders.join(7)
    other: Any = timed(StreamExecutionEnvironment.get_execution_environment(), BILLS)
    with pytest.raises(PlanError, match="different environments"):
        orders.co_group(other)
    with pytest.raises(PlanTypeError, match="instance of Both, not the class"):
        joined(env).window(TENS).apply(Both)
