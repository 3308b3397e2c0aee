"""Partitioning: how elements are distributed among the subtasks of the next operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common.typeinfo import Types
from pystream.datastream import (
    DataStream,
    KeySelector,
    MapFunction,
    Partitioner,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.errors import JobExecutionError, PlanError


class WithSubtask(MapFunction[Any, tuple[int, Any]]):
    """Pairs each element with the number of its subtask."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.subtask = runtime_context.get_index_of_this_subtask()

    def map(self, value: Any) -> tuple[int, Any]:
        return self.subtask, value


class Modulo(Partitioner[int]):
    def partition(self, key: int, num_partitions: int) -> int:
        return key % num_partitions


class Negated(KeySelector[int, int]):
    def get_key(self, value: int) -> int:
        return -value


def numbers(env: StreamExecutionEnvironment, count: int) -> DataStream[int]:
    return env.from_collection(range(count), type_info=Types.INT())


def spread(env: StreamExecutionEnvironment, count: int, over: int) -> DataStream[tuple[int, int]]:
    """Return ``(subtask, number)`` pairs, evenly distributed among the subtasks of a map."""
    return numbers(env, count).rebalance().map(WithSubtask()).set_parallelism(over)


def elements_by_subtask(stream: DataStream[Any], parallelism: int = 2) -> list[list[Any]]:
    """Return the elements of each subtask of a map after the stream, in order."""
    seen: list[list[Any]] = [[] for _ in range(parallelism)]
    with stream.map(WithSubtask()).set_parallelism(parallelism).execute_and_collect() as pairs:
        for subtask, value in pairs:
            seen[subtask].append(value)
    return seen


@pytest.mark.promise("beh:rebalance-round-robin")
def test_rebalance_distributes_elements_round_robin(env2: StreamExecutionEnvironment) -> None:
    assert sorted(elements_by_subtask(numbers(env2, 10).rebalance())) == [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9]]


def test_rebalance_distributes_the_elements_of_each_parallel_subtask(
    env2: StreamExecutionEnvironment,
) -> None:
    for seen in elements_by_subtask(spread(env2, 12, over=2).rebalance(), parallelism=3):
        assert sorted(upstream for upstream, _ in seen) == [0, 0, 1, 1]


def test_a_change_of_parallelism_rebalances(env2: StreamExecutionEnvironment) -> None:
    assert [len(seen) for seen in elements_by_subtask(numbers(env2, 10))] == [5, 5]


@pytest.mark.promise("beh:rescale-2-4")
def test_rescale_to_more_subtasks_sends_the_elements_of_each_to_two(env2: StreamExecutionEnvironment) -> None:
    seen = elements_by_subtask(spread(env2, 16, over=2).rescale(), parallelism=4)
    assert [{upstream for upstream, _ in pairs} for pairs in seen] == [{0}, {0}, {1}, {1}]
    assert [len(pairs) for pairs in seen] == [4, 4, 4, 4]


def test_rescale_to_fewer_subtasks_merges_the_elements_of_two(env2: StreamExecutionEnvironment) -> None:
    seen = elements_by_subtask(spread(env2, 16, over=4).rescale())
    assert [{upstream for upstream, _ in pairs} for pairs in seen] == [{0, 1}, {2, 3}]
    assert [len(pairs) for pairs in seen] == [8, 8]


@pytest.mark.promise("beh:broadcast-every-instance")
def test_broadcast_sends_every_element_to_every_subtask(env2: StreamExecutionEnvironment) -> None:
    assert elements_by_subtask(numbers(env2, 3).broadcast()) == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.spark_only("a data frame is Spark's")
def test_broadcast_elements_are_collected_once(env2: StreamExecutionEnvironment) -> None:
    both = numbers(env2, 2).broadcast().union(numbers(env2, 3).broadcast())
    with both.execute_and_collect() as elements:
        assert sorted(elements) == [0, 0, 1, 1, 2]
    assert sorted(both.to_data_frame().toPandas()["value"]) == [0, 0, 1, 1, 2]


def test_global_sends_everything_to_the_first_subtask(env2: StreamExecutionEnvironment) -> None:
    assert elements_by_subtask(getattr(numbers(env2, 4), "global")()) == [[0, 1, 2, 3], []]


def test_shuffle_keeps_every_element_and_uses_every_subtask(env2: StreamExecutionEnvironment) -> None:
    first, second = elements_by_subtask(numbers(env2, 200).shuffle())
    assert sorted(first + second) == list(range(200))
    assert first
    assert second


def test_forward_keeps_elements_in_their_subtask(env2: StreamExecutionEnvironment) -> None:
    for subtask, seen in enumerate(elements_by_subtask(spread(env2, 10, over=2).forward())):
        assert {upstream for upstream, _ in seen} == {subtask}


def test_a_union_keeps_elements_in_their_subtask(env2: StreamExecutionEnvironment) -> None:
    for subtask, seen in enumerate(
        elements_by_subtask(spread(env2, 10, over=2).union(spread(env2, 6, over=2)))
    ):
        assert len(seen) == 8
        assert {upstream for upstream, _ in seen} == {subtask}


def test_forward_refuses_another_parallelism(env2: StreamExecutionEnvironment) -> None:
    stream = numbers(env2, 2).forward().map(WithSubtask()).name("after")
    with pytest.raises(PlanError, match=r"forward\(\).*parallelism 1.*'after' \(parallelism 2"):
        stream.execute_and_collect()


def test_partition_custom_takes_functions(env2: StreamExecutionEnvironment) -> None:
    stream = numbers(env2, 6).partition_custom(lambda key, count: key % count, lambda value: value + 1)
    assert elements_by_subtask(stream) == [[1, 3, 5], [0, 2, 4]]


def test_partition_custom_takes_function_objects(env2: StreamExecutionEnvironment) -> None:
    assert elements_by_subtask(numbers(env2, 6).partition_custom(Modulo(), Negated()), 3) == [
        [0, 3],
        [2, 5],
        [1, 4],
    ]


@pytest.mark.parametrize("target", [2, -1, "x", None, True])
def test_partition_custom_refuses_a_target_that_is_not_a_subtask(
    env2: StreamExecutionEnvironment, target: Any
) -> None:
    partitioner: Callable[[int, int], Any] = lambda key, count: target  # noqa: E731
    stream = numbers(env2, 1).partition_custom(partitioner, lambda value: value + 40)
    with pytest.raises(JobExecutionError) as failure:
        elements_by_subtask(stream)
    message = str(failure.value)
    assert f"{target!r} for the key 40" in message
    assert "0 to 1" in message
    assert "Custom" in message


def test_the_last_partitioning_applies(env2: StreamExecutionEnvironment) -> None:
    assert elements_by_subtask(numbers(env2, 2).shuffle().broadcast()) == [[0, 1], [0, 1]]


def test_order_is_kept_within_a_channel(env2: StreamExecutionEnvironment) -> None:
    for seen in elements_by_subtask(spread(env2, 40, over=2).rebalance()):
        for channel in (0, 1):
            values = [value for upstream, value in seen if upstream == channel]
            assert values == sorted(values)
