"""Part files in row format: encoded elements, one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from pystream.engine.failure import call_each
from pystream.errors import SinkError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = [
    "ElementEncoder",
    "EncodeBatch",
    "EncodedRows",
    "Pieces",
    "RowEncoder",
    "RowParts",
    "TextLineEncoder",
]


class EncodedRows(Protocol):
    """A batch of elements encoded once, even if they go to several files."""

    def __len__(self) -> int:
        """Return the number of elements."""
        ...

    @property
    def data(self) -> bytes:
        """All elements, concatenated."""
        ...

    @property
    def pieces(self) -> list[bytes]:
        """Each encoded element."""
        ...


EncodeBatch = Callable[[list[Any]], EncodedRows]


class RowEncoder(Protocol):
    """Encodes elements as bytes; picklable."""

    def header(self) -> bytes:
        """Return the bytes at the beginning of every file."""
        ...

    def function(self) -> EncodeBatch:
        """Return a function that encodes elements as bytes."""
        ...


@dataclass(frozen=True, slots=True)
class RowParts:
    """Part files in row format."""

    row_encoder: RowEncoder

    def encoder(self) -> EncodeBatch:
        """Return a function that encodes elements as bytes."""
        return self.row_encoder.function()

    def open(self, stream: NativeFile) -> RowPart:
        """Open a part file."""
        return RowPart(stream, self.row_encoder.header())


class RowPart:
    """An open part file in row format."""

    def __init__(self, stream: NativeFile, header: bytes) -> None:
        self._stream = stream
        self._size = 0
        self._append(header)

    def size(self) -> int:
        """Return the bytes written so far."""
        return self._size

    def write(self, encoded: EncodedRows, start: int, size_limit: int | None) -> int:
        """Write elements until the file has grown beyond ``size_limit``; return the number written."""
        if not start and (size_limit is None or self._size + len(encoded.data) <= size_limit):
            self._append(encoded.data)
            return len(encoded)
        chosen, size = [], self._size
        for piece in islice(encoded.pieces, start, None):
            chosen.append(piece)
            size += len(piece)
            if size_limit is not None and size > size_limit:
                break
        self._append(b"".join(chosen))
        return len(chosen)

    def close(self) -> None:
        """Do nothing: elements are written immediately."""

    def _append(self, data: bytes) -> None:
        self._stream.write(data)
        self._size += len(data)


class Pieces:
    """Separately encoded elements."""

    __slots__ = ("data", "pieces")

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces: list[bytes] = pieces
        self.data: bytes = b"".join(pieces)

    def __len__(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True, slots=True)
class ElementEncoder:
    """Encode elements with a user-defined function."""

    encode: Callable[[Any], bytes]

    def header(self) -> bytes:
        """Return no bytes: such files have no header."""
        return b""

    def function(self) -> EncodeBatch:
        """Return a function that calls the user's function once per element."""
        return self._encode_batch

    def _encode_batch(self, values: list[Any]) -> EncodedRows:
        pieces = call_each(self.encode, values)
        try:
            return Pieces(pieces)
        except TypeError:
            at = next(i for i, piece in enumerate(pieces) if not isinstance(piece, (bytes, bytearray)))
            name = getattr(self.encode, "__qualname__", repr(self.encode))
            raise SinkError(
                f"{name} must return bytes, but returned {pieces[at]!r} for {values[at]!r}"
            ) from None


@dataclass(frozen=True, slots=True)
class TextLineEncoder:
    """Encode each element as a line of text, as Flink formats the type.

    A byte order mark, in charsets that have one, is written once at the beginning of a file.
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

    def __call__(self, values: list[Any]) -> EncodedRows:
        texts = call_each(self._text_of, values)
        try:
            return _Lines(texts, self._encoded("\n".join([*texts, ""])), self._encoded)
        except UnicodeEncodeError as error:
            raise SinkError(self._explain(texts, error)) from error

    def _encoded(self, text: str) -> bytes:
        return text.encode(self._charset)[self._mark_length :]

    def _explain(self, texts: list[str], error: UnicodeEncodeError) -> str:
        bad = error.object[error.start]
        text = next(text for text in texts if bad in text)
        return f"{bad!r} in the element {text!r} cannot be written in {self._charset}; choose UTF-8"


class _Lines:
    """Lines encoded at once, and only split where one file ends and the next starts."""

    def __init__(self, texts: list[str], data: bytes, encoded: Callable[[str], bytes]) -> None:
        self._texts = texts
        self._encoded = encoded
        self._pieces: list[bytes] | None = None
        self.data = data

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def pieces(self) -> list[bytes]:
        if self._pieces is None:
            self._pieces = [self._encoded(f"{text}\n") for text in self._texts]
        return self._pieces
