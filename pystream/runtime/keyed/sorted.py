"""SortedByKey: runs a keyed operator one key after another, as in batch execution."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from operator import itemgetter
from typing import Any

from pystream.runtime.collector import joined
from pystream.runtime.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.runtime.keyed.operator import KeyedOperator
from pystream.runtime.operator import Operator, OperatorEnvironment

__all__ = ["SortedByKey"]

_Element = tuple[int, int, Any]  # event time, side, value


class SortedByKey(Operator):
    """Gathers the elements of a key group, then works on one key at a time, in the order of event
    time.

    Each key sees event time run from its beginning to its end, and its state is gone when it is done. Memory
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
        slots = self._operator.slots(values, side)
        timestamps = elements.timestamps or [NO_TIMESTAMP] * len(values)
        gathered = self._gathered
        for slot, timestamp, value in zip(slots, timestamps, values, strict=True):
            gathered.setdefault(slot, []).append((timestamp, side, value))
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
                run = rows[start:end]
                yield from self._operator.process(
                    Elements([value for _, _, value in run], [time for time, _, _ in run]), run[0][1]
                )
            yield from self._operator.end_of_key()


_TIME = itemgetter(0)


def _runs(rows: list[_Element]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of elements of one side."""
    start = 0
    for at in range(1, len(rows)):
        if rows[at][1] != rows[start][1]:
            yield start, at
            start = at
    yield start, len(rows)
