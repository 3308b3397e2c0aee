"""Static values: constants known at build time, and generators not yet consumed."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from types import ModuleType
from typing import Any, TypeAlias

from pystream.lifting.building import constant, struct
from pystream.lifting.expression import Expression
from pystream.lifting.imported import check_member
from pystream.lifting.kinds import NotExact

__all__ = [
    "COLLECTOR",
    "Generator",
    "Static",
    "Value",
    "is_plain",
    "lifted",
    "own_attribute",
    "read",
    "static_attribute",
    "fold_constants",
    "tuple_of",
]

_LONGEST = 1_000
_TOO_LARGE = "computes a constant that is too large"


@dataclass(frozen=True, slots=True)
class Static:
    """A value known when the plan is made.

    Attributes:
        value: the value.
        is_self: whether it is the object whose method is followed, which nothing followed can change.
    """

    value: Any
    is_self: bool = False


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator, returned by a generator function or made by a generator expression.

    It has no length, index or truth value, and is empty once it was read; so it is supported only where it
    is consumed at once.

    Attributes:
        elements: its elements, as a list.
    """

    elements: Expression


class _Collector:
    """The collector argument of a flat_map function, which supports nothing but ``collect``."""


COLLECTOR = Static(_Collector())

Value: TypeAlias = Expression | Static | Generator


def tuple_of(values: Sequence[Value]) -> Value:
    """Return a tuple of values.

    Raises:
        NotExact: they are known, and too many.
    """
    if not all(isinstance(value, Static) for value in values):
        return struct([lifted(value) for value in values])
    known = tuple(value.value for value in values if isinstance(value, Static))
    if extent(known) > _LONGEST:
        raise NotExact(_TOO_LARGE)
    return Static(known)


def lifted(value: Value) -> Expression:
    """Return a value as an expression.

    Raises:
        NotExact: it is known, but is no plain constant; or it is a generator.
    """
    if isinstance(value, Generator):
        raise NotExact("uses a generator as a value; read it where it is made, or make a list of it")
    return constant(value.value) if isinstance(value, Static) else value


def read(value: Value) -> Expression:
    """Return a value that is read from its beginning to its end at once, a generator as a list.

    Raises:
        NotExact: it is known, but is no plain constant.
    """
    return value.elements if isinstance(value, Generator) else lifted(value)


_PLAIN = (int, float, bool, str, bytes, type(None))


def is_plain(value: object) -> bool:
    """Return whether a value is immutable and operations on it have no effects."""
    if type(value) in (tuple, frozenset):
        return all(map(is_plain, value))  # type: ignore[call-overload]
    return type(value) in _PLAIN or isinstance(value, Enum) or type(value).__module__ == "datetime"


def own_attribute(owner: Any, name: str) -> Static:
    """Return an attribute that an object holds, or a constant of its class.

    Raises:
        NotExact: looking it up runs code, or the value may change.
    """
    cls = type(owner)
    label = f"self.{name}"
    found = inspect.getattr_static(cls, name, None)
    if hasattr(cls, "__getattr__") or cls.__getattribute__ is not object.__getattribute__:  # type: ignore[comparison-overlap]
        raise NotExact(f"uses {label} of {cls.__name__}, which looks up attributes in its own way")
    if hasattr(type(found), "__get__"):
        raise NotExact(f"uses {label}, which is computed")
    held = getattr(owner, "__dict__", {})
    if name not in held and found is None:
        raise NotExact(f"uses {label}, which is not set before it runs")
    value = held.get(name, found)
    if not is_plain(value):
        raise NotExact(f"uses {label}, a {type(value).__name__}, which may change")
    if name not in held:
        check_member(cls, name, value)
    return Static(value)


def static_attribute(owner: Any, name: str) -> Static:
    """Return an attribute of a module, class or constant, looked up without running code.

    Raises:
        NotExact: there is none, or it is computed.
    """
    if isinstance(owner, Enum):
        if name not in ("name", "value") or any(
            name in vars(cls) for cls in type(owner).__mro__ if cls.__module__ != "enum"
        ):
            raise NotExact(f"uses .{name} of {type(owner).__name__}, which is computed")
        return Static(owner.name if name == "name" else owner.value)
    if isinstance(owner, type) and issubclass(owner, Enum) and name in owner.__members__:
        return Static(owner.__members__[name])
    if isinstance(owner, (ModuleType, type)):
        found = inspect.getattr_static(owner, name, _MISSING)
        found = found.__func__ if isinstance(found, staticmethod) else found
        if found is _MISSING:
            raise NotExact(f"uses .{name}, which {owner.__name__} does not have")
        if isinstance(found, (property, classmethod)):
            raise NotExact(f"uses .{name} of {owner.__name__}, which is computed")
        check_member(owner, name, found)
        return Static(found)
    if not is_plain(owner) or not hasattr(owner, name):
        raise NotExact(f"uses .{name} of {type(owner).__name__}, which may change")
    return Static(getattr(owner, name))


_MISSING = object()


def fold_constants(operation: Callable[..., Any], *operands: Any) -> Static:
    """Return the result of an operation on constants.

    Raises:
        NotExact: it fails, or its result is too large to be computed here.
    """
    if not all(map(is_plain, operands)):
        raise NotExact("computes with values that may change")
    if _extent_of(operation, *operands) > _LONGEST:
        raise NotExact(_TOO_LARGE)
    try:
        return Static(operation(*operands))
    except Exception as error:  # noqa: BLE001 - the same error is raised in Python, for each element
        raise NotExact(f"always fails: {type(error).__name__}: {error}") from None


def _extent_of(operation: Callable[..., Any], *operands: Any) -> int:
    """Return the largest size of an operation's result, in characters, digits or parts."""
    match operation, operands:
        case (operator.pow | operator.lshift, (int() as base, int() as exponent)):
            return max(base.bit_length(), 1) * abs(exponent)
        case (operator.mul, (int() as count, sized) | (sized, int() as count)) if not isinstance(sized, int):
            return extent(sized) * abs(count)
        case (operator.add | operator.mul, _):
            return sum(map(extent, operands))
    return 0


def extent(value: object) -> int:
    """Return the size of a plain value, in characters, digits or parts."""
    match value:
        case tuple() | frozenset():
            return 1 + sum(map(extent, value))
        case str() | bytes():
            return len(value)
        case int():
            return value.bit_length()
    return 1
