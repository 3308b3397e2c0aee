"""Asynchronous calls for the rows of a batch, made at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from inspect import isawaitable
from threading import Thread
from typing import Any

from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import AsyncCallSettings

__all__ = ["AsyncCalls"]


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
        return asyncio.run_coroutine_threadsafe(self._all(call, rows), self._loop).result()

    def close(self) -> None:
        """Stop the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _all(self, call: Callable[..., Any], rows: Sequence[Sequence[Any]]) -> list[Any]:
        free = asyncio.Semaphore(self._settings.at_once)
        tasks = [asyncio.create_task(self._result(call, row, free)) for row in rows]
        try:
            return await asyncio.gather(*tasks)
        except ElementFailure:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            raise

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
        attempt = 1
        while True:
            try:
                result = call(*row)
                return await result if isawaitable(result) else result, None
            except asyncio.CancelledError:
                raise
            except BaseException as error:  # noqa: BLE001 - a user's function may raise anything
                if attempt == self._settings.attempts or not isinstance(error, Exception):
                    return None, error
            await asyncio.sleep(self._settings.delay)
            attempt += 1
