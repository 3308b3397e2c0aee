"""Write elements that are columns as Avro messages, without a header."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from pystream.engine.formats.avro_encoder import encoder_of
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_types import avro_node
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import without_optional
from typeinfo.basic import BOOLEAN, DOUBLE, FLOAT, STRING
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow as pa

    from pystream.engine.vectorised.columns import Column, ColumnValues

__all__ = ["AvroColumnWriter", "avro_column_writer"]

Write: TypeAlias = "Callable[[pa.Array], Sequence[pa.Array]]"
"""Encodes values that are not null, in parts that follow each other."""

_SEVEN_BITS, _GOES_ON = 0x7F, 0x80
_LONGEST = 10  # bytes of an integer


class AvroColumnWriter:
    """Write rows as `AvroCodec` does.

    Args:
        schema: the schema of the records, as JSON.
    """

    def __init__(self, schema: str) -> None:
        self._schema = schema
        self._fields = [
            (field["name"], field["type"], _one_by_one(field["type"]))
            for field in record_schema(schema).expanded["fields"]
        ]

    def __reduce__(self) -> Any:
        return avro_column_writer, (self._schema,)

    def messages(self, values: ColumnValues) -> pa.Array | None:
        """Return the messages as bytes, ``None`` if the elements are to be written one by one."""
        import pyarrow as pa
        import pyarrow.compute as pc

        t = values.layout.type
        names = [name for name, _, _ in self._fields]
        if not isinstance(t, RowTypeInfo) or t.get_field_names() != names or not values.are_columns:
            return None
        parts: list[pa.Array] = []
        try:
            for (_, schema, encode), field_type, column in zip(
                self._fields, t.field_types, values.columns, strict=True
            ):
                parts += _encoded(schema, encode, without_optional(field_type, nullable=True)[0], column)
        except (FieldError, TypeCheckError, OverflowError, pa.ArrowException):
            return None
        return pc.binary_join_element_wise(*parts, pa.scalar(b""))

    def lines(self, values: ColumnValues) -> pa.Array | None:
        """Return ``None``: messages in binary are no lines."""
        return None


@lru_cache(maxsize=64)
def avro_column_writer(schema: str) -> AvroColumnWriter | None:
    """Return the writer of records, ``None`` if they have no fields.

    Args:
        schema: the schema of the records, as JSON.
    """
    return AvroColumnWriter(schema) if record_schema(schema).expanded["fields"] else None


def _one_by_one(schema: Any) -> Callable[[Sequence[Any]], pa.Array]:
    """Return the function that encodes the values of a field."""
    from typeinfo.serde.registry import codec_for

    node = avro_node(schema)
    return partial(_each_encoded, codec_for(node.type, nullable=True), node.write, encoder_of(schema))


def _each_encoded(codec: Any, convert: Any, encode: Any, values: Sequence[Any]) -> pa.Array:
    import pyarrow as pa

    encoded = []
    for value in codec.conform(list(values)):
        out = bytearray()
        encode(convert(value), out)
        encoded.append(bytes(out))
    return pa.array(encoded, pa.binary())


def _encoded(
    schema: Any, one_by_one: Callable[[Sequence[Any]], pa.Array], t: TypeInformation[Any], column: Column
) -> Sequence[pa.Array]:
    """Return the encodings of a field, in parts that follow each other.

    Raises:
        FieldError: a value does not fit the schema.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    branches = schema if isinstance(schema, list) else [schema]
    present = [branch for branch in branches if branch != "null"]
    write = _write(present[0], t) if len(present) == 1 else None
    array = column.array if write is not None else None
    if write is None or array is None or (array.null_count and "null" not in branches):
        return [one_by_one(column.values)]
    if not isinstance(schema, list):
        return write(array)
    position = bytes([branches.index(present[0]) * 2])
    if not array.null_count:
        return [pa.array([position] * len(array), pa.binary()), *write(array)]
    null, is_valid = bytes([branches.index("null") * 2]), array.is_valid().to_numpy(zero_copy_only=False)
    places = pa.array(np.cumsum(is_valid) - 1, mask=~is_valid)
    parts = [pc.fill_null(part.take(places), b"") for part in write(array.drop_null())]
    return [pc.if_else(pa.array(is_valid), pa.scalar(position), pa.scalar(null)), *parts]


