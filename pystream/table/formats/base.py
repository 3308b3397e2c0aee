"""Base class of the formats of messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.table.column_casts import declarations
from pystream.table.columns import TableColumn, row_type
from pystream.table.connectors.options import Option
from pystream.table.formats.declared_rows import DeclaredMessages, DeclaredRows
from typeinfo.composite import RowTypeInfo
from typeinfo.row import Row

__all__ = ["MessageFormat"]


class MessageFormat(ABC):
    """How a connector encodes and decodes rows as messages of one element each.

    Args:
        columns: the columns of the rows.
        values: the values of `options`, by their keys.
        owner: the table, for messages.

    Attributes:
        reads_changes: whether messages are changes, which have rows of all kinds; else rows are inserted.
    """

    name: ClassVar[str]
    reads_changes: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Option]] = {}

    def __init__(self, columns: Sequence[TableColumn], values: Mapping[str, Any], owner: str) -> None:
        self.columns: tuple[TableColumn, ...] = tuple(columns)
        self.values = values
        self.owner = owner

    @property
    def row_type(self) -> RowTypeInfo[Any]:
        """The type of the rows."""
        return row_type(self.columns)

    def declared(self, schema: DeserializationSchema[Row[Any]]) -> DeserializationSchema[Row[Any]]:
        """Return a schema that decodes messages as another, to rows whose values have the declared types."""
        rows = DeclaredRows(self.row_type, declarations(self.columns))
        return schema if rows.converter() is None else DeclaredMessages(schema, rows)

    @abstractmethod
    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows, whose values have the declared types.

        Raises:
            ConfigurationError: an option is missing or contradicts another.
            UnsupportedTypeError: the format cannot represent a column.
        """

    @abstractmethod
    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages.

        Raises:
            ConfigurationError: an option is missing or contradicts another.
            UnsupportedTypeError: the format cannot represent a column.
        """
