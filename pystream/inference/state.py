"""State: what is known of variables, and of parts of them, at one point of a function, also by tests."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from pystream.inference.conversions import class_of, opened
from pystream.inference.unions import joined
from pystream.inference.values import NEVER, NONE, Instance, Static, Value, present
from typeinfo.composite import RecordTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.infer import type_of

__all__ = ["State", "assume", "falsy"]


@dataclass(slots=True)
class State:
    """The variables at one point of a function.

    Attributes:
        names: the local variables.
        narrowed: what tests have shown of other expressions, such as ``r.name``, by their text.
    """

    names: dict[str, Value]
    narrowed: dict[str, Value] = field(default_factory=dict)

    def copy(self) -> State:
        """Return the same variables, to be followed along one branch."""
        return State(dict(self.names), dict(self.narrowed))

    def set(self, name: str, value: Value) -> None:
        """Assign to a variable, which ends what is known of its parts."""
        self.names[name] = value
        for path in [
            path for path in self.narrowed if path == name or path.startswith((f"{name}.", f"{name}["))
        ]:
            del self.narrowed[path]

    def join(self, other: State) -> State:
        """Return the variables where two branches meet."""
        names = {**self.names, **other.names}
        for name in self.names.keys() & other.names.keys():
            names[name] = joined(self.names[name], other.names[name])
        both = self.narrowed.keys() & other.narrowed.keys()
        return State(names, {path: joined(self.narrowed[path], other.narrowed[path]) for path in both})

    def narrow(self, node: ast.expr, value: Value) -> None:
        """Note what an expression is, until a part of it is assigned to."""
        path = _path(node.target if isinstance(node, ast.NamedExpr) else node)
        if path is not None:
            self.narrowed[path] = value

    def known(self, node: ast.expr) -> Value | None:
        """Return the value to which tests have narrowed an expression, ``None`` without one."""
        path = _path(node)
        return None if path is None else self.narrowed.get(path)


def _path(node: ast.expr) -> str | None:
    """Return the text of a chain of names, attributes and items at known places."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            path = _path(owner)
            return None if path is None else f"{path}.{name}"
        case ast.Subscript(value=owner, slice=ast.Constant(value=index)):
            path = _path(owner)
            return None if path is None else f"{path}[{index!r}]"
    return None


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
