"""Unification of the types of several expressions, such as those of two branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of, unwrapped
from typeinfo import TypeInformation, Types
from typeinfo.collection import ListTypeInfo
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.extended import optional_of

__all__ = ["is_empty", "unified"]


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
