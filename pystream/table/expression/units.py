"""Units of time intervals."""

from __future__ import annotations

from enum import Enum

__all__ = ["TimeIntervalUnit", "TimePointUnit"]


class TimeIntervalUnit(Enum):
    """A unit that a time is divided into.

    Mirrors ``org.apache.flink.table.expressions.TimeIntervalUnit``.
    """

    YEAR = "YEAR"
    QUARTER = "QUARTER"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"
    HOUR = "HOUR"
    MINUTE = "MINUTE"
    SECOND = "SECOND"


class TimePointUnit(Enum):
    """A unit of the difference of two times.

    Mirrors ``org.apache.flink.table.expressions.TimePointUnit``.
    """

    YEAR = "YEAR"
    MONTH = "MONTH"
    DAY = "DAY"
    HOUR = "HOUR"
    MINUTE = "MINUTE"
    SECOND = "SECOND"
    QUARTER = "QUARTER"
    WEEK = "WEEK"
    MILLISECOND = "MILLISECOND"
    MICROSECOND = "MICROSECOND"
