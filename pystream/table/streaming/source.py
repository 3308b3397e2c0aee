"""Source: the rows that a query over unbounded tables selects from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from pystream.table.columns import TableColumn
from pystream.table.table import Table

__all__ = ["Source", "with_columns", "with_names"]


class Source:
    """The rows that a query selects from.

    Args:
        table: the rows.
        names: for each column of the table, the item of FROM that it is of and its name there.
    """

    def __init__(self, table: Table, names: Sequence[tuple[str, str]]) -> None:
        self.table = table
        self._positions = {name: position for position, name in enumerate(names)}

    def __contains__(self, column: exp.Expr) -> bool:
        return isinstance(column, exp.Column) and (column.table, column.name) in self._positions

    def column(self, column: exp.Expr) -> TableColumn:
        """Return the column of the table."""
        assert isinstance(column, exp.Column)
        return self.table._columns[self._positions[column.table, column.name]]

    def is_time(self, column: exp.Column) -> bool:
        """Return whether a column is the event time of the rows."""
        time = self.table._time
        return column in self and time is not None and self.column(column).position == time.position

    @property
    def names(self) -> list[tuple[str, str]]:
        """The names of the columns, in order."""
        return list(self._positions)


def with_columns(table: Table, columns: Sequence[TableColumn]) -> Table:
    """Return a table with other columns of its stream."""
    return Table(
        table._environment,
        table._stream_or_error,
        columns,
        time=table._time,
        is_updating=table._is_updating,
        upsert_key=table._upsert_key,
        windows=table._windows,
    )


def with_names(table: Table, names: Sequence[str]) -> Table:
    """Return a table whose columns have other names."""
    columns = [replace(column, name=name) for column, name in zip(table._columns, names, strict=True)]
    return with_columns(table, columns)
