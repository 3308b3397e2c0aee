"""WindowResults: the rows of a query that groups by windows of event time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pystream.datastream.functions import ProcessWindowFunction
from pystream.datastream.window import TimeWindow
from pystream.errors import ConfigurationError
from pystream.table.streaming.local_windows import LocalTimeWindow
from pystream.table.streaming.window_rows import WindowTimes
from typeinfo.row import Row, make_row

__all__ = ["WindowResults"]


class WindowResults(ProcessWindowFunction[list[Any], Row[Any], Any, TimeWindow | LocalTimeWindow]):
    """Emit the results of each window as a row: ``windowed.aggregate(RowAggregation(…), WindowResults(…))``.

    The row has no names: the values of the key, the results of the aggregation, then ``window_start``,
    ``window_end`` and ``window_time``, which is the last ms of the window. The key of the stream is a row
    that starts with the values of the key, in order, or a tuple, if none of them can be null. A query that
    groups by windows only has no values of the key: the key of its stream can be anything, such as that of
    the ``NullByteKeySelector``. Mirrors ``…table.runtime.operators.aggregate.window.WindowAggOperator``.

    Args:
        keys: the number of values of the key.
        zone: as `WindowTimes`.

    Raises:
        ConfigurationError: there is no such zone.
    """

    def __init__(self, keys: int, zone: str | None = None) -> None:
        self._keys = keys
        try:
            self._times = WindowTimes(zone)
        except ValueError as error:
            raise ConfigurationError(str(error)) from None

    def process(
        self,
        key: Any,
        context: ProcessWindowFunction.Context[TimeWindow | LocalTimeWindow],
        elements: Iterable[list[Any]],
    ) -> Iterator[Row[Any]]:
        """Yield the row of a window."""
        times = self._times.of(context.window())
        values = key[: self._keys] if self._keys else ()
        for results in elements:
            yield make_row((*values, *results, *times), None)
