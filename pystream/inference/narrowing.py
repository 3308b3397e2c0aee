"""Narrowing: what tests show of values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from pystream.inference.conversions import class_of, opened
from pystream.inference.state import State
from pystream.inference.values import NEVER, NONE, Instance, Static, Value, present
from typeinfo.composite import RecordTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.infer import type_of

__all__ = ["assume", "falsy"]

Evaluate: TypeAlias = Callable[[State, ast.expr], Value]


def assume(state: State, test: ast.expr, holds: bool, evaluate: Evaluate) -> None:
    """Narrow the values in a state by a test that holds there, or does not.

    Args:
        state: the state.
        test: the test.
        holds: whether it holds.
        evaluate: returns the value of an expression.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            assume(state, inner, not holds, evaluate)
        case ast.BoolOp(op=sign, values=parts) if isinstance(sign, ast.And) is holds:
            for part in parts:
                assume(state, part, holds, evaluate)
        case ast.NamedExpr(target=target):
            assume(state, target, holds, evaluate)
        case ast.Compare(left=left, ops=[sign], comparators=[ast.Constant(value=None)]):
            is_none = isinstance(sign, (ast.Is, ast.Eq)) is holds
            if isinstance(sign, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
                value = evaluate(state, left)
                state.narrow(left, NONE if is_none else present(value))
        case ast.Call(func=ast.Name(id="isinstance"), args=[tested, cls]) if holds:
            state.narrow(tested, _of_class(evaluate(state, tested), evaluate(state, cls)))
        case ast.Name() | ast.Attribute() | ast.Subscript() if holds:
            state.narrow(test, present(evaluate(state, test)))


def _of_class(value: Value, cls: Value) -> Value:
    """Return a value that is an instance of a class."""
    wanted = cls.value if isinstance(cls, Static) else None
    if not isinstance(wanted, type):
        return value
    value = present(value)
    known = class_of(value)
    if known is not None and issubclass(known, wanted):
        return value
    try:
        return opened(type_of(wanted))
    except TypeInferenceError:
        return Instance(wanted)


def falsy(value: Value) -> Value:
    """Return a value as it is where it is false."""
    inner = present(value)
    if isinstance(inner, RecordTypeInfo) and inner.kind.has_attributes:
        cls = inner.record_class
        if not hasattr(cls, "__bool__") and not hasattr(cls, "__len__"):
            return NEVER if inner is value else NONE
    return value
