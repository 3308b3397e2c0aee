"""Columns of a resolved schema: physical, computed and of metadata."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Self

from pystream.errors import ArgumentTypeError
from pystream.sql_types.data_types import DataType
from pystream.sql_types.names import quoted_name, quoted_text
from pystream.table.resolved_expression import ResolvedExpression
from typeinfo.arguments import checks_arguments

__all__ = ["Column", "ComputedColumn", "MetadataColumn", "PhysicalColumn"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, eq=False)
class Column(ABC):
    """A column of a `ResolvedSchema`: a `PhysicalColumn`, `ComputedColumn` or `MetadataColumn`.

    Columns are equal if their declarations are.

    Mirrors ``org.apache.flink.table.catalog.Column``.

    Attributes:
        name: its name.
        data_type: the type of its values.
        comment: a comment, ``None`` if there is none.
    """

    name: str
    data_type: DataType
    comment: str | None = field(default=None, kw_only=True)

    @staticmethod
    def physical(name: str, data_type: DataType) -> PhysicalColumn:
        """Return a column whose values are in the rows of the table."""
        return PhysicalColumn(name, data_type)

    @staticmethod
    def computed(name: str, resolved_expression: ResolvedExpression) -> ComputedColumn:
        """Return a column that is computed from others."""
        return ComputedColumn(name, resolved_expression.get_output_data_type(), resolved_expression)

    @staticmethod
    def metadata(
        name: str, data_type: DataType, metadata_key: str | None, is_virtual: bool
    ) -> MetadataColumn:
        """Return a column of metadata of the connector.

        Args:
            name: the name of the column.
            data_type: the type of its values.
            metadata_key: the name of the metadata, ``None`` for that of the column.
            is_virtual: whether the column is only read.
        """
        return MetadataColumn(name, data_type, metadata_key, is_virtual)

    @abstractmethod
    def is_physical(self) -> bool:
        """Return whether the rows of the table hold the values, which are neither computed nor metadata."""

    @abstractmethod
    def is_persisted(self) -> bool:
        """Return whether the column is part of the rows that are written."""

    @abstractmethod
    def explain_extras(self) -> str | None:
        """Return where the values come from, ``None`` if they are physical."""

    def get_name(self) -> str:
        """Return the name."""
        return self.name

    def get_data_type(self) -> DataType:
        """Return the type of the values."""
        return self.data_type

    def get_comment(self) -> str | None:
        """Return the comment, ``None`` if there is none."""
        return self.comment

    def with_comment(self, comment: str | None) -> Self:
        """Return the column with a comment."""
        return replace(self, comment=comment)

    def copy(self, new_data_type: DataType) -> Self:
        """Return the column with another type."""
        return replace(self, data_type=new_data_type)

    def rename(self, new_name: str) -> Self:
        """Return the column with another name."""
        return replace(self, name=new_name)

    def as_summary_string(self) -> str:
        """Return the column as in a declaration."""
        return str(self)

    def __str__(self) -> str:
        extras = self.explain_extras()
        comment = None if self.comment is None else f"COMMENT {quoted_text(self.comment)}"
        parts = (quoted_name(self.name), str(self.data_type), extras, comment)
        return " ".join(part for part in parts if part is not None)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, eq=False)
class PhysicalColumn(Column):
    """A column whose values are in the rows of the table.

    Mirrors ``org.apache.flink.table.catalog.Column.PhysicalColumn``.
    """

    def is_physical(self) -> bool:
        """Return true."""
        return True

    def is_persisted(self) -> bool:
        """Return true."""
        return True

    def explain_extras(self) -> None:
        """Return ``None``: the values are in the rows."""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, eq=False)
class ComputedColumn(Column):
    """A column that is computed from others as the table is read.

    Mirrors ``org.apache.flink.table.catalog.Column.ComputedColumn``.

    Attributes:
        expression: what it is computed by.
    """

    expression: ResolvedExpression

    def is_physical(self) -> bool:
        """Return false."""
        return False

    def is_persisted(self) -> bool:
        """Return false: the column is not written."""
        return False

    def get_expression(self) -> ResolvedExpression:
        """Return the expression that computes the values."""
        return self.expression

    def explain_extras(self) -> str:
        """Return the expression after ``AS``."""
        return f"AS {self.expression.as_summary_string()}"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, eq=False)
class MetadataColumn(Column):
    """A column of metadata of the connector, such as the time of a message.

    Mirrors ``org.apache.flink.table.catalog.Column.MetadataColumn``.

    Attributes:
        metadata_key: the name of the metadata, ``None`` for that of the column.
        virtual: whether the column is only read.
    """

    metadata_key: str | None
    virtual: bool

    def is_physical(self) -> bool:
        """Return false."""
        return False

    def is_persisted(self) -> bool:
        """Return whether the column is written, too."""
        return not self.virtual

    def is_virtual(self) -> bool:
        """Return whether the column is only read."""
        return self.virtual

    def get_metadata_key(self) -> str | None:
        """Return the name of the metadata, ``None`` if it is that of the column."""
        return self.metadata_key

    def explain_extras(self) -> str:
        """Return the key after ``METADATA``, and ``VIRTUAL`` if the column is only read."""
        key = "" if self.metadata_key is None else f" FROM {quoted_text(self.metadata_key)}"
        return f"METADATA{key}{' VIRTUAL' if self.virtual else ''}"
