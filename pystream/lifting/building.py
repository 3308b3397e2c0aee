"""Constructors of operations, guards and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pystream.expressions.expression import (
    Bounds,
    Expression,
    Op,
    Operation,
    always_evaluated,
    constant_value,
    is_constant,
)
from pystream.expressions.operation import Nulls
from pystream.lifting.kinds import (
    Kind,
    NotExact,
    bounds_of,
    kind_of,
    name_of,
    type_bounds,
    unwrapped,
)
from pystream.lifting.values import FALSE, TRUE, constant
from typeinfo import TypeInformation, Types
from typeinfo.info import Slot

__all__ = [
    "all_of",
    "any_of",
    "call",
    "guarded",
    "having_evaluated",
    "held",
    "is_null",
    "negation",
    "not_null",
    "of_kind",
    "whole",
    "widened",
]


_OF_SAME_VALUES = {Op.EQUAL: True, Op.NULL_SAFE_EQUAL: True, Op.LESS_OR_EQUAL: True, Op.LESS: False}


def call(
    op: Operation,
    *parts: Expression,
    type: TypeInformation[Any] | None = None,
    data: tuple[Any, ...] = (),
    bounds: Bounds | None = None,
    fails: bool = False,
) -> Expression:
    """Return an operation, which raises where an integer does not fit 64 bits.

    Args:
        op: the operation.
        parts: the operands.
        type: the type of the result, if its declaration states none.
        data: its parameters.
        bounds: of an integer that is known to fit, if they are narrower than the declared ones.
        fails: whether it may raise for another reason.
    """
    if op in _OF_SAME_VALUES and parts[0] == parts[1]:
        # Spark simplifies this, too, but does not evaluate parts that may raise.
        return having_evaluated(parts[:1], TRUE if _OF_SAME_VALUES[op] else FALSE)
    t = type or op.result_type(parts)
    own = type_bounds(t)
    if bounds is None and own is not None:
        declared = op.bounds(*map(bounds_of, parts)) if callable(op.bounds) else op.bounds or own
        bounds = max(declared[0], own[0]), min(declared[1], own[1])
        fails |= bounds != declared
    nullable = op.nulls is Nulls.KEPT and parts[0].nullable
    return Expression(op, parts, t, nullable, data, bounds, fails)


def held(op: Operation, *parts: Expression, slot: Slot, data: tuple[Any, ...] = ()) -> Expression:
    """Return an operation that reads what a slot of a type holds."""
    inner, nullable = unwrapped(slot.type)
    return Expression(op, parts, inner, nullable or slot.nullable, data, type_bounds(inner))


def of_kind(value: Expression, what: str, *kinds: Kind) -> Expression:
    """Return a value that is not ``None``.

    Raises:
        NotExact: it is not of the kinds.
    """
    if kind_of(value) not in kinds:
        raise NotExact(f"{what} {name_of(value)}, which is not lifted")
    return not_null(value)


def whole(value: Expression, what: str) -> Expression:
    """Return an integer or truth value as LONG.

    Raises:
        NotExact: it is neither.
    """
    return widened(of_kind(value, what, Kind.INT, Kind.BOOL))


def not_null(expression: Expression) -> Expression:
    """Return an expression that raises where a value is ``None``."""
    if kind_of(expression) is Kind.NONE:
        raise NotExact("uses None where Python would raise an error")
    if not expression.nullable:
        return expression
    if expression.op is Op.IF:
        condition, then, otherwise = expression.parts
        if _is_none(otherwise):
            return guarded(condition, not_null(then), "None is used as a value")
        if _is_none(then):
            return guarded(negation(condition), not_null(otherwise), "None is used as a value")
    return Expression(Op.NOT_NULL, (expression,), expression.type, False, (), expression.bounds)


def _is_none(expression: Expression) -> bool:
    return is_constant(expression) and constant_value(expression) is None


def is_null(expression: Expression) -> Expression:
    """Return whether a value is ``None``."""
    if expression.op is Op.CONSTANT:
        return TRUE if constant_value(expression) is None else FALSE
    if kind_of(expression) is Kind.NONE:
        return having_evaluated([expression], TRUE)
    if not expression.nullable:
        return having_evaluated([expression], FALSE)
    return call(Op.IS_NULL, expression)


def guarded(condition: Expression, value: Expression, why: str) -> Expression:
    """Return a value where a condition holds; evaluating it elsewhere raises.

    Args:
        condition: holds where the value is exactly that of Python.
        value: evaluated only where the condition holds.
        why: the meaning of a failed condition, for messages.
    """
    if condition == TRUE:
        return value
    if condition == FALSE:
        raise NotExact(f"always fails: {why}")
    return Expression(Op.GUARD, (condition, value), value.type, value.nullable, (why,), value.bounds)


def having_evaluated(parts: Iterable[Expression], value: Expression) -> Expression:
    """Return a value that depends on others, which Python evaluates as well and which may raise."""
    needed = [inner for part in parts if part.fails for inner in _evaluated(part)]
    if not needed:
        return value
    done = set(always_evaluated(value))
    missing = tuple(dict.fromkeys(part for part in needed if part not in done))
    if not missing:
        return value
    return guarded(call(Op.EVALUATED, *missing), value, "always holds")


def _evaluated(part: Expression) -> tuple[Expression, ...]:
    """Return expressions that raise exactly where an expression does, whose value is not needed."""
    if part.op is Op.GUARD and part.parts[0].op is Op.EVALUATED and not part.parts[1].fails:
        return part.parts[0].parts
    return (part,)


def negation(condition: Expression) -> Expression:
    """Return the opposite of a truth value."""
    if is_constant(condition):
        return FALSE if constant_value(condition) else TRUE
    return condition.parts[0] if condition.op is Op.NOT else call(Op.NOT, condition)


def all_of(*conditions: Expression) -> Expression:
    """Return whether all truth values hold; none is evaluated after one that does not."""
    return _joined(Op.AND, conditions, TRUE, FALSE)


def any_of(*conditions: Expression) -> Expression:
    """Return whether one of the truth values holds; none is evaluated after one that does."""
    return _joined(Op.OR, conditions, FALSE, TRUE)


def _joined(
    op: Operation, conditions: Sequence[Expression], neutral: Expression, final: Expression
) -> Expression:
    """Join conditions, leaving out neutral ones and those after one that decides the result."""
    needed: list[Expression] = []
    for condition in conditions:
        if condition == neutral:
            continue
        if condition == final:
            before = _joined(op, needed, neutral, final)
            return having_evaluated([before], final)
        needed.append(condition)
    if not needed:
        return neutral
    return needed[0] if len(needed) == 1 else call(op, *needed)


def widened(number: Expression) -> Expression:
    """Return a number in the type that arithmetic uses: LONG, or DOUBLE for floats. Null stays null."""
    kind = kind_of(number)
    if number.type in (Types.LONG(), Types.DOUBLE()):
        return number
    if number.op is Op.CONSTANT and not number.nullable and kind is Kind.BOOL:
        return constant(int(constant_value(number)))
    return call(Op.WIDEN if kind in (Kind.INT, Kind.BOOL) else Op.TO_DOUBLE, number)
