"""Asynchronous calls: order, timeouts, retries, and errors."""

from __future__ import annotations

import asyncio

from pystream.common import Time
from pystream.common.typeinfo import Types
from pystream.datastream import AsyncDataStream, AsyncFunction, MapFunction
from pystream.datastream.async_retry_predicates import empty_result_predicate, has_exception_predicate
from pystream.datastream.async_retry_strategies import (
    ExponentialBackoffDelayRetryStrategy,
    FixedDelayRetryStrategy,
    NoRetryStrategy,
)


def _numbers(env, *values):
    return env.from_collection(list(values), type_info=Types.INT())


def _sorted(stream):
    return sorted(stream.execute_and_collect(limit=1000), key=str)


class _Twice(AsyncFunction):
    async def async_invoke(self, value):
        await asyncio.sleep(0.01 * (5 - value))
        return [value, value * 2]


class _NoResults(AsyncFunction):
    async def async_invoke(self, value):
        return []


class _NoList(AsyncFunction):
    async def async_invoke(self, value):
        return None


class _Number(AsyncFunction):
    async def async_invoke(self, value):
        return value


class _Slow(AsyncFunction):
    async def async_invoke(self, value):
        await asyncio.sleep(1000)
        return [value]


class _SlowWithAnswer(_Slow):
    def timeout(self, value):
        return [-value]


class _Attempts(AsyncFunction):
    def open(self, runtime_context):
        self.attempts = {}

    async def async_invoke(self, value):
        self.attempts[value] = attempt = self.attempts.get(value, 0) + 1
        if attempt < 3:
            return []
        return [(value, attempt)]


class _FailingAttempts(_Attempts):
    async def async_invoke(self, value):
        self.attempts[value] = attempt = self.attempts.get(value, 0) + 1
        if attempt < 3:
            raise ValueError(f"attempt {attempt}")
        return [(value, attempt)]


class _NotAsync(AsyncFunction):
    def async_invoke(self, value):
        return [value]


class _Opened(AsyncFunction):
    def open(self, runtime_context):
        self.base = 100 + runtime_context.get_index_of_this_subtask()

    async def async_invoke(self, value):
        return [self.base + value]


class _PlusOne(MapFunction):
    def map(self, value):
        return value + 1


def ordered(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1, 2, 3), _Twice(), Time.seconds(60), 10, Types.INT())


def ordered_with_capacity_of_one(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1, 2, 3), _Twice(), Time.seconds(60), 1, Types.INT())


def unordered(env):
    stream = AsyncDataStream.unordered_wait(
        _numbers(env, 1, 2, 3), _Twice(), Time.seconds(60), 10, Types.INT()
    )
    return _sorted(stream)


def pickled(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1, 2, 3), _Twice(), Time.seconds(60))


def between_other_operators(env):
    stream = AsyncDataStream.ordered_wait(
        _numbers(env, 1, 2, 3).map(_PlusOne(), Types.INT()), _Twice(), Time.seconds(60), 2, Types.INT()
    )
    return stream.map(_PlusOne(), Types.INT())


def no_results(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1, 2), _NoResults(), Time.seconds(60), 2, Types.INT())


def no_list(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1), _NoList(), Time.seconds(60), 2, Types.INT())


def a_number(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1), _Number(), Time.seconds(60), 2, Types.INT())


def too_slow(env):
    return AsyncDataStream.unordered_wait(_numbers(env, 1), _Slow(), Time.milliseconds(50), 2, Types.INT())


def too_slow_with_an_answer(env):
    return AsyncDataStream.ordered_wait(
        _numbers(env, 1, 2), _SlowWithAnswer(), Time.milliseconds(50), 2, Types.INT()
    )


def opened(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1, 2), _Opened(), Time.seconds(60), 2, Types.INT())


def tried_again_without_results(env):
    strategy = FixedDelayRetryStrategy(5, 10, empty_result_predicate, None)
    return AsyncDataStream.ordered_wait_with_retry(
        _numbers(env, 1, 2), _Attempts(), Time.seconds(60), strategy
    )


def tried_again_after_failures(env):
    strategy = ExponentialBackoffDelayRetryStrategy(5, 5, 100, 2.0, None, has_exception_predicate)
    stream = AsyncDataStream.unordered_wait_with_retry(
        _numbers(env, 1, 2), _FailingAttempts(), Time.seconds(60), strategy
    )
    return _sorted(stream)


def tried_again_too_seldom(env):
    strategy = FixedDelayRetryStrategy(1, 10, empty_result_predicate, None)
    return AsyncDataStream.ordered_wait_with_retry(
        _numbers(env, 1, 2), _Attempts(), Time.seconds(60), strategy
    )


def backoff_times(env):
    strategy = ExponentialBackoffDelayRetryStrategy(3, 100, 350, 2.0, None, None)
    return [
        [strategy.get_backoff_time_millis(attempts) for attempts in (1, 2, 3, 4)],
        [strategy.can_retry(attempts) for attempts in (1, 3, 4)],
        NoRetryStrategy().can_retry(1),
        NoRetryStrategy().get_backoff_time_millis(1),
    ]


def name_of_the_operator(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1), _Twice(), Time.seconds(60)).get_name()


def refused_without_async(env):
    return AsyncDataStream.ordered_wait(_numbers(env, 1), _NotAsync(), Time.seconds(60))


def refused_retry_without_timeout(env):
    strategy = FixedDelayRetryStrategy(1, 10, empty_result_predicate, None)
    return AsyncDataStream.ordered_wait_with_retry(_numbers(env, 1), _Twice(), Time.seconds(0), strategy)


def refused_without_strategy(env):
    return AsyncDataStream.ordered_wait_with_retry(_numbers(env, 1), _Twice(), Time.seconds(1), None)
