"""Bundles: slices of batches that are processed between two checks of the clock."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.engine.events import Elements
from pystream.engine.time.clock import Clock

__all__ = ["BundleSizer", "one_by_one", "undivided"]

_SINGLY = 128  # initial number of elements, so that time advances between the elements of short streams,
# and whoever waits for single elements has the first ones at once
_LONG = 50  # target duration in ms, after which timers and watermarks are processed
_SHORT = 20


def undivided(elements: Elements) -> tuple[Elements]:
    """Return a batch as one bundle."""
    return (elements,)


def one_by_one(elements: Elements) -> Iterator[Elements]:
    """Yield each element of a batch as a bundle of its own."""
    values, timestamps = elements.values, elements.timestamps
    for at in range(len(values)):
        times = None if timestamps is None else timestamps[at : at + 1]
        yield elements._replace(values=values[at : at + 1], timestamps=times)


class BundleSizer:
    """Split batches into bundles that take about 50 ms each, independent of the cost of an element.

    Args:
        clock: measures the time it took.
        singly: whether the first elements are bundles of their own.
    """

    def __init__(self, clock: Clock, *, singly: bool) -> None:
        self._clock = clock
        self._size = 1
        self._left = _SINGLY if singly else 0

    def parts(self, elements: Elements) -> Iterator[Elements]:
        """Yield a batch in bundles, each to be processed before the next is requested."""
        values, timestamps = elements.values, elements.timestamps
        start = 0
        while start < len(values):
            end = start + self._size
            began = self._clock.now()
            if start == 0 and end >= len(values):
                yield elements
            else:
                times = None if timestamps is None else timestamps[start:end]
                yield elements._replace(values=values[start:end], timestamps=times)
            self._adapt(min(end, len(values)) - start, self._clock.now() - began)
            start = end

    def _adapt(self, count: int, millis: int) -> None:
        self._left -= count
        if millis > _LONG:
            self._size = max(1, self._size // 2)
        elif millis < _SHORT and self._left <= 0 and count == self._size:
            self._size *= 2 if millis > _SHORT // 8 else 8
