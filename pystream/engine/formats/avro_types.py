"""Map Avro schemas to types, and convert their values to and from those of records."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from typeinfo.composite import RowTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.row import make_row
from typeinfo.types import Types

__all__ = ["AvroNode", "Convert", "avro_node", "each", "each_value", "null_or", "same"]

Convert = Callable[[Any], Any]


class AvroNode(NamedTuple):
    """A part of a schema, with its type and its conversions.

    Attributes:
        type: the type of its values.
        read: converts a value read by fastavro to one of the type.
        write: converts a value of the type, or null, to one that the encoder of the schema takes.
    """

    type: TypeInformation[Any]
    read: Convert
    write: Convert


def avro_node(schema: Any, path: str = "") -> AvroNode:
    """Return the type and conversions of a schema in which all names are expanded.

    Records become ROW_NAMED, arrays BASIC_ARRAY or OBJECT_ARRAY, maps MAP with STRING keys, enums and UUIDs
    STRING, bytes and fixed PRIMITIVE_ARRAY(BYTE), decimals BIG_DEC, dates SQL_DATE, times SQL_TIME,
    timestamps SQL_TIMESTAMP (the reading of a clock in UTC) and local timestamps LOCAL_DATE_TIME. A union
    with null is its other branch; any other union is PICKLED_BYTE_ARRAY.

    Raises:
        UnsupportedTypeError: the schema is recursive.
    """
    if isinstance(schema, list):
        return _union(schema, path)
    if isinstance(schema, str):
        return _primitive(schema, path)
    logical, kind = schema.get("logicalType"), schema["type"]
    if (kind, logical) in _LOGICAL:
        return _LOGICAL[kind, logical]
    if logical == "decimal" and kind in ("bytes", "fixed"):
        return AvroNode(Types.BIG_DEC, same, same)
    match kind:
        case "record" | "error":
            return _record(schema, path)
        case "enum":
            return AvroNode(Types.STRING, same, same)
        case "fixed":
            return AvroNode(_BYTES, same, same)
        case "array":
            return _array(avro_node(schema["items"], f"{path}[]"))
        case "map":
            return _map(avro_node(schema["values"], f"{path}[]"))
    return _primitive(kind, path)


def _primitive(kind: str, path: str) -> AvroNode:
    if kind not in _PRIMITIVES:
        raise UnsupportedTypeError(f"the Avro schema is recursive: {kind!r} occurs in itself (field {path})")
    return AvroNode(_PRIMITIVES[kind], same, same)


def _union(branches: list[Any], path: str) -> AvroNode:
    present = [branch for branch in branches if branch != "null"]
    nullable = len(present) < len(branches)
    if not present:
        return avro_node("null", path)
    if len(present) > 1:
        return AvroNode(Types.PICKLED_BYTE_ARRAY, same, same)
    node = avro_node(present[0], path)
    if not nullable:
        return node
    return node._replace(read=partial(null_or, node.read))


def _record(schema: dict[str, Any], path: str) -> AvroNode:
    names = [field["name"] for field in schema["fields"]]
    nodes = [avro_node(field["type"], f"{path}.{field['name']}") for field in schema["fields"]]
    read = partial(_read_record, tuple(names), [node.read for node in nodes])
    write = partial(null_or, partial(_write_record, tuple(names), [node.write for node in nodes]))
    return AvroNode(RowTypeInfo([node.type for node in nodes], names), read, write)


def _array(element: AvroNode) -> AvroNode:
    t = element.type
    basic = t in _BASIC_ELEMENTS
    array = Types.BASIC_ARRAY(t) if basic else Types.OBJECT_ARRAY(t)
    write = partial(null_or, partial(each, element.write))
    return AvroNode(array, partial(each, element.read), write)


def _map(value: AvroNode) -> AvroNode:
    t = Types.MAP(Types.STRING, value.type)
    write = partial(null_or, partial(each_value, value.write))
    return AvroNode(t, partial(each_value, value.read), write)


def same(value: Any) -> Any:
    """Return the value."""
    return value


def null_or(convert: Convert, value: Any) -> Any:
    """Convert a value unless it is null."""
    return None if value is None else convert(value)


def _read_record(names: tuple[str, ...], reads: list[Convert], record: dict[str, Any]) -> Any:
    return make_row([read(record[name]) for read, name in zip(reads, names, strict=True)], names)


def _write_record(names: tuple[str, ...], writes: list[Convert], row: Any) -> dict[str, Any]:
    return {name: write(value) for name, write, value in zip(names, writes, row, strict=True)}


def each(convert: Convert, values: list[Any]) -> list[Any]:
    """Convert the elements of an array."""
    return list(map(convert, values))


def each_value(convert: Convert, entries: dict[str, Any]) -> dict[str, Any]:
    """Convert the values of a map."""
    return {key: convert(value) for key, value in entries.items()}


def _clock_reading(value: datetime.datetime) -> datetime.datetime:
    return value.replace(tzinfo=None)


def _in_utc(value: datetime.datetime) -> datetime.datetime:
    return value.replace(tzinfo=datetime.UTC)


_BYTES = Types.PRIMITIVE_ARRAY(Types.BYTE)
_PRIMITIVES: dict[str, TypeInformation[Any]] = {
    "null": Types.VOID,
    "boolean": Types.BOOLEAN,
    "int": Types.INT,
    "long": Types.LONG,
    "float": Types.FLOAT,
    "double": Types.DOUBLE,
    "string": Types.STRING,
    "bytes": _BYTES,
}
_BASIC_ELEMENTS = {
    Types.BOOLEAN,
    Types.INT,
    Types.LONG,
    Types.FLOAT,
    Types.DOUBLE,
    Types.STRING,
}
_SQL_TIME = AvroNode(Types.SQL_TIME, same, same)
_SQL_TIMESTAMP = AvroNode(Types.SQL_TIMESTAMP, _clock_reading, partial(null_or, _in_utc))
_LOCAL_DATE_TIME = AvroNode(Types.LOCAL_DATE_TIME, same, same)
_LOGICAL = {
    ("int", "date"): AvroNode(Types.SQL_DATE, same, same),
    ("int", "time-millis"): _SQL_TIME,
    ("long", "time-micros"): _SQL_TIME,
    ("long", "timestamp-millis"): _SQL_TIMESTAMP,
    ("long", "timestamp-micros"): _SQL_TIMESTAMP,
    ("long", "local-timestamp-millis"): _LOCAL_DATE_TIME,
    ("long", "local-timestamp-micros"): _LOCAL_DATE_TIME,
    ("string", "uuid"): AvroNode(Types.STRING, str, same),
}
