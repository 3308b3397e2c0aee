"""Records: the classes whose constructors only store their arguments, and copies with other fields."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from pystream.expressions.expression import Expression
from pystream.lifting.building import having_evaluated, not_null
from pystream.lifting.composites import argument, parts_of, struct
from pystream.lifting.conforming import conform
from pystream.lifting.imported import check_member
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of, unwrapped
from pystream.lifting.members import attribute, fields_of, is_data_descriptor
from pystream.lifting.values import constant
from typeinfo import TypeInformation, Types
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.errors import PyStreamError

__all__ = [
    "check_is_replaceable",
    "checked_defaults",
    "dataclass_replaced",
    "has_plain_replace",
    "is_replaceable",
    "record_of",
    "tuple_replaced",
]


def record_of(cls: type[Any], arguments: list[Expression], named: Mapping[str, Expression]) -> Expression:
    """Return an instance of a NamedTuple, or of a dataclass that only stores its arguments.

    Raises:
        NotExact: the class does more, or a value is not of its field's type as it is.
    """
    if cls.__module__ == "builtins":
        raise NotExact(f"calls {cls.__name__}(), which is not lifted")
    try:
        t = Types.of(cls)
    except PyStreamError as error:
        raise NotExact(f"makes a {cls.__name__}: {error}") from None
    if not isinstance(t, RecordTypeInfo):
        raise NotExact(f"makes a {cls.__name__}, which is not known to be pure")
    defaults = checked_defaults(cls, t)
    given = dict(zip(t.field_names, arguments, strict=False))
    if (
        len(arguments) > len(t.field_names)
        or given.keys() & named.keys()
        or named.keys() - set(t.field_names)
    ):
        raise NotExact(f"calls {cls.__name__}() with other arguments than its fields")
    given |= named
    parts = []
    for name, field_type in zip(t.field_names, t.field_types, strict=True):
        if name not in given and name not in defaults:
            raise NotExact(f"calls {cls.__name__}() without {name!r}, which always fails")
        if name not in given:
            check_member(cls, name, defaults[name])
        value = given[name] if name in given else constant(defaults[name])
        parts.append(_stored(value, field_type, f"{cls.__name__}.{name}"))
    return struct(parts, t)


def _stored(expression: Expression, declared: TypeInformation[Any], role: str) -> Expression:
    """Return an expression as a field of a record, whose constructor stores values unchanged.

    Raises:
        NotExact: the conversion to the field's type would change the value.
    """
    inner, _ = unwrapped(declared)
    if kind_of(expression) is not Kind.NONE and kind_of(inner) is not kind_of(expression):
        raise NotExact(f"returns {role} a value of class {name_of(expression)}, declared {name_of(inner)}")
    return conform(expression, declared)


def checked_defaults(cls: type[Any], t: RecordTypeInfo[Any]) -> dict[str, Any]:
    """Return the defaults of the fields of a class whose constructor only stores its arguments.

    Raises:
        NotExact: it does more.
    """
    if t.kind is RecordKind.TYPED_DICT:
        return {}
    if type(cls).__call__ is not type.__call__:
        raise NotExact(f"makes a {cls.__name__}, whose metaclass has a __call__ of its own")
    if t.kind is RecordKind.NAMED_TUPLE:
        if _defines(cls, "__init__"):
            raise NotExact(f"makes a {cls.__name__}, which has an __init__ of its own")
        if cls.__new__.__code__.co_filename.startswith("<string>") or cls.__new__.__module__.startswith(
            "namedtuple_"
        ):
            return dict(cls._field_defaults)
        raise NotExact(f"makes a {cls.__name__}, which has a __new__ of its own")
    if t.kind is not RecordKind.DATACLASS:
        raise NotExact(f"makes a {cls.__name__}, whose constructor ({t.kind.value}) is not lifted")
    own = [name for name in ("__post_init__", "__new__", "__setattr__") if _defines(cls, name)]
    if own or not cls.__dataclass_params__.init or not _is_generated(cls.__init__):
        raise NotExact(f"makes a {cls.__name__}, which has a {(*own, '__init__')[0]} of its own")
    fields = dataclasses.fields(cls)
    if len(fields) < len(inspect.signature(cls.__init__).parameters) - 1:
        raise NotExact(f"makes a {cls.__name__}, whose constructor takes more than its fields")
    if any(is_data_descriptor(cls, f.name) for f in fields):
        raise NotExact(f"makes a {cls.__name__}, which has fields that descriptors store")
    if any(not f.init or f.kw_only for f in fields):
        raise NotExact(f"makes a {cls.__name__}, which has fields that are not given by position")
    return {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}


def _defines(cls: type[Any], name: str) -> bool:
    found = getattr(cls, name, None)
    if name == "__setattr__" and hasattr(cls, "__dataclass_params__") and cls.__dataclass_params__.frozen:
        return False
    return found is not None and found is not getattr(object, name, None)


def _is_generated(method: Any) -> bool:
    """Return whether a method of a dataclass is generated by the decorator, not written in source."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"


class _Plain(NamedTuple):
    field: Any


def dataclass_replaced(value: Expression, changes: Mapping[str, Expression]) -> Expression:
    """Return ``dataclasses.replace(value, **changes)``.

    Raises:
        NotExact: the class does more than store its fields, or has no such field.
    """
    t = value.type
    if not isinstance(t, RecordTypeInfo) or t.kind is not RecordKind.DATACLASS:
        raise NotExact(f"uses replace() of {name_of(value)}, which is not a dataclass")
    fields = [attribute(value, name) for name in t.field_names]
    kept = {name: own for name, own in zip(t.field_names, fields, strict=True) if name not in changes}
    made = record_of(t.record_class, [], {**kept, **changes})
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
        _stored(changes.get(own, field), field_type, f"{name}.{own}")
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
        record_of(t.record_class, parts_of(element), {})


def is_replaceable(t: RecordTypeInfo[Any]) -> bool:
    """Return whether replacing a field of a record does nothing but copy the others."""
    try:
        check_is_replaceable(t)
    except NotExact:
        return False
    return True
