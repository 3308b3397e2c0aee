"""Value: a part of an expression, as a function of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.kinds import Kind, kind_of

__all__ = ["Evaluate", "Rule", "Scope", "Value", "constant", "strict"]

Evaluate: TypeAlias = Callable[[Sequence[Any]], Any]
"""A function of a row; it can be pickled, as it is made of functions of modules."""


@dataclass(frozen=True, slots=True)
class Value:
    """The values that an expression has.

    Attributes:
        evaluate: returns the value for a row, ``None`` for null.
        data_type: their type; nullable if they may be null.
        is_constant: whether they are the same for all rows.
    """

    evaluate: Evaluate
    data_type: DataType
    is_constant: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of their type."""
        kind = kind_of(self.data_type)
        assert kind is not None
        return kind

    @property
    def constant(self) -> Any:
        """The value for all rows."""
        return self.evaluate(())


class Scope(Protocol):
    """Where the parts of an expression get their values."""

    def value(self, node: exp.Expr) -> Value:
        """Return the values of an expression.

        Raises:
            NotEvaluatedError: it is not supported.
        """


Rule: TypeAlias = Callable[[Scope, Any], Value]
"""How expressions of one class are evaluated."""


def constant(value: Any, data_type: DataType) -> Value:
    """Return one value for all rows."""
    typed = data_type.nullable() if value is None else data_type.not_null()
    return Value(partial(_constant, value), typed, is_constant=True)


def _constant(value: Any, row: Sequence[Any]) -> Any:
    return value


def strict(
    function: Callable[..., Any], data_type: DataType, *arguments: Value, may_be_null: bool = False
) -> Value:
    """Return the results of a function that is null if an argument is null.

    Args:
        function: a function of the values of the arguments, without null.
        data_type: the type of its results.
        arguments: the arguments.
        may_be_null: whether it returns null for values that are not.
    """
    is_nullable = may_be_null or any(argument.data_type.is_nullable for argument in arguments)
    typed = data_type.nullable() if is_nullable else data_type.not_null()
    evaluate = _strict(function, arguments)
    if all(argument.is_constant for argument in arguments):
        try:
            return constant(evaluate(()), typed)
        except (ArithmeticError, ValueError):
            pass  # an error only if there is a row
    return Value(evaluate, typed)


def _strict(function: Callable[..., Any], arguments: Sequence[Value]) -> Evaluate:
    match arguments:
        case [one]:
            return partial(_of_one, function, one.evaluate)
        case [one, other] if other.is_constant and other.constant is not None:
            return partial(_of_one_and_constant, function, one.evaluate, other.constant)
        case [one, other]:
            return partial(_of_two, function, one.evaluate, other.evaluate)
    return partial(_of_all, function, tuple(argument.evaluate for argument in arguments))


def _of_one(function: Callable[..., Any], one: Evaluate, row: Sequence[Any]) -> Any:
    value = one(row)
    return None if value is None else function(value)


def _of_one_and_constant(function: Callable[..., Any], one: Evaluate, other: Any, row: Sequence[Any]) -> Any:
    value = one(row)
    return None if value is None else function(value, other)


def _of_two(function: Callable[..., Any], one: Evaluate, other: Evaluate, row: Sequence[Any]) -> Any:
    left = one(row)
    if left is None:
        return None
    right = other(row)
    return None if right is None else function(left, right)


def _of_all(function: Callable[..., Any], arguments: Sequence[Evaluate], row: Sequence[Any]) -> Any:
    values = []
    for argument in arguments:
        value = argument(row)
        if value is None:
            return None
        values.append(value)
    return function(*values)
