"""Units of time intervals."""

from __future__ import annotations

from enum import Enum

__all__ = ["TimeIntervalUnit", "TimePointUnit"]


class TimeIntervalUnit(Enum):
    """A unit that a time is divided into.

    Mirrors ``org.apache.flink.table.expressions.TimeIntervalUnit``.
    """

    YEAR = "YEAR"
    YEAR_TO_MONTH = "YEAR TO MONTH"
    QUARTER = "QUARTER"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"
    DAY_TO_HOUR = "DAY TO HOUR"
    DAY_TO_MINUTE = "DAY TO MINUTE"
    DAY_TO_SECOND = "DAY TO SECOND"
    HOUR = "HOUR"
    HOUR_TO_MINUTE = "HOUR TO MINUTE"
    HOUR_TO_SECOND = "HOUR TO SECOND"
    MINUTE = "MINUTE"
    MINUTE_TO_SECOND = "MINUTE TO SECOND"
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
