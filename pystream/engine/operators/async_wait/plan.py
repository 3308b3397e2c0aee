"""AsyncPlan: the picklable description of asynchronous calls."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["AsyncCalls", "AsyncPlan", "Retries"]


class AsyncCalls(Protocol):
    """Interface of asynchronous functions."""

    def async_invoke(self, value: Any, /) -> Coroutine[Any, Any, list[Any]]:
        """Return the results for an element."""
        ...

    def timeout(self, value: Any, /) -> list[Any]:
        """Return the results for an element whose call timed out."""
        ...


class _Predicates(Protocol):
    def result_predicate(self) -> Callable[[list[Any]], bool] | None: ...

    def exception_predicate(self) -> Callable[[Exception], bool] | None: ...


class Retries(Protocol):
    """Interface of retry strategies."""

    def can_retry(self, current_attempts: int, /) -> bool:
        """Return whether another attempt is allowed after the given number of attempts."""
        ...

    def get_backoff_time_millis(self, current_attempts: int, /) -> int:
        """Return the delay in ms after the given number of attempts."""
        ...

    def get_retry_predicate(self) -> _Predicates:
        """Return the predicates of results and errors that trigger a retry."""
        ...


@dataclass(frozen=True, slots=True)
class AsyncPlan:
    """The description of asynchronous calls; pickled as the function of an OperatorSpec.

    Attributes:
        function: called with each element.
        timeout_ms: how long an element may take, with all its attempts; 0 for any time.
        capacity: how many elements may be in flight.
        ordered: whether results are emitted in the order of their elements.
        retries: the retry strategy.
    """

    function: AsyncCalls
    timeout_ms: int
    capacity: int
    ordered: bool
    retries: Retries
