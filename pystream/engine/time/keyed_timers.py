"""The timers of a keyed operator, in both time domains."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeAlias

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.time.clock import Clock
from pystream.engine.time.timers import Timer, TimerQueue, Timers

__all__ = ["NO_TIMERS", "KeyedTimers", "TimersSnapshot", "repartitioned"]

TimersSnapshot: TypeAlias = tuple[int, Timers, Timers]
"""The watermark, and the timers of event time and of processing time."""

NO_TIMERS: TimersSnapshot = (NO_TIMESTAMP, {}, {})
"""The timers of a new operator."""


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

    def snapshot(self) -> TimersSnapshot:
        """Return the watermark and all timers."""
        return self.watermark, self.event_time.snapshot(), self.processing_time.snapshot()

    def restore(self, snapshot: TimersSnapshot) -> None:
        """Replace the watermark and all timers by those of a snapshot."""
        self.watermark, event_time, processing_time = snapshot
        self.event_time.restore(event_time)
        self.processing_time.restore(processing_time)


def repartitioned(snapshots: Iterable[TimersSnapshot], owns: Callable[[Hashable], bool]) -> TimersSnapshot:
    """Return the timers of some slots from several snapshots, and the lowest watermark."""
    watermarks, event_times, processing_times = zip(*snapshots, strict=True)
    return min(watermarks), _owned(event_times, owns), _owned(processing_times, owns)


def _owned(queues: Iterable[Timers], owns: Callable[[Hashable], bool]) -> Timers:
    owned: Timers = {}
    for timers in queues:
        for time, slots in timers.items():
            owned.setdefault(time, {}).update(
                (slot, payload) for slot, payload in slots.items() if owns(slot)
            )
    return owned
