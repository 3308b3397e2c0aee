"""Clocks of processing time."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["Clock", "ManualClock", "SystemClock"]


class Clock(Protocol):
    """A source of processing time."""

    def now(self) -> int:
        """Return the time in ms since the epoch; it never goes back."""
        ...


class SystemClock:
    """The machine's clock, held where it stands while someone sets it back."""

    def __init__(self) -> None:
        self._latest = 0

    def now(self) -> int:
        """Return the wall clock in ms since the epoch."""
        self._latest = max(self._latest, time.time_ns() // 1_000_000)
        return self._latest


class ManualClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, now: int = 0) -> None:
        self._now = now

    def now(self) -> int:
        """Return the time last set."""
        return self._now

    def set(self, now: int) -> None:
        """Go on to a time.

        Raises:
            ValueError: it lies before the present one.
        """
        if now < self._now:
            raise ValueError(f"processing time does not go back from {self._now} to {now}")
        self._now = now
