"""Rows as Avro messages: one record each, in binary encoding without a header."""

from __future__ import annotations

from typing import Any

from pystream.engine.formats.avro import avro_codec
from pystream.engine.formats.avro_column_writer import avro_column_writer
from pystream.engine.formats.avro_columns import avro_columns
from pystream.engine.formats.column_texts import ColumnsWriter
from pystream.engine.formats.columns_reader import ColumnsReader
from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema, decodes_as
from typeinfo.arguments import checks_arguments
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["AvroRowDeserializationSchema", "AvroRowSerializationSchema"]


@checks_arguments(ArgumentTypeError, methods=False)
class _AvroRowSchema:
    """Base class of the Avro schemas.

    Args:
        record_class: the name of a Java class, which has no effect here.
        avro_schema_string: the schema of the records, as JSON.

    Raises:
        ConfigurationError: no schema is given.
        UnsupportedOperationError: only ``record_class`` is given.
        UnsupportedTypeError: the text is not an Avro schema of a record, or the schema is recursive.
    """

    def __init__(self, record_class: str | None = None, avro_schema_string: str | None = None) -> None:
        if avro_schema_string is None and record_class is None:
            raise ConfigurationError("an Avro row schema needs avro_schema_string")
        if avro_schema_string is None:
            raise UnsupportedOperationError(
                f"{record_class} is a Java class, which has no effect here; pass its schema as "
                "avro_schema_string"
            )
        avro_codec(avro_schema_string)
        self._schema = avro_schema_string


@checks_arguments(ArgumentTypeError, methods=False)
class AvroRowDeserializationSchema(_AvroRowSchema, DeserializationSchema[Row[Any]]):
    """Decode a record in Avro's binary encoding, without a header, to a named row.

    Enums and UUIDs become text, bytes and fixed ``bytes``, timestamps datetimes in UTC without a zone; a
    union with null becomes its other branch, and any other union the value as it is. Mirrors
    ``org.apache.flink.formats.avro.AvroRowDeserializationSchema``.

    Args:
        record_class: the name of a Java class, which has no effect here.
        avro_schema_string: the schema of the records, as JSON.
        row_type: the type of the rows; that of the schema by default.
    """

    def __init__(
        self,
        record_class: str | None = None,
        avro_schema_string: str | None = None,
        row_type: RowTypeInfo[Any] | None = None,
    ) -> None:
        super().__init__(record_class, avro_schema_string)
        self._type = avro_codec(self._schema).type if row_type is None else row_type

    def deserialize(self, message: bytes) -> Row[Any]:
        """Decode a message to a row.

        Raises:
            DeserializationError: the message is not such a record; the error names the field.
        """
        row: Row[Any] = avro_codec(self._schema).read(message)
        return row

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        is_own = decodes_as(AvroRowDeserializationSchema, self)
        return avro_columns(self._schema, self._type) if is_own else None

    def get_produced_type(self) -> TypeInformation[Row[Any]]:
        """Return the type of the rows."""
        return self._type


class AvroRowSerializationSchema(_AvroRowSchema, SerializationSchema[Any]):
    """Encode a row as a record in Avro's binary encoding, without a header.

    Mirrors ``org.apache.flink.formats.avro.AvroRowSerializationSchema``.
    """

    def serialize(self, element: Any) -> bytes:
        """Encode a row as a message.

        Raises:
            SerializationError: the row does not fit the schema; the error names the field.
        """
        return avro_codec(self._schema).write(element)

    def of_columns(self) -> ColumnsWriter | None:
        """Return the writer of elements that are columns, ``None`` if they are encoded one by one."""
        is_own = type(self).serialize is AvroRowSerializationSchema.serialize
        return avro_column_writer(self._schema) if is_own else None
