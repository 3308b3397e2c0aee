"""ColumnForms: the forms in which the function of an operator runs over the columns of its elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode
from pystream.expressions.folds import Accumulation, Reduction
from typeinfo.info import TypeInformation

__all__ = ["ColumnForms", "on_fields"]


@dataclass(frozen=True, slots=True)
class ColumnForms:
    """The forms in which a function runs over the columns of elements, the fastest first.

    Attributes:
        element_type: type of the elements.
        expressions: its results, its condition, or its list of results, as expressions of the columns; empty
            if there are none.
        fields: its code on fields; ``None`` if there is none.
        fold: the fold of columns that it is; ``None`` if it is none.
        inferred: the type that its results are expected to have, if none is declared.
    """

    element_type: TypeInformation[Any]
    expressions: tuple[Expression, ...] = ()
    fields: FieldCode | None = None
    fold: Reduction | Accumulation | None = None
    inferred: TypeInformation[Any] | None = None


def on_fields(call: Callable[..., Any], fields: FieldCode) -> Callable[..., Any]:
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
