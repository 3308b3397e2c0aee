"""Compile the schemas of Avro records, with the types of their values, to readers of columns."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.engine.formats.avro_part_readers import (
    Read,
    read_booleans,
    read_bytes,
    read_dates,
    read_fixed,
    read_lists,
    read_longs,
    read_numbers,
    read_record,
    read_symbols,
    read_texts,
    read_times,
    read_union,
    read_uuids,
)
from pystream.engine.formats.avro_schema import Definitions
from pystream.engine.formats.fields import without_optional
from typeinfo.basic import BOOLEAN, DOUBLE, FLOAT, STRING
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.decimals import is_decimal
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AvroPart", "PartCompiler"]

_MILLI, _MICRO = 1000, 1  # in microseconds
_TIMES: dict[tuple[str, str | None], tuple[type[Any], int]] = {
    ("int", "time-millis"): (datetime.time, _MILLI),
    ("long", "time-micros"): (datetime.time, _MICRO),
    ("long", "timestamp-millis"): (datetime.datetime, _MILLI),
    ("long", "timestamp-micros"): (datetime.datetime, _MICRO),
    ("long", "local-timestamp-millis"): (datetime.datetime, _MILLI),
    ("long", "local-timestamp-micros"): (datetime.datetime, _MICRO),
}
_WIDER = {("int", "long"), ("float", "double")}


class AvroPart(NamedTuple):
    """A part of records.

    Attributes:
        read: reads it from each message.
        convert: makes the value of a type without columns of what is read; ``None`` for no change.
    """

    read: Read
    convert: Callable[[Any], Any] | None = None


class PartCompiler:
    """Compile schemas to parts; ``None`` for what is read value by value.

    Args:
        written: the definitions of names in the schema that the records were written by.
        wanted: those in the schema that they are resolved to.
    """

    def __init__(self, written: Definitions, wanted: Definitions) -> None:
        self._written = written
        self._wanted = wanted

    def fields(self, writer: Any, reader: Any, t: RowTypeInfo[Any]) -> list[AvroPart] | None:
        """Return the fields, ``None`` also if they were written in another order.

        Args:
            writer: the schema of the records that are read.
            reader: the schema that they are resolved to.
            t: the type of the rows.
        """
        names = [field["name"] for field in writer["fields"]]
        if [field["name"] for field in reader["fields"]] != names or t.get_field_names() != names:
            return None
        parts = []
        for mine, other, slot in zip(writer["fields"], reader["fields"], t.slots(), strict=True):
            part = self.part(mine["type"], other["type"], without_optional(slot.type, nullable=True)[0])
            if part is None:
                return None
            parts.append(part)
        return parts

    def part(self, writer: Any, reader: Any, t: TypeInformation[Any]) -> AvroPart | None:
        """Return the part that reads values of a type."""
        branches, null = _branches(writer)
        wanted, wanted_null = _branches(reader)
        if len(branches) != 1 or len(wanted) != 1 or (null is not None and wanted_null is None):
            return None
        own = self._definition(branches[0], self._written)
        part = self._present(own, self._definition(wanted[0], self._wanted), t)
        if part is None or not isinstance(writer, list):
            return part
        return part._replace(read=partial(read_union, part.read, len(writer), null))

    @staticmethod
    def _definition(schema: Any, definitions: Definitions) -> dict[str, Any]:
        found: dict[str, Any] = (
            definitions.get(schema, {"type": schema}) if isinstance(schema, str) else schema
        )
        return found

    def _present(
        self, writer: dict[str, Any], reader: dict[str, Any], t: TypeInformation[Any]
    ) -> AvroPart | None:
        kind, logical = writer["type"], writer.get("logicalType")
        if kind != reader["type"] and (logical is not None or (kind, reader["type"]) not in _WIDER):
            return None
        if (kind, logical) in _TIMES:
            value_class, unit = _TIMES[kind, logical]
            is_such = isinstance(t, ScalarTypeInfo) and t.value_class is value_class
            return _of_type(t, partial(read_times, unit)) if is_such else None
        match kind, t:
            case "record", RowTypeInfo():
                return self._record(writer, reader, t)
            case "array", ArrayTypeInfo():
                return self._array(writer, reader, t)
            case "map", MapTypeInfo():
                return self._map(writer, reader, t)
            case "enum", _ if t == STRING and writer["symbols"] == reader["symbols"]:
                return AvroPart(partial(read_symbols, writer["symbols"]))
        return _scalar(writer, reader, t)

    def _record(self, writer: dict[str, Any], reader: dict[str, Any], t: RowTypeInfo[Any]) -> AvroPart | None:
        fields = self.fields(writer, reader, t)
        if not fields or any(part.convert for part in fields):
            return None
        return _of_type(t, partial(read_record, [part.read for part in fields]))

    def _array(
        self, writer: dict[str, Any], reader: dict[str, Any], t: ArrayTypeInfo[Any, Any]
    ) -> AvroPart | None:
        (slot,) = t.slots()
        item = self.part(writer["items"], reader["items"], without_optional(slot.type, nullable=True)[0])
        if item is None or item.convert is not None:
            return None
        return _of_type(t, partial(read_lists, [item.read]))

    def _map(
        self, writer: dict[str, Any], reader: dict[str, Any], t: MapTypeInfo[Any, Any]
    ) -> AvroPart | None:
        value_type = without_optional(t.value_type, nullable=True)[0]
        value = self.part(writer["values"], reader["values"], value_type)
        if value is None or value.convert is not None or t.key_type != STRING:
            return None
        return _of_type(t, partial(read_lists, [read_texts, value.read]))


def _branches(schema: Any) -> tuple[list[Any], int | None]:
    """Return the branches of a union without null, and the position of that; others have one branch."""
    if not isinstance(schema, list):
        return [schema], None
    nulls = [position for position, branch in enumerate(schema) if branch in ("null", {"type": "null"})]
    present = [branch for position, branch in enumerate(schema) if position not in nulls]
    return present, nulls[0] if nulls else None


def _scalar(writer: dict[str, Any], reader: dict[str, Any], t: TypeInformation[Any]) -> AvroPart | None:
    kind, logical = writer["type"], writer.get("logicalType")
    is_bytes = isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes
    is_whole = isinstance(t, ScalarTypeInfo) and t.value_class is int and t.traits.bounds is not None
    match kind, logical:
        case "bytes" | "fixed", "decimal" if is_decimal(t) and _decimal(writer) == _decimal(reader):
            return AvroPart(_bytes_reader(writer), partial(_decimal_of, kind, writer))
        case "int", "date" if isinstance(t, ScalarTypeInfo) and t.value_class is datetime.date:
            return _of_type(t, read_dates)
        case "string", "uuid" if t == STRING:
            return AvroPart(read_uuids)
        case "boolean", None if t == BOOLEAN:
            return AvroPart(read_booleans)
        case "int" | "long", None if is_whole:
            return _of_type(t, read_longs)
        case "float", None if t in (FLOAT, DOUBLE):
            return _of_type(t, partial(read_numbers, "<f4"))
        case "double", None if t == DOUBLE:
            return _of_type(t, partial(read_numbers, "<f8"))
        case "string", None if t == STRING:
            return AvroPart(read_texts)
        case "bytes" | "fixed", None if is_bytes and writer.get("size") == reader.get("size"):
            return AvroPart(_bytes_reader(writer))
    return None


def _of_type(t: TypeInformation[Any], read: Callable[..., pa.Array]) -> AvroPart:
    """Return the part whose values have the layout of a type."""
    from typeinfo.serde.registry import codec_for

    return AvroPart(partial(read, codec_for(t).arrow))


def _decimal(schema: dict[str, Any]) -> tuple[Any, ...]:
    return schema.get("precision"), schema.get("scale", 0), schema.get("size")


def _decimal_of(kind: str, schema: dict[str, Any], data: bytes) -> Any:
    from fastavro.read import LOGICAL_READERS

    return LOGICAL_READERS[f"{kind}-decimal"](data, schema, None)


def _bytes_reader(schema: dict[str, Any]) -> Read:
    if schema["type"] == "fixed":
        return partial(read_fixed, schema["size"])
    return read_bytes
