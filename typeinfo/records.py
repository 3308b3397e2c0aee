"""Inspect record classes and instances: kinds, fields as written, attributes.

attrs and pydantic classes are recognised by their special attributes; neither package is imported.
"""

from __future__ import annotations

import copy
import dataclasses
import typing
from collections.abc import Callable, Mapping
from struct import calcsize
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import typing_extensions
from typing_extensions import is_typeddict

from typeinfo.annotations import Context, contexts_of, own_annotations
from typeinfo.composite import RecordKind

__all__ = [
    "MISSING",
    "QUALIFIERS",
    "RecordField",
    "attribute_names",
    "attributes_of",
    "compared_names",
    "field_default",
    "is_frozen",
    "is_plain",
    "may_be_missing",
    "record_fields",
    "record_kind",
    "slots_of",
    "uncarried_state",
    "value_names",
    "with_added",
    "with_attributes",
]

_REQUIRED = (typing.Required, typing_extensions.Required)
_NOT_REQUIRED = (typing.NotRequired, typing_extensions.NotRequired)
QUALIFIERS = frozenset({typing.Final, typing_extensions.ReadOnly, *_REQUIRED, *_NOT_REQUIRED})
"""Qualifiers of annotations in class bodies, which do not change the values."""


MISSING: Any = dataclasses.MISSING
"""Stands for the default of a field that has none."""


class RecordField(NamedTuple):
    """One field of a record class.

    Attributes:
        name: the field's name.
        owner: the class whose body its annotation is written in.
        annotation: the annotation; ``None`` if there is none.
    """

    name: str
    owner: type[Any]
    annotation: Any


def record_kind(cls: Any) -> RecordKind | None:
    """Return the kind of a record class, ``None`` for other classes."""
    if is_typeddict(cls):
        return RecordKind.TYPED_DICT
    if not isinstance(cls, type):
        return None
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return RecordKind.NAMED_TUPLE
    if dataclasses.is_dataclass(cls):
        return RecordKind.DATACLASS
    if hasattr(cls, "__attrs_attrs__"):
        return RecordKind.ATTRS
    return RecordKind.PYDANTIC if hasattr(cls, "__pydantic_fields__") else None


def attribute_names(cls: Any) -> list[str] | None:
    """Return the names of the fields that are attributes, ``None`` if the class has none of that kind."""
    match record_kind(cls):
        case RecordKind.DATACLASS:
            return [field.name for field in dataclasses.fields(cls)]
        case RecordKind.ATTRS:
            return [attribute.name for attribute in cls.__attrs_attrs__]
        case RecordKind.PYDANTIC:
            return list(cls.__pydantic_fields__)
    return None


def compared_names(cls: Any) -> list[str] | None:
    """Return the fields among ``attribute_names`` that the class's generated ``==`` compares."""
    match record_kind(cls):
        case RecordKind.DATACLASS:
            return [field.name for field in dataclasses.fields(cls) if field.compare]
        case RecordKind.ATTRS:
            return [attribute.name for attribute in cls.__attrs_attrs__ if attribute.eq]
    return attribute_names(cls)


def value_names(cls: Any) -> list[str] | None:
    """Return the fields among ``attribute_names`` that are compared or passed to the constructor."""
    match record_kind(cls):
        case RecordKind.DATACLASS:
            return [field.name for field in dataclasses.fields(cls) if field.compare or field.init]
        case RecordKind.ATTRS:
            return [attribute.name for attribute in cls.__attrs_attrs__ if attribute.eq or attribute.init]
    return attribute_names(cls)


def is_frozen(cls: Any) -> bool:
    """Return whether the fields of an attrs class or pydantic model are read-only."""
    if record_kind(cls) is RecordKind.PYDANTIC:
        return bool(cls.model_config.get("frozen"))
    return getattr(cls.__setattr__, "__name__", "") == "_frozen_setattrs"


def uncarried_state(cls: Any, kind: RecordKind) -> str | None:
    """Return the reason why instances of a record class hold more than their fields, else ``None``."""
    if kind is not RecordKind.PYDANTIC:
        return None
    if cls.__private_attributes__:
        return f"its private attributes {list(cls.__private_attributes__)} would be lost; make them fields"
    if cls.model_config.get("extra") == "allow":
        return 'fields it does not declare (extra="allow") would be lost; declare a dict field for them'
    return None


def record_fields(cls: Any, kind: RecordKind, context: Context) -> list[RecordField]:
    """Return the fields of a record class in definition order, including inherited ones.

    A dataclass's ``ClassVar`` and ``InitVar`` are not fields: a value does not hold them. The fields of a
    pydantic model are as evaluated by pydantic, with the type arguments of generic classes filled in.
    """
    match kind:
        case RecordKind.DATACLASS:
            fields = dataclasses.fields(cls)
            return [_written(cls, field.name, "__dataclass_fields__", field.type) for field in fields]
        case RecordKind.NAMED_TUPLE:
            return [_written(cls, name, "_fields", None) for name in cls._fields]
        case RecordKind.ATTRS:
            return [_written(cls, a.name, "__attrs_attrs__", a.type) for a in cls.__attrs_attrs__]
        case RecordKind.PYDANTIC:
            return [
                RecordField(name, cls, Annotated[(f.annotation, *f.metadata)] if f.metadata else f.annotation)
                for name, f in cls.__pydantic_fields__.items()
            ]
        case RecordKind.TYPED_DICT:
            return _typed_dict_fields(cls, context)


