"""Calls of CURRENT_WATERMARK, and the column that an operator computes for them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from pystream.table.algebra.current_watermark import WATERMARK

__all__ = ["calls_watermark", "watermark_calls", "with_watermark_column"]


def calls_watermark(query: exp.Select) -> bool:
    """Return whether a query itself calls the function in SELECT or WHERE."""
    parts = [*query.expressions, *([query.args["where"]] if query.args.get("where") else [])]
    return any(True for part in parts for _ in watermark_calls(part))


def watermark_calls(tree: exp.Expr) -> Iterator[exp.Anonymous]:
    """Yield the calls in a tree."""
    for call in tree.find_all(exp.Anonymous):
        if call.name.upper() == "CURRENT_WATERMARK":
            yield call


def with_watermark_column(tree: exp.Expr) -> exp.Expr:
    """Return an expression with the column in place of each call."""

    def column(node: exp.Expr) -> exp.Expr:
        if not (isinstance(node, exp.Anonymous) and node.name.upper() == "CURRENT_WATERMARK"):
            return node
        result = exp.column(WATERMARK, quoted=True)
        result.type = node.type
        return result

    return tree.copy().transform(column)
