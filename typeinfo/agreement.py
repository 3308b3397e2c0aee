"""Check annotations against declared types."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from typing import Any

from typeinfo.basic import STRING
from typeinfo.carried import SetTypeInfo, UnionTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import Slot, TypeInformation
from typeinfo.instant import Instant
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row

__all__ = ["contradiction"]

_ALSO = {(float, int), (Instant, datetime.datetime), (list, tuple), (tuple, list), (Row, list)}
"""Pairs of a class and one whose values it accepts, without being its base class."""

_APART = {(int, bool), (datetime.date, datetime.datetime)}
"""Pairs of a class and a subclass whose values it does not accept."""


def contradiction(expected: TypeInformation[Any], given: TypeInformation[Any], path: str = "") -> str | None:
    """Return the reason why no value of one type fits another, or ``None`` if some do.

    Widths, ranges and nulls are left to the validation of values: an ``int`` may fit SHORT. Rows, tuples,
    lists and dicts are interchangeable where serializers accept them.

    Args:
        expected: the type that values must have, such as a declared ``output_type``.
        given: the type that values have, such as that of an annotation.
        path: path of the two types inside the value, for the returned reason.
    """
    expected, given = _carrying(expected), _carrying(given)
    if isinstance(expected, PickledBytesTypeInfo) or isinstance(given, PickledBytesTypeInfo):
        return None
    if isinstance(expected, UnionTypeInfo) or isinstance(given, UnionTypeInfo):
        return _of_members(expected, given, path)
    pairs = _pairs(expected, given)
    if pairs is not None:
        return _each(pairs, path)
    if isinstance(expected, FieldsTypeInfo) and isinstance(given, FieldsTypeInfo) and _fits(expected, given):
        return _fields(expected, given, path)
    wanted, offered = expected.value_class, given.value_class
    if (wanted, offered) in _ALSO or (issubclass(offered, wanted) and (wanted, offered) not in _APART):
        return None
    return f"value{path} is {given}, not {expected}"


def _of_members(expected: TypeInformation[Any], given: TypeInformation[Any], path: str) -> str | None:
    """Return the reason why no member of a union fits another union or a single type."""
    wanted, offered = _members(expected), _members(given)
    if any(contradiction(w, o, path) is None for w in wanted for o in offered):
        return None
    return f"value{path} is {given}, not {expected}"


def _members(t: TypeInformation[Any]) -> tuple[TypeInformation[Any], ...]:
    return t.member_types if isinstance(t, UnionTypeInfo) else (t,)


Pairs = Iterable[tuple[Slot, TypeInformation[Any]]]
"""Places in an expected value, with the given type at each."""


def _pairs(expected: TypeInformation[Any], given: TypeInformation[Any]) -> Pairs | None:
    """Return the parts to compare of interchangeable containers; ``None`` for other types."""
    if (
        isinstance(expected, SetTypeInfo)
        and isinstance(given, SetTypeInfo)
        and expected.frozen == given.frozen
    ):
        return _by_position(expected, given)
    if isinstance(expected, VariadicTupleTypeInfo) and isinstance(given, VariadicTupleTypeInfo):
        return _by_position(expected, given)
    if isinstance(expected, MapTypeInfo):
        if isinstance(given, MapTypeInfo):
            return _by_position(expected, given)
        return _entries(expected, given) if _is_typed_dict(given) else None
    if _is_list(expected):
        if _is_list(given):
            return _by_position(expected, given)
        if isinstance(given, FieldsTypeInfo) and issubclass(given.value_class, tuple):
            (element,) = expected.slots()
            return [(Slot(f"[{i}]", element.type, False), slot.type) for i, slot in enumerate(given.slots())]
        return None
    if _is_list(given) and isinstance(expected, (RowTypeInfo, TupleTypeInfo)):
        (element,) = given.slots()
        return [(slot, element.type) for slot in expected.slots()]
    if isinstance(given, MapTypeInfo) and (isinstance(expected, RowTypeInfo) or _is_typed_dict(expected)):
        return [(Slot("{}", STRING, False), given.key_type), *_required(expected, given.value_type)]
    return None


def _by_position(expected: TypeInformation[Any], given: TypeInformation[Any]) -> Pairs:
    return zip(expected.slots(), (slot.type for slot in given.slots()), strict=True)


def _entries(expected: MapTypeInfo[Any], given: Any) -> Pairs:
    key, value = expected.slots()
    for name, slot in zip(given.field_names, given.slots(), strict=True):
        if name not in given.optional_keys:
            yield key, STRING
            yield value._replace(segment=f"[{json.dumps(name, ensure_ascii=False)}]"), slot.type


def _required(expected: Any, offered: TypeInformation[Any]) -> Pairs:
    for name, slot in zip(expected.get_field_names(), expected.slots(), strict=True):
        if name not in _optional_keys(expected):
            yield slot, offered


def _each(pairs: Pairs, path: str) -> str | None:
    for wanted, offered in pairs:
        reason = contradiction(wanted.type, offered, path + wanted.segment)
        if reason is not None:
            return reason
    return None


def _fields(expected: FieldsTypeInfo[Any], given: FieldsTypeInfo[Any], path: str) -> str | None:
    if not _is_matched_by_name(expected, given):
        if expected.get_arity() != given.get_arity():
            return f"value{path} has {given.get_arity()} fields, not {expected.get_arity()}"
        return _each(_by_position(expected, given), path)
    names = expected.get_field_names()
    offered = dict(zip(given.get_field_names(), given.slots(), strict=True))
    may_lack, may_be_missing = _optional_keys(expected), _optional_keys(given)
    if set(names) - may_lack - offered.keys() or offered.keys() - may_be_missing - set(names):
        return f"value{path} has the fields {list(offered)}, not {names}"
    optional = (may_lack & may_be_missing) | (may_lack - offered.keys())
    wanted = zip(names, expected.slots(), strict=True)
    return _each([(slot, offered[name].type) for name, slot in wanted if name not in optional], path)


def _is_matched_by_name(expected: FieldsTypeInfo[Any], given: FieldsTypeInfo[Any]) -> bool:
    """Return whether serializers match fields by name; a dict has no order to match by."""
    if _is_typed_dict(given):
        return True
    named = (RowTypeInfo, RecordTypeInfo)
    return all(isinstance(t, named) and t.field_names is not None for t in (expected, given))


def _optional_keys(t: FieldsTypeInfo[Any]) -> frozenset[str]:
    return t.optional_keys if isinstance(t, RecordTypeInfo) else frozenset()


def _is_typed_dict(t: TypeInformation[Any]) -> bool:
    return isinstance(t, RecordTypeInfo) and t.kind is RecordKind.TYPED_DICT


def _fits(expected: FieldsTypeInfo[Any], given: FieldsTypeInfo[Any]) -> bool:
    """Return whether composites of one class are accepted where another is expected."""
    wanted, offered = expected.value_class, given.value_class
    if isinstance(expected, RecordTypeInfo):
        return issubclass(offered, wanted)
    if isinstance(expected, RowTypeInfo) and offered is dict:
        return True
    return issubclass(offered, (tuple, Row))


def _carrying(value_type: TypeInformation[Any]) -> TypeInformation[Any]:
    while isinstance(value_type, (OptionalTypeInfo, LiteralTypeInfo)):
        value_type = value_type.value_type
    return value_type


def _is_list(value_type: TypeInformation[Any]) -> bool:
    return isinstance(value_type, ArrayTypeInfo) and value_type.value_class is list
