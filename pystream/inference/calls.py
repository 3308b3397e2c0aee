"""Follows calls: of classes, of functions by their annotations or their bodies, and of Python's own."""

from __future__ import annotations

import ast
import asyncio
import inspect
import operator
import sys
from dataclasses import replace
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, MethodType, ModuleType
from typing import Any

from pystream.inference.attributes import attribute, opaque
from pystream.inference.classes import made, names_of, row_of
from pystream.inference.contexts import RUNTIME, state_method, state_of
from pystream.inference.conversions import opened, type_of_value, typed
from pystream.inference.declarations import declared, declares
from pystream.inference.definitions import annotated_result, bound, kept_source, result_in_stubs
from pystream.inference.items import fields_of
from pystream.inference.methods import method_result
from pystream.inference.special import SPECIAL, gotten
from pystream.inference.state import State
from pystream.inference.statements import Body
from pystream.inference.unions import joined, joined_all
from pystream.inference.values import (
    NEVER,
    Awaitable,
    Bound,
    Closure,
    Instance,
    Items,
    Maybe,
    Provided,
    RowOf,
    StateOf,
    Static,
    Unknown,
    Value,
    present,
)
from typeinfo.composite import RecordTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.infer import type_of
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["Calls"]

_STEPS = 5_000  # expressions followed for one function
_DEPTH = 8  # of calls within calls


