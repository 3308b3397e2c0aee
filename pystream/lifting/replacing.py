"""Copies of records with other fields, as by ``dataclasses.replace`` or ``_replace`` of a named tuple."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pystream.expressions.expression import Expression
from pystream.lifting.building import argument, having_evaluated, not_null, parts_of, struct
from pystream.lifting.conforming import conform_exactly
from pystream.lifting.intrinsics import call_class
from pystream.lifting.kinds import NotExact, name_of
from pystream.lifting.members import attribute, fields_of
from typeinfo.composite import RecordKind, RecordTypeInfo

__all__ = [
    "check_is_replaceable",
    "dataclass_replaced",
    "has_plain_replace",
    "is_replaceable",
    "tuple_replaced",
]


class _Plain(NamedTuple):
    field: Any


def dataclass_replaced(value: Expression, changes: Mapping[str, Expression]) -> Expression:
    """Return ``dataclasses.replace(value, **changes)``.

    Raises:
        NotExact: the class does more than store its fields, or has no such field.
    """
    t = value.type
    if not isinstance(t, RecordTypeInfo) or t.kind is not RecordKind.DATACLASS:
        raise NotExact(f"uses replace() of {name_of(value)}, which is no dataclass")
    fields = [attribute(value, name) for name in t.field_names]
    kept = {name: own for name, own in zip(t.field_names, fields, strict=True) if name not in changes}
    made = call_class(t.record_class, [], {**kept, **changes})
    return having_evaluated([not_null(value)], made)


def tuple_replaced(value: Expression, changes: Mapping[str, Expression]) -> Expression:
    """Return ``value._replace(**changes)`` of a named tuple, which does not call its constructor.

    Raises:
        NotExact: the class has a ``_replace`` of its own, or no such field.
    """
    t = value.type
    assert isinstance(t, RecordTypeInfo)
    name = t.record_class.__name__
    fields = fields_of(value)
    if fields is None or not has_plain_replace(t):
        raise NotExact(f"changes a {name}, which has a _replace() of its own")
    unknown = changes.keys() - set(t.field_names)
    if unknown:
        raise NotExact(f"calls {name}._replace() with {min(unknown)!r}, which always fails")
    parts = [
        conform_exactly(changes.get(own, field), field_type, f"{name}.{own}")
        for own, field, field_type in zip(t.field_names, fields, t.field_types, strict=True)
    ]
    return having_evaluated([not_null(value)], struct(parts, t))


def has_plain_replace(t: RecordTypeInfo[Any]) -> bool:
    """Return whether ``_replace`` of a type of named tuples does nothing but copy."""
    cls: Any = t.record_class
    return t.kind is RecordKind.NAMED_TUPLE and all(
        _code(getattr(cls, name)) == _code(getattr(_Plain, name)) for name in ("_replace", "_make")
    )


def _code(method: Any) -> Any:
    return getattr(getattr(method, "__func__", method), "__code__", method)


def check_is_replaceable(t: RecordTypeInfo[Any]) -> None:
    """Refuse records whose class does more than copy the other fields when one is replaced.

    Raises:
        NotExact: it does more.
    """
    element = argument(t, 0)
    if t.kind is RecordKind.NAMED_TUPLE:
        tuple_replaced(element, {})
    elif t.kind is not RecordKind.TYPED_DICT:
        call_class(t.record_class, parts_of(element), {})


def is_replaceable(t: RecordTypeInfo[Any]) -> bool:
    """Return whether replacing a field of a record does nothing but copy the others."""
    try:
        check_is_replaceable(t)
    except NotExact:
        return False
    return True
