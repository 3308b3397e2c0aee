"""WindowPlanner: the rows of unbounded tables with the windows that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.table.algebra.arrival import timed_by
from pystream.table.algebra.calc import EventTime, project
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.windows import WindowTableFunction
from pystream.table.columns import TableColumn
from pystream.table.planner.source import Source
from pystream.table.planner.trees import is_not_null
from pystream.table.planner.window_items import WindowItem, bound_in
from pystream.table.sql.windows import WINDOW_COLUMNS, bound_of
from pystream.table.window_columns import WindowColumns

__all__ = ["TableItem", "WindowPlanner"]


class TableItem:
    """An item of FROM whose rows have windows, as it is a table of such rows.

    Args:
        source: the rows.
        windows: the columns of windows.
    """

    def __init__(self, source: Source, windows: WindowColumns) -> None:
        self._source = source
        self._windows = windows

    def bound_of(self, node: exp.Expr) -> int | None:
        """Return which of `WINDOW_COLUMNS` a column of the item is, ``None`` for others."""
        windows = self._windows
        bounds = {windows.start: 0, windows.end: 1, windows.time: 2}
        return bounds.get(self._source.number(node)) if node in self._source else None

    def bounds(self) -> list[exp.Expr]:
        """Return the columns of the item that are the start and the end of windows."""
        names = [self._source.names[number] for number in (self._windows.start, self._windows.end)]
        return [exp.column(name, table=table, quoted=True) for table, name in names]

    def groups_sessions(self, keys: Sequence[exp.Expr]) -> bool:
        """Return whether a grouping by these keys and both bounds has all rows of a window in one group."""
        numbers = {self._source.number(key) for key in keys if key in self._source}
        return self._windows.keys is None or (self._windows.keys == numbers and len(numbers) == len(keys))


class WindowPlanner:
    """Computes expressions on rows with windows, which remain the windows of the results.

    Args:
        rows_of: returns the values of expressions of the rows of an item for which conditions are true.
        without_time: returns the error that a column of a window function is not the event time of its rows.
        zone_of: returns the time zone of windows by a column of event time.
        is_bounded: whether all rows are known, so that each column of times can be the event time.
    """

    def __init__(
        self,
        rows_of: Callable[[exp.Expr, Sequence[exp.Expr], Sequence[exp.Expr]], RelNode],
        without_time: Callable[[WindowItem, RelNode], Exception],
        zone_of: Callable[[TableColumn], str | None],
        *,
        is_bounded: bool,
    ) -> None:
        self._rows_of = rows_of
        self._without_time = without_time
        self._zone_of = zone_of
        self._is_bounded = is_bounded

    def timed_rows(
        self, item: WindowItem, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
    ) -> RelNode | None:
        """Return the values of expressions for the rows of the table of a window function, and their time.

        Args:
            item: the item of the window function.
            fields: the expressions, over the item.
            conditions: the conditions on the rows.

        Returns:
            The values, and the event time as the last column; ``None`` if an expression depends on the
            windows.
        """
        needed = [item.inlined(field) for field in fields]
        filters = [item.inlined(condition) for condition in conditions]
        if any(map(bound_in, [*needed, *filters])):
            return None
        return self._timed(item, [*needed, item.time], filters)

    def rows(
        self, item: WindowItem, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
    ) -> RelNode | None:
        """Return the values of expressions for the rows of a window function, with their windows.

        Args:
            item: the item of the window function.
            fields: the expressions, over the item.
            conditions: the conditions on the rows.

        Returns:
            The values; ``None`` if they cannot be computed before the windows are assigned.
        """
        inlined = [item.inlined(field) for field in fields]
        filters = [item.inlined(condition) for condition in conditions]
        plain = [field for field in inlined if bound_of(field) is None]
        is_session = item.call.function == "SESSION"
        if any(map(bound_in, [*plain, *filters])) or (is_session and conditions):
            return None
        keys = item.keys if is_session else []
        needed = list(dict.fromkeys([*keys, item.time, *plain]))
        rows = self._timed(item, needed, filters)
        zone = self._zone_of(rows.columns[needed.index(item.time)])
        windows = WindowTableFunction(rows, len(keys), item.call, zone)
        bounds = range(len(needed), len(needed) + len(WINDOW_COLUMNS))
        return project(
            windows,
            [needed.index(field) if (n := bound_of(field)) is None else bounds[n] for field in inlined],
        )

    def _timed(self, item: WindowItem, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]) -> RelNode:
        """Return the values of expressions, one of which is the event time, for the rows of the table."""
        if self._is_bounded:
            conditions = [*conditions, is_not_null(item.time)]
        rows = self._rows_of(item.table, fields, conditions)
        number = fields.index(item.time)
        if rows.is_updating:
            raise self._without_time(item, rows)
        timed = timed_by(rows, number)
        if timed is not None:
            return timed
        if not self._is_bounded:
            raise self._without_time(item, rows)
        return EventTime(rows, number)
