"""Collector: collects copies of a function's results in batches, by output."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import partial
from operator import itemgetter
from typing import Any

from pystream.engine.events import NO_TIMESTAMP, Elements, Event
from pystream.engine.failure import short_repr
from pystream.engine.output_tag import OutputTag
from pystream.engine.results.collections import COLLECTIONS, are_results
from pystream.engine.results.copies import ResultCopier, is_tagged

__all__ = ["Collector", "joined"]

_FULL = 8_192
_UNKNOWN = object()

_Starts = list[tuple[int, Any]]
"""Input elements, each with the index of its first result, or of the next element's if it has none."""


def joined(events: Iterable[Event]) -> Iterator[Event]:
    """Merge small batches into larger ones; each output keeps its order."""
    batches: dict[str | None, list[Elements]] = {}
    count = 0
    for event in events:
        if isinstance(event, Elements) and count < _FULL:
            batches.setdefault(event.tag, []).append(event)
            count += len(event.values)
            continue
        yield from map(_one, batches.values())
        batches, count = {}, 0
        yield event
    yield from map(_one, batches.values())


def _one(batches: list[Elements]) -> Elements:
    if len(batches) == 1:
        return batches[0]
    values = [value for batch in batches for value in batch.values]
    if all(batch.timestamps is None for batch in batches):
        return Elements(values, None, batches[0].tag, partial(_origin, batches))
    timestamps = [
        time for batch in batches for time in batch.timestamps or [NO_TIMESTAMP] * len(batch.values)
    ]
    return Elements(values, timestamps, batches[0].tag, partial(_origin, batches))


def _origin(batches: list[Elements], index: int) -> str:
    for batch in batches:
        if index < len(batch.values):
            return "" if batch.origin is None else batch.origin(index)
        index -= len(batch.values)
    raise IndexError(index)


class Collector:
    """Collect results with their timestamps.

    Args:
        result_copier: copies the results; ``None`` if they are copies already.

    Attributes:
        element: the current input element, set by the caller of the function; for messages.
        is_full: whether the collected results should be taken.
    """

    __slots__ = (
        "_copier",
        "_copies",
        "_elements",
        "_sides",
        "_timed",
        "_timestamps",
        "_values",
        "element",
        "is_full",
    )

    def __init__(self, result_copier: ResultCopier | None = None) -> None:
        self._copies = result_copier
        self._copier = None if result_copier is None else result_copier.copier
        self.element: Any = _UNKNOWN
        self._clear()

    def _clear(self) -> None:
        self._values: list[Any] = []
        self._timestamps: list[int] = []
        self._elements: _Starts = []
        self._sides: dict[str, tuple[list[Any], list[int], _Starts]] = {}
        self._timed = False
        self.is_full: bool = False

    def add_all(self, results: Iterable[Any], timestamp: int) -> None:
        """Add the results of one call; pairs that start with an OutputTag go to that side output.

        Raises:
            SeveralResultsError: they are not a collection of results.
        """
        if type(results) not in COLLECTIONS:
            are_results(results)
        values, timestamps, copier = self._values, self._timestamps, self._copier
        self._elements.append((len(values), self.element))
        for result in results:
            if is_tagged(result):
                self.add_side(*result, timestamp)
            else:
                values.append(result if copier is None else copier(result))
                timestamps.append(timestamp)
        if timestamp != NO_TIMESTAMP:
            self._timed = True
        if len(values) >= _FULL:
            self.is_full = True

    def add(self, result: Any, timestamp: int) -> None:
        """Add one result to the main output."""
        self._elements.append((len(self._values), self.element))
        self._values.append(result if self._copier is None else self._copier(result))
        self._timestamps.append(timestamp)
        if timestamp != NO_TIMESTAMP:
            self._timed = True
        if len(self._values) >= _FULL:
            self.is_full = True

    def add_side(self, tag: OutputTag[Any], value: Any, timestamp: int) -> None:
        """Add one result to a side output."""
        values, timestamps, elements = self._sides.setdefault(tag.tag_id, ([], [], []))
        elements.append((len(values), self.element))
        values.append(value if self._copies is None else self._copies.side(tag, value))
        timestamps.append(timestamp)

    def take(self) -> Iterator[Elements]:
        """Yield the collected elements and start over."""
        values, timestamps, sides, timed = self._values, self._timestamps, self._sides, self._timed
        origin = partial(_shown, self._elements)
        self._clear()
        self.element = _UNKNOWN
        if values:
            yield Elements(values, timestamps if timed else None, origin=origin)
        for tag, (side_values, side_timestamps, side_elements) in sides.items():
            yield Elements(side_values, side_timestamps, tag, partial(_shown, side_elements))


def _shown(elements: _Starts, index: int) -> str:
    _, element = elements[bisect_right(elements, index, key=itemgetter(0)) - 1]
    return "" if element is _UNKNOWN else short_repr(element)
