"""Conditions: their parts."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

__all__ = ["conjuncts"]


def conjuncts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """Yield the operands of the ANDs that a condition consists of, without those that are always true."""
    match condition:
        case None:
            return
        case exp.And():
            yield from conjuncts(condition.left)
            yield from conjuncts(condition.right)
        case exp.Paren():
            yield from conjuncts(condition.this)
        case exp.Boolean() if condition.this:
            return
        case _:
            yield condition
