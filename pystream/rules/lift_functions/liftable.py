"""Decide which user functions and results can be lifted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import cloudpickle

from pystream.lifting import Expression, NotLifted, has_aliases
from pystream.plan.function import UserFunction
from pystream.plan.nodes import OperatorNode
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = [
    "as_pickled",
    "declared_type",
    "liftable_part",
    "refusal_of_hooks",
    "refusal_of_undeclared",
    "sent",
]


def sent(function: UserFunction) -> Any:
    """Return a function, or function object, as pickled when the operator was added, or why it is another."""
    value: Any = cloudpickle.loads(function.payload)
    if getattr(value, "__code__", None) != getattr(function.value, "__code__", None):
        return NotLifted("has been replaced in its module since the operator was added")
    return value


def as_pickled(function: UserFunction, method: str) -> Callable[..., Any] | NotLifted:
    """Return the function that is called for each element, as pickled when the operator was added.

    Args:
        function: the function.
        method: the method that is called if it is an instance of a function class.
    """
    value = sent(function)
    if isinstance(value, NotLifted) or not function.is_object:
        called: Callable[..., Any] | NotLifted = value
        return called
    return refusal_of_hooks(value) or getattr(value, method)


def liftable_part(node: OperatorNode) -> Any:
    """Return what can be lifted of an operator that the engine describes, as pickled when it was added."""
    assert node.kind.liftable is not None
    return node.kind.liftable(cloudpickle.loads(node.function.payload))


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


def declared_type(type_info: TypeInformation[Any]) -> TypeInformation[Any] | None:
    """Return the type that results are validated against, ``None`` if there is none."""
    return None if isinstance(type_info, PickledBytesTypeInfo) else type_info


def refusal_of_undeclared(type_info: TypeInformation[Any], results: Iterable[Expression]) -> NotLifted | None:
    """Return the reason why results without a declared type are not lifted, ``None`` if they are.

    Args:
        type_info: the type of their expressions.
        results: the expressions.
    """
    if _has_unnamed_rows(type_info):
        return NotLifted("returns rows without names, which a table would give names")
    if any(map(has_aliases, results)):
        return NotLifted(
            "may return a result that contains one object twice, which stays one object unless the type is "
            "declared; declare output_type"
        )
    return None


def _has_unnamed_rows(type_info: TypeInformation[Any]) -> bool:
    if isinstance(type_info, RowTypeInfo) and type_info.field_names is None:
        return True
    return any(_has_unnamed_rows(slot.type) for slot in type_info.slots())
