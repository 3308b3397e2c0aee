"""Decimals of a fixed precision and scale."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal

from pystream.table.evaluation.errors import SqlArithmeticError

__all__ = ["EXACT", "in_type", "quotient", "rounded", "step_of"]

EXACT = Context(prec=160, rounding=ROUND_HALF_UP, Emin=-(10**6), Emax=10**6)
"""The context in which sums and products of decimals are exact, and quotients have more digits than any type."""

_QUOTIENT = Decimal(1).scaleb(-39)


def step_of(scale: int) -> Decimal:
    """Return the least positive number of a scale."""
    return Decimal(1).scaleb(-scale)


def rounded(number: Decimal | int, step: Decimal) -> Decimal:
    """Round a number to a scale, halves away from zero."""
    return EXACT.quantize(Decimal(number), step)


def in_type(number: Decimal, step: Decimal, beyond: Decimal, told: Callable[[], str]) -> Decimal:
    """Return a number in the scale of a type.

    Args:
        number: the number.
        step: the least positive number of the type.
        beyond: the least positive number that is out of its range.
        told: returns how the number came about, for the message.

    Raises:
        SqlArithmeticError: it is out of range.
    """
    result = EXACT.quantize(number, step)
    if abs(result) >= beyond:
        raise SqlArithmeticError(f"{told()} is out of range")
    return result


def quotient(one: Decimal, other: Decimal) -> Decimal:
    """Return a quotient with 39 digits after the point, from which it is rounded to a type."""
    return EXACT.quantize(EXACT.divide(one, other), _QUOTIENT)
