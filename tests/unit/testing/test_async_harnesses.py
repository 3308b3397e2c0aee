"""Async functions driven by hand: order, capacity, time, attempts, and what happens outside."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from pystream.common import Time, Types
from pystream.datastream import AsyncFunction, AsyncRetryStrategy, RuntimeContext
from pystream.datastream.async_retry_predicates import empty_result_predicate, has_exception_predicate
from pystream.datastream.async_retry_strategies import (
    ExponentialBackoffDelayRetryStrategy,
    FixedDelayRetryStrategy,
)
from pystream.errors import PlanError, PlanTypeError
from pystream.testing import AsyncFunctionTestHarnesses, HarnessError, ManualClock, StreamRecord
from pystream.testing.stepped_calls import SteppedLoop
from typeinfo.errors import TypeCheckError

ordered = AsyncFunctionTestHarnesses.for_ordered_wait
unordered = AsyncFunctionTestHarnesses.for_unordered_wait

ANSWER = threading.Event()
MINUTE, ANY_TIME = Time.minutes(1), Time.milliseconds(0)


class Sleeps(AsyncFunction[int, Any]):
    """Gives an element after as many ms."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.counter = runtime_context.get_metrics_group().counter("calls")

    async def async_invoke(self, value: int) -> list[Any]:
        self.counter.inc()
        await asyncio.sleep(value / 1000)
        return [value]


class Patient(Sleeps):
    def timeout(self, value: int) -> list[Any]:
        return [("no answer", value)]


class Flaky(AsyncFunction[int, Any]):
    """Returns the number of the attempt; as many attempts fail as the element states."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.attempts = 0

    async def async_invoke(self, value: int) -> list[Any]:
        self.attempts += 1
        if self.attempts <= value:
            raise ConnectionError(f"attempt {self.attempts}")
        return [self.attempts]

    def timeout(self, value: int) -> list[Any]:
        return [("no answer", self.attempts)]


class Empty(AsyncFunction[int, Any]):
    """Gives nothing, until the third attempt."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.attempts = 0

    async def async_invoke(self, value: int) -> list[Any]:
        self.attempts += 1
        return [value] if self.attempts == 3 else []


class InThread(AsyncFunction[int, Any]):
    """Waits in a thread for as many real ms, or until ``ANSWER`` is set."""

    async def async_invoke(self, value: int) -> list[Any]:
        await asyncio.to_thread(ANSWER.wait, value / 1000)
        return [value]


class ByServer(AsyncFunction[int, Any]):
    """Asks a server on this machine, which answers once ``ANSWER`` is set."""

    async def async_invoke(self, value: int) -> list[Any]:
        server = await asyncio.start_server(self.answer, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"%d\n" % value)
            answer = await reader.readline()
            writer.close()
        return [int(answer)]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readline()
        await asyncio.to_thread(ANSWER.wait, 50)
        writer.write(asked)
        writer.close()


class Never(AsyncFunction[int, Any]):
    async def async_invoke(self, value: int) -> list[Any]:
        await asyncio.Event().wait()
        return []


def test_results_come_once_the_clock_says_so() -> None:
    with unordered(Sleeps(), MINUTE, output_type=Types.INT()) as harness:
        harness.process_element(30, 1)
        harness.process_element(10, 2)
        harness.process_element(0, 3)
        assert harness.get_output() == [StreamRecord(0, 3)]
        assert harness.num_calls() == 2
        harness.set_processing_time(9)
        assert harness.extract_output_values() == [0]
        harness.set_processing_time(10)
        assert harness.get_output() == [StreamRecord(0, 3), StreamRecord(10, 2)]
        harness.set_processing_time(30)
        assert harness.extract_output_values() == [0, 10, 30]
        assert harness.num_calls() == 0
        assert harness.get_metrics().counter("calls").get_count() == 3


def test_the_clock_may_start_at_any_time() -> None:
    with unordered(Sleeps(), MINUTE) as harness:
        for start in (1, 1_700_000_000_000, 1_700_000_000_123):
            harness.set_processing_time(start)
            harness.process_element(7)
            harness.set_processing_time(start + 6)
            assert harness.num_calls() == 1
            harness.set_processing_time(start + 7)
            assert harness.num_calls() == 0


def test_ordered_results_wait_for_those_before_them() -> None:
    with ordered(Sleeps(), MINUTE) as harness:
        harness.process_elements([30, 10, 20])
        harness.set_processing_time(20)
        assert harness.extract_output_values() == []
        harness.set_processing_time(30)
        assert harness.extract_output_values() == [30, 10, 20]


def test_watermarks_do_not_overtake_elements() -> None:
    with unordered(Sleeps(), MINUTE) as harness:
        harness.process_element(10, 1)
        harness.process_watermark(1)
        harness.process_element(5, 2)
        harness.set_processing_time(5)
        assert (harness.extract_output_values(), harness.get_watermarks()) == ([], [])
        harness.set_processing_time(10)
        assert harness.extract_output_values() == [10, 5]
        assert harness.get_watermarks() == [1]


def test_the_end_of_the_input_lets_the_clock_run_on() -> None:
    with unordered(Patient(), Time.milliseconds(25)) as harness:
        harness.process_elements([30, 10])
        harness.end_input()
        assert harness.extract_output_values() == [10, ("no answer", 30)]
        assert harness.get_processing_time() == 25


