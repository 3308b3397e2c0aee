"""Columns that are NOT NULL: rows with a null there are refused, or dropped, where they are written."""

from __future__ import annotations

from typing import Any

from pystream.datastream.functions import FilterFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import SinkError
from pystream.settings.modes import NotNullEnforcer
from pystream.settings.options import NOT_NULL_ENFORCER
from pystream.table.connectors.base import TableDefinition
from typeinfo.errors import short_repr
from typeinfo.row import Row

__all__ = ["without_nulls"]


def without_nulls(rows: DataStream[Row[Any]], table: TableDefinition) -> DataStream[Row[Any]]:
    """Return the rows to write to a table, none of them with a null in a column that is NOT NULL.

    A row with such a null fails the job, or is dropped, as ``table.exec.sink.not-null-enforcer`` says. Rows
    below a column are not looked into, as in Flink.

    Args:
        rows: the rows, with the columns of the table.
        table: the table.
    """
    columns = {
        position: column.name
        for position, column in enumerate(table.written_columns)
        if not column.data_type.is_nullable
    }
    if not columns:
        return rows
    enforcer = rows.get_execution_environment().get_configuration().get(NOT_NULL_ENFORCER)
    enforced = rows.filter(_NotNull(table.path, columns, enforcer)).set_parallelism(rows.get_parallelism())
    return enforced.name(f"NotNullEnforcer(fields=[{', '.join(columns.values())}])")


class _NotNull(FilterFunction[Row[Any]]):
    """Keep the rows that have no null in some columns."""

    def __init__(self, path: str, columns: dict[int, str], enforcer: NotNullEnforcer) -> None:
        self._path = path
        self._columns = columns
        self._enforcer = enforcer

    def filter(self, value: Row[Any]) -> bool:
        for position, name in self._columns.items():
            if value[position] is None:
                if self._enforcer is NotNullEnforcer.DROP:
                    return False
                raise SinkError(
                    f"column {name!r} of table {self._path!r} is NOT NULL, but it is "
                    f"null in {short_repr(value)}; set "
                    f"{NOT_NULL_ENFORCER.key} to 'drop' to drop such rows"
                )
        return True
