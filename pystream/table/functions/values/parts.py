"""Parts of dates, times of day and timestamps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

__all__ = ["PARTS", "PARTS_OF_DATES", "PARTS_OF_TIMES"]

_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1)


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


def _start(value: date) -> int:
    return 0


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

PARTS_OF_DATES: Mapping[str, Callable[[Any], int]] = dict.fromkeys(("HOUR", "MINUTE", "SECOND"), _start)
"""The parts of dates that those of timestamps at their start are."""

PARTS_OF_TIMES: Mapping[str, Callable[[Any], int]] = {
    "HOUR": _hour,
    "MICROSECOND": _microsecond,
    "MILLISECOND": _millisecond,
    "MINUTE": _minute,
    "NANOSECOND": _nanosecond,
    "SECOND": _second,
}
"""The parts of timestamps and of times of day."""
