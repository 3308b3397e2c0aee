"""Functions of dates and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.expression_types import is_a
from pystream.table.sql.functions.building import NotTranslatedError, as_type, call, number, text, when

__all__ = ["NAMED_TIMES", "TIMES", "moved_time"]

_DType = exp.DType
_FIELDS = {"ISODOW": "DAYOFWEEK_ISO", "ISOYEAR": "YEAROFWEEK"}
_FRACTIONS = {"MILLISECOND": "SSS", "MICROSECOND": "SSSSSS", "NANOSECOND": "SSSSSSSSS"}
_ERAS = {"DECADE": (10, 0), "CENTURY": (100, 1), "MILLENNIUM": (1000, 1)}  # their years, and the first year
_PARTS_OF_DAYS = ("NANOSECOND", "MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR")
_UNITS = (*_PARTS_OF_DAYS[1:], "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
_OF_FORMAT = "yyyy-MM-dd HH:mm:ss"


def _extract(node: exp.Extract) -> exp.Expr:
    field, value = node.this.name.upper(), node.expression
    if field in _FRACTIONS:
        return as_type(call("DATE_FORMAT", value, text(_FRACTIONS[field])), _DType.BIGINT)
    if field == "EPOCH":  # of the local time
        return _since_epoch("SECOND", value)
    if field in _ERAS:
        _, first = _ERAS[field]
        return as_type(exp.Add(this=_eras(value, field), expression=number(first)), _DType.BIGINT)
    extracted = exp.Extract(this=exp.var(_FIELDS.get(field, field)), expression=value.copy())
    return as_type(extracted, _DType.BIGINT)


def _since_epoch(unit: str, value: exp.Expr) -> exp.Expr:
    epoch = as_type(text("1970-01-01"), _DType.TIMESTAMPNTZ)
    return call("TIMESTAMPDIFF", exp.var(unit), epoch, as_type(value, _DType.TIMESTAMPNTZ))


def _eras(value: exp.Expr, unit: str) -> exp.Expr:
    """Return how many decades, centuries or millennia there are before the one of a value."""
    length, first = _ERAS[unit]
    years = exp.paren(exp.Sub(this=call("YEAR", value), expression=number(first)), copy=False)
    return exp.paren(exp.IntDiv(this=years, expression=number(length)), copy=False)


def _kind(value: Any) -> Any:
    return value.type if is_a(value, _DType.DATE, _DType.TIME, _DType.TIMESTAMPLTZ) else _DType.TIMESTAMPNTZ


def _floor(value: exp.Expr, unit: str) -> exp.Expr:
    if is_a(value, _DType.TIME) and unit in _PARTS_OF_DAYS:
        return call("TIME_TRUNC", text(unit), value)
    if unit in _ERAS:
        length, first = _ERAS[unit]
        years = exp.Mul(this=_eras(value, unit), expression=number(length))
        year = exp.Add(this=years, expression=number(first))
        return as_type(call("MAKE_DATE", year, number(1), number(1)), _kind(value))
    if unit not in _UNITS:
        units = ", ".join((*_UNITS, *_ERAS))
        raise NotTranslatedError(value, f"FLOOR and CEIL round to {units}, not to {unit}")
    if unit != "WEEK":
        return as_type(call("DATE_TRUNC", text(unit), value), _kind(value))
    monday = call("DATE_TRUNC", text(unit), _moved(value, "DAY", 1))  # Flink's weeks start on Sunday
    return as_type(_moved(monday, "DAY", -1), _kind(value))


def _moved(value: exp.Expr, unit: str, amount: int) -> exp.Expr:
    return call("TIMESTAMPADD", exp.var(unit), number(amount), value)


def _ceil(value: exp.Expr, unit: str) -> exp.Expr:
    start = _floor(value, unit)
    following = _moved(start, "YEAR", _ERAS[unit][0]) if unit in _ERAS else _moved(start, unit, 1)
    return when(exp.EQ(this=start, expression=value.copy()), value, as_type(following, _kind(value)))


def _floor_to(node: exp.Floor) -> exp.Expr:
    """Return the start of the unit of time that a value is in."""
    return _floor(node.this, node.args["to"].name.upper())


def _ceil_to(node: exp.Ceil) -> exp.Expr:
    """Return a value that is the start of a unit of time, or the start of the next unit."""
    return _ceil(node.this, node.args["to"].name.upper())


def _add(node: Any) -> exp.Expr:
    value, kind, unit = node.this, _kind(node.this), node.unit.name.upper()
    if is_a(value, _DType.TIME):
        value = as_type(value, _DType.TIMESTAMPNTZ)
    elif is_a(value, _DType.DATE) and unit in _PARTS_OF_DAYS:
        value, kind = as_type(value, _DType.TIMESTAMPNTZ), _DType.TIMESTAMPNTZ
    return as_type(call("TIMESTAMPADD", exp.var(unit), node.expression, value), kind)


def moved_time(node: Any) -> exp.Expr:
    """Return the sum or difference of a TIME and an interval, which goes on at the other end of the day."""
    moved = node.copy()
    time = moved.right if isinstance(moved.left, exp.Interval) else moved.left
    time.replace(as_type(time, _DType.TIMESTAMPNTZ))
    return as_type(moved, _DType.TIME)


def _difference(node: Any) -> exp.Expr:
    return as_type(call("TIMESTAMPDIFF", exp.var(node.unit.name), node.expression, node.this), _DType.INT)


def _to_timestamp_ltz(node: exp.Anonymous) -> exp.Expr:
    value, *digits = node.expressions
    if is_a(value, *exp.DataType.TEXT_TYPES):
        local = as_type(call("TRY_TO_TIMESTAMP", value, *digits[:1]), _DType.TIMESTAMPNTZ)
        zone = digits[1] if len(digits) > 1 else text("UTC")
        moved = call("CONVERT_TIMEZONE", zone, text("UTC"), local)
        return call("TIMESTAMP_MICROS", _since_epoch("MICROSECOND", moved))
    if digits and digits[0].name == "0":
        return call("TIMESTAMP_SECONDS", value)
    return call("TIMESTAMP_MILLIS", value)


def _convert_tz(node: exp.Anonymous) -> exp.Expr:
    value, source, target = node.expressions
    moved = call("CONVERT_TIMEZONE", source, target, as_type(value, _DType.TIMESTAMPNTZ))
    return call("DATE_FORMAT", moved, text(_OF_FORMAT))


def _time_of_day(node: Any) -> exp.Expr:
    return call("CURRENT_TIME", number(0))


def _local_now(node: Any) -> exp.Expr:
    return call("LOCALTIMESTAMP")


def _now(node: exp.Anonymous) -> exp.Expr:
    return call("CURRENT_TIMESTAMP")


TIMES: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.Ceil: _ceil_to,
    exp.CurrentTime: _time_of_day,
    exp.Extract: _extract,
    exp.Floor: _floor_to,
    exp.Localtime: _time_of_day,
    exp.Localtimestamp: _local_now,
    exp.TimestampAdd: _add,
    exp.TimestampDiff: _difference,
}
"""The rules for what the parser knows."""

NAMED_TIMES: Mapping[str, Callable[[Any], exp.Expr]] = {
    "CONVERT_TZ": _convert_tz,
    "CURRENT_ROW_TIMESTAMP": _now,
    "PROCTIME": _now,
    "TO_TIMESTAMP_LTZ": _to_timestamp_ltz,
}
"""The rules for other functions, by name."""
