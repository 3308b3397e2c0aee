"""Types, descriptors of states and output tags that functions make: inference makes these calls itself."""

from __future__ import annotations

from types import FunctionType
from typing import Any, Final

from pystream.inference.values import Closure, ListOf, Static, TupleOf, Unknown, Value
from typeinfo.errors import PyStreamError
from typeinfo.info import TypeInformation

__all__ = ["declared", "declares"]

_CLASSES: Final = ("pystream.engine.state.", "pystream.engine.output_tag")
_FACTORIES: Final = ("Types.", "RowAndTuple.")


def declares(called: Any) -> bool:
    """Return whether a function or class makes a type, the descriptor of a state or an output tag."""
    if isinstance(called, FunctionType):
        return called.__qualname__.startswith(_FACTORIES) and called.__module__.startswith("typeinfo.")
    if isinstance(called, type):
        return called.__module__.startswith(_CLASSES)
    return isinstance(called, TypeInformation)


def declared(called: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """Return what a call makes, if its arguments are known."""
    try:
        made = called(*map(_object, arguments), **{name: _object(value) for name, value in named.items()})
    except (PyStreamError, TypeError, _NotKnownError) as error:
        return Unknown(f"declares something by a call that is not followed: {error}")
    return Static(made)


class _NotKnownError(Exception):
    """An argument is not known."""


def _object(value: Value) -> Any:
    """Return an argument; for a function, which declares no type, a stand-in."""
    match value:
        case Static(value=known):
            return known
        case TupleOf(parts=parts):
            return tuple(map(_object, parts))
        case ListOf(parts=tuple() as parts):
            return list(map(_object, parts))
        case Closure():
            return _any_function
    raise _NotKnownError("an argument depends on a value")


def _any_function(*arguments: Any) -> Any:
    """Stand for a function that is defined within another one."""
