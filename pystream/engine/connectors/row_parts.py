"""Part files in row format: encoded elements, one after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from pystream.engine.connectors.compaction import Concatenation
from pystream.engine.failure import call_each
from pystream.engine.formats.column_texts import ColumnsWriter
from pystream.errors import SinkError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = ["ElementParts", "EncodeBatch", "EncodedRows", "Pieces", "Records", "RowParts", "TextLineParts"]


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


EncodeBatch = Callable[[Sequence[Any]], EncodedRows]


class RowParts(ABC):
    """Write part files in row format; picklable."""

    def header(self) -> bytes:
        """Return the bytes at the start of every file."""
        return b""

    @abstractmethod
    def encoder(self) -> EncodeBatch:
        """Return a function that encodes elements as bytes."""

    def open(self, stream: NativeFile) -> RowPart:
        """Open a part file."""
        return RowPart(stream, self.header())

    def merge(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Concatenate part files, under a single header."""
        Concatenation(b"", len(self.header())).compact(filesystem, paths, output)


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


class Records:
    """Elements encoded at once, and only divided where one file ends and the next starts.

    Args:
        encoded: the bytes of each, none of them null.
    """

    def __init__(self, encoded: pa.Array) -> None:
        self._encoded = encoded
        self._pieces: list[bytes] | None = None
        self.data: bytes = _concatenated(encoded)

    def __len__(self) -> int:
        return len(self._encoded)

    @property
    def pieces(self) -> list[bytes]:
        """Each encoded element."""
        if self._pieces is None:
            self._pieces = self._encoded.to_pylist()
        return self._pieces


def _concatenated(encoded: pa.Array) -> bytes:
    """Return the concatenation of bytes."""
    _, offsets, data = encoded.buffers()
    if offsets is None or data is None:
        return b""
    starts = memoryview(offsets).cast("i")
    start, end = starts[encoded.offset], starts[encoded.offset + len(encoded)]
    return data.slice(start, end - start).to_pybytes()


@dataclass(frozen=True, slots=True)
class ElementParts(RowParts):
    """Write part files of elements encoded by a user-defined function.

    Attributes:
        encode: the function.
        of_columns: writes elements that are columns as lines, as the function does; ``None`` if it is called
            for each.
    """

    encode: Callable[[Any], bytes]
    of_columns: ColumnsWriter | None = None

    def encoder(self) -> EncodeBatch:
        """Return a function that encodes elements."""
        return self._encode_batch

    def _encode_batch(self, values: Sequence[Any]) -> EncodedRows:
        from pystream.engine.vectorised.columns import ColumnValues

        if self.of_columns is not None and isinstance(values, ColumnValues):
            lines = self.of_columns.lines(values)
            if lines is not None:
                return Records(lines)
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
class TextLineParts(RowParts):
    """Write text files with one element per line, as Flink formats the type.

    A byte order mark, in charsets that have one, is written once at the start of a file.
    """

    type_info: TypeInformation[Any]
    charset: str

    def header(self) -> bytes:
        """Return the byte order mark, if the charset has one."""
        return "".encode(self.charset)

    def encoder(self) -> EncodeBatch:
        """Return a function that encodes elements as lines."""
        from typeinfo.text import text_of

        encode = partial(_encoded, self.charset, len(self.header()))
        return partial(self._encode_batch, text_of(self.type_info, "encoder"), encode)

    def _encode_batch(
        self, text_of: Callable[[Any], str], encode: Callable[[str], bytes], values: Sequence[Any]
    ) -> EncodedRows:
        texts = call_each(text_of, values)
        try:
            return _Lines(texts, encode)
        except UnicodeEncodeError as error:
            bad = error.object[error.start]
            text = next(text for text in texts if bad in text)
            raise SinkError(
                f"{bad!r} in the element {text!r} cannot be written in {self.charset}; choose UTF-8"
            ) from error


def _encoded(charset: str, mark_length: int, text: str) -> bytes:
    """Encode text without a byte order mark."""
    return text.encode(charset)[mark_length:]


class _Lines:
    """Lines encoded at once, and only split where one file ends and the next starts."""

    def __init__(self, texts: list[str], encode: Callable[[str], bytes]) -> None:
        self._texts = texts
        self._encode = encode
        self._pieces: list[bytes] | None = None
        self.data: bytes = encode("\n".join([*texts, ""]))

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def pieces(self) -> list[bytes]:
        if self._pieces is None:
            self._pieces = [self._encode(f"{text}\n") for text in self._texts]
        return self._pieces
