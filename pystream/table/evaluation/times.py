"""Sums and differences of times and intervals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.intervals import interval_of, is_interval
from pystream.table.evaluation.operands import local, zone_of
from pystream.table.evaluation.values import Scope, Value, constant, strict
from pystream.table.functions.kinds import Kind, fraction_digits
from pystream.table.functions.values import moments

__all__ = ["moved"]

_DATED = (Kind.DATE, Kind.TIMESTAMP)


def moved(scope: Scope, node: exp.Add | exp.Sub) -> Value:
    """Return the sum or difference of a time and an interval.

    Raises:
        NotEvaluatedError: the interval is not a literal, or cannot be added to the type of time.
    """
    interval, operand = node.right, node.left
    if is_interval(operand) and isinstance(node, exp.Add):
        interval, operand = operand, interval
    months, microseconds = interval_of(interval)
    if isinstance(node, exp.Sub):
        months, microseconds = -months, -microseconds
    value = scope.value(operand)
    if value.kind == Kind.DATE:
        days = abs(microseconds) // moments.DAY  # parts of days do not move a date
        microseconds = days * moments.DAY if microseconds > 0 else -days * moments.DAY
    if months:
        return _moved_by_months(scope, node, value, constant(months, DataTypes.INT()))
    return _moved(node, value, constant(microseconds, DataTypes.BIGINT()), microseconds)


def _moved_by_months(scope: Scope, node: exp.Expr, value: Value, months: Value) -> Value:
    if value.kind == Kind.TIME:
        raise _refusal(node, value, "no months are added to it")
    of_local = local(scope, node, value)
    if of_local.kind not in _DATED:
        raise _refusal(node, value, "no interval is added to it")
    return _as_before(
        scope, node, value, strict(moments.moved_by_months, of_local.data_type, of_local, months)
    )


def _as_before(scope: Scope, node: exp.Expr, value: Value, changed: Value) -> Value:
    """Return local times as instants, if the value that they were made of is one."""
    if value.kind != Kind.TIMESTAMP_LTZ:
        return changed
    return strict(partial(moments.instant_at, zone_of(scope, node)), value.data_type, changed)


def _moved(node: exp.Expr, value: Value, microseconds: Value, unit: int) -> Value:
    """Return a time moved by microseconds, which are a multiple of a unit."""
    mover = _mover(node, value)
    if value.kind != Kind.DATE and unit % 10 ** max(6 - fraction_digits(value.data_type), 0):
        raise _refusal(node, value, "cast to a type of more digits before adding parts of seconds")
    return strict(mover, value.data_type, value, microseconds)


def _mover(node: exp.Expr, value: Value) -> Callable[..., Any]:
    match value.kind:
        case Kind.DATE | Kind.TIMESTAMP:
            return moments.moved
        case Kind.TIME:
            return moments.time_moved
        case Kind.TIMESTAMP_LTZ:
            return moments.instant_moved
    raise _refusal(node, value, "no interval is added to it")


def _refusal(node: exp.Expr, value: Value, complaint: str) -> NotEvaluatedError:
    return NotEvaluatedError(node, f"{value.data_type.nullable()}: {complaint}")
