"""Rows of a table in windows, to be grouped and aggregated, or to be aggregated over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.errors import ArgumentTypeError, PlanError
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.fields import several_expressions
from pystream.table.over_windows import OverWindow
from pystream.table.window import GroupWindow
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.relational import Relational
    from pystream.table.table import Table

__all__ = ["GroupWindowedTable", "OverWindowedTable", "WindowGroupedTable"]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class GroupWindowedTable:
    """Rows of a table in windows, to be grouped by ``group_by``.

    Mirrors ``org.apache.flink.table.api.GroupWindowedTable``.

    Args:
        table: the table.
        window: the windows.
    """

    def __init__(self, table: Relational, window: GroupWindow) -> None:
        self._table = table
        self._window = window

    def group_by(self, *fields: Expression[Any]) -> WindowGroupedTable:
        """Group the rows of each window.

        Args:
            fields: the window by its name, such as ``col("w")``, and the expressions that rows of a group
                have in common.

        Raises:
            PlanError: the window is not among them; or it is a session, and an expression is no column.

        Mirrors ``GroupWindowedTable.groupBy``.
        """
        fields = several_expressions(self._table, fields, "group_by")
        name = self._window.name
        keys = [field for field in fields if trees().renamed_field(field._tree) != (name, name)]
        if len(keys) == len(fields):
            raise PlanError(f"group_by takes the window, too: group_by(col({name!r}), …)")
        return WindowGroupedTable(self._table, self._window, keys)


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class WindowGroupedTable:
    """Rows of a table in groups of each window, to be aggregated by ``select``.

    Mirrors ``org.apache.flink.table.api.WindowGroupedTable``.

    Args:
        table: the table.
        window: the windows.
        keys: the expressions that rows of a group have in common.
    """

    def __init__(self, table: Relational, window: GroupWindow, keys: Sequence[Expression[Any]]) -> None:
        self._table = table
        self._window = window
        self._keys = tuple(keys)

    def select(self, *fields: Expression[Any]) -> Table:
        """Return the values of expressions of each group, when its window has ended.

        A window of a number of rows ends with the last of them, and has no times; one that never gets as many
        rows has no results.

        Args:
            fields: keys, aggregations such as ``col("n").sum``, properties of the window such as
                ``col("w").start``, and expressions of these.

        Raises:
            PlanError: a column does not exist, or two results have the same name; or a window of a number of
                rows has a column of other times than ``PROCTIME()``, or is asked for its times.
            SqlError: a column is neither a key nor aggregated.
            UnsupportedOperationError: the column of times of an unbounded table has no watermark.

        Mirrors ``WindowGroupedTable.select``.
        """
        from pystream.table.sql.count_windows import counted_groups
        from pystream.table.sql.group_windows import windowed_groups

        fields = several_expressions(self._table, fields, "select")
        table, window = self._table, self._window
        relation = table._as_relation()
        if not window.is_of_rows:
            return table._result("select", windowed_groups(relation, window, self._keys, fields))
        _require_proctime(table, window.time)
        return table._result("select", counted_groups(relation, window, self._keys, fields))


def _require_proctime(table: Relational, name: str) -> None:
    """Refuse a column that is not the time at which rows come.

    Raises:
        PlanError: there is no column of that name, or it is another time.
    """
    column = next((column for column in table._columns if column.name == name), None)
    if column is None:
        columns = ", ".join(column.name for column in table._columns)
        raise PlanError(f"window: there is no column {name!r} among {columns}")
    if column.position not in table._proctimes:
        raise PlanError(
            "window: windows of a number of rows take rows as they come, on a column that is PROCTIME(), and "
            f"{name!r} is none; add one by the schema of the table, as in p AS PROCTIME()"
        )


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class OverWindowedTable:
    """Rows of a table, with windows of the rows around each one.

    Mirrors ``org.apache.flink.table.api.OverWindowedTable``.

    Args:
        table: the table.
        windows: the windows.
    """

    def __init__(self, table: Relational, windows: Sequence[OverWindow]) -> None:
        self._table = table
        self._windows = tuple(windows)

    def select(self, *fields: Expression[Any]) -> Table:
        """Return the values of expressions of each row and of the rows around it.

        Args:
            fields: columns, aggregations over a window such as ``col("n").sum.over(col("w"))``, and
                expressions of these.

        Raises:
            PlanError: a column or a window does not exist, or two results have the same name.
            UnsupportedOperationError: the table is unbounded, and a window in event time has rows after the
                current one.

        Mirrors ``OverWindowedTable.select``.
        """
        from pystream.table.sql.named_windows import selected_over

        fields = several_expressions(self._table, fields, "select")
        relation = selected_over(self._table._as_relation(), self._windows, fields)
        return self._table._result("select", relation)
