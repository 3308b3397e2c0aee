"""Rows of one field as messages that hold its bytes and nothing else."""

from __future__ import annotations

from typing import Any

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.raw import raw_codec
from pystream.errors import DeserializationError, SerializationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.row import Row, make_row

__all__ = ["RawFormatDeserializationSchema", "RawFormatSerializationSchema"]


class _RawSchema:
    """Base class of the raw schemas.

    Args:
        type_info: the type of rows with one field: text, bytes, a boolean, or a number of a fixed size.
        charset: the charset of text.
        is_big_endian: whether numbers start with their most significant byte.

    Raises:
        ConfigurationError: the charset is unknown.
        UnsupportedTypeError: there is not one field, or it is of another type.
    """

    def __init__(
        self, type_info: RowTypeInfo[Any], charset: str = "UTF-8", is_big_endian: bool = True
    ) -> None:
        self._type = type_info
        self._arguments = (type_info, charset, is_big_endian)
        raw_codec(*self._arguments)


class RawFormatDeserializationSchema(_RawSchema, DeserializationSchema[Row[Any]]):
    """Decode the bytes of a message to the only field of a row; a boolean is any byte but 0.

    Mirrors ``org.apache.flink.formats.raw.RawFormatDeserializationSchema``.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.messages.raw import RawFormatDeserializationSchema
        >>> number = Types.ROW_NAMED(["n"], [Types.INT()])
        >>> RawFormatDeserializationSchema(number).deserialize(bytes([0, 0, 1, 2]))
        Row(n=258)
    """

    def deserialize(self, message: bytes) -> Row[Any]:
        """Decode a message to a row.

        Raises:
            DeserializationError: the message is not text in the charset, or not of the size of the number.
        """
        codec = raw_codec(*self._arguments)
        try:
            return make_row([codec.read(message)], (codec.field,))
        except FieldError as error:
            raise DeserializationError(
                f"cannot read the raw message {excerpt(message)}: field {codec.field}: {error}"
            ) from error

    def get_produced_type(self) -> TypeInformation[Row[Any]]:
        """Return the type of the rows."""
        return self._type


class RawFormatSerializationSchema(_RawSchema, SerializationSchema[Row[Any]]):
    """Encode the only field of a row as the bytes of a message.

    A field that is ``None`` is an error, as no bytes stand for it.
    Mirrors ``org.apache.flink.formats.raw.RawFormatSerializationSchema``.
    """

    def serialize(self, element: Row[Any]) -> bytes:
        """Encode a row as a message.

        Raises:
            SerializationError: the field is ``None``, does not fit the type, or is text that the charset
                cannot encode.
        """
        from typeinfo.serde import serializer_for

        codec = raw_codec(*self._arguments)
        try:
            (row,) = serializer_for(self._type).conform([element])
            return codec.write(row[0])
        except (FieldError, TypeCheckError) as error:
            raise SerializationError(f"cannot write {excerpt(element)} as a raw message: {error}") from error
