"""A bounded source of consecutive integers, split into one contiguous range per subtask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pystream.kinds import SourceColumns

__all__ = ["NumberRange", "NumberSequence"]

_BATCH = 16_384


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The integers ``first`` to ``last``, both included; empty if ``last < first``."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class NumberSequence:
    """The integers from ``first`` to ``last``, both included, as a bounded source."""

    first: int
    last: int

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.SPARK

    def splits(self, parallelism: int) -> Sequence[Sequence[NumberRange]]:
        """Divide the range into one contiguous part per subtask; sizes differ by at most one."""
        count = self.last - self.first + 1
        cuts = [self.first + count * i // parallelism for i in range(parallelism + 1)]
        return [[NumberRange(start, end - 1)] if start < end else [] for start, end in pairwise(cuts)]

    def size(self, split: NumberRange) -> int:
        """Return the number of integers in a range."""
        return split.last - split.first + 1

    def measure(self, values: list[int]) -> int:
        """Return the number of elements."""
        return len(values)

    def read(self, split: NumberRange) -> Iterator[list[int]]:
        """Yield the integers of a range in ascending order."""
        end = split.last + 1
        for start in range(split.first, end, _BATCH):
            yield list(range(start, min(start + _BATCH, end)))
