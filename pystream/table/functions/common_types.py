"""The types that types of values have in common."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowType
from pystream.table.functions.kinds import (
    EXACT,
    INTEGERS,
    NUMBERS,
    Kind,
    digits_of,
    fraction_digits,
    kind_of,
)

__all__ = ["common_type"]

_MAX_DIGITS = 38


def common_type(types: Sequence[DataType]) -> DataType | None:
    """Return the type, nullable, to which values of all of some types can be converted; ``None`` if none.

    A FLOAT that meets a DECIMAL or DOUBLE becomes a DOUBLE.
    """
    known = [one.nullable() for one in types if kind_of(one) != Kind.NULL]
    if not known:
        return None
    if all(one == known[0] for one in known):
        return known[0]
    kinds = {kind_of(one) for one in known}
    if kinds == {Kind.TEXT}:
        return DataTypes.STRING()
    if kinds == {Kind.BYTES}:
        return DataTypes.BYTES()
    if kinds <= set(INTEGERS):
        return max(known, key=digits_of)
    if kinds <= set(EXACT):
        return _common_decimal(known)
    if kinds <= {*INTEGERS, Kind.FLOAT}:
        return DataTypes.FLOAT()
    if kinds <= set(NUMBERS):
        return DataTypes.DOUBLE()
    if kinds in ({Kind.TIMESTAMP}, {Kind.TIMESTAMP_LTZ}, {Kind.TIME}):
        return max(known, key=fraction_digits)
    parts_nullable = _with_nullable_parts(known[0])
    return parts_nullable if all(_with_nullable_parts(one) == parts_nullable for one in known) else None


def _common_decimal(types: Sequence[DataType]) -> DataType:
    """Return the decimal with the most digits on both sides of the point, as far as there is room."""
    digits = [digits_of(one) for one in types]
    before = max(precision - scale for precision, scale in digits)
    after = min(max(scale for _, scale in digits), _MAX_DIGITS - before)
    return DataTypes.DECIMAL(before + after, after)


def _with_nullable_parts(data_type: DataType) -> DataType:
    """Return a type whose elements, entries and fields may all be null."""
    match data_type:
        case ArrayType(element_type=element):
            return DataTypes.ARRAY(_with_nullable_parts(element))
        case MapType(key_type=key, value_type=value):
            return DataTypes.MAP(_with_nullable_parts(key), _with_nullable_parts(value))
        case RowType(fields=fields):
            return DataTypes.ROW(
                [DataTypes.FIELD(field.name, _with_nullable_parts(field.data_type)) for field in fields]
            )
    return data_type.nullable()
