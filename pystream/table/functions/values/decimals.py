"""Operations on decimals, whose results have a fixed precision and scale."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

from pystream.table.functions.errors import SqlArithmeticError
from pystream.table.functions.values.arithmetic import division_by_zero

__all__ = [
    "EXACT",
    "Digits",
    "decimal_difference",
    "decimal_product",
    "decimal_quotient",
    "decimal_remainder",
    "decimal_sum",
    "fitted",
    "remainder_of_exact",
    "rounded",
]

EXACT = Context(prec=200, rounding=ROUND_HALF_UP, Emin=-(10**6), Emax=10**6)
"""The context in which sums and products are exact; it rounds halves away from zero."""

_QUOTIENT = Decimal(1).scaleb(-39)


class Digits(NamedTuple):
    """The digits of a decimal type.

    Attributes:
        step: the least positive number of the type.
        beyond: the least power of ten that is out of its range.
        name: its name.
    """

    step: Decimal
    beyond: Decimal
    name: str

    @classmethod
    def of(cls, precision: int, scale: int) -> Digits:
        """Return the digits of a type."""
        beyond = Decimal(1).scaleb(precision - scale)
        return cls(Decimal(1).scaleb(-scale), beyond, f"DECIMAL({precision}, {scale})")


def decimal_sum(digits: Digits, one: Decimal, other: Decimal) -> Decimal:
    """Return the sum of two decimals.

    Args:
        digits: those of the result.
        one: a number.
        other: another number.

    Raises:
        SqlArithmeticError: it is out of range.
    """
    result = rounded(EXACT.add(one, other), digits.step)
    return result if result.copy_abs() < digits.beyond else _overflow(digits, one, "+", other)


def decimal_difference(digits: Digits, one: Decimal, other: Decimal) -> Decimal:
    """Return a difference, with the arguments and errors of a sum."""
    result = rounded(EXACT.subtract(one, other), digits.step)
    return result if result.copy_abs() < digits.beyond else _overflow(digits, one, "-", other)


def decimal_product(digits: Digits, one: Decimal, other: Decimal) -> Decimal:
    """Return a product, with the arguments and errors of a sum."""
    result = rounded(EXACT.multiply(one, other), digits.step)
    return result if result.copy_abs() < digits.beyond else _overflow(digits, one, "*", other)


def decimal_quotient(digits: Digits, one: Decimal, other: Decimal) -> Decimal:
    """Return a quotient, rounded from one of 39 digits, with the arguments and errors of a sum."""
    if not other:
        raise division_by_zero(one, "/")
    result = rounded(rounded(EXACT.divide(one, other), _QUOTIENT), digits.step)
    return result if result.copy_abs() < digits.beyond else _overflow(digits, one, "/", other)


def decimal_remainder(digits: Digits, one: Decimal, other: Decimal) -> Decimal:
    """Return a remainder, which has the sign of the first number, with the arguments and errors of a sum."""
    if not other:
        raise division_by_zero(one, "%")
    result = rounded(EXACT.remainder(one, other), digits.step)
    return result if result.copy_abs() < digits.beyond else _overflow(digits, one, "%", other)


def remainder_of_exact(digits: Digits, one: int | Decimal, other: int | Decimal) -> Decimal:
    """Return the remainder of two numbers of which one may be an integer, as `decimal_remainder`."""
    return decimal_remainder(digits, Decimal(one), Decimal(other))


def _overflow(digits: Digits, one: Decimal, symbol: str, other: Decimal) -> Decimal:
    raise SqlArithmeticError(f"{one:f} {symbol} {other:f} is out of the range of {digits.name}")


def rounded(number: Decimal, step: Decimal) -> Decimal:
    """Return a number as a multiple of a step; zero has no sign."""
    return EXACT.plus(EXACT.quantize(number, step))


def fitted(digits: Digits, number: int | Decimal) -> Decimal:
    """Return a number as one of a type, rounded.

    Raises:
        SqlArithmeticError: it is out of range.
    """
    value = number if isinstance(number, Decimal) else Decimal(number)
    if not value.is_finite():
        raise SqlArithmeticError(f"{value} is not a {digits.name}")
    if (
        not value or value.adjusted() <= digits.beyond.adjusted()
    ):  # else its rounding would have too many digits
        result = value if value and value.same_quantum(digits.step) else rounded(value, digits.step)
        if result.copy_abs() < digits.beyond:
            return result
    raise SqlArithmeticError(f"{value} is out of the range of {digits.name}")
