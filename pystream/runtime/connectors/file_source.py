"""A bounded source of files: lists them, shares them out, reads them in some format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pystream.errors import SourceError
from pystream.runtime.connectors.compression import (
    DECOMPRESSION_ERRORS,
    ByteReader,
    decompressed,
    is_compressed,
)
from pystream.runtime.connectors.files import InputFile, list_files, resolve
from pystream.runtime.connectors.lines import (
    UndecodableBytes,
    ends_lines_with_ascii,
    lines_of,
    next_line_start,
    texts_of,
)
from pystream.runtime.connectors.splits import FileSplit, share_out

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["FileReader", "FilesInput", "TextLineReader"]

_BLOCK_BYTES = 256 * 1024


class FileReader(Protocol):
    """How the elements of a file are read: a picklable value.

    Attributes:
        gives_columns: whether it may yield columns instead of lists.
    """

    gives_columns: ClassVar[bool]

    def can_split(self, file: InputFile) -> bool:
        """Tell whether the file may be read from the middle."""
        ...

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements that start in the byte range of ``split``, in order, in bounded batches.

        Args:
            file: the file, open at its beginning.
            split: the range to read.
        """
        ...


@dataclass(frozen=True, slots=True)
class FilesInput:
    """The files under some locations, as a bounded source.

    Attributes:
        roots: absolute locations; directories stand for all files below them.
        reader: the format.
        split_files: whether large files may be cut into byte ranges where the format allows it. The
            elements of a file that is not cut come from one subtask, in order.
    """

    roots: tuple[str, ...]
    reader: FileReader
    split_files: bool

    def splits(self, parallelism: int) -> Sequence[Sequence[FileSplit]]:
        """List the files and give each subtask about the same number of bytes.

        Raises:
            SourceError: a location is missing or cannot be listed.
        """
        files = [file for root in self.roots for file in list_files(root)]
        return share_out(files, parallelism, self._can_split)

    def size(self, split: FileSplit) -> int:
        """Return the number of bytes of a split, 0 where what is read does not tell how many it was."""
        return split.end - split.start if isinstance(self.reader, TextLineReader) else 0

    def measure(self, values: list[str]) -> int:
        """Return about how many bytes these lines were."""
        return sum(map(len, values)) + len(values)

    @property
    def gives_columns(self) -> bool:
        """Whether elements may be read as columns."""
        return self.reader.gives_columns

    def _can_split(self, file: InputFile) -> bool:
        return self.split_files and self.reader.can_split(file)

    def read(self, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements of a split in order.

        Raises:
            SourceError: the file is gone or damaged; the message names it and the place.
        """
        path = split.file.path
        filesystem, _ = resolve(split.file.root)
        try:
            with filesystem.open_input_file(path) as file:
                yield from self.reader.read(file, split)
        except DECOMPRESSION_ERRORS as error:
            raise SourceError(f"cannot read {path}: {error}") from error


@dataclass(frozen=True, slots=True)
class TextLineReader:
    """Lines of text; files that are compressed by their extension are decompressed.

    Attributes:
        charset: a name Python knows.
    """

    gives_columns: ClassVar[bool] = False

    charset: str

    def can_split(self, file: InputFile) -> bool:
        """Tell whether line ends can be found from the middle of the file."""
        return ends_lines_with_ascii(self.charset) and not is_compressed(file.path)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[list[str]]:
        """Yield the lines that start in the range, without their ends.

        Raises:
            SourceError: bytes that are no text in the charset; the message names file, offset and line.
        """
        path, size = split.file.path, split.file.size
        start = next_line_start(file, split.start, size)
        end = next_line_start(file, split.end, size)
        try:
            if start == 0 and end == size:
                file.seek(0)
                yield from lines_of(texts_of(_blocks(decompressed(file, path)), self.charset))
            else:
                yield from lines_of(texts_of(_range(file, start, end), self.charset))
        except UndecodableBytes as error:
            line = f" in line {error.lines + 1}" if start == 0 else ""
            what = " of the decompressed content" if is_compressed(path) else ""
            raise SourceError(
                f"{path} is not {self.charset} text: byte {start + error.offset}{what}{line}, "
                f"{error.reason}; name the charset the file has"
            ) from error


def _blocks(reader: ByteReader) -> Iterator[bytes]:
    while block := reader.read(_BLOCK_BYTES):
        yield block


def _range(file: NativeFile, start: int, end: int) -> Iterator[bytes]:
    file.seek(start)
    for position in range(start, end, _BLOCK_BYTES):
        yield file.read(min(_BLOCK_BYTES, end - position))
