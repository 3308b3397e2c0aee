"""NotEvaluatedError: an expression is not evaluated in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["NotEvaluatedError"]


class NotEvaluatedError(Exception):
    """An expression is not evaluated in Python.

    Args:
        node: the expression.
        complaint: what is not supported.
    """

    def __init__(self, node: exp.Expr, complaint: str) -> None:
        super().__init__(complaint)
        self.node = node
