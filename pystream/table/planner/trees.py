"""Trees of queries, as the planner of unbounded tables takes them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TypeAlias

from sqlglot import exp

from pystream.table.sql.dialect import Flink
from pystream.table.sql.function_calls import as_written
from pystream.table.sql.naming import with_name
from pystream.table.sql.queries import CombiningClause, combining_clause

__all__ = [
    "SelectedField",
    "fields_of",
    "is_not_null",
    "is_proctime",
    "names_of",
    "one",
    "own_clause",
    "selected_from",
    "text_of",
]

SelectedField: TypeAlias = tuple[str, exp.Expr]
"""The name and the expression of a column of results."""


def fields_of(query: exp.Select) -> list[SelectedField]:
    """Return the columns of the results of a query."""
    return [(selected.alias_or_name, selected.unalias()) for selected in query.selects]


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

    return as_written(tree).transform(named).sql(dialect=Flink, normalize_functions=False)


def one() -> exp.Expr:
    """Return the number 1."""
    number = exp.Literal.number(1)
    number.type = exp.DataType.build("INT")
    return number
