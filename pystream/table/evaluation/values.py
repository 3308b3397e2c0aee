"""Value: a part of an expression, as a function of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Any, Protocol, TypeAlias

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values.calls import (
    Evaluate,
    of_all,
    of_constant,
    of_one,
    of_one_and_constant,
    of_two,
)

__all__ = ["Rule", "Scope", "Value", "constant", "strict"]


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
    """Where the parts of an expression get their values.

    Attributes:
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if it is not known.
        is_repeatable: whether all declared functions so far return the same for the same arguments.
    """

    zone: tzinfo | None
    is_repeatable: bool

    def value(self, node: exp.Expr) -> Value:
        """Return the values of an expression.

        Raises:
            NotEvaluatedError: it is not supported.
        """
        ...


Rule: TypeAlias = Callable[[Scope, Any], Value]
"""How expressions of one class are evaluated."""


def constant(value: Any, data_type: DataType) -> Value:
    """Return one value for all rows."""
    typed = data_type.nullable() if value is None else data_type.not_null()
    return Value(partial(of_constant, value), typed, is_constant=True)


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
            return partial(of_one, function, one.evaluate)
        case [one, other] if other.is_constant and other.constant is not None:
            return partial(of_one_and_constant, function, one.evaluate, other.constant)
        case [one, other]:
            return partial(of_two, function, one.evaluate, other.evaluate)
    return partial(of_all, function, tuple(argument.evaluate for argument in arguments))
