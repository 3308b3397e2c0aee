"""Refuse functions whose calls only start: coroutines, and generators where a value is wanted."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from pystream.errors import PlanTypeError

__all__ = ["refuse_suspended"]

_VALUES = frozenset(
    {"map", "filter", "key_by", "reduce", "partition_custom", "window", "assign_timestamps_and_watermarks"}
)
"""The calls whose functions return one value."""

_CACHED: Any = type(functools.cache(len))


def refuse_suspended(func: Any, operator: str, description: str) -> None:
    """Check that calls of a function, or of the methods of a function object, run it to its end.

    The methods are those that the classes of the project declare. A method or function may be a generator
    where it returns any number of results, and only ``async_invoke`` and ``timeout`` may be coroutines.

    Args:
        func: the function or function object.
        operator: the user's call, for messages.
        description: the function, for messages.

    Raises:
        PlanTypeError: a call returns a coroutine, or a generator in place of a value.
    """
    plain = _plain(func)
    if inspect.isfunction(plain):
        _check(plain, operator, description, may_yield=operator not in _VALUES)
        return
    cls = type(plain)
    call = _plain(inspect.getattr_static(cls, "__call__", None))
    interface = _interface(cls)
    if not interface and inspect.isfunction(call):
        _check(call, operator, description, may_yield=operator not in _VALUES)
    for name, declared in interface.items():
        method = _plain(inspect.getattr_static(cls, name))
        if inspect.isfunction(method) and method is not declared:
            gives_many = str(declared.__annotations__.get("return", "")).startswith("Iterable")
            _check(method, operator, f"{name} of {description}", may_yield=gives_many)


def _plain(func: Any) -> Any:
    """Return the function inside partials, methods and caches."""
    while True:
        if isinstance(func, functools.partial):
            func = func.func
        elif isinstance(func, _CACHED):
            func = func.__wrapped__
        elif inspect.ismethod(func) or isinstance(func, (staticmethod, classmethod)):
            func = func.__func__
        else:
            return func


def _interface(cls: type[Any]) -> dict[str, Any]:
    """Return the methods that the project's own classes declare for functions of programs."""
    return {
        name: member
        for base in reversed(cls.__mro__[1:])
        if base.__module__.split(".")[0] == "pystream"
        for name, member in vars(base).items()
        if inspect.isfunction(member) and name not in ("async_invoke", "timeout") and name[0] != "_"
    }


def _check(function: Any, operator: str, description: str, *, may_yield: bool) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise PlanTypeError(
            f"{operator}: {description} is asynchronous, and nothing would await it; use AsyncDataStream, or "
            "leave out async"
        )
    if inspect.isgeneratorfunction(function) and not may_yield:
        raise PlanTypeError(
            f"{operator}: {description} is a generator, whose code would not run; return a value instead of "
            "yielding it"
        )
