"""Follows statements: the variables after them, and what they return."""

from __future__ import annotations

import ast
import sys
from types import FunctionType
from typing import Any

from pystream.inference.attributes import attribute
from pystream.inference.expressions import Caller, Expressions
from pystream.inference.items import item
from pystream.inference.operators import binary
from pystream.inference.state import State, assume
from pystream.inference.unions import element_of
from pystream.inference.values import NONE, Closure, Static, Unknown, Value

__all__ = ["Body"]

_ROUNDS = 3  # of a loop, until its variables have settled


class Body(Expressions):
    """Follows the body of one function.

    Args:
        function: the function.
        caller: follows its calls.

    Attributes:
        returned: the values it returns.
    """

    def __init__(self, function: FunctionType, caller: Caller) -> None:
        super().__init__(function, caller)
        self.returned: list[Value] = []
        self._left: list[State] = []

    def follow(self, statements: list[ast.stmt], state: State) -> None:
        """Follow all statements of the function."""
        if self._run(statements, state) is not None:
            self.returned.append(NONE)

    def _run(self, statements: list[ast.stmt], state: State | None) -> State | None:
        """Return the variables after statements; ``None`` if they do not end."""
        for statement in statements:
            if state is None:
                return None
            state = self._statement(statement, state)
        return state

    def _statement(self, node: ast.stmt, state: State) -> State | None:
        value = self.value
        match node:
            case ast.Return(value=result):
                self.returned.append(NONE if result is None else value(state, result))
                return None
            case ast.Raise():
                return None
            case ast.Break() | ast.Continue():
                self._left.append(state)
                return None
            case ast.Expr(value=inner):
                value(state, inner)
            case ast.Assign(targets=targets, value=inner):
                found = value(state, inner)
                for target in targets:
                    self.bind(state, target, found)
            case ast.AnnAssign(target=target, value=ast.expr() as inner):
                self.bind(state, target, value(state, inner))
            case ast.AugAssign(target=target, op=sign, value=inner):
                found = binary(type(sign), value(state, target), value(state, inner))
                self.bind(state, target, found)
            case ast.AsyncWith(items=items, body=body):
                for one in items:
                    value(state, one.context_expr)
                    if one.optional_vars is not None:
                        self.bind(state, one.optional_vars, Unknown("uses what it enters"))
                return self._run(body, state)
            case ast.If():
                return self._if(node, state)
            case ast.For(target=target, iter=looped, body=body, orelse=orelse):
                element = element_of(value(state, looped))
                return self._run(orelse, self._loop(body, state, lambda s: self.bind(s, target, element)))
            case ast.While(test=test, body=body, orelse=orelse):
                return self._run(orelse, self._loop(body, state, lambda s: self._test(s, test)))
            case ast.With(items=items, body=body):
                for one in items:
                    entered = value(state, one.context_expr)
                    if one.optional_vars is not None:
                        given = self._caller.call(attribute(entered, "__enter__"), [], {})
                        self.bind(state, one.optional_vars, given)
                return self._run(body, state)
            case ast.Try():
                return self._try(node, state)
            case ast.Assert(test=test):
                value(state, test)
                assume(state, test, True, self.value)
            case ast.Match():
                return self._match(node, state)
            case ast.FunctionDef(name=name, args=parameters, body=body):
                state.set(name, Closure(self._function, parameters, body, state.names))
            case ast.AsyncFunctionDef(name=name, args=parameters, body=body):
                state.set(name, Closure(self._function, parameters, body, state.names, is_async=True))
            case ast.Import(names=aliases):
                for alias in aliases:
                    name = alias.name if alias.asname else alias.name.partition(".")[0]
                    state.set(alias.asname or name, _module(name))
            case ast.ImportFrom(module=str() as module, names=aliases, level=0):
                for alias in aliases:
                    state.set(alias.asname or alias.name, attribute(_module(module), alias.name))
            case ast.ClassDef(name=name):
                state.set(name, Unknown(f"uses {name}, a class of its own"))
        return state

    def _test(self, state: State, test: ast.expr) -> None:
        self.value(state, test)
        assume(state, test, True, self.value)

    def _if(self, node: ast.If, state: State) -> State | None:
        self.value(state, node.test)
        then, otherwise = state.copy(), state.copy()
        assume(then, node.test, True, self.value)
        assume(otherwise, node.test, False, self.value)
        return _joined(self._run(node.body, then), self._run(node.orelse, otherwise))

    def _loop(self, body: list[ast.stmt], state: State, enter: Any) -> State:
        """Follow a loop until its variables have settled; return those after any number of rounds."""
        around, self._left = self._left, []
        for _ in range(_ROUNDS):
            inner = state.copy()
            enter(inner)
            after = self._run(body, inner)
            for left in (*self._left, *([] if after is None else [after])):
                state = state.join(left)
            self._left = []
        self._left = around
        return state

    def _try(self, node: ast.Try, state: State) -> State | None:
        before = state.copy()
        after = self._run(node.orelse, self._run(node.body, state))
        for handler in node.handlers:
            inner = before.join(state).copy()
            if handler.name is not None:
                inner.set(handler.name, Unknown(f"uses the exception {handler.name}"))
            after = _joined(after, self._run(handler.body, inner))
        if node.finalbody and after is None:
            self._run(node.finalbody, before)
            return None
        return self._run(node.finalbody, after)

    def _match(self, node: ast.Match, state: State) -> State | None:
        subject = self.value(state, node.subject)
        after: State | None = None
        for case in node.cases:
            inner = state.copy()
            self._capture(inner, case.pattern, subject)
            after = _joined(after, self._run(case.body, inner))
            is_default = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            if is_default and case.guard is None:
                return after
        return _joined(after, state)

    def _capture(self, state: State, pattern: ast.pattern, subject: Value) -> None:
        """Bind the names of a pattern."""
        match pattern:
            case ast.MatchAs(name=name, pattern=inner):
                if inner is not None:
                    self._capture(state, inner, subject)
                if name is not None:
                    state.set(name, subject)
            case ast.MatchSequence(patterns=patterns):
                for at, inner in enumerate(patterns):
                    self._capture(state, inner, item(subject, Static(at)))
            case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
                for name, inner in zip(names, patterns, strict=True):
                    self._capture(state, inner, attribute(subject, name))
            case _:
                for node in ast.walk(pattern):
                    name = getattr(node, "name", None) or getattr(node, "rest", None)
                    if isinstance(name, str):
                        state.set(name, Unknown(f"uses {name}, which a pattern binds"))


def _joined(a: State | None, b: State | None) -> State | None:
    if a is None or b is None:
        return a or b
    return a.join(b)


def _module(name: str) -> Value:
    found = sys.modules.get(name)
    return Unknown(f"imports {name}") if found is None else Static(found)
