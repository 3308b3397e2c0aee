"""Cluster: the partitions of topics, and their offsets."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.kafka.client_settings import (
    client_errors,
    consumer_settings,
    kafka,
    reason_of,
)
from pystream.engine.connectors.kafka.offsets import OffsetReset, Offsets, OffsetsKind, TopicPartition
from pystream.errors import ConfigurationError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cluster", "Subscription"]

_LOG = logging.getLogger(__name__)

_TIMEOUT = 30  # seconds for a request
_EARLIEST, _LATEST = -2, -1  # as timestamps, the start and the end of a partition
_NO_OFFSET = -1


@dataclass(frozen=True, slots=True)
class Subscription:
    """The partitions that a source reads: all of some topics, or given ones.

    Attributes:
        topics: the topics.
        pattern: or the regular expression that their whole names match.
        partitions: or the partitions.
    """

    topics: tuple[str, ...] = ()
    pattern: str = ""
    partitions: tuple[TopicPartition, ...] = ()

    def __str__(self) -> str:
        if self.pattern:
            return f"topics that match {self.pattern!r}"
        return ", ".join(self.topics or map(str, self.partitions))


@dataclass(slots=True)
class Cluster:
    """The driver's connection to a Kafka cluster.

    Attributes:
        properties: the properties of the program.
    """

    properties: Mapping[str, str] = field(repr=False)
    _consumer: Any = field(default=None, init=False, repr=False)

    @property
    def servers(self) -> str:
        """The bootstrap servers."""
        return self.properties.get("bootstrap.servers", "")

    def partitions(self, subscription: Subscription) -> list[TopicPartition]:
        """Return the partitions that a source reads, sorted.

        Raises:
            SourceError: a topic or partition does not exist, or the cluster cannot be reached.
        """
        with self._errors(f"cannot list the partitions of {subscription}"):
            topics = self._opened().list_topics(timeout=_TIMEOUT).topics
        found = {
            name: [TopicPartition(name, number) for number in topic.partitions]
            for name, topic in topics.items()
            if topic.error is None
        }
        if subscription.pattern:
            matches = re.compile(subscription.pattern).fullmatch
            return sorted(each for name, parts in found.items() if matches(name) for each in parts)
        wanted: Iterable[str | TopicPartition] = subscription.topics or subscription.partitions
        known = {*found, *(each for parts in found.values() for each in parts)}
        missing = [str(each) for each in wanted if each not in known]
        if missing:
            raise SourceError(
                f"Kafka at {self.servers} has no {', '.join(missing)}, or hides it from this user: create "
                "the topic first, or let the user describe it"
            )
        if subscription.partitions:
            return sorted(subscription.partitions)
        return sorted(each for name in subscription.topics for each in found[name])

    def offsets(self, partitions: Collection[TopicPartition], offsets: Offsets) -> dict[TopicPartition, int]:
        """Return the offset of each partition.

        Raises:
            SourceError: a partition has none, or the cluster cannot be reached.
        """
        match offsets.kind:
            case OffsetsKind.EARLIEST:
                return self._at(partitions, _EARLIEST)
            case OffsetsKind.LATEST:
                return self._at(partitions, _LATEST)
            case OffsetsKind.TIMESTAMP:
                found = self._at(partitions, offsets.timestamp)
            case OffsetsKind.COMMITTED:
                found = self._committed(partitions)
            case OffsetsKind.GIVEN:
                found = {each: offsets.given[each] for each in partitions if each in offsets.given}
        absent = [each for each in partitions if found.get(each, _NO_OFFSET) < 0]
        if not absent:
            return found
        if offsets.kind is OffsetsKind.TIMESTAMP:
            return {**found, **self._at(absent, _LATEST)}
        source = "the program" if offsets.kind is OffsetsKind.GIVEN else f"group {self._group()!r}"
        return {**found, **self._reset(absent, offsets.reset, f"{source} has no offset of {absent[0]}")}

    def starts(self, partitions: Collection[TopicPartition], offsets: Offsets) -> dict[TopicPartition, int]:
        """Return the offset of each partition to start at; one without records around it is reset.

        Raises:
            SourceError: a partition has no such offset, or the cluster cannot be reached.
        """
        found = self.offsets(partitions, offsets)
        if offsets.kind not in (OffsetsKind.COMMITTED, OffsetsKind.GIVEN):
            return found
        first, end = self._at(partitions, _EARLIEST), self._at(partitions, _LATEST)
        outside = [each for each, offset in found.items() if not first[each] <= offset <= end[each]]
        if not outside:
            return found
        one = outside[0]
        problem = (
            f"offset {found[one]} of partition {one} of Kafka at {self.servers} is not between its first, "
            f"{first[one]}, and its end, {end[one]}"
        )
        return {**found, **self._reset(outside, offsets.reset, problem)}

    def _reset(
        self, partitions: Collection[TopicPartition], reset: OffsetReset, problem: str
    ) -> dict[TopicPartition, int]:
        """Return the offsets of partitions for which there is none.

        Raises:
            SourceError: the problem, if there is to be none.
        """
        if reset is OffsetReset.NONE:
            raise SourceError(f"{problem}, and the offset reset strategy is NONE")
        return self._at(partitions, _LATEST if reset is OffsetReset.LATEST else _EARLIEST)

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the offset after the last record of each partition.

        Raises:
            SourceError: the cluster cannot be reached.
        """
        return self._at(partitions, _LATEST)

    def commit(self, positions: Mapping[TopicPartition, int]) -> None:
        """Commit offsets of the consumer group, for those who watch its progress.

        Raises:
            SourceError: the cluster cannot be reached.
        """
        offsets = [kafka().TopicPartition(*each, offset) for each, offset in positions.items()]
        with self._errors("cannot commit offsets"):
            _offsets(self._opened().commit(offsets=offsets, asynchronous=False))

    def close(self) -> None:
        """Close the connection."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            consumer.close()

    def _at(self, partitions: Collection[TopicPartition], timestamp: int) -> dict[TopicPartition, int]:
        """Return the offset of each partition at a time; negative for none."""
        if not partitions:
            return {}
        asked = [kafka().TopicPartition(*each, timestamp) for each in partitions]
        with self._errors(f"cannot find the offsets of {len(asked)} partitions"):
            return _offsets(self._opened().offsets_for_times(asked, timeout=_TIMEOUT))

    def _committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        self._group()
        asked = [kafka().TopicPartition(*each) for each in partitions]
        with self._errors("cannot read committed offsets"):
            return _offsets(self._opened().committed(asked, timeout=_TIMEOUT))

    def _group(self) -> str:
        if "group.id" not in self.properties:
            raise ConfigurationError("committed offsets are those of a group: set the group id of the source")
        return self.properties["group.id"]

    def _opened(self) -> Any:
        if self._consumer is None:
            with client_errors():
                self._consumer = kafka().Consumer(consumer_settings(self.properties))
        return self._consumer

    @contextmanager
    def _errors(self, problem: str) -> Iterator[None]:
        try:
            yield
        except kafka().KafkaException as error:
            raise SourceError(f"Kafka at {self.servers}: {problem}: {reason_of(error)}") from None


def _offsets(answers: Iterable[Any]) -> dict[TopicPartition, int]:
    """Return the offset of each partition in the answers of the client; negative for none.

    Raises:
        KafkaException: one of them is an error.
    """
    found = {}
    for answer in answers:
        if answer.error is not None:
            raise kafka().KafkaException(answer.error)
        found[TopicPartition(answer.topic, answer.partition)] = answer.offset
    return found
