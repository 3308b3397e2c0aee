"""Asynchronous calls."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pystream.common import Time
from pystream.common.typeinfo import Types
from pystream.datastream import (
    AsyncDataStream,
    AsyncFunction,
    AsyncRetryStrategy,
    DataStream,
    StreamExecutionEnvironment,
)
from pystream.datastream.async_retry_predicates import has_exception_predicate
from pystream.errors import JobExecutionError, PlanError, PlanTypeError


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


class Square(AsyncFunction[int, int]):
    async def async_invoke(self, value: int) -> list[int]:
        await asyncio.sleep(0.001 * (value % 3))
        return [value * value]


class Stuck(AsyncFunction[int, int]):
    async def async_invoke(self, value: int) -> list[int]:
        await asyncio.Event().wait()
        return []


class NotAsync(AsyncFunction[int, int]):
    def async_invoke(self, value: int) -> list[int]:  # type: ignore[override]
        return [value]


def test_ordered_calls_keep_the_order(env: StreamExecutionEnvironment) -> None:
    numbers = env.generate_sequence(1, 500)
    squares = AsyncDataStream.ordered_wait(numbers, Square(), Time.seconds(60), 50)
    assert squares.get_type() == Types.LONG()
    assert collected(squares) == [value * value for value in range(1, 501)]


def test_unordered_calls_give_the_same_elements(env2: StreamExecutionEnvironment) -> None:
    numbers = env2.generate_sequence(1, 500)
    squares = AsyncDataStream.unordered_wait(numbers, Square(), Time.seconds(60), 50).map(lambda value: value)
    assert sorted(collected(squares)) == [value * value for value in range(1, 501)]


def test_a_call_that_takes_too_long_fails_the_job(env: StreamExecutionEnvironment) -> None:
    stuck = AsyncDataStream.unordered_wait(env.generate_sequence(7, 7), Stuck(), Time.milliseconds(5))
    with pytest.raises(JobExecutionError, match=r"'async wait operator'(.|\n)*TimeoutError(.|\n)*element: 7"):
        collected(stuck)


def test_wrong_arguments_are_refused(env: StreamExecutionEnvironment) -> None:
    numbers: Any = env.generate_sequence(1, 3)
    minute: Any = Time.minutes(1)
    wait: Any = AsyncDataStream.ordered_wait
    retry: Any = AsyncDataStream.unordered_wait_with_retry
    with pytest.raises(
        PlanTypeError, match=r"async_invoke of NotAsync at .* must be declared with async def"
    ):
        wait(numbers, NotAsync(), minute)
    with pytest.raises(PlanTypeError, match="takes an AsyncFunction, not 7"):
        wait(numbers, 7, minute)
    with pytest.raises(PlanTypeError, match=r"takes a Time .*not 7 .*as timeout"):
        wait(numbers, Square(), 7)
    with pytest.raises(PlanTypeError, match="takes an AsyncRetryStrategy, not None"):
        retry(numbers, Square(), minute, None)
    with pytest.raises(PlanError, match="capacity must be an int above 0, not 0"):
        wait(numbers, Square(), minute, 0)
    fixed: Any = AsyncRetryStrategy.fixed_delay(1, 1, None, has_exception_predicate)
    with pytest.raises(PlanError, match="with a retry strategy the timeout must be above 0, not 0 ms"):
        retry(numbers, Square(), Time.seconds(0), fixed)
    with pytest.raises(PlanError, match="contradicts"):
        wait(numbers, Square(), minute, 10, Types.STRING())
