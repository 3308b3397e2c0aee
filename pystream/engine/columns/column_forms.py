"""ColumnForms: the forms in which the function of an operator runs over the columns of its elements."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode, HelperCode
from pystream.expressions.folds import Accumulation, Reduction
from typeinfo.info import TypeInformation

__all__ = ["ColumnForms", "is_original", "on_fields"]


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


def is_original(call: Callable[..., Any], fields: FieldCode) -> bool:
    """Return whether a function or method, and those it hands its element to, are those of code on fields."""
    return _has_code(call, fields.original, fields.helpers, getattr(call, "__self__", None))


def _has_code(function: Any, original: CodeType | None, helpers: Iterable[HelperCode], owner: object) -> bool:
    """Return whether a function, or a method of an owner, has this code, and its helpers have theirs."""
    if isinstance(function, MethodType):
        if function.__self__ is not owner:
            return False
        function = function.__func__
    if getattr(function, "__code__", None) != original:
        return False
    for helper in helpers:
        try:
            found = _called_by(function, helper.path, _cells_of(function), owner)
        except (AttributeError, KeyError, ValueError):  # no longer defined
            return False
        if not _has_code(found, helper.original, helper.helpers, owner):
            return False
    return True


def on_fields(call: Callable[..., Any], fields: FieldCode) -> Callable[..., Any]:
    """Return a function of the fields that are read.

    Args:
        call: the function of an element, or the method of a function object.
        fields: its code on fields.
    """
    if fields.code is None:
        return call
    if isinstance(call, MethodType):
        function: Any = call.__func__
        return MethodType(_with_code(function, fields.code, fields.helpers, call.__self__), call.__self__)
    plain: Any = call
    return _with_code(plain, fields.code, fields.helpers)


def _with_code(
    function: FunctionType, code: CodeType, helpers: Iterable[HelperCode], owner: object = None
) -> FunctionType:
    """Return a function, or one of an object's methods, with other code, which may call helpers."""
    cells = _cells_of(function)
    for helper in helpers:
        if helper.variable in code.co_freevars:
            found = _called_by(function, helper.path, cells, owner)
            original: FunctionType = getattr(found, "__func__", found)
            cells[helper.variable] = CellType(_with_code(original, helper.code, helper.helpers, owner))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _cells_of(function: FunctionType) -> dict[str, CellType]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def _called_by(
    function: FunctionType, path: tuple[str, ...], cells: dict[str, CellType], owner: object
) -> Any:
    """Return the function or method that a function calls by a name and attributes."""
    name, *attributes = path
    if name in function.__code__.co_varnames:
        first: Any = owner
    else:
        first = cells[name].cell_contents if name in cells else function.__globals__[name]
    return functools.reduce(getattr, attributes, first)
