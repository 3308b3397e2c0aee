"""Queues of matches by their first rows.

A queue is a list that is a binary heap. Of matches with the same first row, that is of several ways to map
rows to variables, the one in front is the result: it is the one that ``java.util.PriorityQueue`` has in
front, in which Flink keeps them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

__all__ = ["add", "begun_from", "pop"]


class _Started(Protocol):
    @property
    def start(self) -> int:
        """The number of the first row."""
        ...


T = TypeVar("T", bound=_Started)


def add(queue: list[T], item: T) -> None:
    """Add an item to a queue."""
    place = len(queue)
    queue.append(item)
    while place:
        parent = (place - 1) // 2
        if item.start >= queue[parent].start:
            break
        queue[place] = queue[parent]
        place = parent
    queue[place] = item


def pop(queue: list[T]) -> T:
    """Remove and return the item in front."""
    first, last = queue[0], queue.pop()
    if queue:
        _sink(queue, 0, last)
    return first


def begun_from(queue: Sequence[T], start: int) -> list[T]:
    """Return a queue of those items of another one that do not begin before a row."""
    result = [item for item in queue if item.start >= start]
    if len(result) < len(queue):
        for place in reversed(range(len(result) // 2)):
            _sink(result, place, result[place])
    return result


def _sink(queue: list[T], place: int, item: T) -> None:
    """Put an item in a place, or below it."""
    while (child := 2 * place + 1) < len(queue):
        if child + 1 < len(queue) and queue[child].start > queue[child + 1].start:
            child += 1
        if item.start <= queue[child].start:
            break
        queue[place] = queue[child]
        place = child
    queue[place] = item
