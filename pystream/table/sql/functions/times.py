"""Functions of dates and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.expression_types import is_a
from pystream.table.sql.functions.building import as_type, call, number, text, when

__all__ = ["NAMED_TIMES", "TIMES"]

_DType = exp.DType
_FIELDS = {"ISODOW": "DAYOFWEEK_ISO", "ISOYEAR": "YEAROFWEEK"}
_OF_FORMAT = "yyyy-MM-dd HH:mm:ss"


def _extract(node: exp.Extract) -> exp.Expr:
    field, value = node.this.name.upper(), node.expression
    if field == "MILLISECOND":
        return as_type(call("DATE_FORMAT", value, text("SSS")), _DType.BIGINT)
    if field == "EPOCH":
        return call("UNIX_SECONDS", as_type(value, _DType.TIMESTAMPLTZ))
    extracted = exp.Extract(this=exp.var(_FIELDS.get(field, field)), expression=value.copy())
    return as_type(extracted, _DType.BIGINT)


def _part(node: Any) -> exp.Expr:
    return as_type(node, _DType.BIGINT)


def _week(node: exp.Week) -> exp.Expr:
    return as_type(call("WEEKOFYEAR", node.this), _DType.BIGINT)


def _kind(value: Any) -> Any:
    return value.type if is_a(value, _DType.DATE, _DType.TIMESTAMPLTZ) else _DType.TIMESTAMPNTZ


def _floor(value: exp.Expr, unit: str) -> exp.Expr:
    if unit.upper() != "WEEK":
        return as_type(call("DATE_TRUNC", text(unit), value), _kind(value))
    monday = call("DATE_TRUNC", text(unit), _moved(value, "DAY", 1))  # Flink's weeks start on Sunday
    return as_type(_moved(monday, "DAY", -1), _kind(value))


def _moved(value: exp.Expr, unit: str, amount: int) -> exp.Expr:
    return call("TIMESTAMPADD", exp.var(unit), number(amount), value)


def _ceil(value: exp.Expr, unit: str) -> exp.Expr:
    start = _floor(value, unit)
    following = _moved(start, unit, 1)
    return when(exp.EQ(this=start, expression=value.copy()), value, as_type(following, _kind(value)))


def floor_to(node: exp.Floor) -> exp.Expr:
    """Return the start of the unit of time that a value is in."""
    return _floor(node.this, node.args["to"].name)


def ceil_to(node: exp.Ceil) -> exp.Expr:
    """Return a value that is the start of a unit of time, or the start of the next unit."""
    return _ceil(node.this, node.args["to"].name)


def _add(node: Any) -> exp.Expr:
    added = call("TIMESTAMPADD", exp.var(node.unit.name), node.expression, node.this)
    return as_type(added, _kind(node.this))


def _difference(node: Any) -> exp.Expr:
    return as_type(call("TIMESTAMPDIFF", exp.var(node.unit.name), node.expression, node.this), _DType.INT)


def _to_timestamp(node: exp.Anonymous) -> exp.Expr:
    value, *formats = node.expressions
    return as_type(call("TRY_TO_TIMESTAMP", value, *formats), _DType.TIMESTAMPNTZ)


def _to_date(node: exp.Anonymous) -> exp.Expr:
    value, *formats = node.expressions
    return as_type(call("TRY_TO_TIMESTAMP", value, *formats), _DType.DATE)


def _to_timestamp_ltz(node: exp.Anonymous) -> exp.Expr:
    value, *digits = node.expressions
    if is_a(value, _DType.TEXT, _DType.VARCHAR):
        return as_type(call("TRY_TO_TIMESTAMP", value, *digits), _DType.TIMESTAMPLTZ)
    if digits and digits[0].name == "0":
        return call("TIMESTAMP_SECONDS", value)
    return call("TIMESTAMP_MILLIS", value)


def _convert_tz(node: exp.Anonymous) -> exp.Expr:
    value, source, target = node.expressions
    moved = call("CONVERT_TIMEZONE", source, target, as_type(value, _DType.TIMESTAMPNTZ))
    return call("DATE_FORMAT", moved, text(_OF_FORMAT))


def _now(node: exp.Anonymous) -> exp.Expr:
    return call("CURRENT_TIMESTAMP")


TIMES: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    **dict.fromkeys(
        (
            *(exp.Year, exp.Month, exp.DayOfMonth, exp.DayOfWeek, exp.DayOfYear, exp.Quarter),
            *(exp.Hour, exp.Minute, exp.Second),
        ),
        _part,
    ),
    exp.Extract: _extract,
    exp.TimestampAdd: _add,
    exp.TimestampDiff: _difference,
    exp.Week: _week,
}
"""The rules for what the parser knows."""

NAMED_TIMES: Mapping[str, Callable[[Any], exp.Expr]] = {
    "CONVERT_TZ": _convert_tz,
    "CURRENT_ROW_TIMESTAMP": _now,
    "PROCTIME": _now,
    "TO_DATE": _to_date,
    "TO_TIMESTAMP": _to_timestamp,
    "TO_TIMESTAMP_LTZ": _to_timestamp_ltz,
}
"""The rules for other functions, by name."""
