"""Text files: readers of lines, and of messages, one per line."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.compression import ByteReader, decompressed, is_compressed
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.lines import (
    BYTE_ENDS,
    UNDECODABLE,
    UndecodableBytes,
    batches_of_lines,
    blocks_of_lines,
    ends_lines_with_ascii,
    lines_of,
    next_line_start,
    texts_of,
)
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.events import RecordErrors
from pystream.engine.exception_encoding import summarize
from pystream.engine.formats.columns_reader import ColumnsReader
from pystream.errors import PyStreamError, SourceError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pyarrow import NativeFile

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = [
    "LineMessageReader",
    "Skipped",
    "TextLineReader",
    "bytes_in",
    "can_split_lines",
    "line_place",
    "texts_in",
]

_logger = logging.getLogger(__name__)

_BLOCK_BYTES = 1 << 22
_CHARSET = (
    "specify the charset of the files, or skip such lines: StreamFormat.text_line_format(charset, "
    "ignore_parse_errors=True)"
)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class TextLineReader:
    """Read lines of text, decompressing files according to their extension.

    Attributes:
        charset: a name Python knows.
        skips_undecodable: whether a line that is not text in the charset is left out instead of an error.
    """

    charset: str
    skips_undecodable: bool = False

    def yields_columns(self) -> bool:
        """Return False: elements are values."""
        return False

    def can_split(self, file: InputFile) -> bool:
        """Return whether line ends can be found from the middle of the file."""
        return can_split_lines(file, self.charset)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the lines that start in the range, without their ends.

        Raises:
            SourceError: bytes that are not text in the charset; the message names file, offset and line.
        """
        batches = lines_of(texts_in(file, split, self.charset, self.skips_undecodable, _CHARSET))
        return self._decodable(split, batches) if self.skips_undecodable else batches

    def _decodable(self, split: FileSplit, batches: Iterator[list[str]]) -> Iterator[Sequence[Any]]:
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
        yield from skipped.report()


