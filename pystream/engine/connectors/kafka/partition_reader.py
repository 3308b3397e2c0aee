"""PartitionReader: reads ranges of offsets with a consumer that stays connected from epoch to epoch."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pystream.engine.connectors.kafka.client_settings import client_errors, consumer_settings, kafka
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.engine.connectors.kafka.splits import OffsetRange
from pystream.errors import SourceError

__all__ = ["PartitionReader"]

_LOG = logging.getLogger(__name__)

_BATCH = 4_096
_WAIT = 0.1  # seconds to wait for a message
_PATIENCE = 30.0  # seconds without messages between two warnings


class PartitionReader:
    """Read partitions that it is told, in the order of their offsets.

    The consumer fetches ahead, so that the next range of a partition is there already if it follows the last
    one.

    Args:
        properties: those of the program.
    """

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._servers = properties.get("bootstrap.servers", "")
        given = properties.get("auto.offset.reset", "")
        reset = given if given in ("earliest", "latest") else "error"
        with client_errors():
            self._consumer = kafka().Consumer(
                consumer_settings(properties, auto_offset_reset=reset, enable_partition_eof=True)
            )
        self._positions: dict[TopicPartition, int] = {}
        self._ahead: dict[TopicPartition, deque[Any]] = {}
        self._paused: set[TopicPartition] = set()

    def read(self, ranges: Sequence[OffsetRange]) -> Iterator[tuple[TopicPartition, list[Any]]]:
        """Yield the messages of each partition in order, in batches of bounded length.

        Offsets without a message, which compaction and transactions leave, are passed over.

        Raises:
            SourceError: records are no longer there, or the broker refuses to serve them.
        """
        self._seek(ranges)
        ends = {each.partition: each.end for each in ranges}
        for partition in list(ends):
            ahead = self._ahead.pop(partition, deque())
            if ahead:
                yield from self._taken(partition, list(ahead), ends)
        last = time.monotonic()
        while ends:
            messages = self._fetched()
            if messages:
                last = time.monotonic()
                for partition, batch in self._by_partition(messages, ends):
                    yield from self._taken(partition, batch, ends)
            elif time.monotonic() > last + _PATIENCE:
                last = time.monotonic()
                waiting = ", ".join(map(str, ends))
                _LOG.warning(
                    "Kafka at %s has sent nothing for a while; waiting for %s", self._servers, waiting
                )

    def close(self) -> None:
        """Close the connection."""
        self._consumer.close()

    def _seek(self, ranges: Sequence[OffsetRange]) -> None:
        """Continue at the starts of ranges, or assign the partitions anew if they are elsewhere."""
        if all(self._positions.get(each.partition) == each.start for each in ranges):
            wanted = [each.partition for each in ranges if each.partition in self._paused]
            if wanted:
                self._consumer.resume([kafka().TopicPartition(*each) for each in wanted])
                self._paused.difference_update(wanted)
            return
        self._ahead.clear()
        self._paused.clear()
        self._positions = {each.partition: each.start for each in ranges}
        self._consumer.assign([kafka().TopicPartition(*each.partition, each.start) for each in ranges])

    def _fetched(self) -> list[Any]:
        """Return the messages that have arrived; wait a little for the first one."""
        first = self._consumer.poll(_WAIT)
        if first is None:
            return []
        messages: list[Any] = [first, *self._consumer.consume(_BATCH, 0)]
        return messages

    def _by_partition(
        self, messages: list[Any], ends: dict[TopicPartition, int]
    ) -> Iterator[tuple[TopicPartition, list[Any]]]:
        """Yield messages by partition; the ends of partitions that are reached are removed."""
        groups: dict[TopicPartition, list[Any]] = {}
        for message in messages:
            error = message.error()
            if error is None:
                key = TopicPartition(message.topic(), message.partition())
                group = groups.get(key)
                if group is None:
                    groups[key] = [message]
                else:
                    group.append(message)
            elif error.code() == kafka().KafkaError._PARTITION_EOF:
                key = TopicPartition(message.topic(), message.partition())
                if key in groups:
                    yield key, groups.pop(key)
                if message.offset() >= ends.get(key, message.offset() + 1):
                    self._reached(key, ends)
            else:
                self._check(message, error)
        yield from groups.items()

    def _taken(
        self, partition: TopicPartition, batch: list[Any], ends: dict[TopicPartition, int]
    ) -> Iterator[tuple[TopicPartition, list[Any]]]:
        """Yield the messages before the end of a range, and keep the others."""
        end = ends.get(partition)
        if end is None:
            self._ahead.setdefault(partition, deque()).extend(batch)
            return
        last = batch[-1].offset()
        if last >= end:
            count = next(at for at, message in enumerate(batch) if message.offset() >= end)
            self._ahead.setdefault(partition, deque()).extend(batch[count:])
            batch = batch[:count]
        if batch:
            yield partition, batch
        if last >= end - 1:
            self._reached(partition, ends)

    def _reached(self, partition: TopicPartition, ends: dict[TopicPartition, int]) -> None:
        """Note that a range is read; others may need the connection for long, so its partition pauses."""
        self._positions[partition] = ends.pop(partition)
        if ends:
            self._consumer.pause([kafka().TopicPartition(*partition)])
            self._paused.add(partition)

    def _check(self, message: Any, error: Any) -> None:
        """Raise an error that does not pass by itself.

        Raises:
            SourceError: the error.
        """
        if error.code() == kafka().KafkaError._AUTO_OFFSET_RESET:
            raise SourceError(
                f"records of partition {message.topic()}-{message.partition()} are no longer in Kafka at "
                f"{self._servers} ({error.str()}): they were deleted before they were read; keep them for "
                "longer (retention.ms), or set the property auto.offset.reset of the source to earliest to "
                "continue with the oldest ones"
            )
        if error.retriable() or error.code() == kafka().KafkaError._ALL_BROKERS_DOWN:
            return
        raise SourceError(f"Kafka at {self._servers}: {error.str()}")
