"""Rows in Avro's binary encoding, one record per message, without a header."""

from __future__ import annotations

import struct
from functools import lru_cache
from io import BytesIO
from typing import Any

from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_types import AvroNode, avro_node
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import leading_fields
from pystream.errors import DeserializationError, SerializationError
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError

__all__ = ["AvroCodec", "avro_codec"]

_END = (EOFError, IndexError)
_DAMAGE = (*_END, ValueError, LookupError, TypeError, OverflowError, MemoryError, struct.error)


@lru_cache(maxsize=64)
def avro_codec(schema_text: str) -> AvroCodec:
    """Return the codec of the records of a schema.

    Raises:
        UnsupportedTypeError: the text is not an Avro schema of a record, or the schema is recursive.
    """
    return AvroCodec(schema_text)


class AvroCodec:
    """Read and write one record per message.

    Attributes:
        type: the type of the rows.
    """

    def __init__(self, schema_text: str) -> None:
        self._schema = record_schema(schema_text)
        self._fields = self._schema.expanded["fields"]
        self._node: AvroNode = avro_node(self._schema.expanded)
        assert isinstance(self._node.type, RowTypeInfo)
        self.type: RowTypeInfo[Any] = self._node.type

    def read(self, message: bytes) -> Any:
        """Decode a message to a row.

        Raises:
            DeserializationError: the message is not such a record.
        """
        from fastavro import schemaless_reader

        stream = BytesIO(message)
        try:
            record = schemaless_reader(stream, self._schema.parsed, None)
            if stream.tell() < len(message):
                raise FieldError(f"{len(message) - stream.tell()} bytes follow the record")
            return self.row_of(record)
        except FieldError as error:
            raise DeserializationError(f"cannot read the Avro message {excerpt(message)}: {error}") from error
        except _DAMAGE as error:
            fault = "the message ends too early" if isinstance(error, _END) else error
            raise DeserializationError(
                f"cannot read the Avro message {excerpt(message)}: "
                f"field {self._damaged_field(message)}: {fault}"
            ) from error

    def row_of(self, record: Any) -> Any:
        """Convert a record, as fastavro reads it, to a row."""
        return self._node.read(record)

    def _damaged_field(self, message: bytes) -> str:
        from fastavro import schemaless_reader

        stream = BytesIO(message)
        for field in self._fields:
            try:
                schemaless_reader(stream, field["type"], None)
            except _DAMAGE:
                return str(field["name"])
        return "of the last record"

    def write(self, row: Any) -> bytes:
        """Encode a row as a message; its fields correspond by name, or by position as `leading_fields`.

        Raises:
            SerializationError: the row does not fit the schema; the message names the field.
        """
        from typeinfo.serde import serializer_for

        try:
            (conformed,) = serializer_for(self.type).conform([leading_fields(self.type, row)])
            return self._schema.encode(self._node.write(conformed))
        except (FieldError, TypeCheckError) as error:
            raise SerializationError(f"cannot write {excerpt(row)} as Avro: {error}") from error
