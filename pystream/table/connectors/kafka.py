"""Tables in Kafka topics."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.watermark_strategy import TimestampAssigner, WatermarkStrategy
from pystream.datastream.connectors.kafka.offsets import KafkaOffsetsInitializer
from pystream.datastream.connectors.kafka.sink import KafkaSink
from pystream.datastream.connectors.kafka.source import KafkaSource
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ConfigurationError, PlanError
from pystream.messages.schemas import DeserializationSchema
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import SplitConnector, TableDefinition
from pystream.table.connectors.kafka_options import (
    KAFKA_OPTIONS,
    UPSERT_KAFKA_OPTIONS,
    check_offsets,
    guarantee_of,
    properties_of,
    starting_offsets,
    stopping_offsets,
)
from pystream.table.connectors.kafka_rows import KAFKA_METADATA, Part, RecordOfRow, RowsOfRecord
from pystream.table.connectors.metadata import Metadata, metadata_reader, millis_writer
from pystream.table.connectors.options import Option
from pystream.table.formats.base import MessageFormat
from pystream.table.formats.changelog import ChangelogFormat
from pystream.table.formats.registry import FORMATS, message_format
from pystream.table.row_key import keyed_rows
from pystream.table.session_zone import session_zone
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.stream_ends import DataStreamSink

__all__ = ["Kafka", "UpsertKafka"]

_DISCOVERY = "scan.topic-partition-discovery.interval"
_REGISTRY = "avro-confluent"
_VALUE = "value."
"""Precedes the names of metadata that the values of records tell."""


class _Topics(SplitConnector):
    """The records of Kafka topics as rows.

    Args:
        table: what the program says of the table.
        values: the values of the options.
        key: the names of the columns in the keys of records.
    """

    metadata: ClassVar[Mapping[str, Metadata]] = KAFKA_METADATA

    def __init__(self, table: TableDefinition, values: Mapping[str, Any], key: Sequence[str]) -> None:
        super().__init__(table, values)
        self._owner = f"table {table.path!r}"
        self._topics: Sequence[str] = values["topic"] or ()
        check_offsets(values, self._owner)
        self._guarantee = guarantee_of(values, self._owner)
        self._key = self._key_columns(key)
        self._value = list(table.physical_columns)
        if values["value.fields-include"] == "EXCEPT_KEY":
            self._value = [column for column in self._value if column not in self._key]
        self._value_format = self._format("value.", self._value)
        self._key_format = self._format("key.", self._unprefixed()) if self._key else None

    @abstractmethod
    def _starting_offsets(self) -> KafkaOffsetsInitializer:
        """Return where the topics are read from.

        Raises:
            ConfigurationError: offsets of a consumer group are needed, and there is none.
        """

    def read_by_split(
        self, environment: StreamExecutionEnvironment, watermarks: WatermarkStrategy[Any]
    ) -> DataStream[Row[Any]]:
        """Return the stream of the rows in the topics, with watermarks by partition."""
        values = self.values
        builder = KafkaSource.builder().set_properties(properties_of(values))
        if values.get("topic-pattern") is not None:
            builder.set_topic_pattern(values["topic-pattern"])
        else:
            builder.set_topics(*self._topics)
        if values.get(_DISCOVERY) is not None:
            builder.set_property("partition.discovery.interval.ms", str(values[_DISCOVERY].to_millis()))
        builder.set_starting_offsets(self._starting_offsets())
        stop = stopping_offsets(values, self._owner)
        if stop is not None:
            builder.set_bounded(stop)
        zone = session_zone(environment.get_configuration())
        value = _part(self._value, self._value_format, self.table.columns)
        schema, in_values = self._value_schema(zone)
        if self._key_format is None and not self.table.metadata:
            source = builder.set_value_only_deserializer(schema).build()
        else:
            rows = RowsOfRecord(
                self.table.row_type,
                replace(value, positions=(*value.positions, *in_values)),
                schema,
                _part(self._key, self._key_format, self.table.columns),
                None if self._key_format is None else self._key_format.deserialization_schema(),
                self._metadata(zone),
                has_upserts=self.reads_upserts,
                skips_without_key=bool(values.get(f"key.{self._key_format.name}.ignore-parse-errors"))
                if self._key_format
                else False,
            )
            source = builder.set_deserializer(rows).build()
        stream = environment.from_source(source, watermarks, self.table.path)
        parallelism = values["scan.parallelism"]
        return stream if parallelism is None else stream.set_parallelism(parallelism)

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write the rows to the topic."""
        values, columns = self.values, self.table.written_columns
        topics = self._topics
        if len(topics) != 1:
            raise ConfigurationError(f"{self._owner} is written to one topic: set the option 'topic' to it")
        zone = session_zone(rows.get_execution_environment().get_configuration())
        headers, timestamp = None, None
        for position, column in enumerate(columns):
            declared = self.table.metadata.get(column.name)
            key = None if declared is None else declared.key or declared.name
            if key == "headers":
                headers = position
            elif key == "timestamp":
                timestamp = position, millis_writer(column.data_type, zone)
            elif key is not None:
                raise PlanError(
                    f"{self._owner}, column {column.name!r}: the metadata {key!r} is only read; declare the "
                    "column as VIRTUAL"
                )
        records = RecordOfRow(
            topics[0],
            _part(self._value, self._value_format, columns),
            self._value_format.serialization_schema(),
            _part(self._key, self._key_format, columns),
            None if self._key_format is None else self._key_format.serialization_schema(),
            headers,
            timestamp,
            has_kinds=self.reads_changes,
        )
        builder = KafkaSink.builder().set_record_serializer(records).set_delivery_guarantee(self._guarantee)
        builder.set_transactional_id_prefix(values["sink.transactional-id-prefix"] or "")
        for key, value in properties_of(values).items():
            if key != "group.id":
                builder.set_property(key, value)
        parallelism = values["sink.parallelism"] or rows.get_parallelism()
        return self._ordered(rows, parallelism).sink_to(builder.build()).set_parallelism(parallelism)

    def _value_schema(self, zone: tzinfo) -> tuple[DeserializationSchema[Row[Any]], tuple[int, ...]]:
        """Return the schema that decodes values, and the positions of the columns of their metadata."""
        if not isinstance(self._value_format, ChangelogFormat):
            return self._value_format.deserialization_schema(), ()
        found = self._converted(_in_value(self._value_format.known_metadata()), zone)
        wanted = [(key.removeprefix(_VALUE), convert) for _, key, convert in found]
        return self._value_format.with_metadata(wanted), tuple(position for position, _, _ in found)

    def _metadata(self, zone: tzinfo) -> list[tuple[int, str, Callable[[Any], Any]]]:
        """Return the positions of the columns of metadata of records, and how it is converted."""
        return self._converted(self.metadata, zone)

    def _converted(
        self, known: Mapping[str, Metadata], zone: tzinfo
    ) -> list[tuple[int, str, Callable[[Any], Any]]]:
        """Return the positions of the columns of some metadata, what they hold, and how it is converted."""
        found = []
        for column in self.table.columns:
            declared = self.table.metadata.get(column.name)
            key = None if declared is None else declared.key or declared.name
            if declared is not None and key is not None and key in known:
                convert = metadata_reader(known[key], declared.data_type, zone)
                assert convert is not None
                found.append((column.position, key, convert))
        return found

    def _ordered(self, rows: DataStream[Row[Any]], parallelism: int) -> DataStream[Row[Any]]:
        """Return rows by the subtasks that write them."""
        return rows

    def _format(self, prefix: str, columns: Sequence[TableColumn]) -> MessageFormat:
        """Return the format of the keys or the values of records."""
        name = self.values[f"{prefix}format"]
        if name is None:
            prefix, name = "", self.values["format"]
        values, subject = dict(self.values), f"{prefix}{_REGISTRY}.subject"
        if values[subject] is None and len(self._topics) == 1:
            values[subject] = f"{self._topics[0]}-{'key' if prefix == 'key.' else 'value'}"
        return message_format(name, self.table, values, prefix, columns)

    def _key_columns(self, names: Sequence[str]) -> list[TableColumn]:
        """Return the columns in the keys of records.

        Raises:
            ConfigurationError: there is no such column, or the prefix of their names is wrong.
        """
        known = {column.name: column for column in self.table.physical_columns}
        prefix = self.values["key.fields-prefix"]
        if prefix and self.values["value.fields-include"] == "ALL":
            raise ConfigurationError(
                f"{self._owner}: 'key.fields-prefix' needs 'value.fields-include' = 'EXCEPT_KEY', as values "
                "hold no columns with a prefix"
            )
        for name in names:
            if name not in known:
                raise ConfigurationError(
                    f"{self._owner}: {name!r} is a field of the keys, but the columns are {', '.join(known)}"
                )
            if not name.startswith(prefix):
                raise ConfigurationError(
                    f"{self._owner}: the column {name!r} of the keys lacks the prefix {prefix!r} of "
                    "'key.fields-prefix'"
                )
        return [known[name] for name in names]

    def _unprefixed(self) -> list[TableColumn]:
        """Return the columns in the keys by their names there."""
        prefix = self.values["key.fields-prefix"]
        return [replace(column, name=column.name.removeprefix(prefix)) for column in self._key]


