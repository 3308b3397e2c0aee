"""The hint ``OPTIONS``: options of a table for one query or INSERT."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sqlglot import exp

from pystream.table.catalog.paths import HintedPath
from pystream.table.sql.analysis import base_tables, rename_table
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.syntax import path_of
from pystream.table.sql.table_hints import OPTIONS

__all__ = ["path_with_options", "with_hinted_tables"]

T = TypeVar("T")


def path_with_options(table: exp.Table) -> str | HintedPath:
    """Return the name of a table, with the options that a hint gives it."""
    options = table.args.get(OPTIONS)
    return HintedPath(path_of(table), dict(options)) if options else path_of(table)


def with_hinted_tables(
    query: ParsedQuery, read: Callable[[HintedPath], T]
) -> tuple[ParsedQuery, dict[str, T]]:
    """Return a query in which tables with the hint have names of their own, and these tables.

    As in Flink, the hint has no effect behind a query of ``WITH``.

    Args:
        query: the query.
        read: returns a table with other options.

    Raises:
        PlanError: a table does not exist, or is a view.
        ConfigurationError: its connector does not take an option.
    """
    if not any(table.args.get(OPTIONS) for table in query.tree.find_all(exp.Table)):
        return query, {}
    tree = query.tree.copy()
    tables: dict[str, T] = {}
    for table in list(base_tables(tree)):
        path = path_with_options(table)
        if isinstance(path, HintedPath):
            table.set(OPTIONS, None)
            options = ", ".join(f"'{key}'='{value}'" for key, value in path.options.items())
            rename_table(table, f"{path} /*+ OPTIONS({options}) */")
            tables[path_of(table)] = read(path)
    return replace(query, tree=tree), tables
