"""Operators that Python computes on Spark, whose own have other results."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from pystream.table.sql.expression_types import is_a

__all__ = ["operands_in_python"]

_DType = exp.DType
_NESTED = (_DType.ARRAY, _DType.MAP, _DType.STRUCT)


def operands_in_python(node: exp.Expr) -> Sequence[exp.Expr] | None:
    """Return the operands of an operator that Python computes on Spark, ``None`` for any other expression."""
    match node:
        case exp.Cast() if node.to.this in exp.DataType.TEXT_TYPES and is_a(node.this, *_NESTED):
            return [node.this]
        case exp.Cast() if node.to.this == _DType.TIME and is_a(node.this, *exp.DataType.TEXT_TYPES):
            return None if isinstance(node.this, exp.Literal) else [node.this]
        case exp.SimilarTo() | exp.Like() if not isinstance(node.parent, exp.Escape) and _is_in_python(node):
            return [node.this, node.expression]
        case exp.Escape() if _is_in_python(node.this):
            return [node.this.this, node.this.expression]
        case exp.EQ() | exp.NEQ() if is_a(node.left, _DType.MAP):
            return [node.left, node.right]
    return None


def _is_in_python(match: exp.Expr) -> bool:
    """Return whether Python computes a SIMILAR TO or a LIKE, as it does without a literal pattern."""
    is_like = isinstance(match, exp.Like)
    return isinstance(match, exp.SimilarTo) or (is_like and not isinstance(match.expression, exp.Literal))
