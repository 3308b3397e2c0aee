"""Records of Kafka topics, and the elements in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.exception_encoding import summarize
from pystream.engine.formats.columns_reader import FEWEST_AT_ONCE, ColumnsReader, read_at_once
from pystream.errors import SourceError

__all__ = ["ConsumerRecord", "Deserialization", "Deserialized", "Malformed"]

_TIMESTAMP_TYPES = ("NoTimestampType", "CreateTime", "LogAppendTime")


class ConsumerRecord(NamedTuple):
    """A record of a topic.

    Mirrors ``org.apache.kafka.clients.consumer.ConsumerRecord``.

    Attributes:
        topic: the topic.
        partition: the number of the partition.
        offset: its position in the partition.
        timestamp: in ms since the Unix epoch, -2**63 if it has none.
        key: its key, ``None`` for none.
        value: its value, ``None`` for none, which marks the deletion of the key in a compacted topic.
        headers: names and values, in order.
        timestamp_type: ``CreateTime``, ``LogAppendTime`` or ``NoTimestampType``.
        leader_epoch: the number of the leader of the partition that has written it, ``None`` if not known.
    """

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    timestamp_type: str = "NoTimestampType"
    leader_epoch: int | None = None

    @property
    def place(self) -> str:
        """The topic, the partition and the offset, for messages."""
        return f"record {self.offset} of partition {self.topic}-{self.partition}"


class Malformed(Enum):
    """The treatment of records that cannot be deserialized."""

    FAIL = "the job fails"
    SKIP = "they are skipped"


class Deserialized(NamedTuple):
    """The elements in some records.

    Attributes:
        values: the elements, as a list or as ``ColumnValues``.
        timestamps: those of their records.
        skipped: the number of malformed records.
        problem: the first of these, and why it is malformed; empty for none.
    """

    values: Sequence[Any]
    timestamps: list[int]
    skipped: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Deserialization:
    """Turn records into elements.

    Attributes:
        of_value: returns the element in a value, ``None`` for none; records without a value have no element.
        of_record: or returns the elements in a record; the records themselves without either.
        malformed: the treatment of records for which these raise.
        at_once: reads many values at once, where that is possible and quicker.
    """

    of_value: Callable[[bytes], Any] | None = None
    of_record: Callable[[ConsumerRecord], Iterable[Any]] | None = None
    malformed: Malformed = Malformed.FAIL
    at_once: ColumnsReader | None = None

    def elements(self, messages: Sequence[Any]) -> Deserialized:
        """Return the elements in messages of the client, in order.

        Raises:
            SourceError: a record is malformed; the message has its place.
        """
        if self.at_once is not None and (found := self._at_once(messages)) is not None:
            return found
        if self.of_value is not None:
            try:
                return self._of_values(messages, self.of_value)
            except Exception:  # noqa: BLE001 - found again, record by record
                return self._one_by_one(messages)
        return self._one_by_one(messages)

    def _at_once(self, messages: Sequence[Any]) -> Deserialized | None:
        """Return the elements in messages, ``None`` if they are to be read one by one."""
        if len(messages) < FEWEST_AT_ONCE:
            return None
        values = [message.value() for message in messages]
        if None in values:
            messages = [message for message in messages if message.value() is not None]
            values = [value for value in values if value is not None]
        columns = read_at_once(self.at_once, values)
        return None if columns is None else Deserialized(columns, list(map(timestamp_of, messages)))

    def _of_values(self, messages: Sequence[Any], deserialize: Callable[[bytes], Any]) -> Deserialized:
        values = []
        timestamps = []
        for message in messages:
            value = message.value()
            if value is not None:
                element = deserialize(value)
                if element is not None:
                    values.append(element)
                    timestamps.append(timestamp_of(message))
        return Deserialized(values, timestamps)

    def _one_by_one(self, messages: Sequence[Any]) -> Deserialized:
        values: list[Any] = []
        timestamps: list[int] = []
        skipped, problem = 0, ""
        for message in messages:
            record = record_of(message)
            try:
                elements = self.of_one(record)
            except Exception as error:
                problem = problem or f"{record.place} cannot be deserialized: {summarize(error)}"
                if self.malformed is Malformed.FAIL:
                    raise SourceError(problem) from error
                skipped += 1
            else:
                values.extend(elements)
                timestamps.extend([record.timestamp] * len(elements))
        return Deserialized(values, timestamps, skipped, problem)

    def of_one(self, record: ConsumerRecord) -> list[Any]:
        """Return the elements in a record."""
        if self.of_record is not None:
            return list(self.of_record(record))
        if self.of_value is None:
            return [record]
        element = None if record.value is None else self.of_value(record.value)
        return [] if element is None else [element]


def record_of(message: Any) -> ConsumerRecord:
    """Return a message of the client as a record."""
    return ConsumerRecord(
        message.topic(),
        message.partition(),
        message.offset(),
        timestamp_of(message),
        message.key(),
        message.value(),
        tuple(message.headers() or ()),
        _TIMESTAMP_TYPES[message.timestamp()[0]],
        message.leader_epoch(),
    )


def timestamp_of(message: Any) -> int:
    """Return the timestamp of a message of the client."""
    kind, timestamp = message.timestamp()
    return timestamp if kind else NO_TIMESTAMP
