"""PartitionReader: reads ranges of offsets with a consumer that stays connected from epoch to epoch."""

from __future__ import annotations

import logging
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import methodcaller
from typing import Any

from pystream.engine.connectors.kafka.client_library import client_errors, kafka, remedy_of
from pystream.engine.connectors.kafka.client_settings import consumer_settings
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.engine.connectors.kafka.splits import OffsetRange
from pystream.errors import SourceError

__all__ = ["PartitionReader"]

_LOG = logging.getLogger(__name__)

_BATCH = 4_096
_WAIT = 0.1  # seconds to wait for a message
_PATIENCE = 30.0  # seconds without messages between two warnings
_UNKNOWN = -1


@dataclass(slots=True)
class _Partition:
    """The state of an assigned partition.

    Attributes:
        position: the offset after the last range; unknown while one is read, as its reader may give up.
        arrived: the offset after the last one that has arrived.
        messages: those that have arrived and were not asked for yet.
        is_paused: whether nothing is fetched.
    """

    position: int
    arrived: int
    messages: list[Any] = field(default_factory=list)
    is_paused: bool = False

    def take(self, end: int) -> list[Any]:
        """Remove and return the messages before an offset."""
        messages = self.messages
        count = len(messages)
        if count and messages[-1].offset() >= end:
            count = bisect_left(messages, end, key=methodcaller("offset"))
        self.messages = messages[count:]
        return messages[:count]


class PartitionReader:
    """Read the ranges of partitions that are asked for, in the order of their offsets.

    The consumer fetches ahead, so that the next range of a partition is there already if it follows the last
    one.

    Args:
        properties: those of the program.
        subtask: the number of the subtask that reads.
    """

    def __init__(self, properties: Mapping[str, str], subtask: int = 0) -> None:
        self._servers = properties.get("bootstrap.servers", "")
        given = properties.get("auto.offset.reset", "")
        reset = given if given in ("earliest", "latest") else "error"
        with client_errors():
            self._consumer = kafka().Consumer(
                consumer_settings(
                    properties, str(subtask), auto_offset_reset=reset, enable_partition_eof=True
                )
            )
        self._partitions: dict[TopicPartition, _Partition] = {}

    def read(self, ranges: Sequence[OffsetRange]) -> Iterator[tuple[TopicPartition, list[Any]]]:
        """Yield the messages of each partition in order, in batches of bounded length.

        Offsets without a message, which compaction and transactions leave, are passed over.

        Raises:
            SourceError: records are no longer there, or the broker refuses to serve them.
        """
        self._seek(ranges)
        ends = {each.partition: each.end for each in ranges}
        last = time.monotonic()
        while True:
            for key, end in list(ends.items()):
                partition = self._partitions[key]
                messages = partition.take(end)
                if messages:
                    yield key, messages
                if partition.arrived >= end:
                    partition.position = ends.pop(key)
                    if ends:  # others may need the connection for long
                        self._pause(key)
            if not ends:
                return
            if self._fetch():
                last = time.monotonic()
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
        """Continue at the starts of ranges, or assign the partitions again if the consumer is elsewhere."""
        known = self._partitions
        if all(each.partition in known and known[each.partition].position == each.start for each in ranges):
            self._resume([each.partition for each in ranges])
            for each in ranges:
                known[each.partition].position = _UNKNOWN
            return
        self._resume(known)  # an assignment does not
        self._partitions = {each.partition: _Partition(_UNKNOWN, each.start) for each in ranges}
        self._consumer.assign([kafka().TopicPartition(*each.partition, each.start) for each in ranges])

    def _resume(self, keys: Iterable[TopicPartition]) -> None:
        paused = [key for key in keys if self._partitions[key].is_paused]
        if paused:
            self._consumer.resume([kafka().TopicPartition(*key) for key in paused])
            for key in paused:
                self._partitions[key].is_paused = False

    def _pause(self, key: TopicPartition) -> None:
        self._consumer.pause([kafka().TopicPartition(*key)])
        self._partitions[key].is_paused = True

    def _fetch(self) -> bool:
        """Sort in the messages that have arrived; wait a little for one. Return whether there were any."""
        first = self._consumer.poll(_WAIT)
        if first is None:
            return False
        topic, number = None, -1
        partition: _Partition | None = None
        for message in (first, *self._consumer.consume(_BATCH, 0)):
            error = message.error()
            if error is not None and error.code() != kafka().KafkaError._PARTITION_EOF:
                self._check(message, error)
                continue
            if message.partition() != number or message.topic() != topic:
                topic, number = message.topic(), message.partition()
                partition = self._partitions.get(TopicPartition(topic, number))
            if partition is None:
                continue
            if error is None:
                partition.messages.append(message)
                partition.arrived = message.offset() + 1
            else:
                partition.arrived = max(partition.arrived, message.offset())
        return True

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
        group_is_refused = error.code() == kafka().KafkaError.GROUP_AUTHORIZATION_FAILED
        if group_is_refused or error.code() == kafka().KafkaError._ALL_BROKERS_DOWN:
            return  # the group is for commits only, which are not made here
        place = "" if message.topic() is None else f" of partition {message.topic()}-{message.partition()}"
        remedy = remedy_of(kafka().KafkaException(error))
        raise SourceError(f"Kafka at {self._servers}: cannot read records{place}: {error.str()}{remedy}")
