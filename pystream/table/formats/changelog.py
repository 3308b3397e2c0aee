"""Changes of tables as the JSON messages of Debezium, Canal, Maxwell and Oracle GoldenGate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar, NamedTuple

from pystream.engine.formats.times import TimeStyle
from pystream.errors import ConfigurationError
from pystream.messages.changelog_json import (
    ChangelogDialect,
    ChangelogJsonDeserializationSchema,
    ChangelogJsonSerializationSchema,
    ChangelogReading,
    MessageMetadata,
)
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.settings.config_values import BOOLEAN, STRING, named
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.column_casts import declarations
from pystream.table.connectors.metadata import Metadata
from pystream.table.connectors.options import PATTERN, Option
from pystream.table.formats.base import MessageFormat
from pystream.table.functions.values.conversions import converted_twice
from typeinfo.row import Row

__all__ = ["CanalJsonFormat", "ChangelogFormat", "DebeziumJsonFormat", "MaxwellJsonFormat", "OggJsonFormat"]

_TEXT = DataTypes.STRING()
_TEXTS = DataTypes.ARRAY(DataTypes.STRING())
_TIME = DataTypes.TIMESTAMP_LTZ(3)
_MILLIS = DataTypes.BIGINT()


def _millis_of(text: str) -> int:
    """Return the milliseconds since the Unix epoch of a time in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


class _Part(NamedTuple):
    """A part of messages beside the rows.

    Attributes:
        data_type: the type that it has as metadata.
        path: the names of the members that lead to it.
        read_as: the type by which it is read, that of the metadata unless given.
        convert: makes the value of the metadata, ``None`` if it is what is read.
    """

    data_type: DataType
    path: tuple[str, ...]
    read_as: DataType | None = None
    convert: Callable[[Any], Any] | None = None


