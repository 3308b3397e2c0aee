"""CompletableFuture: the result of a computation in another thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Generic, TypeVar

from pystream.errors import ArgumentTypeError
from pystream.waiting import result_of
from typeinfo.arguments import checks_arguments

__all__ = ["CompletableFuture"]

T = TypeVar("T")
# For static methods, where pyright treats the class's own type variables as unknown.
U = TypeVar("U")


@checks_arguments(ArgumentTypeError, methods=False)
class CompletableFuture(Generic[T]):
    """A result that another thread computes. Mirrors ``java.util.concurrent.CompletableFuture``.

    Args:
        future: produces it.
    """

    def __init__(self, future: Future[T]) -> None:
        self._future = future

    @staticmethod
    def completed(value: U) -> CompletableFuture[U]:
        """Return a future that is already completed with a result."""
        future: Future[U] = Future()
        future.set_result(value)
        return CompletableFuture(future)

    def cancel(self) -> bool:
        """Cancel the computation; return whether that was still possible."""
        return self._future.cancel()

    def cancelled(self) -> bool:
        """Return whether the computation was cancelled."""
        return self._future.cancelled()

    def done(self) -> bool:
        """Return whether the computation has finished, failed or been cancelled."""
        return self._future.done()

    def result(self) -> T:
        """Wait for the result and return it.

        Raises:
            concurrent.futures.CancelledError: the computation was cancelled.
            Exception: the error of the computation.
        """
        return result_of(self._future)

    def exception(self) -> BaseException | None:
        """Return the exception without waiting, ``None`` if the future is not done or has a result."""
        if not self._future.done():
            return None
        return CancelledError() if self._future.cancelled() else self._future.exception()

    def add_done_callback(self, function: Callable[[CompletableFuture[T]], object]) -> None:
        """Call ``function`` with this future when it is done, immediately if it already is."""
        self._future.add_done_callback(lambda _: function(self))

    def __str__(self) -> str:
        if not self.done():
            state = "not completed"
        elif (error := self.exception()) is not None:
            state = f"completed exceptionally: {error!r}"
        else:
            state = "completed normally"
        return f"CompletableFuture[{state}]"
