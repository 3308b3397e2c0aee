"""Dates, times of day, timestamps and instants: what is some time after them, and local times."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, TypeVar

from pystream.table.functions.errors import SqlArithmeticError
from typeinfo.instant import Instant

__all__ = [
    "DAY",
    "D",
    "at_local",
    "date_moved",
    "instant_at",
    "instant_moved",
    "local_time",
    "moved",
    "moved_by_months",
    "of_local",
    "time_moved",
]

DAY = 86_400_000_000
"""The microseconds of a day."""

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


def date_moved(value: date, microseconds: int) -> datetime:
    """Return the timestamp some microseconds after the start of a date.

    Raises:
        SqlArithmeticError: it is out of the range of the years 1 to 9999.
    """
    return moved(datetime.combine(value, time()), microseconds)


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


def of_local(function: Callable[..., Any], zone: tzinfo, instant: Instant, *others: Any) -> Any:
    """Return a function of the local time of an instant."""
    return function(local_time(zone, instant), *others)


def at_local(function: Callable[..., datetime], zone: tzinfo, instant: Instant, *others: Any) -> Instant:
    """Return the instant of a local time that is a function of the local time of an instant."""
    return instant_at(zone, function(local_time(zone, instant), *others))
