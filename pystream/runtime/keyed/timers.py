"""The timers of a keyed operator, in both time domains."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeAlias

from pystream.runtime.clock import Clock
from pystream.runtime.events import MAX_WATERMARK, NO_TIMESTAMP
from pystream.runtime.timers import Timer, TimerQueue, Timers
from typeinfo.errors import PyStreamError

__all__ = ["KeyedTimers", "TimerError", "TimersSnapshot", "repartitioned"]

TimersSnapshot: TypeAlias = tuple[int, Timers, Timers]
"""The watermark, and the timers of event time and of processing time."""


class TimerError(PyStreamError, ValueError):
    """Report a time that no timer can have."""


class KeyedTimers:
    """The timers of one operator, and how far both times have come.

    Args:
        clock: what tells the processing time.

    Attributes:
        watermark: the event time reached; -2^63 before the first watermark.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.watermark = NO_TIMESTAMP
        self.event_time = TimerQueue()
        self.processing_time = TimerQueue()

    def now(self) -> int:
        """Return the processing time."""
        return self._clock.now()

    def due_in_event_time(self, watermark: int) -> Iterator[Timer]:
        """Advance to a watermark; take and yield the timers up to it."""
        self.watermark = max(self.watermark, watermark)
        return self.event_time.due(self.watermark)

    def due_in_processing_time(self) -> Iterator[Timer]:
        """Take and yield the timers that are due by the clock."""
        return self.processing_time.due(self._clock.now())

    def left_in_processing_time(self) -> Iterator[Timer]:
        """Take and yield the timers there are now, the input having ended; those added meanwhile are lost."""
        return self.processing_time.left()

    def register(self, queue: TimerQueue, time: int, slot: Hashable, payload: Any) -> None:
        """Add a timer to one of the queues.

        Raises:
            TimerError: the time is no 64-bit integer.
        """
        if type(time) is not int:
            time = _whole(time)
        if not NO_TIMESTAMP <= time <= MAX_WATERMARK:
            raise TimerError(f"a timer's time must be from -2^63 to 2^63 - 1 ms, not {time}")
        queue.register(time, slot, payload)

    def snapshot(self) -> TimersSnapshot:
        """Return the watermark and all timers."""
        return self.watermark, self.event_time.snapshot(), self.processing_time.snapshot()

    def restore(self, snapshot: TimersSnapshot) -> None:
        """Take over the timers of a snapshot."""
        self.watermark, event_time, processing_time = snapshot
        self.event_time.restore(event_time)
        self.processing_time.restore(processing_time)


def repartitioned(snapshots: Iterable[TimersSnapshot], owns: Callable[[Hashable], bool]) -> TimersSnapshot:
    """Return the timers of several snapshots that belong to some of their slots, and the lowest watermark."""
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


def _whole(time: Any) -> int:
    try:
        return int(time.__index__())
    except AttributeError:
        raise TimerError(f"a timer's time must be an int of ms since the epoch, not {time!r}") from None
