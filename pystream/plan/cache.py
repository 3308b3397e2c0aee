"""Cache: the elements of a stream, stored by the first job that computes them, for later jobs."""

from __future__ import annotations

import threading
from typing import Any, Protocol

__all__ = ["Cache", "CachedElements"]


class CachedElements(Protocol):
    """The elements of a stream as computed by a job; dropped when this object is unreferenced.

    Attributes:
        channels: number of subtasks that computed them.
        batch: whether the job ran in batch mode.
    """

    channels: int
    batch: bool

    def are_there(self) -> bool:
        """Return whether the elements can still be read."""
        ...

    def source(self) -> Any:
        """Return the source of the elements, for a ``SourceNode``."""
        ...


class Cache:
    """The cached elements of a stream; empty until a job that computes the stream succeeds.

    Batch mode has a cache of its own, as elements may differ. Jobs in several threads may fill and read it.

    Attributes:
        generation: the number of invalidations so far.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._elements: dict[bool, CachedElements] = {}
        self.generation: int = 0

    def elements(self, *, batch: bool) -> CachedElements | None:
        """Return the elements for a job, ``None`` if the job must compute them.

        Args:
            batch: whether the job runs in batch mode.
        """
        elements = self._elements.get(batch)
        return elements if elements is not None and elements.are_there() else None

    @property
    def is_filled(self) -> bool:
        """Whether elements are cached for some mode."""
        return any(self.elements(batch=batch) is not None for batch in (False, True))

    def fill(self, elements: CachedElements, generation: int) -> None:
        """Store the elements computed by a job, unless the cache was filled or invalidated since it started.

        Args:
            elements: all elements of the stream.
            generation: the cache's when the job was planned.
        """
        with self._lock:
            if generation == self.generation and self.elements(batch=elements.batch) is None:
                self._elements[elements.batch] = elements

    def invalidate(self) -> None:
        """Drop the elements; running jobs can still read them."""
        with self._lock:
            self.generation += 1
            self._elements.clear()
