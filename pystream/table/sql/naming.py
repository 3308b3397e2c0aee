"""Names of expressions in the trees of queries."""

from __future__ import annotations

from sqlglot import exp

__all__ = ["TABLE_NAME", "with_name"]

TABLE_NAME = "_table_"
"""What the names begin with that tables have in the queries of methods."""


def with_name(tree: exp.Expr, name: str) -> exp.Alias:
    """Return a copy of an expression, with a name; a subquery, too, gets that of a column, not of a table."""
    return exp.Alias(this=tree.copy(), alias=exp.to_identifier(name, quoted=True))
