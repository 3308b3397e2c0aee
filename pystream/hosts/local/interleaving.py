"""Interleavings: the order in which subtasks run and read from their channels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, ClassVar, TypeVar

from pystream.engine.events import Elements

__all__ = ["ElementByElement", "InOrder", "Interleaving", "Seeded"]

T = TypeVar("T")


class Interleaving(ABC):
    """Makes the choices that are left to chance on a distributed engine.

    Attributes:
        merges_in_order: whether a subtask reads rows by position, so that its channels advance together.
        flushes: whether a subtask sends its results after each batch, instead of collecting larger rows.
    """

    merges_in_order: ClassVar[bool]
    flushes: ClassVar[bool]

    @abstractmethod
    def choice(self, candidates: Sequence[T]) -> T:
        """Choose among the subtasks that can run, or among the channels that have rows."""

    @abstractmethod
    def batches(self, elements: Elements) -> Iterator[Elements]:
        """Yield elements in the batches in which they arrive."""


class InOrder(Interleaving):
    """Reads rows by position, then by channel: the same order as on Spark."""

    merges_in_order = True
    flushes = False

    def choice(self, candidates: Sequence[T]) -> T:
        return candidates[0]

    def batches(self, elements: Elements) -> Iterator[Elements]:
        yield elements


class ElementByElement(InOrder):
    """Passes each element through the whole program before reading the next one from the source."""

    flushes = True

    def batches(self, elements: Elements) -> Iterator[Elements]:
        yield from _batches(elements, lambda: 1)


class Seeded(Interleaving):
    """Chooses at random, from a seed, while each channel keeps its order; batches are short.

    Args:
        random: makes the choices; the same seed leads to the same order.
        longest_batch: maximum number of elements in a batch.
        stay: probability that the same subtask or channel is chosen again.
    """

    merges_in_order = False
    flushes = True

    def __init__(self, random: Random, longest_batch: int = 8, stay: float = 0.5) -> None:
        self._random = random
        self._longest_batch = longest_batch
        self._stay = stay
        self._last: dict[type, Any] = {}  # the subtask, and the channel

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
