"""Compressed files, recognised by their extension."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["DECOMPRESSION_ERRORS", "ByteReader", "decompressed", "is_compressed"]

DECOMPRESSION_ERRORS = (OSError, EOFError, lzma.LZMAError, zlib.error)
"""Exceptions raised by reading a damaged compressed file."""


class ByteReader(Protocol):
    """Interface of sequential byte readers."""

    def read(self, size: int, /) -> bytes: ...


class _Deflate:
    """Decompress the zlib format of Flink's ``.deflate`` files."""

    def __init__(self, raw: ByteReader) -> None:
        self._raw = raw
        self._inflate = zlib.decompressobj()

    def read(self, size: int, /) -> bytes:
        while not self._inflate.eof:
            packed = self._inflate.unconsumed_tail or self._raw.read(size)
            if not packed:
                raise EOFError("the file ends before its compressed content does")
            plain = self._inflate.decompress(packed, size)
            if plain:
                return plain
        return b""


def _arrow(codec: str) -> Callable[[NativeFile], ByteReader]:
    def opener(raw: NativeFile) -> ByteReader:
        from pyarrow import CompressedInputStream

        return CompressedInputStream(raw, codec)

    return opener


def _xz(raw: NativeFile) -> ByteReader:
    return lzma.LZMAFile(cast("IO[bytes]", raw))


_OPENERS: dict[str, Callable[[NativeFile], ByteReader]] = {
    "deflate": _Deflate,
    "xz": _xz,
    "bz2": _arrow("bz2"),
    "gz": _arrow("gzip"),
    "gzip": _arrow("gzip"),
    "zst": _arrow("zstd"),
}


def _extension(path: str) -> str:
    _, dot, extension = path.rpartition("/")[2].rpartition(".")
    return extension.lower() if dot else ""


def is_compressed(path: str) -> bool:
    """Return whether a file is compressed, by its extension, so that it cannot be read from the middle."""
    return _extension(path) in _OPENERS


def decompressed(raw: NativeFile, path: str) -> ByteReader:
    """Return a reader of a file's contents, decompressed according to its extension."""
    opener = _OPENERS.get(_extension(path))
    return raw if opener is None else opener(raw)
