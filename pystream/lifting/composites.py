"""Constructors of composites, lists and conditional values, whose values are of one type in all cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pystream.expressions.expression import (
    Expression,
    Op,
    constant_value,
    is_constant,
)
from pystream.lifting.building import guarded, having_evaluated, held, negation, not_null, widened
from pystream.lifting.kinds import (
    Kind,
    NotExact,
    kind_of,
    name_of,
    nullable_type,
    unwrapped,
)
from pystream.lifting.values import FALSE, NONE, TRUE
from typeinfo import TypeInformation, Types
from typeinfo.collection import ListTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import optional_of
from typeinfo.info import Slot

__all__ = [
    "BRANCHES",
    "argument",
    "coerced",
    "conditional",
    "field",
    "list_of",
    "map_branches",
    "parts_of",
    "is_empty",
    "struct",
    "unified",
]


def argument(t: TypeInformation[Any], position: int) -> Expression:
    """Return an argument of the function.

    Args:
        t: its type.
        position: its position.
    """
    return held(Op.INPUT, slot=Slot("", t, nullable=False), data=(position,))


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


def is_empty(expression: Expression) -> bool:
    """Return whether an expression is an empty list display, whose element type is unknown."""
    if expression.op is Op.GUARD:
        return is_empty(expression.parts[1])
    return expression.op is Op.LIST and not expression.parts


def unified(expressions: Sequence[Expression]) -> tuple[TypeInformation[Any], bool]:
    """Return the type that holds the values of all expressions unchanged, and whether one may be null."""
    found: TypeInformation[Any] = Types.VOID()
    nullable = False
    full = [one for one in expressions if not is_empty(one)]
    if any(kind_of(one) is Kind.LIST for one in full):
        expressions = full
    for expression in expressions:
        nullable |= expression.nullable
        found = _common(found, expression.type)
    return found, nullable


def _common(a: TypeInformation[Any], b: TypeInformation[Any]) -> TypeInformation[Any]:
    if a == b or kind_of(b) is Kind.NONE:
        return a
    kind = kind_of(a)
    if kind is Kind.NONE:
        return b
    if kind is kind_of(b):
        match kind:
            case Kind.INT:
                return Types.LONG()
            case Kind.FLOAT:
                return Types.DOUBLE()
            case Kind.STR:
                return Types.STRING()
            case Kind.DATE | Kind.TIME | Kind.DATETIME:
                return a
            case Kind.LIST:
                return ListTypeInfo(_field(a.slots()[0].type, b.slots()[0].type))
            case Kind.TUPLE if isinstance(a, TupleTypeInfo) and isinstance(b, TupleTypeInfo):
                if a.get_arity() == b.get_arity():
                    return TupleTypeInfo(
                        [_field(x, y) for x, y in zip(a.field_types, b.field_types, strict=True)]
                    )
            case Kind.ROW if isinstance(a, RowTypeInfo) and isinstance(b, RowTypeInfo):
                if a.field_names == b.field_names and a.get_arity() == b.get_arity():
                    pairs = zip(a.field_types, b.field_types, strict=True)
                    return RowTypeInfo([_field(x, y) for x, y in pairs], a.field_names)
    if kind in (Kind.TUPLE, Kind.ROW, Kind.RECORD, Kind.LIST) and kind is kind_of(b):
        raise NotExact(f"returns {a} in one case and {b} in another")
    raise NotExact(f"returns {name_of(a)} in one case and {name_of(b)} in another")


def _field(a: TypeInformation[Any], b: TypeInformation[Any]) -> TypeInformation[Any]:
    (inner_a, none_a), (inner_b, none_b) = unwrapped(a), unwrapped(b)
    common = _common(inner_a, inner_b)
    return optional_of(common) if none_a or none_b else common
