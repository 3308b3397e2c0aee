"""Options of the CSV format, and the division of lines into cells."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.times import TimeStyle

if TYPE_CHECKING:
    from _csv import Dialect

__all__ = ["CsvOptions", "cells_of", "csv_dialect", "is_skipped", "with_control_characters"]


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


_ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t"}
"""The letters that mean a control character after an escape character; others mean themselves."""

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
    try:
        return next(csv.reader([line], dialect)) or [""]
    except csv.Error as error:
        is_second_line = str(error).startswith("new-line character")
        fault = "a message is one line, but a second line follows" if is_second_line else str(error)
        raise FieldError(fault) from None
