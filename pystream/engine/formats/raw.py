"""Encode and decode single values as their bytes, without a frame, as Flink's raw format does."""

from __future__ import annotations

import codecs
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from pystream.engine.formats.errors import FieldError
from pystream.errors import ConfigurationError
from typeinfo.basic import BOOLEAN, BYTE, DOUBLE, FLOAT, INT, LONG, SHORT, STRING
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation

__all__ = ["RawCodec", "raw_codec"]

_LAYOUTS: dict[TypeInformation[Any], str] = {
    BOOLEAN: "?",
    BYTE: "b",
    SHORT: "h",
    INT: "i",
    LONG: "q",
    FLOAT: "f",
    DOUBLE: "d",
}
"""The codes of struct."""


class RawCodec(NamedTuple):
    """Reads and writes the field of a row.

    Attributes:
        field: its name.
        read: decodes a value, or raises `FieldError`.
        write: encodes a value, or raises `FieldError`.
    """

    field: str
    read: Callable[[bytes], Any]
    write: Callable[[Any], bytes]


@lru_cache(maxsize=64)
def raw_codec(t: RowTypeInfo[Any], charset: str, is_big_endian: bool) -> RawCodec:
    """Return the codec of rows of one field.

    Args:
        t: the type of the rows.
        charset: the charset of text.
        is_big_endian: whether numbers start with their most significant byte.

    Raises:
        ConfigurationError: the charset is unknown.
        UnsupportedTypeError: there is not one field, or the raw format has no values of its type.
    """
    names = t.get_field_names()
    if len(names) != 1:
        raise UnsupportedTypeError(f"the raw format holds exactly one column, not {', '.join(names)}")
    field = t.slots()[0].type
    value: _Text | _Bytes | _Fixed
    if field == STRING:
        value = _Text(charset)
    elif isinstance(field, PrimitiveArrayTypeInfo) and field.is_bytes:
        value = _Bytes()
    elif field in _LAYOUTS:
        value = _Fixed(field, (">" if is_big_endian else "<") + _LAYOUTS[field])
    else:
        raise UnsupportedTypeError(f"the raw format has no values of type {field} (field {names[0]})")
    return RawCodec(names[0], value.read, value.write)


class _Text:
    def __init__(self, charset: str) -> None:
        try:
            codecs.lookup(charset)
            "".encode(charset)
        except (LookupError, TypeError):
            raise ConfigurationError(f"unknown charset {charset!r}; UTF-8 is an example") from None
        self._charset = charset

    def read(self, message: bytes) -> str:
        try:
            return message.decode(self._charset)
        except UnicodeDecodeError as error:
            raise FieldError(f"not {self._charset} text: {error}") from None

    def write(self, value: str | None) -> bytes:
        try:
            return str(_present(value)).encode(self._charset)
        except UnicodeEncodeError as error:
            raise FieldError(f"{value!r} cannot be written in {self._charset}: {error}") from None


class _Bytes:
    def read(self, message: bytes) -> bytes:
        return message

    def write(self, value: bytes | None) -> bytes:
        return bytes(_present(value))


class _Fixed:
    def __init__(self, t: TypeInformation[Any], layout: str) -> None:
        self._type = t
        self._struct = struct.Struct(layout)

    def read(self, message: bytes) -> Any:
        if len(message) != self._struct.size:
            raise FieldError(
                f"{self._type} needs {self._struct.size} bytes, but the message has {len(message)}"
            )
        return self._struct.unpack(message)[0]

    def write(self, value: Any) -> bytes:
        return self._struct.pack(_present(value))


def _present(value: Any) -> Any:
    if value is None:
        raise FieldError("None, for which the raw format has no bytes")
    return value
