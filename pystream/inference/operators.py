"""Results of Python's operators: of scalars, as Python has them for a sample of each class; of containers."""

from __future__ import annotations

import ast
from typing import Any

from pystream.inference.conversions import class_of, name_of, typed
from pystream.inference.signatures import SAMPLES, value_of
from pystream.inference.unions import joined
from pystream.inference.values import DictOf, ListOf, Never, SetOf, TupleOf, Unknown, Value, present
from pystream.lifting.constants import BINARY_FUNCTIONS, UNARY_FUNCTIONS

__all__ = ["binary", "unary"]


def unary(sign: type[ast.unaryop], operand: Value) -> Value:
    """Return the result of ``-``, ``+`` or ``~``."""
    value = typed(present(operand))
    if isinstance(value, Unknown):
        return value
    try:
        return value_of(type(UNARY_FUNCTIONS[sign](SAMPLES[class_of(value)])))
    except (KeyError, TypeError):
        return Unknown(f"negates {name_of(value)}")


def binary(sign: type[ast.operator], left: Value, right: Value) -> Value:
    """Return the result of a binary operator."""
    a, b = typed(present(left)), typed(present(right))
    for value in (a, b):
        if isinstance(value, (Unknown, Never)):
            return value
    found = _of_containers(sign, a, b) or _of_scalars(sign, class_of(a), class_of(b))
    return found or Unknown(f"computes with {name_of(a)} and {name_of(b)}")


def _of_containers(sign: type[ast.operator], a: Value, b: Value) -> Value | None:
    match sign(), a, b:
        case (ast.Add(), TupleOf(parts=left), TupleOf(parts=right)):
            return TupleOf((*left, *right))
        case (ast.Add(), ListOf(), ListOf()) if a.cls is b.cls:
            return ListOf(joined(a.element, b.element))
        case (ast.Mult(), ListOf() as repeated, count) | (ast.Mult(), count, ListOf() as repeated):
            if repeated.cls is list and class_of(count) in (bool, int):
                return ListOf(repeated.element)
        case (ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Sub(), SetOf(), SetOf()):
            return SetOf(joined(a.element, b.element), a.frozen)
        case (ast.BitOr(), DictOf(), DictOf()):
            return DictOf(joined(a.key, b.key), joined(a.value, b.value))
    return None


def _of_scalars(sign: type[ast.operator], a: type[Any] | None, b: type[Any] | None) -> Value | None:
    if sign is ast.Mod and a in (str, bytes):
        return value_of(a)  # formats values of any classes
    try:
        return value_of(type(BINARY_FUNCTIONS[sign](SAMPLES[a], SAMPLES[b])))
    except (KeyError, TypeError):
        return None
