"""Rows of tables as records of Avro files."""

from __future__ import annotations

import json
from typing import Any

from pystream.datastream.functions import MapFunction, RuntimeContext
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_types import avro_node
from pystream.errors import UnsupportedTypeError
from pystream.sql_types.data_types import ArrayType, DataType, DecimalType, MapType, RowType
from typeinfo.row import Row

__all__ = ["RecordOfRow", "RowOfRecord", "avro_schema_of"]

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
    "TIME": {"type": "long", "logicalType": "time-micros"},
    "TIMESTAMP": {"type": "long", "logicalType": "timestamp-micros"},
}


def avro_schema_of(row_type: RowType) -> str:
    """Return the schema of the records that hold rows of a type, as JSON.

    Raises:
        UnsupportedTypeError: Avro has no type for a column; the message names it.
    """
    return json.dumps(_record(row_type, "record"))


def _record(row_type: RowType, name: str) -> dict[str, Any]:
    fields = []
    for field in row_type.fields:
        schema = {"name": field.name, "type": _schema(field.data_type, f"{name}_{field.name}")}
        fields.append(schema | ({"default": None} if field.data_type.is_nullable else {}))
    return {"type": "record", "name": name, "fields": fields}


def _schema(data_type: DataType, name: str) -> Any:
    schema = _not_null_schema(data_type, name)
    return ["null", schema] if data_type.is_nullable else schema


def _not_null_schema(data_type: DataType, name: str) -> Any:
    match data_type:
        case RowType():
            return _record(data_type, name)
        case ArrayType():
            return {"type": "array", "items": _schema(data_type.element_type, name)}
        case MapType() if str(data_type.key_type.nullable()) == "STRING":
            return {"type": "map", "values": _schema(data_type.value_type, name)}
        case DecimalType():
            size = {"precision": data_type.precision, "scale": data_type.scale}
            return {"type": "bytes", "logicalType": "decimal", **size}
    kind = str(data_type.nullable()).partition("(")[0]
    if kind not in _NAMES:
        column = name.removeprefix("record_")
        raise UnsupportedTypeError(f"column {column!r}: Avro has no type for {data_type}")
    return _NAMES[kind]


class RowOfRecord(MapFunction[Any, Any]):
    """Make the row of a record.

    Args:
        schema: the schema of the records, as JSON.
    """

    def __init__(self, schema: str) -> None:
        self._schema = schema

    def open(self, runtime_context: RuntimeContext) -> None:
        self._read = avro_node(record_schema(self._schema).expanded).read

    def map(self, value: Any) -> Row[Any]:
        row: Row[Any] = self._read(value)
        return row


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
