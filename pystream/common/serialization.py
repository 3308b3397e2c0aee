"""Serialization schemas of messages, and encoders and writers of files."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from pystream.engine.connectors.part_file import PartFormat
from pystream.engine.connectors.row_parts import ElementParts, RowParts, TextLineParts
from pystream.errors import ArgumentTypeError, ConfigurationError, DeserializationError, SerializationError
from pystream.messages.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
from pystream.messages.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pystream.messages.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from typeinfo.arguments import checks_arguments
from typeinfo.basic import STRING
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = [
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "BulkWriterFactory",
    "ByteArraySchema",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
    "DeserializationSchema",
    "Encoder",
    "JsonRowDeserializationSchema",
    "JsonRowSerializationSchema",
    "PartsFactory",
    "RowFieldExtractorSchema",
    "SerializationSchema",
    "SimpleStringSchema",
    "charset_named",
]

# Contravariant: a writer of any object writes strings, too. Covariant: a reader of strings reads objects.
IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)
T = TypeVar("T")
BULK_IN = TypeVar("BULK_IN", contravariant=True, default=Any)


def charset_named(name: str) -> str:
    """Return ``name`` if it names a text encoding.

    Raises:
        ConfigurationError: it does not.
    """
    try:
        codecs.lookup(name)
        "".encode(name)
    except (LookupError, TypeError):
        raise ConfigurationError(f"unknown charset {name!r}; UTF-8 and ISO-8859-1 are examples") from None
    return name


@checks_arguments(ArgumentTypeError, methods=False)
class SimpleStringSchema(SerializationSchema[str], DeserializationSchema[str]):
    """A schema of text messages.

    Args:
        charset: the charset of the messages.

    Raises:
        ConfigurationError: the charset is unknown.

    Mirrors ``org.apache.flink.api.common.serialization.SimpleStringSchema``.
    """

    def __init__(self, charset: str = "UTF-8") -> None:
        self._charset = charset_named(charset)

    @property
    def charset(self) -> str:
        """The charset of the messages."""
        return self._charset

    def serialize(self, element: str) -> bytes:
        """Encode the text.

        Raises:
            SerializationError: the element is not text, or the charset cannot encode it.
        """
        if not isinstance(element, str):
            raise SerializationError(f"SimpleStringSchema writes str, not {element!r}")
        try:
            return element.encode(self._charset)
        except UnicodeEncodeError as error:
            raise SerializationError(f"{element!r} cannot be written in {self._charset}: {error}") from error

    def deserialize(self, message: bytes) -> str:
        """Decode the text.

        Raises:
            DeserializationError: the bytes cannot be decoded.
        """
        try:
            return message.decode(self._charset)
        except UnicodeDecodeError as error:
            raise DeserializationError(
                f"{short_repr(message)} is not {self._charset} text: {error}"
            ) from error

    def get_produced_type(self) -> TypeInformation[str]:
        """Return STRING."""
        return STRING


class ByteArraySchema(SerializationSchema[bytes], DeserializationSchema[bytes]):
    """A schema of messages that are bytes, passed through unchanged.

    Mirrors ``org.apache.flink.api.common.serialization.ByteArraySchema``.
    """

    def serialize(self, element: bytes) -> bytes:
        """Return the element unchanged.

        Raises:
            SerializationError: the element is not bytes.
        """
        if not isinstance(element, (bytes, bytearray)):
            raise SerializationError(f"ByteArraySchema writes bytes, not {short_repr(element)}")
        return bytes(element)

    def deserialize(self, message: bytes) -> bytes:
        """Return the message unchanged."""
        return message

    def get_produced_type(self) -> TypeInformation[bytes]:
        """Return PRIMITIVE_ARRAY(BYTE)."""
        return Types.PRIMITIVE_ARRAY(Types.BYTE)


@checks_arguments(ArgumentTypeError, methods=False)
class RowFieldExtractorSchema(SerializationSchema[Any]):
    """A schema that writes one field of a row, which must hold bytes; ``None`` becomes an empty message.

    Args:
        field_index: position of the field, from 0.

    Raises:
        ConfigurationError: ``field_index`` is not such a position.

    Mirrors ``org.apache.flink.api.common.serialization.RowFieldExtractorSchema``.
    """

    def __init__(self, field_index: int) -> None:
        if type(field_index) is not int or field_index < 0:
            raise ConfigurationError(f"field_index must be a non-negative int, not {short_repr(field_index)}")
        self._index = field_index

    def serialize(self, element: Any) -> bytes:
        """Return the bytes in the field.

        Raises:
            SerializationError: the element is not a row with such a field, or the field does not hold bytes.
        """
        if not isinstance(element, (Row, tuple)):
            raise SerializationError(f"RowFieldExtractorSchema takes a Row, not {short_repr(element)}")
        if self._index >= len(element):
            raise SerializationError(
                f"RowFieldExtractorSchema({self._index}): {short_repr(element)} has "
                f"only {len(element)} fields"
            )
        value = element[self._index]
        if value is None:
            return b""
        if not isinstance(value, (bytes, bytearray)):
            raise SerializationError(
                f"field {self._index} of {short_repr(element)} must hold bytes; encode it in a map() first"
            )
        return bytes(value)


@checks_arguments(ArgumentTypeError, methods=False)
class Encoder(ABC, Generic[IN]):
    """Encodes elements for the part files of a row-format file sink.

    Subclass it and implement ``encode`` for your own format; its result is written unchanged, line ends
    included. Mirrors ``org.apache.flink.api.common.serialization.Encoder``.
    """

    _example: ClassVar[str] = "Encoder.simple_string_encoder()"

    @abstractmethod
    def encode(self, element: IN, /) -> bytes:
        """Return the encoded element."""

    def bind(self, type_info: TypeInformation[IN]) -> RowParts:
        """Return the writer that workers use for elements of a type."""
        return ElementParts(self.encode)

    @staticmethod
    def simple_string_encoder(charset_name: str = "UTF-8") -> Encoder[Any]:
        """Return an encoder that writes the text of an element and a line feed.

        The text is Flink's for the type of the stream, e.g. ``+I[1, a]`` for a row and ``(1,a)`` for a
        tuple; an element of undeclared type is written as ``str`` shows it. A byte order mark, in charsets
        that have one, is written once at the start of each file.

        Args:
            charset_name: a charset; a character it cannot hold is an error when it is written.

        Raises:
            ConfigurationError: the charset is unknown.

        Mirrors ``org.apache.flink.api.common.serialization.SimpleStringEncoder``.
        """
        return _SimpleStringEncoder(charset_named(charset_name))

    @staticmethod
    def serialized_lines(serialization_schema: SerializationSchema[T]) -> Encoder[T]:
        """Return an encoder that writes a message and a line feed per element, as in JSON Lines.

        Args:
            serialization_schema: writes an element, e.g. a ``JsonRowSerializationSchema``; a message with a
                line end inside is an error.

        Raises:
            ConfigurationError: it is not a SerializationSchema.
        """
        if not isinstance(serialization_schema, SerializationSchema):
            raise ConfigurationError(
                "serialized_lines takes a SerializationSchema such as "
                f"JsonRowSerializationSchema.builder()….build(), not {short_repr(serialization_schema)}"
            )
        return _LineEncoder(serialization_schema)


class _SimpleStringEncoder(Encoder[Any]):
    def __init__(self, charset: str) -> None:
        self._charset = charset

    def encode(self, element: Any) -> bytes:
        return f"{element}\n".encode(self._charset)

    def bind(self, type_info: TypeInformation[Any]) -> TextLineParts:
        return TextLineParts(type_info, self._charset)


class _LineEncoder(Encoder[IN]):
    def __init__(self, schema: SerializationSchema[IN]) -> None:
        self._schema = schema

    def encode(self, element: IN) -> bytes:
        line = self._schema.serialize(element).removesuffix(b"\n")
        if b"\n" in line or b"\r" in line:
            raise SerializationError(
                f"the message {line!r} holds a line end and cannot be one line of a file"
            )
        return line + b"\n"

    def bind(self, type_info: TypeInformation[Any]) -> ElementParts:
        return ElementParts(self.encode, self._schema.of_columns())


class BulkWriterFactory(ABC, Generic[BULK_IN]):
    """Makes writers for the part files of a bulk-format file sink, such as ``ParquetBulkWriters``.

    Mirrors ``org.apache.flink.api.common.serialization.BulkWriter.Factory``.
    """

    _example: ClassVar[str] = "one of ParquetBulkWriters"

    @abstractmethod
    def bind(self, type_info: TypeInformation[BULK_IN]) -> PartFormat:
        """Return the writer that workers use for elements of a type.

        Raises:
            UnsupportedTypeError: elements of that type cannot be written.
        """


class PartsFactory(BulkWriterFactory[Any]):
    """Make writers of one format, whatever the type of the stream.

    Args:
        parts: the format.
    """

    def __init__(self, parts: PartFormat) -> None:
        self._parts = parts

    def bind(self, type_info: TypeInformation[Any]) -> PartFormat:
        """Return the format."""
        return self._parts
