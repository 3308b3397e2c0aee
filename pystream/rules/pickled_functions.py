"""User functions as workers receive them, for lifting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cloudpickle

from pystream.lifting import NotLifted
from pystream.plan.function import UserFunction

__all__ = ["as_pickled", "refusal_of_hooks"]


def as_pickled(function: UserFunction, method: str) -> Callable[..., Any] | NotLifted:
    """Return the function that is called for each element, as pickled when the operator was added.

    Args:
        function: the function.
        method: the method that is called if it is an instance of a function class.
    """
    value: Any = cloudpickle.loads(function.payload)
    if getattr(value, "__code__", None) != getattr(function.value, "__code__", None):
        return NotLifted("has been replaced in its module since the operator was added")
    refusal = refusal_of_hooks(value) if function.is_object else None
    if refusal is not None:
        return refusal
    called: Callable[..., Any] = getattr(value, method) if function.is_object else value
    return called


def refusal_of_hooks(value: Any) -> NotLifted | None:
    """Return the reason why a function object with ``open`` or ``close`` is not lifted, else ``None``."""
    for hook in ("open", "close"):
        if _is_users_own(value, hook):
            return NotLifted(f"has {hook}(), which may have side effects")
    return None


def _is_users_own(value: Any, name: str) -> bool:
    if name in getattr(value, "__dict__", ()):
        return True
    owner = next((cls for cls in type(value).__mro__ if name in vars(cls)), None)
    return owner is not None and not owner.__module__.startswith("pystream.")
