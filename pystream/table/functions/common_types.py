"""The types that types of values have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowType
from pystream.table.functions.kinds import (
    EXACT,
    INTEGERS,
    NUMBERS,
    Kind,
    digits_of,
    fraction_digits,
    kind_of,
    length_of,
)

__all__ = ["common_argument_type", "common_type", "compared_types", "equated_types"]

Lengths: TypeAlias = tuple[Callable[[], DataType], Callable[[int], DataType]]
"""How types of texts or bytes are made, without a length and with one."""

_MAX_DIGITS = 38
_FRACTIONS = (Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ)
_ORDERED = (Kind.BOOLEAN, Kind.TEXT, Kind.BYTES, Kind.DATE, *_FRACTIONS, *NUMBERS)
_FROM_TEXT = (Kind.DATE, Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ)
"""The kinds that text is converted to, to be compared with them."""

_UNLIMITED: Mapping[Kind | None, Lengths] = {
    Kind.TEXT: (DataTypes.STRING, DataTypes.VARCHAR),
    Kind.BYTES: (DataTypes.BYTES, DataTypes.VARBINARY),
}


Mixed: TypeAlias = Callable[[DataType, DataType], DataType | None]
"""Returns the type that two have in common, of those for which Flink has two rules."""


def common_type(types: Sequence[DataType]) -> DataType | None:
    """Return the type, nullable, that columns of UNION, results of CASE and elements of arrays become.

    As in Flink, the first one of FLOAT and DOUBLE counts; so does the first one of TIMESTAMP and
    TIMESTAMP_LTZ of the same precision, otherwise the second. Decimals lose digits after the point that they
    have no room for. Numbers do not become times.

    Returns:
        The type; ``None`` if there is none, or only NULL.
    """
    return _folded(types, _of_branches)


def common_argument_type(types: Sequence[DataType]) -> DataType | None:
    """Return the type, nullable, that arguments of a function become, such as those of COALESCE.

    It is that of `common_type` but for these: a FLOAT becomes a DOUBLE beside one, and a DECIMAL before a
    FLOAT becomes a FLOAT; a TIMESTAMP becomes a TIMESTAMP_LTZ, or a DATE or TIME beside one.

    Returns:
        The type; ``None`` if there is none, or only NULL.
    """
    return _folded(types, _of_arguments)


def _folded(types: Sequence[DataType], mixed: Mixed) -> DataType | None:
    known = [one.nullable() for one in types if kind_of(one) != Kind.NULL]
    common = known[0] if known else None
    for one in known[1:]:
        if common is not None:
            common = _common(mixed, common, one)
    return common


def _of_branches(one: DataType, other: DataType) -> DataType | None:
    kinds = {kind_of(one), kind_of(other)}
    if kinds <= set(NUMBERS):
        return DataTypes.DOUBLE() if Kind.DECIMAL in kinds else _approximate(one, other)
    if kinds == {Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ}:
        digits = max(fraction_digits(one), fraction_digits(other))
        counts = one if fraction_digits(one) == fraction_digits(other) else other
        return _INSTANTS[kind_of(counts)](digits)
    return None


def _of_arguments(one: DataType, other: DataType) -> DataType | None:
    kinds = {kind_of(one), kind_of(other)}
    if kinds <= set(NUMBERS):
        if kind_of(one) in (*INTEGERS, Kind.DECIMAL):
            return other
        return one if kind_of(other) in INTEGERS else DataTypes.DOUBLE()
    if kinds == {Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ}:
        return DataTypes.TIMESTAMP_LTZ(max(fraction_digits(one), fraction_digits(other)))
    if Kind.TIMESTAMP in kinds and kinds & {Kind.DATE, Kind.TIME}:
        return other if kind_of(one) == Kind.TIMESTAMP else one
    return None


_INSTANTS: Mapping[Kind | None, Callable[[int], DataType]] = {
    Kind.TIMESTAMP: DataTypes.TIMESTAMP,
    Kind.TIMESTAMP_LTZ: DataTypes.TIMESTAMP_LTZ,
}


def equated_types(one: DataType, other: DataType) -> tuple[DataType, DataType] | None:
    """Return the types in which = compares values of two types, ``None`` if it does not."""
    if isinstance(one, ArrayType | MapType):
        common = common_argument_type([one, other])
        return None if common is None else (common, common)
    return compared_types(one, other)


def compared_types(one: DataType, other: DataType) -> tuple[DataType, DataType] | None:
    """Return the types in which values of two types are compared by order, ``None`` if they are not."""
    kinds = {kind_of(one), kind_of(other)}
    if Kind.NULL in kinds or kinds <= set(EXACT) or (len(kinds) == 1 and kinds <= set(_ORDERED)):
        return one, other
    if kinds <= set(NUMBERS):
        common = DataTypes.FLOAT() if kinds <= {*INTEGERS, Kind.FLOAT} else DataTypes.DOUBLE()
        return common, common
    if kinds == {Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ}:
        instant = DataTypes.TIMESTAMP_LTZ(max(fraction_digits(one), fraction_digits(other)))
        return instant, instant
    if Kind.TEXT in kinds and kinds <= {Kind.TEXT, *_FROM_TEXT}:
        moment = other if kind_of(one) == Kind.TEXT else one
        return moment, moment
    return None


def _common(mixed: Mixed, one: DataType, other: DataType) -> DataType | None:
    """Return the type that two nullable ones have in common."""
    if one == other:
        return one
    match one, other:
        case ArrayType(), ArrayType():
            element = _common_part(mixed, one.element_type, other.element_type)
            return None if element is None else DataTypes.ARRAY(element)
        case MapType(), MapType():
            key = _common_part(mixed, one.key_type, other.key_type)
            value = _common_part(mixed, one.value_type, other.value_type)
            return None if key is None or value is None else DataTypes.MAP(key, value)
        case RowType(), RowType() if len(one.fields) == len(other.fields):
            return _common_row(mixed, one, other)
    kinds = {kind_of(one), kind_of(other)}
    if kinds <= set(INTEGERS):
        return max(one, other, key=digits_of)
    if kinds <= set(EXACT):
        return _common_decimal(one, other)
    if len(kinds) > 1:
        return mixed(one, other)
    (kind,) = kinds
    if kind in _FRACTIONS:
        return max(one, other, key=fraction_digits)
    return _longer(_UNLIMITED[kind], one, other) if kind in _UNLIMITED else None


def _common_part(mixed: Mixed, one: DataType, other: DataType) -> DataType | None:
    """Return the type that two elements, entries or fields have in common; nullable if one is."""
    common = _folded([one, other], mixed)
    return common if common is None or one.is_nullable or other.is_nullable else common.not_null()


def _common_row(mixed: Mixed, one: RowType, other: RowType) -> DataType | None:
    fields = []
    for field, counterpart in zip(one.fields, other.fields, strict=True):
        data_type = _common_part(mixed, field.data_type, counterpart.data_type)
        if data_type is None:
            return None
        fields.append(replace(field, data_type=data_type))
    return DataTypes.ROW(fields)


def _common_decimal(one: DataType, other: DataType) -> DataType:
    """Return the decimal with the most digits on both sides of the point, as far as there is room."""
    digits = [digits_of(one), digits_of(other)]
    before = max(precision - scale for precision, scale in digits)
    after = min(max(scale for _, scale in digits), _MAX_DIGITS - before)
    return DataTypes.DECIMAL(before + after, after)


def _approximate(one: DataType, other: DataType) -> DataType:
    """Return the first type of two that is one of floats."""
    return other if kind_of(one) in INTEGERS else one


def _longer(made: Lengths, one: DataType, other: DataType) -> DataType:
    """Return the type of texts or bytes of the greater length."""
    unlimited, limited = made
    length, other_length = length_of(one)[0], length_of(other)[0]
    return unlimited() if length is None or other_length is None else limited(max(length, other_length))
