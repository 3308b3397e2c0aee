"""The operators of streams that join the rows of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pystream.common.time import Time
from pystream.datastream.functions import KeySelector, NullByteKeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.table.algebra.common_columns import Conversion, converted
from pystream.table.algebra.joins import IntervalJoin, Join, WindowJoin
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.delayed_watermarks import with_delayed_watermarks
from pystream.table.streaming.expiry import time_to_live
from pystream.table.streaming.interval_joins import JoinedRows, OuterIntervalJoin
from pystream.table.streaming.joins import JoinSide, RegularJoin
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.operators import (
    keyed,
    positional_columns,
    positional_rows,
    results,
    results_type,
    with_times,
)
from pystream.table.streaming.window_join import WindowJoin as WindowJoinFunction
from pystream.table.table import Table
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = [
    "condition_of",
    "interval_joined",
    "joined",
    "joined_in_windows",
    "keyed_sides",
    "sides_of",
]


def joined(node: Join, left: Table, right: Table) -> Table:
    """Return the pairs of rows of two tables."""
    function = RegularJoin(*sides_of(node), condition_of(node), *map(time_to_live, node.ttls))
    one, other = keyed_sides(node, left, right)
    stream = one.connect(other).process(function, results_type(node)).name(node.join_type)
    return results(node, left, stream)


def interval_joined(node: IntervalJoin, left: Table, right: Table) -> Table:
    """Return the pairs of rows of two tables whose times lie close together."""
    lower, upper = node.interval
    if node.is_outer:
        one, other = keyed_sides(node, left, right)
        first, second = sides_of(node)
        first, second = _timed(first, node.left.time), _timed(second, node.right.time)
        function = OuterIntervalJoin(first, second, node.interval, condition_of(node))
        stream: DataStream[Any] = one.connect(other).process(function, results_type(node))
    else:
        one, other = keyed_sides(node, with_times(left), with_times(right))
        pairs = one.interval_join(other).between(Time.milliseconds(lower), Time.milliseconds(upper))
        stream = pairs.process(JoinedRows(*sides_of(node), condition_of(node)), results_type(node))
    stream = stream.name(f"Interval{node.join_type}")
    if node.time is not None:
        time = node.columns[node.time]
        stream = with_delayed_watermarks(stream, positional_columns(node), time, max(upper, -lower, 0))
    return results(node, left, stream)


def joined_in_windows(node: WindowJoin, left: Table, right: Table) -> Table:
    """Return the pairs of rows of two tables in the same window, when the window has ended."""
    one, other = node.left.windows, node.right.windows
    assert one is not None
    assert other is not None
    sides = [key.left for key in node.keys], [key.right for key in node.keys]
    function = WindowJoinFunction(*sides, one.end, other.end, LocalTime(one.zone), condition_of(node))
    streams = keyed(left, sides[0]).connect(keyed(right, sides[1]))
    return results(node, left, streams.process(function, results_type(node)).name("WindowJoin"))


def condition_of(node: Join) -> Evaluation | None:
    """Return the further condition of a join."""
    return None if node.condition is None else node.condition.evaluation


def sides_of(node: Join) -> tuple[JoinSide, JoinSide]:
    """Return the sides of a join."""
    keys = [key for key in node.keys if not key.admits_null]
    return (
        JoinSide(len(node.left.columns), tuple(key.left for key in keys), node.is_left_outer),
        JoinSide(len(node.right.columns), tuple(key.right for key in keys), node.is_right_outer),
    )


def _timed(side: JoinSide, time: int | None) -> JoinSide:
    """Return a side whose rows have partners only if they have a time."""
    assert time is not None
    return replace(side, required=(*side.required, time))


def keyed_sides(
    node: Join, left: Table, right: Table
) -> tuple[KeyedStream[Row[Any], Any], KeyedStream[Row[Any], Any]]:
    """Return the rows of both sides by their keys."""
    ones = [(key.left, key.common.conversions[0]) for key in node.keys]
    others = [(key.right, key.common.conversions[1]) for key in node.keys]
    return _keyed(node, left, ones), _keyed(node, right, others)


def _keyed(
    node: Join, table: Table, parts: Sequence[tuple[int, Conversion | None]]
) -> KeyedStream[Row[Any], Any]:
    rows = positional_rows(table)
    if not parts:
        return rows.key_by(NullByteKeySelector(), Types.INT())
    return rows.key_by(_Key(parts), Types.ROW([key.common.type_info for key in node.keys]))


class _Key(KeySelector[Row[Any], Row[Any]]):
    """Take the key from some fields of a row, converted to common types."""

    def __init__(self, parts: Sequence[tuple[int, Conversion | None]]) -> None:
        self._parts = tuple(parts)

    def get_key(self, value: Row[Any]) -> Row[Any]:
        return Row(*(converted(value[position], convert) for position, convert in self._parts))
