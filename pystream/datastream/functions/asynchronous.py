"""AsyncFunction, the base class of asynchronous functions, and their retry strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pystream.datastream.functions.elementwise import Function
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments

__all__ = [
    "NO_RETRY_STRATEGY",
    "AsyncFunction",
    "AsyncRetryPredicate",
    "AsyncRetryStrategy",
    "ExponentialBackoffDelayRetryStrategy",
    "FixedDelayRetryStrategy",
    "NoRetryStrategy",
    "RetryPredicate",
]

IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)
R = TypeVar("R")
# For static methods, where pyright treats the class's own type variables as unknown.
A = TypeVar("A")

ResultPredicate = Callable[[list[R]], bool]
ExceptionPredicate = Callable[[Exception], bool]


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
        raise TimeoutError(f"the call for {value!r} timed out; raise the timeout, or override timeout()")


class AsyncRetryPredicate(ABC, Generic[R]):
    """The predicates of results and exceptions that trigger a retry.

    Mirrors ``org.apache.flink.streaming.api.functions.async.AsyncRetryPredicate``.
    """

    @abstractmethod
    def result_predicate(self) -> ResultPredicate[R] | None:
        """Return the predicate of results that trigger a retry, ``None`` if none do."""

    @abstractmethod
    def exception_predicate(self) -> ExceptionPredicate | None:
        """Return the predicate of exceptions that trigger a retry, ``None`` if none do."""


@checks_arguments(ArgumentTypeError, methods=False)
class AsyncRetryStrategy(ABC, Generic[R]):
    """Decide whether and when an asynchronous call is retried.

    Mirrors ``org.apache.flink.streaming.api.functions.async.AsyncRetryStrategy``.
    """

    @abstractmethod
    def can_retry(self, current_attempts: int, /) -> bool:
        """Return whether another attempt is allowed after the given number of attempts."""

    @abstractmethod
    def get_backoff_time_millis(self, current_attempts: int, /) -> int:
        """Return the delay in ms before the next attempt, after the given number of attempts."""

    @abstractmethod
    def get_retry_predicate(self) -> AsyncRetryPredicate[R]:
        """Return the predicates of results and exceptions that trigger a retry."""

    @staticmethod
    def no_restart() -> AsyncRetryStrategy[Any]:
        """Return a strategy that never retries."""
        return NO_RETRY_STRATEGY

    @staticmethod
    def fixed_delay(
        max_attempts: int,
        backoff_time_millis: int,
        result_predicate: ResultPredicate[A] | None,
        exception_predicate: ExceptionPredicate | None,
    ) -> AsyncRetryStrategy[A]:
        """Return a ``FixedDelayRetryStrategy``."""
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
        return ExponentialBackoffDelayRetryStrategy(
            max_attempts, initial_delay, max_retry_delay, multiplier, result_predicate, exception_predicate
        )


@checks_arguments(ArgumentTypeError, methods=False)
class RetryPredicate(AsyncRetryPredicate[R]):
    """The predicates passed by the user; each may be ``None``.

    Mirrors ``…streaming.util.retryable.AsyncRetryStrategies.RetryPredicate``.
    """

    def __init__(
        self, result_predicate: ResultPredicate[R] | None, exception_predicate: ExceptionPredicate | None
    ) -> None:
        self._result_predicate = result_predicate
        self._exception_predicate = exception_predicate

    def result_predicate(self) -> ResultPredicate[R] | None:
        """Return the predicate of results that trigger a retry."""
        return self._result_predicate

    def exception_predicate(self) -> ExceptionPredicate | None:
        """Return the predicate of exceptions that trigger a retry."""
        return self._exception_predicate


class NoRetryStrategy(AsyncRetryStrategy[Any]):
    """Never retry. Mirrors ``…retryable.AsyncRetryStrategies.NO_RETRY_STRATEGY``."""

    def can_retry(self, current_attempts: int) -> bool:
        """Return False."""
        return False

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """Return -1: no other attempt follows."""
        return -1

    def get_retry_predicate(self) -> AsyncRetryPredicate[Any]:
        """Return predicates that never trigger a retry."""
        return RetryPredicate(None, None)


class _Repeating(AsyncRetryStrategy[R], Generic[R]):
    """Base class of strategies with a maximum number of retries and the user's predicates."""

    max_attempts: int
    result_predicate: ResultPredicate[R] | None
    exception_predicate: ExceptionPredicate | None

    def can_retry(self, current_attempts: int) -> bool:
        """Return whether attempts are left."""
        return current_attempts <= self.max_attempts

    def get_retry_predicate(self) -> AsyncRetryPredicate[R]:
        """Return the predicates passed by the user."""
        return RetryPredicate(self.result_predicate, self.exception_predicate)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(eq=False)
class FixedDelayRetryStrategy(_Repeating[R]):
    """Retry up to a number of times, after a fixed delay.

    Mirrors ``…streaming.util.retryable.AsyncRetryStrategies.FixedDelayRetryStrategy``.

    Args:
        max_attempts: the maximum number of retries.
        backoff_time_millis: the delay between attempts, in ms.
        result_predicate: returns whether results trigger a retry; or ``None``.
        exception_predicate: returns whether an exception triggers a retry; or ``None``.

    Raises:
        ConfigurationError: a number is not above 0.
    """

    max_attempts: int
    backoff_time_millis: int
    result_predicate: ResultPredicate[R] | None
    exception_predicate: ExceptionPredicate | None

    def __post_init__(self) -> None:
        _require_positive(self, "max_attempts", "backoff_time_millis")

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """Return the fixed delay."""
        return self.backoff_time_millis


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(eq=False)
class ExponentialBackoffDelayRetryStrategy(_Repeating[R]):
    """Retry up to a number of times, after delays that grow exponentially up to a maximum.

    Mirrors ``…retryable.AsyncRetryStrategies.ExponentialBackoffDelayRetryStrategy``.

    Args:
        max_attempts: the maximum number of retries.
        initial_delay: the delay between the first attempt and the second, in ms.
        max_retry_delay: the maximum delay, in ms.
        multiplier: the factor by which the delay grows with each attempt.
        result_predicate: returns whether results trigger a retry; or ``None``.
        exception_predicate: returns whether an exception triggers a retry; or ``None``.

    Raises:
        ConfigurationError: a number is not above 0.
    """

    max_attempts: int
    initial_delay: int
    max_retry_delay: int
    multiplier: float
    result_predicate: ResultPredicate[R] | None
    exception_predicate: ExceptionPredicate | None

    def __post_init__(self) -> None:
        _require_positive(self, "max_attempts", "initial_delay", "max_retry_delay", "multiplier")

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """Return the delay after the given number of attempts at one element."""
        delay = self.initial_delay
        for _ in range(1, current_attempts):
            delay = int(min(delay * self.multiplier, self.max_retry_delay))
        return delay


def _require_positive(strategy: AsyncRetryStrategy[Any], *names: str) -> None:
    for name in names:
        number = getattr(strategy, name)
        if not isinstance(number, int | float) or not number > 0:
            raise ConfigurationError(f"{name} must be greater than 0, not {number!r}")


NO_RETRY_STRATEGY: AsyncRetryStrategy[Any] = NoRetryStrategy()
