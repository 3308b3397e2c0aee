"""The operators of streams that assign windows to the rows of unbounded tables, and aggregate them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pystream.common.time import Time
from pystream.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    WindowAssigner,
)
from pystream.errors import ConfigurationError, UnsupportedOperationError
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.sql.windows import WindowCall
from pystream.table.streaming.aggregates import AggregateCall, RowAggregation
from pystream.table.streaming.cumulative_windows import CumulativeEventTimeWindows
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.local_windows import AttachedWindows, LocalTimeWindows
from pystream.table.streaming.operators import keyed, result_columns
from pystream.table.streaming.source import with_columns
from pystream.table.streaming.window_aggregation import WindowResults
from pystream.table.streaming.window_rows import RowsOfSession, WindowsOfRow
from pystream.table.table import Table
from pystream.table.table_config import local_zone, zone_of_machine
from pystream.table.time_attribute import ColumnTime, TimeAttribute, with_event_time
from pystream.table.window_columns import WindowColumns
from typeinfo.types import Types

__all__ = [
    "grouped_by_windows",
    "window_columns",
    "windowed",
    "with_sessions",
    "with_windows",
    "zone_of",
]


def windowed(
    table: Table, keys: int, aggregates: Sequence[AggregateCall], call: WindowCall, time: TableColumn
) -> Table:
    """Return the aggregates of each group of rows in each window, and then the bounds of the window.

    Args:
        table: the rows.
        keys: the number of its columns, from the first one on, that are the key.
        aggregates: the aggregates.
        call: the window function.
        time: the column of event time.

    Raises:
        UnsupportedOperationError: an aggregate depends on the order of rows of sessions.
    """
    for each in aggregates:
        if call.function == "SESSION" and each.function in ("FIRST_VALUE", "LAST_VALUE"):
            raise UnsupportedOperationError(f"{each.function} in a SESSION")
    zone = zone_of(table, time)
    local = LocalTime(zone)
    if call.function == "SESSION":
        assigner: WindowAssigner[Any, Any] = _sessions(call)
    elif local.fixed_offset is None:
        assigner = LocalTimeWindows(_aligned(call), local)
    else:
        assigner = _aligned(call, -local.fixed_offset)
    session_keys = frozenset(range(keys)) if call.function == "SESSION" else None
    return _aggregated(table, keys, aggregates, assigner, call.function, zone, session_keys)


def grouped_by_windows(table: Table, keys: int, aggregates: Sequence[AggregateCall]) -> Table:
    """Return the aggregates of each group of rows in the windows that they have the bounds of.

    Args:
        table: the rows, which have windows.
        keys: the number of its columns, from the first one on, that are the key.
        aggregates: the aggregates.
    """
    windows = table._windows
    assert windows is not None
    width = len(table._columns)
    bounds = [
        replace(column, position=position)
        for column, position in zip(
            window_columns(0, windows.zone), (windows.start, windows.end), strict=False
        )
    ]
    rows = with_columns(table, [*table._columns, *bounds])
    assigner = AttachedWindows(width, width + 1, LocalTime(windows.zone))
    session_keys = None if windows.keys is None else frozenset(range(keys))
    return _aggregated(rows, keys, aggregates, assigner, "of rows", windows.zone, session_keys)


def _aggregated(
    table: Table,
    keys: int,
    aggregates: Sequence[AggregateCall],
    assigner: WindowAssigner[Any, Any],
    name: str,
    zone: str | None,
    session_keys: frozenset[int] | None,
) -> Table:
    columns = result_columns(table, keys, aggregates)
    first = len(columns)
    columns += window_columns(first, zone)
    stream = (
        keyed(table, range(keys))
        .window(assigner)
        .aggregate(
            RowAggregation(aggregates),
            WindowResults(keys, zone),
            Types.PICKLED_BYTE_ARRAY(),
            row_type(columns),
        )
    )
    stream.name(f"WindowAggregate({', '.join([name, *map(str, aggregates)])})")
    windows = WindowColumns(first, first + 1, first + 2, zone, session_keys)
    return Table(table._environment, stream, columns, time=TimeAttribute(first + 2), windows=windows)


def with_windows(table: Table, call: WindowCall, time: TableColumn) -> Table:
    """Return each row of a table once for each of its windows, with the bounds and the time of the window.

    Args:
        table: the rows.
        call: a window function other than ``SESSION``.
        time: the column of event time.
    """
    zone = zone_of(table, time)
    columns = _columns_of_rows(table)
    first = len(columns)
    given, row = table._time, row_type(columns)
    stream = table._stream if given is None or given.untimed is None else given.untimed
    rows = Table(table._environment, stream, table._columns)._elements(row, by_position=True)
    columns += window_columns(first, zone)
    time = replace(time, position=[c.position for c in table._columns].index(time.position))
    assigner = LocalTimeWindows[Any](_aligned(call), LocalTime(zone))
    function = WindowsOfRow(assigner, ColumnTime(row, time), zone)
    stream = rows.flat_map(function, row_type(columns)).name(f"WindowTableFunction({call.function})")
    stream.set_parallelism(rows.get_parallelism())  # rows keep their order
    windows = WindowColumns(first, first + 1, first + 2, zone)
    attribute = TimeAttribute(time.position)
    if given is not None and given.untimed is not None and given.delay is not None:
        attribute = TimeAttribute(time.position, given.delay, stream)
        stream = with_event_time(stream, time, given.delay)
    return Table(table._environment, stream, columns, time=attribute, windows=windows)


def with_sessions(table: Table, keys: int, call: WindowCall, time: TableColumn) -> Table:
    """Return each row of a table with the bounds and the time of its session, when the session has ended.

    Args:
        table: the rows.
        keys: the number of its columns, from the first one on, that rows of a session have in common.
        call: the call of ``SESSION``.
        time: the column of event time.
    """
    zone = zone_of(table, time)
    columns = _columns_of_rows(table)
    first = len(columns)
    columns += window_columns(first, zone)
    sessions = keyed(table, range(keys)).window(_sessions(call))
    stream = sessions.process(RowsOfSession(zone), row_type(columns))
    stream.name("WindowTableFunction(SESSION)")
    windows = WindowColumns(first, first + 1, first + 2, zone, frozenset(range(keys)))
    return Table(table._environment, stream, columns, time=TimeAttribute(first + 2), windows=windows)


def _columns_of_rows(table: Table) -> list[TableColumn]:
    return [replace(c, name=f"f{position}", position=position) for position, c in enumerate(table._columns)]


def window_columns(first: int, zone: str | None) -> list[TableColumn]:
    """Return the columns of the bounds and the time of windows.

    Args:
        first: the position of the first one.
        zone: the time zone of a TIMESTAMP_LTZ; ``None`` for a TIMESTAMP.
    """
    bound = DataTypes.TIMESTAMP(3).not_null()
    time = bound if zone is None else DataTypes.TIMESTAMP_LTZ(3).not_null()
    return [
        TableColumn("window_start", bound, bound.type_info, first),
        TableColumn("window_end", bound, bound.type_info, first + 1),
        TableColumn("window_time", time, time.type_info, first + 2),
    ]


def _sessions(call: WindowCall) -> EventTimeSessionWindows[Any]:
    return EventTimeSessionWindows.with_gap(Time.milliseconds(call.lengths[0]))


def _aligned(call: WindowCall, shift: int = 0) -> WindowAssigner[Any, Any]:
    """Return the assigner of a window function, whose windows are shifted by a time in milliseconds."""
    lengths = [Time.milliseconds(length) for length in call.lengths]
    match call.function, lengths:
        case "TUMBLE", [size, *offset]:
            return TumblingEventTimeWindows.of(size, _offset(offset, shift, size))
        case "HOP", [slide, size, *offset]:
            return SlidingEventTimeWindows.of(size, slide, _offset(offset, shift, slide))
        case _, [step, size, *offset]:
            return CumulativeEventTimeWindows.of(size, step, _offset(offset, shift, size))
    raise AssertionError(call)


def _offset(given: Sequence[Time], shift: int, period: Time) -> Time:
    offset = sum(time.to_milliseconds() for time in given) + shift
    return Time.milliseconds(offset % period.to_milliseconds())


def zone_of(table: Table, time: TableColumn) -> str | None:
    """Return the time zone of windows; ``None`` if their times have none."""
    if time.type_info != Types.INSTANT:
        return None
    zone = local_zone(table._environment.get_config().get_configuration())
    name = zone_of_machine() if zone is None else str(zone)
    try:
        LocalTime(name)
    except ValueError as error:
        raise ConfigurationError(
            f"the time zone of this machine: {error}; set table.local-time-zone"
        ) from None
    return name
