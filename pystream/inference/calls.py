"""Follows calls: of classes, of functions by their annotations or their bodies, and of Python's own."""

from __future__ import annotations

import ast
import asyncio
import copy
import inspect
import operator
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial, reduce
from types import BuiltinFunctionType, CodeType, FunctionType, MethodDescriptorType, MethodType, ModuleType
from typing import Any, Final

from pystream.inference.contexts import RUNTIME, state_method, state_of
from pystream.inference.declarations import declared, declares
from pystream.inference.expressions import State
from pystream.inference.generics import instance_of_generic
from pystream.inference.operations import attribute, binary, class_of, fields_of, item, method_result, name_of
from pystream.inference.signatures import FUNCTIONS, RANGE, value_of
from pystream.inference.statements import Body
from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    Bound,
    Closure,
    DictOf,
    Instance,
    Items,
    ListOf,
    Maybe,
    Provided,
    RowOf,
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
    type_of_value,
    typed,
)
from pystream.lifting.source import FunctionSource, source_of
from typeinfo.basic import LONG
from typeinfo.carried import VariadicTupleTypeInfo
from typeinfo.composite import RecordTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.functions import result_type
from typeinfo.infer import type_of
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row

__all__ = ["Calls"]

_STEPS = 5_000  # expressions followed for one function
_DEPTH = 8  # of calls within calls


