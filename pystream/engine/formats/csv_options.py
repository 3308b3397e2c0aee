"""Options of the CSV format: delimiters, quotes and literals."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CsvOptions"]


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
