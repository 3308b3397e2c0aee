"""Scalar replacement in reduce functions: code of the fields of both elements, which returns those of one.

The function must return one of its elements, or make a new one by a constructor that only stores its
arguments, of just the class that elements have, as its next call takes what it returned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any

from pystream.expressions.field_code import FieldCode
from pystream.lifting.bindings import bound_in, check_is_not_seen, names_in
from pystream.lifting.element_calls import function_to_replace, taken_names
from pystream.lifting.element_fields import ElementFields
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import NotExact
from pystream.lifting.lift import attempted
from pystream.lifting.recompiling import recompiled
from pystream.lifting.result_columns import ResultColumns
from pystream.lifting.returns import NotColumnsError, branches, returns_in
from pystream.lifting.source import FunctionSource
from typeinfo.composite import FieldsTypeInfo
from typeinfo.extended import is_immutable
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation

__all__ = ["replace_reduced"]


@attempted
def replace_reduced(
    function: Callable[..., Any], t: TypeInformation[Any], *, is_declared: bool = True
) -> FieldCode:
    """Replace the elements of a reduce function by their fields.

    Args:
        function: a function, lambda or bound method of two elements; it is never called.
        t: the type of the elements and of its results.
        is_declared: whether the program declares it: rows that lack names then get them.

    Returns:
        The code, which takes all fields of the first element, then those that are read of the second, and
        returns a list of fields; or the reason why the function needs whole elements.
    """
    if not isinstance(t, FieldsTypeInfo) or not has_columns(t):
        raise NotExact("takes elements without fields")
    for name, slot in zip(t.get_field_names(), t.slots(), strict=True):
        if not is_immutable(slot.type):
            raise NotExact(f"reads {name}, of {slot.type}, whose values can be changed")
    plain, source = function_to_replace(function)
    owner = function.__self__ if isinstance(function, MethodType) else None
    at = int(owner is not None)
    parameters = _parameters(source, at)
    check_is_not_seen(source.body)
    if not _always_returns(source.body):
        raise NotExact("may return None")
    taken = taken_names(plain.__code__, source)
    elements = [ElementFields(plain, source, parameter, t, taken, owner) for parameter in parameters]
    reduced, further = elements
    body = further.read_in(reduced.read_in(source.body))
    columns = ResultColumns(
        Frame.of(plain, {}),
        bound_in(body),
        [*reduced.names, *further.names],
        [slot.type for slot in t.slots()] * 2,
        t,
        {element.parameter: element.names for element in elements},
        is_state=True,
        by_name=not is_declared or reduced.by_name or further.by_name,
    )
    try:
        columns.of_state(body)
    except NotColumnsError:
        raise _escape(body, elements) or NotExact(_OTHER_RESULT) from None
    used = names_in(body)
    for element in elements:
        if element.whole is not None and element.parameter in used:
            raise element.whole
    read = tuple(position for position, name in enumerate(further.names) if name in used) or (0,)
    fields = {at: reduced.names, at + 1: [further.names[position] for position in read]}
    helpers = (*reduced.helpers, *further.helpers)
    others = [helper.variable for helper in helpers]
    code = recompiled(plain.__code__, source, fields, body, others)
    return FieldCode(code, read, plain.__code__, (None,) * t.get_arity(), helpers=helpers)


_OTHER_RESULT = (
    "returns neither one of its elements nor a new one, made of all fields in order by a call of their class,"
    " those of rows by name"
)


def _parameters(source: FunctionSource, at: int) -> list[str]:
    """Return the parameters that are elements."""
    arguments = source.arguments
    positional = [*arguments.posonlyargs, *arguments.args]
    more = positional[at + 2 :]
    if len(positional) < at + 2 or len(more) > len(arguments.defaults) or None in arguments.kw_defaults:
        raise NotExact("takes other arguments than two elements")
    return [parameter.arg for parameter in positional[at : at + 2]]


def _escape(body: list[ast.stmt], elements: Iterable[ElementFields]) -> NotExact | None:
    """Return the obstacle that statements use an element as a whole other than as their result."""
    values = [one.value for one in returns_in(body).found if one.value is not None]
    results = [result for value in values for result in branches(value)]
    names = [
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node not in results
    ]
    return next((element.whole for element in elements if element.parameter in names), None)


def _always_returns(body: list[ast.stmt]) -> bool:
    """Return whether statements certainly end with the return of a value, or raise."""
    match body[-1]:
        case ast.Return(value=value):
            return value is not None
        case ast.Raise():
            return True
        case ast.If(body=then, orelse=[_, *_] as otherwise):
            return _always_returns(then) and _always_returns(otherwise)
    return False
