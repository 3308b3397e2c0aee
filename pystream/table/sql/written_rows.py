"""Rows that are written value by value, and their comparisons."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

__all__ = ["equal_values", "values_of_row", "with_compared_rows"]


def values_of_row(node: exp.Expr) -> list[exp.Expr] | None:
    """Return the values of a row that is written value by value, ``None`` for any other expression."""
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
    if name == "NAMED_STRUCT":
        return list(node.expressions[1::2])
    return list(node.expressions) if name == "ROW" else None


def with_compared_rows(tree: exp.Query) -> exp.Query:
    """Return a query, modified: a row IN a list of rows is one that equals one of them."""
    for node in [*tree.find_all(exp.In)]:
        if isinstance(node.this, exp.Tuple) and node.expressions:
            equal = [exp.EQ(this=node.this.copy(), expression=row.copy()) for row in node.expressions]
            node.replace(exp.paren(exp.or_(*equal)))
    return tree


def equal_values(node: exp.Binary, left: Sequence[exp.Expr], right: Sequence[exp.Expr]) -> exp.Expr:
    """Return = or <> of two rows as one of their values, of which rows are compared as a whole.

    Args:
        node: the comparison.
        left: the values of the one row.
        right: as many values of the other.
    """
    pairs = zip(map(_whole, left), map(_whole, right), strict=True)
    equal = exp.and_(*(exp.EQ(this=one, expression=other) for one, other in pairs))
    return exp.paren(equal) if isinstance(node, exp.EQ) else exp.not_(equal)


def _whole(value: exp.Expr) -> exp.Expr:
    return value.copy() if values_of_row(value) is None else exp.paren(value)
