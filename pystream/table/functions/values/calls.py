"""Compose functions of rows from functions of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

__all__ = [
    "Evaluate",
    "of_all",
    "of_all_with_nulls",
    "of_constant",
    "of_converted",
    "of_lazy",
    "of_one",
    "of_one_and_constant",
    "of_row",
    "of_two",
]

Evaluate: TypeAlias = Callable[[Sequence[Any]], Any]
"""A function of a row, ``None`` for null; it is made of functions of modules, by which it is pickled."""


def of_constant(value: Any, row: Sequence[Any]) -> Any:
    """Return a value that is the same for all rows."""
    return value


def of_one(function: Callable[..., Any], one: Evaluate, row: Sequence[Any]) -> Any:
    """Return a function of a value, null if it is null."""
    value = one(row)
    return None if value is None else function(value)


def of_one_and_constant(function: Callable[..., Any], one: Evaluate, other: Any, row: Sequence[Any]) -> Any:
    """Return a function of a value and a constant, null if the value is null."""
    value = one(row)
    return None if value is None else function(value, other)


def of_two(function: Callable[..., Any], one: Evaluate, other: Evaluate, row: Sequence[Any]) -> Any:
    """Return a function of two values, null if one is null; the second is not evaluated after a null."""
    left = one(row)
    if left is None:
        return None
    right = other(row)
    return None if right is None else function(left, right)


def of_all(function: Callable[..., Any], arguments: Sequence[Evaluate], row: Sequence[Any]) -> Any:
    """Return a function of values, null if one is null."""
    values = []
    for argument in arguments:
        value = argument(row)
        if value is None:
            return None
        values.append(value)
    return function(*values)


def of_all_with_nulls(function: Callable[..., Any], arguments: Sequence[Evaluate], row: Sequence[Any]) -> Any:
    """Return a function of values, which gets the nulls, too."""
    return function(*[argument(row) for argument in arguments])


def of_lazy(function: Callable[..., Any], arguments: Sequence[Evaluate], row: Sequence[Any]) -> Any:
    """Return a function of a row and of arguments that it evaluates itself."""
    return function(row, *arguments)


def of_converted(
    function: Callable[..., Any], converters: Sequence[Callable[[Any], Any]], *values: Any
) -> Any:
    """Return a function of values that are converted first."""
    return function(*[convert(value) for convert, value in zip(converters, values, strict=True)])


def of_row(evaluate: Evaluate, *row: Any) -> Any:
    """Return a function of a row, whose values are given one by one."""
    return evaluate(row)
