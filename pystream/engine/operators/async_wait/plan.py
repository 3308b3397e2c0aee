"""AsyncPlan: all that an operator of asynchronous calls must know."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["AsyncCalls", "AsyncPlan", "Retries"]


class AsyncCalls(Protocol):
    """A function whose results come later."""

    def async_invoke(self, value: Any, /) -> Coroutine[Any, Any, list[Any]]:
        """Return the function from an element to its results."""
        ...

    def timeout(self, value: Any, /) -> list[Any]:
        """Return the results for an element whose own have not come in time."""
        ...


class _Predicates(Protocol):
    def result_predicate(self) -> Callable[[list[Any]], bool] | None: ...

    def exception_predicate(self) -> Callable[[Exception], bool] | None: ...


class Retries(Protocol):
    """When a call is made again."""

    def can_retry(self, current_attempts: int, /) -> bool:
        """Return whether there may be another attempt after that many."""
        ...

    def get_backoff_time_millis(self, current_attempts: int, /) -> int:
        """Return how long to wait after that many attempts."""
        ...

    def get_retry_predicate(self) -> _Predicates:
        """Return the predicates of results and errors that are retried."""
        ...


@dataclass(frozen=True, slots=True)
class AsyncPlan:
    """Describe asynchronous calls; it travels pickled as the function of an OperatorSpec.

    Attributes:
        function: called with each element.
        timeout_ms: how long an element may take, with all its attempts; 0 for any time.
        capacity: how many elements may be under way at once.
        ordered: whether results come in the order of their elements.
        retries: when a call is made again.
    """

    function: AsyncCalls
    timeout_ms: int
    capacity: int
    ordered: bool
    retries: Retries
