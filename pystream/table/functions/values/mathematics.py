"""Functions of numbers."""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from pystream.table.functions.values.arithmetic import in_range
from pystream.table.functions.values.decimals import EXACT, rounded

__all__ = [
    "absolute_integer",
    "arc_cosine",
    "arc_sine",
    "bytes_of_hexadecimal",
    "ceiling_of_decimal",
    "ceiling_of_double",
    "cosine",
    "cotangent",
    "e",
    "exponential",
    "floor_of_decimal",
    "floor_of_double",
    "greatest_float",
    "hyperbolic_cosine",
    "hyperbolic_sine",
    "in_base_2",
    "in_base_16",
    "least_float",
    "logarithm",
    "logarithm_of",
    "logarithm_of_base",
    "logarithm_of_10",
    "pi",
    "power",
    "rounded_decimal",
    "rounded_double",
    "rounded_integer",
    "sign_of_decimal",
    "sign_of_double",
    "sign_of_integer",
    "sine",
    "square_root",
    "tangent",
    "truncated_decimal",
    "truncated_double",
    "truncated_integer",
]

_HEXADECIMAL = re.compile("[0-9A-Fa-f]*")
_TEN = 10
_WORD = (1 << 64) - 1
_MOST_DIGITS = 400  # more than a float has before the point


def absolute_integer(beyond: int, number: int) -> int:
    """Return the absolute value of an integer of a type.

    Raises:
        SqlArithmeticError: it is out of the range of the type.
    """
    return number if number >= 0 else in_range(-number, beyond, f"ABS({number})")


