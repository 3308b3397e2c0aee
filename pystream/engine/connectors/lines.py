"""Split text into lines, and find the lines that belong to a byte range.

As in Flink, a line ends with ``\\n``, ``\\r\\n`` or a lone ``\\r``, and with nothing else: form feeds and
Unicode line separators are part of a line. What follows the last line end is a line if it is not empty.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain, repeat
from typing import Any, AnyStr, Protocol

from pystream.engine.connectors.compression import ByteReader

__all__ = [
    "BYTE_ENDS",
    "LINE_BATCH",
    "TEXT_ENDS",
    "UNDECODABLE",
    "UndecodableBytes",
    "batches_of_lines",
    "blocks_of_lines",
    "ends_lines_with_ascii",
    "lines_of",
    "lines_with_ends",
    "next_line_start",
    "texts_of",
]

LINE_BATCH = 16_384
"""Maximum length of a list of lines."""

TEXT_ENDS, BYTE_ENDS = ("\r", "\n"), (b"\r", b"\n")
"""Carriage return and line feed, in text and in bytes."""

UNDECODABLE = "\udcff"
"""Replaces bytes that cannot be decoded, if they are not an error; never occurs in text."""

_MARK_UNDECODABLE = "pystream-mark"
codecs.register_error(_MARK_UNDECODABLE, lambda error: (UNDECODABLE, error.end))  # type: ignore[attr-defined]

_SCAN_BYTES = 64 * 1024
_STATEFUL = ("utf-16", "utf-32", "utf-7", "utf-8-sig", "iso2022", "hz")


class SeekableReader(ByteReader, Protocol):
    """A file that can be read from any offset."""

    def seek(self, position: int, /) -> int: ...


class UndecodableBytes(ValueError):  # noqa: N818 - names what was found; callers turn it into an error
    """Bytes cannot be decoded in the charset.

    Attributes:
        offset: position of the first of them, counted from where decoding started.
        reason: the error of the codec.
        lines: number of line ends before them.
    """

    def __init__(self, offset: int, reason: str, lines: int) -> None:
        super().__init__(f"byte {offset}: {reason}")
        self.offset = offset
        self.reason = reason
        self.lines = lines


def ends_lines_with_ascii(charset: str) -> bool:
    """Return whether the bytes 10 and 13 are always line ends in a charset, never part of a character."""
    name = codecs.lookup(charset).name
    return not name.startswith(_STATEFUL) and "\r\n".encode(charset) == b"\r\n"


def next_line_start(file: SeekableReader, offset: int, size: int) -> int:
    """Return the offset of the first line that starts at or after ``offset``; ``size`` if there is none.

    The lines of ``[start, end)`` are thus exactly the bytes from ``next_line_start(start)`` to
    ``next_line_start(end)``, so that ranges that cover a file own each of its lines once.
    """
    if offset <= 0 or offset >= size:
        return min(max(offset, 0), size)
    position = offset - 1
    file.seek(position)
    while block := file.read(_SCAN_BYTES):
        if (index := _first_line_end(block)) < 0:
            position += len(block)
            continue
        end = position + index + 1
        if block[index] == 13:
            after = block[index + 1 : index + 2] or file.read(1)
            end += after == b"\n"
        return end
    return size


def _first_line_end(block: bytes) -> int:
    feed = block.find(b"\n")
    carriage = block.find(b"\r", 0, feed if feed >= 0 else len(block))
    return carriage if carriage >= 0 else feed


def texts_of(blocks: Iterable[bytes], charset: str, mark_undecodable: bool = False) -> Iterator[str]:
    """Decode consecutive blocks of bytes.

    A UTF-16 or UTF-32 text without byte order mark is read as big-endian, as Java does.

    Args:
        blocks: the bytes.
        charset: their charset.
        mark_undecodable: whether bytes that are not text in that charset become `UNDECODABLE`.

    Raises:
        UndecodableBytes: the bytes are not text in that charset.
    """
    stream = iter(blocks)
    head = _head(stream)
    decoder = codecs.getincrementaldecoder(_byte_ordered(charset, head))(
        _MARK_UNDECODABLE if mark_undecodable else "strict"
    )
    consumed = lines = 0
    for block, is_last in chain(zip(chain([head], stream), repeat(False)), [(b"", True)]):
        pending = len(decoder.getstate()[0])
        try:
            text = decoder.decode(block, is_last)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(error.encoding, "replace")
            offset = consumed - pending + error.start
            raise UndecodableBytes(offset, error.reason, lines + _count_line_ends(before)) from error
        consumed += len(block)
        if text:
            yield text
            lines += _count_line_ends(text)


def _head(stream: Iterator[bytes]) -> bytes:
    head = b""
    for block in stream:
        head += block
        if len(head) >= 4:
            break
    return head


def _byte_ordered(charset: str, head: bytes) -> str:
    name = codecs.lookup(charset).name
    if name == "utf-16" and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16-be"
    if name == "utf-32" and not head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32-be"
    return name


def _count_line_ends(text: str) -> int:
    return text.count("\n") + (text.count("\r") - text.count("\r\n") if "\r" in text else 0)


def lines_of(texts: Iterable[str]) -> Iterator[list[str]]:
    """Split consecutive texts into lines without their ends, in lists of at most LINE_BATCH."""
    return batches_of_lines(blocks_of_lines(texts, *TEXT_ENDS), TEXT_ENDS[1])


def blocks_of_lines(pieces: Iterable[AnyStr], carriage: AnyStr, feed: AnyStr) -> Iterator[AnyStr]:
    """Regroup consecutive pieces of text so that each ends with a line end, save perhaps the last one.

    All line ends become line feeds.

    Args:
        pieces: text or bytes.
        carriage: the carriage return, as the pieces have it.
        feed: the line feed.
    """
    text: Any  # type checkers lose which of the two a method returns
    for text in _whole_lines(pieces, carriage, feed):
        yield text.replace(carriage + feed, feed).replace(carriage, feed) if carriage in text else text


def batches_of_lines(blocks: Iterable[AnyStr], feed: AnyStr) -> Iterator[list[AnyStr]]:
    """Split blocks of lines into lines without their ends, in lists of at most LINE_BATCH."""
    for block in blocks:
        lines: Any = block.split(feed)
        if not lines[-1]:
            lines.pop()
        for start in range(0, len(lines), LINE_BATCH):
            yield lines[start : start + LINE_BATCH]


def lines_with_ends(texts: Iterable[str]) -> Iterator[str]:
    """Split consecutive texts into lines, each with its original end."""
    for text in _whole_lines(texts, *TEXT_ENDS):
        yield from StringIO(text, newline="")


def _whole_lines(pieces: Iterable[AnyStr], carriage: AnyStr, feed: AnyStr) -> Iterator[AnyStr]:
    """Regroup pieces of text so that each ends with a line end; yield the rest last."""
    nothing = feed[:0]
    unfinished: list[Any] = []
    held = nothing
    for piece in pieces:
        # A carriage return at the very end waits: a line feed may follow.
        whole = held + piece
        body = whole[:-1] if whole.endswith(carriage) else whole
        held = whole[len(body) :]
        cut = max(body.rfind(feed), body.rfind(carriage)) + 1
        if cut == 0:
            unfinished.append(body)
            continue
        unfinished.append(body[:cut])
        yield nothing.join(unfinished)
        unfinished = [body[cut:]]
    unfinished.append(held)
    rest = nothing.join(unfinished)
    if rest:
        yield rest
