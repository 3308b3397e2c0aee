"""Build expressions of Spark's SQL."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

__all__ = ["NotTranslatedError", "as_type", "call", "number", "text", "when"]


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """Return the call of a function of Spark."""
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


class NotTranslatedError(Exception):
    """There is no expression of Spark for one of Flink.

    Args:
        node: the expression.
        complaint: what is not supported, and what to write instead.
    """

    def __init__(self, node: exp.Expr, complaint: str) -> None:
        super().__init__(complaint)
        self.node = node


def as_type(node: exp.Expr, kind: Any) -> exp.Expr:
    """Return a conversion to a type, which must be known."""
    if kind is None or (isinstance(kind, exp.DataType) and kind.this == exp.DType.UNKNOWN):
        return node
    to = kind.copy() if isinstance(kind, exp.DataType) else exp.DataType(this=kind)
    cast = exp.Cast(this=node.copy(), to=to)
    cast.type = to.copy()
    return cast


def number(value: int) -> exp.Expr:
    """Return an integer."""
    return exp.Literal.number(value)


def text(value: str) -> exp.Literal:
    """Return a text."""
    return exp.Literal.string(value)


def when(condition: exp.Expr, true: exp.Expr, false: exp.Expr) -> exp.If:
    """Return one of two values."""
    return exp.If(this=condition.copy(), true=true.copy(), false=false.copy())
