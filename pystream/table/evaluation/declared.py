"""Calls of declared functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.common_types import as_double, widened
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value, constant, strict
from pystream.table.functions.conversion import conversion
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import Kind
from pystream.table.functions.parameters import Parameters
from pystream.table.functions.values.calls import of_all_with_nulls, of_lazy
from pystream.table.functions.values.conversions import same
from pystream.table.sql.expression_types import literals_of

__all__ = ["declared_call"]

_WITH_NULLS: Mapping[Nulls, Callable[..., Any]] = {
    Nulls.AS_DECLARED: of_all_with_nulls,
    Nulls.LAZILY: of_lazy,
}
"""The compositions of functions that handle nulls themselves."""


def declared_call(scope: Scope, node: exp.Anonymous, function: SqlFunction) -> Value:
    """Return the results of a declared function.

    Args:
        scope: where its arguments get their values.
        node: the call.
        function: the function.

    Raises:
        NotEvaluatedError: only Spark computes it, it does not take the arguments, or one of them is not
            supported.
    """
    if not function.is_local:
        raise NotEvaluatedError(node, f"{function.name} is not supported")
    given = [scope.value(part) for part in node.expressions]
    types = [value.data_type for value in given]
    form = function.form_for(types)
    if form is None:
        raise NotEvaluatedError(node, str(function.refusal(types)))
    arguments = Arguments(types, literals_of(node), scope.zone)
    python = _python(node, function, arguments)
    converted = _converted(node, function, form, given)
    data_type = function.result_type(arguments)
    if function.nulls in _WITH_NULLS:
        evaluations = tuple(value.evaluate for value in converted)
        return Value(partial(_WITH_NULLS[function.nulls], python, evaluations), data_type)
    return strict(python, data_type, *converted, may_be_null=function.nulls == Nulls.AND_OTHERS)


def _python(node: exp.Anonymous, function: SqlFunction, arguments: Arguments) -> Callable[..., Any]:
    if function.python_for is None:
        assert function.python is not None
        return function.python
    try:
        return function.python_for(arguments)
    except ValueError as error:
        raise NotEvaluatedError(node, str(error)) from None


def _converted(
    node: exp.Anonymous, function: SqlFunction, form: Parameters, given: Sequence[Value]
) -> Iterator[Value]:
    """Yield the arguments of a form of a function as values of the types that it declares."""
    variable = form.variable([value.data_type for value in given]) if function.is_converted else None
    for position, value in enumerate(given):
        names = form.names_at(position)
        if position in function.literals:
            yield _literal(node, function, position, value)
        elif variable is not None and "T" in names:
            yield widened(value, variable)
        elif variable is not None and "ARRAY<T>" in names:
            yield _with_elements(node, value, variable)
        elif value.kind != Kind.NULL and names == ("DOUBLE",):
            yield as_double(value)
        else:
            yield value


def _with_elements(node: exp.Anonymous, value: Value, element: DataType) -> Value:
    """Return arrays with elements of another type."""
    data_type = DataTypes.ARRAY(element)
    convert = conversion(value.data_type, data_type)
    if convert is None:
        raise NotEvaluatedError(node, f"{value.data_type.nullable()} is not converted to {data_type}")
    return value if convert is same else strict(convert, data_type, value)


def _literal(node: exp.Anonymous, function: SqlFunction, position: int, value: Value) -> Value:
    if not value.is_constant or value.constant is None:
        raise NotEvaluatedError(
            node, f"argument {position + 1} of {function.name} must be a literal other than NULL here"
        )
    try:
        converted = function.literals[position](value.constant)
    except ValueError as error:
        raise NotEvaluatedError(node, str(error)) from None
    return constant(converted, value.data_type)
