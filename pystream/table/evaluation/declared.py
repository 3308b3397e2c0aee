"""Calls of declared functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.conversions import converted
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value, constant, strict
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.parameters import Parameters
from pystream.table.functions.values.calls import of_all, of_all_with_nulls, of_lazy
from pystream.table.sql.expression_types import call_arguments

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
        NotEvaluatedError: it does not take the arguments, or one of them is not supported.
    """
    given = [scope.value(part) for part in node.expressions]
    types = [value.data_type for value in given]
    form = function.form_for(types)
    if form is None:
        raise NotEvaluatedError(node, str(function.refusal(types)))
    arguments = replace(call_arguments(node, types), zone=scope.zone)
    python = _python(node, function, arguments)
    taken = tuple(_taken(scope, node, function, form, given))
    data_type = function.result_type(arguments)
    scope.is_repeatable = scope.is_repeatable and function.is_deterministic
    if function.nulls in _WITH_NULLS:
        evaluations = tuple(value.evaluate for value in taken)
        return Value(partial(_WITH_NULLS[function.nulls], python, evaluations), data_type)
    if not function.is_deterministic:
        return Value(partial(of_all, python, tuple(value.evaluate for value in taken)), data_type)
    return strict(python, data_type, *taken, may_be_null=function.nulls == Nulls.AND_OTHERS)


def _python(node: exp.Anonymous, function: SqlFunction, arguments: Arguments) -> Callable[..., Any]:
    if function.python_for is None:
        assert function.python is not None
        return function.python
    try:
        return function.python_for(arguments)
    except ValueError as error:
        raise NotEvaluatedError(node, str(error)) from None


def _taken(
    scope: Scope, node: exp.Anonymous, function: SqlFunction, form: Parameters, given: Sequence[Value]
) -> Iterator[Value]:
    """Yield the arguments that a function of values takes, as values of the types that are declared."""
    variable = form.variable([value.data_type for value in given]) if function.is_converted else None
    for position, value in enumerate(given):
        if form.is_constant(position):
            continue  # it is among the constants of the arguments
        if position in function.literals:
            yield _literal(node, function, position, value)
            continue
        target = None if variable is None else form.target_at(position, variable)
        if form.names_at(position) == ("DOUBLE",):
            target = DataTypes.DOUBLE()
        yield value if target is None else converted(scope, node, value, target)


def _literal(node: exp.Anonymous, function: SqlFunction, position: int, value: Value) -> Value:
    if value.is_constant and value.constant is None and function.nulls not in _WITH_NULLS:
        return value  # the result is null
    if not value.is_constant or value.constant is None:
        raise NotEvaluatedError(
            node, f"argument {position + 1} of {function.name} must be a literal other than NULL here"
        )
    try:
        converted = function.literals[position](value.constant)
    except ValueError as error:
        raise NotEvaluatedError(node, str(error)) from None
    return constant(converted, value.data_type)
