"""Functions of dates and times, and intervals."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, trees
from pystream.table.expression.units import TimeIntervalUnit
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["WINDOW_CLOCK", "WINDOW_PROPERTIES", "WINDOW_TIME", "TimeFunctions"]

WINDOW_TIME = "GROUP_WINDOW_TIME"
"""The function of the name of a window that is the last time in it."""

WINDOW_CLOCK = "GROUP_WINDOW_PROCTIME"
"""The function of the name of a window that is the time at which its results are computed."""

WINDOW_PROPERTIES: Mapping[str, str] = MappingProxyType(
    {
        "GROUP_WINDOW_START": "window_start",
        "GROUP_WINDOW_END": "window_end",
        WINDOW_TIME: "window_time",
        WINDOW_CLOCK: "PROCTIME()",
    }
)
"""The properties of a window, each with its SQL in a query of the window function."""


_UNIT = "a TimeIntervalUnit such as TimeIntervalUnit.DAY"


@checks_arguments(ArgumentTypeError)
class TimeFunctions(ExpressionTree[T_co]):
    """Functions of dates and times, whose results are null if an argument is, and intervals."""

    @property
    def to_date(self) -> Expression[datetime.date]:
        """Text of the form ``2024-01-31`` as a date."""
        return self._of_sql("CAST(:p0 AS DATE)", self)

    @property
    def to_timestamp(self) -> Expression[datetime.datetime]:
        """Text of the form ``2024-01-31 12:00:00`` as a timestamp."""
        return self._of_sql("CAST(:p0 AS TIMESTAMP)", self)

    @property
    def to_time(self) -> Expression[datetime.time]:
        """Text of the form ``12:30:00`` as a time of day."""
        return self._of_sql("CAST(:p0 AS TIME)", self)

    def extract(self, time_interval_unit: TimeIntervalUnit) -> Expression[int]:
        """Return a part of a date or timestamp, as BIGINT.

        Examples:
            >>> from pystream.table.expression import TimeIntervalUnit
            >>> from pystream.table.expressions import col
            >>> col("day").extract(TimeIntervalUnit.YEAR)
            Expression(EXTRACT(YEAR FROM `day`))
        """
        require(time_interval_unit, TimeIntervalUnit, "extract", _UNIT)
        return self._of_call("EXTRACT", time_interval_unit.value, self)

    def floor(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression[T_co]:
        """Return a number rounded down, or a timestamp rounded down to a unit."""
        if time_interval_unit is None:
            return self._of_call("FLOOR", self)
        require(time_interval_unit, TimeIntervalUnit, "floor", _UNIT)
        return self._of_call("FLOOR", self, time_interval_unit.value)

    def ceil(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression[T_co]:
        """Return a number rounded up, or a timestamp rounded up to a unit."""
        if time_interval_unit is None:
            return self._of_call("CEIL", self)
        require(time_interval_unit, TimeIntervalUnit, "ceil", _UNIT)
        return self._of_call("CEIL", self, time_interval_unit.value)

    @property
    def year(self) -> Expression[datetime.timedelta]:
        """An interval of a number of years."""
        return self._of_sql(":p0 * INTERVAL '1' YEAR", self)

    @property
    def quarter(self) -> Expression[datetime.timedelta]:
        """An interval of a number of quarters."""
        return self._of_sql(":p0 * INTERVAL '3' MONTH", self)

    @property
    def month(self) -> Expression[datetime.timedelta]:
        """An interval of a number of months."""
        return self._of_sql(":p0 * INTERVAL '1' MONTH", self)

    @property
    def week(self) -> Expression[datetime.timedelta]:
        """An interval of a number of weeks."""
        return self._of_sql("CAST(:p0 * INTERVAL '7' DAY AS INTERVAL DAY)", self)

    @property
    def day(self) -> Expression[datetime.timedelta]:
        """An interval of a number of days.

        Examples:
            >>> from pystream.table.expressions import col, lit
            >>> col("time") + lit(2).days
            Expression(`time` + CAST(2 * INTERVAL '1' DAY AS INTERVAL DAY))
        """
        return self._of_sql("CAST(:p0 * INTERVAL '1' DAY AS INTERVAL DAY)", self)

    @property
    def hour(self) -> Expression[datetime.timedelta]:
        """An interval of a number of hours."""
        return self._of_sql(":p0 * INTERVAL '1' HOUR", self)

    @property
    def minute(self) -> Expression[datetime.timedelta]:
        """An interval of a number of minutes."""
        return self._of_sql(":p0 * INTERVAL '1' MINUTE", self)

    @property
    def second(self) -> Expression[datetime.timedelta]:
        """An interval of a number of seconds."""
        return self._of_sql(":p0 * INTERVAL '1' SECOND", self)

    @property
    def milli(self) -> Expression[datetime.timedelta]:
        """An interval of a number of milliseconds."""
        return self._of_sql(":p0 * INTERVAL '0.001' SECOND", self)

    @property
    def start(self) -> Expression[datetime.datetime]:
        """The start of a window of ``Table.window``, by its name: ``col("w").start``."""
        return self._property("GROUP_WINDOW_START")

    @property
    def end(self) -> Expression[datetime.datetime]:
        """The end of a window of ``Table.window``, which is after it: ``col("w").end``."""
        return self._property("GROUP_WINDOW_END")

    @property
    def rowtime(self) -> Expression[datetime.datetime]:
        """The last time in a window of ``Table.window``, which further windows can be of.

        In ``from_data_stream``, the timestamps of the elements.
        """
        return self._property(WINDOW_TIME)

    @property
    def proctime(self) -> Expression[datetime.datetime]:
        """The time of the clock when the results of a window are computed.

        In ``from_data_stream``, that when a row is processed.
        """
        return self._property(WINDOW_CLOCK)

    def _property(self, name: str) -> Expression[datetime.datetime]:
        return self._changed(lambda: trees().property_tree(name, self._tree))

    years = year
    quarters = quarter
    months = month
    weeks = week
    days = day
    hours = hour
    minutes = minute
    seconds = second
    millis = milli