def _written(cls: type[Any], name: str, mark: str, otherwise: Any) -> RecordField:
    """Find a field's annotation in the nearest base that is a record itself; plain bases are skipped."""
    for base in cls.__mro__:
        annotations = own_annotations(base)
        if name in annotations and mark in vars(base):
            written = annotations[name]
            return RecordField(name, base, type(None) if written is None else written)
    return RecordField(name, cls, otherwise)


def _typed_dict_fields(cls: Any, context: Context) -> list[RecordField]:
    annotations = own_annotations(cls)
    owners: dict[str, Any] = dict.fromkeys(annotations, cls)
    for base in contexts_of(cls, context):
        if base is not cls and is_typeddict(base):
            owners |= dict.fromkeys(own_annotations(base).keys() & owners.keys(), base)
    return [RecordField(name, owners[name], written) for name, written in annotations.items()]


def may_be_missing(annotation: Any, otherwise: bool) -> bool:
    """Return whether a TypedDict's key is optional, from the qualifiers in its evaluated annotation.

    The class's own ``__optional_keys__`` does not know of qualifiers written inside a string.

    Args:
        annotation: the annotation of the key.
        otherwise: the result if there is no qualifier.
    """
    while (origin := get_origin(annotation)) in QUALIFIERS or origin is Annotated:
        if origin in _NOT_REQUIRED:
            return True
        if origin in _REQUIRED:
            return False
        annotation = get_args(annotation)[0]
    return otherwise


# The attributes of any instances, in their dict and their slots.


def is_plain(cls: type[Any]) -> bool:
    """Return whether instances consist only of attributes, unlike those of classes written in C."""
    words = len(slots_of(cls)) + (cls.__dictoffset__ > 0) + (cls.__weakrefoffset__ > 0)
    return not cls.__itemsize__ and cls.__basicsize__ == object.__basicsize__ + words * calcsize("P")


def slots_of(cls: type[Any]) -> list[str]:
    """Return the names of the attributes in ``__slots__``, with private names mangled."""
    found: list[str] = []
    for base in cls.__mro__:
        slots = vars(base).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            is_hidden = slot.startswith("__") and not slot.endswith("__")
            found.append(f"_{base.__name__.lstrip('_')}{slot}" if is_hidden else slot)
    return [slot for slot in found if slot not in ("__dict__", "__weakref__")]


def attributes_of(value: Any) -> dict[str, Any]:
    """Return the attributes of an instance, from its dict and its slots."""
    held = {name: getattr(value, name) for name in slots_of(type(value)) if hasattr(value, name)}
    return held | getattr(value, "__dict__", {})


def with_attributes(value: Any, changed: Mapping[str, Any]) -> Any:
    """Return a shallow copy of an instance with other attributes, bypassing its ``__setattr__``."""
    other = copy.copy(value)
    for name, part in changed.items():
        object.__setattr__(other, name, part)
    return other


def field_default(cls: Any, kind: RecordKind, name: str) -> Any:
    """Return a function that makes the default of a field, or ``MISSING``."""
    match kind:
        case RecordKind.DATACLASS:
            field = cls.__dataclass_fields__[name]
            if field.default_factory is not MISSING:
                return field.default_factory
            return MISSING if field.default is MISSING else lambda: field.default
        case RecordKind.NAMED_TUPLE:
            return (lambda: cls._field_defaults[name]) if name in cls._field_defaults else MISSING
        case RecordKind.ATTRS:
            default = next(a.default for a in cls.__attrs_attrs__ if a.name == name)
            if hasattr(default, "factory"):
                return MISSING if default.takes_self else default.factory
            return MISSING if type(default).__name__ == "_Nothing" else lambda: default
        case RecordKind.PYDANTIC:
            model_field = cls.__pydantic_fields__[name]
            if model_field.is_required():
                return MISSING
            return lambda: model_field.get_default(call_default_factory=True)
        case RecordKind.TYPED_DICT:
            return MISSING


def with_added(
    kind: RecordKind,
    defaults: Mapping[str, Callable[[], Any]],
    changed: Mapping[str, Callable[[Any], Any]],
    value: Any,
) -> Any:
    """Return a record with the defaults of added fields, and with some of its fields changed.

    Args:
        kind: the kind of its class.
        defaults: makes the default of each added field.
        changed: returns the new value of a field.
        value: the record, changed in place unless it is a tuple.
    """
    if value is None:
        return None
    if kind is RecordKind.NAMED_TUPLE:
        return value._replace(**{name: change(getattr(value, name)) for name, change in changed.items()})
    if kind is RecordKind.TYPED_DICT:
        value.update({name: make() for name, make in defaults.items()})
        value.update({name: change(value[name]) for name, change in changed.items() if name in value})
        return value
    for name, make in defaults.items():
        _set_attribute(value, name, make())
    for name, change in changed.items():
        _set_attribute(value, name, change(getattr(value, name)))
    return value


def _set_attribute(value: Any, name: str, new: Any) -> None:
    attributes = getattr(value, "__dict__", None)
    if attributes is None:
        object.__setattr__(value, name, new)
    else:
        attributes[name] = new
