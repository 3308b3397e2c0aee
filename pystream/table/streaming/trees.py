"""Trees of queries, as the planner of unbounded tables takes them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from pystream.table.sql.windows import WINDOW_CALL, WINDOW_COLUMNS, WindowCall

__all__ = [
    "conjuncts",
    "names_of",
    "renames_columns",
    "selected_from",
    "table_of_window",
    "window_call",
    "without_inner_orders",
    "with_inlined_subqueries",
]


def with_inlined_subqueries(query: exp.Query) -> exp.Query:
    """Return a query with the queries of its ``WITH`` where they are named, which no base table is."""
    query = query.copy()
    for clause in [*query.find_all(exp.With)][::-1]:  # inner ones first
        owner = clause.parent
        assert owner is not None
        for named in clause.expressions:
            for table in [table for table in owner.find_all(exp.Table) if table.name == named.alias]:
                alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(named.alias, True))
                table.replace(exp.Subquery(this=named.this.copy(), alias=alias.copy()))
        clause.pop()
    return query


def without_inner_orders(query: exp.Query) -> exp.Query:
    """Return a query without ``ORDER BY`` in subqueries without ``LIMIT``, where it decides nothing."""
    query = query.copy()
    for order in [*query.find_all(exp.Order)]:
        owner = order.parent
        is_limited = isinstance(owner, exp.Query) and (owner.args.get("limit") or owner.args.get("offset"))
        if isinstance(owner, exp.Query) and not is_limited and owner.find_ancestor(exp.From, exp.Join):
            order.pop()
    return query


def conjuncts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """Yield the operands of the ANDs that a condition consists of, without those that are always true."""
    match condition:
        case None:
            return
        case exp.And():
            yield from conjuncts(condition.left)
            yield from conjuncts(condition.right)
        case exp.Paren():
            yield from conjuncts(condition.this)
        case exp.Boolean() if condition.this:
            return
        case _:
            yield condition


def window_call(item: exp.Expr) -> WindowCall | None:
    """Return the call of a window function that an item of FROM is."""
    call = item.args.get(WINDOW_CALL)
    return call if isinstance(call, WindowCall) else None


def table_of_window(item: exp.Expr, call: WindowCall) -> exp.Expr:
    """Return the table of a window function, under the name that the results of the function have."""
    table = item
    for _ in range(call.depth):
        table = table.this.args["from_"].this
    table = table.copy()
    table.set("alias", exp.TableAlias(this=exp.to_identifier(item.alias_or_name, quoted=True)))
    return table


def renames_columns(item: exp.Expr) -> bool:
    """Return whether the results of a window function have other names than it gives them."""
    names = tuple(item.this.named_selects)
    own = [selected.unalias().name for selected in item.this.selects[: -len(WINDOW_COLUMNS)]]
    return names != (*own, *WINDOW_COLUMNS)


def names_of(item: exp.Expr, columns: Sequence[str]) -> Sequence[str]:
    """Return the names of the columns of an item of FROM.

    Args:
        item: the item.
        columns: those of its table or query.
    """
    renamed = item.alias_column_names
    return [*renamed, *columns[len(renamed) :]]


def selected_from(item: exp.Expr, fields: Iterable[exp.Expr], query: exp.Select) -> exp.Select:
    """Return a query of expressions, named by their positions, of the rows that another query selects from.

    Args:
        item: the first item of FROM.
        fields: the expressions.
        query: the other query, which has the joins and the conditions.
    """
    result = exp.Select().from_(item)
    for position, field in enumerate(fields):
        column = exp.alias_(field.copy(), f"f{position}", quoted=True)
        column.type = field.type
        result = result.select(column, copy=False)
    for clause in ("joins", "where"):
        result.set(clause, query.copy().args.get(clause))
    return result
