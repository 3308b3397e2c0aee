"""Comparison and truth with the results of Python: NaN, ``None``, whole numbers with floats."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from pystream.expressions.expression import (
    LONG_BOUNDS,
    Expression,
    Op,
    Operation,
    constant_value,
    is_constant,
)
from pystream.lifting.building import (
    all_of,
    any_of,
    call,
    guarded,
    having_evaluated,
    is_null,
    negation,
    not_null,
    widened,
)
from pystream.lifting.composites import field
from pystream.lifting.kinds import NUMBERS, Kind, NotExact, bounds_of, kind_of, name_of
from pystream.lifting.values import FALSE, TRUE, constant
from typeinfo.composite import FieldsTypeInfo
from typeinfo.extended import EnumTypeInfo

__all__ = ["as_double", "contained", "equal", "exact", "less", "less_or_equal", "truth"]

_ORDERED = (Kind.STR, Kind.BYTES, Kind.DATE, Kind.TIME, Kind.DATETIME)
_EXACT = 2**53  # whole numbers up to this are doubles, too


def equal(a: Expression, b: Expression) -> Expression:
    """Return ``a == b``, which is false for ``None`` and for classes whose values are never equal."""
    kind_a, kind_b = kind_of(a), kind_of(b)
    if kind_b is Kind.NONE:
        return having_evaluated([b], is_null(a))
    if kind_a is Kind.NONE:
        return having_evaluated([a], is_null(b))
    if kind_a in NUMBERS and kind_b in NUMBERS:
        return _equal_numbers(widened(a), widened(b))
    if kind_a is not kind_b:
        if kind_a in _PLAIN and kind_b in _PLAIN and not (a.nullable and b.nullable):
            return having_evaluated([a, b], FALSE)
        raise NotExact(f"compares {name_of(a)} with {name_of(b)}")
    if kind_a is Kind.TUPLE:
        return _equal_or_none(a, b)
    if isinstance(a.type, EnumTypeInfo) and (a.type != b.type or not _is_by_identity(a.type.enum_class)):
        raise NotExact(f"compares {name_of(a)} with {name_of(b)}")
    if kind_a not in (*_ORDERED, Kind.ENUM):
        raise NotExact(f"compares {name_of(a)}, which is not lifted")
    return _equals(a, b)


def _is_by_identity(cls: type[Any]) -> bool:
    """Return whether different members of an enum are never equal."""
    found: Any = cls.__eq__
    return found in (object.__eq__, int.__eq__, str.__eq__)


_PLAIN = (*NUMBERS, *_ORDERED, Kind.TUPLE)


def _equals(a: Expression, b: Expression) -> Expression:
    return call(Op.NULL_SAFE_EQUAL if a.nullable or b.nullable else Op.EQUAL, a, b)


def _equal_numbers(a: Expression, b: Expression) -> Expression:
    if kind_of(a) is not kind_of(b):
        floating, whole = (a, b) if kind_of(a) is Kind.FLOAT else (b, a)
        if is_constant(floating):
            value = constant_value(floating)
            if not (math.isfinite(value) and value.is_integer() and _in_long(int(value))):
                return having_evaluated([whole], FALSE)
            return _equals(whole, constant(int(value)))
        a, b = _exact_double(a), _exact_double(b)
    if kind_of(a) is Kind.INT:
        return _equals(a, b)
    for value in (a, b):
        if is_constant(value):
            other = b if value is a else a
            return having_evaluated([other], FALSE) if math.isnan(constant_value(value)) else _equals(a, b)
    if a == b and not a.nullable:
        return negation(call(Op.IS_NAN, a))
    same = _equals(a, b)
    if a.nullable:
        return all_of(same, any_of(is_null(a), negation(call(Op.IS_NAN, not_null(a)))))
    return all_of(same, negation(call(Op.IS_NAN, a)))


def _equal_or_none(a: Expression, b: Expression) -> Expression:
    no_a, no_b = is_null(a), is_null(b)
    same = _equal_tuples(replace(a, nullable=False), replace(b, nullable=False))
    equal = any_of(all_of(no_a, no_b), all_of(negation(no_a), negation(no_b), same))
    return having_evaluated([a, b], equal)


def _equal_tuples(a: Expression, b: Expression) -> Expression:
    assert isinstance(a.type, FieldsTypeInfo)
    assert isinstance(b.type, FieldsTypeInfo)
    if a.type.get_arity() != b.type.get_arity():
        return having_evaluated([a, b], FALSE)
    pairs = [(field(a, i), field(b, i)) for i in range(a.type.get_arity())]
    if any(kind_of(value) is Kind.FLOAT for pair in pairs for value in pair):
        raise NotExact("compares tuples that contain floats, where Python takes a NaN to equal itself")
    return having_evaluated([a, b], all_of(*(equal(x, y) for x, y in pairs)))


def _in_long(value: int) -> bool:
    return LONG_BOUNDS[0] <= value <= LONG_BOUNDS[1]


def exact(value: Expression) -> Expression:
    """Return a whole number, guarded to be exactly a double. Null stays null."""
    low, high = bounds_of(value)
    number = replace(value, nullable=False)
    conditions = []
    if low < -_EXACT:
        conditions.append(call(Op.LESS_OR_EQUAL, constant(-_EXACT), number))
    if high > _EXACT:
        conditions.append(call(Op.LESS_OR_EQUAL, number, constant(_EXACT)))
    fits = all_of(*conditions)
    return guarded(any_of(is_null(value), fits) if value.nullable else fits, value, "an int is beyond 2**53")


def as_double(value: Expression) -> Expression:
    """Return a widened number as the nearest double. Null stays null."""
    if kind_of(value) is Kind.FLOAT:
        return value
    if is_constant(value) and not value.nullable:
        return constant(float(constant_value(value)))
    return call(Op.TO_DOUBLE, value)


def _exact_double(value: Expression) -> Expression:
    return value if kind_of(value) is Kind.FLOAT else as_double(exact(value))


def less(a: Expression, b: Expression) -> Expression:
    """Return ``a < b``."""
    return _ordered(Op.LESS, a, b, "<")


def less_or_equal(a: Expression, b: Expression) -> Expression:
    """Return ``a <= b``."""
    return _ordered(Op.LESS_OR_EQUAL, a, b, "<=")


def _ordered(op: Operation, a: Expression, b: Expression, sign: str) -> Expression:
    kind_a, kind_b = kind_of(a), kind_of(b)
    if kind_a in NUMBERS and kind_b in NUMBERS:
        return _ordered_numbers(op, widened(not_null(a)), widened(not_null(b)))
    if kind_a is not kind_b or kind_a not in _ORDERED:
        raise NotExact(f"compares {name_of(a)} with {name_of(b)} by {sign}, which is not lifted")
    return call(op, not_null(a), not_null(b))


def _ordered_numbers(op: Operation, a: Expression, b: Expression) -> Expression:
    if kind_of(a) is kind_of(b) is Kind.INT:
        return call(op, a, b)
    if kind_of(a) is Kind.INT and is_constant(b):
        return _whole_with_constant(op, a, constant_value(b), constant_first=False)
    if kind_of(b) is Kind.INT and is_constant(a):
        return _whole_with_constant(op, b, constant_value(a), constant_first=True)
    a, b = _exact_double(a), _exact_double(b)
    # Where a is NaN this is false already, unless b is NaN, too.
    compared = call(op, a, b)
    if is_constant(b):
        return having_evaluated([a], FALSE) if math.isnan(constant_value(b)) else compared
    return all_of(compared, negation(call(Op.IS_NAN, b)))


def _whole_with_constant(
    op: Operation, whole: Expression, value: float, *, constant_first: bool
) -> Expression:
    """Compare a whole number with a constant float by the whole number next to it."""
    if math.isnan(value):
        return having_evaluated([whole], FALSE)
    if value >= 2.0**63:
        return having_evaluated([whole], FALSE if constant_first else TRUE)
    if value < -(2.0**63):
        return having_evaluated([whole], TRUE if constant_first else FALSE)
    if constant_first:  # value < whole is floor(value) < whole; value <= whole is ceil(value) <= whole
        nearest = math.floor(value) if op is Op.LESS else math.ceil(value)
        return call(op, constant(nearest), whole)
    nearest = math.ceil(value) if op is Op.LESS else math.floor(value)
    return call(op, whole, constant(nearest))


def truth(value: Expression) -> Expression:
    """Return ``bool(value)``."""
    kind = kind_of(value)
    if kind is Kind.NONE:
        return having_evaluated([value], FALSE)
    if value.nullable:
        # Null counts as false after a condition that does not hold, so that it needs no guard here.
        return all_of(negation(is_null(value)), truth(replace(value, nullable=False)))
    match kind:
        case Kind.BOOL:
            return value
        case Kind.INT:
            return negation(call(Op.EQUAL, widened(value), constant(0)))
        case Kind.FLOAT:
            return negation(call(Op.EQUAL, widened(value), constant(0.0)))
        case Kind.STR:
            return negation(call(Op.EQUAL, value, constant("")))
        case Kind.BYTES:
            return negation(call(Op.EQUAL, widened(call(Op.OCTET_LENGTH, value)), constant(0)))
        case Kind.LIST:
            return negation(call(Op.EQUAL, widened(call(Op.SIZE, value)), constant(0)))
        case Kind.DATE | Kind.TIME | Kind.DATETIME:
            return having_evaluated([value], TRUE)
        case Kind.TUPLE | Kind.ROW:
            assert isinstance(value.type, FieldsTypeInfo)
            return having_evaluated([value], TRUE if value.type.get_arity() else FALSE)
    raise NotExact(f"uses {name_of(value)} as a condition, which is not lifted")


def contained(value: Expression, choices: list[Expression]) -> Expression:
    """Return ``value in (…)``, which in Python is true for an identical NaN."""
    if kind_of(value) is Kind.FLOAT and not all(map(is_constant, choices)):
        raise NotExact("uses 'in' of a float among computed values, where Python takes a NaN to equal itself")
    if any(kind_of(c) is Kind.FLOAT and not is_constant(c) for c in choices):
        raise NotExact("uses 'in' among computed floats, where Python takes a NaN to equal itself")
    return having_evaluated([value, *choices], any_of(*(equal(value, choice) for choice in choices)))
