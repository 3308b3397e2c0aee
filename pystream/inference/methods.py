"""Results of the methods of Python's own classes, and their changes of containers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pystream.inference.conversions import class_of, name_of, typed
from pystream.inference.items import add_entry, add_item, field_of, fields_of, item
from pystream.inference.signatures import METHODS, value_of
from pystream.inference.unions import element_of, joined, joined_all
from pystream.inference.values import (
    NONE,
    DictOf,
    Items,
    ListOf,
    RowOf,
    SetOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    maybe,
)
from typeinfo.basic import LONG
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo

__all__ = ["method_result"]


def method_result(owner: Value, name: str, arguments: list[Value]) -> Value:
    """Return the result of a method that is not written in Python."""
    owner = typed(owner)
    found: Value | None
    match owner:
        case ListOf():
            found = _of_list(owner, name, arguments)
        case DictOf():
            found = _of_dict(owner, name, arguments)
        case SetOf():
            found = _of_set(owner, name, arguments)
        case RowTypeInfo() | RowOf() if name in ("get_field_names", "set_row_kind"):
            found = NONE if name == "set_row_kind" else ListOf(value_of(str))
        case RowTypeInfo(field_names=tuple()) | RowOf(names=tuple()) if name == "as_dict":
            found = fields_of(owner)
        case RecordTypeInfo(kind=RecordKind.TYPED_DICT) if name in ("get", "pop") and arguments:
            found = _of_typed_dict(owner, arguments)
        case TupleOf() if name in ("count", "index"):
            found = LONG
        case _:
            cls = class_of(owner)
            known = METHODS.get(cls, {}) if cls is not None else {}
            found = value_of(known[name]) if name in known else None
    return found or Unknown(f"calls .{name}() of {name_of(owner)}, whose result is not known")


def _of_list(owner: ListOf, name: str, arguments: list[Value]) -> Value | None:
    if name in ("append", "appendleft", "insert") and arguments:
        add_item(owner, arguments[-1])
        return NONE
    if name in ("extend", "extendleft") and arguments:
        add_item(owner, element_of(arguments[0]))
        return NONE
    results: dict[str, Value] = {
        **dict.fromkeys(("clear", "remove", "reverse", "rotate", "sort"), NONE),
        **dict.fromkeys(("count", "index"), LONG),
        **dict.fromkeys(("pop", "popleft"), owner.element),
        "copy": ListOf(owner.element, owner.own_type, cls=owner.cls),
    }
    return results.get(name)


def _of_dict(owner: DictOf, name: str, arguments: list[Value]) -> Value | None:
    if name in ("get", "pop") and arguments:
        found = item(owner, arguments[0]) if owner.items else owner.value
        other = arguments[1] if len(arguments) > 1 else NONE
        return found if name == "pop" and len(arguments) == 1 else joined(found, other)
    if name == "setdefault" and len(arguments) == 2:
        add_entry(owner, *arguments)
        return owner.value
    if name in ("update", "subtract") and len(arguments) == 1:
        if isinstance(arguments[0], DictOf):
            add_entry(owner, arguments[0].key, arguments[0].value)
        elif owner.cls is Counter:
            owner.key = joined(owner.key, element_of(arguments[0]))
        return NONE
    results: dict[str, Value] = {
        "keys": Items(owner.key),
        "values": Items(owner.value),
        "items": Items(TupleOf((owner.key, owner.value))),
        "copy": DictOf(owner.key, owner.value, cls=owner.cls),
        "clear": NONE,
        "popitem": TupleOf((owner.key, owner.value)),
        "move_to_end": NONE,
        "most_common": ListOf(TupleOf((owner.key, owner.value))),
        "elements": Items(owner.key),
        "total": LONG,
    }
    return results.get(name)


def _of_set(owner: SetOf, name: str, arguments: list[Value]) -> Value | None:
    if name == "add" and arguments:
        owner.element = joined(owner.element, arguments[0])
        return NONE
    if name in ("difference", "intersection", "copy", "symmetric_difference"):
        return SetOf(owner.element, owner.frozen)
    if name in ("union", "update"):
        element = joined_all([owner.element, *map(element_of, arguments)])
        if name == "union":
            return SetOf(element, owner.frozen)
        owner.element = element
        return NONE
    results: dict[str, Value] = {
        **dict.fromkeys(("clear", "discard", "remove"), NONE),
        **dict.fromkeys(("isdisjoint", "issubset", "issuperset"), value_of(bool)),
        "pop": owner.element,
    }
    return results.get(name)


def _of_typed_dict(owner: RecordTypeInfo[Any], arguments: list[Value]) -> Value:
    found = field_of(owner, arguments[0].value if isinstance(arguments[0], Static) else None)
    return joined(found, arguments[1]) if len(arguments) > 1 else maybe(found)
