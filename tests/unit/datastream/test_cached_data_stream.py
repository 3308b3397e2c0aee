"""Caching of streams while a program is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import DataStream, OutputTag, StreamExecutionEnvironment
from pystream.datastream.data_stream import CachedDataStream
from pystream.errors import PlanError


@pytest.fixture
def numbers() -> DataStream[int]:
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)
    return env.from_collection([1, 2, 3], Types.INT())


def test_it_is_a_stream_of_the_same_type(numbers: DataStream[int]) -> None:
    cached = numbers.map(str, Types.STRING()).set_parallelism(3).cache()
    assert isinstance(cached, CachedDataStream)
    assert cached.get_type() == Types.STRING()
    assert cached.get_parallelism() == 3
    assert cached.get_name() == "Cache"


def test_it_has_the_parallelism_of_the_cached_operator(numbers: DataStream[int]) -> None:
    cached = numbers.map(str, Types.STRING()).cache()
    cached._environment.set_parallelism(5)
    assert cached.get_parallelism() == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda numbers: numbers.rebalance(),
        lambda numbers: numbers.union(numbers),
        lambda numbers: numbers.key_by(lambda n: n),
        lambda numbers: numbers.iterate(),
        lambda numbers: numbers.cache(),
    ],
)
def test_only_results_of_operators_can_be_cached(
    numbers: DataStream[int], make: Callable[[Any], DataStream[int]]
) -> None:
    with pytest.raises(PlanError, match="not an operator"):
        make(numbers).cache()


def test_it_has_no_settings_of_its_own(numbers: DataStream[int]) -> None:
    with pytest.raises(PlanError, match=r"parallelism cannot be set on a cached stream.* before cache\(\)"):
        numbers.cache().set_parallelism(3)


def test_it_has_no_side_outputs(numbers: DataStream[int]) -> None:
    with pytest.raises(PlanError, match="'Cache' has no side outputs"):
        numbers.cache().get_side_output(OutputTag("odd", Types.INT()))


def test_it_cannot_be_fed_back(numbers: DataStream[int]) -> None:
    loop = numbers.iterate()
    body = loop.map(lambda n: n - 1, Types.INT())
    cached = body.cache()
    with pytest.raises(PlanError, match="feed back the stream that was cached"):
        loop.close_with(cached.filter(lambda n: n > 0))
    loop.close_with(body.filter(lambda n: n > 0))


def test_the_result_of_a_cached_stream_can_be_iterated(numbers: DataStream[int]) -> None:
    loop = numbers.cache().iterate()
    loop.close_with(loop.map(lambda n: n - 1, Types.INT()).filter(lambda n: n > 0))