class Kafka(_Topics):
    """Read and write the records of Kafka topics as rows that are inserted, or as changes.

    A record without a value has no row. With a format of changes, such as ``debezium-json``, rows are of all
    kinds, and the primary key tells them apart. A table is unbounded unless ``scan.bounded.mode`` is given.
    Mirrors Flink's connector ``kafka``.
    """

    name = "kafka"
    for_updates = "group them by windows of event time, or write to 'upsert-kafka'"
    options: ClassVar[Mapping[str, Option]] = KAFKA_OPTIONS

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        owner = f"table {table.path!r}"
        for one, other in (("topic", "topic-pattern"), ("format", "value.format")):
            if (values[one] is None) == (values[other] is None):
                raise ConfigurationError(f"{owner} needs one of the options {one!r} and {other!r}")
        if (values["key.format"] is None) != (values["key.fields"] is None):
            raise ConfigurationError(f"{owner} needs both of the options 'key.format' and 'key.fields'")
        if values["key.fields"] is not None and values["sink.partitioner"] == "round-robin":
            raise ConfigurationError(
                f"{owner}: 'sink.partitioner' = 'round-robin' is for records without keys; with "
                "'key.fields', records of a key go to the same partition"
            )
        name = values["value.format"] or values["format"]
        self.reads_changes: bool = FORMATS[name.lower()].reads_changes
        self.takes_updates: bool = self.reads_changes
        if table.schema.primary_key_columns and not self.reads_changes:
            raise ConfigurationError(
                f"{owner} has a PRIMARY KEY, but rows of connector 'kafka' do not replace one another; use "
                "'upsert-kafka' or a format of changes such as 'debezium-json', or leave out the key"
            )
        super().__init__(table, values, values["key.fields"] or ())

    @classmethod
    def known_metadata(cls, options: Mapping[str, str]) -> Mapping[str, Metadata]:
        """Return the metadata columns of a table; names of those in message values start with ``value.``."""
        name = options.get("value.format", options.get("format", "")).strip().lower()
        format = FORMATS.get(name)
        if format is None or not issubclass(format, ChangelogFormat):
            return cls.metadata
        return {**cls.metadata, **_in_value(format.known_metadata())}

    def _starting_offsets(self) -> KafkaOffsetsInitializer:
        return starting_offsets(self.values, self._owner)


