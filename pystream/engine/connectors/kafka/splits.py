"""Splits of Kafka topics: the ranges of offsets that a subtask reads in an epoch."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pystream.engine.connectors.kafka.offsets import TopicPartition

__all__ = ["KafkaSplit", "OffsetRange", "limited", "splits_of"]


class OffsetRange(NamedTuple):
    """Offsets of a partition.

    Attributes:
        partition: the partition.
        start: the first offset.
        end: the offset after the last one.
    """

    partition: TopicPartition
    start: int
    end: int


class KafkaSplit(NamedTuple):
    """The input of a subtask.

    Attributes:
        subtask: its number.
        ranges: the offsets to read, none of them empty.
        partitions: the number of partitions of the subtask.
    """

    subtask: int
    ranges: tuple[OffsetRange, ...]
    partitions: int

    @property
    def size(self) -> int:
        """The number of offsets."""
        return sum(each.end - each.start for each in self.ranges)


def subtask_of(partition: TopicPartition, parallelism: int) -> int:
    """Return the subtask that reads a partition: those of a topic are divided evenly."""
    return (zlib.crc32(partition.topic.encode()) + partition.partition) % parallelism


def splits_of(
    ranges: Sequence[OffsetRange], partitions: Sequence[TopicPartition], parallelism: int
) -> list[list[KafkaSplit]]:
    """Return the splits of each subtask, at most one.

    Args:
        ranges: the offsets to read.
        partitions: all partitions of the source.
        parallelism: number of subtasks.
    """
    counts = [0] * parallelism
    for partition in partitions:
        counts[subtask_of(partition, parallelism)] += 1
    shares: list[list[OffsetRange]] = [[] for _ in range(parallelism)]
    for each in ranges:
        if each.start < each.end:
            shares[subtask_of(each.partition, parallelism)].append(each)
    return [
        [KafkaSplit(subtask, tuple(share), counts[subtask])] if share else []
        for subtask, share in enumerate(shares)
    ]


def limited(
    positions: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int], limit: int
) -> list[OffsetRange]:
    """Return the next offsets of each partition, about as many of each, up to a limit in total.

    Args:
        positions: the next offset of each partition.
        ends: the offset after the last available one.
        limit: how many offsets to take.
    """
    available = {each: ends.get(each, at) - at for each, at in positions.items()}
    waiting = sorted((count, each) for each, count in available.items() if count > 0)
    ranges = []
    left = max(limit, len(waiting))
    for number, (count, partition) in enumerate(waiting):
        taken = min(count, left // (len(waiting) - number))
        left -= taken
        start = positions[partition]
        ranges.append(OffsetRange(partition, start, start + taken))
    return ranges