class Calls:
    """Follows the calls that one function makes."""

    def __init__(self) -> None:
        self._left = _STEPS
        self._running: list[Any] = []
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
                return self._inlined(
                    callee.code, callee.parameters, callee.body, arguments, named, callee.names
                )
            case Bound(owner=Provided() as owner, name=name):
                return self._provided(owner, name, arguments)
            case Bound(owner=StateOf() as state, name=name):
                return state_method(state, name, arguments)
            case Bound(owner=RecordTypeInfo() as record, name="_replace" | "_asdict"):
                return record if callee.name == "_replace" else fields_of(record)
            case Bound(owner=owner, name=name, function=None):
                return method_result(present(owner), name, arguments)
            case Bound(owner=owner, function=FunctionType() as function):
                return self._function(function, [owner, *arguments], named)
            case Static(value=called):
                return self._object(called, arguments, named)
            case RowOf(names=None, parts=parts):
                return _row(_names(parts), arguments)
        found = attribute(callee, "__call__")
        return self.call(found, arguments, named) if isinstance(found, Bound) else _opaque(callee)

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
        special = _SPECIAL.get(called) if _is_hashable(called) else None
        if special is not None:
            return special(self, arguments, named)
        if isinstance(called, type):
            return _made(called, arguments, named)
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
            return _of_stubs(called) or _opaque(Static(called))
        if isinstance(called, FunctionType):
            return self._function(called, arguments, named)
        if isinstance(called, Row):
            return _row(_names([Static(name) for name in called]), arguments)
        if isinstance(called, (operator.itemgetter, operator.attrgetter)) and arguments:
            return _gotten(called, arguments[0])
        inner = getattr(called, "__wrapped__", None)
        if isinstance(inner, FunctionType):
            return self._function(inner, arguments, named)
        found = attribute(Static(called), "__call__")
        return self.call(found, arguments, named) if isinstance(found, Bound) else _opaque(Static(called))

    def _function(self, function: FunctionType, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a function written in Python: by its annotation, or else its body."""
        known = _of_stubs(function) or _annotated(function)
        if known is not None:
            is_own = bool(arguments) and isinstance(arguments[0], Static) and arguments[0] in self._opened
            if is_own and (source := _source(function)) is not None:  # it may set attributes
                self._inlined(function, source.arguments, source.body, arguments, named, {})
            return known
        if function.__module__.partition(".")[0] in sys.stdlib_module_names:
            return _opaque(Static(function))
        source = _source(function)
        if source is None:
            return Unknown(f"calls {function.__qualname__}, whose source is not available")
        return self._inlined(function, source.arguments, source.body, arguments, named, {})

    def _inlined(
        self,
        function: FunctionType,
        parameters: ast.arguments,
        body: list[ast.stmt],
        arguments: list[Value],
        named: dict[str, Value],
        around: dict[str, Value],
    ) -> Value:
        """Return the result of a function by following its body."""
        if body in self._running or len(self._running) >= _DEPTH:
            return Unknown(f"calls {function.__qualname__}, which calls itself")
        flags = function.__code__.co_flags
        if flags & inspect.CO_ASYNC_GENERATOR:
            return Unknown(f"calls {function.__qualname__}, which is an asynchronous generator")
        self._running.append(body)
        try:
            followed = Body(function, self)
            followed.follow(body, State({**around, **_bound(function, parameters, arguments, named)}))
        finally:
            self._running.pop()
        if followed.yielded:
            return Items(joined_all(followed.yielded))
        result = joined_all(followed.returned)
        return Awaitable(result) if flags & inspect.CO_COROUTINE else result


def _has(value: Any, name: str) -> bool:
    """Return whether an object, which is neither a class nor a module, has an attribute of its own."""
    return not isinstance(value, (type, ModuleType)) and name in getattr(value, "__dict__", {})


def _kept(value: Value) -> Value:
    """Return what is known of an attribute, so that changes of a list, set or dict are kept."""
    return typed(value) if isinstance(value, Static) and type(value.value) in _CHANGEABLE else value


_CHANGEABLE = (list, set, dict)


def _bound(
    function: FunctionType, parameters: ast.arguments, arguments: list[Value], named: dict[str, Value]
) -> dict[str, Value]:
    """Return the parameters of a call with their values."""
    positional = [parameter.arg for parameter in (*parameters.posonlyargs, *parameters.args)]
    defaults = function.__defaults__ or ()
    found: dict[str, Value] = {}
    for name in (*positional, *(parameter.arg for parameter in parameters.kwonlyargs)):
        found[name] = Unknown(f"uses its parameter {name}")
    if len(defaults) == len(parameters.defaults):
        for name, default in zip(positional[len(positional) - len(defaults) :], defaults, strict=True):
            found[name] = typed(Static(default))
    for name, default in (function.__kwdefaults__ or {}).items():
        if name in found:
            found[name] = typed(Static(default))
    found.update(zip(positional, arguments, strict=False))
    if parameters.vararg is not None:
        found[parameters.vararg.arg] = TupleOf(tuple(arguments[len(positional) :]))
    if parameters.kwarg is not None:
        others = {name: value for name, value in named.items() if name not in found}
        found[parameters.kwarg.arg] = DictOf(value_of(str), joined_all(others.values()), others)
    found.update((name, value) for name, value in named.items() if name in found)
    return found


_SOURCES: dict[CodeType, FunctionSource | None] = {}
_MOST_SOURCES = 1_000


def _source(function: FunctionType) -> FunctionSource | None:
    """Return the source of a function, kept by its code, which holds none of the values it captures."""
    code = function.__code__
    if code not in _SOURCES:
        if len(_SOURCES) >= _MOST_SOURCES:
            _SOURCES.clear()
        _SOURCES[code] = source_of(function)
    return _SOURCES[code]


def _annotated(function: FunctionType) -> Value | None:
    """Return the result of a function by its annotation, ``None`` if it states none."""
    if "return" not in function.__annotations__ and not hasattr(function, "__wrapped__"):
        return None
    found = result_type(function).type
    if found is not None:
        return None if isinstance(found, PickledBytesTypeInfo) else opened(found)
    element = result_type(function, unwrap_iterable=True).type
    return None if element is None or isinstance(element, PickledBytesTypeInfo) else Items(opened(element))


def _of_stubs(function: Any) -> Value | None:
    """Return the result of a function of Python's own."""
    owner = getattr(function, "__self__", None)
    module = function.__module__
    if owner is not None and not isinstance(owner, type) and module is None:
        module = type(owner).__module__
    if isinstance(owner, type):
        module = owner.__module__
    annotation = FUNCTIONS.get(f"{module}.{function.__qualname__}")
    return None if annotation is None else value_of(annotation)


def _opaque(callee: Value) -> Unknown:
    called = callee.value if isinstance(callee, Static) else None
    name = getattr(called, "__qualname__", None) or name_of(callee)
    return Unknown(f"calls {name}, whose result is not known")


def _is_hashable(value: Any) -> bool:
    return isinstance(value, (type, BuiltinFunctionType, FunctionType))


def _of_class(cls: type[Any]) -> Value:
    try:
        return opened(type_of(cls))
    except TypeInferenceError:
        return Instance(cls)


def _gotten(getter: Any, value: Value) -> Value:
    """Return the result of an ``itemgetter`` or ``attrgetter``."""
    _, wanted = getter.__reduce__()
    if isinstance(getter, operator.itemgetter):
        parts = [item(value, Static(one)) for one in wanted]
    else:
        parts = []
        for path in wanted:
            part = value
            for name in path.split("."):
                part = attribute(part, name)
            parts.append(part)
    return parts[0] if len(parts) == 1 else TupleOf(tuple(parts))


# Classes


def _made(cls: type[Any], arguments: list[Value], named: dict[str, Value]) -> Value:
    """Return an instance of a class."""
    if cls is Row:
        if named:
            return RowOf(tuple(named), tuple(named.values()))
        return RowOf(None, tuple(arguments))
    if cls is tuple and arguments and isinstance(typed(arguments[0]), TupleOf):
        return arguments[0]
    if cls in _CONTAINERS:
        element = element_of(arguments[0]) if arguments else NEVER
        return _CONTAINERS[cls](element)
    if cls is dict:
        return _dict(arguments, named)
    if cls is type:
        return Unknown("uses the class of a value")
    found = instance_of_generic(cls, arguments, named) or result_type(cls).type
    if found is None or isinstance(found, PickledBytesTypeInfo):
        return Instance(cls)
    return opened(found)


def _tuple_of_any_length(element: Value) -> Value:
    found = type_of_value(element)
    return VariadicTupleTypeInfo(found) if isinstance(found, TypeInformation) else found


_CONTAINERS: Final[dict[type[Any], Callable[[Value], Value]]] = {
    list: ListOf,
    set: SetOf,
    frozenset: partial(SetOf, frozen=True),
    tuple: _tuple_of_any_length,
}


def _dict(arguments: list[Value], named: dict[str, Value]) -> Value:
    made = DictOf(value_of(str) if named else NEVER, joined_all(named.values()), dict(named))
    for argument in map(typed, arguments):
        if isinstance(argument, DictOf):
            made.key, made.value = joined(made.key, argument.key), joined(made.value, argument.value)
            continue
        entry = element_of(argument)
        if not isinstance(entry, TupleOf) or len(entry.parts) != 2:
            return Unknown("makes a dict of entries of unknown type")
        made.key, made.value = joined(made.key, entry.parts[0]), joined(made.value, entry.parts[1])
    return made


def _names(parts: Any) -> tuple[str, ...] | None:
    names = tuple(part.value for part in parts if isinstance(part, Static) and type(part.value) is str)
    return names if len(names) == len(parts) else None


def _row(names: tuple[str, ...] | None, arguments: list[Value]) -> Value:
    if names is None or len(names) != len(arguments):
        return Unknown("calls a row, whose names are not known")
    return RowOf(names, tuple(arguments))


# Functions whose results depend on their arguments

Special = Callable[[Calls, list[Value], dict[str, Value]], Value]


def _extreme(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    found = element_of(arguments[0]) if len(arguments) == 1 else joined_all(arguments)
    return joined(found, named["default"]) if "default" in named else found


def _sum(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[0])
    start = named.get("start", arguments[1] if len(arguments) > 1 else value_of(int))
    return binary(ast.Add, start, element)


def _abs(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return value_of(int) if class_of(arguments[0]) in (int, bool) else present(arguments[0])


def _round(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    has_digits = len(arguments) > 1 or "ndigits" in named
    if class_of(present(arguments[0])) is float:
        return value_of(float if has_digits else int)
    return _abs(calls, arguments, named)


def _pow(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return binary(ast.Pow, *arguments[:2]) if len(arguments) > 1 else Unknown("calls pow")


def _divmod(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return TupleOf((binary(ast.FloorDiv, *arguments), binary(ast.Mod, *arguments)))


def _list(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return ListOf(element_of(arguments[0]))


def _items(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(element_of(arguments[0]))


def _enumerate(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(TupleOf((LONG, element_of(arguments[0]))))


def _zip(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(TupleOf(tuple(map(element_of, arguments))))


def _map(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(calls.call(arguments[0], list(map(element_of, arguments[1:])), {}))


def _filter(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[1])
    return Items(present(element) if arguments[0] == NONE else element)


def _next(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[0])
    return joined(element, arguments[1]) if len(arguments) > 1 else element


def _range(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return RANGE


def _print(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return NONE


def _same(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return typed(arguments[0])


def _asdict(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    record = present(arguments[0])
    return fields_of(record) if isinstance(record, RecordTypeInfo) else _opaque(Static(asdict))


def _reduced(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    function, elements, *start = arguments
    element = element_of(elements)
    first = joined_all(start) if start else element
    return joined(first, calls.call(function, [first, element], {}))


def _slept(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Awaitable(named.get("result", arguments[1] if len(arguments) > 1 else NONE))


def _in_thread(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Awaitable(calls.call(arguments[0], arguments[1:], named))


def _getattr(calls: Calls, arguments: list[Value], named: dict[str, Value]) -> Value:
    if len(arguments) == 2 and isinstance(arguments[1], Static) and type(arguments[1].value) is str:
        return attribute(arguments[0], arguments[1].value)
    return Unknown("reads an attribute whose name depends on a value")


_SPECIAL: Final[dict[Any, Special]] = {
    min: _extreme,
    max: _extreme,
    sum: _sum,
    abs: _abs,
    round: _round,
    pow: _pow,
    divmod: _divmod,
    sorted: _list,
    iter: _items,
    reversed: _items,
    enumerate: _enumerate,
    zip: _zip,
    map: _map,
    filter: _filter,
    next: _next,
    range: _range,
    print: _print,
    getattr: _getattr,
    reduce: _reduced,
    replace: _same,
    asdict: _asdict,
    copy.copy: _same,
    copy.deepcopy: _same,
    asyncio.sleep: _slept,
    asyncio.to_thread: _in_thread,
    asyncio.wait_for: _same,
}
