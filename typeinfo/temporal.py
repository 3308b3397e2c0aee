"""Date and time types: Flink's SQL family, its local family, and instants."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeVar

from typeinfo.info import TypeInformation
from typeinfo.instant import Instant

__all__ = [
    "DateTypeInfo",
    "InstantTypeInfo",
    "LocalTimeTypeInfo",
    "SqlTimeTypeInfo",
    "TemporalTypeInfo",
    "TimeKind",
    "TimeTypeInfo",
    "TimestampTypeInfo",
]

T = TypeVar("T")


class TimeKind(Enum):
    """Kind of a date or time type; the value is the Python class."""

    DATE = datetime.date
    TIME = datetime.time
    TIMESTAMP = datetime.datetime


class TemporalTypeInfo(TypeInformation[T, T]):
    """A date, a time of day, or both, without a time zone.

    Microseconds are kept. ``fold``, which tells two equal local times apart when clocks are set back, is
    not.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> TimeKind:
        """The part of the calendar that the type covers."""

    def __call__(self) -> Self:
        return self


class SqlTimeTypeInfo(TemporalTypeInfo[T]):
    """The type of ``date``, ``time`` and naive ``datetime`` under their SQL names.

    Mirrors ``org.apache.flink.api.common.typeinfo.SqlTimeTypeInfo``.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{self.kind.name.capitalize()}TypeInfo"

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

    @property
    def kind(self) -> TimeKind:
        return TimeKind.DATE


@dataclass(frozen=True, slots=True, repr=False)
class TimeTypeInfo(SqlTimeTypeInfo[datetime.time]):
    """The type of ``datetime.time``, which is ``Types.SQL_TIME``."""

    @property
    def kind(self) -> TimeKind:
        return TimeKind.TIME


@dataclass(frozen=True, slots=True, repr=False)
class TimestampTypeInfo(SqlTimeTypeInfo[datetime.datetime]):
    """The type of naive ``datetime.datetime``, which is ``Types.SQL_TIMESTAMP``."""

    @property
    def kind(self) -> TimeKind:
        return TimeKind.TIMESTAMP


@dataclass(frozen=True, slots=True, repr=False)
class LocalTimeTypeInfo(TemporalTypeInfo[T]):
    """The type of ``date``, ``time`` and naive ``datetime`` under java.time's names.

    Mirrors ``org.apache.flink.api.common.typeinfo.LocalTimeTypeInfo``.
    """

    class TimeType(Enum):
        """The classes of java.time."""

        LOCAL_DATE = 0
        LOCAL_TIME = 1
        LOCAL_DATE_TIME = 2

    time_type: TimeType

    @property
    def kind(self) -> TimeKind:
        return _KINDS[self.time_type]

    def __repr__(self) -> str:
        return f"LocalTimeTypeInfo<{self.time_type.name}>"


_KINDS = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: TimeKind.DATE,
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: TimeKind.TIME,
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: TimeKind.TIMESTAMP,
}


@dataclass(frozen=True, slots=True, repr=False)
class InstantTypeInfo(TypeInformation[Instant]):
    """The type of points in time, kept to the microsecond.

    An aware ``datetime`` is accepted where an Instant is declared and becomes one.
    Mirrors ``Types.INSTANT`` of Flink; the constructor takes no ``BasicType``, as there is one such type.
    """

    def __call__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return "Instant"


SQL_DATE: SqlTimeTypeInfo[datetime.date] = DateTypeInfo()
SQL_TIME: SqlTimeTypeInfo[datetime.time] = TimeTypeInfo()
SQL_TIMESTAMP: SqlTimeTypeInfo[datetime.datetime] = TimestampTypeInfo()
LOCAL_DATE: LocalTimeTypeInfo[datetime.date] = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE)
LOCAL_TIME: LocalTimeTypeInfo[datetime.time] = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_TIME)
LOCAL_DATE_TIME: LocalTimeTypeInfo[datetime.datetime] = LocalTimeTypeInfo(
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME
)
INSTANT: InstantTypeInfo = InstantTypeInfo()
