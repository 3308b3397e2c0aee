"""Constructors of expressions: constants, arguments, fields, composites, guards and conditions."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any

from pystream.expressions.expression import (
    LONG_BOUNDS,
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
    nullable_type,
    type_bounds,
    unwrapped,
)
from pystream.lifting.unification import unified
from typeinfo import TypeInformation, Types
from typeinfo.collection import ListTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, TupleTypeInfo
from typeinfo.extended import EnumTypeInfo, optional_of
from typeinfo.info import Slot

__all__ = [
    "BRANCHES",
    "FALSE",
    "NONE",
    "TRUE",
    "all_of",
    "any_of",
    "argument",
    "call",
    "coerced",
    "conditional",
    "constant",
    "field",
    "guarded",
    "held",
    "having_evaluated",
    "is_null",
    "list_of",
    "map_branches",
    "negation",
    "parts_of",
    "not_null",
    "of_kind",
    "struct",
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


def argument(t: TypeInformation[Any], position: int) -> Expression:
    """Return an argument of the function.

    Args:
        t: its type.
        position: its position.
    """
    return held(Op.INPUT, slot=Slot("", t, nullable=False), data=(position,))


_PLAIN: dict[type, TypeInformation[Any]] = {
    bool: Types.BOOLEAN(),
    float: Types.DOUBLE(),
    bytes: PrimitiveArrayTypeInfo(Types.BYTE()),
    datetime.date: Types.SQL_DATE(),
}


def constant(value: Any) -> Expression:
    """Return a constant as an expression.

    Raises:
        NotExact: the value is mutable or has no column type.
    """
    cls: type[Any] = type(value)
    bounds: Bounds | None = None
    if value is None:
        return Expression(Op.CONSTANT, (), Types.VOID(), True, (None, "None"))
    if cls is tuple:
        return struct([constant(v) for v in value])
    if cls is int:
        if not LONG_BOUNDS[0] <= value <= LONG_BOUNDS[1]:
            raise NotExact(f"uses the integer {_short(value)}, which does not fit 64 bits")
        t: TypeInformation[Any] = Types.LONG()
        bounds = value, value
    elif cls is str:
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise NotExact("uses text with a lone surrogate, which no column holds")
        t = Types.STRING()
    elif cls in (datetime.datetime, datetime.time):
        if value.tzinfo is not None:
            raise NotExact(f"uses the {cls.__name__} {value}, which has a time zone")
        t = Types.SQL_TIMESTAMP() if cls is datetime.datetime else Types.SQL_TIME()
    elif isinstance(value, Enum):
        t = EnumTypeInfo(cls)
    elif cls is float and value == 0.0 and math.copysign(1.0, value) < 0:
        raise NotExact("uses the constant -0.0, which Spark takes for 0.0")
    elif cls in _PLAIN:
        t = _PLAIN[cls]
    else:
        raise NotExact(f"uses a value of class {cls.__name__}, which is not known to be immutable")
    bounds = bounds or type_bounds(t)
    return Expression(Op.CONSTANT, (), t, False, (value, repr(value)), bounds)


def _short(value: int) -> str:
    return str(value) if value.bit_length() < 200 else f"of {value.bit_length()} bits"


TRUE = constant(True)
FALSE = constant(False)
NONE = constant(None)


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


def conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """Return one value where a condition holds, and another elsewhere; only that value is evaluated.

    Raises:
        NotExact: the values are of different classes, so that no column holds both as they are.
    """
    if is_constant(condition):
        return then if constant_value(condition) else otherwise
    if then == otherwise:
        return having_evaluated([condition], then)
    t, nullable = unified([then, otherwise])
    then, otherwise = coerced(then, t), coerced(otherwise, t)
    bounds = None
    if then.bounds and otherwise.bounds:
        bounds = (min(then.bounds[0], otherwise.bounds[0]), max(then.bounds[1], otherwise.bounds[1]))
    elif kind_of(t) is Kind.INT:
        bounds = then.bounds or otherwise.bounds
    if kind_of(t) is Kind.BOOL and not nullable:
        if then == TRUE and otherwise == FALSE:
            return condition
        if then == FALSE and otherwise == TRUE:
            return negation(condition)
    return Expression(Op.IF, (condition, then, otherwise), t, nullable, (), bounds)


BRANCHES = (Op.IF, Op.GUARD)
"""Operations whose result is one of their parts after the first, which is a condition."""


def map_branches(expression: Expression, function: Callable[[Expression], Expression]) -> Expression:
    """Apply a function to each value that an operation of BRANCHES may have."""
    condition, *branches = expression.parts
    if expression.op is Op.GUARD:
        return guarded(condition, function(branches[0]), str(expression.data[0]))
    return conditional(condition, *map(function, branches))


def coerced(expression: Expression, t: TypeInformation[Any]) -> Expression:
    """Return an expression as another type that holds its values unchanged."""
    if expression.type == t:
        return expression
    kind = kind_of(t)
    if kind_of(expression) is Kind.NONE:
        if expression.op is not Op.CONSTANT:
            return having_evaluated([expression], coerced(NONE, t))
        return Expression(Op.CONSTANT, (), t, True, expression.data)
    if kind is kind_of(expression):
        if kind in (Kind.INT, Kind.FLOAT):
            return widened(expression)
        if kind in (Kind.STR, Kind.DATE, Kind.TIME, Kind.DATETIME):
            return expression  # the same column
        if isinstance(t, FieldsTypeInfo) and expression.op is Op.STRUCT:
            parts = [
                coerced(p, unwrapped(f)[0]) for p, f in zip(expression.parts, t.field_types, strict=True)
            ]
            return Expression(Op.STRUCT, tuple(parts), t)
        if isinstance(t, FieldsTypeInfo) and _has_its_fields(expression):
            return coerced(struct(parts_of(expression), expression.type), t)  # type: ignore[arg-type]
        if expression.op in BRANCHES:
            return map_branches(expression, lambda branch: coerced(branch, t))
        if expression.op is Op.LIST:
            element = t.slots()[0].type
            return Expression(Op.LIST, tuple(coerced(p, unwrapped(element)[0]) for p in expression.parts), t)
    raise NotExact(f"returns {expression.type} in one case and {t} in another")


def _has_its_fields(composite: Expression) -> bool:
    """Return whether a composite is the same as one made of its fields, as rows without names are not."""
    t = composite.type
    is_given = composite.op in (Op.INPUT, Op.FIELD, Op.VARIABLE) and not composite.nullable
    return is_given and (isinstance(t, TupleTypeInfo) or getattr(t, "field_names", None) is not None)


def widened(number: Expression) -> Expression:
    """Return a number in the type that arithmetic uses: LONG, or DOUBLE for floats. Null stays null."""
    kind = kind_of(number)
    if number.type in (Types.LONG(), Types.DOUBLE()):
        return number
    if number.op is Op.CONSTANT and not number.nullable and kind is Kind.BOOL:
        return constant(int(constant_value(number)))
    return call(Op.WIDEN if kind in (Kind.INT, Kind.BOOL) else Op.TO_DOUBLE, number)


def field(composite: Expression, index: int) -> Expression:
    """Return one field of a composite.

    Args:
        composite: an expression of a composite type; an error where it is ``None``.
        index: the position, not negative.
    """
    composite = not_null(composite)
    t = composite.type
    assert isinstance(t, FieldsTypeInfo)
    if composite.op is Op.STRUCT:
        return having_evaluated(composite.parts, composite.parts[index])
    if composite.op in BRANCHES:
        return map_branches(composite, lambda branch: field(branch, index))
    if isinstance(t, RecordTypeInfo) and t.field_names[index] in t.optional_keys:
        raise NotExact(f"uses the key {t.field_names[index]!r}, which may be missing")
    return held(Op.FIELD, composite, slot=t.slots()[index], data=(index,))


def parts_of(composite: Expression) -> list[Expression]:
    """Return all fields of a composite; the caller must evaluate each that may raise."""
    composite = not_null(composite)
    if composite.op is Op.STRUCT:
        return list(composite.parts)
    assert isinstance(composite.type, FieldsTypeInfo)
    return [field(composite, index) for index in range(composite.type.get_arity())]


def struct(parts: Sequence[Expression], t: FieldsTypeInfo[Any] | None = None) -> Expression:
    """Return a composite of fields: a tuple, unless another type is given."""
    return Expression(Op.STRUCT, tuple(parts), t or TupleTypeInfo(map(nullable_type, parts)))


def list_of(parts: Sequence[Expression]) -> Expression:
    """Return a list of values of one class.

    Raises:
        NotExact: the values are of different classes.
    """
    t, nullable = unified(parts)
    element_type = optional_of(t) if nullable else t
    return Expression(Op.LIST, tuple(coerced(part, t) for part in parts), ListTypeInfo(element_type))
