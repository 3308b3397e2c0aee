"""The rows of two unbounded tables together, in columns of common types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pystream.datastream.functions import MapFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import PlanTypeError
from pystream.table.columns import TableColumn, row_type
from pystream.table.streaming.common_types import CommonType, Conversion, common_column, converted
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute
from pystream.table.window_columns import WindowColumns
from typeinfo.row import Row, make_row

__all__ = ["united"]


def united(left: Table, right: Table) -> Table:
    """Return the rows of two tables, whose columns correspond by position and have the names of the first.

    Columns of different types are converted to their common types. The event time of both, in the same
    column, remains the event time, and so do their windows.

    Args:
        left: a table.
        right: a table with as many columns.

    Raises:
        PlanTypeError: two columns have no type in common.
    """
    types = [_common(one, other) for one, other in zip(left._columns, right._columns, strict=True)]
    columns = [
        replace(one, position=position, data_type=common.data_type, type_info=common.type_info)
        for position, (one, common) in enumerate(zip(left._columns, types, strict=True))
    ]
    rows = [
        _converted(table, columns, [common.conversions[side] for common in types])
        for side, table in enumerate((left, right))
    ]
    is_updating = left._is_updating or right._is_updating
    if is_updating and rows[0].get_parallelism() != rows[1].get_parallelism():
        rows = [stream.global_() for stream in rows]  # rows keep their order
    times = [_number_of_time(table) for table in (left, right)]
    time = TimeAttribute(times[0]) if times[0] is not None and times[0] == times[1] else None
    return Table(
        left._environment,
        rows[0].union(rows[1]),
        columns,
        time=time,
        is_updating=is_updating,
        windows=_common_windows(left, right),
    )


def _common_windows(left: Table, right: Table) -> WindowColumns | None:
    """Return the windows of the rows of two tables, if the same columns hold those of both."""
    found = []
    for table in (left, right):
        windows, width = table._windows, len(table._columns)
        chosen = windows and windows.chosen([column.position for column in table._columns])
        if chosen and chosen[0].keys is None and max(chosen[0].start, chosen[0].end) < width:
            found.append(chosen[0])
    return found[0] if len(found) == 2 and found[0] == found[1] else None


def _common(one: TableColumn, other: TableColumn) -> CommonType:
    common = common_column(one, other)
    if common is None:
        raise PlanTypeError(
            f"{one.name} is {one.data_type.nullable()}, and {other.name} is {other.data_type.nullable()}: "
            "CAST one of them"
        )
    return common


def _converted(
    table: Table, columns: Sequence[TableColumn], conversions: Sequence[Conversion | None]
) -> DataStream[Any]:
    """Return the rows of a table with converted values."""
    if not any(conversions):
        return table._elements(row_type(columns), by_position=True)
    names = [column.name for column in columns]
    rows = table._rows()
    converted = rows.map(_Converted(conversions, names), row_type(columns)).name("Convert")
    return converted.set_parallelism(rows.get_parallelism())  # rows keep their order


def _number_of_time(table: Table) -> int | None:
    """Return the number of the column with the event time of a table."""
    for number, column in enumerate(table._columns):
        if table._time is not None and column.position == table._time.position:
            return number
    return None


class _Converted(MapFunction[Row[Any], Row[Any]]):
    """Convert the values of a row, which keeps its kind."""

    def __init__(self, conversions: Sequence[Conversion | None], names: Sequence[str]) -> None:
        self._conversions = tuple(conversions)
        self._names = tuple(names)

    def map(self, value: Row[Any]) -> Row[Any]:
        values = map(converted, value, self._conversions)
        return make_row(values, self._names, value.get_row_kind())
