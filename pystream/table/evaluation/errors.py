"""Errors of expressions: those that are not evaluated in Python, and values that have no result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typeinfo.errors import PyStreamError

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["ConversionError", "NotEvaluatedError", "SqlArithmeticError"]


class NotEvaluatedError(Exception):
    """An expression is not evaluated in Python.

    Args:
        node: the expression.
        complaint: what is not supported.
    """

    def __init__(self, node: exp.Expr, complaint: str) -> None:
        super().__init__(complaint)
        self.node = node


class SqlArithmeticError(PyStreamError, ArithmeticError):
    """A result is not defined, or out of the range of its type; the message names the values."""


class ConversionError(PyStreamError, ValueError):
    """A value cannot be converted to a type; the message names both."""
