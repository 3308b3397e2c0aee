"""Read the parts of Avro records as columns, by their schema and the type of their values."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pystream.engine.formats.avro_schema import Definitions
from pystream.engine.formats.fields import without_optional
from typeinfo.basic import BIG_DEC, BOOLEAN, DOUBLE, FLOAT, STRING
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.formats.avro_cursor import AvroCursor, Longs

__all__ = ["AvroPart", "PartCompiler"]

Read: TypeAlias = "Callable[[AvroCursor], pa.Array]"

_MILLI, _MICRO = 1000, 1  # in microseconds
_UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_FEWEST = 16  # elements that are read at once on average, where arrays and maps are read at once
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
        return part._replace(read=partial(_read_union, part.read, len(writer), null))

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
            return _of_type(t, partial(_read_times, unit)) if is_such else None
        match kind, t:
            case "record", RowTypeInfo():
                return self._record(writer, reader, t)
            case "array", ArrayTypeInfo():
                return self._array(writer, reader, t)
            case "map", MapTypeInfo():
                return self._map(writer, reader, t)
            case "enum", _ if t == STRING and writer["symbols"] == reader["symbols"]:
                return AvroPart(partial(_read_symbols, writer["symbols"]))
        return _scalar(writer, reader, t)

    def _record(self, writer: dict[str, Any], reader: dict[str, Any], t: RowTypeInfo[Any]) -> AvroPart | None:
        fields = self.fields(writer, reader, t)
        if not fields or any(part.convert for part in fields):
            return None
        return _of_type(t, partial(_read_record, [part.read for part in fields]))

    def _array(
        self, writer: dict[str, Any], reader: dict[str, Any], t: ArrayTypeInfo[Any, Any]
    ) -> AvroPart | None:
        (slot,) = t.slots()
        item = self.part(writer["items"], reader["items"], without_optional(slot.type, nullable=True)[0])
        if item is None or item.convert is not None:
            return None
        return _of_type(t, partial(_read_lists, [item.read]))

    def _map(
        self, writer: dict[str, Any], reader: dict[str, Any], t: MapTypeInfo[Any, Any]
    ) -> AvroPart | None:
        value_type = without_optional(t.value_type, nullable=True)[0]
        value = self.part(writer["values"], reader["values"], value_type)
        if value is None or value.convert is not None or t.key_type != STRING:
            return None
        return _of_type(t, partial(_read_lists, [_read_texts, value.read]))


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
        case "bytes" | "fixed", "decimal" if t == BIG_DEC and _decimal(writer) == _decimal(reader):
            return AvroPart(_bytes_reader(writer), partial(_decimal_of, kind, writer))
        case "int", "date" if isinstance(t, ScalarTypeInfo) and t.value_class is datetime.date:
            return _of_type(t, _read_dates)
        case "string", "uuid" if t == STRING:
            return AvroPart(_read_uuids)
        case "boolean", None if t == BOOLEAN:
            return AvroPart(_read_booleans)
        case "int" | "long", None if is_whole:
            return _of_type(t, _read_longs)
        case "float", None if t in (FLOAT, DOUBLE):
            return _of_type(t, partial(_read_numbers, "<f4"))
        case "double", None if t == DOUBLE:
            return AvroPart(partial(_read_numbers, "<f8"))
        case "string", None if t == STRING:
            return AvroPart(_read_texts)
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
        return partial(_read_fixed, schema["size"])
    return _read_bytes


def _read_fixed(size: int, cursor: AvroCursor) -> pa.Array:
    return cursor.parts(size)


def _read_bytes(cursor: AvroCursor) -> pa.Array:
    return cursor.parts(cursor.longs())


def _read_texts(cursor: AvroCursor) -> pa.Array:
    import pyarrow as pa

    return _read_bytes(cursor).cast(pa.string())


def _read_uuids(cursor: AvroCursor) -> pa.Array:
    import pyarrow.compute as pc

    texts = _read_texts(cursor)
    _require(pc.all(pc.match_substring_regex(texts, _UUID)).as_py() is not False)
    return texts


def _read_symbols(symbols: list[str], cursor: AvroCursor) -> pa.Array:
    import pyarrow as pa

    return pa.array(symbols, pa.string()).take(pa.array(cursor.longs()))


def _read_booleans(cursor: AvroCursor) -> pa.Array:
    import pyarrow as pa

    values = cursor.numbers("u1")
    _require(not (values > 1).any())
    return pa.array(values == 1)


def _read_longs(arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    import pyarrow as pa

    return pa.array(cursor.longs()).cast(arrow)


def _read_numbers(dtype: str, *arguments: Any) -> pa.Array:
    import pyarrow as pa

    *arrow, cursor = arguments
    array = pa.array(cursor.numbers(dtype))
    return array.cast(*arrow) if arrow else array


def _read_dates(arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    import pyarrow as pa

    return pa.array(cursor.longs()).cast(pa.int32()).cast(arrow)


def _read_times(unit: int, arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    import numpy as np
    import pyarrow as pa

    units = cursor.longs()
    limit = np.iinfo(np.int64).max // unit
    _require(not ((units > limit) | (units < -limit)).any())
    return pa.array(units * unit).cast(arrow)


def _read_record(reads: Sequence[Read], arrow: Any, cursor: AvroCursor) -> pa.Array:
    import pyarrow as pa

    return pa.StructArray.from_arrays([read(cursor) for read in reads], fields=list(arrow))


def _read_union(read: Read, count: int, null: int | None, cursor: AvroCursor) -> pa.Array:
    """Read values after the position of their branch, null for that of null."""
    import numpy as np
    import pyarrow as pa

    branches = cursor.longs()
    _require(not ((branches < 0) | (branches >= count)).any())
    present = np.flatnonzero(branches != (-1 if null is None else null)).astype(np.int64)
    if len(present) == len(branches):
        return read(cursor)
    chosen = cursor.taken(present)
    values = read(chosen)
    cursor.put(present, chosen)
    positions = np.zeros(len(branches), np.int64)
    positions[present] = np.arange(len(present))
    return values.take(pa.array(positions, mask=branches == null))


def _read_lists(reads: Sequence[Read], arrow: Any, cursor: AvroCursor) -> pa.Array:
    """Read arrays, or maps by the readers of their keys and values.

    They come in blocks, each after the number of its elements; the last one is empty. What is read at once
    is the next element of every message that has one.
    """
    import numpy as np
    import pyarrow as pa

    rounds: list[tuple[Longs, list[pa.Array]]] = []
    every = np.arange(len(cursor))
    open_ones, left = every, np.zeros(len(cursor), np.int64)
    while len(open_ones):
        starting = open_ones[left[open_ones] == 0]
        left[starting] = _block_lengths(cursor, starting)
        open_ones = open_ones[left[open_ones] > 0]
        _require(len(open_ones) == 0 or len(rounds) < _FEWEST or _elements(rounds) >= len(rounds) * _FEWEST)
        if len(open_ones):
            inner = cursor.taken(open_ones)
            rounds.append((open_ones, [read(inner) for read in reads]))
            cursor.put(open_ones, inner)
            left[open_ones] -= 1
    owners = np.concatenate([each for each, _ in rounds]) if rounds else every[:0]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=len(every)))))
    if not rounds:
        return pa.array([[]] * len(every), arrow)
    order = pa.array(np.argsort(owners, kind="stable"))
    parts = [pa.concat_arrays(list(each)).take(order) for each in zip(*(p for _, p in rounds), strict=True)]
    if pa.types.is_map(arrow):
        return pa.MapArray.from_arrays(pa.array(offsets, pa.int32()), *parts).cast(arrow)
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), *parts).cast(arrow)


def _elements(rounds: Sequence[tuple[Longs, Any]]) -> int:
    return sum(len(owners) for owners, _ in rounds)


def _block_lengths(cursor: AvroCursor, positions: Longs) -> Longs:
    """Read the numbers of elements of the next blocks; the size in bytes follows a negative one."""
    import numpy as np

    inner = cursor.taken(positions)
    lengths = inner.longs()
    negative = np.flatnonzero(lengths < 0)
    if len(negative):
        sized = inner.taken(negative)
        sized.longs()
        inner.put(negative, sized)
    cursor.put(positions, inner)
    found = np.abs(lengths)
    _require(not (found < 0).any())  # the least integer has no opposite
    return found


def _require(holds: bool) -> None:
    """Raise the error by which messages are read one by one, unless a condition holds."""
    if not holds:
        from pystream.engine.formats.avro_cursor import UnreadError

        raise UnreadError
