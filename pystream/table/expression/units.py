"""Units of time intervals."""

from __future__ import annotations

from enum import Enum

__all__ = ["TimeIntervalUnit"]


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
