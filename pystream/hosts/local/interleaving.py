"""Interleavings: the order in which the subtasks of a job work and take from their channels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from pystream.engine.events import Elements

__all__ = ["ElementByElement", "InOrder", "Interleaving", "Seeded"]

T = TypeVar("T")


class Interleaving(ABC):
    """Decides whatever is left to chance on an engine of many processes."""

    @property
    @abstractmethod
    def merges_in_order(self) -> bool:
        """Whether a subtask takes the rows of its channels by position, so that they advance together."""

    @property
    @abstractmethod
    def flushes(self) -> bool:
        """Whether a subtask sends its results on after each batch, instead of gathering larger rows."""

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

    @property
    def flushes(self) -> bool:
        return False

    def choice(self, candidates: Sequence[T]) -> T:
        return candidates[0]

    def batches(self, elements: Elements) -> Iterator[Elements]:
        yield elements


class ElementByElement(InOrder):
    """Each element passes through the whole program before the source is asked for the next one."""

    @property
    def flushes(self) -> bool:
        return True

    def batches(self, elements: Elements) -> Iterator[Elements]:
        yield from _batches(elements, lambda: 1)


class Seeded(Interleaving):
    """Any order that keeps that within each channel, drawn from a seed; short batches.

    Args:
        random: decides; the same seed gives the same order.
        longest_batch: elements that arrive together at most.
        stay: how likely the same subtask or channel comes next again.
    """

    def __init__(self, random: Random, longest_batch: int = 8, stay: float = 0.5) -> None:
        self._random = random
        self._longest_batch = longest_batch
        self._stay = stay
        self._last: dict[type, Any] = {}  # the subtask, and the channel

    @property
    def merges_in_order(self) -> bool:
        return False

    @property
    def flushes(self) -> bool:
        return True

    def choice(self, candidates: Sequence[T]) -> T:
        kind = type(candidates[0])
        if self._last.get(kind) not in candidates or self._random.random() >= self._stay:
            self._last[kind] = self._random.choice(candidates)
        return candidates[candidates.index(self._last[kind])]

    def batches(self, elements: Elements) -> Iterator[Elements]:
        yield from _batches(elements, lambda: self._random.randint(1, self._longest_batch))


def _batches(elements: Elements, length: Callable[[], int]) -> Iterator[Elements]:
    start = 0
    while start < len(elements.values):
        end = start + length()
        times = None if elements.timestamps is None else elements.timestamps[start:end]
        yield Elements(elements.values[start:end], times)
        start = end
