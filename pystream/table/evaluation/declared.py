"""Calls of declared functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from sqlglot import exp

from pystream.table.evaluation.common_types import as_double
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value, constant, strict
from pystream.table.functions.declaration import Nulls, SqlFunction
from pystream.table.functions.kinds import Kind
from pystream.table.functions.values.calls import of_all_with_nulls

__all__ = ["declared_call"]

_CONVERSIONS: Mapping[str, Callable[[Value], Value]] = {"DOUBLE": as_double}
"""The conversions of arguments, by the types that are declared."""


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
    if function.python is None:
        raise NotEvaluatedError(node, f"{function.name} is not supported")
    given = [scope.value(part) for part in node.expressions]
    types = [value.data_type for value in given]
    complaint = function.refusal(types)
    if complaint is not None:
        raise NotEvaluatedError(node, complaint)
    arguments = [_argument(node, function, position, value) for position, value in enumerate(given)]
    data_type = function.result_type(types)
    if function.nulls == Nulls.AS_DECLARED:
        evaluate = partial(of_all_with_nulls, function.python, _evaluations(arguments))
        return Value(evaluate, data_type)
    return strict(function.python, data_type, *arguments, may_be_null=function.nulls == Nulls.AND_OTHERS)


def _evaluations(arguments: Sequence[Value]) -> tuple[Callable[..., object], ...]:
    return tuple(argument.evaluate for argument in arguments)


def _argument(node: exp.Anonymous, function: SqlFunction, position: int, value: Value) -> Value:
    literal = function.literals.get(position)
    if literal is not None:
        return _literal(node, function, position, value)
    if value.kind == Kind.NULL:
        return value
    (name, *others) = function.parameters.names_at(position)
    return value if others or name not in _CONVERSIONS else _CONVERSIONS[name](value)


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
