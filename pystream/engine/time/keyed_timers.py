"""The timers of a keyed operator, in both time domains."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.time.clock import Clock
from pystream.engine.time.timers import Timer, TimerQueue

__all__ = ["KeyedTimers"]


class KeyedTimers:
    """The timers of one operator, and the current event time.

    Args:
        clock: the clock of processing time.

    Attributes:
        watermark: the event time reached; -2^63 before the first watermark.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.watermark: int = NO_TIMESTAMP
        self.event_time: TimerQueue = TimerQueue()
        self.processing_time: TimerQueue = TimerQueue()

    def now(self) -> int:
        """Return the processing time."""
        return self._clock.now()

    def due_in_event_time(self, watermark: int) -> Iterator[Timer]:
        """Advance to a watermark; remove and yield the timers up to it."""
        self.watermark = max(self.watermark, watermark)
        return self.event_time.due(self.watermark)

    def due_in_processing_time(self) -> Iterator[Timer]:
        """Remove and yield the timers that are due in processing time."""
        return self.processing_time.due(self._clock.now())

    def left_in_processing_time(self) -> Iterator[Timer]:
        """Remove and yield the timers left at the end of the input; timers added meanwhile are dropped."""
        return self.processing_time.left()
