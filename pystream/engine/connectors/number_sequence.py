"""NumberSequence: a source of consecutive integers, optionally at a limited rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.pace import Pace, paced
from pystream.kinds import SourceColumns
from typeinfo.basic import LONG

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["NumberEnumerator", "NumberRange", "NumberSequence"]

_BATCH = 16_384


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The integers ``first`` to ``last``, both included; empty if ``last < first``.

    Attributes:
        first: the first one.
        last: the last one.
        rate: how many are read per second; 0 for as many as possible.
    """

    first: int
    last: int
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class NumberSequence:
    """The integers from ``first`` to ``last``, both included, as a bounded or an unbounded source.

    Attributes:
        first: the first one.
        last: the last one.
        rate: how many there are per second over all subtasks; 0 for no limit.
        is_bounded: whether the source counts as one that ends.
    """

    first: int
    last: int
    rate: float = 0.0
    is_bounded: bool = True

    @property
    def first_limit(self) -> int:
        """The limit of the first polls in elements."""
        return 8 * _BATCH

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns; Spark cannot limit the rate."""
        return SourceColumns.NONE if self.rate else SourceColumns.SPARK

    def splits(self, parallelism: int) -> Sequence[Sequence[NumberRange]]:
        """Divide the range into one contiguous part per subtask; sizes differ by at most one."""
        return _divided(self.first, self.last + 1, parallelism, self.rate / parallelism)

    def enumerator(
        self, parallelism: int, position: int | None = None, changes: Sequence[int] = ()
    ) -> NumberEnumerator:
        """Return an enumerator that starts with the number after those read before.

        Args:
            parallelism: number of subtasks.
            position: the next number at the time of a snapshot.
            changes: the next number after each poll since.
        """
        known = [self.first if position is None else position, *changes]
        return NumberEnumerator(known[-1], self.last, self.rate, parallelism, is_bounded=self.is_bounded)

    def size(self, split: NumberRange) -> int:
        """Return the number of integers in a range."""
        return split.last - split.first + 1

    def measure(self, values: Sequence[int]) -> int:
        """Return the number of elements."""
        return len(values)

    def read(self, split: NumberRange) -> Iterator[Sequence[int]]:
        """Yield the integers of a range in ascending order, at its rate, or as columns if it has none."""
        end = split.last + 1
        if split.rate:
            yield from map(list, paced(split.first, end, split.rate, _BATCH))
            return
        for start in range(split.first, end, _BATCH):
            yield _column(start, min(start + _BATCH, end))


class NumberEnumerator:
    """Divides a sequence of numbers into epochs; its position is the next number.

    Args:
        next_number: the first number to read.
        last: the last number to read.
        rate: how many are due per second, from the first poll on; 0 for all at once.
        parallelism: number of subtasks.
        is_bounded: whether the source counts as one that ends.
    """

    def __init__(
        self, next_number: int, last: int, rate: float, parallelism: int, *, is_bounded: bool
    ) -> None:
        self._first = self._next = next_number
        self._end = last + 1
        self._parallelism = parallelism
        self._is_bounded = is_bounded
        self._pace = Pace(rate) if rate else None

    @property
    def is_ended(self) -> bool:
        """Whether all numbers have been read."""
        return self._next >= self._end

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next numbers that are due, a contiguous range for each subtask.

        The subtask that reads the first part changes, so that single numbers go to all in turn.
        """
        if self.is_ended:
            return None
        due = self._end
        if self._pace is not None:
            due = min(due, self._first + self._pace.due(now))
        start, end = self._next, min(due, self._next + max(limit, 1))
        if end <= start:
            return None
        self._next = end
        if self._pace is not None:
            self._pace.take(end - start, now)
        parts = _divided(start, end, self._parallelism)
        turn = start % self._parallelism
        return Poll(parts[-turn:] + parts[:-turn] if turn else parts, end - start, end, end < due)

    def next_poll(self, now: int) -> int | None:
        """Return the time at which numbers are due: at once if there is no rate."""
        if self.is_ended:
            return None
        return now if self._pace is None else self._pace.next_due(now)

    def backlog(self, now: int) -> Backlog | None:
        """Return how many numbers are due; ``None`` if these are all numbers of an unbounded source."""
        left = max(self._end - self._next, 0)
        if self._pace is not None:
            return Backlog(min(left, self._pace.pending(now)), "records")
        return Backlog(left, "records") if self._is_bounded else None

    def snapshot(self) -> int:
        """Return the next number."""
        return self._next

    def completed(self) -> None:
        """Do nothing: numbers are not stored anywhere."""

    def close(self) -> None:
        """Do nothing."""


def _column(start: int, end: int) -> ColumnValues:
    """Return the integers of a range as a column."""
    import numpy as np
    import pyarrow as pa

    from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of

    layout = layout_of(LONG)
    numbers = Column(layout.codecs[0], pa.array(np.arange(start, end, dtype=np.int64)), range(start, end))
    return ColumnValues.of_columns(layout, [numbers], end - start)


def _divided(first: int, end: int, parts: int, rate: float = 0.0) -> list[list[NumberRange]]:
    """Divide a range into contiguous ones whose sizes differ by at most one, each of them in a list."""
    count = end - first
    cuts = [first + count * i // parts for i in range(parts + 1)]
    return [[NumberRange(a, b - 1, rate)] if a < b else [] for a, b in pairwise(cuts)]