class ChangelogFormat(MessageFormat):
    """JSON messages that tell what is inserted, updated and deleted.

    An update is read as the row before it and the row after it, and written as a deletion and an insertion.
    ``map-null-key`` has no effect, as no key of a map is null.

    Attributes:
        dialect: how messages tell what changes.
        parts: what messages have beside the rows, by the names of metadata.
    """

    reads_changes = True
    dialect: ClassVar[ChangelogDialect]
    parts: ClassVar[Mapping[str, _Part]]
    options: ClassVar[Mapping[str, Option]] = {
        "ignore-parse-errors": Option(BOOLEAN, default=False),
        "timestamp-format.standard": Option(named("SQL", "ISO-8601"), default="SQL"),
        "encode.decimal-as-plain-number": Option(BOOLEAN, default=False),
        "encode.ignore-null-fields": Option(BOOLEAN, default=False),
        "map-null-key.mode": Option(named("FAIL", "DROP", "LITERAL"), default="FAIL"),
        "map-null-key.literal": Option(STRING, default="null"),
    }

    @classmethod
    def known_metadata(cls) -> Mapping[str, Metadata]:
        """Return the metadata columns of messages, by name."""
        return {name: Metadata(part.data_type) for name, part in cls.parts.items()}

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows of all kinds."""
        return self.with_metadata(())

    def with_metadata(
        self, wanted: Sequence[tuple[str, Callable[[Any], Any]]]
    ) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows with metadata behind their own fields.

        Args:
            wanted: the names of the metadata, and the functions that make the values of columns.
        """
        ignores = self.values["ignore-parse-errors"]
        metadata = []
        for name, convert in wanted:
            part = self.parts[name]
            convert = convert if part.convert is None else partial(converted_twice, part.convert, convert)
            metadata.append(MessageMetadata(part.path, (part.read_as or part.data_type).type_info, convert))
        included = [(name, self.values.get(f"{name}.include")) for name in ("database", "table")]
        reading = ChangelogReading(
            bool(self.values.get("schema-include")),
            ignores,
            self._time_style,
            tuple((name, pattern) for name, pattern in included if pattern is not None),
            tuple(metadata),
        )
        declared = declarations(self.columns, is_lenient=ignores)
        return ChangelogJsonDeserializationSchema(self.dialect, self.row_type, declared, reading)

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows of all kinds as messages."""
        if self.values.get("schema-include"):
            raise ConfigurationError(
                f"{self.owner}: messages are written without a schema; leave out "
                f"'{self.name}.schema-include' in the table that is written to"
            )
        return ChangelogJsonSerializationSchema(
            self.dialect,
            self.row_type,
            self._time_style,
            self.values["encode.ignore-null-fields"],
            not self.values["encode.decimal-as-plain-number"],
        )

    @property
    def _time_style(self) -> TimeStyle:
        return "SQL" if self.values["timestamp-format.standard"].upper() == "SQL" else "ISO-8601"


class DebeziumJsonFormat(ChangelogFormat):
    """Messages of Debezium, with or without a schema.

    Mirrors Flink's format ``debezium-json``.
    """

    name = "debezium-json"
    dialect: ClassVar[ChangelogDialect] = ChangelogDialect(name, "op", ("c", "r"), "u", "d")
    options: ClassVar[Mapping[str, Option]] = {
        "schema-include": Option(BOOLEAN, default=False),
        **ChangelogFormat.options,
    }
    parts: ClassVar[Mapping[str, _Part]] = {
        "schema": _Part(_TEXT, ("schema",)),
        "ingestion-timestamp": _Part(_TIME, ("ts_ms",), _MILLIS),
        "source.timestamp": _Part(_TIME, ("source", "ts_ms"), _MILLIS),
        "source.database": _Part(_TEXT, ("source", "db")),
        "source.schema": _Part(_TEXT, ("source", "schema")),
        "source.table": _Part(_TEXT, ("source", "table")),
        "source.properties": _Part(DataTypes.MAP(_TEXT, _TEXT), ("source",)),
    }


class OggJsonFormat(ChangelogFormat):
    """Messages of Oracle GoldenGate.

    Mirrors Flink's format ``ogg-json``.
    """

    name = "ogg-json"
    dialect: ClassVar[ChangelogDialect] = ChangelogDialect(name, "op_type", ("I",), "U", "D")
    parts: ClassVar[Mapping[str, _Part]] = {
        "table": _Part(_TEXT, ("table",)),
        "primary-keys": _Part(_TEXTS, ("primary_keys",)),
        "ingestion-timestamp": _Part(_TIME, ("current_ts",), _TEXT, _millis_of),
        "event-timestamp": _Part(_TIME, ("op_ts",), _TEXT, _millis_of),
    }


class CanalJsonFormat(ChangelogFormat):
    """Messages of Canal, each with several rows; those of DDL have none.

    Mirrors Flink's format ``canal-json``.
    """

    name = "canal-json"
    dialect: ClassVar[ChangelogDialect] = ChangelogDialect(
        name, "type", ("INSERT",), "UPDATE", "DELETE", ("CREATE",), has_images=False, has_lists=True
    )
    options: ClassVar[Mapping[str, Option]] = {
        "database.include": Option(PATTERN),
        "table.include": Option(PATTERN),
        **ChangelogFormat.options,
    }
    parts: ClassVar[Mapping[str, _Part]] = {
        "database": _Part(_TEXT, ("database",)),
        "table": _Part(_TEXT, ("table",)),
        "sql-type": _Part(DataTypes.MAP(_TEXT, DataTypes.INT()), ("sqlType",)),
        "pk-names": _Part(_TEXTS, ("pkNames",)),
        "ingestion-timestamp": _Part(_TIME, ("ts",), _MILLIS),
        "event-timestamp": _Part(_TIME, ("es",), _MILLIS),
    }


class MaxwellJsonFormat(ChangelogFormat):
    """Messages of Maxwell.

    Mirrors Flink's format ``maxwell-json``.
    """

    name = "maxwell-json"
    dialect: ClassVar[ChangelogDialect] = ChangelogDialect(
        name, "type", ("insert",), "update", "delete", has_images=False
    )
    parts: ClassVar[Mapping[str, _Part]] = {
        "database": _Part(_TEXT, ("database",)),
        "table": _Part(_TEXT, ("table",)),
        "primary-key-columns": _Part(_TEXTS, ("primary_key_columns",)),
        "ingestion-timestamp": _Part(_TIME, ("ts",), _MILLIS),
    }
