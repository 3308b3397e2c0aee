"""Whether values of one type can be values of another: the check of annotations against declared types."""

from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Any, cast

from typeinfo.basic import BasicType, BasicTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.temporal import InstantTypeInfo, TemporalTypeInfo

__all__ = ["contradiction"]

_CLASSES: dict[BasicType, type[Any]] = {
    BasicType.VOID: type(None),
    BasicType.STRING: str,
    BasicType.BYTE: int,
    BasicType.BOOLEAN: bool,
    BasicType.SHORT: int,
    BasicType.INT: int,
    BasicType.LONG: int,
    BasicType.FLOAT: float,
    BasicType.DOUBLE: float,
    BasicType.CHAR: str,
    BasicType.BIG_INT: int,
    BasicType.BIG_DEC: decimal.Decimal,
    BasicType.UUID: uuid.UUID,
    BasicType.DURATION: datetime.timedelta,
}

_ALSO = {(float, int), (Instant, datetime.datetime), (list, tuple), (tuple, list), (Row, list)}
"""A class and another that it takes values of, without being its base."""

_APART = {(int, bool), (datetime.date, datetime.datetime)}
"""A class and a subclass of it whose values it does not take."""


def contradiction(expected: TypeInformation[Any], given: TypeInformation[Any], path: str = "") -> str | None:
    """Return why no value of one type can stand where another is expected, or ``None`` if some can.

    Widths, ranges and nulls are left to the check of each value: an ``int`` may fit SHORT. Rows, tuples,
    lists and dicts stand for each other where serializers take them.

    Args:
        expected: the type values must have, such as a declared ``output_type``.
        given: the type they come with, such as that of an annotation.
        path: where inside the value the two stand, for the answer.
    """
    expected, given = _carrying(expected), _carrying(given)
    if isinstance(expected, PickledBytesTypeInfo) or isinstance(given, PickledBytesTypeInfo):
        return None
    if isinstance(expected, MapTypeInfo) and isinstance(given, MapTypeInfo):
        return _parts(expected, given, path)
    if _is_list(expected) and _is_list(given):
        return _parts(expected, given, path)
    if isinstance(expected, FieldsTypeInfo) and isinstance(given, FieldsTypeInfo) and _fits(expected, given):
        return _fields(expected, given, path)
    wanted, offered = _value_class(expected), _value_class(given)
    if (wanted, offered) in _ALSO or (issubclass(offered, wanted) and (wanted, offered) not in _APART):
        return None
    return f"value{path} is {given}, not {expected}"


def _parts(expected: TypeInformation[Any], given: TypeInformation[Any], path: str) -> str | None:
    for wanted, offered in zip(expected.slots(), given.slots(), strict=True):
        reason = contradiction(wanted.type, offered.type, path + wanted.segment)
        if reason is not None:
            return reason
    return None


def _fields(expected: FieldsTypeInfo[Any], given: FieldsTypeInfo[Any], path: str) -> str | None:
    if expected.get_arity() != given.get_arity():
        return f"value{path} has {given.get_arity()} fields, not {expected.get_arity()}"
    if not _is_matched_by_name(expected, given):
        return _parts(expected, given, path)
    offered = dict(zip(given.get_field_names(), given.slots(), strict=True))
    if offered.keys() != set(expected.get_field_names()):
        return f"value{path} has the fields {list(offered)}, not {expected.get_field_names()}"
    for name, wanted in zip(expected.get_field_names(), expected.slots(), strict=True):
        reason = contradiction(wanted.type, offered[name].type, path + wanted.segment)
        if reason is not None:
            return reason
    return None


def _is_matched_by_name(expected: FieldsTypeInfo[Any], given: FieldsTypeInfo[Any]) -> bool:
    if isinstance(given, RecordTypeInfo) and given.kind is RecordKind.NAMED_TUPLE:
        return False
    given_names = given.field_names if isinstance(given, (RowTypeInfo, RecordTypeInfo)) else None
    expected_names = expected.field_names if isinstance(expected, (RowTypeInfo, RecordTypeInfo)) else None
    return given_names is not None and expected_names is not None


def _fits(expected: FieldsTypeInfo[Any], given: FieldsTypeInfo[Any]) -> bool:
    """Tell whether composites of one class are taken where the other is expected."""
    wanted, offered = _value_class(expected), _value_class(given)
    if isinstance(expected, RecordTypeInfo):
        return issubclass(offered, wanted)
    if isinstance(expected, RowTypeInfo) and expected.field_names is not None and offered is dict:
        return True
    return issubclass(offered, (tuple, Row))


def _carrying(value_type: TypeInformation[Any]) -> TypeInformation[Any]:
    while isinstance(value_type, (OptionalTypeInfo, LiteralTypeInfo)):
        value_type = value_type.value_type
    return value_type


def _is_list(value_type: TypeInformation[Any]) -> bool:
    return isinstance(value_type, ArrayTypeInfo) and _value_class(value_type) is list


def _value_class(value_type: TypeInformation[Any]) -> type[Any]:
    """Return the class that the values of a type are instances of."""
    match value_type:
        case BasicTypeInfo():
            return _CLASSES[value_type.basic_type]
        case TemporalTypeInfo():
            return cast("type[Any]", value_type.kind.value)
        case InstantTypeInfo():
            return Instant
        case EnumTypeInfo():
            return value_type.enum_class
        case PrimitiveArrayTypeInfo() if value_type.is_bytes:
            return bytes
        case ArrayTypeInfo():
            return list
        case MapTypeInfo():
            return dict
        case RowTypeInfo():
            return Row
        case RecordTypeInfo():
            return dict if value_type.kind is RecordKind.TYPED_DICT else value_type.record_class
    return tuple
