"""Items, slices and fields of values, read and set."""

from __future__ import annotations

import re
from typing import Any

from pystream.inference.conversions import class_of, name_of, opened, typed
from pystream.inference.signatures import value_of
from pystream.inference.unions import element_of, joined, joined_all
from pystream.inference.values import (
    DictOf,
    ListOf,
    Never,
    RowOf,
    StateOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    maybe,
    present,
)
from typeinfo.basic import STRING
from typeinfo.carried import VariadicTupleTypeInfo
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo

__all__ = ["add_entry", "add_item", "field_of", "fields_of", "item", "set_item", "sliced"]


def item(owner: Value, index: Value) -> Value:
    """Return an item of a value."""
    owner = typed(present(owner))
    position = index.value if isinstance(index, Static) else None
    match owner:
        case Unknown() | Never():
            return owner
        case TupleOf(parts=parts):
            return _at(parts, position) or element_of(owner)
        case RowOf(parts=parts, names=names):
            if names is not None and position in names:
                return parts[names.index(position)]
            return _at(parts, position) or Unknown("reads a field that depends on a value")
        case FieldsTypeInfo():
            return field_of(owner, position)
        case ListOf(parts=tuple() as parts):
            return _at(parts, position) or owner.element
        case ListOf() | VariadicTupleTypeInfo() | PrimitiveArrayTypeInfo():
            return element_of(owner)
        case StateOf(content=content):
            return item(content, index)
        case DictOf(items=items, value=value):
            return items[position] if items and position in items else value
    if class_of(owner) in (str, re.Match):
        return value_of(str)
    return Unknown(f"reads an item of {name_of(owner)}")


def _at(parts: tuple[Value, ...], position: Any) -> Value | None:
    if type(position) is int and -len(parts) <= position < len(parts):
        return parts[position]
    return None


def field_of(owner: FieldsTypeInfo[Any], position: Any) -> Value:
    """Return a field of a record or row by its name or position."""
    names, types = owner.get_field_names(), owner.field_types
    by_name = isinstance(owner, RowTypeInfo) or (
        isinstance(owner, RecordTypeInfo) and owner.kind is RecordKind.TYPED_DICT
    )
    if by_name and position in names:
        value = opened(types[names.index(position)])
        return maybe(value) if isinstance(owner, RowTypeInfo) else value
    by_position = isinstance(owner, RowTypeInfo) or (
        isinstance(owner, RecordTypeInfo) and owner.kind is RecordKind.NAMED_TUPLE
    )
    found = _at(tuple(map(opened, types)), position) if by_position else None
    if found is None:
        return Unknown(f"reads a field of {name_of(owner)} that depends on a value")
    return maybe(found) if isinstance(owner, RowTypeInfo) else found


def fields_of(owner: FieldsTypeInfo[Any] | RowOf) -> DictOf:
    """Return the fields of a record or row, or of a row that is made, as a dict."""
    if isinstance(owner, RowOf):
        items = dict(zip(owner.names or (), owner.parts, strict=True))
    else:
        parts = map(opened, owner.field_types)
        nullable = isinstance(owner, RowTypeInfo)
        items = {
            name: maybe(part) if nullable else part
            for name, part in zip(owner.get_field_names(), parts, strict=True)
        }
    return DictOf(STRING, joined_all(items.values()), items)


def sliced(owner: Value, bounds: slice | None) -> Value:
    """Return a slice of a value; ``bounds`` are those that are known."""
    owner = typed(present(owner))
    match owner:
        case TupleOf(parts=parts) if bounds is not None:
            return TupleOf(parts[bounds])
        case RowOf() | RowTypeInfo() | ListOf():
            return ListOf(element_of(owner))
    if isinstance(owner, Unknown) or class_of(owner) in (str, bytes):
        return value_of(str) if class_of(owner) is str else owner
    return Unknown(f"slices {name_of(owner)}")


def add_item(owner: ListOf, element: Value) -> None:
    """Add an element to a list."""
    owner.element, owner.own_type, owner.parts = joined(owner.element, element), None, None


def add_entry(owner: DictOf, key: Value, value: Value) -> None:
    """Add an entry to a dict."""
    owner.key, owner.value = joined(owner.key, key), joined(owner.value, value)


def set_item(owner: Value, index: Value, value: Value) -> None:
    """Set an item of a list or dict."""
    match owner:
        case DictOf():
            add_entry(owner, index, value)
            if owner.items is not None and isinstance(index, Static):
                owner.items[index.value] = value
        case ListOf(parts=parts):
            add_item(owner, value)
            at = index.value if isinstance(index, Static) else None
            if parts is not None and type(at) is int and -len(parts) <= at < len(parts):
                at %= len(parts)
                owner.parts = (*parts[:at], joined(parts[at], value), *parts[at + 1 :])
        case StateOf(content=content, is_declared=False):
            set_item(content, index, value)
