"""Parts of topics of Pulsar, and positions in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pystream.engine.connectors.pulsar.client import Entry

__all__ = ["Progress", "PulsarSplit", "shared_out"]


class PulsarSplit(NamedTuple):
    """Entries of a partition.

    Attributes:
        topic: the partition.
        after: the entry before the first one.
        last: the last entry.
    """

    topic: str
    after: Entry
    last: Entry


class Progress(NamedTuple):
    """The position of an enumerator.

    Attributes:
        positions: the last entry that was read, by partition.
        stops: the last entry to read, as far as it is known, by partition.
    """

    positions: Mapping[str, Entry]
    stops: Mapping[str, Entry]


def shared_out(
    splits: Sequence[PulsarSplit], topics: Sequence[str], parallelism: int
) -> list[list[PulsarSplit]]:
    """Return the splits of each subtask; those of a partition always go to the same one."""
    owner = {topic: number % parallelism for number, topic in enumerate(topics)}
    return [[split for split in splits if owner[split.topic] == subtask] for subtask in range(parallelism)]
