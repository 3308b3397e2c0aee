"""TimerQueue: the timers of one time domain, one per key and time, fired in order of time, then key."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple, TypeAlias

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP
from typeinfo.errors import PyStreamError

__all__ = ["TimeDomain", "Timer", "TimerError", "TimerQueue", "Timers"]

Timers: TypeAlias = "dict[int, dict[Hashable, Any]]"


class TimeDomain(Enum):
    """The time domain of a timer. Mirrors ``org.apache.flink.streaming.api.TimeDomain``."""

    EVENT_TIME = 0
    PROCESSING_TIME = 1


class Timer(NamedTuple):
    """A timer that fires.

    Attributes:
        time: its time, in ms since the Unix epoch.
        slot: its slot.
        payload: the payload registered with it.
    """

    time: int
    slot: Hashable
    payload: Any


_SPARE = 64  # minimum number of times of deleted timers before a clean-up

_new_timer = partial(tuple.__new__, Timer)  # three times as fast as Timer(…)


class TimerError(PyStreamError, ValueError):
    """A time is invalid for a timer."""


class TimerQueue:
    """The timers of one subtask, in event time or in processing time.

    A timer belongs to a slot, which stands for its key (and its window), and carries a payload that is
    returned when it fires.
    """

    def __init__(self) -> None:
        self._slots: Timers = {}
        self._times: list[int] = []  # a heap of the keys of the former, and of times of deleted timers
        self._firing: Timers = {}

    def register(self, time: int, slot: Hashable, payload: Any) -> None:
        """Add a timer, unless it exists.

        Raises:
            TimerError: the time is not a 64-bit integer.
        """
        if type(time) is not int or not NO_TIMESTAMP <= time <= MAX_WATERMARK:
            time = _checked_time(time)
        if self._firing and slot in self._firing.get(time, ()):
            return
        slots = self._slots.get(time)
        if slots is None:
            self._slots[time] = {slot: payload}
            heappush(self._times, time)
        else:
            slots[slot] = payload

    def delete(self, time: int, slot: Hashable) -> None:
        """Remove a timer, if it exists."""
        if time in self._firing:
            self._firing[time].pop(slot, None)
        slots = self._slots.get(time)
        if slots is None or slots.pop(slot, self) is self or slots:
            return
        del self._slots[time]
        if len(self._times) > 2 * len(self._slots) + _SPARE:
            self._times[:] = self._slots
            heapify(self._times)

    def due(self, until: int) -> Iterator[Timer]:
        """Remove and yield the timers up to a time, in order, including those added meanwhile."""
        times = self._times
        while times and times[0] <= until:
            while times and times[0] <= until:
                time = heappop(times)
                slots = self._slots.pop(time, None)
                if slots is not None:
                    self._firing[time] = slots
            yield from self._fired()

    def _fired(self) -> Iterator[Timer]:
        firing = self._firing
        for time in list(firing):
            slots = firing[time]
            if len(slots) == 1:
                yield _new_timer((time, *slots.popitem()))
            else:
                for slot in _ordered(slots):
                    if slot in slots:  # otherwise it was deleted by one that fired earlier
                        yield _new_timer((time, slot, slots.pop(slot)))
            del firing[time]

    def left(self) -> Iterator[Timer]:
        """Remove and yield all timers, in order; timers added meanwhile are dropped."""
        self._firing = {time: self._slots[time] for time in sorted(self._slots)}
        self.clear()
        yield from self._fired()
        self.clear()

    def first(self) -> int | None:
        """Return the time of the earliest timer, ``None`` if there is none."""
        times, slots = self._times, self._slots
        while times and times[0] not in slots:
            heappop(times)
        return times[0] if times else None

    def pending(self) -> list[Timer]:
        """Return all timers, in the order in which they are due."""
        return [
            Timer(time, slot, slots[slot])
            for time, slots in sorted(self._slots.items())
            for slot in _ordered(slots)
        ]

    def snapshot(self) -> Timers:
        """Return all timers by time and slot."""
        return {time: dict(slots) for time, slots in self._slots.items()}

    def add(self, timers: Timers) -> None:
        """Add the timers of a snapshot."""
        for time, slots in timers.items():
            if time in self._slots:
                self._slots[time].update(slots)
            elif slots:
                self._slots[time] = dict(slots)
                heappush(self._times, time)

    def clear(self) -> None:
        """Remove all timers."""
        self._slots = {}
        self._times = []


def _checked_time(time: Any) -> int:
    """Return a time as a plain int, checked to be a valid timer's."""
    try:
        whole = int(time.__index__())
    except AttributeError:
        raise TimerError(f"a timer's time must be an int of ms since the Unix epoch, not {time!r}") from None
    if not NO_TIMESTAMP <= whole <= MAX_WATERMARK:
        raise TimerError(f"a timer's time must be from -2^63 to 2^63 - 1 ms, not {whole}")
    return whole


def _ordered(slots: dict[Hashable, Any]) -> list[Any]:
    keys: list[Any] = list(slots)
    try:
        return sorted(keys)
    except TypeError:  # timers of unorderable keys fire in order of registration
        return keys
