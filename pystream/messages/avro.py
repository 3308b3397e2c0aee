"""Rows as Avro messages: one record each, in the binary encoding without a header."""

from __future__ import annotations

from typing import Any

from pystream.engine.formats.avro import avro_codec
from pystream.errors import ConfigurationError, UnsupportedOperationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["AvroRowDeserializationSchema", "AvroRowSerializationSchema"]


class _AvroRowSchema:
    """Base of the serialization schema and the deserialization schema.

    Args:
        record_class: the name of a Java class, which means nothing here.
        avro_schema_string: the schema of the records, as JSON.

    Raises:
        ConfigurationError: no schema is given.
        UnsupportedOperationError: only ``record_class`` is given.
        UnsupportedTypeError: the text is no Avro schema of a record, or a recursive one.
    """

    def __init__(self, record_class: str | None = None, avro_schema_string: str | None = None) -> None:
        self._schema = _schema(record_class, avro_schema_string)


class AvroRowDeserializationSchema(_AvroRowSchema, DeserializationSchema[Row[Any]]):
    """Read one record of Avro's binary encoding, without a header, as a named row.

    Enums and UUIDs become text, bytes and fixed ``bytes``, timestamps the reading of a clock in UTC; a
    union with null is its other branch, and any other union whatever value is there. Mirrors
    ``org.apache.flink.formats.avro.AvroRowDeserializationSchema``.
    """

    def deserialize(self, message: bytes) -> Row[Any]:
        """Return the row in a message.

        Raises:
            DeserializationError: the message is not such a record; the error names the field.
        """
        row: Row[Any] = avro_codec(self._schema).read(message)
        return row

    def get_produced_type(self) -> TypeInformation[Row[Any]]:
        """Return the type of the rows."""
        return avro_codec(self._schema).type


class AvroRowSerializationSchema(_AvroRowSchema, SerializationSchema[Any]):
    """Write a row as one record of Avro's binary encoding, without a header.

    Mirrors ``org.apache.flink.formats.avro.AvroRowSerializationSchema``.
    """

    def serialize(self, element: Any) -> bytes:
        """Return the message for a row.

        Raises:
            SerializationError: the row does not fit the schema; the error names the field.
        """
        return avro_codec(self._schema).write(element)


def _schema(record_class: str | None, avro_schema_string: str | None) -> str:
    if avro_schema_string is None and record_class is None:
        raise ConfigurationError("an Avro row schema needs avro_schema_string")
    if avro_schema_string is None:
        raise UnsupportedOperationError(
            f"{record_class} is a class of Java, which is not run here; give its schema as avro_schema_string"
        )
    avro_codec(avro_schema_string)
    return avro_schema_string
