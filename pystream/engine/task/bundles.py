"""Bundles: slices of batches that are processed between two checks of the clock."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.engine.events import Elements, as_list
from pystream.engine.time.clock import Clock

__all__ = ["BundleSizer", "one_by_one", "undivided"]

_ONES = 128  # initial number of elements, so that time advances between the elements of short streams,
# and whoever waits for single elements has the first ones at once
_LONG = 50  # target duration in ms, after which timers and watermarks are processed
_SHORT = 20


def undivided(elements: Elements) -> tuple[Elements]:
    """Return a batch as one bundle."""
    return (elements,)


def one_by_one(elements: Elements) -> Iterator[Elements]:
    """Yield each element of a batch as a bundle of its own."""
    for at in range(len(elements.values)):
        yield _slice(elements, at, at + 1)


class BundleSizer:
    """Split batches into bundles that take about 50 ms each, independent of the cost of an element.

    Args:
        clock: measures the time it took.
        starts_with_ones: whether each of the first elements is a bundle.
    """

    def __init__(self, clock: Clock, *, starts_with_ones: bool) -> None:
        self._clock = clock
        self._size = 1
        self._left = _ONES if starts_with_ones else 0

    def parts(self, elements: Elements) -> Iterator[Elements]:
        """Yield a batch in bundles, each to be processed before the next is requested.

        The elements of the first ones are objects, as columns take longer for single elements.
        """
        few = min(self._left, len(elements.values))
        if few > 0 and not isinstance(elements.values, list):
            yield from self._parts(as_list(_slice(elements, 0, few)))
            elements = _slice(elements, few, len(elements.values))
        yield from self._parts(elements)

    def _parts(self, elements: Elements) -> Iterator[Elements]:
        start, count = 0, len(elements.values)
        while start < count:
            end = min(start + self._size, count)
            began = self._clock.now()
            yield elements if end - start == count else _slice(elements, start, end)
            self._adapt(end - start, self._clock.now() - began)
            start = end

    def _adapt(self, count: int, millis: int) -> None:
        self._left -= count
        if millis > _LONG:
            self._size = max(1, self._size // 2)
        elif millis < _SHORT and self._left <= 0 and count == self._size:
            self._size *= 2 if millis > _SHORT // 8 else 8


def _slice(elements: Elements, start: int, end: int) -> Elements:
    times = None if elements.timestamps is None else elements.timestamps[start:end]
    return elements._replace(values=elements.values[start:end], timestamps=times)
