"""Date and time types: the SQL and the local family of Flink, instants and durations."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from enum import Enum
from struct import Struct
from typing import Self, TypeVar

from typeinfo.arguments import checks_arguments
from typeinfo.basic import BasicType, BasicTypeInfo, edges
from typeinfo.errors import UnsupportedTypeError
from typeinfo.instant import Instant
from typeinfo.scalar import ScalarTraits, ScalarTypeInfo, long_bytes, register

__all__ = [
    "MICROS",
    "MICROSECOND",
    "TRICKY_TIMES",
    "DateTypeInfo",
    "InstantTypeInfo",
    "LocalTimeTypeInfo",
    "SqlTimeTypeInfo",
    "TemporalTypeInfo",
    "TimeTypeInfo",
    "TimestampTypeInfo",
]

T = TypeVar("T")


class TemporalTypeInfo(ScalarTypeInfo[T]):
    """A date, a time of day, or both, without a time zone.

    Microseconds are kept. ``fold``, which distinguishes equal local times when clocks are set back, is not.
    """

    __slots__ = ()

    def __call__(self) -> Self:
        return self


class SqlTimeTypeInfo(TemporalTypeInfo[T]):
    """The type of ``date``, ``time`` and naive ``datetime`` under their SQL names.

    Mirrors ``org.apache.flink.api.common.typeinfo.SqlTimeTypeInfo``.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return type(self).__name__

    @staticmethod
    def DATE() -> SqlTimeTypeInfo[datetime.date]:
        """Return the type of ``datetime.date``."""
        return SQL_DATE

    @staticmethod
    def TIME() -> SqlTimeTypeInfo[datetime.time]:
        """Return the type of ``datetime.time``."""
        return SQL_TIME

    @staticmethod
    def TIMESTAMP() -> SqlTimeTypeInfo[datetime.datetime]:
        """Return the type of naive ``datetime.datetime``."""
        return SQL_TIMESTAMP


@dataclass(frozen=True, slots=True, repr=False)
class DateTypeInfo(SqlTimeTypeInfo[datetime.date]):
    """The type of ``datetime.date``, which is ``Types.SQL_DATE``."""


@dataclass(frozen=True, slots=True, repr=False)
class TimeTypeInfo(SqlTimeTypeInfo[datetime.time]):
    """The type of ``datetime.time``, which is ``Types.SQL_TIME``."""


@dataclass(frozen=True, slots=True, repr=False)
class TimestampTypeInfo(SqlTimeTypeInfo[datetime.datetime]):
    """The type of naive ``datetime.datetime``, which is ``Types.SQL_TIMESTAMP``."""


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
class LocalTimeTypeInfo(TemporalTypeInfo[T]):
    """The type of ``date``, ``time`` and naive ``datetime`` under their names in java.time.

    Mirrors ``org.apache.flink.api.common.typeinfo.LocalTimeTypeInfo``.
    """

    class TimeType(Enum):
        """The classes of java.time."""

        LOCAL_DATE = 0
        LOCAL_TIME = 1
        LOCAL_DATE_TIME = 2

    time_type: TimeType

    def __repr__(self) -> str:
        return f"LocalTimeTypeInfo<{self.time_type.name}>"


@dataclass(frozen=True, slots=True, repr=False)
class InstantTypeInfo(ScalarTypeInfo[Instant]):
    """The type of points in time, with microsecond precision.

    An aware ``datetime`` is accepted where an Instant is declared and becomes one.
    Mirrors ``Types.INSTANT`` of Flink; the constructor takes no ``BasicType``, as there is one such type.
    """

    def __call__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return "Instant"


MICROS = 2**63 - 1
MICROSECOND = datetime.timedelta(microseconds=1)
TRICKY_TIMES = (
    datetime.datetime(1, 1, 1),
    datetime.datetime(1582, 10, 10, 12),
    datetime.datetime(1900, 1, 1),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999),
    datetime.datetime(1970, 1, 1),
    datetime.datetime(2024, 2, 29, 0, 0, 0, 1),
    datetime.datetime(2024, 3, 31, 2, 30),  # skipped by daylight saving in Europe; the next one in America
    datetime.datetime(2024, 3, 10, 2, 30),
    datetime.datetime(2024, 10, 27, 2, 30, fold=1),  # the second occurrence of this time in Europe
    datetime.datetime.max,
)
_MIDNIGHT = datetime.datetime(2000, 1, 1)
_SIMPLEST_FIRST = (_MIDNIGHT, *TRICKY_TIMES)
_EPOCH = datetime.datetime(1970, 1, 1)


def _fraction(micros: int) -> str:
    """Format a fraction of a second as java.time does: with three digits, or six if necessary."""
    if not micros:
        return ""
    return f".{micros // 1000:03}" if micros % 1000 == 0 else f".{micros:06}"


_DATE = ScalarTraits(
    value_class=datetime.date,
    arrow=("date32",),
    spark=("DateType",),
    codec=("temporal", "DateCodec"),
    key=lambda value: long_bytes(value.toordinal()),
    equal_as_keys=True,
    samples=tuple(moment.date() for moment in _SIMPLEST_FIRST),
    invalid=(_MIDNIGHT, "2000-01-01", 0, datetime.time()),
)
LOCAL_DATE: LocalTimeTypeInfo[datetime.date] = register(
    "LOCAL_DATE", LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE), _DATE
)
SQL_DATE: SqlTimeTypeInfo[datetime.date] = register(
    "SQL_DATE",
    DateTypeInfo(),
    replace(_DATE, inferred=False, from_arrow=("is_date",), from_spark=("DateType",)),
)


def _time_key(value: datetime.time) -> bytes:
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return long_bytes(seconds * 1_000_000 + value.microsecond)


