"""Rows of tables as JSON messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pystream.engine.formats.json_columns import json_columns
from pystream.engine.formats.times import TimeStyle
from pystream.errors import ConfigurationError
from pystream.messages.json import JsonRowDataDeserializationSchema, JsonRowSerializationSchema
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.settings.config_values import BOOLEAN, STRING, named
from pystream.sql_types.decimals import rounded
from pystream.table.column_casts import declarations
from pystream.table.connectors.options import Option
from pystream.table.formats.base import MessageFormat
from pystream.table.formats.declared_rows import DeclaredReader, DeclaredRows
from typeinfo.composite import RowTypeInfo
from typeinfo.row import Row

__all__ = ["JsonFormat"]


class JsonFormat(MessageFormat):
    """JSON objects, whose members are columns by name.

    Timestamps are written and read as ``2020-01-31 12:34:56.5``, or with a ``T`` in the standard ISO-8601,
    instants with a ``Z``. A message may be an array of objects. ``decode.json-parser.enabled`` chooses
    between two parsers of Flink and has no effect here, nor has ``map-null-key``, as no key of a map is null.
    Mirrors Flink's format ``json``.
    """

    name = "json"
    options: ClassVar[Mapping[str, Option]] = {
        "fail-on-missing-field": Option(BOOLEAN, default=False),
        "ignore-parse-errors": Option(BOOLEAN, default=False),
        "timestamp-format.standard": Option(named("SQL", "ISO-8601"), default="SQL"),
        "encode.decimal-as-plain-number": Option(BOOLEAN, default=False),
        "encode.ignore-null-fields": Option(BOOLEAN, default=False),
        "decode.json-parser.enabled": Option(BOOLEAN, default=True),
        "map-null-key.mode": Option(named("FAIL", "DROP", "LITERAL"), default="FAIL"),
        "map-null-key.literal": Option(STRING, default="null"),
    }

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        fails, ignores = self.values["fail-on-missing-field"], self.values["ignore-parse-errors"]
        if fails and ignores:
            raise ConfigurationError(
                f"{self.owner}: json.fail-on-missing-field and json.ignore-parse-errors contradict"
            )
        declared = declarations(self.columns, is_lenient=ignores)
        t = self.row_type
        parsed = RowTypeInfo(map(rounded, t.field_types), t.field_names)
        reader = json_columns(t, fails, self._time_style, parsed)
        at_once = reader and DeclaredReader(reader, DeclaredRows(self.row_type, declared))
        return JsonRowDataDeserializationSchema(
            self.row_type, declared, fails, ignores, self._time_style, at_once
        )

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return JsonRowSerializationSchema(
            self.row_type,
            self._time_style,
            skips_nulls=self.values["encode.ignore-null-fields"],
            has_exponents=not self.values["encode.decimal-as-plain-number"],
        )

    @property
    def _time_style(self) -> TimeStyle:
        return "SQL" if self.values["timestamp-format.standard"].upper() == "SQL" else "ISO-8601"
