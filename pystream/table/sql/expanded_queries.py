"""The text of a query with the full names of the tables that it reads and the functions that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.sql.analysis import base_tables
from pystream.table.sql.function_calls import calls_by_name
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.parser import parse_query
from pystream.table.sql.syntax import path_of

if TYPE_CHECKING:
    from pystream.table.catalog_manager import CatalogManager
    from pystream.table.named_functions import NamedFunctions

__all__ = ["expanded_query", "reads"]


def expanded_query(query: ParsedQuery, catalogs: CatalogManager, functions: NamedFunctions) -> str:
    """Return the text of a query that means the same whichever catalog and database are current.

    Args:
        query: the query.
        catalogs: the catalogs that its names are looked for in.
        functions: the functions of the program.
    """
    text = query.text
    result = []
    position = query.start
    for first, last, name in sorted({*_names(query, catalogs), *_functions(query, functions)}):
        result += [text[position:first], name.as_serializable_string()]
        position = last
    result.append(text[position : query.start + len(query.written)])
    return "".join(result)


def reads(query: ParsedQuery, identifier: ObjectIdentifier, catalogs: CatalogManager) -> bool:
    """Return whether a query reads a name, itself or through views.

    Args:
        query: the query.
        identifier: the name.
        catalogs: the catalogs that the names of the query are looked for in.
    """
    seen = set()
    queries = [query]
    while queries:
        for _, _, name in _names(queries.pop(), catalogs):
            if name == identifier:
                return True
            entry = None if name in seen else catalogs.find(name)
            if isinstance(entry, CatalogBaseTable) and entry.view is not None:
                queries.append(parse_query(entry.view.expanded_query))
            seen.add(name)
    return False


def _names(query: ParsedQuery, catalogs: CatalogManager) -> Iterator[tuple[int, int, ObjectIdentifier]]:
    """Yield where the names of tables begin and end, and what they stand for."""
    for table in base_tables(query.tree):
        parts = [part.meta for part in table.parts]
        if all("start" in meta for meta in parts):
            yield parts[0]["start"], parts[-1]["end"] + 1, catalogs.identify(path_of(table))


def _functions(query: ParsedQuery, functions: NamedFunctions) -> Iterator[tuple[int, int, ObjectIdentifier]]:
    """Yield where the names of functions of databases begin and end, and what they stand for."""
    for call, whole, path in calls_by_name(query.tree):
        first = next(iter(whole.flatten())) if isinstance(whole, exp.Dot) else call
        name = functions.full_name(path)
        if name is not None and "start" in first.meta and "end" in call.meta:
            yield first.meta["start"], call.meta["end"] + 1, name
