"""CloseableIterator: the elements a job gives back, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, Self, TypeVar

__all__ = ["CloseableIterator"]

T = TypeVar("T")


class CloseableIterator(Generic[T]):
    """Iterate over a job's results; the first call waits for the job.

    Use it in a ``with`` statement, or call ``close``. Mirrors ``org.apache.flink.util.CloseableIterator``.

    Args:
        elements: called once for the results; raises what made the job fail.
        cancel: stops the job.
    """

    def __init__(self, elements: Callable[[], Iterator[T]], cancel: Callable[[], None]) -> None:
        self._fetch = elements
        self._cancel = cancel
        self._elements: Iterator[T] | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        if self._elements is None:
            self._elements = self._fetch()
        return next(self._elements)

    def next(self) -> T:
        """Return the next element, as ``next(iterator)`` does."""
        return next(self)

    def close(self) -> None:
        """Stop the job if it still runs, and drop the elements not yet taken."""
        self._cancel()
        self._elements = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        self.close()
