"""Choices among values: the first that is not null, the first whose condition holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pystream.table.functions.values.calls import Evaluate

__all__ = [
    "branch",
    "first_not_null",
    "first_that_holds",
    "first_that_matches",
    "null_if",
]


def first_that_holds(
    branches: Sequence[tuple[Evaluate, Evaluate]], default: Evaluate, row: Sequence[Any]
) -> Any:
    """Return the value of the first condition that is true, or the default; others are not evaluated."""
    for condition, value in branches:
        if condition(row) is True:
            return value(row)
    return default(row)


def first_that_matches(
    branches: Sequence[tuple[Evaluate, Evaluate, Evaluate]], default: Evaluate, row: Sequence[Any]
) -> Any:
    """Return the value of the first branch whose two operands are equal, or the default."""
    for operand, candidate, value in branches:
        one = operand(row)
        if one is not None and one == candidate(row):
            return value(row)
    return default(row)


def branch(row: Sequence[Any], condition: Evaluate, true: Evaluate, false: Evaluate) -> Any:
    """Return one of two values, of which only that one is evaluated."""
    return true(row) if condition(row) is True else false(row)


def first_not_null(row: Sequence[Any], *values: Evaluate) -> Any:
    """Return the first value that is not null; those after it are not evaluated."""
    for value in values:
        result = value(row)
        if result is not None:
            return result
    return None


def null_if(
    convert: Callable[[Any], Any], convert_other: Callable[[Any], Any], value: Any, other: Any
) -> Any:
    """Return a value, null if it is equal to another one after both are converted to one type."""
    if value is None or other is None or convert(value) != convert_other(other):
        return value
    return None
