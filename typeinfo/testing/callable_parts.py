"""Functions taken apart, as each copy of one is another object."""

from __future__ import annotations

from functools import partial
from types import CellType, FunctionType, MethodType
from typing import Any

__all__ = ["callable_parts"]


def callable_parts(value: Any) -> list[Any] | None:
    """Return the parts that distinguish a function, method or ``partial``, ``None`` for other objects."""
    match value:
        case FunctionType():
            place = [value.__module__, value.__qualname__, value.__code__]
            return [*place, value.__defaults__, value.__kwdefaults__, value.__closure__]
        case CellType():
            try:
                return [value.cell_contents]
            except ValueError:  # it is not set yet
                return []
        case partial():
            return [value.func, value.args, value.keywords, vars(value)]
        case MethodType():
            return [value.__func__, value.__self__]
    return None
