"""WindowPlanner: the rows of unbounded tables with the windows that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.table.columns import TableColumn
from pystream.table.sql.windows import WINDOW_COLUMNS
from pystream.table.streaming.source import Source, with_columns
from pystream.table.streaming.window_items import WindowItem, bound_in, bound_of
from pystream.table.streaming.window_operators import with_sessions, with_windows
from pystream.table.table import Table
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
        return bounds.get(self._source.column(node).position) if node in self._source else None

    def groups_sessions(self, keys: Sequence[exp.Expr]) -> bool:
        """Return whether a grouping by these keys and both bounds has all rows of a window in one group."""
        positions = {self._source.column(key).position for key in keys if key in self._source}
        return self._windows.keys is None or (self._windows.keys == positions and len(positions) == len(keys))


class WindowPlanner:
    """Computes expressions on rows with windows, which remain the windows of the results.

    Args:
        rows_of: returns the values of expressions of the rows of an item for which conditions are true.
        without_time: returns the error that a column of a window function is no event time.
    """

    def __init__(
        self,
        rows_of: Callable[[exp.Expr, Sequence[exp.Expr], Sequence[exp.Expr]], Table],
        without_time: Callable[[WindowItem], Exception],
    ) -> None:
        self._rows_of = rows_of
        self._without_time = without_time

    def timed_rows(
        self, item: WindowItem, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
    ) -> tuple[Table, TableColumn] | None:
        """Return the values of expressions for the rows of the table of a window function, and their time.

        Args:
            item: the item of the window function.
            fields: the expressions, over the item.
            conditions: the conditions on the rows.

        Returns:
            The values and the column of event time; ``None`` if an expression depends on the windows.
        """
        needed = [item.inlined(field) for field in fields]
        filters = [item.inlined(condition) for condition in conditions]
        if any(map(bound_in, [*needed, *filters])):
            return None
        rows = self._rows_of(item.table, [item.time, *needed], filters)
        return with_columns(rows, rows._columns[1:]), self._time_in(rows, item, 0)

    def rows(
        self, item: WindowItem, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
    ) -> Table | None:
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
        rows = self._rows_of(item.table, needed, filters)
        time = self._time_in(rows, item, needed.index(item.time))
        if is_session:
            table = with_sessions(rows, len(keys), item.call, time)
        else:
            table = with_windows(rows, item.call, time)
        values = dict(zip(needed, table._columns, strict=False))
        bounds = table._columns[-len(WINDOW_COLUMNS) :]
        columns = [values[field] if (n := bound_of(field)) is None else bounds[n] for field in inlined]
        return with_columns(table, columns)

    def _time_in(self, rows: Table, item: WindowItem, number: int) -> TableColumn:
        """Return the column of rows that is their event time."""
        column = rows._columns[number]
        if rows._time is None or rows._time.position != column.position:
            raise self._without_time(item)
        return column
