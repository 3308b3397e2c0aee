"""Cluster: the partitions of topics, and their offsets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.kafka.client_library import (
    client_errors,
    is_permanent,
    kafka,
    reason_of,
    remedy_of,
)
from pystream.engine.connectors.kafka.client_settings import consumer_settings
from pystream.engine.connectors.kafka.offsets import OffsetReset, Offsets, OffsetsKind, TopicPartition
from pystream.errors import ConfigurationError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cluster", "PermanentSourceError", "Subscription"]

_TIMEOUT = 30  # seconds for a request
_EARLIEST, _LATEST = -2, -1  # as timestamps, the start and the end of a partition
_NO_OFFSET = -1
_MOST_NAMES = 5


class PermanentSourceError(SourceError):
    """An error that every further request gets until something is changed in the cluster."""


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
        role: what it is for, as the end of the client id.
    """

    properties: Mapping[str, str] = field(repr=False)
    role: str = "enumerator-consumer"
    _consumer: Any = field(default=None, init=False, repr=False)
    _refusals: list[Any] = field(default_factory=list, init=False, repr=False)

    @property
    def servers(self) -> str:
        """The bootstrap servers."""
        return self.properties.get("bootstrap.servers", "")

    def partitions(self, subscription: Subscription) -> list[TopicPartition]:
        """Return the partitions that a source reads, sorted.

        Raises:
            PermanentSourceError: a topic or partition does not exist.
            SourceError: the cluster cannot be reached.
        """
        found = self._found(f"cannot list the partitions of {subscription}")
        if subscription.pattern:
            matches = re.compile(subscription.pattern).fullmatch
            return sorted(each for name, parts in found.items() if matches(name) for each in parts)
        self._check_presence(subscription.topics or subscription.partitions, found)
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
        with self._errors(f"cannot commit offsets of group {self._group()!r}", of_group=True):
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
        try:
            with self._errors(f"cannot find the offsets of {_topics_of(partitions)}"):
                return _offsets(self._opened().offsets_for_times(asked, timeout=_TIMEOUT))
        except PermanentSourceError:  # of one of the topics, which the client does not name
            self._check_presence(partitions, self._found("cannot list the topics"))
            raise

    def _committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        asked = [kafka().TopicPartition(*each) for each in partitions]
        with self._errors(f"cannot read committed offsets of group {self._group()!r}", of_group=True):
            return _offsets(self._opened().committed(asked, timeout=_TIMEOUT))

    def _found(self, problem: str) -> dict[str, list[TopicPartition]]:
        """Return the partitions of each topic that the user may see."""
        with self._errors(problem):
            topics = self._opened().list_topics(timeout=_TIMEOUT).topics
        return {
            name: [TopicPartition(name, number) for number in topic.partitions]
            for name, topic in topics.items()
            if topic.error is None
        }

    def _check_presence(
        self, wanted: Iterable[str | TopicPartition], found: Mapping[str, Sequence[TopicPartition]]
    ) -> None:
        """Check that topics or partitions are among those that were found.

        Raises:
            PermanentSourceError: one is not.
        """
        known = {*found, *(each for parts in found.values() for each in parts)}
        missing = sorted(str(each) for each in wanted if each not in known)
        if missing:
            raise PermanentSourceError(
                f"Kafka at {self.servers} has no {_some(missing)}, or hides it from this user: create the "
                "topic, or let the user describe it"
            )

    def _group(self) -> str:
        if "group.id" not in self.properties:
            raise ConfigurationError("committed offsets are those of a group: set the group id of the source")
        return self.properties["group.id"]

    def _opened(self) -> Any:
        if self._consumer is None:
            with client_errors():
                settings = consumer_settings(self.properties, self.role)
                self._consumer = kafka().Consumer({**settings, "error_cb": self._refusals.append})
        return self._consumer

    @contextmanager
    def _errors(self, problem: str, *, of_group: bool = False) -> Iterator[None]:
        """Raise errors of the client as those of the source.

        Args:
            problem: what cannot be done.
            of_group: whether that needs the consumer group.

        Raises:
            PermanentSourceError: it comes again, whatever is done here.
            SourceError: it may pass.
        """
        try:
            self._reported(of_group=of_group)  # what was reported before has other causes
            yield
        except kafka().KafkaException as error:
            causes = [error, *self._reported(of_group=of_group)]
            cause = next(filter(is_permanent, causes), error)
            kind = PermanentSourceError if is_permanent(cause) else SourceError
            text = f"Kafka at {self.servers}: {problem}: {reason_of(cause)}{remedy_of(cause)}"
            raise kind(text) from None

    def _reported(self, *, of_group: bool) -> list[Exception]:
        """Return the errors that the client has reported since the last call.

        A request whose login or group is refused only times out, and the reason is reported.
        """
        consumer, errors = self._opened(), []
        while (message := consumer.poll(0)) is not None:
            if of_group:
                errors.append(message.error())
        errors += self._refusals
        self._refusals.clear()
        return [kafka().KafkaException(error) for error in errors]


def _offsets(answers: Iterable[Any]) -> dict[TopicPartition, int]:
    """Return the offset of each partition in the answers of the client; negative for none.

    Raises:
        KafkaException: one of them is an error.
    """
    found = {}
    for answer in answers:
        if answer.error is not None:
            error = answer.error
            place = TopicPartition(answer.topic, answer.partition)
            text = f"partition {place}: {error.str()}"
            raise kafka().KafkaException(kafka().KafkaError(error.code(), text))
        found[TopicPartition(answer.topic, answer.partition)] = answer.offset
    return found


def _topics_of(partitions: Iterable[TopicPartition]) -> str:
    return f"topic {_some(sorted({each.topic for each in partitions}))}"


def _some(names: Sequence[str]) -> str:
    """Return the first names of many."""
    rest = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")
