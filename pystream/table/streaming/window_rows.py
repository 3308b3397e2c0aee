"""Rows with the bounds and the time of the windows that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pystream.common.time import Instant
from pystream.datastream.functions import FlatMapFunction, ProcessWindowFunction
from pystream.datastream.window import TimeWindow
from pystream.engine.events import NO_TIMESTAMP
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.local_windows import LocalTimeWindow, LocalTimeWindows
from pystream.table.time_attribute import ColumnTime
from typeinfo.row import Row, make_row

__all__ = ["RowsOfSession", "WindowTimes", "WindowsOfRow"]


class WindowTimes:
    """The values of ``window_start``, ``window_end`` and ``window_time``.

    Args:
        zone: ``None`` if event time comes from a TIMESTAMP: the three times are naive datetimes, in UTC. The
            session's time zone, such as ``Europe/Rome``, if it comes from a TIMESTAMP_LTZ: start and end are
            naive datetimes in that zone, and the time of the window is an `Instant`.

    Raises:
        ValueError: there is no such zone.
    """

    def __init__(self, zone: str | None) -> None:
        self._local = LocalTime(zone)
        self._is_instant = zone is not None

    def of(self, window: TimeWindow | LocalTimeWindow) -> tuple[datetime, datetime, datetime | Instant]:
        """Return the values of a window; its last millisecond is its time."""
        local = self._local
        if isinstance(window, LocalTimeWindow):
            start, end, last = window.start, window.end, local.instant(window.end - 1)
        else:
            start, end, last = local.at(window.start), local.at(window.end), window.end - 1
        time = Instant.of_epoch_milli(last) if self._is_instant else local.to_datetime(last)
        return local.to_datetime(start), local.to_datetime(end), time


class WindowsOfRow(FlatMapFunction[Row[Any], Row[Any]]):
    """Emit each row once for each window that it is in, followed by the times of the window.

    A result is a row without names. Mirrors ``…table.runtime.operators.window.tvf.operator.
    AlignedWindowTableFunctionOperator``.

    Args:
        windows: assigns the windows.
        time: takes the event time of a row from a column.
        zone: as `WindowTimes`.
    """

    def __init__(self, windows: LocalTimeWindows[Any], time: ColumnTime, zone: str | None) -> None:
        self._windows = windows
        self._time = time
        self._times = WindowTimes(zone)

    def flat_map(self, value: Row[Any]) -> Iterator[Row[Any]]:
        """Yield a row with each of its windows, the earliest one first."""
        time = self._time.extract_timestamp(value, 0)
        windows = [] if time == NO_TIMESTAMP else self._windows.at(value, time)
        for window in sorted(windows):
            yield make_row((*value, *self._times.of(window)), None)


class RowsOfSession(ProcessWindowFunction[Row[Any], Row[Any], Any, TimeWindow]):
    """Emit the rows of a session in the order of arrival, each followed by the times of the session.

    A result is a row without names. Mirrors ``…table.runtime.operators.window.tvf.operator.
    UnalignedWindowTableFunctionOperator``.

    Args:
        zone: as `WindowTimes`.
    """

    def __init__(self, zone: str | None) -> None:
        self._times = WindowTimes(zone)

    def process(
        self, key: Any, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Row[Any]]
    ) -> Iterator[Row[Any]]:
        """Yield the rows of a session."""
        times = self._times.of(context.window())
        for row in elements:
            yield make_row((*row, *times), None)
