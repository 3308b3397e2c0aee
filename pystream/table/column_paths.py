"""Paths of columns: the columns of a table, and the fields of the rows in them, that are needed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeAlias

from pystream.sql_types.composite_types import RowType
from pystream.sql_types.data_types import DataType
from pystream.table.columns import TableColumn

__all__ = ["ColumnPath", "narrowed_column"]

ColumnPath: TypeAlias = tuple[str, ...]
"""The name of a column, and those of the fields that lead into the rows that it holds."""


def narrowed_column(column: TableColumn, paths: Collection[ColumnPath]) -> TableColumn:
    """Return a column whose rows have the fields at some paths only.

    Args:
        column: the column.
        paths: the paths; those of other columns are ignored.
    """
    own = [path[1:] for path in paths if path[0] == column.name]
    data_type = _narrowed(column.data_type, own)
    if data_type is column.data_type or column.type_info != column.data_type.type_info:
        return column
    return replace(column, data_type=data_type, type_info=data_type.type_info)


def _narrowed(data_type: DataType, paths: Collection[ColumnPath]) -> DataType:
    if type(data_type) is not RowType or not all(paths):
        return data_type
    fields = []
    for field in data_type:
        inner = [path[1:] for path in paths if path[0] == field.name]
        if inner:
            fields.append(replace(field, data_type=_narrowed(field.data_type, inner)))
    if [*data_type] == fields or not fields:
        return data_type
    return RowType(fields, data_type.is_nullable)
