"""AsyncFunctionTestHarnesses: test harnesses for asynchronous functions."""

from __future__ import annotations

from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.datastream.async_data_stream import async_plan
from pystream.datastream.functions import AsyncFunction, AsyncRetryStrategy
from pystream.datastream.functions.asynchronous import NO_RETRY_STRATEGY
from pystream.durations import Time
from pystream.engine.operators.async_wait.operator import ASYNC_WAIT
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import OperatorSpec
from pystream.testing.harness import OperatorHarness
from pystream.testing.harnessed_operator import HarnessError, as_raised
from pystream.testing.specs import operator_spec, result_of
from pystream.testing.stepped_calls import SteppedAsyncWait, SteppedRunner
from typeinfo.info import TypeInformation

__all__ = ["AsyncFunctionTestHarnesses", "AsyncOperatorHarness"]

OUT = TypeVar("OUT")
IN1 = TypeVar("IN1", default=Any)
T = TypeVar("T")
U = TypeVar("U")


class AsyncOperatorHarness(OperatorHarness[OUT, IN1], Generic[OUT, IN1]):
    """Test an operator of asynchronous calls.

    After each push, calls run as far as they can. Timeouts, the delays between attempts and
    ``asyncio.sleep`` use the harness's clock, which ``set_processing_time`` advances. If the operator
    itself waits, at its capacity or at the end of the input, the clock advances to the next time that a call
    waits for; while calls wait for threads or sockets, it runs in real time.
    """

    def _make_operator(self, spec: OperatorSpec) -> Operator:
        return SteppedAsyncWait(spec)

    def set_processing_time(self, timestamp: int) -> None:
        """Set the clock, in ms since the Unix epoch; timeouts and delays that are due end in order.

        Raises:
            ValueError: it lies before the current time.
        """
        self._require_open()
        loop = self._runner.loop
        loop.settle()
        while loop.next_time is not None and loop.next_time < timestamp:
            super().set_processing_time(loop.next_time)
        super().set_processing_time(timestamp)

    def wait_for_calls(self) -> None:
        """Advance time until all calls are done, as at the end of the input."""
        self._require_open()
        operator = self._async_wait
        while len(operator._waiting):
            with as_raised():
                operator._record_finished(wait=True)
                self._take(operator._leaving())

    def num_calls(self) -> int:
        """Return the number of elements without emitted results."""
        return len(self._async_wait._waiting)

    def snapshot(self) -> bytes:
        """Return event time and processing time, the only state of such operators, for ``initialize_state``.

        Raises:
            HarnessError: there are calls in flight, which would be lost.
        """
        if self.num_calls():
            raise HarnessError(
                f"{self._name!r} has {self.num_calls()} elements in flight, which a snapshot omits: "
                f"call wait_for_calls() first"
            )
        return super().snapshot()

    @property
    def _async_wait(self) -> SteppedAsyncWait:
        operator = self._operator
        assert isinstance(operator, SteppedAsyncWait)
        return operator

    @property
    def _runner(self) -> SteppedRunner:
        runner = self._async_wait._runner
        assert isinstance(runner, SteppedRunner)
        return runner


class AsyncFunctionTestHarnesses:
    """Create harnesses for asynchronous functions, with the arguments of ``AsyncDataStream``.

    As for the operator, ``timeout`` limits all attempts for an element together, 0 being no limit, and
    ``capacity`` the number of elements in flight.
    """

    @staticmethod
    def for_ordered_wait(
        function: AsyncFunction[T, U],
        timeout: Time,
        capacity: int = 100,
        retry_strategy: AsyncRetryStrategy[U] = NO_RETRY_STRATEGY,
        output_type: TypeInformation[U] | None = None,
    ) -> AsyncOperatorHarness[U, T]:
        """Return a harness that emits results in the order of their elements."""
        return _harness(function, timeout, capacity, retry_strategy, output_type, ordered=True)

    @staticmethod
    def for_unordered_wait(
        function: AsyncFunction[T, U],
        timeout: Time,
        capacity: int = 100,
        retry_strategy: AsyncRetryStrategy[U] = NO_RETRY_STRATEGY,
        output_type: TypeInformation[U] | None = None,
    ) -> AsyncOperatorHarness[U, T]:
        """Return a harness that emits results as they complete, but never ahead of a watermark."""
        return _harness(function, timeout, capacity, retry_strategy, output_type, ordered=False)


def _harness(
    function: AsyncFunction[Any, Any],
    timeout: Time,
    capacity: int,
    strategy: AsyncRetryStrategy[Any],
    output_type: TypeInformation[Any] | None,
    *,
    ordered: bool,
) -> AsyncOperatorHarness[Any]:
    plan = async_plan(function, timeout, strategy, capacity, ordered)
    result = result_of(function, "async_invoke", AsyncFunction, output_type, many=True)
    name = type(function).__name__
    return AsyncOperatorHarness(operator_spec(ASYNC_WAIT, plan, result, name=name))
