"""Schema: the columns, the watermark and the primary key of a table, as a program declares them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.lazy import re_exports
from pystream.sql_types.data_types import DataType, RowType
from pystream.sql_types.names import quoted_name, quoted_text
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

if TYPE_CHECKING:
    from pystream.table.expression import Expression as Expression
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "Column",
    "ComputedColumn",
    "MetadataColumn",
    "PhysicalColumn",
    "PrimaryKey",
    "Schema",
    "Watermark",
]


@dataclass(frozen=True, slots=True)
class PhysicalColumn:
    """A column that the connector or the stream holds.

    Attributes:
        name: its name.
        data_type: the type of its values.
        comment: its comment, if it has one.
    """

    name: str
    data_type: DataType
    comment: str | None = None

    def __str__(self) -> str:
        return f"{quoted_name(self.name)} {self.data_type}{_comment(self.comment)}"


@dataclass(frozen=True, slots=True)
class ComputedColumn:
    """A column computed from others.

    Attributes:
        name: its name.
        expression: the SQL expression of its values.
        comment: its comment, if it has one.
    """

    name: str
    expression: str
    comment: str | None = None

    def __str__(self) -> str:
        return f"{quoted_name(self.name)} AS {self.expression}{_comment(self.comment)}"


@dataclass(frozen=True, slots=True)
class MetadataColumn:
    """A column that holds what the connector knows of a row.

    Attributes:
        name: its name.
        data_type: the type of its values.
        key: the name of the metadata; ``None`` if it is that of the column.
        is_virtual: whether it is only read, never written.
        comment: its comment, if it has one.
    """

    name: str
    data_type: DataType
    key: str | None = None
    is_virtual: bool = False
    comment: str | None = None

    def __str__(self) -> str:
        return f"{quoted_name(self.name)} {self.data_type} {self.origin}{_comment(self.comment)}"

    @property
    def origin(self) -> str:
        """The clause that says which metadata it holds."""
        key = "" if self.key is None else f" FROM {quoted_text(self.key)}"
        return f"METADATA{key}{' VIRTUAL' if self.is_virtual else ''}"


Column: TypeAlias = PhysicalColumn | ComputedColumn | MetadataColumn


@dataclass(frozen=True, slots=True)
class Watermark:
    """The watermark of a column of timestamps.

    Attributes:
        column: the name of the column.
        expression: the SQL expression of the watermark.
    """

    column: str
    expression: str

    def __str__(self) -> str:
        return f"WATERMARK FOR {quoted_name(self.column)} AS {self.expression}"


@dataclass(frozen=True, slots=True)
class PrimaryKey:
    """A primary key, which is not enforced.

    Attributes:
        name: its name.
        columns: the names of its columns.
    """

    name: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        columns = ", ".join(map(quoted_name, self.columns))
        return f"CONSTRAINT {quoted_name(self.name)} PRIMARY KEY ({columns}) NOT ENFORCED"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class Schema:
    """Declare the columns of a table; made by ``Schema.new_builder()``.

    Mirrors ``org.apache.flink.table.api.Schema``.

    Attributes:
        columns: the columns in order.
        watermarks: the watermark, if any.
        primary_key: the primary key, if any.

    Examples:
        >>> from pystream.table import DataTypes, Schema
        >>> schema = Schema.new_builder().column("id", DataTypes.INT()).column("name", "STRING").build()
        >>> print(schema)
        (
          `id` INT,
          `name` STRING
        )
    """

    columns: tuple[Column, ...] = ()
    watermarks: tuple[Watermark, ...] = ()
    primary_key: PrimaryKey | None = None

    @property
    def primary_key_columns(self) -> tuple[str, ...]:
        """The names of the columns of the primary key."""
        return () if self.primary_key is None else self.primary_key.columns

    def with_required_keys(self) -> Schema:
        """Return the schema with the columns of the primary key NOT NULL, as statements declare them."""
        keys = self.primary_key_columns
        columns = tuple(
            column
            if isinstance(column, ComputedColumn) or column.name not in keys
            else replace(column, data_type=column.data_type.not_null())
            for column in self.columns
        )
        return replace(self, columns=columns)

    @staticmethod
    def new_builder() -> Schema.Builder:
        """Return a builder."""
        return Schema.Builder()

    def __str__(self) -> str:
        parts = [*map(str, self.columns), *map(str, self.watermarks)]
        if self.primary_key is not None:
            parts.append(str(self.primary_key))
        lines = ",\n  ".join(parts)
        return f"(\n  {lines}\n)"

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build a `Schema`; every method returns the builder."""

        def __init__(self) -> None:
            self._schema = Schema()

        def from_schema(self, unresolved_schema: Schema) -> Schema.Builder:
            """Add the columns, the watermark and the primary key of another schema."""
            for column in unresolved_schema.columns:
                self._add(column)
            for watermark in unresolved_schema.watermarks:
                self.watermark(watermark.column, watermark.expression)
            key = unresolved_schema.primary_key
            return self if key is None else self.primary_key_named(key.name, *key.columns)

        def from_row_data_type(self, data_type: DataType) -> Schema.Builder:
            """Add a column for each field of a ``DataTypes.ROW``.

            Raises:
                ConfigurationError: it is another type, or the name of a column is taken.
            """
            if not isinstance(data_type, RowType):
                raise ConfigurationError(
                    f"from_row_data_type takes DataTypes.ROW([…]), not {short_repr(data_type)}"
                )
            for field in data_type.fields:
                self.column(field.name, field.data_type)
            return self

        def from_fields(
            self, field_names: Sequence[str], field_data_types: Sequence[DataType | str]
        ) -> Schema.Builder:
            """Add columns of the given names and types.

            Raises:
                ConfigurationError: there are not as many types as names, or the name of a column is taken.
            """
            if len(field_names) != len(field_data_types):
                raise ConfigurationError(
                    f"from_fields: there are {len(field_names)} names but {len(field_data_types)} types"
                )
            for name, data_type in zip(field_names, field_data_types, strict=True):
                self.column(name, data_type)
            return self

        def column(self, column_name: str, data_type: DataType | str) -> Schema.Builder:
            """Add a column that the connector or the stream holds.

            Args:
                column_name: its name.
                data_type: such as ``DataTypes.INT()``, or its text in SQL.

            Raises:
                ConfigurationError: the name is taken, or ``data_type`` is not a type.
                SqlError: the text is not that of a type.
            """
            return self._add(PhysicalColumn(column_name, _data_type(column_name, data_type)))

        def column_by_expression(self, column_name: str, expr: str | Expression) -> Schema.Builder:
            """Add a column that is computed by an expression, or by the text of one in SQL.

            Raises:
                ConfigurationError: the name is taken.
            """
            return self._add(ComputedColumn(column_name, str(expr)))

        def column_by_metadata(
            self,
            column_name: str,
            data_type: DataType | str,
            metadata_key: str | None = None,
            is_virtual: bool = False,
        ) -> Schema.Builder:
            """Add a column of what the connector knows of a row, such as its time.

            Args:
                column_name: its name.
                data_type: the type of its values.
                metadata_key: the connector's name of it; that of the column unless given.
                is_virtual: whether it is left out when rows are written.

            Raises:
                ConfigurationError: the name is taken, or ``data_type`` is not a type.
            """
            declared = _data_type(column_name, data_type)
            return self._add(MetadataColumn(column_name, declared, metadata_key, is_virtual))

        def watermark(self, column_name: str, watermark_expr: str | Expression) -> Schema.Builder:
            """Set the column of event time, and the expression of its watermarks, or its text in SQL.

            Raises:
                ConfigurationError: the schema has a watermark already.
            """
            if not column_name:
                raise ConfigurationError("watermark: column_name is empty; give the column of event time")
            if self._schema.watermarks:
                raise ConfigurationError("a table has at most one watermark")
            return self._set(watermarks=(Watermark(column_name, str(watermark_expr)),))

        def primary_key(self, *column_names: str) -> Schema.Builder:
            """Set the columns of the primary key, which is not enforced.

            Raises:
                ConfigurationError: the schema has a primary key already, or no name is given.
            """
            return self.primary_key_named(f"PK_{'_'.join(column_names)}", *column_names)

        def primary_key_named(self, constraint_name: str, *column_names: str) -> Schema.Builder:
            """Set the name and the columns of the primary key, which is not enforced.

            Raises:
                ConfigurationError: the schema has a primary key already, or no name of a column is given.
            """
            if self._schema.primary_key is not None or not column_names:
                raise ConfigurationError("a table has at most one primary key, of one or more columns")
            return self._set(primary_key=PrimaryKey(constraint_name, column_names))

        def with_comment(self, comment: str | None) -> Schema.Builder:
            """Give the last column a comment.

            Raises:
                ConfigurationError: there is no column yet.
            """
            if not self._schema.columns:
                raise ConfigurationError("with_comment: there is no column yet to give a comment")
            *before, last = self._schema.columns
            return self._set(columns=(*before, replace(last, comment=comment)))

        def build(self) -> Schema:
            """Return the schema.

            Raises:
                ConfigurationError: times of the column of the watermark have more than 3 digits of seconds.
            """
            declared = {c.name: c.data_type for c in self._schema.columns if isinstance(c, PhysicalColumn)}
            for watermark in self._schema.watermarks:
                data_type = declared.get(watermark.column)
                if data_type is not None and _digits_of_seconds(data_type) > 3:
                    raise ConfigurationError(
                        f"column {watermark.column!r} is {data_type}, but watermarks have milliseconds: "
                        f"declare it as {str(data_type).partition('(')[0]}(3)"
                    )
            return self._schema

        def _add(self, column: Column) -> Schema.Builder:
            if not isinstance(column.name, str) or not column.name:
                raise ConfigurationError(f"the name of a column must be a non-empty str, not {column.name!r}")
            if any(column.name == other.name for other in self._schema.columns):
                raise ConfigurationError(f"there are two columns of the name {column.name!r}")
            return self._set(columns=(*self._schema.columns, column))

        def _set(self, **parts: object) -> Schema.Builder:
            self._schema = replace(self._schema, **parts)  # type: ignore[arg-type]
            return self


def _comment(comment: str | None) -> str:
    return "" if comment is None else f" COMMENT {quoted_text(comment)}"


def _digits_of_seconds(data_type: DataType) -> int:
    found = re.match(r"TIMESTAMP(?:_LTZ)?\((\d+)\)", str(data_type))
    return int(found[1]) if found else 0


def _data_type(column_name: str, declared: object) -> DataType:
    if isinstance(declared, str):
        from pystream.table.sql.column_types import parse_data_type

        return parse_data_type(declared)
    if isinstance(declared, DataType):
        return declared
    raise ConfigurationError(
        f"the type of column {column_name!r} must be a data type such as "
        f"DataTypes.INT(), not {short_repr(declared)}"
    )
