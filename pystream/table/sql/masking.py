"""Show SQL text in messages without the values of options, among which there may be passwords.

The tokens of the text decide, so that a statement that cannot be parsed is masked as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import TokenType
from sqlglot.errors import TokenError

from pystream.table.sql.dialect import Flink

__all__ = ["quoted", "shown"]

_MASK = "***"
_LONGEST = 300
_QUOTES_AND_COMMENTS = re.compile(r"'|--|/\*")
_DEFINITIONS = {TokenType.CREATE, TokenType.ALTER}
_ENDS_OF_VALUES = {TokenType.COMMA, TokenType.R_PAREN}


def quoted(text: str) -> str:
    """Return the beginning of SQL text in quotes, masked as by `shown`."""
    masked = shown(text)
    return repr(masked if len(masked) <= _LONGEST else f"{masked[: _LONGEST - 1]}…")


def shown(text: str, start: int = 0, end: int | None = None) -> str:
    """Return a part of SQL text with ``***`` in place of the values of options.

    A value is all that follows ``'key' =``. In a statement with options, comments and literals other than
    those of intervals are masked as well. If a literal or a comment does not end, all is masked from the
    first one on.

    Args:
        text: the whole text.
        start: position of the first character of the part.
        end: position behind its last character; the end of the text by default.
    """
    end = len(text) if end is None else end
    parts: list[str] = []
    for first, last in _masked(text):
        if start < last and first < end:
            parts += [text[start:first], _MASK]
            start = last
    return "".join([*parts, text[start:end]])


def _masked(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each place that is masked, in order."""
    try:
        tokens = Flink().tokenize(text)
    except TokenError:
        if found := _QUOTES_AND_COMMENTS.search(text):
            yield found.start(), len(text)
        return
    kinds = [token.token_type for token in tokens]
    keys = {n for n in range(len(kinds)) if kinds[n : n + 2] == [TokenType.STRING, TokenType.EQ]}
    if not keys and _DEFINITIONS.isdisjoint(kinds):
        return
    position = 0
    in_value = False
    for n, (kind, token) in enumerate(zip(kinds, tokens, strict=True)):
        yield from _comment(text, position, token.start)
        position = token.end + 1
        in_value = in_value and kind not in _ENDS_OF_VALUES
        is_shown = n in keys or kinds[n - 1 : n] == [TokenType.INTERVAL]
        if in_value or (kind is TokenType.STRING and not is_shown):
            yield token.start, position
        in_value = in_value or n - 1 in keys
    yield from _comment(text, position, len(text))


def _comment(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the place of what is between two tokens, if it is more than blanks."""
    if comment := text[start:end].strip():
        first = text.index(comment, start)
        yield first, first + len(comment)
