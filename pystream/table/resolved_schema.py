"""ResolvedSchema: the columns of a table, with all types known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.data_types import DataType, RowField, RowType
from pystream.sql_types.names import quoted_name, quoted_text
from typeinfo.arguments import checks_arguments

__all__ = ["ResolvedColumn", "ResolvedSchema"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class ResolvedColumn:
    """A column of a table, with a name and a type.

    Mirrors ``org.apache.flink.table.catalog.Column``.

    Attributes:
        name: its name.
        data_type: the type of its values.
        comment: a comment, which has no effect.
    """

    name: str
    data_type: DataType
    comment: str | None = None

    @staticmethod
    def physical(name: str, data_type: DataType) -> ResolvedColumn:
        """Return a column of a name and a type."""
        return ResolvedColumn(name, data_type)

    def get_name(self) -> str:
        """Return the name."""
        return self.name

    def get_data_type(self) -> DataType:
        """Return the type of the values."""
        return self.data_type

    def get_comment(self) -> str | None:
        """Return the comment, ``None`` if there is none."""
        return self.comment

    def is_physical(self) -> bool:
        """Return true: the rows of a table hold the values of all columns, also of computed ones."""
        return True

    def is_persisted(self) -> bool:
        """Return true: the column is part of the rows that are written."""
        return True

    def with_comment(self, comment: str | None) -> ResolvedColumn:
        """Return the column with a comment."""
        return replace(self, comment=comment)

    def copy(self, new_type: DataType) -> ResolvedColumn:
        """Return the column with another type."""
        return replace(self, data_type=new_type)

    def rename(self, new_name: str) -> ResolvedColumn:
        """Return the column with another name."""
        return replace(self, name=new_name)

    def as_summary_string(self) -> str:
        """Return name and type as in a declaration."""
        return str(self)

    def __str__(self) -> str:
        comment = "" if self.comment is None else f" COMMENT {quoted_text(self.comment)}"
        return f"{quoted_name(self.name)} {self.data_type}{comment}"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, init=False)
class ResolvedSchema:
    """The columns of a table, with all types known.

    Tables here know neither watermarks nor primary keys of those that they are made from.

    Mirrors ``org.apache.flink.table.catalog.ResolvedSchema``.

    Attributes:
        columns: the columns in order.

    Examples:
        >>> from pystream.table import DataTypes
        >>> schema = ResolvedSchema.physical(["id", "name"], [DataTypes.INT(), DataTypes.STRING()])
        >>> print(schema)
        (
          `id` INT,
          `name` STRING
        )
        >>> schema.get_column("name").get_data_type() == schema.get_column_data_types()[1]
        True
    """

    columns: tuple[ResolvedColumn, ...]

    def __init__(self, columns: Sequence[ResolvedColumn] = ()) -> None:
        object.__setattr__(self, "columns", tuple(columns))

    @staticmethod
    def of(columns: Sequence[ResolvedColumn]) -> ResolvedSchema:
        """Return the schema of columns."""
        return ResolvedSchema(columns)

    @staticmethod
    def physical(column_names: Sequence[str], column_data_types: Sequence[DataType]) -> ResolvedSchema:
        """Return the schema of columns of names and types.

        Raises:
            ConfigurationError: there are not as many types as names.
        """
        if len(column_names) != len(column_data_types):
            raise ConfigurationError(
                f"physical: there are {len(column_names)} names but {len(column_data_types)} types"
            )
        return ResolvedSchema(list(map(ResolvedColumn, column_names, column_data_types)))

    def get_column_count(self) -> int:
        """Return the number of columns."""
        return len(self.columns)

    def get_columns(self) -> list[ResolvedColumn]:
        """Return the columns in order."""
        return list(self.columns)

    def get_column_names(self) -> list[str]:
        """Return the names of the columns in order."""
        return [column.name for column in self.columns]

    def get_column_data_types(self) -> list[DataType]:
        """Return the types of the columns in order."""
        return [column.data_type for column in self.columns]

    def get_column(self, column_index_or_name: int | str) -> ResolvedColumn | None:
        """Return a column by its position from 0 or its name, ``None`` if there is no such column."""
        if isinstance(column_index_or_name, str):
            return next((column for column in self.columns if column.name == column_index_or_name), None)
        in_range = 0 <= column_index_or_name < len(self.columns)
        return self.columns[column_index_or_name] if in_range else None

    def get_watermark_specs(self) -> list[object]:
        """Return no watermarks, as a table does not know those that it was declared with."""
        return []

    def get_primary_key(self) -> None:
        """Return ``None``, as a table does not know the primary key that it was declared with."""

    def get_primary_key_indexes(self) -> list[int]:
        """Return no positions, as a table does not know the primary key that it was declared with."""
        return []

    def to_source_row_data_type(self) -> RowType:
        """Return the type of rows of these columns, as they are read."""
        return RowType([RowField(column.name, column.data_type) for column in self.columns], nullable=False)

    def to_physical_row_data_type(self) -> RowType:
        """Return the type of rows of these columns."""
        return self.to_source_row_data_type()

    def to_sink_row_data_type(self) -> RowType:
        """Return the type of rows of these columns, as they are written."""
        return self.to_source_row_data_type()

    def __str__(self) -> str:
        lines = ",\n  ".join(map(str, self.columns))
        return f"(\n  {lines}\n)"
