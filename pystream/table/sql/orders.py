"""ORDER BY by the names and the numbers of the columns of a query."""

from __future__ import annotations

from sqlglot import exp

from pystream.table.sql.syntax import error_at

__all__ = ["check_orders", "first_select"]


def first_select(tree: exp.Expr) -> exp.Select | None:
    """Return the SELECT whose columns give those of a query their names; ``None`` if there is none."""
    while isinstance(tree, exp.SetOperation | exp.Subquery):
        tree = tree.this
    return tree if isinstance(tree, exp.Select) else None


def check_orders(text: str, tree: exp.Query) -> None:
    """Refuse names in ORDER BY that several columns of the results have, and numbers that none has.

    Args:
        text: the text of the query, for messages.
        tree: the query.

    Raises:
        SqlError: there is one; the message names the place.
    """
    for query in tree.find_all(exp.Query):
        order, first = query.args.get("order"), first_select(query)
        if order is not None and first is not None:
            for one in order.expressions:
                _check(text, one.this, first)


def _check(text: str, by: exp.Expr, first: exp.Select) -> None:
    if isinstance(by, exp.Literal) and by.is_int:
        number, count = int(by.name), len(first.expressions)
        if number < 1 or (number > count and not first.is_star):
            columns = f"the query has {count} column{'s' * (count != 1)}, numbered from 1 on"
            raise error_at(text, by, f"{number} in ORDER BY is no number of a column: {columns}")
    if isinstance(by, exp.Column) and not by.table:
        named = [column for column in first.expressions if column.alias_or_name == by.name]
        if len(named) > 1:
            complaint = f"{len(named)} columns of the query have the name {by.name!r}; ORDER BY their numbers"
            raise error_at(text, by, complaint)
