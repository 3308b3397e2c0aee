"""The operands of operators and functions, whose kinds are checked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import TypeAlias

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value, strict
from pystream.table.functions.kinds import INTEGERS, Kind, fraction_digits
from pystream.table.functions.values.moments import local_time

__all__ = ["arguments", "condition", "integer", "local", "text", "zone_of"]


Operand: TypeAlias = Callable[[Scope, exp.Expr], Value]


def _operand(name: str, kinds: tuple[Kind, ...]) -> Operand:
    def operand(scope: Scope, node: exp.Expr) -> Value:
        value = scope.value(node)
        if value.kind not in (*kinds, Kind.NULL):
            raise NotEvaluatedError(node, f"{name} is needed here, not {value.data_type.nullable()}")
        return value

    return operand


def arguments(node: exp.Anonymous, least: int, most: int | None = None) -> list[exp.Expr]:
    """Return the arguments of a function.

    Args:
        node: the call.
        least: how many there are at least.
        most: how many there are at most; ``least`` unless given.

    Raises:
        NotEvaluatedError: there are more or less.
    """
    given: list[exp.Expr] = node.expressions
    if not least <= len(given) <= (most or least):
        raise NotEvaluatedError(node, f"{node.name.upper()} does not take {len(given)} arguments")
    return given


def local(scope: Scope, node: exp.Expr, value: Value) -> Value:
    """Return instants as local times, and other values as they are.

    Raises:
        NotEvaluatedError: the time zone is not known.
    """
    if value.kind != Kind.TIMESTAMP_LTZ:
        return value
    data_type = DataTypes.TIMESTAMP(fraction_digits(value.data_type))
    return strict(partial(local_time, zone_of(scope, node)), data_type, value)


def zone_of(scope: Scope, node: exp.Expr) -> tzinfo:
    """Return the time zone of TIMESTAMP_LTZ.

    Raises:
        NotEvaluatedError: it is not known.
    """
    if scope.zone is None:
        raise NotEvaluatedError(
            node, "it depends on the time zone of TIMESTAMP_LTZ; set table.local-time-zone"
        )
    return scope.zone


condition: Operand = _operand("BOOLEAN", (Kind.BOOLEAN,))
"""Return the values of a condition; raise a NotEvaluatedError if it is none."""

integer: Operand = _operand("an integer", INTEGERS)
"""Return the values of an expression of integers; raise a NotEvaluatedError if it is none."""

text: Operand = _operand("text", (Kind.TEXT,))
"""Return the values of an expression of text; raise a NotEvaluatedError if it is none."""
