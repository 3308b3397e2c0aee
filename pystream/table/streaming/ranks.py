"""Aggregators of the ranks of rows, which come in order."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

from pystream.errors import UnsupportedOperationError
from pystream.table.streaming.aggregators import Aggregator

__all__ = ["DenseRank", "Rank"]


class _Ranks(NamedTuple):
    """The number of rows, the value by which the last one is ordered, and its ranks."""

    number: int = 0
    last: Any = None
    rank: int = 0
    dense_rank: int = 0


class _OfRanks(Aggregator):
    """Base class of aggregators of the values by which rows are ordered, and in whose order they come."""

    def empty(self) -> _Ranks:
        """Return the ranks before the first row."""
        return _Ranks()

    def add(self, accumulated: _Ranks, value: Any) -> _Ranks:
        """Return the ranks of the next row."""
        number, last, rank, dense_rank = accumulated
        if number and last == value:
            return _Ranks(number + 1, last, rank, dense_rank)
        return _Ranks(number + 1, value, number + 1, dense_rank + 1)

    def merge(self, one: _Ranks, other: _Ranks) -> _Ranks:
        """Refuse to merge."""
        raise UnsupportedOperationError("ranks are those of OVER, and do not merge")

    @abstractmethod
    def result(self, accumulated: _Ranks) -> int:
        """Return the rank."""


class Rank(_OfRanks):
    """One more than the number of rows before those of equal order. Mirrors ``RankAggFunction``."""

    def result(self, accumulated: _Ranks) -> int:
        """Return the rank."""
        return accumulated.rank


class DenseRank(_OfRanks):
    """The number of different values up to that of the row. Mirrors ``DenseRankAggFunction``."""

    def result(self, accumulated: _Ranks) -> int:
        """Return the rank."""
        return accumulated.dense_rank
