"""Asynchronous calls for rows: order, number at a time, retries, time limits, errors."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from pystream.engine.async_calls import AsyncCalls
from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import AsyncCallSettings


@pytest.fixture
def calls() -> Iterator[AsyncCalls]:
    made = AsyncCalls(AsyncCallSettings(at_once=2, timeout=0.1, attempts=3, delay=0.001))
    yield made
    made.close()


class Waiting:
    """Count the calls that wait at the same time."""

    def __init__(self) -> None:
        self.now = 0
        self.most = 0

    async def call(self, turns: int, result: str) -> str:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(turns):
            await asyncio.sleep(0)
        self.now -= 1
        return result


def test_results_have_the_order_of_rows(calls: AsyncCalls) -> None:
    rows = [(9, "a"), (0, "b"), (5, "c")]
    assert calls.results(Waiting().call, rows) == ["a", "b", "c"]


def test_as_many_calls_wait_as_may(calls: AsyncCalls) -> None:
    waiting = Waiting()
    assert calls.results(waiting.call, [(3, str(n)) for n in range(7)]) == [str(n) for n in range(7)]
    assert waiting.most == 2


def test_no_rows_have_no_results(calls: AsyncCalls) -> None:
    assert calls.results(Waiting().call, []) == []


def test_a_result_that_needs_no_waiting(calls: AsyncCalls) -> None:
    assert calls.results(lambda n: n + 1, [(1,), (2,)]) == [2, 3]


class Failing:
    """Raise in the first calls for a row."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.calls: list[int] = []

    async def call(self, n: int) -> int:
        self.calls.append(n)
        if self.calls.count(n) <= self.times:
            raise ValueError(f"no {n}")
        return n


def test_a_call_that_raises_is_made_again(calls: AsyncCalls) -> None:
    failing = Failing(2)
    assert calls.results(failing.call, [(1,), (2,)]) == [1, 2]
    assert sorted(failing.calls) == [1, 1, 1, 2, 2, 2]


def test_the_last_attempt_fails(calls: AsyncCalls) -> None:
    failing = Failing(3)
    with pytest.raises(ElementFailure) as failure:
        calls.results(failing.call, [(1,)])
    assert failure.value.element == 1
    assert str(failure.value.__cause__) == "no 1"
    assert failing.calls == [1, 1, 1]


def test_a_call_that_takes_too_long_fails_and_is_cancelled(calls: AsyncCalls) -> None:
    cancelled: list[str] = []

    async def slow(*row: str) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(row[0])
            raise

    with pytest.raises(ElementFailure) as failure:
        calls.results(slow, [("a", "b"), ("c", "d"), ("e", "f")])
    assert failure.value.element in [("a", "b"), ("c", "d")]
    assert isinstance(failure.value.__cause__, TimeoutError)
    assert str(failure.value.__cause__).startswith("Async function call has timed out for input: ['")
    assert calls.results(Waiting().call, [(3, "z")]) == ["z"]
    assert {"a", "c"} <= {*cancelled}


def test_an_error_cancels_the_other_calls() -> None:
    async def call(n: int) -> None:
        if n == 1:
            raise SystemExit("leaving")
        await asyncio.sleep(60)

    calls = AsyncCalls(AsyncCallSettings(timeout=60))
    with pytest.raises(ElementFailure) as failure:
        calls.results(call, [(0,), (1,), (2,)])
    assert failure.value.element == 1
    assert isinstance(failure.value.__cause__, SystemExit)
    calls.close()


def test_a_call_that_raises_the_error_of_cancelling_is_made_again(calls: AsyncCalls) -> None:
    made: list[int] = []

    async def call(n: int) -> None:
        made.append(n)
        raise asyncio.CancelledError

    with pytest.raises(ElementFailure) as failure:
        calls.results(call, [(7,)])
    assert failure.value.element == 7
    assert isinstance(failure.value.__cause__, asyncio.CancelledError)
    assert made == [7, 7, 7]


def test_a_call_that_is_cancelled_is_not_made_again(calls: AsyncCalls) -> None:
    made: list[int] = []

    async def call(n: int) -> None:
        made.append(n)
        try:
            await asyncio.sleep(60)
        finally:
            raise ValueError

    with pytest.raises(ElementFailure):
        calls.results(call, [(1,)])
    calls.results(Waiting().call, [(20, "later")])
    assert made == [1]


class Forever:
    """Wait until the call is cancelled."""

    def __init__(self) -> None:
        self.cancelled: list[int] = []

    async def call(self, n: int) -> None:
        try:
            if n == 0:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            await asyncio.sleep(60)
        finally:
            self.cancelled.append(n)


def test_calls_are_cancelled_when_the_thread_that_waits_is_interrupted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    calls, forever = AsyncCalls(AsyncCallSettings(timeout=60)), Forever()
    with caplog.at_level(logging.ERROR, "asyncio"):
        with pytest.raises(KeyboardInterrupt):
            calls.results(forever.call, [(1,), (0,)])
        calls.close()
    assert sorted(forever.cancelled) == [0, 1]
    assert not caplog.records


def test_tasks_that_a_call_leaves_are_cancelled_at_the_end() -> None:
    forever, tasks = Forever(), list[asyncio.Task[None]]()

    async def call(n: int) -> int:
        tasks.append(asyncio.create_task(forever.call(n)))
        await asyncio.sleep(0)
        return n

    calls = AsyncCalls(AsyncCallSettings())
    assert calls.results(call, [(3,)]) == [3]
    calls.close()
    assert forever.cancelled == [3]


def test_asynchronous_generators_that_a_call_leaves_are_closed_at_the_end() -> None:
    kept, closed = list[object](), list[int]()

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            closed.append(1)

    async def call(_: int) -> int:
        generator = numbers()
        kept.append(generator)
        return await anext(generator)

    calls = AsyncCalls(AsyncCallSettings())
    assert calls.results(call, [(0,)]) == [1]
    calls.close()
    assert closed == [1]
