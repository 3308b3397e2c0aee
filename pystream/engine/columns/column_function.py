"""ColumnFunction: a user function of an element that runs over columns instead."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode
from typeinfo.info import TypeInformation

__all__ = ["ColumnFunction", "on_fields"]


@dataclass(frozen=True, slots=True)
class ColumnFunction:
    """A user function with the forms in which it runs over columns, the fastest first.

    It is pickled as the user function of an operator.

    Attributes:
        payload: the pickled function, or the function object.
        element_type: type of the elements.
        expressions: its results, or its condition, as expressions of the columns; empty if there are none.
        fields: its code on fields; ``None`` if there is none.
    """

    payload: bytes
    element_type: TypeInformation[Any]
    expressions: tuple[Expression, ...]
    fields: FieldCode | None

    def load(self) -> Any:
        """Return the function, or the function object, in its own form."""
        return pickle.loads(self.payload)


def on_fields(call: Callable[[Any], Any], fields: FieldCode) -> Callable[..., Any]:
    """Return a function of the fields that are read.

    Args:
        call: the function of an element, or the method of a function object.
        fields: its code on fields.
    """
    if fields.code is None:
        return call
    function: Any = call.__func__ if isinstance(call, MethodType) else call
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in fields.code.co_freevars)
    names = function.__globals__
    made = FunctionType(fields.code, names, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return MethodType(made, call.__self__) if isinstance(call, MethodType) else made
