"""Rows of tables in Kafka topics as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.datastream.connectors.kafka.sink import KafkaRecordSerializationSchema, ProducerRecord
from pystream.datastream.connectors.kafka.source import ConsumerRecord, KafkaRecordDeserializationSchema
from pystream.errors import DeserializationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.sql_types.data_types import DataTypes
from pystream.table.connectors.metadata import Metadata
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind, make_row

__all__ = ["KAFKA_METADATA", "Part", "RecordOfRow", "RowsOfRecord"]

KAFKA_METADATA: Mapping[str, Metadata] = {
    "topic": Metadata(DataTypes.STRING(nullable=False)),
    "partition": Metadata(DataTypes.INT(nullable=False)),
    "headers": Metadata(DataTypes.MAP(DataTypes.STRING(), DataTypes.BYTES()), is_writable=True),
    "leader-epoch": Metadata(DataTypes.INT()),
    "offset": Metadata(DataTypes.BIGINT(nullable=False)),
    "timestamp": Metadata(DataTypes.TIMESTAMP_LTZ(3), is_writable=True),
    "timestamp-type": Metadata(DataTypes.STRING(nullable=False)),
}
"""What tables in Kafka topics know of rows."""

_READERS: Mapping[str, Callable[[ConsumerRecord], Any]] = {
    "topic": lambda record: record.topic,
    "partition": lambda record: record.partition,
    "headers": lambda record: dict(record.headers),
    "leader-epoch": lambda record: record.leader_epoch,
    "offset": lambda record: record.offset,
    "timestamp": lambda record: record.timestamp,
    "timestamp-type": lambda record: record.timestamp_type,
}


_NO_FIELDS: Row[Any] = Row()
"""The only row of no columns."""


@dataclass(frozen=True, slots=True)
class Part:
    """The columns of a table that are in the keys or the values of records.

    Attributes:
        positions: their positions among the columns of rows.
        names: their names in the messages.
    """

    positions: tuple[int, ...]
    names: tuple[str, ...]

    def row_of(self, row: Row[Any]) -> Row[Any]:
        """Return the row of these columns."""
        return make_row([row[position] for position in self.positions], self.names, row.get_row_kind())


class RowsOfRecord(KafkaRecordDeserializationSchema[Row[Any]]):
    """Turn records into rows of a table.

    A row has the kind that the value says. A record without a value has no row; for a table of upserts, it
    has one of kind DELETE, with nulls in the columns that are not in the key.

    Args:
        row_type: the type of the rows.
        value: the columns in the values, with those of metadata that values have.
        value_schema: decodes the values.
        key: the columns in the keys.
        key_schema: decodes the keys; ``None`` if they are not read.
        metadata: the positions of columns, the metadata of records that they hold, and its conversion.
        has_upserts: whether rows replace or delete others by their keys.
        skips_without_key: whether records without keys have no rows; else they are malformed.
    """

    def __init__(
        self,
        row_type: RowTypeInfo[Any],
        value: Part,
        value_schema: DeserializationSchema[Row[Any]],
        key: Part,
        key_schema: DeserializationSchema[Row[Any]] | None,
        metadata: Sequence[tuple[int, str, Callable[[Any], Any]]],
        *,
        has_upserts: bool,
        skips_without_key: bool,
    ) -> None:
        self._row_type = row_type
        self._names = tuple(row_type.get_field_names())
        self._value = value.positions
        self._value_schema = value_schema
        self._key = key.positions
        self._key_schema = key_schema
        self._metadata = tuple(metadata)
        self._computed = tuple(position for position, _, _ in metadata)
        self._has_upserts = has_upserts
        self._skips_without_key = skips_without_key

    def deserialize(self, record: ConsumerRecord) -> Iterator[Row[Any]]:
        """Yield the rows in a record, one for each row in its key and each in its value."""
        if record.value is None and not self._has_upserts:
            return
        known = [(_READERS[name](record), convert) for _, name, convert in self._metadata]
        metadata = [None if value is None else convert(value) for value, convert in known]
        is_deletion = record.value is None
        values: Iterable[Row[Any]] = (
            (_NO_FIELDS,) if record.value is None else self._value_schema.deserialize_all(record.value)
        )
        for key in self._keys_of(record):
            for value in values:
                fields: list[Any] = [None] * len(self._names)
                found = [(self._key, key), (self._value, value), (self._computed, metadata)]
                for positions, parts in found:
                    for position, part in zip(positions, parts, strict=False):
                        fields[position] = part
                kind = RowKind.DELETE if is_deletion else value.get_row_kind()
                yield make_row(fields, self._names, kind)

    def _keys_of(self, record: ConsumerRecord) -> Iterable[Iterable[Any]]:
        """Return the rows in the key of a record.

        Raises:
            DeserializationError: there is no key.
        """
        if self._key_schema is None:
            return (_NO_FIELDS,)
        if record.key is not None:
            return self._key_schema.deserialize_all(record.key)
        if self._skips_without_key:
            return ()
        raise DeserializationError("the record has no key, in which columns of the table are")

    def get_produced_type(self) -> TypeInformation[Row[Any]]:
        """Return the type of the rows."""
        return self._row_type


class RecordOfRow(KafkaRecordSerializationSchema[Row[Any]]):
    """Turn rows of a table into records.

    Rows of kind UPDATE_BEFORE have no record, and those of kind DELETE have one without a value, unless
    values tell the kinds of rows.

    Args:
        topic: the topic.
        value: the columns in the values.
        value_schema: encodes the values.
        key: the columns in the keys.
        key_schema: encodes the keys; ``None`` for records without keys.
        headers: the position of the column of headers, ``None`` for none.
        timestamp: the position of the column of timestamps and its conversion, ``None`` for none.
        has_kinds: whether values tell the kinds of rows.
    """

    def __init__(
        self,
        topic: str,
        value: Part,
        value_schema: SerializationSchema[Row[Any]],
        key: Part,
        key_schema: SerializationSchema[Row[Any]] | None,
        headers: int | None,
        timestamp: tuple[int, Callable[[Any], int]] | None,
        *,
        has_kinds: bool = False,
    ) -> None:
        self._topic = topic
        self._value = value
        self._value_schema = value_schema
        self._key = key
        self._key_schema = key_schema
        self._headers = headers
        self._timestamp = timestamp
        self._has_kinds = has_kinds

    def serialize(self, element: Row[Any], timestamp: int | None) -> ProducerRecord | None:
        """Return the record of a row; its timestamp is that of its column, not that of the element."""
        kind = element.get_row_kind()
        if kind is RowKind.UPDATE_BEFORE and not self._has_kinds:
            return None
        is_deleted = kind is RowKind.DELETE and not self._has_kinds
        return ProducerRecord(
            self._topic,
            None if is_deleted else self._value_schema.serialize(self._value.row_of(element)),
            None if self._key_schema is None else self._key_schema.serialize(self._key.row_of(element)),
            self._headers_of(element),
            self._time_of(element),
        )

    def _headers_of(self, row: Row[Any]) -> tuple[tuple[str, bytes | None], ...]:
        headers = None if self._headers is None else row[self._headers]
        return () if headers is None else tuple(headers.items())

    def _time_of(self, row: Row[Any]) -> int | None:
        if self._timestamp is None:
            return None
        position, millis_of = self._timestamp
        time = row[position]
        return None if time is None else millis_of(time)
