"""Part files that hold one encoded element after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pystream.runtime.connectors.errors import SinkError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["ElementEncoder", "RowEncoder", "RowParts", "TextLineEncoder"]

EncodeBatch = Callable[[list[Any]], bytes]


class RowEncoder(Protocol):
    """How elements become bytes: a picklable value."""

    def header(self) -> bytes:
        """Return what stands at the beginning of every file."""
        ...

    def function(self) -> EncodeBatch:
        """Return a function from elements to the bytes that stand for them, one after the other."""
        ...


@dataclass(frozen=True, slots=True)
class RowParts:
    """Part files in row format."""

    encoder: RowEncoder

    def open(self, stream: NativeFile) -> RowPart:
        """Begin a part file."""
        return RowPart(stream, self.encoder)


class RowPart:
    """One open part file in row format."""

    def __init__(self, stream: NativeFile, encoder: RowEncoder) -> None:
        self._stream = stream
        self._encode = encoder.function()
        self._size = 0
        self._append(encoder.header())

    def size(self) -> int:
        """Return the bytes written so far."""
        return self._size

    def write(self, values: list[Any], size_limit: int | None) -> int:
        """Write elements until the file has grown beyond ``size_limit``; return how many were written."""
        data = self._encode(values)
        if size_limit is None or self._size + len(data) <= size_limit:
            self._append(data)
            return len(values)
        for written, value in enumerate(values, start=1):
            self._append(self._encode([value]))
            if self._size > size_limit:
                return written
        return len(values)

    def close(self) -> None:
        """Do nothing: every element is written at once."""

    def _append(self, data: bytes) -> None:
        self._stream.write(data)
        self._size += len(data)


@dataclass(frozen=True, slots=True)
class ElementEncoder:
    """Encode by a user's function from one element to bytes."""

    encode: Callable[[Any], bytes]

    def header(self) -> bytes:
        """Return nothing."""
        return b""

    def function(self) -> EncodeBatch:
        """Return a function that joins what the user's function returns."""
        return self._encode_batch

    def _encode_batch(self, values: list[Any]) -> bytes:
        pieces = list(map(self.encode, values))
        try:
            return b"".join(pieces)
        except TypeError:
            at = next(i for i, piece in enumerate(pieces) if not isinstance(piece, (bytes, bytearray)))
            name = getattr(self.encode, "__qualname__", repr(self.encode))
            raise SinkError(
                f"{name} must return bytes, but returned {pieces[at]!r} for {values[at]!r}"
            ) from None


@dataclass(frozen=True, slots=True)
class TextLineEncoder:
    """One line of text an element, as Flink writes an element of the type.

    A byte order mark, in charsets that have one, stands once at the beginning of a file.
    """

    type_info: TypeInformation[Any]
    charset: str

    def header(self) -> bytes:
        """Return the byte order mark, if the charset has one."""
        return "".encode(self.charset)

    def function(self) -> EncodeBatch:
        """Return a function from elements to encoded lines."""
        from typeinfo.text import text_of

        return _TextLines(text_of(self.type_info, "encoder"), self.charset, len(self.header()))


class _TextLines:
    def __init__(self, text_of: Callable[[Any], str], charset: str, mark_length: int) -> None:
        self._text_of = text_of
        self._charset = charset
        self._mark_length = mark_length

    def __call__(self, values: list[Any]) -> bytes:
        texts = list(map(self._text_of, values))
        texts.append("")
        try:
            return "\n".join(texts).encode(self._charset)[self._mark_length :]
        except UnicodeEncodeError as error:
            raise SinkError(self._explain(texts, error)) from error

    def _explain(self, texts: list[str], error: UnicodeEncodeError) -> str:
        bad = error.object[error.start]
        text = next(text for text in texts if bad in text)
        return f"{bad!r} in the element {text!r} cannot be written in {self._charset}; choose UTF-8"
