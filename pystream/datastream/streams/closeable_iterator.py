"""CloseableIterator: the results of a running job."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Generic, Self, TypeVar

from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["CloseableIterator"]

T = TypeVar("T")


@checks_arguments(ArgumentTypeError, methods=False)
class CloseableIterator(Generic[T]):
    """Iterate over a job's results as they arrive.

    Use it in a ``with`` statement, or call ``close``. Mirrors ``org.apache.flink.util.CloseableIterator``.

    Args:
        elements: yields the results and raises the job's failure.
        close: stops the job, drops its results and waits for its end.
    """

    def __init__(self, elements: Generator[T], close: Callable[[], None]) -> None:
        self._elements = elements
        self._close = close

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        return next(self._elements)

    def next(self) -> T:
        """Return the next element, as ``next(iterator)`` does."""
        return next(self)

    def close(self) -> None:
        """Stop the job if it still runs, wait until it has ended, and drop the remaining elements.

        It waits for 10 seconds at most, as a running function call may take any time.

        Another thread or a signal handler may call it while ``next`` waits, which then raises.
        """
        self._close()
        if inspect.getgeneratorstate(self._elements) != inspect.GEN_RUNNING:
            self._elements.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        self.close()
