"""Kernels of functions of decimals, whose digits are those of their types."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Kernel, Operand, is_whole, pc
from pystream.table.functions.values import decimals, mathematics
from pystream.table.functions.values.decimals import Digits

__all__ = ["DECIMALS", "in_one_type"]

_MOST = 38
_LONG_DIGITS = 19


def _of_decimals(*operands: Operand) -> None:
    if not all(pa.types.is_decimal128(operand.type) for operand in operands):
        raise NotComputedError("not decimals")


def _as_type(number: Operand, precision: int, scale: int) -> Operand:
    """Return decimals as ones of a type of as many digits after the point; Arrow refuses those beyond it."""
    if precision > _MOST or number.type.scale > scale:
        raise NotComputedError("too many digits")
    return number.cast(pa.decimal128(precision, scale))


def _as_digits(number: Operand, digits: Digits) -> Operand:
    scale = -int(digits.step.adjusted())
    return _as_type(number, digits.beyond.adjusted() + scale, scale)


def _sum(digits: Digits, one: Operand, other: Operand) -> Operand:
    _of_decimals(one, other)
    return _as_digits(pc.add(one, other), digits)


def _difference(digits: Digits, one: Operand, other: Operand) -> Operand:
    _of_decimals(one, other)
    return _as_digits(pc.subtract(one, other), digits)


def _product(digits: Digits, one: Operand, other: Operand) -> Operand:
    _of_decimals(one, other)
    return _as_digits(pc.multiply(one, other), digits)


def _negative(number: Operand) -> Operand:
    _of_decimals(number)
    return pc.negate(number)


def _of_integer(number: Operand) -> Operand:
    if not is_whole(number):
        raise NotComputedError("not integers")
    return number.cast(pa.decimal128(_LONG_DIGITS, 0))


def _fitted(digits: Digits, number: Operand) -> Operand:
    given = _of_integer(number) if is_whole(number) else number
    _of_decimals(given)
    scale = -int(digits.step.adjusted())
    return _as_digits(_to_scale(given, scale), digits)


def _to_scale(number: Operand, scale: int) -> Operand:
    """Return decimals with at most some digits after the point, halves rounded away from zero."""
    if number.type.scale <= scale:
        return number
    rounded = pc.round(number, ndigits=scale, round_mode="half_towards_infinity")
    return rounded.cast(pa.decimal128(_MOST, scale))


def _rounded(step: Decimal, number: Operand, digits: Operand | None = None) -> Operand:
    """Return decimals rounded to some digits, the same for all, in a scale."""
    _of_decimals(number)
    if not (digits is None or isinstance(digits, pa.Scalar)):
        raise NotComputedError("digits that differ")
    places = 0 if digits is None else digits.as_py()
    if places is None or places < 0:
        raise NotComputedError("digits before the point")
    return _as_type(_to_scale(number, places), _MOST, -int(step.adjusted()))


def in_one_type(one: Operand, other: Operand) -> tuple[Operand, Operand]:
    """Return decimals and integers, or decimals of two types, in one type, and all others as they are.

    Raises:
        NotComputedError: no type has all their digits.
    """
    if one.type == other.type or not any(pa.types.is_decimal128(each.type) for each in (one, other)):
        return one, other
    one, other = (_of_integer(each) if is_whole(each) else each for each in (one, other))
    types = one.type, other.type
    if not all(map(pa.types.is_decimal128, types)):
        return one, other
    scale = max(dt.scale for dt in types)
    precision = scale + max(dt.precision - dt.scale for dt in types)
    return _as_type(one, precision, scale), _as_type(other, precision, scale)


DECIMALS: Mapping[Any, Kernel] = {
    Decimal: _of_integer,
    decimals.EXACT.minus: _negative,
    decimals.decimal_difference: _difference,
    decimals.decimal_product: _product,
    decimals.decimal_sum: _sum,
    decimals.fitted: _fitted,
    mathematics.rounded_decimal: _rounded,
}
"""The kernels, by the functions of values; those of parameters get them first, as these do."""
