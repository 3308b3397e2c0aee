"""Conversions of values to types that they have in common with others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.values import Value, strict
from pystream.table.functions.kinds import INTEGERS, Kind, digits_of, kind_of
from pystream.table.functions.values.conversions import integer_as_float
from pystream.table.functions.values.decimals import Digits, fitted

__all__ = ["as_double", "as_floating", "retyped", "widened"]


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
