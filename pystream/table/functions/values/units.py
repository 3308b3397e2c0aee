"""Units of time: how many are between two times, and the starts of those that a time is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from pystream.table.functions.kinds import BEYOND, Kind
from pystream.table.functions.values.arithmetic import in_range
from pystream.table.functions.values.moments import DAY, D, moved, moved_by_months, time_moved

__all__ = [
    "ERAS",
    "LENGTHS",
    "MONTHS",
    "added",
    "ceiled",
    "ceiled_time",
    "counted",
    "days_between",
    "floored",
    "floored_time",
    "microseconds_between",
    "months_between",
    "overlap",
    "timestamp_of_time",
]

LENGTHS: Mapping[str, int] = {
    "MICROSECOND": 1,
    "MILLISECOND": 1_000,
    "SECOND": 1_000_000,
    "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000,
    "DAY": DAY,
    "WEEK": 7 * DAY,
}
"""The microseconds of the units of a fixed length."""

MONTHS: Mapping[str, int] = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
"""The months of the units of whole months."""

ERAS: Mapping[str, tuple[int, int]] = {"DECADE": (10, 0), "CENTURY": (100, 1), "MILLENNIUM": (1000, 1)}
"""The years of long units, and the first year of the first one."""

_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1)


def microseconds_between(unit: int, value: datetime, start: datetime) -> int:
    """Return the whole units of a fixed length from one timestamp to another."""
    difference = (value - start) // _MICROSECOND
    return difference // unit if difference >= 0 else -(-difference // unit)


def days_between(unit: int, value: date, start: date) -> int:
    """Return the whole units of a fixed length from one date to another."""
    difference = (value - start).days * DAY
    return difference // unit if difference >= 0 else -(-difference // unit)


def months_between(unit: int, value: date, start: date) -> int:
    """Return the whole units of some months from one date or timestamp to another.

    As in Flink, the last day of a month ends one that began on a later day.
    """
    months = _months_between_days(_day_of(value), _day_of(start))
    if isinstance(value, datetime) and isinstance(start, datetime) and value.time() < start.time():
        months -= moved_by_months(start.date(), months) == value.date()
    return months // unit if months >= 0 else -(-months // unit)


def _day_of(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _months_between_days(value: date, start: date) -> int:
    if value < start:
        return -_months_between_days(start, value)
    months = (value.year - start.year) * 12 + value.month - start.month
    return months - (moved_by_months(start, months) > value)


def floored(unit: str, value: D) -> D:
    """Return the start of the unit of time that a date or timestamp is in.

    Raises:
        SqlArithmeticError: it is before the year 1.
    """
    if isinstance(value, datetime) and unit in ("MILLISECOND", "SECOND", "MINUTE", "HOUR"):
        return value - _rest(unit, value)
    start = value.replace(hour=0, minute=0, second=0, microsecond=0) if isinstance(value, datetime) else value
    match unit:
        case "DAY":
            return start
        case "WEEK":
            return moved(start, -(start.isoweekday() % 7) * DAY)
        case "MONTH":
            return start.replace(day=1)
        case "QUARTER":
            return start.replace(month=(start.month - 1) // 3 * 3 + 1, day=1)
        case "YEAR":
            return start.replace(month=1, day=1)
    length, first = ERAS[unit]
    return start.replace(year=(start.year - first) // length * length + first, month=1, day=1)


def _rest(unit: str, value: datetime) -> timedelta:
    """Return how long after the start of a unit of a fixed length a timestamp is."""
    return (value - _EPOCH) % timedelta(microseconds=LENGTHS[unit])


def ceiled(unit: str, value: D) -> D:
    """Return a date or timestamp that starts a unit of time, or the start of the next unit."""
    start = floored(unit, value)
    if start == value:
        return value
    if unit in LENGTHS:
        return moved(start, LENGTHS[unit])
    return moved_by_months(start, MONTHS[unit] if unit in MONTHS else 12 * ERAS[unit][0])


def floored_time(unit: str, value: time) -> time:
    """Return the start of the unit of time that a time of day is in."""
    of_day = datetime.combine(_EPOCH, value)
    return (of_day - _rest(unit, of_day)).time()


def ceiled_time(unit: str, value: time) -> time:
    """Return a time of day that starts a unit of time, or the start of the next unit."""
    start = floored_time(unit, value)
    return start if start == value else time_moved(start, LENGTHS[unit])


def timestamp_of_time(value: time) -> datetime:
    """Return a time of day of the first day of 1970."""
    return datetime.combine(_EPOCH, value)


def added(move: Callable[[Any, int], Any], length: int, count: int, value: Any) -> Any:
    """Return a time some units later.

    Args:
        move: returns a time some microseconds or months later.
        length: the microseconds or months of the unit.
        count: the number of units.
        value: the time.
    """
    return move(value, count * length)


def counted(between: Callable[[int, Any, Any], int], length: int, start: Any, end: Any) -> int:
    """Return the whole units from one time to another.

    Args:
        between: counts the units of a length from its third argument to the second.
        length: the microseconds or months of the unit.
        start: the first time.
        end: the second one.

    Raises:
        SqlArithmeticError: they are out of the range of INT.
    """
    units = between(length, end, start)
    return in_range(units, BEYOND[Kind.INT], f"TIMESTAMPDIFF from {start} to {end}, {units},")


def overlap(start: Any, end: Any, other_start: Any, other_end: Any) -> bool:
    """Return whether two periods, whose bounds may be in any order, have a time in common."""
    first, last = min(start, end), max(start, end)
    return bool(last >= min(other_start, other_end) and first <= max(other_start, other_end))
