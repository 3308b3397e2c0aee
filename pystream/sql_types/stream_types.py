"""The SQL data type of the values of a stream's type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pystream.errors import ArgumentTypeError
from pystream.sql_types.data_type import made_of
from pystream.sql_types.data_types import (
    ArrayType,
    AtomicType,
    DataType,
    DataTypes,
    DecimalType,
    MapType,
    RowField,
    RowType,
)
from pystream.sql_types.decimals import in_tables
from typeinfo.arguments import checks_arguments
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import Slot, TypeInformation
from typeinfo.types import Types

__all__ = ["RawType", "data_type_of", "raw_parts"]

_ATOMIC: dict[TypeInformation[Any], AtomicType] = {
    Types.VOID: DataTypes.NULL(),
    Types.BOOLEAN: DataTypes.BOOLEAN(),
    Types.BYTE: DataTypes.TINYINT(),
    Types.SHORT: DataTypes.SMALLINT(),
    Types.INT: DataTypes.INT(),
    Types.LONG: DataTypes.BIGINT(),
    Types.FLOAT: DataTypes.FLOAT(),
    Types.DOUBLE: DataTypes.DOUBLE(),
    Types.STRING: DataTypes.STRING(),
    Types.CHAR: DataTypes.CHAR(1),
    Types.SQL_DATE: DataTypes.DATE(),
    Types.LOCAL_DATE: DataTypes.DATE(),
    Types.SQL_TIME: DataTypes.TIME(6),
    Types.LOCAL_TIME: DataTypes.TIME(6),
    Types.SQL_TIMESTAMP: DataTypes.TIMESTAMP(6),
    Types.LOCAL_DATE_TIME: DataTypes.TIMESTAMP(6),
    Types.INSTANT: DataTypes.TIMESTAMP_LTZ(6),
    Types.PRIMITIVE_ARRAY(Types.BYTE): DataTypes.BYTES(),
}


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class RawType(DataType):
    """The data type of values that SQL has no type for, such as an enum.

    Mirrors ``org.apache.flink.table.types.logical.RawType``.
    """

    value_type: TypeInformation[Any]

    def __init__(self, value_type: TypeInformation[Any], nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable, value_type=value_type)

    @property
    def type_info(self) -> TypeInformation[Any]:
        return self.value_type

    def _text(self) -> str:
        return f"RAW('{self.value_type}')"

    def _parameters(self) -> tuple[object, ...]:
        return (self.value_type,)


def data_type_of(t: TypeInformation[Any], *, is_nullable: bool = False) -> DataType:
    """Return the data type of a column of values of a type.

    Args:
        t: the type of the values.
        is_nullable: whether the column may hold nulls even if ``t`` does not admit them.
    """
    if isinstance(t, OptionalTypeInfo):
        return data_type_of(t.value_type, is_nullable=True)
    null = is_nullable or t.admits_none()
    if t in _ATOMIC:
        atomic = _ATOMIC[t].in_stream(t)
        return atomic if null else atomic.not_null()
    match t:
        case LiteralTypeInfo():
            return data_type_of(t.value_type, is_nullable=null)
        case ArrayTypeInfo() if not (isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes):
            return ArrayType(_of_slot(t.slots()[0]), null)
        case MapTypeInfo():
            key, value = t.slots()
            return MapType(_of_slot(key), _of_slot(value), null)
        case FieldsTypeInfo():
            slots = zip(t.get_field_names(), t.slots(), strict=True)
            return RowType([RowField(name, _of_slot(slot)) for name, slot in slots], null)
    match in_tables(t):
        case BigDecimalTypeInfo(precision=precision, scale=scale):
            return DecimalType(precision, scale, null)
    return RawType(t, null)


def _of_slot(slot: Slot) -> DataType:
    return data_type_of(slot.type, is_nullable=slot.nullable)


def raw_parts(data_type: DataType) -> Iterator[RawType]:
    """Yield the data types without counterpart in SQL that a data type is, or contains."""
    parts: tuple[DataType, ...] = ()
    match data_type:
        case RawType():
            yield data_type
        case ArrayType():
            parts = (data_type.element_type,)
        case MapType():
            parts = (data_type.key_type, data_type.value_type)
        case RowType():
            parts = tuple(field.data_type for field in data_type.fields)
    for part in parts:
        yield from raw_parts(part)
