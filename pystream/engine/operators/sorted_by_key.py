"""SortedByKey: runs a keyed operator for one key after another, as in batch execution."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import repeat
from operator import itemgetter
from typing import Any

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.engine.keys import Keys
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.results.collector import joined

__all__ = ["SortedByKey", "by_key"]


def by_key(operator: KeyedOperator, batch: bool) -> Operator:
    """Return an operator that processes one key after another in batch execution."""
    return SortedByKey(operator) if batch else operator


_Element = tuple[int, int, Any, Any, Hashable]  # event time, side, value, key, slot


class SortedByKey(Operator):
    """Buffer the elements of a key group, then process one key after another, each in order of event
    time.

    Each key sees event time run from its start to its end, and its state is gone when it is done. Memory
    holds one key group.
    """

    def __init__(self, operator: KeyedOperator) -> None:
        super().__init__(operator.label)
        self._operator = operator
        self._gathered: dict[Hashable, list[_Element]] = {}

    def open(self, environment: OperatorEnvironment) -> None:
        self._operator.open(environment)

    def close(self) -> None:
        self._operator.close()

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        values = elements.values
        keys = self._operator.read_keys(values, side)
        timestamps = elements.timestamps or [NO_TIMESTAMP] * len(values)
        gathered = self._gathered
        for element in zip(timestamps, repeat(side), values, keys.keys, keys.slots, strict=False):
            gathered.setdefault(element[-1], []).append(element)
        return iter(())

    def advance(self, watermark: int) -> Iterator[Event]:
        if watermark == MAX_WATERMARK:
            yield from self.end_group()
            yield Watermark(watermark)

    def end_group(self) -> Iterator[Event]:
        return joined(self._end_keys())

    def _end_keys(self) -> Iterator[Event]:
        gathered, self._gathered = self._gathered, {}
        for rows in gathered.values():
            rows.sort(key=_TIME)
            for start, end in _runs(rows):
                times, sides, values, keys, slots = map(list, zip(*rows[start:end], strict=True))
                yield from self._operator.process_keyed(Elements(values, times), Keys(keys, slots), sides[0])
            yield from self._operator.end_of_key()


_TIME = itemgetter(0)


def _runs(rows: list[_Element]) -> Iterator[tuple[int, int]]:
    """Split the elements into runs from the same input."""
    start = 0
    for at in range(1, len(rows)):
        if rows[at][1] != rows[start][1]:
            yield start, at
            start = at
    yield start, len(rows)
