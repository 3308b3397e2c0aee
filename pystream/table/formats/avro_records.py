"""Rows of tables as Avro records."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pystream.datastream.functions import MapFunction, RuntimeContext
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_types import avro_node
from pystream.errors import UnsupportedTypeError
from pystream.sql_types.data_types import ArrayType, DataType, DecimalType, MapType, RowType
from typeinfo.row import Row

__all__ = ["RecordOfRow", "RecordsOfRows", "RowOfRecord", "avro_schema_of"]

_NAMES: dict[str, Any] = {
    "BOOLEAN": "boolean",
    "TINYINT": "int",
    "SMALLINT": "int",
    "INT": "int",
    "BIGINT": "long",
    "FLOAT": "float",
    "DOUBLE": "double",
    "STRING": "string",
    "VARCHAR": "string",
    "CHAR": "string",
    "BYTES": "bytes",
    "VARBINARY": "bytes",
    "BINARY": "bytes",
    "DATE": {"type": "int", "logicalType": "date"},
}
_TIMES = {
    "TIME": ({"type": "int", "logicalType": "time-millis"}, {"type": "long", "logicalType": "time-micros"}),
    "TIMESTAMP": (
        {"type": "long", "logicalType": "timestamp-millis"},
        {"type": "long", "logicalType": "timestamp-micros"},
    ),
}
"""The types of times in milliseconds and in microseconds."""

_MILLIS = 3  # digits


def avro_schema_of(row_type: RowType, has_millis: bool = False) -> str:
    """Return the schema of the records that hold rows of a type, as JSON.

    Args:
        row_type: the type.
        has_millis: whether times of up to three digits of a second are milliseconds, as in Flink's messages;
            otherwise all times are microseconds.

    Raises:
        UnsupportedTypeError: Avro has no type for a column; the message names it.
    """
    return json.dumps(_Compiler(has_millis).record(row_type, "record"))


@dataclass(frozen=True, slots=True)
class _Compiler:
    """Compile data types to parts of a schema."""

    has_millis: bool

    def record(self, row_type: RowType, name: str) -> dict[str, Any]:
        fields = []
        for field in row_type.fields:
            schema = {"name": field.name, "type": self.schema(field.data_type, f"{name}_{field.name}")}
            fields.append(schema | ({"default": None} if field.data_type.is_nullable else {}))
        return {"type": "record", "name": name, "fields": fields}

    def schema(self, data_type: DataType, name: str) -> Any:
        schema = self._not_null(data_type, name)
        return ["null", schema] if data_type.is_nullable else schema

    def _not_null(self, data_type: DataType, name: str) -> Any:
        match data_type:
            case RowType():
                return self.record(data_type, name)
            case ArrayType():
                return {"type": "array", "items": self.schema(data_type.element_type, name)}
            case MapType() if str(data_type.key_type.nullable()) == "STRING":
                return {"type": "map", "values": self.schema(data_type.value_type, name)}
            case DecimalType():
                size = {"precision": data_type.precision, "scale": data_type.scale}
                return {"type": "bytes", "logicalType": "decimal", **size}
        kind, _, precision = str(data_type.nullable()).rstrip(")").partition("(")
        if kind in _TIMES:
            millis, micros = _TIMES[kind]
            return millis if self.has_millis and int(precision) <= _MILLIS else micros
        if kind not in _NAMES:
            column = name.removeprefix("record_")
            raise UnsupportedTypeError(f"column {column!r}: Avro has no type for {data_type}")
        return _NAMES[kind]


class RowOfRecord(NamedTuple):
    """The conversion of records to rows.

    Attributes:
        schema: the schema of the records, as JSON.
    """

    schema: str

    def converter(self) -> Callable[[Any], Row[Any]]:
        """Return the function that makes the row of a record."""
        return avro_node(record_schema(self.schema).expanded).read

    def parts(self) -> list[tuple[str, Callable[[Any], Any]]]:
        """Return the names of the fields, and the functions that make their values."""
        fields = record_schema(self.schema).expanded["fields"]
        return [(field["name"], avro_node(field["type"]).read) for field in fields]


class RecordsOfRows(NamedTuple):
    """The conversion of rows to records.

    Attributes:
        schema: the schema of the records, as JSON.
    """

    schema: str

    def converter(self) -> Callable[[Any], Any]:
        """Return the function that makes the record of a row."""
        return avro_node(record_schema(self.schema).expanded).write


class RecordOfRow(MapFunction[Any, Any]):
    """Make the record of a row.

    Args:
        schema: the schema of the records, as JSON.
    """

    def __init__(self, schema: str) -> None:
        self._schema = schema

    def open(self, runtime_context: RuntimeContext) -> None:
        self._write = avro_node(record_schema(self._schema).expanded).write

    def map(self, value: Any) -> Any:
        return self._write(value)
