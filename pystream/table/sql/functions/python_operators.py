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
        case exp.SimilarTo() if not isinstance(node.parent, exp.Escape):
            return [node.this, node.expression]
        case exp.Escape() if isinstance(node.this, exp.SimilarTo):
            return [node.this.this, node.this.expression]
        case exp.EQ() | exp.NEQ() if is_a(node.left, _DType.MAP):
            return [node.left, node.right]
    return None
