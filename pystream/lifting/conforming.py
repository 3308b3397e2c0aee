"""Conversion of expressions to a declared type, exactly as the serializers do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pystream.expressions.expression import Expression, Op, is_constant
from pystream.lifting.building import any_of, call, guarded, is_null, not_null, widened
from pystream.lifting.comparing import as_double, exact
from pystream.lifting.composites import BRANCHES, coerced, conditional, field, map_branches, struct
from pystream.lifting.kinds import Kind, NotExact, bounds_of, kind_of, name_of, type_bounds, unwrapped
from pystream.lifting.values import NONE, constant
from typeinfo import TypeInformation, Types
from typeinfo.collection import ArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo
from typeinfo.extended import optional_of
from typeinfo.info import Slot
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["conform"]


def conform(expression: Expression, declared: TypeInformation[Any]) -> Expression:
    """Return an expression as values of a declared type; values that do not fit raise.

    Raises:
        NotExact: no value fits, or the conversion is not lifted.
    """
    t, nullable = unwrapped(declared)
    if isinstance(t, PickledBytesTypeInfo):
        raise NotExact("is declared to return pickled objects; declare a type with columns")
    if declared not in (t, optional_of(t)):
        raise NotExact(f"is declared to return {declared}, which is not lifted")
    if kind_of(expression) is Kind.NONE and nullable:
        return coerced(expression, t)
    if expression.nullable:
        if not nullable:
            expression = not_null(expression)
        elif expression.type == t:
            return expression
        elif expression.op is Op.IF:
            return map_branches(expression, lambda branch: conform(branch, declared))
        else:
            value = conform(not_null(expression), t)
            return conditional(is_null(expression), coerced(NONE, t), value)
    return expression if expression.type == t else _converted(expression, t)


def _converted(expression: Expression, t: TypeInformation[Any]) -> Expression:
    kind, wanted = kind_of(expression), kind_of(t)
    if wanted is Kind.INT and kind is Kind.INT:
        return _narrowed(expression, t)
    if wanted is Kind.FLOAT and kind in (Kind.FLOAT, Kind.INT):
        return _float(expression, t)
    if wanted is kind and (kind in (Kind.DATE, Kind.TIME, Kind.DATETIME) or t == Types.STRING()):
        return replace(expression, type=t)  # the columns are the same
    if isinstance(t, FieldsTypeInfo) and isinstance(expression.type, FieldsTypeInfo):
        return _composite(expression, t)
    if isinstance(t, ArrayTypeInfo) and isinstance(expression.type, ArrayTypeInfo):
        return _list(expression, t)
    raise _mismatch(expression, t)


def _mismatch(expression: Expression, t: TypeInformation[Any]) -> NotExact:
    return NotExact(f"returns {name_of(expression)} where {t} is declared")


def _narrowed(expression: Expression, t: TypeInformation[Any]) -> Expression:
    bounds = type_bounds(t)
    number = widened(expression)
    if bounds is None or t == Types.LONG():
        return number
    low, high = bounds_of(number)
    if is_constant(number) and not bounds[0] <= low <= bounds[1]:
        raise NotExact(f"returns {low} where {t} is declared, which always fails")
    fails = low < bounds[0] or high > bounds[1]
    within = (max(low, bounds[0]), min(high, bounds[1]))
    return Expression(Op.NARROW, (number,), t, False, (), within, fails)


def _float(expression: Expression, t: TypeInformation[Any]) -> Expression:
    number = widened(expression)
    if kind_of(number) is Kind.INT:
        number = as_double(exact(number))
    if t == Types.DOUBLE():
        return number
    rounded = call(Op.TO_FLOAT, number, type=t)
    limit = constant(3.4028235677973366e38)  # halfway to what would follow the greatest FLOAT
    # Rounding to infinity is an error, infinity itself and NaN are not.
    magnitude = call(Op.ABSOLUTE, number)
    fits = call(Op.LESS, magnitude, limit)
    infinite = call(Op.LESS_OR_EQUAL, constant(float("inf")), magnitude)
    return guarded(any_of(fits, infinite), rounded, "a float is beyond FLOAT")


def _composite(expression: Expression, t: FieldsTypeInfo[Any]) -> Expression:
    own = expression.type
    assert isinstance(own, FieldsTypeInfo)
    if isinstance(t, RecordTypeInfo) or kind_of(own) not in (Kind.TUPLE, Kind.ROW):
        raise _mismatch(expression, t)
    if own.get_arity() != t.get_arity():
        raise NotExact(f"returns {own.get_arity()} fields where {t} is declared, which always fails")
    order = _field_order(expression, own, t)
    if expression.op in BRANCHES:
        return map_branches(expression, lambda branch: conform(branch, t))
    is_struct = expression.op is Op.STRUCT
    parts = [expression.parts[i] if is_struct else field(expression, i) for i in order]
    return struct([_slot(part, slot) for part, slot in zip(parts, t.slots(), strict=True)], t)


def _field_order(expression: Expression, own: FieldsTypeInfo[Any], t: FieldsTypeInfo[Any]) -> list[int]:
    """Return the positions of the fields in the order of a declared type.

    Rows match by name. A row that the function makes without names matches by position, but one without names
    in a column has got names from its type.
    """
    positions = list(range(own.get_arity()))
    if not (isinstance(t, RowTypeInfo) and isinstance(own, RowTypeInfo)):
        return positions
    names, wanted = own.get_field_names(), t.get_field_names()
    if own.field_names is not None:
        if sorted(names) == sorted(wanted):
            return [names.index(name) for name in wanted]
    elif expression.op is Op.STRUCT or names == wanted:
        return positions
    raise NotExact(f"returns a Row of {list(names)} where {wanted} are declared")


def _slot(part: Expression, slot: Slot) -> Expression:
    return conform(part, optional_of(slot.type) if slot.nullable else slot.type)


def _list(expression: Expression, t: ArrayTypeInfo[Any]) -> Expression:
    own, wanted = expression.type.slots()[0], t.slots()[0]
    if expression.op is Op.LIST:
        return Expression(Op.LIST, tuple(_slot(part, wanted) for part in expression.parts), t)
    if expression.op is Op.TRANSFORM:
        source, body = expression.parts
        return Expression(Op.TRANSFORM, (source, _slot(body, wanted)), t, False, expression.data)
    if own.type == wanted.type and (wanted.nullable or not own.nullable):
        return replace(expression, type=t)
    raise NotExact(f"returns {expression.type} where {t} is declared")
