"""Conditions: their parts, and how these are nested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp

__all__ = ["balanced", "conditions_of", "conjunction", "conjuncts"]

_LONG = 64
"""The operands from which on a chain is balanced."""


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


def conditions_of(query: exp.Select) -> list[exp.Expr]:
    """Return the conditions of WHERE, which are all to be true."""
    where = query.args.get("where")
    return list(conjuncts(where and where.this))


def conjunction(conditions: Sequence[exp.Expr]) -> exp.Expr:
    """Return the condition that all of one or more conditions are true."""
    result, *others = map(_operand, conditions) if len(conditions) > 1 else [conditions[0].copy()]
    for condition in others:
        result = exp.And(this=result, expression=condition)
        result.type = exp.DataType.build("BOOLEAN")
    return result


def _operand(condition: exp.Expr) -> exp.Expr:
    """Return a condition as an operand of AND, in parentheses if it is an OR."""
    if not isinstance(condition, exp.Or):
        return condition.copy()
    operand = exp.Paren(this=condition.copy())
    operand.type = condition.type
    return operand


def balanced(condition: Any) -> Any:
    """Return a condition with its operands nested as little as possible if it is a long chain of ANDs or ORs.

    The operands keep their order. Chains that programs write have hundreds of them, more than recursive
    functions could follow if each was nested in the next one.
    """
    kind = type(condition)
    if kind not in (exp.And, exp.Or):
        return condition
    operands = []
    first = condition
    while type(first) is kind:
        operands.append(first.expression)
        first = first.this
    operands.append(first)
    return condition if len(operands) < _LONG else _joined(kind, operands[::-1])


def _joined(kind: type[exp.Expr], operands: Sequence[Any]) -> Any:
    if len(operands) == 1:
        return operands[0]
    middle = len(operands) // 2
    return kind(this=_joined(kind, operands[:middle]), expression=_joined(kind, operands[middle:]))
