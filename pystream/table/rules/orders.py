"""Leave orders of subqueries where they decide something, and take limits to them."""

from __future__ import annotations

from sqlglot import exp

__all__ = ["with_limits_at_orders", "without_inner_orders"]


def without_inner_orders(query: exp.Query) -> exp.Query:
    """Return a query without ``ORDER BY`` in subqueries without ``LIMIT``, where it decides nothing."""
    query = query.copy()
    for order in [*query.find_all(exp.Order)]:
        owner = order.parent
        if (
            isinstance(owner, exp.Query)
            and not _is_limited(owner)
            and owner.find_ancestor(exp.From, exp.Join)
        ):
            order.pop()
    return query


def with_limits_at_orders(query: exp.Query) -> exp.Query:
    """Return a query with each ``LIMIT`` of a choice of columns in the subquery, where the order is."""
    query = query.copy()
    for select in query.find_all(exp.Select):  # outer ones first
        item = select.args["from_"].this if select.args.get("from_") else None
        inner = item.this if isinstance(item, exp.Subquery) else None
        limits = {clause: select.args[clause] for clause in ("limit", "offset") if select.args.get(clause)}
        if isinstance(inner, exp.Select) and _chooses_columns(select) and not _is_limited(inner):
            for clause, limit in limits.items():
                select.set(clause, None)
                inner.set(clause, limit)
    return query


def _chooses_columns(query: exp.Select) -> bool:
    """Return whether a query has nothing but columns, FROM and LIMIT."""
    clauses = {clause for clause, value in query.args.items() if value}
    are_columns = all(isinstance(selected.unalias(), exp.Column) for selected in query.expressions)
    return are_columns and clauses <= {"expressions", "from_", "limit", "offset"}


def _is_limited(query: exp.Query) -> bool:
    return bool(query.args.get("limit") or query.args.get("offset"))