class Calls:
    """Follows the calls that one function makes."""

    def __init__(self) -> None:
        self._left = _STEPS
        self._running: list[Any] = []
        self._is_recursive = False
        self._attributes: dict[tuple[Static, str], Value] = {}
        self._states: dict[tuple[str, str], StateOf] = {}
        self._opened: set[Static] = set()
        self._known: list[TypeInformation[Any] | Unknown] = []

    def open(self, owner: Any) -> None:
        """Follow the ``open`` of a function object, once, which sets its attributes."""
        value = Static(owner)
        if value in self._opened:
            return
        self._opened.add(value)
        own = getattr(type(owner), "open", None)
        if own is not None and not own.__module__.startswith("pystream."):
            self.call(attribute(value, "open"), [RUNTIME], {})

    def settled(self) -> bool:
        """Start over with what is now known of attributes and states; return whether that is as before."""
        contents = [state.content for state in self._states.values() if not state.is_declared]
        known = [type_of_value(value) for value in (*self._attributes.values(), *contents)]
        before, self._known, self._left = self._known, known, _STEPS
        return known == before

    def get(self, owner: Value, name: str) -> Value:
        """Return an attribute of a value: of an object, what has been or is assigned to it."""
        owner = present(owner)
        if not isinstance(owner, Static):
            return attribute(owner, name)
        if (owner, name) not in self._attributes:
            if not _has(owner.value, name):
                return attribute(owner, name)
            self._attributes[owner, name] = _kept(attribute(owner, name))
        return self._attributes[owner, name]

    def set(self, owner: Value, name: str, value: Value) -> None:
        """Assign to an attribute of an object."""
        if isinstance(owner, Instance):
            owner.attributes[name] = joined(owner.attributes.get(name, NEVER), value)
        if not isinstance(owner, Static) or isinstance(owner.value, (type, ModuleType)):
            return
        has_value = (owner, name) in self._attributes or _has(owner.value, name)
        self._attributes[owner, name] = joined(self.get(owner, name), value) if has_value else value

    def step(self) -> bool:
        """Count an expression; return whether there are not too many."""
        self._left -= 1
        return self._left > 0

    def call(self, callee: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a call."""
        match callee:
            case Unknown():
                return callee
            case Maybe(value=inner):
                return self.call(inner, arguments, named)
            case Closure():
                names = {**callee.names, **bound(callee.parameters, (), {}, arguments, named)}
                return self._followed(callee.code, callee.body, names, is_async=callee.is_async)
            case Bound(owner=Provided() as owner, name=name):
                return self._provided(owner, name, arguments)
            case Bound(owner=StateOf() as state, name=name):
                return state_method(state, name, arguments)
            case Bound(owner=Instance(cls=asyncio.AbstractEventLoop), name="run_in_executor") if (
                len(arguments) > 1
            ):
                return Awaitable(self.call(arguments[1], arguments[2:], {}))
            case Bound(owner=RecordTypeInfo() as record, name="_replace" | "_asdict"):
                return record if callee.name == "_replace" else fields_of(record)
            case Bound(owner=owner, name=name, function=None):
                return method_result(present(owner), name, arguments)
            case Bound(owner=owner, function=FunctionType() as function):
                return self._function(function, [owner, *arguments], named)
            case Static(value=called):
                return self._object(called, arguments, named)
            case RowOf(names=None, parts=parts):
                return row_of(names_of(parts), arguments)
        found = attribute(callee, "__call__")
        return self.call(found, arguments, named) if isinstance(found, Bound) else opaque(callee)

    def call_with_others(self, callee: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a call with further arguments, of which nothing is known."""
        if isinstance(callee, Maybe):
            return self.call_with_others(callee.value, arguments, named)
        found = self.call(callee, arguments, named)
        return found if _is_of_one_type(callee, found) else Unknown("unpacks arguments that are not known")

    def _provided(self, owner: Provided, name: str, arguments: list[Value]) -> Value:
        """Return the result of a method of a context."""
        if name not in owner.states:
            return owner.results.get(name) or Unknown(f"calls .{name}() of the {owner.name}")
        descriptor = arguments[0].value if arguments and isinstance(arguments[0], Static) else None
        t = getattr(descriptor, "type_info", None)
        if not isinstance(t, TypeInformation):
            return Unknown("gets a state whose descriptor is not known")
        key = name, str(getattr(descriptor, "name", ""))
        if key not in self._states:
            get_aggregate = getattr(descriptor, "get_agg_function", None)
            if get_aggregate is None:
                self._states[key] = state_of(name, t)
            else:
                result = self.call(attribute(Static(get_aggregate()), "get_result"), [opened(t)], {})
                self._states[key] = StateOf(result, is_declared=True)
        return self._states[key]

    def _object(self, called: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        if declares(called):
            return declared(called, arguments, named)
        special = SPECIAL.get(called) if _is_hashable(called) else None
        if special is not None:
            try:
                return special(self, *arguments, **named)
            except (IndexError, TypeError, ValueError):  # other arguments, or given by name
                return opaque(Static(called))
        if isinstance(called, type):
            return made(self, called, arguments, named)
        if isinstance(called, partial):
            bound = [Static(argument) for argument in called.args]
            keywords = {name: Static(value) for name, value in called.keywords.items()}
            return self.call(Static(called.func), [*bound, *arguments], {**keywords, **named})
        if isinstance(called, MethodType) and isinstance(called.__func__, FunctionType):
            return self._function(called.__func__, [Static(called.__self__), *arguments], named)
        if isinstance(called, MethodDescriptorType) and arguments:
            owner = arguments[0] if not isinstance(arguments[0], Unknown) else _of_class(called.__objclass__)
            return method_result(present(owner), called.__name__, arguments[1:])
        if isinstance(called, BuiltinFunctionType):
            return result_in_stubs(called) or opaque(Static(called))
        if isinstance(called, FunctionType):
            return self._function(called, arguments, named)
        if isinstance(called, Row):
            return row_of(names_of([Static(name) for name in called]), arguments)
        if isinstance(called, (operator.itemgetter, operator.attrgetter)) and arguments:
            return gotten(called, arguments[0])
        inner = getattr(called, "__wrapped__", None)
        if isinstance(inner, FunctionType):
            return self._function(inner, arguments, named)
        found = attribute(Static(called), "__call__")
        return self.call(found, arguments, named) if isinstance(found, Bound) else opaque(Static(called))

    def _function(self, function: FunctionType, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a function written in Python: by its annotation, or else its body."""
        known = result_in_stubs(function) or annotated_result(function)
        if known is not None:
            is_own = bool(arguments) and isinstance(arguments[0], Static) and arguments[0] in self._opened
            if is_own:
                self._inlined(function, arguments, named)  # it may set attributes
            return known
        if function.__module__.partition(".")[0] in sys.stdlib_module_names:
            return opaque(Static(function))
        return self._inlined(function, arguments, named)

    def _inlined(self, function: FunctionType, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a function by following its body, if that is known."""
        source = kept_source(function)
        if source is None:
            return Unknown(f"calls {function.__qualname__}, whose source is not available")
        flags = function.__code__.co_flags
        if flags & inspect.CO_ASYNC_GENERATOR:
            return Unknown(f"calls {function.__qualname__}, which is an asynchronous generator")
        defaults, named_defaults = function.__defaults__ or (), function.__kwdefaults__ or {}
        names = bound(source.arguments, defaults, named_defaults, arguments, named)
        return self._followed(function, source.body, names, is_async=bool(flags & inspect.CO_COROUTINE))

    def _followed(
        self, function: FunctionType, body: list[ast.stmt], names: dict[str, Value], *, is_async: bool
    ) -> Value:
        """Return the result of a body.

        Args:
            function: the function that contains it.
            body: the statements.
            names: its parameters, and the variables around it.
            is_async: whether a call returns a coroutine.
        """
        if body in self._running:
            self._is_recursive = True
            return NEVER  # what it returns otherwise
        if len(self._running) >= _DEPTH:
            return Unknown(f"calls {function.__qualname__}, too deep within other calls")
        self._running.append(body)
        try:
            followed = Body(function, self)
            followed.follow(body, State(names))
        finally:
            self._running.pop()
        if followed.yielded:
            return Items(joined_all(followed.yielded))
        result = joined_all(followed.returned)
        is_recursive = self._is_recursive
        self._is_recursive = is_recursive and bool(self._running)
        if result is NEVER and is_recursive:
            return Unknown(f"calls {function.__qualname__}, which calls itself")
        return Awaitable(result) if is_async else result


def _is_of_one_type(callee: Value, result: Value) -> bool:
    """Return whether results of a call have the same type whatever the arguments are."""
    match callee:
        case Closure() | Static(value=partial()):
            return False
        case Static(value=called) if _is_hashable(called) and called in SPECIAL:
            return called in _OF_ONE_TYPE
        case Static(value=type() as cls):
            is_generic = cls is Row or bool(getattr(cls, "__parameters__", ()))
            return not is_generic and isinstance(result, (Instance, TypeInformation))
        case Static(value=FunctionType(__annotations__=annotations)):
            return "return" in annotations
        case Bound(function=FunctionType(__annotations__=annotations)):
            return "return" in annotations
    return True


_OF_ONE_TYPE = (replace, print, range)


def _has(value: Any, name: str) -> bool:
    """Return whether an object, which is neither a class nor a module, has an attribute of its own."""
    return not isinstance(value, (type, ModuleType)) and name in getattr(value, "__dict__", {})


def _kept(value: Value) -> Value:
    """Return what is known of an attribute, so that changes of a list, set or dict are kept."""
    return typed(value) if isinstance(value, Static) and type(value.value) in _CHANGEABLE else value


_CHANGEABLE = (list, set, dict)


def _is_hashable(value: Any) -> bool:
    return isinstance(value, (type, BuiltinFunctionType, FunctionType))


def _of_class(cls: type[Any]) -> Value:
    try:
        return opened(type_of(cls))
    except TypeInferenceError:
        return Instance(cls)
