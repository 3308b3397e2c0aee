"""Operations on integers and on binary floats; those on decimals are in `decimals`."""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_float
from typing import Any, NoReturn

from pystream.table.functions.errors import SqlArithmeticError

__all__ = [
    "as_float",
    "division_by_zero",
    "double_quotient",
    "in_range",
    "integer_difference",
    "integer_negative",
    "integer_product",
    "integer_quotient",
    "integer_remainder",
    "integer_sum",
    "rounded_to_float",
]

_NAMES = {1 << 7: "TINYINT", 1 << 15: "SMALLINT", 1 << 31: "INT", 1 << 63: "BIGINT"}


def integer_sum(beyond: int, one: int, other: int) -> int:
    """Return the sum of two integers of a type.

    Args:
        beyond: the least positive integer that is out of its range.
        one: an integer.
        other: another one.

    Raises:
        SqlArithmeticError: it is out of range.
    """
    result = one + other
    return result if -beyond <= result < beyond else _overflow(beyond, one, "+", other)


def integer_difference(beyond: int, one: int, other: int) -> int:
    """Return a difference, with the arguments and errors of a sum."""
    result = one - other
    return result if -beyond <= result < beyond else _overflow(beyond, one, "-", other)


def integer_product(beyond: int, one: int, other: int) -> int:
    """Return a product, with the arguments and errors of a sum."""
    result = one * other
    return result if -beyond <= result < beyond else _overflow(beyond, one, "*", other)


def integer_quotient(beyond: int, one: int, other: int) -> int:
    """Return a quotient, truncated towards zero, with the arguments and errors of a sum."""
    if other == 0:
        raise division_by_zero(one, "/")
    result = one // other if (one < 0) == (other < 0) else -(-one // other)
    return result if result < beyond else _overflow(beyond, one, "/", other)


def integer_remainder(one: int, other: int) -> int:
    """Return a remainder, which has the sign of the first number.

    Raises:
        SqlArithmeticError: the second number is 0.
    """
    if other == 0:
        raise division_by_zero(one, "%")
    rest = abs(one) % abs(other)
    return -rest if one < 0 else rest


def integer_negative(beyond: int, number: int) -> int:
    """Return the negative of an integer, with the arguments and errors of a sum."""
    return in_range(-number, beyond, f"-({number})")


def in_range(number: int, beyond: int, told: str) -> int:
    """Return an integer that is in the range of a type.

    Args:
        number: the integer.
        beyond: the least positive integer that is out of the range.
        told: how it came about, for the message.

    Raises:
        SqlArithmeticError: it is out of range.
    """
    if -beyond <= number < beyond:
        return number
    raise SqlArithmeticError(f"{told} is out of the range of {_NAMES[beyond]}, {-beyond} to {beyond - 1}")


def _overflow(beyond: int, one: int, symbol: str, other: int) -> NoReturn:
    second = f"({other})" if other < 0 else str(other)
    raise SqlArithmeticError(
        f"{one} {symbol} {second} is out of the range of {_NAMES[beyond]}, {-beyond} to {beyond - 1}; "
        "cast to a larger type before"
    )


def division_by_zero(one: Any, symbol: str) -> SqlArithmeticError:
    """Return the error of a division by zero."""
    return SqlArithmeticError(f"{one} {symbol} 0 is a division by zero")


def double_quotient(one: float, other: float) -> float:
    """Return a quotient of floats; that by 0 is infinite or not a number."""
    if other:
        return one / other
    if not one or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def as_float(number: float) -> float:
    """Round a number to 32 bits."""
    return c_float(number).value


def rounded_to_float(function: Callable[..., float], *numbers: float) -> float:
    """Return the result of a function of numbers, rounded to 32 bits."""
    return c_float(function(*numbers)).value
