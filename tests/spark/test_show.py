"""A look at the first elements of a stream."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.common import Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import ConfigurationError
from tests.spark.test_results_as_they_come import PATIENCE, until

PAIR = Types.of(tuple[int, str | None])


def doubled(numbers: DataStream[int]) -> DataStream[int]:
    return numbers.map(lambda n: n * 2)


def opaque(numbers: DataStream[int]) -> DataStream[int]:
    def run(n: int) -> int:
        return int(eval("n * 2"))

    return numbers.map(run)


@pytest.mark.parametrize("doubling", [doubled, opaque])
def test_take_stops_a_job_that_would_not_end(
    spark: SparkSession, env2: StreamExecutionEnvironment, doubling: Callable[[Any], DataStream[int]]
) -> None:
    taken: list[int] = []
    taking = Thread(
        target=lambda: taken.extend(doubling(env2.generate_sequence(1, 10**12)).take(3)), daemon=True
    )
    taking.start()
    taking.join(PATIENCE)
    assert taken == [2, 4, 6]
    until(lambda: not spark.sparkContext.statusTracker().getActiveJobsIds())


def test_take_returns_fewer_where_there_are_no_more(env: StreamExecutionEnvironment) -> None:
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


@pytest.mark.parametrize("n", [0, -1, True, 1.0, "3", None])
def test_the_number_of_elements_must_be_a_positive_int(env: StreamExecutionEnvironment, n: Any) -> None:
    numbers = env.from_collection([1])
    for look in (numbers.take, numbers.show):
        with pytest.raises(ConfigurationError, match="n must be a positive int"):
            look(n)


@pytest.mark.parametrize("truncate", [0, True, "3"])
def test_the_width_of_cells_must_be_a_positive_int(env: StreamExecutionEnvironment, truncate: Any) -> None:
    with pytest.raises(ConfigurationError, match="truncate must be a positive int"):
        env.from_collection([1]).show(truncate=truncate)
