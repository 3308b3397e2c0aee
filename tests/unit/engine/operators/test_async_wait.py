"""Asynchronous calls: order, capacity, time, attempts, watermarks and failures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from pystream.datastream import AsyncFunction
from pystream.datastream.async_retry_predicates import (
    empty_result_predicate,
    exception_type_predicate,
    has_exception_predicate,
)
from pystream.datastream.async_retry_strategies import (
    NO_RETRY_STRATEGY,
    ExponentialBackoffDelayRetryStrategy,
    FixedDelayRetryStrategy,
)
from pystream.engine.events import MAX_WATERMARK, Watermark
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.async_wait.operator import ASYNC_WAIT
from pystream.engine.operators.async_wait.plan import AsyncPlan
from pystream.errors import ConfigurationError
from tests.unit.engine.driving import Driver

GATES: dict[Any, threading.Event] = {}
LOG: list[Any] = []


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    GATES.clear()
    LOG.clear()
    yield
    for gate in GATES.values():
        gate.set()


class Gated(AsyncFunction[Any, Any]):
    """Returns an element once its gate, if it has one, is open; logs its begin and its end."""

    async def async_invoke(self, value: Any) -> list[Any]:
        LOG.append(("begin", value))
        gate = GATES.get(value)
        while gate is not None and not gate.is_set():
            await asyncio.sleep(0.001)
        LOG.append(("end", value))
        return [value, -value]


class Calls(AsyncFunction[Any, Any]):
    """Calls the element, and awaits the result if it is a coroutine."""

    async def async_invoke(self, value: Any) -> Any:
        LOG.append("attempt")
        result = value()
        return await result if asyncio.iscoroutine(result) else result

    def timeout(self, value: Any) -> Any:
        return ["late"]


class Slow(AsyncFunction[Any, Any]):
    async def async_invoke(self, value: Any) -> Any:
        await asyncio.Event().wait()


class Lives(AsyncFunction[Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self.base = runtime_context.get_index_of_this_subtask() + 100

    async def async_invoke(self, value: Any) -> Any:
        return (self.base + value,)

    def close(self) -> None:
        LOG.append("closed")


def driver(
    function: Any,
    *,
    ordered: bool = False,
    timeout: int = 0,
    capacity: int = 100,
    retries: Any = NO_RETRY_STRATEGY,
) -> Driver:
    return Driver(ASYNC_WAIT, AsyncPlan(function, timeout, capacity, ordered, retries))


@pytest.mark.parametrize("ordered", [True, False])
def test_results_keep_the_timestamps_of_their_elements(ordered: bool) -> None:
    with driver(Gated(), ordered=ordered) as d:
        d.feed([1, 2, 3], times=[10, 20, 30])
        d.advance(MAX_WATERMARK)
    assert sorted(zip(d.results, d.times, strict=True)) == [
        (-3, 30), (-2, 20), (-1, 10), (1, 10), (2, 20), (3, 30),
    ]  # fmt: skip
    assert d.events[-1] == Watermark(MAX_WATERMARK)


def run(d: Driver, element: Any) -> None:
    d.feed([element])
    d.advance(MAX_WATERMARK)


def when_ended(value: Any, then: Callable[[], None]) -> None:
    while ("end", value) not in LOG:
        threading.Event().wait(0.001)
    then()


def open_behind(first: Any, later: Any) -> None:
    """Open the gate of one element once another has ended."""
    GATES[later] = threading.Event()
    threading.Thread(target=when_ended, args=(first, GATES[later].set), daemon=True).start()


def test_ordered_results_keep_the_order_of_elements() -> None:
    open_behind(3, 1)
    with driver(Gated(), ordered=True) as d:
        d.feed([1, 2, 3])
        d.advance(MAX_WATERMARK)
    assert d.results == [1, -1, 2, -2, 3, -3]
    assert LOG.index(("end", 3)) < LOG.index(("end", 1))


def test_unordered_results_are_emitted_as_they_complete() -> None:
    open_behind(3, 1)
    with driver(Gated()) as d:
        d.feed([1, 2, 3])
        d.advance(MAX_WATERMARK)
    assert d.results[-2:] == [1, -1]


@pytest.mark.parametrize("ordered", [True, False])
def test_elements_and_watermarks_do_not_overtake_each_other(ordered: bool) -> None:
    open_behind(2, 1)
    with driver(Gated(), ordered=ordered) as d:
        d.feed([1], times=[10])
        d.advance(10)
        d.feed([2], times=[20])
        d.advance(20)
        assert d.events in ([], [1, -1, Watermark(10)], [1, -1, Watermark(10), 2, -2, Watermark(20)])
        d.advance(MAX_WATERMARK)
    assert d.events == [1, -1, Watermark(10), 2, -2, Watermark(20), Watermark(MAX_WATERMARK)]


def test_a_watermark_without_pending_elements_is_emitted_at_once() -> None:
    with driver(Gated()) as d:
        d.advance(5)
        assert d.events == [Watermark(5)]


def open_slowly(numbers: Iterable[int]) -> None:
    """Open one gate after another, with time for further calls to begin."""
    for number in numbers:
        while ("begin", number) not in LOG:
            threading.Event().wait(0.001)
        threading.Event().wait(0.01)
        GATES[number].set()


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("capacity", [1, 2, 5])
def test_at_most_the_capacity_of_calls_is_in_flight(ordered: bool, capacity: int) -> None:
    numbers = range(1, 13)
    GATES.update({number: threading.Event() for number in numbers})
    threading.Thread(target=open_slowly, args=(numbers,), daemon=True).start()
    with driver(Gated(), ordered=ordered, capacity=capacity) as d:
        d.feed(list(numbers))
        d.advance(MAX_WATERMARK)
    under_way = most = 0
    for what, _ in LOG:
        under_way += 1 if what == "begin" else -1
        most = max(most, under_way)
    assert most <= capacity
    assert sorted(d.results) == sorted([*numbers, *range(-12, 0)])


def test_calls_complete_while_no_element_arrives() -> None:
    with driver(Gated()) as d:
        d.feed([7])
        when_ended(7, lambda: None)
        while not d.results:
            d.feed([])
    assert d.results == [7, -7]


def test_a_timeout_fails_with_operator_and_element() -> None:
    with driver(Slow(), timeout=5) as d:
        d.feed([77])
        with pytest.raises(TaskFailure, match=r"'async wait operator'.*TimeoutError(.|\n)*element: 77"):
            d.advance(MAX_WATERMARK)


def test_a_function_can_return_results_on_timeout() -> None:
    with driver(Calls(), timeout=5) as d:
        run(d, asyncio.Event().wait)
    assert d.results == ["late"]


def fail(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    ("call", "summary"),
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: fail(SystemExit(3)), "SystemExit: 3"),
        (lambda: fail(GeneratorExit(3)), "GeneratorExit: 3"),
        (lambda: fail(asyncio.CancelledError("mine")), "CancelledError"),
        (lambda: fail(StopIteration(3)), "StopIteration: 3"),
        (lambda: None, "AsyncResultError: async_invoke returned None; return a list of results"),
        (
            lambda: 7,
            "SeveralResultsError: the function returned 7 (int), which is not a collection",
        ),
        (
            lambda: "ab",
            "SeveralResultsError: the function returned 'ab' (str), whose characters",
        ),
    ],
)
def test_a_failure_names_operator_and_element(call: Any, summary: str) -> None:
    with driver(Calls()) as d, pytest.raises(TaskFailure) as raised:
        run(d, call)
    report = raised.value.report
    assert "'async wait operator'" in report.operator
    assert report.summary.startswith(summary)
    assert "lambda" in report.element


def test_pending_calls_are_cancelled_on_close() -> None:
    gave_up = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            gave_up.set()

    with driver(Calls()) as d:
        d.feed([wait])
        while "attempt" not in LOG:
            threading.Event().wait(0.001)
    assert gave_up.is_set()


def test_a_function_is_opened_and_closed() -> None:
    with driver(Lives()) as d:
        run(d, 1)
    assert d.results == [101]
    assert LOG == ["closed"]


class Attempts:
    """Returns or raises one outcome after another."""

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes = list(outcomes)

    def __call__(self) -> Any:
        outcome = self.outcomes.pop(0)
        return fail(outcome) if isinstance(outcome, BaseException) else outcome


def test_an_empty_result_is_retried() -> None:
    retries = FixedDelayRetryStrategy[Any](5, 1, empty_result_predicate, None)
    with driver(Calls(), timeout=60_000, retries=retries) as d:
        run(d, Attempts([], [], [3], [4]))
    assert d.results == [3]
    assert LOG == ["attempt"] * 3


def test_an_exception_is_retried() -> None:
    retries = FixedDelayRetryStrategy[Any](5, 1, None, has_exception_predicate)
    with driver(Calls(), timeout=60_000, retries=retries) as d:
        run(d, Attempts(ValueError(), OSError(), []))
    assert d.results == []
    assert LOG == ["attempt"] * 3


@pytest.mark.parametrize(("attempts", "expected"), [(1, 2), (3, 4)])
def test_the_outcome_of_the_last_attempt_counts(attempts: int, expected: int) -> None:
    retries = FixedDelayRetryStrategy[Any](attempts, 1, empty_result_predicate, has_exception_predicate)
    with driver(Calls(), timeout=60_000, retries=retries) as d, pytest.raises(TaskFailure, match="the last"):
        run(d, Attempts(*[[]] * attempts, ValueError("the last")))
    assert ["attempt"] * expected == LOG


def test_an_exception_of_another_class_fails_at_once() -> None:
    def of_io(error: Exception) -> bool:
        return exception_type_predicate(error, OSError)

    with (
        driver(Calls(), timeout=60_000, retries=FixedDelayRetryStrategy(5, 1, None, of_io)) as d,
        pytest.raises(TaskFailure, match="KeyError"),
    ):
        run(d, Attempts(OSError(), KeyError()))
    assert LOG == ["attempt"] * 2


def test_the_timeout_covers_all_attempts() -> None:
    retries = FixedDelayRetryStrategy[Any](1000, 60_000, empty_result_predicate, None)
    with driver(Calls(), timeout=20, retries=retries) as d:
        run(d, list)
    assert d.results == ["late"]
    assert LOG == ["attempt"]


@pytest.mark.parametrize("method", ["result", "exception"])
def test_a_predicate_that_raises_fails_the_element(method: str) -> None:
    def raises(_: Any) -> bool:
        raise SystemExit("predicate")

    retries = FixedDelayRetryStrategy[Any](5, 1, raises, raises)
    outcome = [1] if method == "result" else ValueError()
    with driver(Calls(), timeout=60_000, retries=retries) as d, pytest.raises(TaskFailure, match="predicate"):
        run(d, Attempts(outcome))


def test_exponential_delays_grow_up_to_the_maximum() -> None:
    strategy = ExponentialBackoffDelayRetryStrategy[Any](4, 100, 350, 2.0, None, None)
    assert [strategy.get_backoff_time_millis(attempts) for attempts in (1, 2, 3, 4, 1)] == [
        100,
        200,
        350,
        350,
        100,
    ]
    assert [strategy.can_retry(attempts) for attempts in (1, 4, 5)] == [True, True, False]


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: FixedDelayRetryStrategy(0, 1, None, None), "max_attempts"),
        (lambda: FixedDelayRetryStrategy(1, 0, None, None), "backoff_time_millis"),
        (lambda: ExponentialBackoffDelayRetryStrategy(1, -1, 1, 1, None, None), "initial_delay"),
        (lambda: ExponentialBackoffDelayRetryStrategy(1, 1, 0, 1, None, None), "max_retry_delay"),
        (lambda: ExponentialBackoffDelayRetryStrategy(1, 1, 1, 0, None, None), "multiplier"),
    ],
)
def test_strategies_refuse_numbers_that_are_not_positive(make: Any, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{name} must be greater than 0"):
        make()