def sign_of_integer(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def sign_of_decimal(scale: Decimal, number: Decimal) -> Decimal:
    """Return -1, 0 or 1 in a scale."""
    return rounded(Decimal((number > 0) - (number < 0)), scale)


def sign_of_double(number: float) -> float:
    """Return -1, 0 or 1; 0 and NaN themselves."""
    return math.copysign(1.0, number) if number and not math.isnan(number) else number


def greatest_float(*numbers: float) -> float:
    """Return the greatest of some floats; NaN is greater than all numbers."""
    return next(filter(math.isnan, numbers), max(numbers))


def least_float(*numbers: float) -> float:
    """Return the least of some floats; NaN is greater than all numbers."""
    return min((number for number in numbers if not math.isnan(number)), default=math.nan)


def floor_of_double(number: float) -> float:
    """Return the greatest whole number that is not greater."""
    return math.copysign(math.floor(number), number) if math.isfinite(number) else number


def ceiling_of_double(number: float) -> float:
    """Return the least whole number that is not less."""
    return math.copysign(math.ceil(number), number) if math.isfinite(number) else number


def floor_of_decimal(number: Decimal) -> Decimal:
    """Return the greatest whole number that is not greater."""
    return EXACT.plus(number.to_integral_value(ROUND_FLOOR, EXACT))


def ceiling_of_decimal(number: Decimal) -> Decimal:
    """Return the least whole number that is not less."""
    return EXACT.plus(number.to_integral_value(ROUND_CEILING, EXACT))


def rounded_double(number: float, digits: int = 0) -> float:
    """Round the decimal digits of a float, halves away from zero."""
    if not math.isfinite(number):
        return number
    return float(_cut(Decimal(repr(number)), digits, ROUND_HALF_UP)) + 0.0


def truncated_double(number: float, digits: int = 0) -> float:
    """Cut the decimal digits of a float."""
    return float(_cut(Decimal(repr(number)), digits, ROUND_DOWN)) + 0.0 if math.isfinite(number) else number


def truncated_integer(beyond: int, number: int, digits: int = 0) -> int:
    """Cut an integer to tens, hundreds and so on, which is in the range of its type."""
    return number if digits >= 0 else int(_cut(Decimal(number), digits, ROUND_DOWN))


def rounded_decimal(scale: Decimal, number: Decimal, digits: int = 0) -> Decimal:
    """Round a decimal to some digits, halves away from zero, and return it in a scale."""
    return rounded(_cut(number, digits, ROUND_HALF_UP), scale)


def truncated_decimal(scale: Decimal, number: Decimal, digits: int = 0) -> Decimal:
    """Cut a decimal to some digits, and return it in a scale."""
    return rounded(_cut(number, digits, ROUND_DOWN), scale)


def rounded_integer(beyond: int, number: int, digits: int = 0) -> int:
    """Round an integer to tens, hundreds and so on, halves away from zero.

    Raises:
        SqlArithmeticError: the result is out of the range of the type.
    """
    if digits >= 0:
        return number
    return in_range(int(_cut(Decimal(number), digits, ROUND_HALF_UP)), beyond, f"ROUND({number}, {digits})")


def _cut(number: Decimal, digits: int, rounding: str) -> Decimal:
    """Return a number with some digits after the point, or zeros before it if they are negative."""
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if -exponent <= digits:
        return number
    if digits < -_MOST_DIGITS:
        return Decimal(0)
    step = Decimal(1).scaleb(-digits)
    if digits >= 0:
        return number.quantize(step, rounding, EXACT)
    whole = EXACT.divide(number, step).to_integral_value(rounding, EXACT)
    return EXACT.multiply(whole, step)


def square_root(number: float) -> float:
    """Return the square root; NaN for a negative number."""
    return math.sqrt(number) if number >= 0 else (number if number == 0 else math.nan)


def exponential(number: float) -> float:
    """Return the power of e; infinity if it is too great."""
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def logarithm(number: float) -> float:
    """Return the natural logarithm; minus infinity for 0, NaN for a negative number."""
    if number > 0:
        return math.log(number)
    return -math.inf if number == 0 else math.nan


def logarithm_of_10(number: float) -> float:
    """Return the logarithm of base 10, as `logarithm`."""
    if number > 0:
        return math.log10(number)
    return -math.inf if number == 0 else math.nan


def logarithm_of_base(base: float, number: float) -> float:
    """Return the logarithm of a base, as the quotient of two natural ones."""
    dividend, divisor = logarithm(number), logarithm(base)
    if divisor:
        return dividend / divisor
    return math.copysign(math.inf, dividend) if dividend else math.nan


def logarithm_of(first: float, second: float | None = None) -> float:
    """Return the natural logarithm of a number, or that of a second one with the first as its base."""
    if second is None:
        return logarithm(first)
    return logarithm_of_10(second) if first == _TEN else logarithm_of_base(first, second)


def power(number: float, exponent: float) -> float:
    """Return a power; NaN if it is not real, infinity if it is too great."""
    if math.isnan(exponent) or (abs(number) == 1 and math.isinf(exponent)):
        return math.nan
    if number == 1:
        return 1.0
    try:
        return math.pow(number, exponent)
    except OverflowError:
        is_odd = exponent.is_integer() and exponent % 2 == 1
        return -math.inf if number < 0 and is_odd else math.inf
    except ValueError:
        if number == 0:
            is_odd = exponent.is_integer() and exponent % 2 == 1
            return math.copysign(math.inf, number) if is_odd else math.inf
        return math.nan


def sine(number: float) -> float:
    """Return the sine; NaN for infinity."""
    return math.sin(number) if math.isfinite(number) else math.nan


def cosine(number: float) -> float:
    """Return the cosine; NaN for infinity."""
    return math.cos(number) if math.isfinite(number) else math.nan


def tangent(number: float) -> float:
    """Return the tangent; NaN for infinity."""
    return math.tan(number) if math.isfinite(number) else math.nan


def cotangent(number: float) -> float:
    """Return the cotangent; infinity for 0."""
    found = tangent(number)
    return 1 / found if found else math.copysign(math.inf, found)


def arc_sine(number: float) -> float:
    """Return the arc sine; NaN if there is none."""
    return math.asin(number) if abs(number) <= 1 else math.nan


def arc_cosine(number: float) -> float:
    """Return the arc cosine; NaN if there is none."""
    return math.acos(number) if abs(number) <= 1 else math.nan


def hyperbolic_sine(number: float) -> float:
    """Return the hyperbolic sine; infinity if it is too great."""
    try:
        return math.sinh(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def hyperbolic_cosine(number: float) -> float:
    """Return the hyperbolic cosine; infinity if it is too great."""
    try:
        return math.cosh(number)
    except OverflowError:
        return math.inf


def in_base_2(number: int) -> str:
    """Return the 64 bits of an integer, without zeros before them."""
    return f"{number & _WORD:b}"


def in_base_16(number: int) -> str:
    """Return the 64 bits of an integer in hexadecimal, without zeros before them."""
    return f"{number & _WORD:X}"


def bytes_of_hexadecimal(digits: str) -> bytes | None:
    """Return the bytes of hexadecimal digits, of which the first may be missing; null if they are none."""
    if _HEXADECIMAL.fullmatch(digits) is None:
        return None
    return bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}")


def e() -> float:
    """Return the base of natural logarithms."""
    return math.e


def pi() -> float:
    """Return the number of a circle."""
    return math.pi
