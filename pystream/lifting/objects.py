"""Known objects: their attributes and methods, and the functions and classes that calls name."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Set as AbstractSet
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

from pystream.lifting.constants import is_plain
from pystream.lifting.frame import Frame
from pystream.lifting.imported import check_member
from pystream.lifting.kinds import NotExact
from pystream.lifting.values import Static

__all__ = ["callee_of", "own_attribute", "own_method", "path_of", "static_attribute"]


def own_attribute(owner: Any, name: str) -> Static:
    """Return an attribute of an object whose method is lifted, or a constant of its class.

    Raises:
        NotExact: looking it up runs code, or the value may change.
    """
    cls = type(owner)
    label = f"self.{name}"
    found = inspect.getattr_static(cls, name, None)
    if hasattr(cls, "__getattr__") or cls.__getattribute__ is not object.__getattribute__:  # type: ignore[comparison-overlap]
        raise NotExact(f"uses {label} of {cls.__name__}, which overrides the lookup of attributes")
    if hasattr(type(found), "__get__"):
        raise NotExact(f"uses {label}, which is computed")
    held = getattr(owner, "__dict__", {})
    if name not in held and found is None:
        raise NotExact(f"uses {label}, which is not set before it runs")
    value = held.get(name, found)
    if not (is_plain(value) or (name in held and isinstance(value, FunctionType))):
        raise NotExact(f"uses {label}, a {type(value).__name__}, which may change")
    if name not in held:
        check_member(cls, name, value)
    return Static(value)


def own_method(owner: Any, name: str) -> FunctionType | staticmethod[..., Any]:
    """Return a method that another method of the same object calls; it is written in the object's class.

    Raises:
        NotExact: the object may find another one.
    """
    cls = type(owner)
    found = inspect.getattr_static(cls, name, None)
    if (
        name in getattr(owner, "__dict__", {})
        or not isinstance(found, FunctionType | staticmethod)
        or cls.__getattribute__ is not object.__getattribute__  # type: ignore[comparison-overlap]
    ):
        raise NotExact(f"calls self.{name}(), which is not a method written in its class")
    return found


def static_attribute(owner: Any, name: str) -> Static:
    """Return an attribute of a module, class or constant; no user code runs.

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


def callee_of(node: ast.expr, frame: Frame, bound: AbstractSet[str]) -> Any:
    """Return the function or class that a call names, as ``Order`` or ``model.Order``.

    Args:
        node: the name.
        frame: the outer variables of the function that calls it.
        bound: the names that this function binds.

    Raises:
        NotExact: it is not certain to be the same at each call.
    """
    match node:
        case ast.Name(id=name) if name not in bound:
            found = frame.look_up(name)
            return found.value if isinstance(found, Static) else None
        case ast.Attribute(value=owner, attr=name):
            return static_attribute(callee_of(owner, frame, bound), name).value
    raise NotExact("calls a function that has no name, or one that may change")


def path_of(node: ast.expr) -> tuple[str, ...]:
    """Return the parts of a name, such as ``model.Order``, that `callee_of` finds."""
    if isinstance(node, ast.Attribute):
        return *path_of(node.value), node.attr
    assert isinstance(node, ast.Name)
    return (node.id,)
