"""Callees: the functions and classes that calls name."""

from __future__ import annotations

import ast
from collections.abc import Set as AbstractSet
from typing import Any

from pystream.lifting.frame import Frame
from pystream.lifting.kinds import NotExact
from pystream.lifting.members import static_attribute
from pystream.lifting.values import Static

__all__ = ["callee_of", "path_of"]


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
