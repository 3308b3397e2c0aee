"""The asynchronous calls of a subtask, made in an event loop or in a thread of its own."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from queue import SimpleQueue
from threading import Thread
from typing import Any

from pystream.engine.operators.async_wait.plan import AsyncPlan
from pystream.engine.operators.async_wait.queue import PendingElement
from pystream.engine.results.collections import are_results
from pystream.engine.results.copies import ResultCopier
from typeinfo.errors import PyStreamError

__all__ = ["AsyncResultError", "AsyncRunner", "CallRunner"]

_SECONDS_TO_GIVE_UP = 1.0  # timeout for calls that resist cancellation


class AsyncResultError(PyStreamError, TypeError):
    """An asynchronous function returned something other than a list."""


class CallRunner(ABC):
    """Call an asynchronous function for elements, and return each element when it is done.

    Args:
        plan: the function, with its timeout and retries.
        result_copier: copies the results.
        loop: the event loop of the calls.
        finished: receives the elements that are done, with their results or errors.
    """

    def __init__(
        self,
        plan: AsyncPlan,
        result_copier: ResultCopier,
        loop: asyncio.AbstractEventLoop,
        finished: SimpleQueue[PendingElement],
    ) -> None:
        self.finished = finished
        self._copies = result_copier
        self._loop = loop
        self._function = plan.function
        self._seconds = plan.timeout_ms / 1000 if plan.timeout_ms > 0 else None
        self._retries = plan.retries
        predicates = plan.retries.get_retry_predicate()
        self._unwanted_result = predicates.result_predicate() or _never
        self._passing_error = predicates.exception_predicate() or _never

    def start(self, entry: PendingElement) -> None:
        """Start the call for an element."""
        self._loop.call_soon_threadsafe(self._begin, entry)

    @abstractmethod
    def stop(self) -> None:
        """Cancel pending calls."""

    def _begin(self, entry: PendingElement) -> None:
        entry.work = self._loop.create_task(self._work(entry))

    async def _work(self, entry: PendingElement) -> None:
        attempts = self._loop.create_task(self._attempts(entry.value))
        try:
            done, _ = await asyncio.wait({attempts}, timeout=self._seconds)
            if done:
                entry.results, entry.error = attempts.result()
            else:
                attempts.cancel()
                entry.results = self._copied(self._function.timeout(entry.value), "timeout")
        except BaseException as error:  # noqa: BLE001 - a user's function may raise anything
            entry.error = error
        self.finished.put(entry)

    async def _attempts(self, value: Any) -> tuple[list[Any], BaseException | None]:
        """Return the results or the error for an element, after retries; never raise in the event loop."""
        try:
            return await self._results(value), None
        except BaseException as error:  # noqa: BLE001 - a user's function may raise anything
            return [], error

    async def _results(self, value: Any) -> list[Any]:
        retries = self._retries
        attempt = 1
        while True:
            try:
                results = await self._function.async_invoke(value)
            except Exception as error:
                if not self._passing_error(error) or not retries.can_retry(attempt):
                    raise
            else:
                if results is None or not self._unwanted_result(results) or not retries.can_retry(attempt):
                    return self._copied(results, "async_invoke")
            await asyncio.sleep(retries.get_backoff_time_millis(attempt) / 1000)
            attempt += 1

    def _copied(self, results: Any, method: str) -> list[Any]:
        """Return copies of results, made before any other call continues."""
        if not are_results(results):
            raise AsyncResultError(f"{method} returned None; return a list of results, which may be empty")
        return list(self._copies.each(results))


class AsyncRunner(CallRunner):
    """Make asynchronous calls in a thread of their own, while the subtask continues."""

    def __init__(self, plan: AsyncPlan, result_copier: ResultCopier) -> None:
        super().__init__(plan, result_copier, asyncio.new_event_loop(), SimpleQueue())
        self._thread = Thread(target=self._run, name="pystream-async", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel pending calls and stop the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        loop = self._loop
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=_SECONDS_TO_GIVE_UP))
        loop.close()


def _never(_: object) -> bool:
    return False
