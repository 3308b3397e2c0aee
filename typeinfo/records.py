"""Record classes taken apart: which of the three kinds a class is, and its fields as written."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, cast, get_args, get_origin

import typing_extensions
from typing_extensions import is_typeddict

from typeinfo.annotations import Context, contexts_of, own_annotations
from typeinfo.composite import RecordKind

__all__ = [
    "QUALIFIERS",
    "RecordField",
    "may_be_missing",
    "record_fields",
    "record_kind",
    "uncarried_arguments",
]

_REQUIRED = (typing.Required, typing_extensions.Required)
_NOT_REQUIRED = (typing.NotRequired, typing_extensions.NotRequired)
QUALIFIERS = frozenset({typing.Final, typing_extensions.ReadOnly, *_REQUIRED, *_NOT_REQUIRED})
"""What may stand around an annotation in a class body without changing the values."""


class RecordField(NamedTuple):
    """One field of a record class.

    Attributes:
        name: the field's name.
        owner: the class whose body its annotation is written in.
        annotation: what is written there; ``None`` where nothing is.
    """

    name: str
    owner: type[Any]
    annotation: Any


def record_kind(cls: Any) -> RecordKind | None:
    """Return which kind of record a class is, or ``None`` if it is none."""
    if is_typeddict(cls):
        return RecordKind.TYPED_DICT
    if not isinstance(cls, type):
        return None
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return RecordKind.NAMED_TUPLE
    return RecordKind.DATACLASS if dataclasses.is_dataclass(cls) else None


def uncarried_arguments(cls: Any) -> list[str]:
    """Return the ``InitVar`` arguments that a dataclass must be made with although no instance holds them."""
    if not hasattr(cls, "__post_init__") or not dataclasses.is_dataclass(cls):
        return []
    held = {field.name for field in dataclasses.fields(cls)}
    parameters = inspect.signature(cast("Any", cls)).parameters.values()
    required = {parameter.name for parameter in parameters if parameter.default is parameter.empty}
    return [name for name in cls.__dataclass_fields__ if name in required and name not in held]


def record_fields(cls: Any, kind: RecordKind, context: Context) -> list[RecordField]:
    """Return the fields of a record class in definition order, inherited ones included.

    A dataclass's ``ClassVar`` and ``InitVar`` are no fields: a value does not hold them.
    """
    return _FIELDS[kind](cls, context)


def may_be_missing(annotation: Any, otherwise: bool) -> bool:
    """Tell whether a TypedDict's key may be missing, from the qualifiers around its evaluated annotation.

    The class's own ``__optional_keys__`` does not know of qualifiers written inside a string.

    Args:
        annotation: what the key is annotated with.
        otherwise: the answer where no qualifier says it.
    """
    while (origin := get_origin(annotation)) in QUALIFIERS or origin is Annotated:
        if origin in _NOT_REQUIRED:
            return True
        if origin in _REQUIRED:
            return False
        annotation = get_args(annotation)[0]
    return otherwise


def _dataclass_fields(cls: Any, context: Context) -> list[RecordField]:
    return [
        _written(cls, field.name, "__dataclass_fields__", field.type) for field in dataclasses.fields(cls)
    ]


def _named_tuple_fields(cls: Any, context: Context) -> list[RecordField]:
    return [_written(cls, name, "_fields", None) for name in cls._fields]


def _written(cls: type[Any], name: str, mark: str, otherwise: Any) -> RecordField:
    """Find a field's annotation in the nearest base that is a record itself: a plain base is not asked."""
    for base in cls.__mro__:
        annotations = own_annotations(base)
        if name in annotations and mark in vars(base):
            return RecordField(name, base, annotations[name])
    return RecordField(name, cls, otherwise)


def _typed_dict_fields(cls: Any, context: Context) -> list[RecordField]:
    annotations = own_annotations(cls)
    owners: dict[str, Any] = dict.fromkeys(annotations, cls)
    for base in contexts_of(cls, context):
        if base is not cls and is_typeddict(base):
            owners |= dict.fromkeys(own_annotations(base).keys() & owners.keys(), base)
    return [RecordField(name, owners[name], written) for name, written in annotations.items()]


_FIELDS: dict[RecordKind, Callable[[Any, Context], list[RecordField]]] = {
    RecordKind.DATACLASS: _dataclass_fields,
    RecordKind.NAMED_TUPLE: _named_tuple_fields,
    RecordKind.TYPED_DICT: _typed_dict_fields,
}
