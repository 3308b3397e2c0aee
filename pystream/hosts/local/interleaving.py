"""Interleavings: the order in which the subtasks of a job work and take from their channels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from pystream.engine.events import Elements

__all__ = ["InOrder", "Interleaving", "Seeded"]

T = TypeVar("T")

_LONGEST_BATCH = 8
_STAY = 0.5


class Interleaving(ABC):
    """Decides whatever is left to chance on an engine of many processes."""

    @property
    @abstractmethod
    def merges_in_order(self) -> bool:
        """Whether a subtask takes the rows of its channels by position, so that they advance together."""

    @abstractmethod
    def choice(self, candidates: Sequence[T]) -> T:
        """Return one of the subtasks that can work, or of the channels that have rows."""

    @abstractmethod
    def batches(self, elements: Elements) -> Iterator[Elements]:
        """Yield elements in the batches in which they arrive."""


class InOrder(Interleaving):
    """The order of rows that Spark brings, too: by position, then by channel."""

    @property
    def merges_in_order(self) -> bool:
        return True

    def choice(self, candidates: Sequence[T]) -> T:
        return candidates[0]

    def batches(self, elements: Elements) -> Iterator[Elements]:
        yield elements


class Seeded(Interleaving):
    """Any order that keeps that within each channel, drawn from a seed; short batches.

    Args:
        seed: the same seed gives the same order.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._last: Any = None

    @property
    def merges_in_order(self) -> bool:
        return False

    def choice(self, candidates: Sequence[T]) -> T:
        stays = self._last in candidates and self._random.random() < _STAY
        chosen = (
            next(one for one in candidates if one == self._last) if stays else self._random.choice(candidates)
        )
        self._last = chosen
        return chosen

    def batches(self, elements: Elements) -> Iterator[Elements]:
        start = 0
        while start < len(elements.values):
            end = start + self._random.randint(1, _LONGEST_BATCH)
            times = None if elements.timestamps is None else elements.timestamps[start:end]
            yield Elements(elements.values[start:end], times)
            start = end
