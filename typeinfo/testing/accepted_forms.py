"""Other forms of a value that a type accepts, such as a list for a tuple or an int for a DOUBLE."""

from __future__ import annotations

import math
from typing import Any

from typeinfo.basic import BasicType, BasicTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.records import with_attributes
from typeinfo.temporal import InstantTypeInfo

__all__ = ["other_form"]


def other_form(t: TypeInformation[Any], value: Any) -> Any:
    """Return a value in another form, at every depth, that conforms to the same value.

    Lists become tuples and tuples lists, rows tuples or, with names, dicts in another order, bytes a
    bytearray, whole DOUBLEs ints, FLOATs the neighbouring 64-bit number, instants become aware datetimes.
    All else, and the keys of maps, stay. The kinds of rows are lost.

    Args:
        t: the type.
        value: a value of it, which is not changed.
    """
    if value is None:
        return None
    match t:
        case OptionalTypeInfo():
            return other_form(t.value_type, value)
        case BasicTypeInfo():
            return _basic(t.basic_type, value)
        case InstantTypeInfo():
            return _datetime(value)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return bytearray(value)
        case ArrayTypeInfo():
            return tuple(other_form(t.element_type, part) for part in value)
        case MapTypeInfo():
            return {key: other_form(t.value_type, part) for key, part in value.items()}
        case FieldsTypeInfo():
            return _fields(t, value)
    return value


def _basic(kind: BasicType, value: Any) -> Any:
    if kind is BasicType.FLOAT and 1e-30 < abs(value) < 1e38:
        return math.nextafter(value, 0.0)
    if kind is BasicType.DOUBLE and value and abs(value) <= 2**53 and value.is_integer():
        return int(value)
    return value


def _datetime(value: Any) -> Any:
    try:
        return value.to_datetime()
    except OverflowError:
        return value  # beyond the years that Python knows


def _fields(t: FieldsTypeInfo[Any], value: Any) -> Any:
    kind = t.kind if isinstance(t, RecordTypeInfo) else None
    if kind is RecordKind.TYPED_DICT:
        types = dict(zip(t.get_field_names(), t.field_types, strict=True))
        return {name: other_form(types[name], value[name]) for name in reversed(value)}
    if kind is not None and kind.has_attributes:
        named = zip(t.get_field_names(), t.field_types, strict=True)
        return with_attributes(value, {name: other_form(part, getattr(value, name)) for name, part in named})
    parts = [other_form(part_type, part) for part_type, part in zip(t.field_types, value, strict=True)]
    if kind is RecordKind.NAMED_TUPLE:
        return type(value)(*parts)
    if not isinstance(t, RowTypeInfo):
        return parts
    if t.field_names is None:
        return tuple(parts)
    return dict(reversed(list(zip(t.field_names, parts, strict=True))))
