"""Date and time types: Flink's SQL family, its local family, and instants."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Self, TypeVar

from typeinfo.info import TypeInformation
from typeinfo.instant import Instant

__all__ = ["InstantTypeInfo", "LocalTimeTypeInfo", "SqlTimeTypeInfo", "TemporalTypeInfo", "TimeKind"]

T = TypeVar("T")


class TimeKind(Enum):
    """What part of the calendar a date or time type covers; the value is the Python class."""

    DATE = datetime.date
    TIME = datetime.time
    TIMESTAMP = datetime.datetime


class TemporalTypeInfo(TypeInformation[T, T]):
    """A date, a time of day, or both, without a time zone.

    Microseconds are kept. ``fold``, which tells two equal local times apart when clocks are set back, is
    not.
    """

    __slots__ = ()
    kind: TimeKind

    def __call__(self) -> Self:
        return self


@dataclass(frozen=True, slots=True, repr=False)
class SqlTimeTypeInfo(TemporalTypeInfo[T]):
    """The type of ``date``, ``time`` and naive ``datetime`` under their SQL names.

    Mirrors ``org.apache.flink.api.common.typeinfo.SqlTimeTypeInfo``.
    """

    kind: TimeKind

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
class LocalTimeTypeInfo(TemporalTypeInfo[T]):
    """The type of ``date``, ``time`` and naive ``datetime`` under java.time's names.

    Mirrors ``org.apache.flink.api.common.typeinfo.LocalTimeTypeInfo``.
    """

    kind: TimeKind
    _NAMES: ClassVar[dict[TimeKind, str]] = {
        TimeKind.DATE: "LOCAL_DATE",
        TimeKind.TIME: "LOCAL_TIME",
        TimeKind.TIMESTAMP: "LOCAL_DATE_TIME",
    }

    def __repr__(self) -> str:
        return f"LocalTimeTypeInfo<{self._NAMES[self.kind]}>"


@dataclass(frozen=True, slots=True, repr=False)
class InstantTypeInfo(TypeInformation[Instant]):
    """The type of points in time, kept to the microsecond.

    An aware ``datetime`` is accepted where an Instant is declared and becomes one.
    Mirrors ``Types.INSTANT`` of Flink.
    """

    def __call__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return "Instant"


SQL_DATE: SqlTimeTypeInfo[datetime.date] = SqlTimeTypeInfo(TimeKind.DATE)
SQL_TIME: SqlTimeTypeInfo[datetime.time] = SqlTimeTypeInfo(TimeKind.TIME)
SQL_TIMESTAMP: SqlTimeTypeInfo[datetime.datetime] = SqlTimeTypeInfo(TimeKind.TIMESTAMP)
LOCAL_DATE: LocalTimeTypeInfo[datetime.date] = LocalTimeTypeInfo(TimeKind.DATE)
LOCAL_TIME: LocalTimeTypeInfo[datetime.time] = LocalTimeTypeInfo(TimeKind.TIME)
LOCAL_DATE_TIME: LocalTimeTypeInfo[datetime.datetime] = LocalTimeTypeInfo(TimeKind.TIMESTAMP)
INSTANT: InstantTypeInfo = InstantTypeInfo()