def test_a_full_operator_lets_the_clock_run_on_until_there_is_room() -> None:
    with unordered(Sleeps(), MINUTE, capacity=2) as harness:
        harness.process_elements([30, 10])
        assert harness.get_processing_time() == 0
        harness.process_element(5)
        assert harness.get_processing_time() == 10
        assert harness.extract_output_values() == [10]
        harness.set_processing_time(15)
        assert harness.extract_output_values() == [10, 5]


def test_results_that_come_too_late_are_those_of_timeout() -> None:
    with unordered(Patient(), Time.milliseconds(20)) as harness:
        harness.process_elements([19, 21])
        harness.set_processing_time(100)
        assert harness.extract_output_values() == [19, ("no answer", 21)]


def test_a_timeout_fails_the_push_of_the_clock_unless_the_function_says_otherwise() -> None:
    with unordered(Sleeps(), Time.milliseconds(20)) as harness:
        harness.process_element(21)
        with pytest.raises(TimeoutError, match="the call for 21 timed out"):
            harness.set_processing_time(20)


def test_failed_calls_are_made_again_after_a_delay() -> None:
    strategy: AsyncRetryStrategy[Any] = FixedDelayRetryStrategy(3, 10, None, has_exception_predicate)
    with unordered(Flaky(), MINUTE, retry_strategy=strategy) as harness:
        harness.process_element(2)
        harness.set_processing_time(19)
        assert harness.extract_output_values() == []
        harness.set_processing_time(20)
        assert harness.extract_output_values() == [3]


def test_all_attempts_until_a_time_are_made_in_the_order_of_time() -> None:
    strategy: AsyncRetryStrategy[Any] = ExponentialBackoffDelayRetryStrategy(
        10, 10, 1_000, 2.0, None, has_exception_predicate
    )
    with unordered(Flaky(), Time.milliseconds(149), retry_strategy=strategy) as harness:
        harness.process_element(100)  # attempts at 0, 10, 30 and 70 ms
        harness.set_processing_time(148)
        assert harness.extract_output_values() == []
        harness.set_processing_time(500)
        assert harness.extract_output_values() == [("no answer", 4)]


def test_results_can_ask_for_another_attempt() -> None:
    strategy: AsyncRetryStrategy[Any] = FixedDelayRetryStrategy(5, 10, empty_result_predicate, None)
    with ordered(Empty(), MINUTE, retry_strategy=strategy) as harness:
        harness.process_element(7)
        harness.end_input()
        assert harness.extract_output_values() == [7]
        assert harness.get_processing_time() == 20


def test_an_error_is_raised_by_the_push_that_lets_it_happen() -> None:
    with unordered(Flaky(), MINUTE) as harness, pytest.raises(ConnectionError, match="attempt 1"):
        harness.process_element(1)


@pytest.mark.parametrize("function", [InThread(), ByServer()])
def test_what_happens_outside_has_its_time(function: Any) -> None:
    answering = threading.Timer(0.05, ANSWER.set)
    try:
        with unordered(function, MINUTE) as harness:
            harness.process_element(50_000)
            assert harness.num_calls() == 1
            answering.start()
            harness.wait_for_calls()
            assert harness.extract_output_values() == [50_000]
            assert harness.get_processing_time() == 0
    finally:
        ANSWER.clear()


@pytest.mark.time_limit(10)
def test_what_came_back_from_outside_before_the_wait_ends_it() -> None:
    loop = SteppedLoop(ManualClock())
    loop.call_soon(loop.run_in_executor, None, time.sleep, 0.05)
    loop.settle()
    time.sleep(0.3)
    loop.wait()
    loop.end()


def test_a_timeout_waits_for_what_happens_outside() -> None:
    with unordered(InThreadPatient(), Time.milliseconds(50)) as harness:
        harness.process_element(400)
        harness.end_input()
        assert harness.extract_output_values() == ["no answer"]
        assert harness.get_processing_time() == 50


class InThreadPatient(InThread):
    def timeout(self, value: int) -> list[Any]:
        return ["no answer"]


def test_results_are_validated_by_their_type() -> None:
    with (
        unordered(Sleeps(), MINUTE, output_type=Types.STRING()) as harness,
        pytest.raises(TypeCheckError, match="is not a STRING"),
    ):
        harness.process_element(0)


def test_a_harness_may_be_used_inside_a_running_loop() -> None:
    async def driven() -> list[Any]:
        with unordered(Sleeps(), MINUTE) as harness:
            harness.process_element(5)
            harness.set_processing_time(5)
            return harness.extract_output_values()

    assert asyncio.run(driven()) == [5]


def test_calls_under_way_are_given_up_at_the_end_and_in_no_snapshot() -> None:
    with unordered(Never(), ANY_TIME) as harness:
        snapshot = harness.snapshot()
        harness.process_element(1)
        with pytest.raises(HarnessError, match="1 elements in flight"):
            harness.snapshot()
    with unordered(Never(), ANY_TIME).initialize_state(snapshot) as harness:
        assert harness.num_calls() == 0


def test_what_the_operator_refuses_is_refused() -> None:
    function: Any = str
    with pytest.raises(PlanTypeError, match="an AsyncFunction"):
        ordered(function, MINUTE)
    with pytest.raises(PlanError, match="capacity must be an int above 0"):
        ordered(Never(), MINUTE, capacity=0)
    strategy: AsyncRetryStrategy[Any] = FixedDelayRetryStrategy(5, 10, None, None)
    with pytest.raises(PlanError, match="the timeout must be above 0"):
        ordered(Never(), ANY_TIME, retry_strategy=strategy)
    with pytest.raises(HarnessError, match="'Never' is not open"):
        ordered(Never(), MINUTE).set_processing_time(1)
