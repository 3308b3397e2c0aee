"""Attributes, items and slices of values."""

from __future__ import annotations

import inspect
from collections import _tuplegetter  # type: ignore[attr-defined]
from collections.abc import Sequence
from types import MemberDescriptorType
from typing import Any

from pystream.expressions.expression import Expression, Op, constant_value, is_constant
from pystream.lifting.building import call, having_evaluated, not_null
from pystream.lifting.composites import conditional, field, parts_of, struct
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.lists import element, list_slice, parts_of_list
from pystream.lifting.text import character, text_slice
from pystream.lifting.values import NONE, Static, Value, as_expression, constant
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.extended import EnumTypeInfo
from typeinfo.row import is_attribute

__all__ = [
    "attribute",
    "fields_of",
    "item",
    "parts_in",
    "slice_of",
    "unpacked",
]


_DATE_FIELDS = {"year": (1, 9999), "month": (1, 12), "day": (1, 31)}
_CLOCK_FIELDS = {"hour": (0, 23), "minute": (0, 59), "second": (0, 59), "microsecond": (0, 999_999)}
_TIME_FIELDS = {
    Kind.DATE: _DATE_FIELDS,
    Kind.DATETIME: _DATE_FIELDS | _CLOCK_FIELDS,
    Kind.TIME: _CLOCK_FIELDS,
}
"""Bounds of the fields of dates and times."""


def attribute(value: Expression, name: str) -> Expression:
    """Return ``value.name``: a field of a row, record, date or time, or a property of a member of an enum."""
    t = value.type
    if isinstance(t, RowTypeInfo):
        names = t.get_field_names()
        if not _has_names(value, t):
            raise NotExact(f"uses .{name} of a Row made without names")
        if name in names and is_attribute(name):
            return field(value, names.index(name))
        raise NotExact(f"uses .{name} of a Row of the fields {names}")
    if isinstance(t, RecordTypeInfo) and t.kind is not RecordKind.TYPED_DICT:
        return _record_attribute(value, t, name)
    if isinstance(t, EnumTypeInfo) and name in ("name", "value"):
        return _enum_property(value, t, name)
    bounds = _TIME_FIELDS.get(kind_of(value), {}).get(name)
    if bounds is not None:
        return call(Op.PART, not_null(value), data=(name,), bounds=bounds)
    raise NotExact(f"uses .{name} of {name_of(value)}, which is not lifted")


def _has_names(value: Expression, t: RowTypeInfo) -> bool:
    """Return whether rows have names: declared ones, or those given to rows of a column without."""
    while value.op in (Op.FIELD, Op.NOT_NULL):
        (value,) = value.parts
    return t.field_names is not None or value.op is Op.INPUT


def _record_attribute(value: Expression, t: RecordTypeInfo[Any], name: str) -> Expression:
    cls = t.record_class
    if name not in t.field_names:
        raise NotExact(f"uses .{name} of {cls.__name__}, which is not one of its fields")
    lookup: Any = cls.__getattribute__
    if lookup not in (object.__getattribute__, tuple.__getattribute__):
        raise NotExact(f"uses .{name} of {cls.__name__}, which overrides the lookup of attributes")
    found = inspect.getattr_static(cls, name, None)
    if t.kind is RecordKind.NAMED_TUPLE:
        is_stored = isinstance(found, _tuplegetter)
    else:
        is_stored = not is_data_descriptor(cls, name)
    if not is_stored:
        raise NotExact(f"uses .{name} of {cls.__name__}, which is computed")
    return field(value, t.field_names.index(name))


def is_data_descriptor(cls: type[Any], name: str) -> bool:
    """Return whether a class has a descriptor, other than that of a slot, that stores an attribute."""
    found = inspect.getattr_static(cls, name, None)
    return hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType)


