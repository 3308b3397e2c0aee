"""Timers of one time domain: one for each key and time, fired in the order of time, then of key."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple, TypeAlias

__all__ = ["Timer", "TimerQueue", "Timers"]

Timers: TypeAlias = "dict[int, dict[Hashable, Any]]"


class Timer(NamedTuple):
    """A timer that fires.

    Attributes:
        time: what it was registered for, in ms since the epoch.
        slot: what it belongs to.
        payload: what was registered with it.
    """

    time: int
    slot: Hashable
    payload: Any


class TimerQueue:
    """The timers of one subtask, in event time or in processing time.

    A timer belongs to a slot, which stands for its key (and its window), and carries a payload that comes
    back when it fires.
    """

    def __init__(self) -> None:
        self._slots: Timers = {}
        self._times: list[int] = []
        self._firing: Timers = {}

    def register(self, time: int, slot: Hashable, payload: Any) -> None:
        """Add a timer; one that is there already stays the only one."""
        if slot in self._firing.get(time, ()):
            return
        slots = self._slots.get(time)
        if slots is None:
            self._slots[time] = {slot: payload}
            heappush(self._times, time)
        else:
            slots[slot] = payload

    def delete(self, time: int, slot: Hashable) -> None:
        """Remove a timer; nothing happens if there is none."""
        for timers in (self._firing, self._slots):
            if time in timers:
                timers[time].pop(slot, None)

    def due(self, until: int) -> Iterator[Timer]:
        """Take and yield the timers up to a time, in order; then those that were added meanwhile."""
        times = self._times
        while times and times[0] <= until:
            while times and times[0] <= until:
                time = heappop(times)
                self._firing[time] = self._slots.pop(time)
            for time in list(self._firing):
                yield from self._fired(time)

    def _fired(self, time: int) -> Iterator[Timer]:
        slots = self._firing[time]
        for slot in _ordered(slots):
            if slot in slots:  # else one that fired before has deleted it
                yield Timer(time, slot, slots.pop(slot))
        del self._firing[time]

    def left(self) -> Iterator[Timer]:
        """Take and yield the timers there are now, in order; those added meanwhile are dropped."""
        self._firing = {time: self._slots[time] for time in sorted(self._slots)}
        self.restore({})
        for time in list(self._firing):
            yield from self._fired(time)
        self.restore({})

    def next_time(self) -> int | None:
        """Return the time of the earliest timer, ``None`` if there is none."""
        while self._times and not self._slots[self._times[0]]:
            del self._slots[heappop(self._times)]
        return self._times[0] if self._times else None

    def __len__(self) -> int:
        return sum(map(len, self._slots.values()))

    def snapshot(self) -> Timers:
        """Return all timers by time and slot."""
        return {time: dict(slots) for time, slots in self._slots.items() if slots}

    def restore(self, timers: Timers) -> None:
        """Replace all timers by those of a snapshot."""
        self._slots = {time: dict(slots) for time, slots in timers.items()}
        self._times = list(self._slots)
        heapify(self._times)


def _ordered(slots: dict[Hashable, Any]) -> list[Any]:
    if len(slots) < 2:
        return list(slots)
    keys: list[Any] = list(slots)
    try:
        return sorted(keys)
    except TypeError:  # keys that have no order fire in the order they were registered
        return keys