def _write(schema: Any, t: TypeInformation[Any]) -> Write | None:
    """Return the function that encodes the values of a type; ``None`` if they are encoded one by one."""
    kind = schema["type"] if isinstance(schema, dict) else schema
    logical = schema.get("logicalType") if isinstance(schema, dict) else None
    value_class = t.value_class if isinstance(t, ScalarTypeInfo) else None
    match kind, logical:
        case "int" | "long", None if value_class is int:
            return partial(_longs, kind)
        case "int", "date" if value_class is datetime.date:
            return partial(_longs, kind)
        case "long", "timestamp-millis" | "local-timestamp-millis" if value_class is datetime.datetime:
            return partial(_timestamps, 1000)
        case "long", "timestamp-micros" | "local-timestamp-micros" if value_class is datetime.datetime:
            return partial(_timestamps, 1)
        case "double", None if t == DOUBLE:
            return partial(_numbers, "<f8")
        case "float", None if t == FLOAT:
            return partial(_numbers, "<f4")
        case "boolean", None if t == BOOLEAN:
            return partial(_numbers, "u1")
        case "string", None if t == STRING:
            return _texts
    return None


def _longs(kind: str, array: pa.Array) -> Sequence[pa.Array]:
    import pyarrow as pa

    if pa.types.is_date32(array.type) or kind == "int":
        array = array.cast(pa.int32())
    return [_variable(array.cast(pa.int64()).to_numpy(zero_copy_only=False))]


def _timestamps(unit: int, array: pa.Array) -> Sequence[pa.Array]:
    import pyarrow as pa

    micros = array.cast(pa.int64()).to_numpy(zero_copy_only=False)
    if (micros % unit).any():
        raise FieldError("a time is finer than the millisecond of the Avro schema")
    return [_variable(micros // unit)]


def _variable(numbers: npt.NDArray[Any]) -> pa.Array:
    """Return integers of 64 bits, zigzag encoded with a variable length."""
    import numpy as np

    bits = ((numbers << 1) ^ (numbers >> 63)).view(np.uint64)
    lengths = np.ones(len(bits), np.int64)
    for more in range(1, _LONGEST):
        reaches = bits >> np.uint64(7 * more) != 0
        if not reaches.any():
            break
        lengths += reaches
    longest = int(lengths.max(initial=1))
    places = np.arange(longest)
    each = (bits[:, None] >> (places * 7).astype(np.uint64)).astype(np.uint8) & np.uint8(_SEVEN_BITS)
    each |= (places < lengths[:, None] - 1) * np.uint8(_GOES_ON)
    return _of_bytes(each[places < lengths[:, None]], lengths)


def _numbers(dtype: str, array: pa.Array) -> Sequence[pa.Array]:
    import numpy as np

    numbers = array.to_numpy(zero_copy_only=False).astype(dtype)
    return [_of_bytes(numbers.view(np.uint8), np.full(len(array), numbers.itemsize))]


def _texts(array: pa.Array) -> Sequence[pa.Array]:
    import pyarrow as pa
    import pyarrow.compute as pc

    data = array.cast(pa.binary())
    return [_variable(pc.binary_length(data).cast(pa.int64()).to_numpy(zero_copy_only=False)), data]


def _of_bytes(data: npt.NDArray[Any], lengths: npt.NDArray[Any]) -> pa.Array:
    """Return consecutive bytes in parts of the given lengths."""
    import numpy as np
    import pyarrow as pa

    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.Array.from_buffers(pa.binary(), len(lengths), buffers)
