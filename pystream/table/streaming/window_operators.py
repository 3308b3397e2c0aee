"""The operators of streams that assign windows to the rows of tables, and aggregate them."""

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
from pystream.engine.operators.column_collect import COLUMN_COLLECT
from pystream.table.algebra.aggregates import FinalWindowAggregate, WindowAggregate
from pystream.table.algebra.windows import WindowTableFunction
from pystream.table.columns import row_type
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.cumulative_windows import CumulativeEventTimeWindows
from pystream.table.streaming.final_windows import FinalWindows
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.local_windows import AttachedWindows, LocalTimeWindows
from pystream.table.streaming.operators import collected, keyed, results, results_type, with_times
from pystream.table.streaming.window_aggregation import WindowResults
from pystream.table.streaming.window_rows import RowsOfSession, WindowsOfRow
from pystream.table.table import Table
from pystream.table.time_attribute import ColumnTime, TimeAttribute, with_event_time, with_timestamps
from pystream.table.window_call import WindowCall
from typeinfo.types import Types

__all__ = ["aggregated_in_windows", "with_sessions", "with_windows"]


def aggregated_in_windows(node: WindowAggregate, rows: Table) -> Table:
    """Return the aggregates of each group of rows in each window, and then the bounds of the window."""
    name = "of rows" if node.call is None else node.call.function
    stream = (
        keyed(rows if node.call is None else with_times(rows), range(node.keys))
        .window(_assigner(node))
        .aggregate(
            RowAggregation(node.aggregates),
            WindowResults(node.keys, node.zone),
            Types.PICKLED_BYTE_ARRAY(),
            results_type(node),
        )
    )
    stream.name(f"WindowAggregate({', '.join([name, *map(str, node.aggregates)])})")
    return results(node, rows, stream)


def aggregated_in_windows_at_end(node: FinalWindowAggregate, rows: Table) -> Table:
    """Return the aggregates of each group of bounded rows in each window, and its bounds, at their end."""
    result = results_type(node)
    function = FinalWindows(RowColumns(rows), node, result)
    stream = collected(COLUMN_COLLECT, function, [rows], result)
    stream.name(f"WindowAggregate({', '.join([node.call.function, *map(str, node.aggregates)])})")
    assert node.time is not None
    return results(node, rows, with_timestamps(stream, node.columns[node.time]))


def _assigner(node: WindowAggregate) -> WindowAssigner[Any, Any]:
    local = LocalTime(node.zone)
    if node.call is None:
        windows = node.rows.windows
        assert windows is not None
        return AttachedWindows(windows.start, windows.end, local)
    if node.call.function == "SESSION":
        return _sessions(node.call)
    if local.fixed_offset is None:
        return LocalTimeWindows(_aligned(node.call), local)
    return _aligned(node.call, -local.fixed_offset)


def with_windows(node: WindowTableFunction, rows: Table) -> Table:
    """Return each row once for each of its windows, with the bounds and the time of the window."""
    given, number = rows._time, node.rows.time
    assert given is not None
    assert number is not None
    stream = (given.untimed or rows)._stream
    fields = [replace(column, name=f"f{n}") for n, column in enumerate(rows._columns)]
    row = row_type(fields)
    elements = Table(rows._environment, stream, fields)._elements(row, by_position=True)
    time = replace(fields[number], position=number)
    assigner = LocalTimeWindows[Any](_aligned(node.call), LocalTime(node.zone))
    function = WindowsOfRow(assigner, ColumnTime(row, time, is_required=False), node.zone)
    with_bounds = elements.flat_map(function, results_type(node))
    with_bounds.name(f"WindowTableFunction({node.call.function})")
    with_bounds.set_parallelism(elements.get_parallelism())  # rows keep their order
    if given.untimed is None or given.delay is None:
        return results(node, rows, with_bounds)
    attribute = TimeAttribute(number, given.delay, Table(rows._environment, with_bounds, node.columns))
    timed = with_event_time(with_bounds, time, given.delay)
    return Table(rows._environment, timed, node.columns, time=attribute)


def with_sessions(node: WindowTableFunction, rows: Table) -> Table:
    """Return each row with the bounds and the time of its session, when the session has ended."""
    sessions = keyed(with_times(rows), range(node.keys)).window(_sessions(node.call))
    stream = sessions.process(RowsOfSession(node.zone), results_type(node))
    return results(node, rows, stream.name("WindowTableFunction(SESSION)"))


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
