"""Three-valued logic: conditions are true, false or ``None``."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence, Set
from typing import Any, TypeAlias

from pystream.table.functions.values.calls import Evaluate

__all__ = [
    "between",
    "between_either",
    "conjunction",
    "different",
    "disjunction",
    "is_object",
    "one_of",
    "one_of_constants",
    "same",
]

Pair: TypeAlias = tuple[Evaluate, Evaluate]
"""Two values that Python compares as SQL does."""


def conjunction(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool | None:
    """Return whether both conditions hold; the second is not evaluated if the first does not."""
    one = left(row)
    if one is False:
        return False
    other = right(row)
    if other is False:
        return False
    return None if one is None or other is None else True


def disjunction(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool | None:
    """Return whether one of two conditions holds; the second is not evaluated if the first does."""
    one = left(row)
    if one is True:
        return True
    other = right(row)
    if other is True:
        return True
    return None if one is None or other is None else False


def is_object(constant: bool | None, value: Evaluate, row: Sequence[Any]) -> bool:
    """Return whether a value is true, false or null, as the constant is."""
    return value(row) is constant


def same(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool:
    """Return whether two values are equal or both null."""
    return bool(left(row) == right(row))


def different(left: Evaluate, right: Evaluate, row: Sequence[Any]) -> bool:
    """Return whether two values differ, or one of them is null."""
    return bool(left(row) != right(row))


def between(bounds: tuple[Pair, Pair], row: Sequence[Any]) -> bool | None:
    """Return whether a value is between two bounds, which it is paired with."""
    (value, low), (same_value, high) = bounds
    is_above = _compared(operator.ge, value(row), low(row))
    is_below = _compared(operator.le, same_value(row), high(row))
    if is_above is False or is_below is False:
        return False
    return None if is_above is None or is_below is None else True


def between_either(bounds: tuple[Pair, Pair], row: Sequence[Any]) -> bool | None:
    """Return whether a value is between two bounds in one order or the other."""
    one = between(bounds, row)
    other = between((bounds[1], bounds[0]), row)
    if one or other:
        return True
    return None if one is None or other is None else False


def _compared(compare: Callable[[Any, Any], bool], one: Any, other: Any) -> bool | None:
    return None if one is None or other is None else compare(one, other)


def one_of_constants(constants: Set[Any], value: Evaluate, row: Sequence[Any]) -> bool | None:
    """Return whether a value is one of several constants, of which null may be one."""
    found = value(row)
    if found is None:
        return None
    return True if found in constants else (None if None in constants else False)


def one_of(items: Sequence[Pair], row: Sequence[Any]) -> bool | None:
    """Return whether a value equals one of several items, each of which it is paired with."""
    result: bool | None = False
    for value, item in items:
        found = _compared(operator.eq, value(row), item(row))
        if found:
            return True
        if found is None:
            result = None
    return result
