"""Aggregates of the groups of bounded rows in windows, which are emitted when the input ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.table.algebra.aggregates import AggregateCall, FinalWindowAggregate
from pystream.table.streaming.column_types import are_plain
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.final_aggregation import FinalColumns
from pystream.table.streaming.local_time import LocalTime
from typeinfo import temporal
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.table.streaming.column_aggregation import Accumulated

__all__ = ["FinalWindows", "is_aggregated_by_columns"]

_TIMES = (temporal.SQL_TIMESTAMP, temporal.LOCAL_DATE_TIME, temporal.INSTANT)


def is_aggregated_by_columns(node: FinalWindowAggregate) -> bool:
    """Return whether the groups and windows of rows are told apart by columns."""
    columns = node.rows.columns
    assert node.rows.time is not None
    return (
        are_plain(columns[: node.keys])
        and columns[node.rows.time].type_info in _TIMES
        and LocalTime(node.zone).fixed_offset is not None
    )


class FinalWindows(FinalColumns):
    """Aggregate the columns of all rows by groups and windows, and emit the results at their end.

    The results are those of `WindowResults`, in the order of the ends of windows.

    Args:
        rows: makes the columns of the rows.
        node: the aggregates and the windows.
        result: the type of the results.

    Raises:
        UnsupportedOperationError: as `RowAggregation`.
        PlanError: as `RowAggregation`.
    """

    def __init__(self, rows: RowColumns, node: FinalWindowAggregate, result: TypeInformation[Any]) -> None:
        keys, time = node.keys, node.rows.time
        assert time is not None
        given, bounds = node.rows.columns, node.columns[-3:-1]
        calls = [_shifted(call, keys, len(bounds)) for call in node.aggregates]
        super().__init__(rows, [*given[:keys], *bounds, *given[keys:]], keys, calls, result)
        offset = LocalTime(node.zone).fixed_offset
        assert offset is not None
        self._windows = time, node.call, offset, [column.type_info for column in given]

    def _groups(self, accumulated: Sequence[Accumulated]) -> Any:
        from pystream.table.streaming.column_windows import WindowGroups  # needs pyarrow

        return WindowGroups(self._keys, *self._windows, accumulated)


def _shifted(call: AggregateCall, keys: int, further: int) -> AggregateCall:
    """Return a call for rows with further columns after the keys."""

    def number(position: int) -> int:
        return position if position < keys else position + further

    condition = None if call.condition is None else number(call.condition)
    return call._replace(arguments=tuple(map(number, call.arguments)), condition=condition)
