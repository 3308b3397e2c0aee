"""ORDER BY by the names and the numbers of the columns of a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from pystream.table.sql.naming import with_name
from pystream.table.sql.output_columns import OutputColumn, OutputColumns
from pystream.table.sql.syntax import error_at

__all__ = ["first_select", "resolve_orders", "with_ordered_unions"]

_MAX_INT, _MAX_BIGINT = 2**31 - 1, 2**63 - 1
_AFTER_SELECT = ("order", "limit", "offset")


def first_select(tree: exp.Expr) -> exp.Select | None:
    """Return the SELECT whose columns give those of a query their names; ``None`` if there is none."""
    while isinstance(tree, exp.SetOperation | exp.Subquery):
        tree = tree.this
    return tree if isinstance(tree, exp.Select) else None


def with_ordered_unions(tree: exp.Query) -> exp.Query:
    """Return a query in which no UNION, INTERSECT or EXCEPT is ordered by expressions: a SELECT of it is."""
    for query in [*tree.find_all(exp.SetOperation)]:
        order = query.args.get("order")
        if order is None or all(isinstance(one.this, exp.Column | exp.Literal) for one in order.expressions):
            continue
        outer = exp.Select(expressions=[exp.Star()])
        for clause in _AFTER_SELECT:
            outer.set(clause, query.args.get(clause))
            query.set(clause, None)
        if query is tree:
            tree = outer
        else:
            query.replace(outer)
        outer.set("from_", exp.From(this=exp.Subquery(this=query)))
    return tree


def resolve_orders(text: str, tree: exp.Query, columns: OutputColumns) -> None:
    """Let ORDER BY name columns of results by names that only these have.

    Numbers beyond INT are no numbers of columns, but constants, which decide no order.

    Args:
        text: the text of the query, for messages.
        tree: the query; it is changed.
        columns: the columns of its queries.

    Raises:
        SqlError: several columns have a name, or none has a number; the message names the place.
    """
    for scope in traverse_scope(tree):
        query = scope.expression
        order = query.args.get("order")
        if order is None or not isinstance(query, exp.Query):
            continue
        results = columns.results(scope)
        for one in order.expressions:
            if _is_number(one.this):
                _check_number(text, one.this, results)
            for column in [*_names(one.this)]:
                _resolve(text, column, results, query)
        if scope.outer_columns:
            _rename(query, order, scope.outer_columns)
        kept = [
            one for one in order.expressions if not (_is_number(one.this) and int(one.this.name) > _MAX_INT)
        ]
        order.set("expressions", kept)
        if not kept:
            order.pop()


def _is_number(by: exp.Expr) -> bool:
    return isinstance(by, exp.Literal) and by.is_int


def _check_number(text: str, by: exp.Expr, results: Sequence[OutputColumn]) -> None:
    number, count = int(by.name), len(results)
    is_known = all(column.name != "*" for column in results)
    if number < 1 or number > _MAX_BIGINT or (count < number <= _MAX_INT and is_known):
        columns = f"the query has {count} column{'s' * (count != 1)}, numbered from 1 on"
        raise error_at(text, by, f"{number} in ORDER BY is no number of a column: {columns}")


def _names(by: exp.Expr) -> Iterator[exp.Column]:
    """Yield the names in an expression of ORDER BY, without those of subqueries."""
    for node in by.walk(prune=lambda node: isinstance(node, exp.Query)):
        if isinstance(node, exp.Column) and not node.table:
            yield node


def _resolve(text: str, column: exp.Column, results: Sequence[OutputColumn], query: exp.Query) -> None:
    named = [result for result in results if result.name == column.name]
    if len(named) > 1:
        complaint = f"{len(named)} columns of the query have the name {column.name!r}; ORDER BY their numbers"
        raise error_at(text, column, complaint)
    if named and named[0].item and isinstance(query, exp.Select):
        column.this.set("this", named[0].column)
        column.set("table", exp.to_identifier(named[0].item, quoted=True))


def _rename(query: exp.Query, order: exp.Order, names: Sequence[str]) -> None:
    """Give the columns of a query the names that it has around it, in ORDER BY, too."""
    first = first_select(query)
    if first is None or first.is_star:
        return
    renamed = dict(zip([one.alias_or_name for one in first.expressions], names, strict=False))
    for one in order.expressions:
        for column in _names(one.this):
            column.this.set("this", renamed.get(column.name, column.name))
    for selected, name in zip([*first.expressions], names, strict=False):
        selected.replace(with_name(selected.unalias(), name))
