"""Levels: the stages of an unbounded job by their distance from the sources, and the routes between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from pystream.hosts.lowering import Stage

__all__ = ["Address", "Levels", "Routes", "levels_of"]

_SEED = 42
_MASK = 0xFFFFFFFF


class Address(NamedTuple):
    """A subtask of a stage, by chain id and index."""

    chain: int
    subtask: int


@dataclass(frozen=True, slots=True)
class Routes:
    """The way of rows to the next level.

    Each subtask of that level has a label, by which Spark brings rows to it. Rows that are not for that level
    pass through it, under labels of their own.

    Attributes:
        labels: the label of each subtask of the level.
        passing: labels under which rows pass through the level, one for each partition.
        receivers: the chain id of the receiving stage of each edge that ends at the level.
    """

    labels: Mapping[Address, int]
    passing: tuple[int, ...]
    receivers: Mapping[int, int]

    def label(self, edge: int, target: int, channel: int) -> int:
        """Return the label of a row."""
        chain = self.receivers.get(edge)
        if chain is None:
            return self.passing[channel % len(self.passing)]
        return self.labels[Address(chain, target)]


@dataclass(frozen=True, slots=True)
class Levels:
    """The stages of an unbounded job by level; Spark runs the subtasks of a level at once.

    Attributes:
        sources: the stages that read sources.
        others: the stages of each further level, all of whose input comes from levels before.
        routes: the routes to each further level.
        partitions: the number of Spark tasks of each further level.
    """

    sources: tuple[Stage, ...]
    others: tuple[tuple[Stage, ...], ...]
    routes: tuple[Routes, ...]
    partitions: int


def levels_of(stages: Sequence[Stage]) -> Levels:
    """Divide stages into levels.

    Args:
        stages: senders before receivers.
    """
    level: dict[int, int] = {}
    for stage in stages:
        level[stage.chain] = 1 + max((level[edge.source] for edge in stage.inputs), default=-1)
    depth = max(level.values())
    divided = [tuple(stage for stage in stages if level[stage.chain] == each) for each in range(depth + 1)]
    partitions = max((stage.task.parallelism for part in divided[1:] for stage in part), default=1)
    routes = tuple(_routes(part, partitions) for part in divided[1:])
    return Levels(divided[0], tuple(divided[1:]), routes, partitions)


def _routes(stages: Iterable[Stage], partitions: int) -> Routes:
    free = [_labels(partition, partitions) for partition in range(partitions)]
    labels = {
        Address(stage.chain, subtask): next(free[subtask % partitions])
        for stage in stages
        for subtask in range(stage.task.parallelism)
    }
    receivers = {edge.number: stage.chain for stage in stages for edge in stage.inputs}
    return Routes(labels, tuple(map(next, free)), receivers)


def _labels(partition: int, partitions: int) -> Iterator[int]:
    """Yield the numbers that Spark's hash partitioning sends to a partition."""
    return (label for label in count() if _murmur3(label) % partitions == partition)


def _murmur3(value: int) -> int:
    """Return Spark's hash of a non-negative int, as signed 32 bits."""
    k = value * 0xCC9E2D51 & _MASK
    k = (k << 15 | k >> 17) & _MASK
    k = k * 0x1B873593 & _MASK
    h = _SEED ^ k
    h = (h << 13 | h >> 19) & _MASK
    h = (h * 5 + 0xE6546B64) & _MASK
    h ^= 4
    h ^= h >> 16
    h = h * 0x85EBCA6B & _MASK
    h ^= h >> 13
    h = h * 0xC2B2AE35 & _MASK
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h
