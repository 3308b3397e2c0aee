"""Intervals, and functions of dates and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import mul
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.common_types import retyped
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.intervals import interval_of, is_interval, unit_of
from pystream.table.evaluation.operands import integer, local, zone_of
from pystream.table.evaluation.values import Rule, Scope, Value, constant, strict
from pystream.table.functions.kinds import BEYOND, Kind, fraction_digits
from pystream.table.functions.values import moments
from pystream.table.functions.values.arithmetic import in_range
from pystream.table.functions.values.conversions import timestamp_of_date

__all__ = ["TIMES", "moved"]

_DATED = (Kind.DATE, Kind.TIMESTAMP)
_PARTS_OF_DAYS = ("MILLISECOND", "SECOND", "MINUTE", "HOUR")
_UNITS = (*_PARTS_OF_DAYS, "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM")


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
    if value.kind == Kind.DATE and unit % moments.DAY:
        raise _refusal(node, value, "cast to TIMESTAMP before adding hours, minutes or seconds")
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


def _added(scope: Scope, node: exp.TimestampAdd) -> Value:
    value, count, unit = scope.value(node.this), integer(scope, node.expression), unit_of(node)
    if unit in moments.MONTHS:
        months = strict(partial(mul, moments.MONTHS[unit]), DataTypes.BIGINT(), count)
        return _moved_by_months(scope, node, value, months)
    if unit not in moments.LENGTHS:
        raise NotEvaluatedError(node, f"the unit {unit} is not supported")
    length = moments.LENGTHS[unit]
    if value.kind == Kind.DATE and unit in _PARTS_OF_DAYS:
        value = retyped(_as_timestamp(value), DataTypes.TIMESTAMP(3 if unit == "MILLISECOND" else 0))
    return _moved(node, value, strict(partial(mul, length), DataTypes.BIGINT(), count), length)


def _difference(scope: Scope, node: exp.TimestampDiff | exp.DateDiff) -> Value:
    end, start, unit = scope.value(node.this), scope.value(node.expression), unit_of(node)
    kinds = {end.kind, start.kind}
    if kinds == set(_DATED):
        end, start = _as_timestamp(end), _as_timestamp(start)
        kinds = {Kind.TIMESTAMP}
    if len(kinds) != 1 or not kinds <= set(_DATED):
        types = f"{start.data_type.nullable()} and {end.data_type.nullable()}"
        raise NotEvaluatedError(node, f"TIMESTAMPDIFF of {types} is not supported")
    if unit in moments.MONTHS:
        function: Callable[..., int] = partial(moments.months_between, moments.MONTHS[unit])
    elif unit not in moments.LENGTHS:
        raise NotEvaluatedError(node, f"the unit {unit} is not supported")
    elif end.kind == Kind.DATE:
        function = partial(moments.days_between, moments.LENGTHS[unit])
    else:
        function = partial(moments.microseconds_between, moments.LENGTHS[unit])
    return strict(partial(_as_int, function), DataTypes.INT(), end, start)


def _as_int(difference: Callable[[Any, Any], int], end: Any, start: Any) -> int:
    units = difference(end, start)
    return in_range(units, BEYOND[Kind.INT], f"TIMESTAMPDIFF from {start} to {end}, {units},")


def _as_timestamp(value: Value) -> Value:
    return strict(timestamp_of_date, DataTypes.TIMESTAMP(0), value) if value.kind == Kind.DATE else value


def _extracted(scope: Scope, node: exp.Extract) -> Value:
    return _part(node, local(scope, node, scope.value(node.expression)), node.this.name.upper())


def _part(node: exp.Expr, value: Value, name: str) -> Value:
    parts: Mapping[str, Callable[[Any], int]] = {}
    if value.kind in _DATED:
        parts = moments.PARTS
    if value.kind in (Kind.TIMESTAMP, Kind.TIME):
        parts = {**parts, **moments.PARTS_OF_TIMES}
    if name not in parts:
        raise _refusal(node, value, f"EXTRACT({name} …) is not supported")
    return strict(parts[name], DataTypes.BIGINT(), value)


def _rounding_unit(node: exp.Floor | exp.Ceil, value: Value) -> str:
    unit: str = node.args["to"].name.upper()
    is_of_date = unit not in _PARTS_OF_DAYS
    if unit not in _UNITS or not (value.kind == Kind.TIMESTAMP or (value.kind == Kind.DATE and is_of_date)):
        raise _refusal(node, value, f"{node.sql_name()}(… TO {unit}) is not supported")
    return unit


def _floored(scope: Scope, node: exp.Floor) -> Value:
    value = scope.value(node.this)
    unit = node.args["to"].name.upper()
    if value.kind == Kind.TIME and unit in _PARTS_OF_DAYS:
        return strict(partial(moments.floored_time, unit), value.data_type, value)
    return _rounded(scope, node, value, moments.floored)


def _ceiled(scope: Scope, node: exp.Ceil) -> Value:
    return _rounded(scope, node, scope.value(node.this), moments.ceiled)


def _rounded(scope: Scope, node: exp.Floor | exp.Ceil, value: Value, function: Callable[..., Any]) -> Value:
    of_local = local(scope, node, value)
    unit = _rounding_unit(node, of_local)
    return _as_before(scope, node, value, strict(partial(function, unit), of_local.data_type, of_local))


TIMES: Mapping[type[exp.Expr], Rule] = {
    exp.Ceil: _ceiled,
    exp.DateDiff: _difference,
    exp.Extract: _extracted,
    exp.Floor: _floored,
    exp.TimestampAdd: _added,
    exp.TimestampDiff: _difference,
}
"""The rules for what the parser knows."""
