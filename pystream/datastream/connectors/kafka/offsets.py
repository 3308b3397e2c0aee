"""Offsets at which Kafka sources start and stop."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from pystream.arguments.checks import require, require_int
from pystream.engine.connectors.kafka.offsets import (
    EARLIEST,
    LATEST,
    OffsetReset,
    Offsets,
    OffsetsKind,
    TopicPartition,
)
from pystream.errors import ArgumentTypeError, PlanTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["KafkaOffsetResetStrategy", "KafkaOffsetsInitializer", "KafkaTopicPartition"]

KafkaTopicPartition = TopicPartition


class KafkaOffsetResetStrategy(Enum):
    """The offset of a partition for which there is none.

    Mirrors ``org.apache.kafka.clients.consumer.OffsetResetStrategy``.
    """

    LATEST = 0
    EARLIEST = 1
    NONE = 2


@checks_arguments(ArgumentTypeError)
class KafkaOffsetsInitializer:
    """An offset for each partition, at which a source starts or stops.

    Mirrors ``org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer``.
    """

    _example: ClassVar[str] = "KafkaOffsetsInitializer.earliest()"

    def __init__(self, offsets: Offsets) -> None:
        self._offsets = offsets

    def __repr__(self) -> str:
        return f"KafkaOffsetsInitializer({self._offsets.kind.value})"

    @staticmethod
    def earliest() -> KafkaOffsetsInitializer:
        """Return the offset of the oldest record of each partition."""
        return KafkaOffsetsInitializer(EARLIEST)

    @staticmethod
    def latest() -> KafkaOffsetsInitializer:
        """Return the end of each partition when the job starts."""
        return KafkaOffsetsInitializer(LATEST)

    @staticmethod
    def timestamp(timestamp: int) -> KafkaOffsetsInitializer:
        """Return the offset of the first record of each partition with at least a timestamp.

        A partition without such a record gets its end.

        Args:
            timestamp: in ms since the Unix epoch.
        """
        require_int(timestamp, "KafkaOffsetsInitializer.timestamp", 0)
        return KafkaOffsetsInitializer(Offsets(OffsetsKind.TIMESTAMP, timestamp))

    @staticmethod
    def committed_offsets(
        offset_reset_strategy: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.NONE,
    ) -> KafkaOffsetsInitializer:
        """Return the offsets that the consumer group has committed.

        Args:
            offset_reset_strategy: the offset of a partition without a committed one, or whose records there
                are deleted; by default, that is an error when the job starts.
        """
        reset = _reset(offset_reset_strategy, "committed_offsets")
        return KafkaOffsetsInitializer(Offsets(OffsetsKind.COMMITTED, reset=reset))

    @staticmethod
    def offsets(
        offsets: Mapping[KafkaTopicPartition, int],
        offset_reset_strategy: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.EARLIEST,
    ) -> KafkaOffsetsInitializer:
        """Return given offsets.

        Args:
            offsets: the offset of each partition.
            offset_reset_strategy: the offset of a partition that is not among them, or has no records there.
        """
        require(offsets, Mapping, "KafkaOffsetsInitializer.offsets", "offsets by KafkaTopicPartition")
        for partition, offset in offsets.items():
            require(partition, TopicPartition, "KafkaOffsetsInitializer.offsets", "KafkaTopicPartitions")
            require_int(offset, f"KafkaOffsetsInitializer.offsets: the offset of {partition}", 0)
        reset = _reset(offset_reset_strategy, "offsets")
        return KafkaOffsetsInitializer(Offsets(OffsetsKind.GIVEN, given=dict(offsets), reset=reset))


def _reset(strategy: KafkaOffsetResetStrategy, call: str) -> OffsetReset:
    if not isinstance(strategy, KafkaOffsetResetStrategy):
        raise PlanTypeError(f"{call} takes a KafkaOffsetResetStrategy, not {short_repr(strategy)}")
    return OffsetReset[strategy.name]
