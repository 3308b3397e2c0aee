"""Results of Python's operators, attributes, items and methods on values as inference follows them."""

from __future__ import annotations

import ast
import datetime
import decimal
import inspect
import re
from collections import Counter
from enum import Enum
from functools import cached_property
from types import ClassMethodDescriptorType, FunctionType, ModuleType
from typing import Any, TypeGuard

from pystream.inference.signatures import ATTRIBUTES, METHODS, value_of
from pystream.inference.values import (
    NEVER,
    NONE,
    Bound,
    DictOf,
    Instance,
    Items,
    ListOf,
    Never,
    Provided,
    RowOf,
    SetOf,
    StateOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    element_of,
    joined,
    joined_all,
    maybe,
    opened,
    present,
    typed,
)
from typeinfo.annotations import Context, class_scope, own_annotations
from typeinfo.basic import LONG, STRING
from typeinfo.carried import VariadicTupleTypeInfo
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.extended import EnumTypeInfo
from typeinfo.infer import infer
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = [
    "attribute",
    "binary",
    "class_of",
    "fields_of",
    "item",
    "method_result",
    "name_of",
    "negated",
    "opaque",
    "sliced",
]

_NUMBERS = (bool, int, float)
_INTEGERS = (bool, int)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow)
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)


def class_of(value: Value) -> type[Any] | None:
    """Return the class of a value, if it is known."""
    match typed(value):
        case TypeInformation() as t:
            return t.value_class
        case TupleOf():
            return tuple
        case ListOf(cls=cls) | DictOf(cls=cls):
            return cls
        case SetOf(frozen=frozen):
            return frozenset if frozen else set
        case RowOf():
            return Row
        case Instance(cls=cls):
            return cls
        case Static(value=constant):
            return type(constant)
    return None


def name_of(value: Value) -> str:
    """Return the class of a value, for messages."""
    cls = class_of(value)
    return "an unknown value" if cls is None else cls.__qualname__


def negated(value: Value) -> Value:
    """Return the result of ``-``, ``+`` or ``~``."""
    value = typed(present(value))
    cls = class_of(value)
    if isinstance(value, Unknown) or cls in (datetime.timedelta, decimal.Decimal):
        return value
    if cls in _NUMBERS:
        return value_of(float if cls is float else int)
    return Unknown(f"negates {name_of(value)}")


def binary(sign: type[ast.operator], left: Value, right: Value) -> Value:
    """Return the result of a binary operator."""
    a, b = typed(present(left)), typed(present(right))
    for value in (a, b):
        if isinstance(value, (Unknown, Never)):
            return value
    one, two = class_of(a), class_of(b)
    found = _binary(sign, a, b, one, two)
    if found is None:
        return Unknown(f"computes with {name_of(a)} and {name_of(b)}")
    return found


def _binary(
    sign: type[ast.operator], a: Value, b: Value, one: type[Any] | None, two: type[Any] | None
) -> Value | None:
    if one in _NUMBERS and two in _NUMBERS:
        return _of_numbers(sign, one, two)
    if sign is ast.Mod and one in (str, bytes):
        return value_of(one)
    if sign is ast.Add and one is two:
        match a, b:
            case (TupleOf(parts=left), TupleOf(parts=right)):
                return TupleOf((*left, *right))
            case (ListOf(), ListOf()):
                return ListOf(joined(a.element, b.element))
    if sign is ast.Add and one is two and one in (str, bytes):
        return value_of(one)
    if sign is ast.Mult and _INTEGERS_OR_NONE.issuperset({one, two} - {str, bytes, list}):
        repeated = b if one in _INTEGERS else a
        cls = class_of(repeated)
        return ListOf(element_of(repeated)) if isinstance(repeated, ListOf) else value_of(cls)
    if sign in (*_BITWISE, ast.Sub) and isinstance(a, SetOf) and isinstance(b, SetOf):
        return SetOf(joined(a.element, b.element), a.frozen)
    if sign is ast.BitOr and isinstance(a, DictOf) and isinstance(b, DictOf):
        return DictOf(joined(a.key, b.key), joined(a.value, b.value))
    return _of_times(sign, one, two)


_INTEGERS_OR_NONE = frozenset({bool, int})


def _of_numbers(sign: type[ast.operator], one: type[Any], two: type[Any]) -> Value | None:
    if sign in _BITWISE and one is two is bool:
        return value_of(bool)
    if float in (one, two) or sign is ast.Div:
        return value_of(float) if sign in (*_ARITHMETIC, ast.Div) else None
    return value_of(int)


def _of_times(sign: type[ast.operator], one: type[Any] | None, two: type[Any] | None) -> Value | None:
    date, time, span = datetime.date, datetime.datetime, datetime.timedelta
    if {one, two} <= {decimal.Decimal, int, bool} and sign in (*_ARITHMETIC, ast.Div):
        return value_of(decimal.Decimal)
    if sign is ast.Sub and one is two and one in (date, time):
        return value_of(span)
    if sign in (ast.Add, ast.Sub) and one in (date, time, span) and two is span:
        return value_of(one)
    if sign is ast.Add and one is span and two in (date, time):
        return value_of(two)
    if one is two is span:
        results = {ast.Div: float, ast.FloorDiv: int, ast.Mod: span}
        return value_of(results[sign]) if sign in results else None
    if sign in (ast.Mult, ast.Div, ast.FloorDiv) and one is span and two in _NUMBERS:
        return value_of(span)
    if sign is ast.Mult and one in _NUMBERS and two is span:
        return value_of(span)
    return None


