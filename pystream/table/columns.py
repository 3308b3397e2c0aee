"""The columns of a table: their names, their types, and the fields of the elements that they are."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from pystream.errors import PlanError, PlanTypeError, UnsupportedTypeError
from pystream.sql_types.data_types import DataType, RowField, RowType
from pystream.sql_types.decimals import in_tables
from pystream.sql_types.names import quoted_name
from pystream.sql_types.stream_types import data_type_of
from pystream.table.resolved_schema import ResolvedSchema
from pystream.table.schema import ComputedColumn, Schema
from typeinfo.composite import FieldsTypeInfo, RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = [
    "SOURCE_WATERMARK",
    "TableColumn",
    "columns_of_schema",
    "columns_of_stream",
    "distinct_names",
    "renamed_columns",
    "require_distinct_names",
    "resolved_schema",
    "row_data_type",
    "row_type",
    "unique_name",
]

SOURCE_WATERMARK = "SOURCE_WATERMARK()"
"""The expression of a watermark that is that of the stream."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table.

    Attributes:
        name: its name.
        data_type: its type in SQL.
        type_info: the type of its values.
        position: the field of the elements that it is.
    """

    name: str
    data_type: DataType
    type_info: TypeInformation[Any]
    position: int

    def __str__(self) -> str:
        return f"{quoted_name(self.name)} {self.data_type}"

    def renamed(self, name: str) -> TableColumn:
        """Return the column with another name."""
        return replace(self, name=name)


def unique_name(name: str, taken: Container[str]) -> str:
    """Return the name of a column, with the number that Flink gives it if others have the name.

    Args:
        name: the name.
        taken: those of the columns before it.
    """
    return next(one for one in chain([name], (f"{name}{k}" for k in count())) if one not in taken)


def distinct_names(names: Iterable[str]) -> list[str]:
    """Return names with numbers after those that an earlier one has."""
    taken: list[str] = []
    for name in names:
        taken.append(unique_name(name, taken))
    return taken


def columns_of_stream(t: TypeInformation[Any]) -> tuple[TableColumn, ...]:
    """Return the columns of a table of the elements of a stream.

    Fields of a row, tuple or record are columns; any other element is one column ``f0``.

    Raises:
        UnsupportedTypeError: the type of the elements is not known.
    """
    if isinstance(t, PickledBytesTypeInfo):
        raise UnsupportedTypeError(
            "a table needs the type of the elements, such as Types.ROW_NAMED([…], […]) or Types.of(a "
            "dataclass), but they are pickled; give output_type to the operator before, or type_info to the "
            "source"
        )
    if not isinstance(t, FieldsTypeInfo):
        return (TableColumn("f0", data_type_of(t), in_tables(t), 0),)
    parts = zip(t.get_field_names(), t.slots(), strict=True)
    columns = tuple(
        TableColumn(name, data_type_of(slot.type, is_nullable=slot.nullable), in_tables(slot.type), position)
        for position, (name, slot) in enumerate(parts)
    )
    if not columns:
        raise UnsupportedTypeError(f"a table needs at least one column, but {t} has no fields")
    return columns


def columns_of_schema(schema: Schema, owner: str) -> tuple[TableColumn, ...]:
    """Return the columns that a schema declares, without computed ones.

    Args:
        schema: the schema.
        owner: the table, for messages.

    Raises:
        PlanError: there are no columns.
    """
    columns: list[TableColumn] = []
    for column in schema.columns:
        if not isinstance(column, ComputedColumn):
            t = column.data_type.type_info
            columns.append(TableColumn(column.name, column.data_type, t, len(columns)))
    if not columns:
        raise PlanError(f"{owner} has no columns")
    return tuple(columns)


def renamed_columns(
    columns: tuple[TableColumn, ...], names: Sequence[str], call: str
) -> tuple[TableColumn, ...]:
    """Return columns with new names for the first ones, in order.

    Raises:
        PlanError: there are more names than columns, or two columns would have the same name.
    """
    if len(names) > len(columns):
        raise PlanError(f"{call}: there are {len(names)} names for {len(columns)} columns")
    renamed = [replace(column, name=name) for column, name in zip(columns, names, strict=False)]
    result = (*renamed, *columns[len(renamed) :])
    require_distinct_names([column.name for column in result], call)
    return result


def require_distinct_names(names: Sequence[str], call: str) -> None:
    """Check names of columns.

    Raises:
        PlanTypeError: one is not a text.
        PlanError: two are the same.
    """
    for name in names:
        if not isinstance(name, str) or not name:
            raise PlanTypeError(f"{call} takes names of columns, not {name!r}")
        if names.count(name) > 1:
            raise PlanError(f"{call}: there are two columns of the name {name!r}")


def row_data_type(columns: Sequence[TableColumn]) -> RowType:
    """Return the data type of rows of these columns."""
    fields = tuple(RowField(column.name, column.data_type) for column in columns)
    return RowType(fields, nullable=False)


def resolved_schema(columns: Sequence[TableColumn]) -> ResolvedSchema:
    """Return the names and types of columns."""
    return ResolvedSchema.physical(
        [column.name for column in columns], [column.data_type for column in columns]
    )


def row_type(columns: Sequence[TableColumn]) -> RowTypeInfo[Any]:
    """Return the type of rows of these columns in a stream."""
    return RowTypeInfo([column.type_info for column in columns], [column.name for column in columns])
