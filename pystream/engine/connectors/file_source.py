"""The file source: lists files, assigns them to subtasks and reads them in a format."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pystream.engine.connectors.compression import (
    DECOMPRESSION_ERRORS,
    ByteReader,
    decompressed,
    is_compressed,
)
from pystream.engine.connectors.files import InputFile, list_files, resolve
from pystream.engine.connectors.lines import (
    UNDECODABLE,
    UndecodableBytes,
    ends_lines_with_ascii,
    lines_of,
    next_line_start,
    texts_of,
)
from pystream.engine.connectors.splits import FileSplit, share_out
from pystream.errors import SourceError
from pystream.kinds import SourceColumns

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = [
    "FileReader",
    "FilesInput",
    "Skipped",
    "TextLineReader",
    "can_split_lines",
    "line_place",
    "texts_in",
]

_logger = logging.getLogger(__name__)

_BLOCK_BYTES = 256 * 1024


class FileReader(Protocol):
    """Reads the elements of a file; picklable.

    Attributes:
        yields_columns: whether it may yield columns instead of lists.
    """

    yields_columns: ClassVar[bool]

    def can_split(self, file: InputFile) -> bool:
        """Return whether the file may be read from the middle."""
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
    """A bounded source of the files under some locations.

    Attributes:
        roots: absolute locations; directories stand for all files below them.
        reader: the format.
        split_files: whether large files may be cut into byte ranges where the format allows it. The
            elements of a file that is not split come from one subtask, in order.
    """

    roots: tuple[str, ...]
    reader: FileReader
    split_files: bool

    def splits(self, parallelism: int) -> Sequence[Sequence[FileSplit]]:
        """List the files and assign each subtask about the same number of bytes.

        Raises:
            SourceError: a location is missing or cannot be listed.
        """
        files = [file for root in self.roots for file in list_files(root)]
        return share_out(files, parallelism, self._can_split)

    def size(self, split: FileSplit) -> int:
        """Return the number of bytes of a split, 0 if its reader reports no progress."""
        return split.end - split.start if isinstance(self.reader, TextLineReader) else 0

    def measure(self, values: list[str]) -> int:
        """Return the approximate number of bytes of these lines."""
        return sum(map(len, values)) + len(values)

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.WORKERS if self.reader.yields_columns else SourceColumns.NONE

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
    """Read lines of text, decompressing files according to their extension.

    Attributes:
        charset: a name Python knows.
        skips_undecodable: whether a line that is not text in the charset is left out instead of an error.
    """

    yields_columns: ClassVar[bool] = False

    charset: str
    skips_undecodable: bool = False

    def can_split(self, file: InputFile) -> bool:
        """Return whether line ends can be found from the middle of the file."""
        return can_split_lines(file, self.charset)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[list[str]]:
        """Yield the lines that start in the range, without their ends.

        Raises:
            SourceError: bytes that are not text in the charset; the message names file, offset and line.
        """
        batches = lines_of(texts_in(file, split, self.charset, self.skips_undecodable))
        return self._decodable(split, batches) if self.skips_undecodable else batches

    def _decodable(self, split: FileSplit, batches: Iterator[list[str]]) -> Iterator[list[str]]:
        skipped = Skipped(split)
        number = 0
        for batch in batches:
            kept = [line for line in batch if UNDECODABLE not in line]
            if len(kept) < len(batch):
                first = next(i for i, line in enumerate(batch) if UNDECODABLE in line)
                skipped.add(number + first + 1, len(batch) - len(kept))
            number += len(batch)
            if kept:
                yield kept
        skipped.report()


class Skipped:
    """Count the records that a reader skips in a range, and log the count once."""

    def __init__(self, split: FileSplit) -> None:
        self._split = split
        self._count = 0
        self._first = 0

    def add(self, line: int, count: int = 1) -> None:
        """Count skipped records, the first of which starts in the given line."""
        if not self._count:
            self._first = line
        self._count += count

    def report(self) -> None:
        """Log a warning if any record was skipped."""
        if self._count:
            _logger.warning(
                "%s: skipped %d that cannot be read, the first in %s",
                self._split.file.path,
                self._count,
                line_place(self._split, self._first),
            )


def line_place(split: FileSplit, line: int) -> str:
    """Describe the place of a line: its number, counted from 1, and the start of its split."""
    return f"line {line}" if split.start == 0 else f"line {line} after byte {split.start}"


def can_split_lines(file: InputFile, charset: str) -> bool:
    """Return whether line ends can be found from the middle of a file."""
    return ends_lines_with_ascii(charset) and not is_compressed(file.path)


def texts_in(file: NativeFile, split: FileSplit, charset: str, mark_undecodable: bool) -> Iterator[str]:
    """Yield the text of the lines that start in a range, in pieces, without a byte order mark.

    Args:
        file: the file, which is decompressed as its extension says.
        split: the range.
        charset: a name Python knows.
        mark_undecodable: whether bytes that are not text in the charset become `UNDECODABLE`.

    Raises:
        SourceError: bytes that are not text in the charset; the message names file, offset and line.
    """
    path, size = split.file.path, split.file.size
    start = next_line_start(file, split.start, size)
    end = next_line_start(file, split.end, size)
    if start == 0 and end == size:
        file.seek(0)
        blocks = _blocks(decompressed(file, path))
    else:
        blocks = _range(file, start, end)
    try:
        texts = texts_of(blocks, charset, mark_undecodable)
        if start == 0:
            yield next(texts, "").removeprefix("\ufeff")
        yield from texts
    except UndecodableBytes as error:
        line = f" in line {error.lines + 1}" if start == 0 else ""
        what = " of the decompressed content" if is_compressed(path) else ""
        raise SourceError(
            f"{path} is not {charset} text: byte {start + error.offset}{what}{line}, {error.reason}; "
            "specify the file's charset, or have such lines skipped with ignore_parse_errors"
        ) from error


def _blocks(reader: ByteReader) -> Iterator[bytes]:
    while block := reader.read(_BLOCK_BYTES):
        yield block


def _range(file: NativeFile, start: int, end: int) -> Iterator[bytes]:
    file.seek(start)
    for position in range(start, end, _BLOCK_BYTES):
        yield file.read(min(_BLOCK_BYTES, end - position))
