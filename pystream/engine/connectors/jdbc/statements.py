"""SQL statements with ``?`` as placeholders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ANSI_TEXT", "Statement", "shown_sql"]

ANSI_TEXT = (r"'(?:[^']|'')*'", r'"(?:[^"]|"")*"', r"--[^\n]*", r"/\*.*?\*/")
"""Regular expressions of the parts of standard SQL in which ``?`` is no placeholder."""

_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, divided at its placeholders.

    Attributes:
        sql: the statement.
        parts: the text before, between and after the placeholders.
    """

    sql: str
    parts: tuple[str, ...]

    @staticmethod
    def of(sql: str, opaque: Sequence[str] = ANSI_TEXT) -> Statement:
        """Divide a statement at its placeholders.

        Args:
            sql: the statement; ``??`` is left to the system if an opaque part matches it.
            opaque: regular expressions of the parts in which ``?`` is no placeholder.
        """
        parts, start = [], 0
        for match in re.finditer(f"{'|'.join(opaque)}|(?P<placeholder>\\?)", sql, re.DOTALL):
            if match["placeholder"]:
                parts.append(sql[start : match.start()])
                start = match.end()
        return Statement(sql, (*parts, sql[start:]))

    @property
    def arity(self) -> int:
        """The number of placeholders."""
        return len(self.parts) - 1

    def with_placeholders(self, placeholders: Sequence[str]) -> str:
        """Return the statement with other placeholders, one for each of its own.

        A percent sign in the rest is doubled, as clients with placeholders such as ``%s`` need it.
        """
        texts = [part.replace("%", "%%") for part in self.parts]
        return texts[0] + "".join(f"{p}{text}" for p, text in zip(placeholders, texts[1:], strict=True))


def shown_sql(sql: str) -> str:
    """Return a statement in one line for messages, cut if it is long."""
    text = " ".join(sql.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
