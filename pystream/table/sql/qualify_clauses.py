"""QUALIFY, which filters rows by functions with OVER: as WHERE around a query that has their values."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from pystream.table.columns import unique_name
from pystream.table.sql.from_items import items_of
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.naming import with_name
from pystream.table.sql.syntax import error_at

__all__ = ["check_qualify", "has_qualify", "resolve_names_in_windows", "with_filtered_windows"]

_ROWS = "_pystream_rows"
_VALUE = "_pystream_value_"
_OUTER = ("qualify", "distinct", "order", "limit", "offset", "with_")
"""The clauses that belong to the query around, whose rows are the filtered ones."""


def has_qualify(tree: exp.Query) -> bool:
    """Return whether there is QUALIFY in a query."""
    return tree.find(exp.Qualify) is not None


def check_qualify(text: str, query: exp.Select) -> None:
    """Refuse QUALIFY without a function with OVER, its own or one that is selected under a name.

    Raises:
        SqlError: there is none.
    """
    qualify = query.args.get("qualify")
    if qualify is None:
        return
    named = {one.alias for one in query.expressions if isinstance(one, exp.Alias) and one.find(exp.Window)}
    if not any(_is_window(node, named) for node in _own(qualify.this)):
        complaint = "QUALIFY takes a condition on functions with OVER; use WHERE for one without"
        raise error_at(text, qualify.this, complaint)


def _is_window(node: exp.Expr, named: set[str]) -> bool:
    is_named = isinstance(node, exp.Column) and not node.table and node.name in named
    return is_named or isinstance(node, exp.Window)


def _own(condition: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of a condition, without those of subqueries."""
    yield from condition.walk(prune=lambda node: isinstance(node, exp.Query))


def resolve_names_in_windows(tree: exp.Query) -> None:
    """Let ORDER BY of the functions in QUALIFY name columns of results, as the rest of QUALIFY does."""
    for query in tree.find_all(exp.Select):
        clause = query.args.get("qualify")
        if clause is None:
            continue
        named = {one.alias: one.this for one in query.expressions if isinstance(one, exp.Alias)}
        for column in [*_own(clause.this)]:
            is_ordering = column.find_ancestor(exp.Order, exp.Qualify) is not clause
            if isinstance(column, exp.Column) and not column.table and is_ordering and column.name in named:
                column.replace(exp.Paren(this=named[column.name].copy()))


def with_filtered_windows(tree: exp.Query) -> exp.Query:
    """Return a query without QUALIFY: the rows of a SELECT with one are those of a subquery WHERE it is true.

    Args:
        tree: the query, all of whose columns have tables; it is changed.
    """
    for clause in [*tree.find_all(exp.Qualify)][::-1]:  # inner ones first
        query = clause.parent
        assert isinstance(query, exp.Select)
        outer = _around(query, clause.this)
        if query is tree:
            tree = outer
        else:
            query.replace(outer)
        outer.set("from_", exp.From(this=_subquery(query)))
    return tree


def _subquery(query: exp.Select) -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(_ROWS, quoted=True)))


def _around(query: exp.Select, condition: exp.Expr) -> exp.Select:
    """Return the query around one, without FROM; the one then has all columns that it needs."""
    clauses = {name: query.args[name] for name in _OUTER if query.args.get(name)}
    for name in clauses:
        query.set(name, None)
    outer = exp.Select()
    for name, clause in clauses.items():
        if name != "qualify":
            outer.set(name, clause)
    outer.set("where", exp.Where(this=condition))
    outer.set("expressions", [*_results(query)])
    sources = {item.alias_or_name for item in items_of(query)}
    for clause in filter(None, (outer.args["where"], outer.args.get("order"))):
        for value in [*_values(clause, sources)]:
            value.replace(_column_of(query, value))
    return outer


def _results(query: exp.Select) -> Iterator[exp.Expr]:
    """Yield the columns of the query around one, whose columns get names that only one has."""
    taken = set[str]()
    for selected in [*query.expressions]:
        name = unique_name(selected.alias_or_name, taken)
        taken.add(name)
        selected.replace(with_name(selected.unalias(), name))
        yield with_name(exp.column(name, table=_ROWS, quoted=True), selected.alias_or_name)


def _values(clause: exp.Expr, sources: set[str]) -> Iterator[exp.Expr]:
    """Yield the functions with OVER, aggregates and columns of FROM in a clause, the outermost ones."""
    found: list[exp.Expr] = []

    def is_value(node: exp.Expr) -> bool:
        is_column = isinstance(node, exp.Column) and node.table in sources
        is_aggregated = is_aggregate(node) and node.find_ancestor(exp.Query) is clause.parent
        is_one = is_column or is_aggregated or isinstance(node, exp.Window)
        if is_one:
            found.append(node)
        return is_one

    for _ in clause.walk(prune=is_value):
        pass
    yield from found


def _column_of(query: exp.Select, value: exp.Expr) -> exp.Column:
    """Return the column that a query has the values of an expression in, which is added if there is none."""
    names = {selected.unalias(): selected.alias for selected in query.expressions}
    if value not in names:
        names[value] = f"{_VALUE}{len(names)}"
        query.select(with_name(value, names[value]), copy=False)
    return exp.column(names[value], table=_ROWS, quoted=True)
