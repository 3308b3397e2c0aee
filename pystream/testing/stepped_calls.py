"""SteppedLoop: an event loop with a manually set clock, which stops when no task is ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import Context
from math import ceil
from queue import SimpleQueue
from selectors import DefaultSelector, SelectorKey
from typing import TypeVar, TypeVarTuple

from pystream.engine.operators.async_wait.calls import CallRunner
from pystream.engine.operators.async_wait.operator import AsyncWait
from pystream.engine.operators.async_wait.plan import AsyncPlan
from pystream.engine.operators.async_wait.queue import PendingElement
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.results.copies import ResultCopier
from pystream.engine.time.clock import ManualClock

__all__ = ["SteppedAsyncWait", "SteppedLoop", "SteppedRunner"]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_LITTLE = 1e-6  # more than the error of a float that holds seconds since the Unix epoch


class SteppedAsyncWait(AsyncWait):
    """An AsyncWait operator whose timeouts and delays use the harness's clock."""

    def _new_runner(self, environment: OperatorEnvironment) -> SteppedRunner:
        assert isinstance(environment.clock, ManualClock)
        return SteppedRunner(self._plan, self._copies, environment.clock)


class SteppedRunner(CallRunner):
    """Run calls only while finished ones are polled.

    Attributes:
        loop: the event loop of the calls.
    """

    def __init__(self, plan: AsyncPlan, result_copier: ResultCopier, clock: ManualClock) -> None:
        self.loop: SteppedLoop = SteppedLoop(clock)
        super().__init__(plan, result_copier, self.loop, _Finished(self.loop))

    def stop(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.settle()
        self.loop.end()


class SteppedLoop(asyncio.SelectorEventLoop):
    """Run the tasks that are ready at the current time of a clock, then stop.

    It runs in a thread of its own, so that a test may run in a loop itself.

    Args:
        clock: the time of timeouts and delays.

    Attributes:
        next_time: the next time that a task waits for, ``None`` if no task waits for the clock.
    """

    def __init__(self, clock: ManualClock) -> None:
        self._stopping_selector = _StoppingSelector(self._idle)
        super().__init__(self._stopping_selector)
        self._manual_clock = clock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pystream-async-harness")
        self._own_files = len(self._stopping_selector.get_map())
        self._in_threads = 0
        self.next_time: int | None = None

    def time(self) -> float:
        """Return the time in seconds, rounded up slightly so that each whole ms has certainly passed."""
        return self._manual_clock.now() / 1000 + _LITTLE

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call at a whole ms, as the clock has no finer times."""
        return super().call_at(_millis(when) / 1000, callback, *args, context=context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Call in a thread, and track the call until it is done."""
        self._in_threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._came_back)
        return future

    def _came_back(self, _: object) -> None:
        self._in_threads -= 1

    def settle(self) -> None:
        """Run everything that is ready."""
        self._thread.submit(self.run_forever).result()

    def wait(self) -> None:
        """Advance time until something is ready, and run it.

        While calls wait for threads or sockets, this takes real time; else the clock advances immediately.
        """
        next_time, selector = self.next_time, self._stopping_selector
        at_work = self._in_threads or len(selector.get_map()) > self._own_files
        if at_work or next_time is None:
            selector.waits = True
            self.settle()
            if not selector.waits:
                return
            selector.waits = False
        if next_time is not None:
            self._manual_clock.set(next_time)
            self.settle()

    def end(self) -> None:
        """Release the resources of the loop."""
        self.close()
        self._thread.shutdown()

    def _idle(self, timeout: float | None) -> None:
        self.next_time = None if timeout is None else _millis(self.time() + timeout)
        self.stop()


class _StoppingSelector(DefaultSelector):
    """A selector that reports when the loop would wait.

    Attributes:
        waits: whether the selector may wait, until an event or the timeout.
    """

    def __init__(self, idle: Callable[[float | None], None]) -> None:
        super().__init__()
        self._idle = idle
        self.waits = False

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Return the events that are ready."""
        if timeout is not None and timeout <= 0:
            self.waits = False  # something can be done already
            return super().select(timeout)
        ready = super().select(timeout if self.waits else 0)
        if ready:
            self.waits = False
        else:
            self._idle(timeout)
        return ready


class _Finished(SimpleQueue[PendingElement]):
    """A queue of finished elements; polling it lets the calls continue."""

    def __init__(self, loop: SteppedLoop) -> None:
        super().__init__()
        self._loop = loop

    def empty(self) -> bool:
        """Run everything that is ready, then return whether no element is finished."""
        self._loop.settle()
        return super().empty()

    def get(self, block: bool = True, timeout: float | None = None) -> PendingElement:
        """Return a finished element, advancing time if necessary."""
        while self.empty():
            self._loop.wait()
        return super().get(block, timeout)


def _millis(seconds: float) -> int:
    return ceil(seconds * 1000 - 0.01)
