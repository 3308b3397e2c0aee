"""The types that values of different types have in common, and conversions to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.values import Value, strict
from pystream.table.functions.kinds import (
    EXACT,
    INTEGERS,
    NUMBERS,
    Kind,
    digits_of,
    fraction_digits,
    kind_of,
)
from pystream.table.functions.values.conversions import integer_as_float
from pystream.table.functions.values.decimals import Digits, fitted

__all__ = ["as_double", "as_floating", "common_type", "retyped", "widened"]

_MAX_DIGITS = 38


def common_type(values: Sequence[Value]) -> DataType | None:
    """Return the type to which all of some values can be converted, ``None`` if there is none.

    A FLOAT that meets a DECIMAL or DOUBLE becomes a DOUBLE.
    """
    known = [value for value in values if value.kind != Kind.NULL]
    if not known:
        return None
    first = known[0].data_type.nullable()
    if all(value.data_type.nullable() == first for value in known):
        return first
    kinds = {value.kind for value in known}
    if kinds == {Kind.TEXT}:
        return DataTypes.STRING()
    if kinds == {Kind.BYTES}:
        return DataTypes.BYTES()
    if kinds <= set(INTEGERS):
        return max((value.data_type.nullable() for value in known), key=digits_of)
    if kinds <= set(EXACT):
        return _common_decimal(known)
    if kinds <= {*INTEGERS, Kind.FLOAT}:
        return DataTypes.FLOAT()
    if kinds <= set(NUMBERS):
        return DataTypes.DOUBLE()
    if kinds in ({Kind.TIMESTAMP}, {Kind.TIMESTAMP_LTZ}, {Kind.TIME}):
        return max((value.data_type.nullable() for value in known), key=fraction_digits)
    return None


def _common_decimal(values: Sequence[Value]) -> DataType | None:
    digits = [digits_of(value.data_type) for value in values]
    scale = max(scale for _, scale in digits)
    precision = max(precision - scale for precision, scale in digits) + scale
    return DataTypes.DECIMAL(precision, scale) if precision <= _MAX_DIGITS else None


def widened(value: Value, data_type: DataType) -> Value:
    """Return values as those of a type that they have in common with others."""
    kind = kind_of(data_type)
    if value.kind == Kind.NULL:
        return replace(value, data_type=data_type.nullable())
    if kind in (Kind.FLOAT, Kind.DOUBLE):
        return as_floating(value, data_type)
    if kind == Kind.DECIMAL:
        return strict(partial(fitted, Digits.of(*digits_of(data_type))), data_type, value)
    return retyped(value, data_type)


def retyped(value: Value, data_type: DataType) -> Value:
    """Return values of another type that has the same ones."""
    return replace(
        value, data_type=data_type.nullable() if value.data_type.is_nullable else data_type.not_null()
    )


def as_double(value: Value) -> Value:
    """Return numbers as floats of 64 bits."""
    return as_floating(value, DataTypes.DOUBLE())


def as_floating(value: Value, data_type: DataType) -> Value:
    """Return numbers as floats; decimals and floats of 64 bits are not rounded to less."""
    if value.kind in (Kind.FLOAT, Kind.DOUBLE):
        return retyped(value, data_type)
    is_rounded = value.kind in INTEGERS and kind_of(data_type) == Kind.FLOAT
    convert: Callable[[Any], float] = integer_as_float if is_rounded else float
    return strict(convert, data_type, value)
