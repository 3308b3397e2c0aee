"""Conversion of expressions to a declared type, exactly as the serializers do."""

from __future__ import annotations

from typing import Any

from pystream.lifting.arithmetic import as_double, bounds_of, exact
from pystream.lifting.building import (
    any_of,
    boolean,
    call,
    conditional,
    constant,
    field,
    guarded,
    is_null,
    not_null,
    struct,
    widened,
)
from pystream.lifting.expression import Expression, Op, is_constant
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of, opened, type_bounds
from typeinfo import TypeInformation, Types
from typeinfo.collection import ArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo
from typeinfo.extended import OptionalTypeInfo, optional_of
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["conform", "conform_exactly"]


def conform_exactly(expression: Expression, declared: TypeInformation[Any], role: str) -> Expression:
    """Return an expression as a field of a record, which is stored unchanged.

    Raises:
        NotExact: the field's type would change the value.
    """
    inner, _ = opened(declared)
    if kind_of(expression) is not Kind.NONE and kind_of(inner) is not kind_of(expression):
        raise NotExact(f"returns {role} a value of class {name_of(expression)}, declared {name_of(inner)}")
    return conform(expression, declared)


def conform(expression: Expression, declared: TypeInformation[Any]) -> Expression:
    """Return an expression whose values are of a declared type; the others raise.

    Raises:
        NotExact: no value of it fits, or fitting it is not lifted.
    """
    inner, nullable = opened(declared)
    kind = kind_of(expression)
    if isinstance(inner, PickledBytesTypeInfo):
        raise NotExact("is declared to give pickled objects; declare a type with columns")
    if declared != inner and not (
        nullable and opened(declared)[0] == inner and _is_optional(declared, inner)
    ):
        raise NotExact(f"is declared to give {declared}, which is not lifted")
    if kind is Kind.NONE and nullable:
        return (
            Expression(Op.CONSTANT, (), inner, True, (None, "None"))
            if is_constant(expression)
            else expression
        )
    if expression.nullable:
        if not nullable:
            expression = not_null(expression)
        elif expression.type == inner:
            return expression
        elif expression.op is Op.IF:
            condition, then, otherwise = expression.parts
            return conditional(condition, conform(then, declared), conform(otherwise, declared))
        else:
            held = conform(not_null(expression), inner)
            return conditional(
                is_null(expression), Expression(Op.CONSTANT, (), inner, True, (None, "None")), held
            )
    if expression.type == inner:
        return expression
    return _changed(expression, inner)


def _is_optional(declared: TypeInformation[Any], inner: TypeInformation[Any]) -> bool:
    return isinstance(declared, OptionalTypeInfo) and declared.value_type == inner


def _changed(expression: Expression, t: TypeInformation[Any]) -> Expression:
    kind, wanted = kind_of(expression), kind_of(t)
    if wanted is Kind.INT and kind is Kind.INT:
        return _narrowed(expression, t)
    if wanted is Kind.FLOAT and kind in (Kind.FLOAT, Kind.INT):
        return _floating(expression, t)
    if wanted is kind and kind in (Kind.DATE, Kind.TIME, Kind.DATETIME):
        return _relabelled(expression, t)
    if wanted is Kind.STR and kind is Kind.STR and t == Types.STRING():
        return _relabelled(expression, t)
    if isinstance(t, FieldsTypeInfo) and isinstance(expression.type, FieldsTypeInfo):
        return _composite(expression, t)
    if isinstance(t, ArrayTypeInfo) and isinstance(expression.type, ArrayTypeInfo):
        return _list(expression, t)
    raise NotExact(f"returns {name_of(expression)} where {t} is declared")


def _relabelled(expression: Expression, t: TypeInformation[Any]) -> Expression:
    """Return the same column under another type that has the same columns."""
    return Expression(
        expression.op,
        expression.parts,
        t,
        expression.nullable,
        expression.data,
        expression.bounds,
        expression.fails,
    )


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


def _floating(expression: Expression, t: TypeInformation[Any]) -> Expression:
    number = widened(expression)
    if kind_of(number) is Kind.INT:
        number = as_double(exact(number))
    if t == Types.DOUBLE():
        return number
    rounded = call(Op.TO_FLOAT, number, type=t)
    reach = constant(3.4028235677973366e38)  # halfway to what would follow the greatest FLOAT
    # Rounding to infinity is an error, infinity itself and NaN are not.
    magnitude = call(Op.ABSOLUTE, number, type=Types.DOUBLE())
    fits = boolean(Op.LESS, magnitude, reach)
    infinite = boolean(Op.LESS_OR_EQUAL, constant(float("inf")), magnitude)
    return guarded(any_of(fits, infinite), rounded, "a float is beyond FLOAT")


def _composite(expression: Expression, t: FieldsTypeInfo[Any]) -> Expression:
    given = expression.type
    assert isinstance(given, FieldsTypeInfo)
    kind, wanted = kind_of(expression), kind_of(t)
    if isinstance(t, RecordTypeInfo) or (isinstance(given, RecordTypeInfo)):
        raise NotExact(f"returns {name_of(expression)} where {t} is declared")
    if wanted is Kind.TUPLE and kind not in (Kind.TUPLE, Kind.ROW):
        raise NotExact(f"returns {name_of(expression)} where {t} is declared")
    if given.get_arity() != t.get_arity():
        raise NotExact(f"returns {given.get_arity()} fields where {t} is declared, which always fails")
    order = list(range(given.get_arity()))
    if isinstance(t, RowTypeInfo) and isinstance(given, RowTypeInfo) and given.field_names is not None:
        names = t.get_field_names()
        if sorted(names) != sorted(given.field_names):
            raise NotExact(f"returns a Row of {list(given.field_names)} where {names} are declared")
        order = [given.field_names.index(name) for name in names]
    elif isinstance(t, RowTypeInfo) and isinstance(given, RowTypeInfo) and expression.op is not Op.STRUCT:
        # A column of such rows has been given names, those that a function makes have none.
        names = t.get_field_names()
        if names != given.get_field_names():
            raise NotExact(f"returns a Row of {given.get_field_names()} where {names} are declared")
    if expression.op is Op.IF:
        condition, then, otherwise = expression.parts
        return conditional(condition, conform(then, t), conform(otherwise, t))
    if expression.op is Op.GUARD:
        return guarded(expression.parts[0], conform(expression.parts[1], t), str(expression.data[0]))
    parts = expression.parts if expression.op is Op.STRUCT else [field(expression, i) for i in order]
    if expression.op is Op.STRUCT:
        parts = [parts[i] for i in order]
    return struct(
        [_slot(part, slot.type, slot.nullable) for part, slot in zip(parts, t.slots(), strict=True)], t
    )


def _slot(part: Expression, t: TypeInformation[Any], nullable: bool) -> Expression:
    return conform(part, optional_of(t) if nullable else t)


def _list(expression: Expression, t: ArrayTypeInfo[Any]) -> Expression:
    if expression.op is Op.LIST:
        slot = t.slots()[0]
        parts = tuple(_slot(part, slot.type, slot.nullable) for part in expression.parts)
        return Expression(Op.LIST, parts, t)
    if expression.op is Op.FOR_EACH:
        slot = t.slots()[0]
        source, body = expression.parts
        return Expression(
            Op.FOR_EACH, (source, _slot(body, slot.type, slot.nullable)), t, False, expression.data
        )
    given, wanted = expression.type.slots()[0], t.slots()[0]
    if given.type == wanted.type and (wanted.nullable or not given.nullable):
        return _relabelled(expression, t)
    raise NotExact(f"returns {expression.type} where {t} is declared")
