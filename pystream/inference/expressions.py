"""Follows expressions: each has a value, of which the type may be known."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, Protocol

from pystream.inference.conversions import typed
from pystream.inference.items import add_entry, item, set_item, sliced
from pystream.inference.operators import binary, unary
from pystream.inference.signatures import value_of
from pystream.inference.state import State, assume, falsy
from pystream.inference.unions import element_of, joined, joined_all
from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    Closure,
    DictOf,
    Items,
    ListOf,
    Never,
    SetOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    present,
)
from pystream.lifting.frame import outer_value
from pystream.lifting.kinds import NotExact
from pystream.lifting.source import place_of

__all__ = ["Caller", "Expressions"]


class Caller(Protocol):
    """Follows calls."""

    def call(self, callee: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a call."""
        ...

    def call_with_others(self, callee: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a call with further arguments, of which nothing is known."""
        ...

    def get(self, owner: Value, name: str) -> Value:
        """Return an attribute of a value."""
        ...

    def set(self, owner: Value, name: str, value: Value) -> None:
        """Assign to an attribute of a value."""
        ...

    def step(self) -> bool:
        """Count an expression; return whether there are not too many."""
        ...


class Expressions:
    """Follows the expressions of one function.

    Args:
        function: the function.
        caller: follows its calls.

    Attributes:
        yielded: the values it has yielded.
    """

    def __init__(self, function: FunctionType, caller: Caller) -> None:
        self._function = function
        self._caller = caller
        self.yielded: list[Value] = []

    def value(self, state: State, node: ast.expr) -> Value:
        """Return the value of an expression."""
        if not self._caller.step():
            return Unknown("is too long to be followed")
        known = state.known(node)
        if known is not None:
            return known
        follow: Callable[[State, Any], Value] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if follow is None:
            return self.unknown(node, f"contains {type(node).__name__.lower()}")
        value = follow(state, node)
        if isinstance(value, Unknown) and not value.place:
            return self.unknown(node, value.reason)
        return value

    def unknown(self, node: ast.AST, reason: str) -> Unknown:
        """Return a value of unknown type at a place."""
        code = self._function.__code__
        line: int = getattr(node, "lineno", 1)
        return Unknown(reason, place_of(code, code.co_firstlineno + line - 1))

    # Names and constants

    def _constant(self, state: State, node: ast.Constant) -> Value:
        return Static(node.value)

    def _name(self, state: State, node: ast.Name) -> Value:
        name = node.id
        if name in state.names:
            return state.names[name]
        function = self._function
        try:
            return Static(
                outer_value(name, function.__code__, function.__closure__ or (), function.__globals__)
            )
        except NotExact as error:
            return Unknown(str(error))

    def _namedexpr(self, state: State, node: ast.NamedExpr) -> Value:
        value = self.value(state, node.value)
        state.set(node.target.id, value)
        return value

    def _lambda(self, state: State, node: ast.Lambda) -> Value:
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        return Closure(self._function, node.args, body, state.names)

    # Operators

    def _binop(self, state: State, node: ast.BinOp) -> Value:
        return binary(type(node.op), self.value(state, node.left), self.value(state, node.right))

    def _unaryop(self, state: State, node: ast.UnaryOp) -> Value:
        value = self.value(state, node.operand)
        if isinstance(node.op, ast.Not):
            return value_of(bool)
        if isinstance(value, Static) and type(value.value) in (int, float) and isinstance(node.op, ast.USub):
            return Static(-value.value)
        return unary(type(node.op), value)

    def _compare(self, state: State, node: ast.Compare) -> Value:
        for operand in (node.left, *node.comparators):
            self.value(state, operand)
        return value_of(bool)

    def _boolop(self, state: State, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)
        inner = state.copy()
        result: Value = NEVER
        for operand in node.values[:-1]:
            value = self.value(inner, operand)
            result = joined(result, falsy(value) if is_and else present(value))
            assume(inner, operand, is_and, self.value)
        return joined(result, self.value(inner, node.values[-1]))

    def _ifexp(self, state: State, node: ast.IfExp) -> Value:
        self.value(state, node.test)
        then, otherwise = state.copy(), state.copy()
        assume(then, node.test, True, self.value)
        assume(otherwise, node.test, False, self.value)
        return joined(self.value(then, node.body), self.value(otherwise, node.orelse))

    # Parts

    def _attribute(self, state: State, node: ast.Attribute) -> Value:
        found = self._caller.get(self.value(state, node.value), node.attr)
        if getattr(found, "name", None) == "":  # a property
            return self._caller.call(found, [], {})
        return found

    def _subscript(self, state: State, node: ast.Subscript) -> Value:
        owner = self.value(state, node.value)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            bounds = [NONE if part is None else self.value(state, part) for part in parts]
            known = [part.value for part in bounds if isinstance(part, Static)]
            return sliced(owner, slice(*known) if len(known) == 3 else None)
        index = self.value(state, node.slice)
        if isinstance(owner, Static) and isinstance(owner.value, type):
            return owner  # a generic class with arguments
        return item(owner, index)

    def _starred(self, state: State, node: ast.Starred) -> Value:
        return Unknown("unpacks values")

    # Displays

    def _several(self, state: State, nodes: list[ast.expr]) -> list[Value] | Unknown:
        """Return the values of nodes, with those that are unpacked; unknown if their number is."""
        values: list[Value] = []
        for node in nodes:
            if not isinstance(node, ast.Starred):
                values.append(self.value(state, node))
                continue
            unpacked = typed(self.value(state, node.value))
            if not isinstance(unpacked, TupleOf):
                return self.unknown(node, "unpacks values of unknown number")
            values += unpacked.parts
        return values

    def _tuple(self, state: State, node: ast.Tuple) -> Value:
        values = self._several(state, node.elts)
        return values if isinstance(values, Unknown) else TupleOf(tuple(values))

    def _elements(self, state: State, nodes: list[ast.expr]) -> Value:
        return joined_all(
            element_of(self.value(state, node.value))
            if isinstance(node, ast.Starred)
            else self.value(state, node)
            for node in nodes
        )

    def _list(self, state: State, node: ast.List) -> Value:
        values = self._several(state, node.elts)
        if isinstance(values, Unknown):
            return ListOf(self._elements(state, node.elts))
        return ListOf(joined_all(values), parts=tuple(values))

    def _set(self, state: State, node: ast.Set) -> Value:
        return SetOf(self._elements(state, node.elts))

    def _dict(self, state: State, node: ast.Dict) -> Value:
        made, items = DictOf(NEVER, NEVER), dict[str, Value]()
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.value(state, value_node)
            if key_node is None:
                spread = present(value)
                if not isinstance(spread, DictOf):
                    return self.unknown(node, "unpacks a dict of unknown type")
                add_entry(made, spread.key, spread.value)
                items |= spread.items or {}
                continue
            key = self.value(state, key_node)
            if isinstance(key, Static) and isinstance(key.value, str):
                items[key.value] = value
            add_entry(made, key, value)
        made.items = items
        return made

    def _joinedstr(self, state: State, node: ast.JoinedStr) -> Value:
        return value_of(str)

    # Comprehensions

    def _listcomp(self, state: State, node: ast.ListComp) -> Value:
        return ListOf(self._comprehension(state, node.generators, lambda inner: self.value(inner, node.elt)))

    def _setcomp(self, state: State, node: ast.SetComp) -> Value:
        return SetOf(self._comprehension(state, node.generators, lambda inner: self.value(inner, node.elt)))

    def _generatorexp(self, state: State, node: ast.GeneratorExp) -> Value:
        return Items(self._comprehension(state, node.generators, lambda inner: self.value(inner, node.elt)))

    def _dictcomp(self, state: State, node: ast.DictComp) -> Value:
        entry = self._comprehension(
            state,
            node.generators,
            lambda inner: TupleOf((self.value(inner, node.key), self.value(inner, node.value))),
        )
        match entry:
            case TupleOf(parts=(key, value)):
                return DictOf(key, value)
        return entry

    def _comprehension(
        self, state: State, loops: list[ast.comprehension], evaluate: Callable[[State], Value]
    ) -> Value:
        inner = state.copy()
        for loop in loops:
            if loop.is_async:
                return Unknown("loops asynchronously")
            self.bind(inner, loop.target, element_of(self.value(inner, loop.iter)))
            for test in loop.ifs:
                self.value(inner, test)
                assume(inner, test, True, self.value)
        return evaluate(inner)

    # Assignment

    def bind(self, state: State, target: ast.expr, value: Value) -> None:
        """Assign a value to a target, or unpack it to several."""
        match target:
            case ast.Name():
                state.set(target.id, value)
            case ast.Starred(value=inner):
                self.bind(state, inner, ListOf(element_of(value)))
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(state, targets, typed(present(value)))
            case ast.Subscript(value=owner_node, slice=index_node):
                set_item(self.value(state, owner_node), self.value(state, index_node), value)
            case ast.Attribute(value=owner_node, attr=name):
                self._caller.set(self.value(state, owner_node), name, value)
                state.narrow(target, value)

    def _unpack(self, state: State, targets: list[ast.expr], value: Value) -> None:
        if isinstance(value, ListOf) and value.parts is not None:
            value = TupleOf(value.parts)
        starred = [target for target in targets if isinstance(target, ast.Starred)]
        if isinstance(value, TupleOf) and not starred and len(value.parts) == len(targets):
            for target, part in zip(targets, value.parts, strict=True):
                self.bind(state, target, part)
            return
        if not isinstance(value, (TupleOf, Unknown, Never)) and not starred:
            for at, target in enumerate(targets):
                found = item(value, Static(at))
                self.bind(state, target, element_of(value) if isinstance(found, Unknown) else found)
            return
        for target in targets:
            self.bind(state, target, ListOf(element_of(value)) if target in starred else element_of(value))

    # Calls

    def _call(self, state: State, node: ast.Call) -> Value:
        callee = self.value(state, node.func)
        arguments = self._several(state, node.args)
        is_known = isinstance(arguments, list) and all(keyword.arg for keyword in node.keywords)
        if isinstance(arguments, Unknown):
            arguments = []
        named = {
            keyword.arg: self.value(state, keyword.value)
            for keyword in node.keywords
            if keyword.arg is not None
        }
        call = self._caller.call if is_known else self._caller.call_with_others
        return call(callee, arguments, named)

    def _yield(self, state: State, node: ast.Yield) -> Value:
        self.yielded.append(NONE if node.value is None else self.value(state, node.value))
        return Unknown("uses what is sent to a generator")

    def _yieldfrom(self, state: State, node: ast.YieldFrom) -> Value:
        self.yielded.append(element_of(self.value(state, node.value)))
        return Unknown("uses the result of a generator")

    def _await(self, state: State, node: ast.Await) -> Value:
        awaited = self.value(state, node.value)
        if isinstance(awaited, Awaitable):
            return awaited.result
        return Unknown("awaits a result of unknown type")
