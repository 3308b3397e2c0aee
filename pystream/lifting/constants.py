"""Constant folding: operations on constants, evaluated when the plan is made."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from pystream.lifting.composites import struct
from pystream.lifting.kinds import NotExact
from pystream.lifting.values import Static, Value, as_expression

__all__ = [
    "BINARY_FUNCTIONS",
    "COMPARISON_FUNCTIONS",
    "UNARY_FUNCTIONS",
    "fold_constants",
    "is_plain",
    "tuple_of",
]

_LONGEST = 1_000
_TOO_LARGE = "computes a constant that is too large"

BINARY_FUNCTIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.MatMult: operator.matmul,
}
UNARY_FUNCTIONS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
COMPARISON_FUNCTIONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


_PLAIN = (int, float, bool, str, bytes, type(None))


def is_plain(value: object) -> bool:
    """Return whether a value is immutable and operations on it have no effects."""
    if type(value) in (tuple, frozenset):
        return all(map(is_plain, value))  # type: ignore[call-overload]
    return type(value) in _PLAIN or isinstance(value, Enum) or type(value).__module__ == "datetime"


def fold_constants(operation: Callable[..., Any], *operands: Any) -> Static:
    """Return the result of an operation on constants.

    Raises:
        NotExact: it fails, or its result is too large to be computed here.
    """
    if not all(map(is_plain, operands)):
        raise NotExact("computes with values that may change")
    if _extent_of(operation, *operands) > _LONGEST:
        raise NotExact(_TOO_LARGE)
    try:
        return Static(operation(*operands))
    except Exception as error:  # noqa: BLE001 - the same error is raised in Python, for each element
        raise NotExact(f"always fails: {type(error).__name__}: {error}") from None


def _extent_of(operation: Callable[..., Any], *operands: Any) -> int:
    """Return the largest size of an operation's result, in characters, digits or parts."""
    match operation, operands:
        case (operator.pow | operator.lshift, (int() as base, int() as exponent)):
            return max(base.bit_length(), 1) * abs(exponent)
        case (operator.mul, (int() as count, sized) | (sized, int() as count)) if not isinstance(sized, int):
            return extent(sized) * abs(count)
        case (operator.add | operator.mul, _):
            return sum(map(extent, operands))
    return 0


def extent(value: object) -> int:
    """Return the size of a plain value, in characters, digits or parts."""
    match value:
        case tuple() | frozenset():
            return 1 + sum(map(extent, value))
        case str() | bytes():
            return len(value)
        case int():
            return value.bit_length()
    return 1


def tuple_of(values: Sequence[Value]) -> Value:
    """Return a tuple of values.

    Raises:
        NotExact: they are known, and too many.
    """
    if not all(isinstance(value, Static) for value in values):
        return struct([as_expression(value) for value in values])
    known = tuple(value.value for value in values if isinstance(value, Static))
    if extent(known) > _LONGEST:
        raise NotExact(_TOO_LARGE)
    return Static(known)
