"""Items of FROM that are the rows of window functions, taken apart for unbounded tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from pystream.table.sql.match_calls import match_call
from pystream.table.sql.naming import with_name
from pystream.table.sql.queries import combining_clause
from pystream.table.sql.windows import bound_of, window_call
from pystream.table.window_call import WindowCall

__all__ = ["WindowItem", "bound_in", "calls_window_function", "over_windows"]

_PLAIN = frozenset({"expressions", "from_", "where"})


class WindowItem:
    """An item of FROM that is the rows of a window function.

    Args:
        item: the item.
        call: the call of the function.
    """

    def __init__(self, item: exp.Expr, call: WindowCall) -> None:
        self.item = item
        self.call = call
        self._query: exp.Select = item.this
        self._values = {column.alias_or_name: column.unalias() for column in self._query.expressions}

    @property
    def table(self) -> exp.Expr:
        """The table of the function."""
        table: exp.Expr = self._query.args["from_"].this
        return table

    @property
    def time(self) -> exp.Expr:
        """The column of its times in that table."""
        marks = [value for value in self._values.values() if bound_of(value) is not None]
        time: exp.Expr = marks[0].expressions[0]
        return time

    @property
    def keys(self) -> list[exp.Expr]:
        """The columns of ``PARTITION BY`` in that table."""
        alias = self.table.alias_or_name
        return [exp.column(name, table=alias, quoted=True) for name in self.call.keys]

    def bound_of(self, node: exp.Expr) -> int | None:
        """Return which of `WINDOW_COLUMNS` a column of the item is, ``None`` for others."""
        if not isinstance(node, exp.Column) or node.table != self.item.alias_or_name:
            return None
        return bound_of(self._values.get(node.name, node))

    def bounds(self) -> list[exp.Expr]:
        """Return the columns of the item that are the start and the end of windows."""
        names = {bound_of(value): name for name, value in self._values.items()}
        alias = self.item.alias_or_name
        return [exp.column(names[bound], table=alias, quoted=True) for bound in (0, 1)]

    def groups_sessions(self, keys: Sequence[exp.Expr]) -> bool:
        """Return whether a grouping by these keys and both bounds has all rows of a window in one group."""
        return self.call.function != "SESSION" or {*map(self.inlined, keys)} == {*self.keys}

    def inlined(self, node: exp.Expr) -> exp.Expr:
        """Return an expression over the item as one over the table of the function."""
        replaced: exp.Expr = _replaced(node, self.item.alias_or_name, self._values)
        return replaced


def bound_in(node: exp.Expr) -> exp.Expr | None:
    """Return the bound of windows in an expression over the table of a window function, if it has one."""
    return next((part for part in node.walk() if bound_of(part) is not None), None)


def calls_window_function(node: exp.Expr) -> bool:
    """Return whether an item of FROM is, or reads, the rows of a window function."""
    return any(window_call(item) is not None for item in node.find_all(exp.Subquery))


def over_windows(query: exp.Select, has_windows: Callable[[exp.Expr], bool]) -> exp.Select:
    """Return a query that selects from rows with windows at once, instead of from a subquery that does.

    Subqueries that compute and filter single rows are merged into the query, but not those of rows with
    functions OVER them.

    Args:
        query: the query.
        has_windows: returns whether an item of FROM reads rows with windows.
    """
    query = query.copy()
    while not query.args.get("joins") and "from_" in query.args:
        item = query.args["from_"].this
        inner = _plain_query(item)
        if inner is None or not has_windows(inner.args["from_"].this):
            break
        values = {
            name: column.unalias() for name, column in zip(_names_in(item), inner.expressions, strict=True)
        }
        merged: exp.Select = _replaced(_without_source(query), item.alias_or_name, values)
        merged.set("from_", inner.args["from_"])
        where = inner.args.get("where")
        query = merged if where is None else merged.where(where.this, copy=False)
    return query


def _plain_query(item: exp.Expr) -> exp.Select | None:
    """Return the query of an item of FROM, if it computes and filters single rows of another item."""
    is_plain = window_call(item) is None and match_call(item) is None
    inner = item.this if isinstance(item, exp.Subquery) and is_plain else None
    if not isinstance(inner, exp.Select) or "from_" not in inner.args:
        return None
    clauses = {clause for clause, value in inner.args.items() if value}
    if not clauses <= _PLAIN or _computes_over(inner.args["from_"].this):
        return None
    return inner if combining_clause(_without_source(inner)) is None else None


def _computes_over(item: exp.Expr) -> bool:
    """Return whether an item of FROM is a query with functions OVER rows."""
    query = item.this if isinstance(item, exp.Subquery) else None
    return isinstance(query, exp.Select) and any(column.find(exp.Window) for column in query.expressions)


def _without_source(query: exp.Select) -> exp.Select:
    query = query.copy()
    query.set("from_", None)
    return query


def _names_in(item: exp.Expr) -> list[str]:
    renamed = item.alias_column_names
    return [*renamed, *item.this.named_selects[len(renamed) :]]


def _replaced(node: exp.Expr, table: str, values: dict[str, exp.Expr]) -> Any:
    """Return an expression with the columns of a table replaced by their values; results keep their names."""

    def replacement(part: exp.Expr) -> exp.Expr:
        if not isinstance(part, exp.Column) or part.table != table or part.name not in values:
            return part
        value = values[part.name].copy()
        return with_name(value, part.name) if isinstance(part.parent, exp.Select) else value

    return node.copy().transform(replacement, copy=False)
