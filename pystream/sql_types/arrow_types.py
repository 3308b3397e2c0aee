"""The types of Arrow for data types of SQL, as PyFlink converts them for pandas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pystream.errors import ArgumentTypeError
from pystream.sql_types.atomic_types import (
    BigIntType,
    BinaryType,
    BooleanType,
    CharType,
    DateType,
    DoubleType,
    FloatType,
    IntType,
    LocalZonedTimestampType,
    NullType,
    SmallIntType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarBinaryType,
    VarCharType,
)
from pystream.sql_types.data_types import (
    ArrayType,
    DataType,
    DataTypes,
    DecimalType,
    MapType,
    RowField,
    RowType,
)
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError, short_repr

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["create_arrow_schema", "from_arrow_type", "to_arrow_type"]

_UNITS = ("s", "ms", "ms", "ms", "us", "us", "us", "ns", "ns", "ns")
"""The units of times by their digits of seconds."""

_DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}

_ALIASES: Mapping[type[DataType], str] = MappingProxyType(
    {
        NullType: "null",
        BooleanType: "bool",
        TinyIntType: "int8",
        SmallIntType: "int16",
        IntType: "int32",
        BigIntType: "int64",
        FloatType: "float",
        DoubleType: "double",
        CharType: "string",
        VarCharType: "string",
        VarBinaryType: "binary",
        DateType: "date32",
    }
)
"""The names of the types of Arrow without parameters."""


@checks_arguments(ArgumentTypeError)
def create_arrow_schema(field_names: Sequence[str], field_types: Sequence[DataType]) -> pa.Schema:
    """Return the schema of Arrow for columns.

    Raises:
        UnsupportedTypeError: Arrow has no type for that of a column.
    """
    import pyarrow as pa

    columns = zip(field_names, field_types, strict=True)
    return pa.schema([pa.field(name, to_arrow_type(t), t.is_nullable) for name, t in columns])


@checks_arguments(ArgumentTypeError)
def to_arrow_type(data_type: DataType) -> pa.DataType:
    """Return the type of Arrow for a data type.

    Raises:
        UnsupportedTypeError: there is none.
    """
    import pyarrow as pa

    match data_type:
        case DecimalType(precision=precision, scale=scale):
            return pa.decimal128(precision, scale)
        case BinaryType(length=length):
            return pa.binary(length)
        case TimeType(precision=precision):
            return pa.type_for_alias(f"time{32 if precision <= 3 else 64}[{_UNITS[precision]}]")
        case TimestampType(precision=precision) | LocalZonedTimestampType(precision=precision):
            return pa.type_for_alias(f"timestamp[{_UNITS[precision]}]")
        case ArrayType(element_type):
            return pa.list_(to_arrow_type(element_type))
        case MapType(key_type, value_type):
            return pa.map_(to_arrow_type(key_type), to_arrow_type(value_type))
        case RowType(fields=fields):
            types = [(field, to_arrow_type(field.data_type)) for field in fields]
            return pa.struct([pa.field(field.name, t, field.data_type.is_nullable) for field, t in types])
    if type(data_type) not in _ALIASES:
        raise UnsupportedTypeError(f"Arrow has no type for {data_type}")
    return pa.type_for_alias(_ALIASES[type(data_type)])


@checks_arguments(ArgumentTypeError)
def from_arrow_type(arrow_type: pa.DataType, nullable: bool = True) -> DataType:
    """Return the data type of a type of Arrow.

    Args:
        arrow_type: the type.
        nullable: whether there may be nulls.

    Raises:
        UnsupportedTypeError: there is none.
    """
    import pyarrow as pa
    from pyarrow import types

    if not isinstance(arrow_type, pa.DataType):
        raise ArgumentTypeError(
            f"from_arrow_type takes a type of Arrow such as pa.int32(), not {short_repr(arrow_type)}"
        )
    for holds, made in _READ:
        if getattr(types, holds)(arrow_type):
            data_type = made(arrow_type)
            return data_type if nullable else data_type.not_null()
    raise UnsupportedTypeError(f"there is no data type for {arrow_type} of Arrow")


def _read_row(arrow_type: pa.StructType) -> RowType:
    return RowType(
        [RowField(field.name, from_arrow_type(field.type, field.nullable)) for field in arrow_type]
    )


_READ: Sequence[tuple[str, Callable[[Any], DataType]]] = (
    ("is_null", lambda _: DataTypes.NULL()),
    ("is_boolean", lambda _: DataTypes.BOOLEAN()),
    ("is_int8", lambda _: DataTypes.TINYINT()),
    ("is_int16", lambda _: DataTypes.SMALLINT()),
    ("is_int32", lambda _: DataTypes.INT()),
    ("is_int64", lambda _: DataTypes.BIGINT()),
    ("is_float32", lambda _: DataTypes.FLOAT()),
    ("is_float64", lambda _: DataTypes.DOUBLE()),
    ("is_decimal", lambda t: DataTypes.DECIMAL(t.precision, t.scale)),
    ("is_string", lambda _: DataTypes.STRING()),
    ("is_large_string", lambda _: DataTypes.STRING()),
    ("is_fixed_size_binary", lambda t: DataTypes.BINARY(t.byte_width)),
    ("is_binary", lambda _: DataTypes.BYTES()),
    ("is_date32", lambda _: DataTypes.DATE()),
    ("is_time", lambda t: DataTypes.TIME(_DIGITS[t.unit])),
    ("is_timestamp", lambda t: DataTypes.TIMESTAMP(_DIGITS[t.unit])),
    ("is_map", lambda t: DataTypes.MAP(from_arrow_type(t.key_type), from_arrow_type(t.item_type))),
    ("is_list", lambda t: DataTypes.ARRAY(from_arrow_type(t.value_type))),
    ("is_struct", _read_row),
)
"""The predicates of PyArrow, with what makes the data type."""
