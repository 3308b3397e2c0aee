"""The types of decimals in tables, which have a fixed number of digits, and in streams, which have any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typeinfo.basic import BIG_DEC, BIG_INT
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo, RoundedDecimalTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation

__all__ = ["as_read", "in_streams", "in_tables", "rounded"]

_IN_TABLES: dict[TypeInformation[Any], BigDecimalTypeInfo] = {
    BIG_DEC: BigDecimalTypeInfo(38, 18),
    BIG_INT: BigDecimalTypeInfo(38, 0),
}


def in_tables(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type that the values of a type have in tables.

    BIG_DEC is ``DECIMAL(38, 18)`` there, and BIG_INT ``DECIMAL(38, 0)``. Records keep their classes, and so
    the types of their fields.
    """
    return _replaced(t, lambda part: _IN_TABLES.get(part, part))


def rounded(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type of columns of a table to which values with decimals of any digits are rounded."""

    def with_digits(part: TypeInformation[Any]) -> TypeInformation[Any]:
        column = _IN_TABLES[BIG_DEC] if part == BIG_DEC else part
        if isinstance(column, BigDecimalTypeInfo):
            return RoundedDecimalTypeInfo(column.precision, column.scale)
        return part

    return _replaced(t, with_digits)


def in_streams(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type that the values of a type have in streams: decimals are BIG_DEC there."""
    return _replaced(t, lambda part: BIG_DEC if isinstance(part, BigDecimalTypeInfo) else part)


def as_read(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type by which columns of files and data frames are read.

    Decimals are BIG_DEC, unless it has fewer digits after the point.
    """
    digits = _IN_TABLES[BIG_DEC].scale
    return _replaced(
        t, lambda part: BIG_DEC if isinstance(part, BigDecimalTypeInfo) and part.scale <= digits else part
    )


def _replaced(
    t: TypeInformation[Any], replace: Callable[[TypeInformation[Any]], TypeInformation[Any]]
) -> TypeInformation[Any]:
    def replaced(part: TypeInformation[Any]) -> TypeInformation[Any]:
        return _replaced(part, replace)

    match t:
        case OptionalTypeInfo():
            return OptionalTypeInfo(replaced(t.value_type))
        case PrimitiveArrayTypeInfo():
            return t
        case ArrayTypeInfo():
            return type(t)(replaced(t.element_type))  # type: ignore[call-arg]
        case MapTypeInfo():
            return MapTypeInfo(replaced(t.key_type), replaced(t.value_type))
        case RowTypeInfo():
            return RowTypeInfo(map(replaced, t.field_types), t.field_names)
        case TupleTypeInfo():
            return TupleTypeInfo(map(replaced, t.field_types))
    return replace(t)
