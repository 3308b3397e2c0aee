"""Dates, times of day and timestamps: their parts, the starts of units, and what intervals do to them."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, TypeVar

from pystream.table.functions.errors import SqlArithmeticError
from typeinfo.instant import Instant

__all__ = [
    "DAY",
    "LENGTHS",
    "MONTHS",
    "PARTS",
    "PARTS_OF_TIMES",
    "ceiled",
    "days_between",
    "floored",
    "floored_time",
    "instant_at",
    "instant_moved",
    "local_time",
    "microseconds_between",
    "months_between",
    "moved",
    "moved_by_months",
    "time_moved",
]

DAY = 86_400_000_000
"""The microseconds of a day."""

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

_MICROSECOND = timedelta(microseconds=1)
_ERAS = {"DECADE": (10, 0), "CENTURY": (100, 1), "MILLENNIUM": (1000, 1)}  # their years, and the first year
_MONTHS_OF_ERAS = {"DECADE": 120, "CENTURY": 1200, "MILLENNIUM": 12_000}
_EPOCH = datetime(1970, 1, 1)
_FIRST_INSTANT, _LAST_INSTANT = -62_135_596_800_000_000, 253_402_300_799_999_999

D = TypeVar("D", bound=date)
"""A date or a timestamp."""


def moved(value: D, microseconds: int) -> D:
    """Return a timestamp some microseconds later, or a date as many days later as they are.

    Raises:
        SqlArithmeticError: it is out of the range of the years 1 to 9999.
    """
    try:
        return value + timedelta(microseconds=microseconds)
    except OverflowError:
        raise _out_of_range(value) from None


def moved_by_months(value: D, months: int) -> D:
    """Return a date or timestamp some months later, on the last day of the month if there is no such day.

    Raises:
        SqlArithmeticError: it is out of the range of the years 1 to 9999.
    """
    year, month = divmod(value.year * 12 + value.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise _out_of_range(value)
    day = min(value.day, monthrange(year, month + 1)[1])
    return value.replace(year=year, month=month + 1, day=day)


def _out_of_range(value: date) -> SqlArithmeticError:
    return SqlArithmeticError(f"a time after or before {value} is out of the range of the years 1 to 9999")


def time_moved(value: time, microseconds: int) -> time:
    """Return a time of day some microseconds later; the first one follows the last."""
    return (datetime.combine(_EPOCH, value) + timedelta(microseconds=microseconds % DAY)).time()


def instant_moved(value: Instant, microseconds: int) -> Instant:
    """Return an instant some microseconds later.

    Raises:
        SqlArithmeticError: it is out of the range of the years 1 to 9999.
    """
    moved_to = value.to_epoch_micro() + microseconds
    if not _FIRST_INSTANT <= moved_to <= _LAST_INSTANT:
        raise SqlArithmeticError(
            f"an instant after or before {value} is out of the range of the years 1 to 9999"
        )
    return Instant.of_epoch_micro(moved_to)


def local_time(zone: tzinfo, value: Instant) -> datetime:
    """Return the local time of an instant in a time zone.

    Raises:
        SqlArithmeticError: it is out of the range of the years 1 to 9999.
    """
    try:
        return value.to_datetime().astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        raise SqlArithmeticError(
            f"the local time of {value} is out of the range of the years 1 to 9999"
        ) from None


def instant_at(zone: tzinfo, value: datetime) -> Instant:
    """Return the instant of a local time; the first of two, and as much later as a gap is long."""
    return Instant.of_datetime(value.replace(tzinfo=zone))


def microseconds_between(unit: int, value: datetime, start: datetime) -> int:
    """Return the whole units of a fixed length from one timestamp to another."""
    difference = (value - start) // _MICROSECOND
    return difference // unit if difference >= 0 else -(-difference // unit)


def days_between(unit: int, value: date, start: date) -> int:
    """Return the whole units of a fixed length from one date to another."""
    difference = (value - start).days * DAY
    return difference // unit if difference >= 0 else -(-difference // unit)


def months_between(unit: int, value: date, start: date) -> int:
    """Return the whole units of some months from one date or timestamp to another."""
    end = value
    if isinstance(value, datetime) and isinstance(start, datetime):
        if value.date() > start.date() and value.time() < start.time():
            end = value - timedelta(days=1)
        elif value.date() < start.date() and value.time() > start.time():
            end = value + timedelta(days=1)
    days = _as_days(end) - _as_days(start)
    months = days // 32 if days >= 0 else -(-days // 32)
    return months // unit if months >= 0 else -(-months // unit)


def _as_days(value: date) -> int:
    return (value.year * 12 + value.month) * 32 + value.day


def floored(unit: str, value: D) -> D:
    """Return the start of the unit of time that a date or timestamp is in."""
    if isinstance(value, datetime) and unit in ("MILLISECOND", "SECOND", "MINUTE", "HOUR"):
        return value - _rest(unit, value)
    start = value.replace(hour=0, minute=0, second=0, microsecond=0) if isinstance(value, datetime) else value
    match unit:
        case "DAY":
            return start
        case "WEEK":
            return start - timedelta(days=start.isoweekday() % 7)
        case "MONTH":
            return start.replace(day=1)
        case "QUARTER":
            return start.replace(month=(start.month - 1) // 3 * 3 + 1, day=1)
        case "YEAR":
            return start.replace(month=1, day=1)
    length, first = _ERAS[unit]
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
    return moved_by_months(start, MONTHS[unit] if unit in MONTHS else _MONTHS_OF_ERAS[unit])


def floored_time(unit: str, value: time) -> time:
    """Return the start of the unit of time that a time of day is in."""
    of_day = datetime.combine(_EPOCH, value)
    return (of_day - _rest(unit, of_day)).time()


def _century(value: date) -> int:
    return (value.year - 1) // 100 + 1


def _millennium(value: date) -> int:
    return (value.year - 1) // 1000 + 1


def _seconds(value: date) -> int:
    since = (value if isinstance(value, datetime) else datetime.combine(value, time())) - _EPOCH
    microseconds = since // _MICROSECOND
    return microseconds // 1_000_000 if microseconds >= 0 else -(-microseconds // 1_000_000)


def _decade(value: date) -> int:
    return value.year // 10


def _quarter(value: date) -> int:
    return (value.month - 1) // 3 + 1


def _year(value: date) -> int:
    return value.year


def _month(value: date) -> int:
    return value.month


def _day(value: date) -> int:
    return value.day


def _iso_week(value: date) -> int:
    return value.isocalendar().week


def _iso_year(value: date) -> int:
    return value.isocalendar().year


def _day_of_year(value: date) -> int:
    return value.timetuple().tm_yday


def _day_of_week(value: date) -> int:
    return value.isoweekday() % 7 + 1


def _hour(value: time | datetime) -> int:
    return value.hour


def _minute(value: time | datetime) -> int:
    return value.minute


def _second(value: time | datetime) -> int:
    return value.second


def _millisecond(value: time | datetime) -> int:
    return value.microsecond // 1000


def _microsecond(value: time | datetime) -> int:
    return value.microsecond


def _nanosecond(value: time | datetime) -> int:
    return value.microsecond * 1000


PARTS: Mapping[str, Callable[[Any], int]] = {
    "CENTURY": _century,
    "DAY": _day,
    "DECADE": _decade,
    "DOW": _day_of_week,
    "DOY": _day_of_year,
    "EPOCH": _seconds,
    "ISODOW": date.isoweekday,
    "ISOYEAR": _iso_year,
    "MILLENNIUM": _millennium,
    "MONTH": _month,
    "QUARTER": _quarter,
    "WEEK": _iso_week,
    "YEAR": _year,
}
"""The parts of dates and timestamps."""

PARTS_OF_TIMES: Mapping[str, Callable[[Any], int]] = {
    "HOUR": _hour,
    "MICROSECOND": _microsecond,
    "MILLISECOND": _millisecond,
    "MINUTE": _minute,
    "NANOSECOND": _nanosecond,
    "SECOND": _second,
}
"""The parts of timestamps and of times of day."""
