"""ParsedQuery: a query as it was parsed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["ParsedQuery"]


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query.

    Attributes:
        text: the text of the statement that it is part of.
        tree: the query as it was parsed.
        path: the name of a table, if the query is all of that table.
        written: the text of the query alone.
        start: where in the text it begins.
    """

    text: str
    tree: exp.Query
    path: str | None = None
    written: str = ""
    start: int = 0
