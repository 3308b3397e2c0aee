"""Interleavings: the order in which subtasks run and read from their channels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from pystream.engine.events import Elements
from pystream.hosts.unbounded.pace import Pace

__all__ = ["ElementByElement", "InOrder", "Interleaving", "RandomPace", "Seeded"]

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

    def of_epoch(self, number: int) -> Interleaving:
        """Return the interleaving of an epoch of an unbounded job, the same when the epoch is repeated."""
        return self

    def pace(self, interval: int, limits: Mapping[int, int]) -> Pace:
        """Return the pace of an unbounded job.

        Args:
            interval: target duration of an epoch, in ms.
            limits: the first limit of each source, in units of the source, by chain id.
        """
        return Pace(interval, limits)


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
    """Chooses at random, from a seed, while each channel keeps its order; batches and epochs are short.

    Args:
        random: makes the choices; the same seed leads to the same order.
        longest_batch: maximum number of elements in a batch.
        stay: probability that the same subtask or channel is chosen again.
    """

    merges_in_order = False
    flushes = True

    def __init__(self, random: Random, longest_batch: int = 8, stay: float = 0.5) -> None:
        self._random = random
        self._seed = random.getrandbits(32)
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

    def of_epoch(self, number: int) -> Self:
        """Return an interleaving with the same settings, from a seed of the epoch's own."""
        random = Random(f"{self._seed} {number}")
        return type(self)(random, self._longest_batch, self._stay)

    def pace(self, interval: int, limits: Mapping[int, int]) -> Pace:
        """Return a pace with random limits, up to the first ones."""
        return RandomPace(Random(self._seed), limits)


class RandomPace(Pace):
    """Draw the limits of each epoch, small ones as often as large ones.

    Args:
        random: makes the choices.
        limits: the highest limit of each source, by chain id.
    """

    def __init__(self, random: Random, limits: Mapping[int, int]) -> None:
        super().__init__(0, limits)
        self._random = random
        self._highest = dict(limits)
        self.adapt(0, ())

    def adapt(self, millis: int, cut: Iterable[int]) -> None:
        """Draw the limits of the next epoch; the duration of the last one is ignored."""
        self._limits = {chain: limit ** self._random.random() for chain, limit in self._highest.items()}


def _batches(elements: Elements, length: Callable[[], int]) -> Iterator[Elements]:
    start = 0
    while start < len(elements.values):
        end = start + length()
        times = None if elements.timestamps is None else elements.timestamps[start:end]
        yield Elements(elements.values[start:end], times)
        start = end
