"""Options of the CSV format, and the division of lines into cells."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.times import TimeStyle

if TYPE_CHECKING:
    from _csv import Dialect

__all__ = [
    "BLANKS",
    "CsvOptions",
    "Trimmed",
    "cells_of",
    "csv_dialect",
    "is_skipped",
    "with_control_characters",
]


@dataclass(frozen=True, slots=True)
class CsvOptions:
    """The special characters and literals of a CSV format.

    Attributes:
        field_delimiter: one character between cells.
        line_delimiter: the end of a written message.
        array_element_delimiter: text between the elements inside a cell.
        quote: the character around cells that need it; ``None`` for no quotes.
        escape: the escape character; ``None`` for none.
        null_literal: the cell text that means null; ``None`` for none.
        allow_comments: whether lines that start with ``#`` are skipped in reading.
        ignore_parse_errors: whether input that cannot be parsed becomes ``None`` instead of an error.
        time_style: how times and timestamps are written.
        trims_spaces: whether blanks around cells and their quotes are left out in reading.
        reads_empty_as_null: whether an empty cell is null, even in quotes.
        allows_trailing_delimiter: whether a record may end with a delimiter.
        allows_more_cells: whether a record may have cells after the last column, which are left out.
        fails_on_missing_cells: whether a record with too few cells is one that cannot be parsed; otherwise
            the missing ones are null if parse errors are ignored.
        has_exponents: whether decimals are written with the exponent that is left without trailing zeros.
    """

    field_delimiter: str = ","
    line_delimiter: str = "\n"
    array_element_delimiter: str = ";"
    quote: str | None = '"'
    escape: str | None = None
    null_literal: str | None = None
    allow_comments: bool = False
    ignore_parse_errors: bool = False
    time_style: TimeStyle = "JDBC"
    trims_spaces: bool = False
    reads_empty_as_null: bool = False
    allows_trailing_delimiter: bool = True
    allows_more_cells: bool = False
    fails_on_missing_cells: bool = False
    has_exponents: bool = False

    @property
    def null_texts(self) -> tuple[str, ...]:
        """The cells that mean null."""
        literal = () if self.null_literal is None else (self.null_literal,)
        return ("", *literal) if self.reads_empty_as_null else literal


_ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t"}
"""The letters that mean a control character after an escape character; others mean themselves."""

_NEVER = "(?!)"
BLANKS = "".join(map(chr, range(ord(" ") + 1)))
"""The characters that are trimmed."""

_LONGEST_CELL = 2**31 - 1  # characters; csv's own limit is 128 KiB


def csv_dialect(options: CsvOptions) -> Dialect:
    """Return the dialect by which Python's csv module divides records into cells."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    reader = csv.reader(
        (),
        delimiter=options.field_delimiter,
        quotechar=options.quote,
        quoting=csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
        escapechar=options.escape,
        strict=True,
    )
    return reader.dialect


def is_skipped(text: str) -> bool:
    """Return whether the first line of a text is a comment or blank, as Flink skips both with comments."""
    start = text.lstrip(" \t")
    return not start or start[0] in "#\r\n"


def with_control_characters(escape: str, line: str) -> str:
    """Replace escaped letters that Flink reads as control characters, and add a missing line end.

    Without it, csv would look for the end of the record in another line after an escaped line end.
    """
    if not line.endswith(("\n", "\r")):
        line += "\n"
    if escape not in line:
        return line
    return re.sub(f"({re.escape(escape)})(.)", lambda m: m[1] + _ESCAPED.get(m[2], m[2]), line, flags=re.S)


class Trimmed:
    """Lines without the blanks around their cells, and around the quotes of these.

    Blanks are the characters up to the space, as in Flink, save delimiters and line ends.

    Args:
        lines: the lines.
        options: the format.
    """

    def __init__(self, lines: Iterable[str], options: CsvOptions) -> None:
        self._lines = iter(lines)
        self._delimiter = options.field_delimiter
        self._is_quoted = False
        self._escape = options.escape or ""
        escape, end = re.escape(self._escape), rf"{re.escape(self._delimiter)}\r\n"
        escaped = f"{escape}.|" if escape else ""
        blank = rf"(?:(?![{end}])[\0-\x20])*+"
        plain = f"(?P<plain>(?:{escaped}[^{end}{escape}])*)"
        opening, rest = _NEVER, _NEVER
        if options.quote is not None:
            opening = re.escape(options.quote)
            text = f"(?:{escaped}{opening}{opening}|[^{opening}{escape}])*+"
            rest = rf"(?:(?P<closed>{text}{opening}){blank}(?=[{end}]|\Z)|(?P<unclosed>{text})\Z)"
        self._rest = re.compile(rest, re.S)
        self._cell = re.compile(f"{blank}(?:(?P<opening>{opening}){rest}|{plain})", re.S)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        parts = []
        match = (self._rest if self._is_quoted else self._cell).match(line)
        self._is_quoted = False
        position = 0
        while match is not None:
            found = match.groupdict()
            plain = found.get("plain")
            quoted = "".join(found.get(part) or "" for part in ("opening", "closed", "unclosed"))
            parts.append(quoted if plain is None else self._trimmed(plain))
            self._is_quoted = found.get("unclosed") is not None
            position = match.end()
            if line[position : position + 1] != self._delimiter:
                break
            parts.append(self._delimiter)
            position += 1
            match = self._cell.match(line, position)
        return "".join([*parts, line[position:]])

    def _trimmed(self, cell: str) -> str:
        """Return a cell without the blanks at its end; they may be escaped."""
        text = cell.rstrip(BLANKS)
        while text != cell and self._escape and text.endswith(self._escape):
            cell = text[: -len(self._escape)]
            text = cell.rstrip(BLANKS)
        return text


def cells_of(text: str, options: CsvOptions, dialect: Dialect) -> list[str] | None:
    """Return the cells of a single line of CSV, or ``None`` if there are only comments.

    Args:
        text: the line.
        options: the format.
        dialect: the dialect of the options.

    Raises:
        FieldError: a quote is not closed or followed by more text, or there is a second line.
    """
    if options.allow_comments:
        while is_skipped(text):
            _, _, text = text.partition("\n")
            if not text:
                return None
    line = text if options.escape is None else with_control_characters(options.escape, text)
    lines = Trimmed([line], options) if options.trims_spaces else [line]
    try:
        return next(csv.reader(lines, dialect)) or [""]
    except csv.Error as error:
        is_second_line = str(error).startswith("new-line character")
        fault = "a message is one line, but a second line follows" if is_second_line else str(error)
        raise FieldError(fault) from None
