"""Parse SQL text into trees, with errors that show the place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError, TokenError

from pystream.errors import SqlError
from pystream.table.catalog.paths import joined_path
from pystream.table.sql.dialect import Flink, FlinkParser
from pystream.table.sql.masking import quoted, shown

__all__ = ["error_at", "located", "parsed", "path_of", "refusing_deep_nesting"]

_MISSING = "Required keyword"
_PARSERS_OWN = re.compile(r" (but got|for) <.*", re.S)
_AROUND = 80
_LINE_END = re.compile(r"\r\n|\r|\n")  # those that the parser counts


def parsed(text: str, into: Any = None, parser: Any = FlinkParser) -> list[Any]:
    """Parse text, and return what it is, for each part between semicolons.

    Args:
        text: the text.
        into: the class of expression that it must be; what the parser makes of it unless given.
        parser: the class of the parser.

    Raises:
        SqlError: the text cannot be parsed; the message names the place.
    """
    try:
        if into is not None:
            return Flink().parse_into(into, text)
        dialect = Flink()
        parts: list[Any] = parser(dialect=dialect).parse(dialect.tokenize(text), text)
        return parts
    except ParseError as error:
        details = error.errors[0] if error.errors else {}
        found = details.get("highlight")
        if not found:
            raise SqlError(f"the SQL text {quoted(text)} cannot be parsed") from None
        column = details["col"] - len(found) + 1
        complaint = _complaint(details["description"])
        raise SqlError(located(text, details["line"], column, found, complaint)) from None
    except TokenError:
        raise SqlError(
            f"the SQL text {quoted(text)} has a literal, a name or a comment that does not end"
        ) from None
    except SqlglotError:
        raise SqlError(f"the SQL text {quoted(text)} cannot be parsed") from None


@contextmanager
def refusing_deep_nesting(text: str) -> Iterator[None]:
    """Refuse a statement that is nested more deeply than Python's stack allows.

    Raises:
        SqlError: it is; the message shows its beginning.
    """
    try:
        yield
    except RecursionError:
        raise SqlError(
            f"the SQL text {quoted(text)} is nested too deeply, or has too many operators in one expression; "
            "divide it by views, or write IN (…) for many conditions of one column"
        ) from None


def _complaint(description: str) -> str:
    """Return the parser's complaint without names of its classes."""
    if description.startswith(_MISSING):
        return "an operand or a name is missing here"
    return _PARSERS_OWN.sub("", description)


def error_at(text: str, node: exp.Expr, complaint: str) -> SqlError:
    """Return an error that names the first place in a tree that is known.

    Args:
        text: the text that the tree was parsed from; empty if there is none.
        node: the tree.
        complaint: what is wrong with it.
    """
    for part in node.walk(bfs=False) if text else ():
        meta = part.meta
        if "line" in meta:
            found = text[meta["start"] : meta["end"] + 1]
            return SqlError(located(text, meta["line"], meta["col"] - len(found) + 1, found, complaint))
    return SqlError(f"{quoted(text)}: {complaint}" if text else complaint)


def located(text: str, line: int, column: int, found: str, complaint: str) -> str:
    """Return a message that shows a line of the text, and marks a place in it.

    Args:
        text: the whole text.
        line: the number of the line, from 1.
        column: the number of the character in it, from 1.
        found: what is there.
        complaint: what is wrong with it.
    """
    ends = [*_LINE_END.finditer(text)]
    start = ends[line - 2].end() if line > 1 else 0
    end = ends[line - 1].start() if line <= len(ends) else len(text)
    place = start + column - 1
    start, end = max(start, place - _AROUND), min(end, place + len(found) + _AROUND)
    source = shown(text, start, end)
    marker = " " * len(shown(text, start, place))
    found = shown(text, place, place + len(found))
    return f"line {line}, column {column}, at {found!r}: {complaint}\n  {source}\n  {marker}^"


def path_of(table: exp.Table) -> str:
    """Return the name of a table, with those of the catalog and the database if it has them."""
    return joined_path(*(part.name for part in table.parts))
