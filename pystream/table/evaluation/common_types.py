"""The types that values of different types have in common, and conversions to them."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_float
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.kinds import EXACT, NUMBERS, Kind, digits_of
from pystream.table.evaluation.values import Value, strict

__all__ = ["as_double", "common_type", "widened"]

_MAX_DIGITS = 38


def common_type(values: Sequence[Value]) -> DataType | None:
    """Return the type to which all of some values can be converted without loss, ``None`` if there is none."""
    known = [value for value in values if value.kind != Kind.NULL]
    if not known:
        return None
    kinds = {value.kind for value in known}
    first = known[0].data_type.nullable()
    if all(value.data_type.nullable() == first for value in known):
        return first
    if kinds == {Kind.TEXT}:
        return DataTypes.STRING()
    if kinds == {Kind.BYTES}:
        return DataTypes.BYTES()
    if kinds <= set(EXACT):
        return _common_number(known)
    if kinds <= set(NUMBERS) and Kind.DOUBLE in kinds:
        return DataTypes.DOUBLE()
    return None


def _common_number(values: Sequence[Value]) -> DataType | None:
    if all(value.kind.is_integer for value in values):
        return max(values, key=lambda value: digits_of(value.data_type)).data_type.nullable()
    digits = [digits_of(value.data_type) for value in values]
    scale = max(scale for _, scale in digits)
    precision = max(precision - scale for precision, scale in digits) + scale
    return DataTypes.DECIMAL(precision, scale) if precision <= _MAX_DIGITS else None


def widened(value: Value, data_type: DataType) -> Value:
    """Return values as those of a common type."""
    match value.kind, _kind(data_type):
        case Kind.NULL, _:
            return replace(value, data_type=data_type)
        case _, Kind.DOUBLE if value.kind not in (Kind.DOUBLE, Kind.FLOAT):
            return as_double(value)
        case _, Kind.DECIMAL:
            _, scale = digits_of(data_type)
            return strict(partial(_in_scale, Decimal(1).scaleb(-scale)), data_type, value)
    return replace(value, data_type=_with_nulls_of(value, data_type))


def _kind(data_type: DataType) -> Kind:
    return Value(_no_value, data_type).kind


def _no_value(row: Sequence[Any]) -> Any:
    return None


def _with_nulls_of(value: Value, data_type: DataType) -> DataType:
    return data_type.nullable() if value.data_type.is_nullable else data_type.not_null()


def _in_scale(step: Decimal, number: int | Decimal) -> Decimal:
    return Decimal(number).quantize(step)


def as_double(value: Value) -> Value:
    """Return numbers as 64-bit floats."""
    is_float = value.kind in (Kind.DOUBLE, Kind.FLOAT)
    if is_float:
        return replace(value, data_type=_with_nulls_of(value, DataTypes.DOUBLE()))
    return strict(float, DataTypes.DOUBLE(), value)
