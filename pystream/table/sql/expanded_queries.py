"""The text of a query with the full names of the tables that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.table.sql.analysis import base_tables
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.syntax import path_of

if TYPE_CHECKING:
    from pystream.table.catalog_manager import CatalogManager

__all__ = ["expanded_query"]


def expanded_query(query: ParsedQuery, catalogs: CatalogManager) -> str:
    """Return the text of a query that means the same whichever catalog and database are current.

    Args:
        query: the query.
        catalogs: the catalogs that its names are looked for in.
    """
    text = query.text
    places: dict[int, tuple[int, str]] = {}
    for table in base_tables(query.tree):
        parts = [part.meta for part in table.parts]
        if all("start" in meta for meta in parts):
            first, last = parts[0]["start"], parts[-1]["end"] + 1
            places[first] = last, catalogs.identify(path_of(table)).as_serializable_string()
    result = []
    position = query.start
    for first in sorted(places):
        last, name = places[first]
        result += [text[position:first], name]
        position = last
    result.append(text[position : query.start + len(query.written)])
    return "".join(result)
