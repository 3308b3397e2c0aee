"""The types that columns of different types have in common, as keys of joins and in UNION ALL."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial
from typing import Any, NamedTuple

from pystream.errors import PlanTypeError
from pystream.sql_types.data_types import (
    ArrayType,
    DataType,
    DataTypes,
    DecimalType,
    MapType,
    RowType,
)
from pystream.table.columns import TableColumn
from pystream.table.conversions import converter
from typeinfo.info import TypeInformation

__all__ = ["CommonType", "Conversion", "common_column", "common_type", "converted"]

Conversion = Callable[[Any], Any]

_DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INT": 10, "BIGINT": 19}
_INTEGERS = list(_DIGITS)
_APPROXIMATE = ("FLOAT", "DOUBLE")
_MAX_DIGITS = 38
_UNLIMITED = 2**31 - 1
_EXACT = Context(prec=2 * _MAX_DIGITS, rounding=ROUND_HALF_UP)


def common_type(one: DataType, other: DataType) -> DataType | None:
    """Return the type to which columns of two types are converted, ``None`` if Flink has none.

    CASE and COALESCE convert values of expressions by other rules. The type is nullable if one of them is. As
    in Flink, the first one of FLOAT and DOUBLE counts, and decimals lose digits after the point that they
    have no room for.
    """
    result = _common(one, other)
    if result is None:
        return None
    return result.nullable() if one.is_nullable or other.is_nullable else result.not_null()


def _common(one: DataType, other: DataType) -> DataType | None:
    if one.nullable() == other.nullable():
        return one
    match one, other:
        case ArrayType(), ArrayType():
            element = common_type(one.element_type, other.element_type)
            return None if element is None else DataTypes.ARRAY(element)
        case MapType(), MapType():
            key = common_type(one.key_type, other.key_type)
            value = common_type(one.value_type, other.value_type)
            return None if key is None or value is None else DataTypes.MAP(key, value)
        case RowType(), RowType() if len(one.fields) == len(other.fields):
            return _common_row(one, other)
    names = [_name(one), _name(other)]
    digits = [_digits(one), _digits(other)]
    if set(names) <= set(_INTEGERS):
        return max(one, other, key=lambda each: _INTEGERS.index(_name(each)))
    if None not in digits:
        return _common_decimal(*(pair for pair in digits if pair is not None))
    if set(names) <= {*_APPROXIMATE, *_INTEGERS, "DECIMAL"}:
        return _common_approximate(one, other)
    lengths = [_length(one), _length(other)]
    match sorted(names):
        case [("CHAR" | "VARCHAR"), ("CHAR" | "VARCHAR")]:
            longest = max(lengths)
            return DataTypes.STRING() if longest == _UNLIMITED else DataTypes.VARCHAR(longest)
        case [("BINARY" | "VARBINARY"), ("BINARY" | "VARBINARY")]:
            longest = max(lengths)
            return DataTypes.BYTES() if longest == _UNLIMITED else DataTypes.VARBINARY(longest)
        case ["TIMESTAMP", "TIMESTAMP"] | ["TIMESTAMP_LTZ", "TIMESTAMP_LTZ"] | ["TIME", "TIME"]:
            return max(one, other, key=_length)
    return None


def _common_row(one: RowType, other: RowType) -> RowType | None:
    fields = []
    for field, counterpart in zip(one.fields, other.fields, strict=True):
        data_type = common_type(field.data_type, counterpart.data_type)
        if data_type is None:
            return None
        fields.append(replace(field, data_type=data_type))
    return RowType(fields, one.is_nullable)


def _common_decimal(one: tuple[int, int], other: tuple[int, int]) -> DecimalType:
    whole = max(precision - scale for precision, scale in (one, other))
    scale = min(max(one[1], other[1]), _MAX_DIGITS - whole)
    return DataTypes.DECIMAL(whole + scale, scale)


def _common_approximate(one: DataType, other: DataType) -> DataType:
    if isinstance(one, DecimalType) or isinstance(other, DecimalType):
        return DataTypes.DOUBLE()
    return next(each for each in (one, other) if _name(each) in _APPROXIMATE)


def _name(data_type: DataType) -> str:
    """Return the name of a type without its parameters."""
    name = str(data_type.nullable()).partition("(")[0]
    return {"STRING": "VARCHAR", "BYTES": "VARBINARY"}.get(name, name)


def _length(data_type: DataType) -> int:
    """Return the length, or the precision, of a type."""
    found = re.search(r"\((\d+)", str(data_type))
    return int(found[1]) if found else _UNLIMITED


def _digits(data_type: DataType) -> tuple[int, int] | None:
    """Return the precision and the scale of exact numbers; ``None`` for other types."""
    if isinstance(data_type, DecimalType):
        return data_type.precision, data_type.scale
    digits = _DIGITS.get(_name(data_type))
    return None if digits is None else (digits, 0)


class CommonType(NamedTuple):
    """The type that two columns have in common.

    Attributes:
        data_type: the type in SQL.
        type_info: the type of the values in a stream.
        conversions: for each column, the function that converts its values, which are not null; ``None`` if
            they are the same values.
    """

    data_type: DataType
    type_info: TypeInformation[Any]
    conversions: tuple[Conversion | None, Conversion | None]


def common_column(one: TableColumn, other: TableColumn) -> CommonType | None:
    """Return the type that two columns have in common, ``None`` if there is none."""
    data_type = common_type(one.data_type, other.data_type)
    if data_type is None:
        return None
    if one.data_type.nullable() == other.data_type.nullable() and one.type_info == other.type_info:
        return CommonType(data_type, one.type_info, (None, None))
    try:
        conversions = _conversion(one, data_type), _conversion(other, data_type)
    except PlanTypeError:
        return None
    return CommonType(data_type, data_type.type_info, conversions)


def _conversion(column: TableColumn, target: DataType) -> Conversion | None:
    """Return the function that converts values of a column to a common type.

    Raises:
        PlanTypeError: the conversion is not supported.
    """
    source = column.data_type
    match _name(source), _name(target):
        case _ if source.nullable() == target.nullable():
            pass
        case _, "DECIMAL" if isinstance(target, DecimalType):
            return partial(_decimal_of, Decimal(1).scaleb(-target.scale))
        case _, "FLOAT":
            return _float_of
        case name, "DOUBLE" if name != "FLOAT":
            return float
    if isinstance(source, ArrayType | MapType | RowType) and "DECIMAL" in f"{source}{target}":
        raise PlanTypeError(f"{source} is not converted to {target}")
    return converter(column.type_info, target.type_info, column.name)


def converted(value: Any, convert: Conversion | None) -> Any:
    """Return a value, or null, converted to a common type."""
    return value if value is None or convert is None else convert(value)


def _decimal_of(step: Decimal, value: int | Decimal) -> Decimal:
    return Decimal(value).quantize(step, context=_EXACT)


def _float_of(value: float | Decimal) -> float:
    """Return the nearest 32-bit float."""
    number = float(value)
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