def _enum_property(value: Expression, t: EnumTypeInfo[Any], name: str) -> Expression:
    value = not_null(value)
    if any(name in vars(cls) for cls in t.enum_class.__mro__ if cls.__module__ != "enum"):
        raise NotExact(f"uses .{name} of {t.enum_class.__name__}, which defines it itself")
    members = list(t.enum_class)
    if not members:
        raise NotExact(f"uses .{name} of {t.enum_class.__name__}, which has no members")
    result = constant(getattr(members[-1], name))
    for member in reversed(members[:-1]):
        chosen = call(Op.EQUAL, value, constant(member))
        result = conditional(chosen, constant(getattr(member, name)), result)
    return having_evaluated([value], result)


def fields_of(value: Expression) -> list[Expression] | None:
    """Return the values that unpacking a composite yields, ``None`` for values of other kinds.

    The caller must evaluate each of them that may raise.
    """
    t = value.type
    if isinstance(t, RecordTypeInfo) and not (t.kind is RecordKind.NAMED_TUPLE and _is_plain(t.record_class)):
        return None
    return parts_of(value) if isinstance(t, FieldsTypeInfo) else None


def unpacked(value: Value, count: int | None = None) -> Sequence[Value]:
    """Return the values that a value is unpacked to.

    Args:
        value: the value.
        count: the number of targets; a list of another length raises. A list is refused if there is none.

    Raises:
        NotExact: values of this kind are not unpacked.
    """
    if isinstance(value, Static) and type(value.value) is tuple:
        return [Static(part) for part in value.value]
    if count is not None and kind_of(as_expression(value)) is Kind.LIST:
        return parts_of_list(as_expression(value), count)
    return parts_in(as_expression(value), "unpacks")


def parts_in(value: Expression, what: str) -> list[Expression]:
    """Return the values that unpacking a composite yields.

    Raises:
        NotExact: the value is of another kind.
    """
    parts = fields_of(value)
    if parts is None:
        raise NotExact(f"{what} {name_of(value)}, which is not lifted")
    return parts


def _is_plain(cls: type[Any]) -> bool:
    """Return whether the instances of a NamedTuple are indexed, counted and unpacked as tuples are."""
    return all(getattr(cls, n) is getattr(tuple, n) for n in ("__getitem__", "__iter__", "__len__"))


def item(value: Expression, index: Expression) -> Expression:
    """Return ``value[index]``."""
    kind = kind_of(value)
    if kind is Kind.STR:
        return character(value, index)
    if kind is Kind.LIST:
        return element(value, index)
    t = value.type
    if not isinstance(t, FieldsTypeInfo):
        raise NotExact(f"indexes {name_of(value)}, which is not lifted")
    if not is_constant(index):
        raise NotExact(f"indexes {name_of(value)} by a value that is not a constant")
    position = constant_value(index)
    if isinstance(position, str):
        return field(value, _named(value, t, position))
    if type(position) is not int or fields_of(value) is None:
        raise NotExact(f"indexes {name_of(value)} with {position!r}")
    arity = t.get_arity()
    if not -arity <= position < arity:
        raise NotExact(f"indexes {name_of(value)} of {arity} fields with {position}, which always fails")
    return field(value, position % arity)


def _named(value: Expression, t: FieldsTypeInfo[Any], name: str) -> int:
    is_dict = isinstance(t, RecordTypeInfo) and t.kind is RecordKind.TYPED_DICT
    is_row = isinstance(t, RowTypeInfo) and _has_names(value, t)
    names = t.get_field_names()
    if not (is_dict or is_row) or name not in names:
        raise NotExact(f"uses [{name!r}] of {name_of(value)}, which has no such field")
    return names.index(name)


def slice_of(value: Expression, start: Expression, stop: Expression, step: Expression) -> Expression:
    """Return ``value[start:stop]``."""
    if step != NONE and step != constant(1):
        raise NotExact("slices with a step, which is not lifted")
    kind = kind_of(value)
    if kind is Kind.STR:
        return text_slice(value, start, stop)
    if kind is Kind.LIST:
        return list_slice(value, start, stop)
    if kind is Kind.TUPLE and is_constant(start) and is_constant(stop):
        parts = parts_in(value, "slices")
        chosen = parts[constant_value(start) : constant_value(stop)]
        return having_evaluated(parts, struct(chosen))
    raise NotExact(f"slices {name_of(value)}, which is not lifted")
