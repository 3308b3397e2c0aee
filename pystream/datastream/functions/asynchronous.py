"""AsyncFunction: the base class of asynchronous functions."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from pystream.datastream.functions.elementwise import Function

__all__ = ["AsyncFunction"]

IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)


class AsyncFunction(Function, Generic[IN, OUT]):
    """Compute any number of results for each element asynchronously.

    All calls of a subtask share one event loop, so that a call must not block. ``open`` and ``close`` are
    called outside of it. Mirrors ``org.apache.flink.streaming.api.functions.async.AsyncFunction``.
    """

    @abstractmethod
    async def async_invoke(self, value: IN, /) -> list[OUT]:
        """Return the results for an element, in order. An exception fails the job, unless it is retried."""

    def timeout(self, value: IN, /) -> list[OUT]:
        """Return the results for an element whose call timed out and was cancelled.

        Raises:
            TimeoutError: unless a subclass returns results; it fails the job.
        """
        raise TimeoutError(
            f"the results for {value!r} have not come in time; raise the timeout, or override timeout()"
        )
