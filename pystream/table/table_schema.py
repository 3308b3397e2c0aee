"""TableSchema: the names and types of the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.data_types import DataType, RowField, RowType
from typeinfo.arguments import checks_arguments

__all__ = ["TableSchema"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, repr=False)
class TableSchema:
    """The names and types of the columns of a table.

    Mirrors ``org.apache.flink.table.legacy.api.TableSchema``.

    Attributes:
        field_names: the names of the columns in order.
        data_types: their types.

    Raises:
        ConfigurationError: there are not as many types as names.
    """

    field_names: tuple[str, ...]
    data_types: tuple[DataType, ...]

    def __init__(self, field_names: Sequence[str] = (), data_types: Sequence[DataType] = ()) -> None:
        if len(field_names) != len(data_types):
            raise ConfigurationError(
                f"a TableSchema has a type for each name, not {len(data_types)} for {len(field_names)} names"
            )
        object.__setattr__(self, "field_names", tuple(field_names))
        object.__setattr__(self, "data_types", tuple(data_types))

    @classmethod
    def builder(cls) -> TableSchema.Builder:
        """Return a builder of a schema, column by column."""
        return TableSchema.Builder()

    def copy(self) -> TableSchema:
        """Return this schema, which never changes."""
        return self

    def get_field_names(self) -> list[str]:
        """Return the names of the columns in order."""
        return list(self.field_names)

    def get_field_name(self, field_index: int) -> str | None:
        """Return the name of a column by its position from 0, ``None`` if there is no such column."""
        return self.field_names[field_index] if 0 <= field_index < len(self.field_names) else None

    def get_field_data_types(self) -> list[DataType]:
        """Return the types of the columns in order."""
        return list(self.data_types)

    def get_field_data_type(self, field: int | str) -> DataType | None:
        """Return the type of a column by its name or position, ``None`` if there is no such column."""
        if isinstance(field, str):
            return dict(zip(self.field_names, self.data_types, strict=True)).get(field)
        return self.data_types[field] if 0 <= field < len(self.data_types) else None

    def get_field_count(self) -> int:
        """Return the number of columns."""
        return len(self.field_names)

    def to_row_data_type(self) -> RowType:
        """Return the type of rows of these columns."""
        fields = zip(self.field_names, self.data_types, strict=True)
        return RowType([RowField(name, data_type) for name, data_type in fields], nullable=False)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        fields = zip(self.field_names, self.data_types, strict=True)
        return "root\n" + "".join(f" |-- {name}: {data_type}\n" for name, data_type in fields)

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build a `TableSchema`."""

        def __init__(self) -> None:
            self._fields: list[tuple[str, DataType]] = []

        def field(self, name: str, data_type: DataType) -> TableSchema.Builder:
            """Add a column; return this builder."""
            self._fields.append((name, data_type))
            return self

        def build(self) -> TableSchema:
            """Return the schema."""
            return TableSchema([name for name, _ in self._fields], [t for _, t in self._fields])
