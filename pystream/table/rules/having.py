"""HAVING with subqueries, as WHERE of the groups."""

from __future__ import annotations

from sqlglot import exp

from pystream.table.rules.subqueries import has_subqueries
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.naming import with_name
from pystream.table.sql.state_ttl_hints import copy_state_ttl

__all__ = ["with_filtered_groups"]

_GROUPS = "_groups"
_KEPT = ("from_", "joins", "where", "group")


def with_filtered_groups(query: exp.Query) -> exp.Query:
    """Return a query in which each HAVING with a subquery is WHERE of a subquery that makes the groups.

    Queries with an order, with grouping sets or with functions of OVER stay as they are.
    """
    query = query.copy()
    for select in [*query.find_all(exp.Select)]:
        having = select.args.get("having")
        if having is not None and has_subqueries(having) and _is_plain(select):
            _filter_groups(select)
    return query


def _is_plain(select: exp.Select) -> bool:
    group = select.args.get("group")
    has_sets = group is not None and group.find(exp.GroupingSets, exp.Rollup, exp.Cube) is not None
    over = any(selected.find(exp.Window) for selected in select.expressions)
    return not (select.args.get("order") or has_sets or over)


def _filter_groups(select: exp.Select) -> None:
    group, having = select.args.get("group"), select.args["having"]
    keys: list[exp.Expr] = [] if group is None else [*group.expressions]
    values: dict[exp.Expr, str] = {}
    for root in (*select.expressions, having):
        for node in [*root.walk(prune=lambda node: _is_of_groups(node, keys, select))]:
            if _is_of_groups(node, keys, select):
                name = values.setdefault(node.copy(), f"f{len(values)}")
                column = exp.column(name, table=_GROUPS, quoted=True)
                column.meta.update(node.meta)
                node.replace(column)
    groups = exp.Select(**{clause: select.args.get(clause) for clause in _KEPT})
    for value, name in values.items():
        groups = groups.select(with_name(value, name), copy=False)
    copy_state_ttl(select, groups)
    for clause in (*_KEPT, "having"):
        select.set(clause, None)
    alias = exp.TableAlias(this=exp.to_identifier(_GROUPS, quoted=True))
    select.set("from_", exp.From(this=exp.Subquery(this=groups, alias=alias)))
    select.where(having.this, copy=False)


def _is_of_groups(node: exp.Expr, keys: list[exp.Expr], select: exp.Select) -> bool:
    """Return whether a part of a query is a key, or an aggregate of the query itself."""
    if node in keys:
        return not _is_of_subquery(node, select)
    is_call = isinstance(node, exp.Filter) or is_aggregate(node)
    return is_call and node.find_ancestor(exp.Select) is select


def _is_of_subquery(node: exp.Expr, select: exp.Select) -> bool:
    """Return whether an expression has columns of a subquery, whose tables may have the same names."""
    tables = {column.table for column in node.find_all(exp.Column)}
    scope = node.find_ancestor(exp.Select)
    while scope is not None and scope is not select:
        items = [scope.args.get("from_"), *(scope.args.get("joins") or ())]
        if tables & {item.this.alias_or_name for item in items if item is not None}:
            return True
        scope = scope.find_ancestor(exp.Select)
    return False