def _local_time(value: datetime.time | datetime.datetime) -> str:
    seconds = f":{value.second:02}" if value.second or value.microsecond else ""
    return f"{value.hour:02}:{value.minute:02}{seconds}{_fraction(value.microsecond)}"


def _sql_time(value: datetime.time) -> str:
    """Format a time as java.sql.Time does, plus a fraction of a second if there is one."""
    return f"{value.replace(microsecond=0).isoformat()}{_fraction(value.microsecond)}"


_TIME = ScalarTraits(
    value_class=datetime.time,
    arrow=("time64", "us"),
    spark=("TimeType", 6),
    codec=("temporal", "TimeCodec"),
    key=_time_key,
    equal_as_keys=True,
    text=_local_time,
    samples=tuple(moment.time() for moment in _SIMPLEST_FIRST),
    invalid=(datetime.time(12, tzinfo=datetime.UTC), _MIDNIGHT, "12:00", 0, datetime.timedelta()),
)
LOCAL_TIME: LocalTimeTypeInfo[datetime.time] = register(
    "LOCAL_TIME", LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_TIME), _TIME
)
SQL_TIME: SqlTimeTypeInfo[datetime.time] = register(
    "SQL_TIME",
    TimeTypeInfo(),
    replace(
        _TIME,
        inferred=False,
        from_arrow=("is_time",),
        from_spark=("TimeType",),
        text=_sql_time,
    ),
)


def _local_date_time(value: datetime.datetime) -> str:
    return f"{value.date().isoformat()}T{_local_time(value)}"


def _sql_timestamp(value: datetime.datetime) -> str:
    fraction = f"{value.microsecond:06}".rstrip("0") or "0"
    return f"{value.replace(microsecond=0).isoformat(' ')}.{fraction}"


_TIMESTAMP = ScalarTraits(
    value_class=datetime.datetime,
    arrow=("timestamp", "us"),
    spark=("TimestampNTZType",),
    codec=("temporal", "TimestampCodec"),
    key=lambda value: long_bytes((value - _EPOCH) // MICROSECOND),
    equal_as_keys=True,
    text=_local_date_time,
    samples=_SIMPLEST_FIRST,
    invalid=(_MIDNIGHT.replace(tzinfo=datetime.UTC), _MIDNIGHT.date(), "2000-01-01", 0),
)
LOCAL_DATE_TIME: LocalTimeTypeInfo[datetime.datetime] = register(
    "LOCAL_DATE_TIME", LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME), _TIMESTAMP
)
SQL_TIMESTAMP: SqlTimeTypeInfo[datetime.datetime] = register(
    "SQL_TIMESTAMP",
    TimestampTypeInfo(),
    replace(_TIMESTAMP, inferred=False, from_spark=("TimestampNTZType",), text=_sql_timestamp),
)

_instant_bytes = Struct(">qI").pack


_DAYS_PER_ERA, _YEARS_PER_ERA = 146_097, 400
"""The calendar repeats after 400 years, so each year has an equivalent among those Python supports."""


def _instant_text(value: Instant) -> str:
    days, second = divmod(value.seconds, 86_400)
    eras, day = divmod(days, _DAYS_PER_ERA)
    date = datetime.date(1970, 1, 1) + datetime.timedelta(day)
    year = date.year + eras * _YEARS_PER_ERA
    sign = "+" if year > 9999 else "-" if year < 0 else ""
    minute, second = divmod(second, 60)
    time = f"{minute // 60:02}:{minute % 60:02}:{second:02}{_fraction(value.nanos // 1000)}"
    return f"{sign}{abs(year):04}-{date.month:02}-{date.day:02}T{time}Z"


INSTANT: InstantTypeInfo = register(
    "INSTANT",
    InstantTypeInfo(),
    ScalarTraits(
        value_class=Instant,
        arrow=("timestamp", "us", "UTC"),
        spark=("TimestampType",),
        from_spark=("TimestampType",),
        codec=("temporal", "InstantCodec"),
        key=lambda value: _instant_bytes(value.seconds, value.nanos),
        text=_instant_text,
        samples=tuple(map(Instant.of_epoch_micro, (*edges(-MICROS, MICROS), 999, -999, 1_000, -1_001))),
        invalid=(0, "1970-01-01T00:00:00Z", _EPOCH, Instant(0, 1), Instant(2**60)),
    ),
)


def _duration_text(value: datetime.timedelta) -> str:
    """Format a duration as java.time does: hours, minutes and seconds, each with the sign of the whole."""
    seconds, micros = divmod(abs(value) // MICROSECOND, 1_000_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if value < datetime.timedelta() else ""
    fraction = f".{micros:06}".rstrip("0") if micros else ""
    text = (f"{sign}{hours}H" if hours else "") + (f"{sign}{minutes}M" if minutes else "")
    if seconds or micros or not text:
        text += f"{sign}{seconds}{fraction}S"
    return f"PT{text}"


DURATION: BasicTypeInfo[datetime.timedelta] = register(
    "DURATION",
    BasicTypeInfo(BasicType.DURATION),
    ScalarTraits(
        value_class=datetime.timedelta,
        arrow=("duration", "us"),
        spark=("DayTimeIntervalType",),
        from_arrow=("is_duration",),
        from_spark=("DayTimeIntervalType",),
        codec=("temporal", "DurationCodec"),
        key=lambda value: long_bytes(value // MICROSECOND),
        text=_duration_text,
        samples=tuple(
            count * MICROSECOND for count in (0, 1, -1, 999, 1_000, -1_001, 86_400_000_000, MICROS, -MICROS)
        ),
        invalid=(1, 1.0, "PT1S", datetime.timedelta.max, datetime.timedelta.min),
    ),
)
