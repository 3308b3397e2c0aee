"""Clocks of processing time."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol
from weakref import WeakValueDictionary

__all__ = ["Clock", "ManualClock", "SystemClock"]


class Clock(Protocol):
    """A source of processing time."""

    def now(self) -> int:
        """Return the time in ms since the Unix epoch; it never goes backwards."""
        ...


class SystemClock:
    """The system clock; it stands still while the system time is set back."""

    def __init__(self) -> None:
        self._latest = 0

    def now(self) -> int:
        """Return the wall clock in ms since the Unix epoch."""
        self._latest = max(self._latest, time.time_ns() // 1_000_000)
        return self._latest


class ManualClock:
    """A clock that advances only when it is set.

    Functions on the local host may refer to it: within a process, unpickling returns the same clock.
    """

    def __init__(self, now: int = 0) -> None:
        self._now = now
        self._listeners: list[Callable[[], None]] = []
        self._name = uuid.uuid4().hex
        _CLOCKS[self._name] = self

    def __reduce__(self) -> tuple[Callable[[str], ManualClock], tuple[str]]:
        return _clock, (self._name,)

    def now(self) -> int:
        """Return the time last set."""
        return self._now

    def set(self, now: int) -> None:
        """Advance to a time.

        Raises:
            ValueError: it lies before the current time.
        """
        if now < self._now:
            raise ValueError(f"processing time cannot go back from {self._now} to {now}")
        self._now = now
        for listener in list(self._listeners):
            listener()

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call a function whenever the clock is set within the block, in the thread that sets it."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)


_CLOCKS: WeakValueDictionary[str, ManualClock] = WeakValueDictionary()


def _clock(name: str) -> ManualClock:
    """Return the clock with a name, which must belong to this process.

    Raises:
        RuntimeError: the clock belongs to another process, or no longer exists.
    """
    clock = _CLOCKS.get(name)
    if clock is None:
        raise RuntimeError(
            "a ManualClock works only in the process that created it; run the program on the local host"
        )
    return clock