@dataclass(frozen=True, slots=True)
class LineMessageReader:
    """Read elements from files with one message per line.

    Attributes:
        deserialize: returns the elements in a message.
        type_info: the type of the elements.
        skips_bad_lines: whether a line that cannot be read is left out instead of an error.
        at_once: reads many messages at once, where that is possible.
        remedy: how the program has such lines left out, for errors.
        keeps_order: whether all lines of a file are read one after the other.
    """

    deserialize: Callable[[bytes], Iterable[Any]]
    type_info: TypeInformation[Any]
    skips_bad_lines: bool
    at_once: ColumnsReader | None = None
    remedy: str = "skip such lines: StreamFormat.deserialized_lines(schema, ignore_parse_errors=True)"
    keeps_order: bool = False

    def yields_columns(self) -> bool:
        """Whether messages are read at once."""
        return self.at_once is not None

    def can_split(self, file: InputFile) -> bool:
        """Return whether line ends can be found from the middle of the file."""
        # messages are in a charset with ASCII
        return not self.keeps_order and can_split_lines(file, "latin-1")

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements of the lines that start in the range, in order.

        Raises:
            SourceError: a line cannot be read; the message names file and line.
        """
        skipped = Skipped(split)
        number = 0
        for block in blocks_of_lines(bytes_in(file, split), *BYTE_ENDS):
            columns = self._columns(block, is_first=number == 0 and split.start == 0)
            if columns is not None:
                number += len(columns)
                yield columns
                continue
            for lines in batches_of_lines([block], BYTE_ENDS[1]):
                elements = self._elements(lines, number, split, skipped)
                number += len(lines)
                if elements:
                    yield elements
        yield from skipped.report()

    def _columns(self, lines: bytes, *, is_first: bool) -> ColumnValues | None:
        """Return the elements of lines at once, ``None`` if they are to be read one by one."""
        if self.at_once is None:
            return None
        return self.at_once.of_lines(lines.removeprefix(_BYTE_ORDER_MARK) if is_first else lines)

    def _elements(self, lines: list[bytes], number: int, split: FileSplit, skipped: Skipped) -> list[Any]:
        """Return the elements of lines, read one by one.

        Args:
            lines: the lines.
            number: the number of lines before them.
            split: the range that they are in.
            skipped: counts the lines that cannot be read.

        Raises:
            SourceError: a line cannot be read.
        """
        from typeinfo.serde import serializer_for

        conform = serializer_for(self.type_info).conform
        elements: list[Any] = []
        for message in lines:
            number += 1
            if number == 1 and split.start == 0:
                message = message.removeprefix(_BYTE_ORDER_MARK)
            try:
                elements += conform(list(self.deserialize(message)))
            except Exception as error:  # a user's schema may raise anything
                if not self.skips_bad_lines:
                    reason = str(error) if isinstance(error, PyStreamError) else summarize(error)
                    raise SourceError(
                        f"{split.file.path}, {line_place(split, number)}: {reason}; correct the line, or "
                        f"{self.remedy}"
                    ) from error
                skipped.add(number)
        return elements


class Skipped:
    """Count the records that a reader skips in a range, and report the count once."""

    def __init__(self, split: FileSplit) -> None:
        self._split = split
        self._count = 0
        self._first = 0

    def add(self, line: int, count: int = 1) -> None:
        """Count skipped records; the first one starts in the given line."""
        if not self._count:
            self._first = line
        self._count += count

    def report(self) -> Iterator[RecordErrors]:
        """Log a warning, and yield the count for the metrics, if any record was skipped."""
        if self._count:
            _logger.warning(
                "%s: skipped %d that cannot be read, the first in %s",
                self._split.file.path,
                self._count,
                line_place(self._split, self._first),
            )
            yield RecordErrors(self._count)


def line_place(split: FileSplit, line: int) -> str:
    """Describe the place of a line: its number, counted from 1, and the start of its split."""
    return f"line {line}" if split.start == 0 else f"line {line} after byte {split.start}"


def can_split_lines(file: InputFile, charset: str) -> bool:
    """Return whether line ends can be found from the middle of a file."""
    return ends_lines_with_ascii(charset) and not is_compressed(file.path)


def texts_in(
    file: NativeFile, split: FileSplit, charset: str, mark_undecodable: bool, remedy: str
) -> Iterator[str]:
    """Yield the text of the lines that start in a range, in pieces, without a byte order mark.

    Args:
        file: the file, which is decompressed as its extension says.
        split: the range.
        charset: a name Python knows.
        mark_undecodable: whether bytes that are not text in the charset become `UNDECODABLE`.
        remedy: what to do about bytes that are not text in the charset.

    Raises:
        SourceError: bytes that are not text in the charset; the message names file, offset and line.
    """
    path, start = split.file.path, next_line_start(file, split.start, split.file.size)
    try:
        texts = texts_of(bytes_in(file, split), charset, mark_undecodable)
        if start == 0:
            yield next(texts, "").removeprefix("\ufeff")
        yield from texts
    except UndecodableBytes as error:
        line = f" in line {error.lines + 1}" if start == 0 else ""
        what = " of the decompressed content" if is_compressed(path) else ""
        raise SourceError(
            f"{path} is not {charset} text: byte {start + error.offset}{what}{line}, {error.reason}; {remedy}"
        ) from error


def bytes_in(file: NativeFile, split: FileSplit) -> Iterator[bytes]:
    """Yield the bytes of the lines that start in a range, in pieces, decompressed."""
    path, size = split.file.path, split.file.size
    start, end = next_line_start(file, split.start, size), next_line_start(file, split.end, size)
    file.seek(start)
    return _blocks(decompressed(file, path)) if is_compressed(path) else _range(file, path, start, end)


def _blocks(reader: ByteReader) -> Iterator[bytes]:
    while block := reader.read(_BLOCK_BYTES):
        yield block


def _range(file: NativeFile, path: str, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes of a range.

    Raises:
        SourceError: the file ends before it does.
    """
    position = start
    while position < end:
        block = file.read(min(_BLOCK_BYTES, end - position))
        if not block:
            raise SourceError(f"cannot read {path}: it ends after {position} bytes, but had {end} or more")
        position += len(block)
        yield block
