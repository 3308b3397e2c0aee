"""Scalar replacement: turn the code of a function of an element into that of a function of its fields.

The function must not let its element escape: it reads fields of it, as ``r.a``, ``r["a"]`` or ``r[0]``,
unpacks it, or hands it to functions that do only this. An element without fields is itself the only one, with
which the function may do anything. Where each of its results is made by a constructor that only stores its
arguments, these become the columns of the results. Everything else stays as it was written, at the same lines
of the same file.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode
from pystream.lifting.bindings import bound_in, check_is_not_seen, names_in
from pystream.lifting.element_calls import function_to_replace, taken_names
from pystream.lifting.element_fields import ElementFields
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import NotExact
from pystream.lifting.lift import NotLifted, attempted
from pystream.lifting.pure_columns import pure_columns
from pystream.lifting.recompiling import recompiled
from pystream.lifting.result_columns import ResultColumns
from typeinfo.composite import FieldsTypeInfo
from typeinfo.extended import is_immutable
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation

__all__ = ["replace_element"]


def replace_element(
    function: Callable[..., Any],
    element_type: TypeInformation[Any],
    result_type: TypeInformation[Any] | None,
    *,
    many: bool = False,
    others: int = 0,
    is_computed: Callable[[Expression], bool] = lambda expression: False,
    is_declared: bool = True,
) -> FieldCode | NotLifted:
    """Replace a function's element by its fields.

    Args:
        function: a function, lambda or bound method of one element; it is never called.
        element_type: the type of the element.
        result_type: the type of its result; ``None`` if that is no element, as the truth of a predicate.
        many: whether it returns, or generates, any number of results of this type.
        others: the number of arguments after the element.
        is_computed: returns whether an expression is to be computed apart from calls.
        is_declared: whether results are converted to the type of results.

    Returns:
        The code, or the reason why the function needs whole elements.
    """

    def code() -> FieldCode:
        replacement = _Replacement(function, element_type, result_type, many=many, others=others)
        return replacement.code(is_computed, is_declared=is_declared)

    if has_columns(element_type):
        return attempted(code)()
    if not is_immutable(element_type):
        return NotLifted(f"takes values of {element_type}, which can be changed")
    own = getattr(getattr(function, "__func__", function), "__code__", None)
    if result_type is None or not has_columns(result_type):
        results = (None,) if result_type is not None and is_immutable(result_type) else None
        return FieldCode(None, (0,), own, results)
    try:
        return code()
    except (NotExact, RecursionError):
        return FieldCode(None, (0,), own)


class _Replacement:
    """The replacement of the element of one function."""

    def __init__(
        self,
        function: Callable[..., Any],
        element_type: TypeInformation[Any],
        result_type: TypeInformation[Any] | None,
        *,
        many: bool,
        others: int,
    ) -> None:
        plain, source = function_to_replace(function, many=many)
        self._function = plain
        self._code = plain.__code__
        self._source = source
        self._owner = function.__self__ if isinstance(function, MethodType) else None
        self._at = int(self._owner is not None)
        self._element_type = element_type
        self._result_type = result_type
        self._many = many
        self._others = others
        self._fields: ElementFields | None = None
        self._parameter = self._element_parameter()
        self._frame = Frame.of(plain, {})

    def _element_parameter(self) -> str:
        arguments = self._source.arguments
        positional = [*arguments.posonlyargs, *arguments.args]
        others = len(positional) - self._at - 1
        if not self._others <= others <= self._others + len(arguments.defaults) or (
            None in arguments.kw_defaults
        ):
            raise NotExact("takes other arguments than one element")
        return positional[self._at].arg

    def code(self, is_computed: Callable[[Expression], bool], *, is_declared: bool) -> FieldCode:
        """Return the code of the function of fields."""
        body = self._source.body
        returns_only = _returns_only(body)
        check_is_not_seen(body)
        bound = bound_in(body)
        types, names = [self._element_type], [self._parameter]
        if isinstance(self._element_type, FieldsTypeInfo):
            types = [slot.type for slot in self._element_type.slots()]
            taken = taken_names(self._code, self._source)
            self._fields = ElementFields(
                self._function, self._source, self._parameter, self._element_type, taken, self._owner
            )
            names = self._fields.names
        columns: ResultColumns | None = None
        pure: tuple[Expression | None, ...] = ()
        if self._result_type is not None:
            elements = {self._parameter: names} if self._element_type == self._result_type else {}
            columns = ResultColumns(self._frame, bound, names, types, self._result_type, elements)
            if returns_only and not self._many:
                (statement,) = body
                assert isinstance(statement, ast.Return)
                pure = pure_columns(
                    self._function,
                    self._parameter,
                    self._element_type,
                    columns.written_in(statement.value),
                    is_computed,
                    is_declared=is_declared,
                )
        if self._fields is not None:
            body = self._fields.read_in(body)
            if self._fields.whole is not None and columns is None:
                raise self._fields.whole
        self._names, self._types, self._returns_only = names, types, returns_only
        whole = self._of_fields(copy.deepcopy(body), columns)
        if whole.results is not None and any(pure):
            reduced = attempted(self._of_fields)(body, columns, pure)
            if isinstance(reduced, FieldCode) and _has_both(reduced.results or ()):
                return whole._replace(reduced=reduced)
        return whole

    def _of_fields(
        self,
        body: list[ast.stmt],
        columns: ResultColumns | None,
        pure: tuple[Expression | None, ...] = (),
    ) -> FieldCode:
        """Return statements, whose reads of fields are replaced, as code of these fields."""
        results = None
        if columns is not None:
            results = columns.of_many(body) if self._many else columns.of_one(body, pure)
        used = names_in(body)
        if self._fields is not None and self._fields.whole is not None and self._parameter in used:
            raise self._fields.whole
        read = tuple(position for position, name in enumerate(self._names) if name in used)
        self._check_fields(read, self._types)
        is_called = not self._returns_only or results is None or None in results
        if is_called and not read:
            raise NotExact("reads no field of its element")
        fields = [self._names[position] for position in read]
        helpers = self._fields.helpers if self._fields is not None else ()
        others = [helper.variable for helper in helpers]
        compiled = recompiled(self._code, self._source, {self._at: fields}, body, others)
        return FieldCode(compiled, read, self._code, results, is_called, helpers=helpers)

    def _check_fields(self, read: Iterable[int], types: list[TypeInformation[Any]]) -> None:
        for position in read:
            if not is_immutable(types[position]):
                assert isinstance(self._element_type, FieldsTypeInfo)
                name = self._element_type.get_field_names()[position]
                raise NotExact(f"reads {name}, of {types[position]}, whose values can be changed")


def _has_both(results: tuple[int | Expression | None, ...]) -> bool:
    """Return whether some columns of results are expressions, and others computed by calls."""
    return None in results and any(isinstance(result, Expression) for result in results)


def _returns_only(body: list[ast.stmt]) -> bool:
    """Return whether a function does nothing but return a value, without a choice."""
    match body:
        case [ast.Return(value=value)]:
            return not isinstance(value, ast.IfExp)
    return False
