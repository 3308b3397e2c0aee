"""Kernels of functions of decimals, whose digits are those of their types.

What they compute is exact before it is rounded, as Arrow has decimals of 76 digits. Values that do not fit
the type of the result are refused, so that functions of values tell them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Kernel, Operand, is_whole, pc, require
from pystream.table.functions.values import decimals, mathematics
from pystream.table.functions.values.decimals import Digits
from typeinfo.serde.decimal_arrays import DIGITS_OF_DIVISORS, cast_decimals, decimal_type, round_decimals

__all__ = ["DECIMALS", "as_digits", "decimal_of_integer", "exact", "in_one_type", "of_decimals", "to_scale"]

_MOST = 38
_MOST_OF_ALL = 76
_LONG_DIGITS = 19
_HALF_UP = "half_towards_infinity"
_CUT = "towards_zero"
_BEYOND_DIVISORS = 1 << 32
"""The least number by which Arrow divides some decimals wrongly."""
_DIGITS_OF_QUOTIENTS = 39
"""The digits after the point to which quotients are rounded before they get those of their type."""


def of_decimals(*operands: Operand) -> None:
    """Check that operands are decimals.

    Raises:
        NotComputedError: they are not.
    """
    if not all(pa.types.is_decimal(operand.type) for operand in operands):
        raise NotComputedError("not decimals")


def _type(precision: int, scale: int) -> Any:
    if precision > _MOST_OF_ALL:
        raise NotComputedError("too many digits")
    return decimal_type(precision, scale)


def _in_256_bits(number: Operand, precision: int, scale: int) -> Operand:
    """Return decimals in a type with room for operations on them."""
    if not 0 < precision <= _MOST_OF_ALL:
        raise NotComputedError("too many digits")
    return number.cast(pa.decimal256(precision, scale))


def _before(number: Operand) -> int:
    """Return the number of digits before the point."""
    digits: int = number.type.precision - number.type.scale
    return digits


def decimal_of_integer(number: Operand) -> Operand:
    """Return integers as decimals.

    Raises:
        NotComputedError: they are not integers.
    """
    if not is_whole(number):
        raise NotComputedError("not integers")
    return number.cast(pa.decimal128(_LONG_DIGITS, 0))


def exact(number: Operand) -> Operand:
    """Return integers as decimals, and all others as they are."""
    return decimal_of_integer(number) if is_whole(number) else number


def to_scale(number: Operand, scale: int, mode: str = _HALF_UP) -> Operand:
    """Return decimals with at most some digits after the point.

    Args:
        number: the decimals.
        scale: the number of digits, negative for zeros before the point.
        mode: how Arrow rounds the other digits.

    Raises:
        NotComputedError: there are too many zeros.
    """
    if number.type.scale <= scale:
        return number
    if -scale > DIGITS_OF_DIVISORS and number.type.precision >= _MOST:
        raise NotComputedError("too many zeros")
    return round_decimals(number, scale, mode)


def as_digits(number: Operand, digits: Digits) -> Operand:
    """Return decimals rounded to a type.

    Raises:
        ArrowInvalid: one is out of its range.
        NotComputedError: it has too many digits.
    """
    scale = _scale_of(digits.step)
    return cast_decimals(to_scale(number, scale), _type(digits.beyond.adjusted() + scale, scale))


def _scale_of(step: Decimal) -> int:
    return -step.adjusted()


def _exactly(name: str, digits: Digits, one: Operand, other: Operand) -> Operand:
    """Return sums, differences or products, exact before they are rounded."""
    of_decimals(one, other)
    precision, most = one.type.precision, _MOST_OF_ALL - 1 - other.type.precision
    if precision > _MOST - 1 - other.type.precision:
        one = _in_256_bits(one, min(precision, most), one.type.scale)
    return as_digits(getattr(pc, name)(one, other), digits)


def _quotient(digits: Digits, one: Operand, other: Operand) -> Operand:
    of_decimals(one, other)
    if other.type.precision > DIGITS_OF_DIVISORS:
        least = Decimal(_BEYOND_DIVISORS).scaleb(-other.type.scale)
        require(pc.less(pc.abs(other), pa.scalar(least, other.type)), "divisors of too many bits")
    # Arrow cuts the digits of quotients beyond the scale that it gives them.
    scale = one.type.scale + other.type.precision - other.type.scale + 1
    more = max(0, _DIGITS_OF_QUOTIENTS + 1 - scale)
    precision = one.type.precision + more
    if precision + other.type.precision + 1 > _MOST_OF_ALL - 1:
        raise NotComputedError("too many digits")
    quotient = pc.divide(_in_256_bits(one, precision, one.type.scale + more), other)
    if quotient.type.scale <= _DIGITS_OF_QUOTIENTS:
        raise NotComputedError("too few digits")
    return as_digits(to_scale(quotient, _DIGITS_OF_QUOTIENTS), digits)


def _remainder(digits: Digits, one: Operand, other: Operand) -> Operand:
    of_decimals(one, other)
    wide = _in_256_bits(one, one.type.precision, one.type.scale)
    times = to_scale(pc.divide(wide, other), 0, _CUT)
    multiple = pc.multiply(_in_256_bits(times, times.type.precision, 0), other)  # not greater than the first
    scale = multiple.type.scale
    rest = pc.subtract(wide, _in_256_bits(multiple, max(_before(one) + scale, 1), scale))
    require(pc.less(pc.abs(rest), pc.abs(other)), "a wrong quotient")
    require(pc.greater_equal(pc.multiply(pc.sign(rest), pc.sign(one)), 0), "a wrong quotient")
    return as_digits(rest, digits)


def _remainder_of_exact(digits: Digits, one: Operand, other: Operand) -> Operand:
    return _remainder(digits, *map(exact, (one, other)))


def _negative(number: Operand) -> Operand:
    of_decimals(number)
    return pc.negate(number)


def _absolute(number: Operand) -> Operand:
    of_decimals(number)
    return pc.abs(number)


def _sign(step: Decimal, number: Operand) -> Operand:
    of_decimals(number)
    return cast_decimals(decimal_of_integer(pc.sign(number)), pa.decimal128(_MOST, _scale_of(step)))


def _whole(mode: str, number: Operand) -> Operand:
    of_decimals(number)
    return to_scale(number, 0, mode)


def _fitted(digits: Digits, number: Operand) -> Operand:
    given = exact(number)
    of_decimals(given)
    return as_digits(given, digits)


def _rounded(mode: str, step: Decimal, number: Operand, digits: Operand | None = None) -> Operand:
    """Return decimals rounded to some digits, the same for all, in a scale."""
    of_decimals(number)
    if not (digits is None or isinstance(digits, pa.Scalar)):
        raise NotComputedError("digits that differ")
    places = 0 if digits is None else digits.as_py()
    if places is None:
        raise NotComputedError("no digits")
    scale = _scale_of(step)
    return cast_decimals(to_scale(to_scale(number, places, mode), scale), pa.decimal128(_MOST, scale))


def in_one_type(one: Operand, other: Operand) -> tuple[Operand, Operand]:
    """Return decimals and integers, or decimals of two types, in one type, and all others as they are."""
    if one.type == other.type or not any(pa.types.is_decimal(each.type) for each in (one, other)):
        return one, other
    one, other = map(exact, (one, other))
    if not all(pa.types.is_decimal(each.type) for each in (one, other)):
        return one, other
    scale = max(one.type.scale, other.type.scale)
    common = _type(scale + max(_before(one), _before(other)), scale)
    return one.cast(common), other.cast(common)


DECIMALS: Mapping[Any, Kernel] = {
    Decimal: decimal_of_integer,
    Decimal.copy_abs: _absolute,
    decimals.EXACT.minus: _negative,
    decimals.decimal_difference: partial(_exactly, "subtract"),
    decimals.decimal_product: partial(_exactly, "multiply"),
    decimals.decimal_quotient: _quotient,
    decimals.decimal_remainder: _remainder,
    decimals.decimal_sum: partial(_exactly, "add"),
    decimals.fitted: _fitted,
    decimals.remainder_of_exact: _remainder_of_exact,
    mathematics.ceiling_of_decimal: partial(_whole, "up"),
    mathematics.floor_of_decimal: partial(_whole, "down"),
    mathematics.rounded_decimal: partial(_rounded, _HALF_UP),
    mathematics.sign_of_decimal: _sign,
    mathematics.truncated_decimal: partial(_rounded, _CUT),
}
"""The kernels, by the functions of values; those of parameters get them first, as these do."""