def attribute(owner: Value, name: str) -> Value:
    """Return an attribute of a value; a property, or a method, as a bound function."""
    owner = present(owner)
    if isinstance(owner, Static):
        return _of_object(owner, name)
    if isinstance(owner, (Unknown, Never)):
        return owner
    if isinstance(owner, (Provided, StateOf)):
        return owner.attributes[name] if _has_attribute(owner, name) else Bound(owner, name)
    if isinstance(owner, RowOf) and owner.names is not None and name in owner.names:
        return owner.parts[owner.names.index(name)]
    if isinstance(owner, RowTypeInfo) and owner.field_names is not None and name in owner.field_names:
        return maybe(opened(owner.field_types[owner.field_names.index(name)]))
    if isinstance(owner, RecordTypeInfo) and owner.kind is not RecordKind.TYPED_DICT:
        if name in owner.field_names:
            return opened(owner.field_types[owner.field_names.index(name)])
        return _of_class(owner, owner.record_class, name)
    if isinstance(owner, EnumTypeInfo):
        return _of_member(owner, name)
    cls = class_of(owner)
    known = {} if cls is None else ATTRIBUTES.get(cls, {})
    if name in known:
        return value_of(known[name])
    if isinstance(owner, Instance):
        return owner.attributes.get(name) or _of_class(owner, owner.cls, name)
    if cls is not None and inspect.getattr_static(cls, name, None) is not None:
        return Bound(owner, name)
    return Unknown(f"reads .{name} of {name_of(owner)}")


def opaque(callee: Value) -> Unknown:
    """Return the result of calling what nothing is known of."""
    called = callee.value if isinstance(callee, Static) else None
    name = getattr(called, "__qualname__", None) or name_of(callee)
    return Unknown(f"calls {name}, whose result is not known")


def _has_attribute(owner: Provided | StateOf, name: str) -> TypeGuard[Provided]:
    return isinstance(owner, Provided) and name in owner.attributes


def _of_member(owner: EnumTypeInfo[Any], name: str) -> Value:
    if name == "name":
        return value_of(str)
    if name == "value":
        value: Value = NEVER
        for member in owner.enum_class:
            value = joined(value, typed(Static(member.value)))
        return value
    return _of_class(owner, owner.enum_class, name)


def _of_object(owner: Static, name: str) -> Value:
    value = owner.value
    if isinstance(value, ModuleType):
        if name in vars(value):
            return Static(vars(value)[name])
        return Unknown(f"uses {name} of the module {value.__name__!r}, which is not loaded")
    if not isinstance(value, type) and name in getattr(value, "__dict__", {}):
        return Static(vars(value)[name])
    found = inspect.getattr_static(value, name, _MISSING)
    if found is _MISSING:
        return Unknown(f"reads .{name} of {name_of(owner)}, which is set elsewhere")
    if isinstance(value, type):
        if issubclass(value, Enum) and name in value.__members__:
            return Static(value.__members__[name])
        if isinstance(found, classmethod) and isinstance(found.__func__, FunctionType):
            return Bound(owner, name, found.__func__)
        if isinstance(found, ClassMethodDescriptorType):
            return Static(getattr(value, name))
        return Static(found.__func__ if isinstance(found, staticmethod) else found)
    return _of_class(owner, type(value), name)


_MISSING = object()


def _of_class(owner: Value, cls: type[Any], name: str) -> Value:
    """Return an attribute of an object by that of its class."""
    match inspect.getattr_static(cls, name, _MISSING):
        case FunctionType() as function:
            return Bound(owner, name, function)
        case property(fget=FunctionType() as getter) | cached_property(func=FunctionType() as getter):
            return Bound(owner, "", getter)
        case classmethod(__func__=FunctionType() as function):
            return Bound(Static(cls), name, function)
        case staticmethod(__func__=function):
            return Static(function)
        case found if found is not _MISSING and callable(found):
            return Bound(owner, name)
        case found if found is not _MISSING and not hasattr(type(found), "__get__"):
            return Static(found)
    for base in cls.__mro__:
        if name in (annotations := own_annotations(base)):
            return _annotated(annotations[name], base)
    return Unknown(f"reads .{name} of {cls.__qualname__}")


def _annotated(annotation: Any, cls: type[Any]) -> Value:
    """Return an attribute that a class declares by an annotation."""
    try:
        return opened(infer(annotation, Context(class_scope(cls)), cls.__qualname__))
    except TypeInferenceError:
        return (
            Instance(annotation) if isinstance(annotation, type) else Unknown("reads a value without a type")
        )


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
            return _field(owner, position)
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


def _field(owner: FieldsTypeInfo[Any], position: Any) -> Value:
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
        owner.add(arguments[-1])
        return NONE
    if name in ("extend", "extendleft") and arguments:
        owner.add(element_of(arguments[0]))
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
        owner.key, owner.value = joined(owner.key, arguments[0]), joined(owner.value, arguments[1])
        return owner.value
    if name in ("update", "subtract") and len(arguments) == 1:
        if isinstance(arguments[0], DictOf):
            owner.key = joined(owner.key, arguments[0].key)
            owner.value = joined(owner.value, arguments[0].value)
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
    if name == "union":
        element = owner.element
        for argument in arguments:
            element = joined(element, element_of(argument))
        return SetOf(element, owner.frozen)
    if name == "update":
        for argument in arguments:
            owner.element = joined(owner.element, element_of(argument))
        return NONE
    results: dict[str, Value] = {
        **dict.fromkeys(("clear", "discard", "remove"), NONE),
        **dict.fromkeys(("isdisjoint", "issubset", "issuperset"), value_of(bool)),
        "pop": owner.element,
    }
    return results.get(name)


def _of_typed_dict(owner: RecordTypeInfo[Any], arguments: list[Value]) -> Value:
    found = _field(owner, arguments[0].value if isinstance(arguments[0], Static) else None)
    return joined(found, arguments[1]) if len(arguments) > 1 else maybe(found)
