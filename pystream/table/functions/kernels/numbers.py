"""Kernels of functions of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow as pa

from pystream.table.functions.kernels.decimals import in_one_type
from pystream.table.functions.kernels.operands import (
    Kernel,
    Operand,
    of_doubles,
    of_integers,
    of_one_type,
    pc,
    require,
)
from pystream.table.functions.values import arithmetic, conversions, mathematics

__all__ = ["NUMBERS", "as_float", "in_range"]

_LONG = 1 << 63
_SAFE = float(1 << 62)
"""A double that is less and whole is in the range of 64-bit integers."""


def in_range(beyond: int, numbers: Operand) -> Operand:
    """Return integers that are in the range of a type.

    Raises:
        NotComputedError: one is not.
    """
    if beyond < _LONG:
        require(pc.and_(pc.less(numbers, beyond), pc.greater_equal(numbers, -beyond)), "out of range")
    return numbers


def _integers(name: str, beyond: int, one: Operand, other: Operand) -> Operand:
    """Return the results of an operation on integers, checked for the range of their type."""
    of_integers(one, other)
    return in_range(beyond, getattr(pc, f"{name}_checked")(one, other))


def _remainder(one: Operand, other: Operand) -> Operand:
    of_integers(one, other)
    return pc.subtract(one, pc.multiply(pc.divide_checked(one, other), other))


def _negative(beyond: int, number: Operand) -> Operand:
    return in_range(beyond, pc.negate_checked(number))


def _doubles(name: str, *numbers: Operand) -> Operand:
    of_doubles(*numbers)
    return getattr(pc, name)(*numbers)


def _rounded_to_float(function: Callable[..., float], *numbers: Operand) -> Operand:
    return as_float(NUMBERS[function](*numbers))


def as_float(number: Operand) -> Operand:
    """Return floats rounded to 32 bits."""
    of_doubles(number)
    return number.cast(pa.float32()).cast(pa.float64())


def _integer_as_float(number: Operand) -> Operand:
    of_integers(number)
    return pc.cast(number, pa.float32(), safe=False).cast(pa.float64())


def _as_double(number: Operand) -> Operand:
    if pa.types.is_boolean(number.type):
        return number.cast(pa.int64()).cast(pa.float64())
    if pa.types.is_decimal(number.type):
        return number.cast(pa.string()).cast(pa.float64())  # text is rounded once, and correctly
    of_integers(number)
    return pc.cast(number, pa.float64(), safe=False)


def _double_as_integer(beyond: int, number: Operand) -> Operand:
    of_doubles(number)
    require(pc.less(pc.abs(number), _SAFE), "out of range")  # false for NaN
    return in_range(beyond, pc.trunc(number).cast(pa.int64()))


def _integer_as_integer(beyond: int, number: Operand) -> Operand:
    of_integers(number)
    return in_range(beyond, number)


def _as_boolean(number: Operand) -> Operand:
    zero = Decimal(0) if pa.types.is_decimal(number.type) else 0
    return pc.not_equal(number, pa.scalar(zero, number.type))


def _absolute_integer(beyond: int, number: Operand) -> Operand:
    of_integers(number)
    return in_range(beyond, pc.abs_checked(number))


def _text_of(number: Operand) -> Operand:
    of_integers(number)
    return number.cast(pa.string())


def _compared(name: str, one: Operand, other: Operand) -> Operand:
    one, other = in_one_type(one, other)
    of_one_type(one, other)
    return getattr(pc, name)(one, other)


def _inverted(condition: Operand) -> Operand:
    return pc.invert(condition)


def _same(value: Operand) -> Operand:
    return value


NUMBERS: Mapping[Any, Kernel] = {
    arithmetic.as_float: as_float,
    arithmetic.double_quotient: partial(_doubles, "divide"),
    arithmetic.integer_difference: partial(_integers, "subtract"),
    arithmetic.integer_negative: _negative,
    arithmetic.integer_product: partial(_integers, "multiply"),
    arithmetic.integer_quotient: partial(_integers, "divide"),
    arithmetic.integer_remainder: _remainder,
    arithmetic.integer_sum: partial(_integers, "add"),
    arithmetic.rounded_to_float: _rounded_to_float,
    conversions.boolean_as_integer: lambda value: value.cast(pa.int64()),
    conversions.double_as_integer: _double_as_integer,
    conversions.integer_as_float: _integer_as_float,
    conversions.integer_as_integer: _integer_as_integer,
    conversions.same: _same,
    abs: partial(_doubles, "abs"),
    bool: _as_boolean,
    float: _as_double,
    mathematics.absolute_integer: _absolute_integer,
    mathematics.ceiling_of_double: partial(_doubles, "ceil"),
    mathematics.floor_of_double: partial(_doubles, "floor"),
    mathematics.square_root: partial(_doubles, "sqrt"),
    operator.add: partial(_doubles, "add"),
    operator.eq: partial(_compared, "equal"),
    operator.ge: partial(_compared, "greater_equal"),
    operator.gt: partial(_compared, "greater"),
    operator.le: partial(_compared, "less_equal"),
    operator.lt: partial(_compared, "less"),
    operator.mul: partial(_doubles, "multiply"),
    operator.ne: partial(_compared, "not_equal"),
    operator.neg: partial(_doubles, "negate"),
    operator.not_: _inverted,
    operator.sub: partial(_doubles, "subtract"),
    str: _text_of,
}
"""The kernels, by the functions of values; those of parameters get them first, as these do."""
