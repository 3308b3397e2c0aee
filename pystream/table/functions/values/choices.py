"""Choices among values: the first that is not null, the first whose condition holds, the greatest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.table.functions.values.calls import Evaluate

__all__ = ["first_not_null", "first_that_holds", "first_that_matches", "null_if"]


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


def first_not_null(values: Sequence[Evaluate], row: Sequence[Any]) -> Any:
    """Return the first value that is not null; those after it are not evaluated."""
    for value in values:
        result = value(row)
        if result is not None:
            return result
    return None


def null_if(value: Evaluate, pair: tuple[Evaluate, Evaluate], row: Sequence[Any]) -> Any:
    """Return null if the values of a pair are equal, otherwise a value."""
    one, other = (part(row) for part in pair)
    return None if one is not None and one == other else value(row)
