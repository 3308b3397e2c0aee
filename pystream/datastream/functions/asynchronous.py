"""Base classes of asynchronous functions and their retry strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pystream.datastream.functions.elementwise import Function

__all__ = ["AsyncFunction", "AsyncRetryPredicate", "AsyncRetryStrategy"]

IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)
R = TypeVar("R")
# Of static methods: pyright takes the class's own for unknown there.
A = TypeVar("A")

ResultPredicate = Callable[[list[R]], bool]
ExceptionPredicate = Callable[[Exception], bool]


class AsyncFunction(Function, Generic[IN, OUT]):
    """Give any number of results for each element, later, while others are worked on.

    All calls of a subtask share one event loop, so that a call must not block. ``open`` and ``close`` are
    called outside of it. Mirrors ``org.apache.flink.streaming.api.functions.async.AsyncFunction``.
    """

    @abstractmethod
    async def async_invoke(self, value: IN, /) -> list[OUT]:
        """Return the results for an element, in order. What it raises fails the job, unless it is retried."""

    def timeout(self, value: IN, /) -> list[OUT]:
        """Return the results for an element whose own have not come in time; its call is cancelled.

        Raises:
            TimeoutError: unless a subclass returns results; it fails the job.
        """
        raise TimeoutError(
            f"the results for {value!r} have not come in time; raise the timeout, or override timeout()"
        )


class AsyncRetryPredicate(ABC, Generic[R]):
    """Predicates of results and exceptions that are retried.

    Mirrors ``org.apache.flink.streaming.api.functions.async.AsyncRetryPredicate``.
    """

    @abstractmethod
    def result_predicate(self) -> ResultPredicate[R] | None:
        """Return the predicate of results that are retried, ``None`` if none are."""

    @abstractmethod
    def exception_predicate(self) -> ExceptionPredicate | None:
        """Return the predicate of exceptions that are retried, ``None`` if none are."""


class AsyncRetryStrategy(ABC, Generic[R]):
    """Say when a call is made again.

    Mirrors ``org.apache.flink.streaming.api.functions.async.AsyncRetryStrategy``.
    """

    @abstractmethod
    def can_retry(self, current_attempts: int, /) -> bool:
        """Tell whether there may be another attempt, after that many."""

    @abstractmethod
    def get_backoff_time_millis(self, current_attempts: int, /) -> int:
        """Return how many ms to wait before another attempt, after that many."""

    @abstractmethod
    def get_retry_predicate(self) -> AsyncRetryPredicate[R]:
        """Return the predicates of results and exceptions that are retried."""

    @staticmethod
    def no_restart() -> AsyncRetryStrategy[Any]:
        """Return the strategy of a single attempt."""
        from pystream.datastream.async_retry_strategies import NO_RETRY_STRATEGY

        return NO_RETRY_STRATEGY

    @staticmethod
    def fixed_delay(
        max_attempts: int,
        backoff_time_millis: int,
        result_predicate: ResultPredicate[A] | None,
        exception_predicate: ExceptionPredicate | None,
    ) -> AsyncRetryStrategy[A]:
        """Return a ``FixedDelayRetryStrategy``."""
        from pystream.datastream.async_retry_strategies import FixedDelayRetryStrategy

        return FixedDelayRetryStrategy(
            max_attempts, backoff_time_millis, result_predicate, exception_predicate
        )

    @staticmethod
    def exponential_backoff(
        max_attempts: int,
        initial_delay: int,
        max_retry_delay: int,
        multiplier: float,
        result_predicate: ResultPredicate[A] | None,
        exception_predicate: ExceptionPredicate | None,
    ) -> AsyncRetryStrategy[A]:
        """Return an ``ExponentialBackoffDelayRetryStrategy``."""
        from pystream.datastream.async_retry_strategies import ExponentialBackoffDelayRetryStrategy

        return ExponentialBackoffDelayRetryStrategy(
            max_attempts, initial_delay, max_retry_delay, multiplier, result_predicate, exception_predicate
        )
