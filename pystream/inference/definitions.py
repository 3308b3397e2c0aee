"""Functions as they are written: parameters, source, and the results that annotations and stubs state."""

from __future__ import annotations

import ast
from types import CodeType, FunctionType
from typing import Any

from pystream.inference.conversions import opened, typed
from pystream.inference.signatures import FUNCTIONS, value_of
from pystream.inference.unions import joined_all
from pystream.inference.values import DictOf, Items, Static, TupleOf, Unknown, Value
from pystream.lifting.source import FunctionSource, source_of
from typeinfo.functions import result_type
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["annotated_result", "bound", "kept_source", "result_in_stubs"]


def bound(
    parameters: ast.arguments,
    defaults: tuple[Any, ...],
    named_defaults: dict[str, Any],
    arguments: list[Value],
    named: dict[str, Value],
) -> dict[str, Value]:
    """Return the parameters of a call with their values.

    Args:
        parameters: the parameters.
        defaults: the defaults of the last ones that are given by position.
        named_defaults: the defaults of those that are given by name only.
        arguments: the arguments that are given by position.
        named: the arguments that are given by name.
    """
    positional = [parameter.arg for parameter in (*parameters.posonlyargs, *parameters.args)]
    found: dict[str, Value] = {}
    for name in (*positional, *(parameter.arg for parameter in parameters.kwonlyargs)):
        found[name] = Unknown(f"uses its parameter {name}")
    if len(defaults) == len(parameters.defaults):
        for name, default in zip(positional[len(positional) - len(defaults) :], defaults, strict=True):
            found[name] = typed(Static(default))
    for name, default in named_defaults.items():
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


def kept_source(function: FunctionType) -> FunctionSource | None:
    """Return the source of a function; it is kept by its code, which holds none of the values it captures."""
    code = function.__code__
    if code not in _SOURCES:
        if len(_SOURCES) >= _MOST_SOURCES:
            _SOURCES.clear()
        _SOURCES[code] = source_of(function)
    return _SOURCES[code]


def annotated_result(function: FunctionType) -> Value | None:
    """Return the result of a function by its annotation, ``None`` if it states none."""
    if "return" not in function.__annotations__ and not hasattr(function, "__wrapped__"):
        return None
    found = result_type(function).type
    if found is not None:
        return None if isinstance(found, PickledBytesTypeInfo) else opened(found)
    element = result_type(function, unwrap_iterable=True).type
    return None if element is None or isinstance(element, PickledBytesTypeInfo) else Items(opened(element))


def result_in_stubs(function: Any) -> Value | None:
    """Return the result of a function of Python's own."""
    owner = getattr(function, "__self__", None)
    module = function.__module__
    if owner is not None and not isinstance(owner, type) and module is None:
        module = type(owner).__module__
    if isinstance(owner, type):
        module = owner.__module__
    annotation = FUNCTIONS.get(f"{module}.{function.__qualname__}")
    return None if annotation is None else value_of(annotation)
