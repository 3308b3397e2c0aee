"""Records that a sink writes to Kafka, and how elements become such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.failure import ElementFailure
from pystream.engine.formats.column_texts import ColumnsWriter

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["Fields", "ProducerRecord", "serialized"]

Headers = Iterable[tuple[str, bytes | None]]


class ProducerRecord(NamedTuple):
    """A record to be written.

    Mirrors ``org.apache.kafka.clients.producer.ProducerRecord``.

    Attributes:
        topic: the topic.
        value: its value, ``None`` to delete the key in a compacted topic.
        key: its key, ``None`` for none; records with the same key go to the same partition.
        headers: names and values.
        timestamp: in ms since the Unix epoch; ``None`` for the time at which it is written.
        partition: the number of the partition; ``None`` for that of its key, or any without a key.
    """

    topic: str
    value: bytes | None
    key: bytes | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    timestamp: int | None = None
    partition: int | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """Make a record of each element, field by field.

    Attributes:
        topic: the topic, or the function that selects it.
        value: serializes the value.
        key: serializes the key, ``None`` for no keys.
        headers: returns the headers, ``None`` for none.
        has_timestamps: whether records get the timestamps of elements.
        values_of: serializes the values of elements that are columns, ``None`` if it is one by one.
        keys_of: serializes their keys, ``None`` if it is one by one.
    """

    topic: str | Callable[[Any], str]
    value: Callable[[Any], bytes | None]
    key: Callable[[Any], bytes | None] | None = None
    headers: Callable[[Any], Headers] | None = None
    has_timestamps: bool = True
    values_of: ColumnsWriter | None = None
    keys_of: ColumnsWriter | None = None

    def __call__(self, element: Any, timestamp: int | None) -> ProducerRecord:
        """Return the record of an element.

        Args:
            element: the element.
            timestamp: its timestamp; a negative one is left out, as in Flink.
        """
        return ProducerRecord(
            self.topic if isinstance(self.topic, str) else self.topic(element),
            self.value(element),
            None if self.key is None else self.key(element),
            () if self.headers is None else tuple(self.headers(element)),
            timestamp if self.has_timestamps and timestamp is not None and timestamp >= 0 else None,
        )

    def of_columns(
        self, elements: ColumnValues, timestamps: Sequence[int] | None
    ) -> Iterator[ProducerRecord] | None:
        """Return the records of elements, ``None`` if they are to be made one by one."""
        topic = self.topic
        if not isinstance(topic, str) or self.headers is not None or self.values_of is None:
            return None
        values = self.values_of.messages(elements)
        keys = None if self.keys_of is None else self.keys_of.messages(elements)
        if values is None or (self.key is not None and keys is None):
            return None
        each_key = repeat(None) if keys is None else keys.to_pylist()
        has_times = self.has_timestamps and timestamps is not None
        times = [time if time >= 0 else None for time in timestamps or ()] if has_times else repeat(None)
        return (
            ProducerRecord(topic, value, key, (), time)
            for value, key, time in zip(values.to_pylist(), each_key, times, strict=False)
        )


def serialized(
    serialize: Callable[[Any, int | None], ProducerRecord | None],
    values: Sequence[Any],
    timestamps: Sequence[int] | None,
) -> Iterator[ProducerRecord]:
    """Yield the records of elements in order.

    Args:
        serialize: returns the record of an element, ``None`` for none.
        values: the elements.
        timestamps: the timestamp of each, or ``None`` where none has one.

    Raises:
        ElementFailure: an element cannot be serialized.
    """
    from pystream.engine.vectorised.columns import ColumnValues

    if isinstance(serialize, Fields) and isinstance(values, ColumnValues):
        records = serialize.of_columns(values, timestamps)
        if records is not None:
            yield from records
            return
    for number, value in enumerate(values):
        timestamp = NO_TIMESTAMP if timestamps is None else timestamps[number]
        try:
            record = serialize(value, None if timestamp == NO_TIMESTAMP else timestamp)
        except BaseException as error:
            raise ElementFailure(value) from error
        if record is not None:
            yield record
