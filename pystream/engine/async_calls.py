"""Asynchronous calls for the rows of a batch, made at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from inspect import isawaitable, iscoroutine
from threading import Thread
from typing import Any

from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import AsyncCallSettings

__all__ = ["AsyncCalls", "mistyped"]

_PATIENCE = 5.0  # seconds that cancelled calls may take to end


class AsyncCalls:
    """Make asynchronous calls in an event loop of their own, which runs in a thread.

    Args:
        settings: how calls are made.
    """

    def __init__(self, settings: AsyncCallSettings) -> None:
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="pystream-async", daemon=True)
        self._thread.start()

    def results(self, call: Callable[..., Any], rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the results of a function for rows of arguments, in their order.

        Raises:
            ElementFailure: a call raised in all of its attempts, or took too long; others are cancelled.
        """
        results = asyncio.run_coroutine_threadsafe(self._all(call, rows), self._loop)
        try:
            return results.result()
        except BaseException:  # such as KeyboardInterrupt while this thread waits
            results.cancel()
            raise

    def close(self) -> None:
        """Cancel the calls that are left, and stop the thread."""
        asyncio.run_coroutine_threadsafe(self._cancel_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _all(self, call: Callable[..., Any], rows: Sequence[Sequence[Any]]) -> list[Any]:
        free = asyncio.Semaphore(self._settings.at_once)
        tasks = [asyncio.create_task(self._result(call, row, free)) for row in rows]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _cancel_all(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)
        await self._loop.shutdown_asyncgens()

    async def _result(self, call: Callable[..., Any], row: Sequence[Any], free: asyncio.Semaphore) -> Any:
        async with free:
            attempts = asyncio.create_task(self._attempts(call, row))
            try:
                done, _ = await asyncio.wait({attempts}, timeout=self._settings.timeout)
            finally:
                attempts.cancel()
            late = TimeoutError(f"Async function call has timed out for input: {list(row)}")
            result, error = attempts.result() if done else (None, late)
            if error is not None:
                raise ElementFailure(row[0] if len(row) == 1 else tuple(row)) from error
            return result

    async def _attempts(
        self, call: Callable[..., Any], row: Sequence[Any]
    ) -> tuple[Any, BaseException | None]:
        """Return the result for a row, or the error of the last attempt; never raise in the event loop."""
        this_task = asyncio.current_task()
        assert this_task is not None
        attempt = 1
        while True:
            try:
                result = call(*row)
                return await result if isawaitable(result) else result, None
            except BaseException as error:  # noqa: BLE001 - a user's function may raise anything
                is_final = not isinstance(error, Exception | asyncio.CancelledError)
                if attempt == self._settings.attempts or is_final or this_task.cancelling():
                    return None, error
            await asyncio.sleep(self._settings.delay)
            attempt += 1


def mistyped(error: Exception, results: Sequence[Any]) -> Exception:
    """Return the error for results of a synchronous function that are not of their type.

    Args:
        error: the error of the check of types.
        results: the results; coroutines among them are closed.
    """
    coroutines = [*filter(iscoroutine, results)]
    for coroutine in coroutines:
        coroutine.close()
    if not coroutines:
        return error
    return TypeError("the function returns a coroutine, which is not awaited; declare it with async def")
