"""Offsets at which a Kafka source starts or stops reading its partitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

__all__ = ["EARLIEST", "LATEST", "OffsetReset", "Offsets", "OffsetsKind", "TopicPartition"]


class TopicPartition(NamedTuple):
    """A partition of a topic.

    Attributes:
        topic: the topic.
        partition: its number.
    """

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class OffsetReset(Enum):
    """The offset to take where there is none."""

    EARLIEST = "earliest"
    LATEST = "latest"
    NONE = "none"


class OffsetsKind(Enum):
    """How the offset of a partition is found."""

    EARLIEST = "earliest"
    LATEST = "latest"
    COMMITTED = "committed"
    TIMESTAMP = "timestamp"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class Offsets:
    """An offset for each partition.

    Attributes:
        kind: how it is found.
        timestamp: for TIMESTAMP, the offset is that of the first record with this timestamp or a later one,
            in ms since the Unix epoch; without one, it is the end.
        given: for GIVEN, the offsets.
        reset: for COMMITTED and GIVEN, the offset of other partitions.
    """

    kind: OffsetsKind
    timestamp: int = 0
    given: Mapping[TopicPartition, int] = field(default_factory=dict)
    reset: OffsetReset = OffsetReset.EARLIEST

    @property
    def needs_group(self) -> bool:
        """Whether they are those of a consumer group."""
        return self.kind is OffsetsKind.COMMITTED


EARLIEST = Offsets(OffsetsKind.EARLIEST)
LATEST = Offsets(OffsetsKind.LATEST)
