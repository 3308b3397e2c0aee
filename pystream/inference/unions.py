"""Unions: values that are one of several, such as any element of a collection."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import reduce
from typing import Any

from pystream.inference.conversions import opened, type_of_value, typed
from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    DictOf,
    Emitted,
    Instance,
    Items,
    ListOf,
    Maybe,
    Never,
    RowOf,
    SetOf,
    StateOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    maybe,
    present,
)
from typeinfo.basic import BIG_INT, LONG, STRING
from typeinfo.carried import VariadicTupleTypeInfo
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.scalar import INFERRED, ScalarTypeInfo

__all__ = ["element_of", "emitted", "joined", "joined_all"]


def element_of(value: Value) -> Value:
    """Return any element of a value that is iterated over."""
    match typed(value):
        case Unknown() | Never() as same:
            return same
        case TupleOf(parts=parts):
            return joined_all(parts)
        case ListOf(element=element) | SetOf(element=element) | Items(element=element):
            return element
        case DictOf(key=key):
            return key
        case VariadicTupleTypeInfo(element_type=element):
            return opened(element)
        case RecordTypeInfo(kind=RecordKind.NAMED_TUPLE) as record:
            return joined_all(map(opened, record.field_types))
        case RowTypeInfo() as row:
            return joined_all([maybe(opened(part)) for part in row.field_types])
        case RowOf(parts=parts):
            return joined_all(parts)
        case StateOf(content=content):
            return element_of(content)
        case PrimitiveArrayTypeInfo():
            return LONG
        case ScalarTypeInfo() as scalar if scalar.value_class is str:
            return STRING
        case Static(value=range()):
            return LONG
    return Unknown("loops over values of unknown type")


def _tag_of(value: Value) -> str | None:
    """Return the id of the output tag, if a value is a pair of one and a result for that side output."""
    match value:
        case TupleOf(parts=(Static(value=tag), _)):
            found = None if isinstance(tag, type) else inspect.getattr_static(tag, "tag_id", None)
            return None if found is None else str(tag.tag_id)
    return None


def emitted(value: Value) -> Emitted:
    """Return a result as one of an output: a pair with an output tag is of that side output."""
    match value:
        case Emitted():
            return value
        case TupleOf(parts=(_, result)) if (tag := _tag_of(value)) is not None:
            return Emitted(NEVER, {tag: result})
    return Emitted(value, {})


def joined_all(values: Iterable[Value]) -> Value:
    """Return a value that is one of several."""
    start: Value = NEVER
    return reduce(joined, values, start)


def joined(a: Value, b: Value) -> Value:
    """Return a value that is one of two, which have a common type or none."""
    if a is b or a == b or isinstance(b, Never):
        return a
    if isinstance(a, Never):
        return b
    if _is_emitted(a) or _is_emitted(b):
        one, two = emitted(a), emitted(b)
        tags = {**one.sides, **two.sides}
        sides = {tag: joined(one.sides.get(tag, NEVER), two.sides.get(tag, NEVER)) for tag in tags}
        return Emitted(joined(one.main, two.main), sides)
    for value in (a, b):
        if isinstance(value, Unknown):
            return value
    if NONE in (a, b):
        return maybe(b if a == NONE else a)
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return maybe(joined(present(a), present(b)))
    return _joined(typed(a), typed(b))


def _is_emitted(value: Value) -> bool:
    return isinstance(value, Emitted) or _tag_of(value) is not None


def _joined(a: Value, b: Value) -> Value:
    if a == b:
        return a
    match a, b:
        case (TupleOf(parts=one), TupleOf(parts=two)) if len(one) == len(two):
            return TupleOf(tuple(map(joined, one, two)))
        case (RowOf(), RowOf()) if a.names == b.names and len(a.parts) == len(b.parts):
            return RowOf(a.names, tuple(map(joined, a.parts, b.parts)))
        case (ListOf(), ListOf()) if a.cls is b.cls:
            own_type = a.own_type if a.own_type == b.own_type else None
            return ListOf(joined(a.element, b.element), own_type, cls=a.cls)
        case (SetOf(), SetOf()) if a.frozen == b.frozen:
            return SetOf(joined(a.element, b.element), a.frozen)
        case (DictOf(), DictOf()) if a.cls is b.cls:
            return DictOf(joined(a.key, b.key), joined(a.value, b.value), cls=a.cls)
        case (Instance(), Instance()) if a.cls is b.cls:
            return a
        case (Items(element=one), Items(element=two)):
            return Items(joined(one, two))
        case (Awaitable(result=one), Awaitable(result=two)):
            return Awaitable(joined(one, two))
        case (ScalarTypeInfo(), ScalarTypeInfo()) if a.value_class is b.value_class:
            return _wider(a, b)
    left, right = type_of_value(a), type_of_value(b)
    for found in (left, right):
        if isinstance(found, Unknown):
            return found
    if left == right:
        return left
    return Unknown(f"has values of two types, {left} and {right}")


def _wider(a: ScalarTypeInfo[Any], b: ScalarTypeInfo[Any]) -> Value:
    """Return the type of values that two types of the same class hold together."""
    return BIG_INT if BIG_INT in (a, b) else INFERRED.get(a.value_class, a)
