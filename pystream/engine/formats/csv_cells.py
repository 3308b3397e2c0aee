"""Options of the CSV format, and the division of lines into cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pystream.engine.formats.errors import FieldError

__all__ = ["CsvOptions", "ESCAPED", "cells_of"]


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
        allow_comments: whether lines that begin with ``#`` are skipped in reading.
        ignore_parse_errors: whether input that cannot be parsed becomes ``None`` instead of an error.
    """

    field_delimiter: str = ","
    line_delimiter: str = "\n"
    array_element_delimiter: str = ";"
    quote: str | None = '"'
    escape: str | None = None
    null_literal: str | None = None
    allow_comments: bool = False
    ignore_parse_errors: bool = False


_LINE_ENDS = "\r\n"
ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t"}
"""The letters that mean a control character after an escape character; others mean themselves."""


def cells_of(text: str, options: CsvOptions) -> list[str] | None:
    """Return the cells of a single line of CSV, or ``None`` if there are only comments.

    Raises:
        FieldError: a quote is not closed or followed by more text, or there is a second line.
    """
    if options.allow_comments:
        while text.startswith("#"):
            _, _, text = text.partition("\n")
            if not text:
                return None
    cell, has_specials = _patterns(options)
    if has_specials.search(text) is None:
        line = text.rstrip(_LINE_ENDS)
        if "\n" not in line and "\r" not in line:
            return line.split(options.field_delimiter)
    return _scan(text, cell, options)


@lru_cache(maxsize=64)
def _patterns(options: CsvOptions) -> tuple[re.Pattern[str], re.Pattern[str]]:
    delimiter = re.escape(options.field_delimiter)
    escape = re.escape(options.escape) if options.escape else ""
    quote = re.escape(options.quote) if options.quote else ""
    escaped = rf"{escape}.|" if escape else ""
    unquoted = f"(?!{quote})" if quote else ""
    bare = rf"{unquoted}(?P<bare>(?:{escaped}[^{delimiter}{escape}\r\n])*)"
    quoted = rf"{quote}(?P<quoted>(?:{escaped}{quote}{quote}|[^{quote}{escape}])*){quote}|" if quote else ""
    specials = f"[{quote}{escape}]" if quote or escape else r"(?!)"
    return re.compile(f"(?:{quoted}{bare})(?P<end>{delimiter}|[\r\n]+|$)", re.DOTALL), re.compile(specials)


def _scan(text: str, cell: re.Pattern[str], options: CsvOptions) -> list[str]:
    cells = []
    position = 0
    while True:
        match = cell.match(text, position)
        if match is None:
            raise FieldError(_fault(text, position, options))
        quoted = match["quoted"] if options.quote else None
        value = match["bare"] if quoted is None else quoted
        if quoted is not None and options.quote:
            value = _unescaped(value, options, doubled=options.quote)
        elif options.escape:
            value = _unescaped(value, options, doubled=None)
        cells.append(value)
        position = match.end()
        if match["end"] != options.field_delimiter:
            break
    if position < len(text):
        raise FieldError(f"a second line begins at character {position}; a message is one line")
    return cells


def _unescaped(value: str, options: CsvOptions, doubled: str | None) -> str:
    escape = options.escape
    if escape is None:
        return value if doubled is None else value.replace(doubled * 2, doubled)
    pattern = rf"{re.escape(escape)}(.)" + (rf"|{re.escape(doubled)}{re.escape(doubled)}" if doubled else "")
    return re.sub(
        pattern, lambda m: ESCAPED.get(m[1], m[1]) if m[1] else doubled or "", value, flags=re.DOTALL
    )


def _fault(text: str, position: int, options: CsvOptions) -> str:
    if options.quote and text.startswith(options.quote, position):
        return (
            f"the quote that opens at character {position} is not closed right before "
            f"{options.field_delimiter!r} or the end of the line"
        )
    return f"the cell that begins at character {position} ends with a lone escape character"
