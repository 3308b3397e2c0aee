"""``take`` and ``show``: the first elements of a stream."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.common import Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import ConfigurationError
from tests.behaviour.test_results_as_they_come import PATIENCE, wait_until
from tests.explained import paths

PAIR = Types.of(tuple[int, str | None])


def doubled(numbers: DataStream[int]) -> DataStream[int]:
    return numbers.map(lambda n: n * 2)


def opaque(numbers: DataStream[int]) -> DataStream[int]:
    def run(n: int) -> int:
        return int(eval("n * 2"))

    return numbers.map(run)


def taken_within(patience: float, stream: DataStream[Any], n: int) -> list[Any]:
    """Return the result of ``take``, called in a thread because it may never return."""
    taken: list[Any] = []
    taking = Thread(target=lambda: taken.extend(stream.take(n)), daemon=True)
    taking.start()
    taking.join(patience)
    return taken


@pytest.mark.parametrize("doubling", [doubled, opaque])
def test_take_stops_an_endless_job(
    spark: SparkSession, env2: StreamExecutionEnvironment, doubling: Callable[[Any], DataStream[int]]
) -> None:
    assert taken_within(PATIENCE, doubling(env2.generate_sequence(1, 10**12)), 3) == [2, 4, 6]
    wait_until(lambda: not spark.sparkContext.statusTracker().getActiveJobsIds())


RARE: dict[str, Callable[[DataStream[int]], DataStream[int]]] = {
    "native": lambda numbers: numbers.filter(lambda n: n == 77),
    "native flat map": lambda numbers: numbers.flat_map(lambda n: [n] if n == 77 else [], Types.LONG()),
    "native, then a Python map": lambda numbers: numbers.filter(lambda n: n == 77).map(
        lambda n: int(eval("n")), Types.LONG()
    ),
    "native, then a Python filter": lambda numbers: numbers.filter(lambda n: n % 7 == 0).filter(
        lambda n: bool(eval("n == 77"))
    ),
    "Python": lambda numbers: numbers.filter(lambda n: bool(eval("n == 77"))),
}


@pytest.mark.parametrize("source", ["sequence", "table"])
@pytest.mark.parametrize("name", RARE)
def test_take_waits_only_for_the_requested_elements(
    spark: SparkSession, env2: StreamExecutionEnvironment, name: str, source: str
) -> None:
    numbers = env2.generate_sequence(1, 10**12)
    if source == "table":
        numbers = env2.from_data_frame(spark.range(1, 10**12, 1, 2)).map(lambda row: row.id, Types.LONG())
    found = RARE[name](numbers)
    assert ("native" in paths(found)) == (source == "table" or name != "Python")
    assert taken_within(PATIENCE, found, 1) == [77]
    wait_until(lambda: not spark.sparkContext.statusTracker().getActiveJobsIds())


def test_a_limited_native_job_keeps_the_order_and_the_count(env2: StreamExecutionEnvironment) -> None:
    even = env2.generate_sequence(1, 100).filter(lambda n: n % 2 == 0)
    assert even.take(40) == list(range(2, 81, 2))  # beyond the first subtask's share
    assert even.take(60) == list(range(2, 101, 2))


@pytest.mark.spark_only("lifted functions run as expressions of Spark")
def test_a_limited_native_job_continues_in_python(env2: StreamExecutionEnvironment) -> None:
    """An expression fails before results are read: they are returned once, in the order of subtasks."""
    numbers = env2.generate_sequence(1, 100).filter(lambda n: n * 10**17 > 0)
    assert "native" in paths(numbers)
    assert numbers.take(99) == list(range(1, 100))


def test_take_returns_fewer_elements_if_there_are_no_more(env: StreamExecutionEnvironment) -> None:
    assert env.from_collection([1, 2], Types.LONG()).take(5) == [1, 2]


def test_take_leaves_sinks_for_execute(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = env.from_collection([1, 2], Types.LONG())
    numbers.print()
    assert numbers.take(1) == [1]
    assert capsys.readouterr().out == ""
    env.execute()
    assert capsys.readouterr().out == "1\n2\n"


def test_show_prints_the_first_elements_and_says_that_there_are_more(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = env.from_collection([(1, "a"), (20, "b" * 50), (3, None)], PAIR).key_by(lambda pair: 0)
    assert pairs.show(2) is None
    assert capsys.readouterr().out == (
        "f0  f1\n--  " + "-" * 40 + "\n 1  a\n20  " + "b" * 37 + "...\nonly the first 2\n"
    )
    pairs.show(3, truncate=None)
    assert capsys.readouterr().out == (
        "f0  f1\n--  " + "-" * 50 + "\n 1  a\n20  " + "b" * 50 + "\n 3  null\n"
    )


@pytest.mark.parametrize("n", [-1, True, 1.0, "3", None])
def test_the_number_of_elements_must_be_an_int_of_0_or_more(env: StreamExecutionEnvironment, n: Any) -> None:
    numbers = env.from_collection([1])
    for look in (numbers.take, numbers.show):
        with pytest.raises(ConfigurationError, match=r"n must be an int of 0 or more|takes an int .*as n"):
            look(n)


def test_the_number_of_elements_may_be_0(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = env.from_collection([(1, "a")], PAIR)
    assert pairs.take(0) == []
    pairs.show(0)
    assert capsys.readouterr().out == "f0  f1\n--  --\nonly the first 0\n"


@pytest.mark.parametrize("truncate", [0, True, "3"])
def test_the_width_of_cells_must_be_a_positive_int(env: StreamExecutionEnvironment, truncate: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"truncate must be an int|takes an int .*as truncate"):
        env.from_collection([1]).show(truncate=truncate)
