"""Pace: the elements that are due at a rate."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

__all__ = ["Pace", "paced"]

_INTERVAL_MS = 50


class Pace:
    """Count the elements that are due: the first one at once, then in at most 20 batches a second.

    Args:
        rate: how many are due per second.
    """

    def __init__(self, rate: float) -> None:
        self._per_ms = Fraction(rate) / 1000
        self._start: int | None = None
        self._taken = 0
        self._not_before = 0

    def due(self, now: int) -> int:
        """Return the number of elements due since the first call, with those already taken.

        Args:
            now: processing time in ms since the Unix epoch.
        """
        if self._start is None:
            self._start = now
        if now < self._not_before:
            return self._taken
        return max(floor((now - self._start) * self._per_ms) + 1, self._taken)

    def pending(self, now: int) -> int:
        """Return the number of elements that are due and not taken; 0 before the first call of `due`."""
        return 0 if self._start is None else self.due(now) - self._taken

    def take(self, count: int, now: int) -> None:
        """Count elements as taken; the next ones come after an interval, unless more are due already."""
        due = self.due(now)
        self._taken += count
        self._not_before = now if self._taken < due else now + _INTERVAL_MS

    def next_due(self, now: int) -> int:
        """Return the time at which an element is due that has not been taken."""
        if self._start is None:
            return now
        return max(self._start + ceil(self._taken / self._per_ms), self._not_before)


def paced(first: int, end: int, rate: float, batch: int) -> Iterator[range]:
    """Yield the integers of a range at a rate, in ranges of bounded length.

    Args:
        first: the first one.
        end: the one after the last.
        rate: how many are yielded per second.
        batch: maximum length of a range.
    """
    pace = Pace(rate)
    position = first
    while position < end:
        now = time.monotonic_ns() // 1_000_000
        stop = min(first + pace.due(now), end, position + batch)
        if stop > position:
            yield range(position, stop)
            pace.take(stop - position, now)
            position = stop
        else:
            time.sleep((pace.next_due(now) - now) / 1000)
