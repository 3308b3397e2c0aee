"""ResolvedSchema: columns, watermark and primary key of a table, with all types known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.data_types import DataType, RowField, RowType
from pystream.table.constraints import UniqueConstraint
from pystream.table.resolved_columns import Column
from pystream.table.watermark_spec import WatermarkSpec
from typeinfo.arguments import checks_arguments

__all__ = ["ResolvedSchema"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, init=False)
class ResolvedSchema:
    """The columns of a table, with all types known, its watermark and its primary key.

    The schema of a table has only columns, all of them physical: the table knows neither the watermark nor
    the primary key that it was declared with.

    Mirrors ``org.apache.flink.table.catalog.ResolvedSchema``.

    Attributes:
        columns: the columns in order.
        watermark_specs: the watermark of the event time, if there is one.
        primary_key: the primary key, ``None`` if there is none.

    Raises:
        ConfigurationError: the primary key has a column that the schema has not.

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

    columns: tuple[Column, ...]
    watermark_specs: tuple[WatermarkSpec, ...]
    primary_key: UniqueConstraint | None

    def __init__(
        self,
        columns: Sequence[Column] = (),
        watermark_specs: Sequence[WatermarkSpec] = (),
        primary_key: UniqueConstraint | None = None,
    ) -> None:
        object.__setattr__(self, "columns", tuple(columns))
        object.__setattr__(self, "watermark_specs", tuple(watermark_specs))
        object.__setattr__(self, "primary_key", primary_key)
        names = self.get_column_names()
        for name in () if primary_key is None else primary_key.columns:
            if name not in names:
                raise ConfigurationError(
                    f"ResolvedSchema has no column {name!r} of its primary key; there are: {', '.join(names)}"
                )

    @staticmethod
    def of(columns: Sequence[Column]) -> ResolvedSchema:
        """Return the schema of columns."""
        return ResolvedSchema(columns)

    @staticmethod
    def physical(column_names: Sequence[str], column_data_types: Sequence[DataType]) -> ResolvedSchema:
        """Return the schema of physical columns of names and types.

        Raises:
            ConfigurationError: there are not as many types as names.
        """
        if len(column_names) != len(column_data_types):
            raise ConfigurationError(
                f"physical: there are {len(column_names)} names but {len(column_data_types)} types"
            )
        return ResolvedSchema(list(map(Column.physical, column_names, column_data_types)))

    def get_column_count(self) -> int:
        """Return the number of columns."""
        return len(self.columns)

    def get_columns(self) -> list[Column]:
        """Return the columns in order."""
        return list(self.columns)

    def get_column_names(self) -> list[str]:
        """Return the names of the columns in order."""
        return [column.name for column in self.columns]

    def get_column_data_types(self) -> list[DataType]:
        """Return the types of the columns in order."""
        return [column.data_type for column in self.columns]

    def get_column(self, column_index_or_name: int | str) -> Column | None:
        """Return a column by its position from 0 or its name, ``None`` if there is no such column."""
        if isinstance(column_index_or_name, str):
            return next((column for column in self.columns if column.name == column_index_or_name), None)
        in_range = 0 <= column_index_or_name < len(self.columns)
        return self.columns[column_index_or_name] if in_range else None

    def get_watermark_specs(self) -> list[WatermarkSpec]:
        """Return the watermark of the event time, in a list that is empty if there is none."""
        return list(self.watermark_specs)

    def get_primary_key(self) -> UniqueConstraint | None:
        """Return the primary key, ``None`` if there is none."""
        return self.primary_key

    def get_primary_key_indexes(self) -> list[int]:
        """Return the positions from 0 of the columns of the primary key."""
        names = self.get_column_names()
        return [] if self.primary_key is None else [names.index(name) for name in self.primary_key.columns]

    def to_source_row_data_type(self) -> RowType:
        """Return the type of rows of all columns, as a query reads them."""
        return _row_type(self.columns)

    def to_physical_row_data_type(self) -> RowType:
        """Return the type of rows of the physical columns."""
        return _row_type(column for column in self.columns if column.is_physical())

    def to_sink_row_data_type(self) -> RowType:
        """Return the type of rows of the columns that are written."""
        return _row_type(column for column in self.columns if column.is_persisted())

    def __str__(self) -> str:
        key = () if self.primary_key is None else (self.primary_key,)
        lines = ",\n  ".join(map(str, (*self.columns, *self.watermark_specs, *key)))
        return f"(\n  {lines}\n)"


def _row_type(columns: Iterable[Column]) -> RowType:
    return RowType([RowField(column.name, column.data_type) for column in columns], nullable=False)