class UpsertKafka(_Topics):
    """Read and write Kafka topics whose records replace those with the same key; one without a value deletes.

    The key is the primary key of the table. Topics are read from their oldest records on. A row is written
    when it is inserted or updated, without the row before. Mirrors Flink's connector ``upsert-kafka``.
    """

    name = "upsert-kafka"
    takes_updates = True
    reads_upserts = True
    options: ClassVar[Mapping[str, Option]] = UPSERT_KAFKA_OPTIONS

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        if not table.schema.primary_key_columns:
            raise ConfigurationError(
                f"table {table.path!r} needs PRIMARY KEY (…) NOT ENFORCED: the columns in the keys of records"
            )
        super().__init__(table, values, table.schema.primary_key_columns)

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the upserts in the topics.

        Those of a bounded table have all the same timestamp, so that batch mode leaves them in order.
        """
        watermarks: WatermarkStrategy[Any] = WatermarkStrategy.no_watermarks()
        if self.values["scan.bounded.mode"] != "unbounded":
            watermarks = watermarks.with_timestamp_assigner(_SameTime())
        return self.read_by_split(environment, watermarks)

    def _starting_offsets(self) -> KafkaOffsetsInitializer:
        return KafkaOffsetsInitializer.earliest()

    def _ordered(self, rows: DataStream[Row[Any]], parallelism: int) -> DataStream[Row[Any]]:
        if parallelism == 1:
            return rows
        columns = self.table.written_columns
        names = [column.name for column in columns]
        return keyed_rows(rows, columns, [names.index(column.name) for column in self._key])


class _SameTime(TimestampAssigner[Any]):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return 0


def _in_value(known: Mapping[str, Metadata]) -> dict[str, Metadata]:
    """Return the metadata of values by its names in tables."""
    return {f"{_VALUE}{name}": metadata for name, metadata in known.items()}


def _part(columns: Sequence[TableColumn], format: MessageFormat | None, rows: Sequence[TableColumn]) -> Part:
    """Return the columns of keys or values among those of rows."""
    names = [column.name for column in rows]
    in_messages = () if format is None else format.row_type.get_field_names()
    return Part(tuple(names.index(column.name) for column in columns), tuple(in_messages))
