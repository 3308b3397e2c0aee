"""Errors of expressions that Python does not evaluate."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["NotEvaluatedError", "WrongExpressionError"]


class NotEvaluatedError(Exception):
    """An expression is not evaluated in Python.

    Args:
        node: the expression.
        complaint: what is not supported.
    """

    def __init__(self, node: exp.Expr, complaint: str) -> None:
        super().__init__(complaint)
        self.node = node


class WrongExpressionError(NotEvaluatedError):
    """An expression is wrong wherever it is evaluated."""
