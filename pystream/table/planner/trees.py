"""Trees of queries, as the planner of unbounded tables takes them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TypeAlias

from sqlglot import exp

from pystream.table.sql.conditions import conjuncts
from pystream.table.sql.dialect import Flink
from pystream.table.sql.naming import with_name
from pystream.table.sql.queries import CombiningClause, combining_clause
from pystream.table.sql.state_ttl_hints import copy_state_ttl

__all__ = [
    "SelectedField",
    "conditions_of",
    "conjunction",
    "fields_of",
    "is_not_null",
    "is_proctime",
    "names_of",
    "one",
    "own_clause",
    "selected_from",
    "text_of",
    "with_inlined_subqueries",
    "with_limits_at_orders",
    "without_inner_orders",
]

SelectedField: TypeAlias = tuple[str, exp.Expr]
"""The name and the expression of a column of results."""


def with_inlined_subqueries(query: exp.Query) -> exp.Query:
    """Return a query with the queries of its ``WITH`` where they are named, which no base table is."""
    query = query.copy()
    for clause in [*query.find_all(exp.With)][::-1]:  # inner ones first
        owner = clause.parent
        assert owner is not None
        for named in clause.expressions:
            for table in [table for table in owner.find_all(exp.Table) if table.name == named.alias]:
                alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(named.alias, True))
                subquery = exp.Subquery(this=named.this.copy(), alias=alias.copy())
                copy_state_ttl(table, subquery)
                table.replace(subquery)
        clause.pop()
    return query


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


def conjunction(conditions: Sequence[exp.Expr]) -> exp.Expr:
    """Return the condition that all of one or more conditions are true."""
    result = conditions[0].copy()
    for condition in conditions[1:]:
        result = exp.And(this=result, expression=condition.copy())
        result.type = exp.DataType.build("BOOLEAN")
    return result


def fields_of(query: exp.Select) -> list[SelectedField]:
    """Return the columns of the results of a query."""
    return [(selected.alias_or_name, selected.unalias()) for selected in query.selects]


def conditions_of(query: exp.Select) -> list[exp.Expr]:
    """Return the conditions of WHERE, which are all to be true."""
    where = query.args.get("where")
    return list(conjuncts(where and where.this))


def own_clause(query: exp.Select) -> CombiningClause | None:
    """Return a clause of a query itself that combines several rows, other than a join."""
    own = query.copy()
    own.set("from_", None)
    own.set("joins", None)
    return combining_clause(own)


def is_proctime(node: exp.Expr) -> bool:
    """Return whether an expression is ``PROCTIME()``."""
    return isinstance(node, exp.Anonymous) and node.name.upper() == "PROCTIME"


def is_not_null(node: exp.Expr) -> exp.Expr:
    """Return the condition that an expression is not null."""
    is_null = exp.Is(this=node.copy(), expression=exp.null())
    condition = exp.Not(this=is_null)
    is_null.type = condition.type = exp.DataType.build("BOOLEAN")
    return condition


def names_of(item: exp.Expr, columns: Sequence[str]) -> Sequence[str]:
    """Return the names of the columns of an item of FROM.

    Args:
        item: the item.
        columns: those of its table or query.
    """
    renamed = item.alias_column_names
    return [*renamed, *columns[len(renamed) :]]


def selected_from(item: exp.Expr | None, fields: Iterable[exp.Expr], query: exp.Select) -> exp.Select:
    """Return a query of expressions of the rows that another query selects from.

    Columns keep their names; other expressions, and further columns of the same name, are named by their
    positions.

    Args:
        item: the first item of FROM, ``None`` if there is no FROM.
        fields: the expressions; a constant if there are none.
        query: the other query, which has the joins and the conditions.
    """
    result = exp.Select() if item is None else exp.Select().from_(item)
    names: set[str] = set()
    for position, field in enumerate([*fields] or [one()]):
        is_named = isinstance(field, exp.Column) and field.name not in names
        name = field.name if is_named else f"f{position}"
        names.add(name)
        column = with_name(field, name)
        column.type = field.type
        result = result.select(column, copy=False)
    for clause in ("joins", "where"):
        result.set(clause, query.copy().args.get(clause))
    return result


def text_of(tree: exp.Expr, name_of: Callable[[exp.Column], str] = attrgetter("name")) -> str:
    """Return the text of an expression in plans.

    Args:
        tree: the expression.
        name_of: returns the name of a column.
    """

    def named(node: exp.Expr) -> exp.Expr:
        return exp.Var(this=name_of(node)) if isinstance(node, exp.Column) else node

    return tree.transform(named).sql(dialect=Flink)


def one() -> exp.Expr:
    """Return the number 1."""
    number = exp.Literal.number(1)
    number.type = exp.DataType.build("INT")
    return number
