"""Rows of tables as lines of CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from pystream.errors import ConfigurationError
from pystream.messages.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.settings.config_values import BOOLEAN, STRING
from pystream.table.connectors.options import Option
from pystream.table.formats.base import MessageFormat
from typeinfo.row import Row

__all__ = ["CsvFormat"]

CSV = TypeVar("CSV", CsvRowDeserializationSchema.Builder[Any], CsvRowSerializationSchema.Builder[Any])


class CsvFormat(MessageFormat):
    r"""Lines whose cells are columns by position.

    The field delimiter may be written as ``\t``. Mirrors Flink's format ``csv``.
    """

    name = "csv"
    options: ClassVar[Mapping[str, Option]] = {
        "field-delimiter": Option(STRING),
        "disable-quote-character": Option(BOOLEAN, default=False),
        "quote-character": Option(STRING),
        "allow-comments": Option(BOOLEAN, default=False),
        "ignore-parse-errors": Option(BOOLEAN, default=False),
        "array-element-delimiter": Option(STRING),
        "escape-character": Option(STRING),
        "null-literal": Option(STRING),
    }

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        builder = CsvRowDeserializationSchema.Builder(self.row_type)
        builder.set_allow_comments(self.values["allow-comments"])
        builder.set_ignore_parse_errors(self.values["ignore-parse-errors"])
        return self._with_characters(builder).build()

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return self._with_characters(CsvRowSerializationSchema.Builder(self.row_type)).build()

    def _with_characters(self, builder: CSV) -> CSV:
        values = self.values
        if values["field-delimiter"] is not None:
            builder.set_field_delimiter(values["field-delimiter"].replace("\\t", "\t"))
        if values["disable-quote-character"]:
            if values["quote-character"] is not None:
                raise ConfigurationError(
                    f"{self.owner}: csv.quote-character and csv.disable-quote-character contradict"
                )
            builder.disable_quote_character()
        if values["quote-character"] is not None:
            builder.set_quote_character(values["quote-character"])
        if values["array-element-delimiter"] is not None:
            builder.set_array_element_delimiter(values["array-element-delimiter"])
        if values["escape-character"] is not None:
            builder.set_escape_character(values["escape-character"])
        if values["null-literal"] is not None:
            builder.set_null_literal(values["null-literal"])
        return builder
