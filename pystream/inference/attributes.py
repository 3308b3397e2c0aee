"""Attributes of values and of known objects."""

from __future__ import annotations

import inspect
from enum import Enum
from functools import cached_property
from types import ClassMethodDescriptorType, FunctionType, ModuleType
from typing import Any

from pystream.inference.conversions import class_of, name_of, opened, typed
from pystream.inference.signatures import SAMPLES, value_of
from pystream.inference.unions import joined
from pystream.inference.values import (
    NEVER,
    Bound,
    Instance,
    Never,
    Provided,
    RowOf,
    StateOf,
    Static,
    Unknown,
    Value,
    maybe,
    present,
)
from typeinfo.annotations import Context, class_scope, own_annotations
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.extended import EnumTypeInfo
from typeinfo.infer import infer

__all__ = ["attribute", "opaque"]


def attribute(owner: Value, name: str) -> Value:
    """Return an attribute of a value; a property, or a method, as a bound function."""
    owner = present(owner)
    if isinstance(owner, Static):
        return _of_object(owner, name)
    if isinstance(owner, (Unknown, Never)):
        return owner
    if isinstance(owner, Provided) and name in owner.attributes:
        return owner.attributes[name]
    if isinstance(owner, (Provided, StateOf)):
        return Bound(owner, name)
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
    found = getattr(SAMPLES.get(cls), name, None)
    if found is not None and not callable(found):
        return typed(Static(found))
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
