"""WindowResults: the rows of a query that groups by windows of event time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from pystream.common.time import Instant
from pystream.datastream.functions import ProcessWindowFunction
from pystream.datastream.window import TimeWindow
from pystream.engine.connectors.buckets import time_zone
from pystream.errors import ConfigurationError
from typeinfo.row import Row, make_row

__all__ = ["WindowResults"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class WindowResults(ProcessWindowFunction[list[Any], Row[Any], Any, TimeWindow]):
    """Emit the results of each window as a row: ``windowed.aggregate(RowAggregation(…), WindowResults(…))``.

    The row has no names: the values of the key, the results of the aggregation, then ``window_start``,
    ``window_end`` and ``window_time``, which is the last ms of the window. The key of the stream is a row
    that starts with the values of the key, in order, or a tuple, if none of them can be null. A query that
    groups by windows only has no values of the key: the key of its stream can be anything, such as that of
    the ``NullByteKeySelector``. Mirrors ``…table.runtime.operators.aggregate.window.WindowAggOperator``.

    Args:
        keys: the number of values of the key.
        zone: ``None`` if event time comes from a TIMESTAMP: the three times are naive datetimes, in UTC. The
            session's time zone, such as ``Europe/Rome``, if it comes from a TIMESTAMP_LTZ: start and end are
            naive datetimes in that zone, and the time of the window is an `Instant`.

    Raises:
        ConfigurationError: there is no such zone.
    """

    def __init__(self, keys: int, zone: str | None = None) -> None:
        self._keys = keys
        self._zone = zone
        try:
            time_zone(zone or "Z")
        except ValueError as error:
            raise ConfigurationError(str(error)) from None

    def process(
        self, key: Any, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[list[Any]]
    ) -> Iterator[Row[Any]]:
        """Yield the row of a window."""
        window = context.window()
        values = key[: self._keys] if self._keys else ()
        last = window.max_timestamp()
        time = self._wall_time(last) if self._zone is None else Instant.of_epoch_milli(last)
        for results in elements:
            start, end = self._wall_time(window.start), self._wall_time(window.end)
            yield make_row((*values, *results, start, end, time), None)

    def _wall_time(self, timestamp: int) -> datetime:
        time = _EPOCH + timedelta(milliseconds=timestamp)
        return time.astimezone(time_zone(self._zone or "Z")).replace(tzinfo=None)
