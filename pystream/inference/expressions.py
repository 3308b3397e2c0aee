"""Follows expressions: each has a value, of which the type may be known."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Protocol

from pystream.inference.operations import binary, class_of, item, negated, sliced
from pystream.inference.signatures import value_of
from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    Closure,
    DictOf,
    Instance,
    Items,
    ListOf,
    Never,
    SetOf,
    StateOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    element_of,
    joined,
    joined_all,
    opened,
    present,
    typed,
)
from pystream.lifting.source import place_of
from typeinfo.composite import RecordTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.infer import type_of

__all__ = ["Caller", "Expressions", "State"]


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

    def become(self, other: State) -> None:
        """Take over the variables of another state."""
        self.names, self.narrowed = other.names, other.narrowed

    def join(self, other: State) -> State:
        """Return the variables where two branches meet."""
        names = {**self.names, **other.names}
        for name in self.names.keys() & other.names.keys():
            names[name] = joined(self.names[name], other.names[name])
        both = self.narrowed.keys() & other.narrowed.keys()
        return State(names, {path: joined(self.narrowed[path], other.narrowed[path]) for path in both})


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
        path = _path(node)
        if path is not None and path in state.narrowed:
            return state.narrowed[path]
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
        code = self._function.__code__
        if name in code.co_freevars:
            try:
                return Static((self._function.__closure__ or ())[code.co_freevars.index(name)].cell_contents)
            except (IndexError, ValueError):
                return Unknown(f"uses {name}, which is not set yet")
        globals_ = self._function.__globals__
        if name in globals_:
            return Static(globals_[name])
        builtins_: Any = globals_.get("__builtins__", {})
        found = builtins_ if isinstance(builtins_, dict) else vars(builtins_)
        return Static(found[name]) if name in found else Unknown(f"uses {name}, which is not defined")

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
        return negated(value)

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
            result = joined(result, _falsy(value) if is_and else present(value))
            self.assume(inner, operand, is_and)
        return joined(result, self.value(inner, node.values[-1]))

    def _ifexp(self, state: State, node: ast.IfExp) -> Value:
        self.value(state, node.test)
        then, otherwise = state.copy(), state.copy()
        self.assume(then, node.test, True)
        self.assume(otherwise, node.test, False)
        return joined(self.value(then, node.body), self.value(otherwise, node.orelse))

    def assume(self, state: State, test: ast.expr, holds: bool) -> None:
        """Narrow the values in a state by a test that holds there, or does not."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                self.assume(state, inner, not holds)
            case ast.BoolOp(op=sign, values=parts) if isinstance(sign, ast.And) is holds:
                for part in parts:
                    self.assume(state, part, holds)
            case ast.NamedExpr(target=target):
                self.assume(state, target, holds)
            case ast.Compare(left=left, ops=[sign], comparators=[ast.Constant(value=None)]):
                is_none = isinstance(sign, (ast.Is, ast.Eq)) is holds
                if isinstance(sign, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
                    value = self.value(state, left)
                    self._narrow(state, left, NONE if is_none else present(value))
            case ast.Call(func=ast.Name(id="isinstance"), args=[tested, cls]) if holds:
                self._narrow(state, tested, self._of_class(self.value(state, tested), self.value(state, cls)))
            case ast.Name() | ast.Attribute() | ast.Subscript() if holds:
                self._narrow(state, test, present(self.value(state, test)))

    def _of_class(self, value: Value, cls: Value) -> Value:
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

    def _narrow(self, state: State, node: ast.expr, value: Value) -> None:
        path = _path(node)
        if isinstance(node, ast.NamedExpr):
            path = node.target.id
        if path is not None:
            state.narrowed[path] = value

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
                made.key, made.value = joined(made.key, spread.key), joined(made.value, spread.value)
                items |= spread.items or {}
                continue
            key = self.value(state, key_node)
            if isinstance(key, Static) and isinstance(key.value, str):
                items[key.value] = value
            made.key, made.value = joined(made.key, key), joined(made.value, value)
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
                self.assume(inner, test, True)
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
                self._set_item(self.value(state, owner_node), self.value(state, index_node), value)
            case ast.Attribute(value=owner_node, attr=name):
                self._caller.set(self.value(state, owner_node), name, value)
                path = _path(target)
                if path is not None:
                    state.narrowed[path] = value

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

    def _set_item(self, owner: Value, index: Value, value: Value) -> None:
        if isinstance(owner, DictOf):
            owner.key, owner.value = joined(owner.key, index), joined(owner.value, value)
            if owner.items is not None and isinstance(index, Static):
                owner.items[index.value] = value
        elif isinstance(owner, ListOf):
            owner.set(index, value)
        elif isinstance(owner, StateOf) and not owner.is_declared:
            self._set_item(owner.content, index, value)

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


def _falsy(value: Value) -> Value:
    """Return a value as it is where it is false."""
    inner = present(value)
    if isinstance(inner, RecordTypeInfo) and inner.kind.has_attributes:
        cls = inner.record_class
        if not hasattr(cls, "__bool__") and not hasattr(cls, "__len__"):
            return NEVER if inner is value else NONE
    return value


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
