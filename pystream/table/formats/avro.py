"""Rows of tables as Avro messages."""

from __future__ import annotations

from typing import Any

from pystream.messages.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.table.columns import row_data_type
from pystream.table.formats.avro_records import avro_schema_of
from pystream.table.formats.base import MessageFormat
from typeinfo.row import Row

__all__ = ["AvroFormat"]


class AvroFormat(MessageFormat):
    """Records in Avro's binary encoding without a header, by the schema that the columns have.

    Mirrors Flink's format ``avro``.
    """

    name = "avro"

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        return AvroRowDeserializationSchema(avro_schema_string=self._schema(), row_type=self.row_type)

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return AvroRowSerializationSchema(avro_schema_string=self._schema())

    def _schema(self) -> str:
        return avro_schema_of(row_data_type(self.columns), has_millis=True)
