"""SourceContext: buffers the elements of a source function until the driver fetches them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Generic, TypeVar

from pystream.engine.events import NO_TIMESTAMP, Elements, Watermark

__all__ = ["BATCH", "CheckpointLock", "SourceContext", "SourceStopped"]

T = TypeVar("T", contravariant=True)

BATCH = 8_192
"""Maximum number of elements in a batch."""


class SourceStopped(BaseException):
    """Ends a cancelled source function when it emits; ``except Exception`` does not catch it."""


class CheckpointLock:
    """A lock that excludes checkpoints, to be held while a source function emits and changes its state.

    The elements emitted under it belong to the same checkpoint as the state. Entering it waits while
    elements that were emitted before fill the buffer; under it, emitting never waits.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._filled = 0
        self._depth = 0
        self._is_stopped = False
        self._condition = Condition()

    def acquire(self) -> bool:
        """Acquire the lock, which is reentrant.

        Returns:
            True, as other locks do.
        """
        self._condition.acquire()
        if self._depth == 0:
            self._condition.wait_for(lambda: self._filled < self._capacity or self._is_stopped)
            if self._is_stopped:
                self._condition.release()
                raise SourceStopped
        self._depth += 1
        return True

    def release(self) -> None:
        """Release the lock."""
        self._depth -= 1
        self._condition.release()

    def __enter__(self) -> CheckpointLock:
        self.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


class SourceContext(Generic[T]):
    """Emits the elements of a source function, in the order of the calls.

    Mirrors ``org.apache.flink.streaming.api.functions.source.SourceFunction.SourceContext``.

    Args:
        capacity: number of elements after which emitting waits for the job.
    """

    def __init__(self, capacity: int) -> None:
        self._lock = CheckpointLock(capacity)
        self._events: list[Elements | Watermark] = []
        self._values: list[T] = []
        self._timestamps: list[int] = []

    def collect(self, element: T) -> None:
        """Emit an element without a timestamp; blocks while the job is behind."""
        self.collect_with_timestamp(element, NO_TIMESTAMP)

    def collect_with_timestamp(self, element: T, timestamp: int) -> None:
        """Emit an element with its event time in ms since the Unix epoch; blocks while the job is behind."""
        with self._lock as lock:
            self._values.append(element)
            self._timestamps.append(timestamp)
            lock._filled += 1
            if len(self._values) == BATCH:
                self._end_batch()

    def emit_watermark(self, timestamp: int) -> None:
        """Emit a watermark: no element with a timestamp up to this one follows."""
        with self._lock as lock:
            self._end_batch()
            self._events.append(Watermark(timestamp))
            lock._filled += 1

    def mark_as_temporarily_idle(self) -> None:
        """Accept the mark for compatibility with Flink; it has no effect."""

    def get_checkpoint_lock(self) -> CheckpointLock:
        """Return the lock to hold while emitting elements and changing the state that goes with them."""
        return self._lock

    def close(self) -> None:
        """Do nothing: the source ends when ``run`` returns."""

    # Used by the driver

    @contextmanager
    def _between_emissions(self) -> Iterator[None]:
        """Hold the checkpoint lock, even if the buffer is full."""
        with self._lock._condition:
            yield

    def _fetch(self, capacity: int) -> list[Elements | Watermark]:
        """Remove and return what was emitted; under `_between_emissions`.

        Args:
            capacity: number of elements after which emitting waits from now on.
        """
        self._end_batch()
        events, self._events = self._events, []
        self._lock._filled = 0
        self._lock._capacity = capacity
        self._lock._condition.notify_all()
        return events

    def _count(self) -> int:
        """Return the number of elements to fetch; under `_between_emissions`."""
        batches = (event for event in self._events if isinstance(event, Elements))
        return len(self._values) + sum(len(batch.values) for batch in batches)

    def _is_empty(self) -> bool:
        return not self._lock._filled

    def _stop(self) -> None:
        """End the function the next time it emits."""
        with self._lock._condition:
            self._lock._is_stopped = True
            self._lock._condition.notify_all()

    def _end_batch(self) -> None:
        if self._values:
            has_times = any(timestamp != NO_TIMESTAMP for timestamp in self._timestamps)
            self._events.append(Elements(self._values, self._timestamps if has_times else None))
            self._values, self._timestamps = [], []
