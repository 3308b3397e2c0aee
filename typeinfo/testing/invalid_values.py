"""Values made wrong in one place; a serializer must refuse each, and name that place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from typeinfo.basic import LONG
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, UnionTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import short_repr
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.records import with_attributes
from typeinfo.row import Row
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.testing.sameness import rebuilt

__all__ = ["Misfit", "misfits"]


class Misfit(NamedTuple):
    """A value that is wrong in one place.

    Attributes:
        value: the whole value.
        path: path of the fault, as errors write it; empty for the value itself.
    """

    value: Any
    path: str


def misfits(t: TypeInformation[Any], value: Any) -> Iterator[Misfit]:
    """Yield invalid variations of a valid value, outer places first.

    Args:
        t: the type; nothing is yielded for PICKLED_BYTE_ARRAY, which takes everything.
        value: a value of it, which is not changed.
    """
    if isinstance(t, PickledBytesTypeInfo):
        return
    if isinstance(t, OptionalTypeInfo):
        if value is not None:
            yield from (misfit for misfit in misfits(t.value_type, value) if misfit.value is not None)
        return
    if not t.admits_none():
        yield Misfit(None, "")
    for wrong in _wrong_as_a_whole(t, value):
        yield Misfit(wrong, "")
    yield from _wrong_inside(t, value)


def _wrong_as_a_whole(t: TypeInformation[Any], value: Any) -> Iterator[Any]:
    match t:
        case ScalarTypeInfo():
            yield from t.traits.invalid
        case UnionTypeInfo():
            yield object()
        case SetTypeInfo():
            yield from (list(value), tuple(value), (set if t.frozen else frozenset)(value), 1, "text")
        case VariadicTupleTypeInfo():
            yield from (1, {1, 2}, {}, "text", iter(()))
        case CarriedTypeInfo():
            yield from (1, t.unwrap(value), [value], object())
        case CustomTypeInfo():
            wrong = (t.encode(value), 0, "text", object())
            yield from (part for part in wrong if not isinstance(part, t.custom_class))
        case LiteralTypeInfo():
            yield from (wrong for wrong in ("", "neither", -1, b"neither", object()) if wrong not in t.values)
            if t.value_type == LONG:
                yield from (True, 1.0)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            yield from ([1, 2], "text", 1)
        case ArrayTypeInfo():
            yield from ({1, 2}, {}, "text", b"bytes", 1, iter(()))
        case MapTypeInfo():
            yield from ([], "text", 1, {1, 2})
        case FieldsTypeInfo():
            yield from _wrong_fields(t, value)


def _wrong_fields(t: FieldsTypeInfo[Any], value: Any) -> Iterator[Any]:
    yield from (object(), 1, "text", {1, 2})
    if isinstance(t, RecordTypeInfo):
        yield from _WRONG_RECORDS[t.kind](t, value)
        return
    if value:
        yield tuple(value)[:-1]
    yield (*value, 1)
    yield Row(*value, 1)
    if isinstance(t, RowTypeInfo):
        named = dict(zip(t.get_field_names(), value, strict=True))
        yield named | {"a field too many": 1}
        if named:
            named.popitem()
            yield named
    else:
        yield {"f0": 1}


def _wrong_instances(t: RecordTypeInfo[Any], value: Any) -> Iterator[Any]:
    fields = {name: getattr(value, name) for name in t.field_names}
    yield from (fields, tuple(fields.values()), t.record_class)


def _wrong_named_tuples(t: RecordTypeInfo[Any], value: Any) -> Iterator[Any]:
    yield from (tuple(value), list(value), dict(zip(t.field_names, value, strict=True)))


def _wrong_typed_dicts(t: RecordTypeInfo[Any], value: Any) -> Iterator[Any]:
    yield from ({**value, "a key too many": 1}, list(value.items()))
    for name in t.field_names:
        if name not in t.optional_keys:
            yield {key: part for key, part in value.items() if key != name}


_WRONG_RECORDS: dict[RecordKind, Callable[[RecordTypeInfo[Any], Any], Iterator[Any]]] = {
    RecordKind.DATACLASS: _wrong_instances,
    RecordKind.ATTRS: _wrong_instances,
    RecordKind.PYDANTIC: _wrong_instances,
    RecordKind.NAMED_TUPLE: _wrong_named_tuples,
    RecordKind.TYPED_DICT: _wrong_typed_dicts,
}


def _wrong_inside(t: TypeInformation[Any], value: Any) -> Iterator[Misfit]:
    match t:
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return
        case ArrayTypeInfo():
            (slot,) = t.slots()
            for i in _places(len(value)):
                for wrong, path in _misfits_in(slot.type, value[i], nullable=slot.nullable):
                    yield Misfit([*value[:i], wrong, *value[i + 1 :]], f"[{i}]{path}")
        case UnionTypeInfo():
            position = t.member_of(value) or 0
            for wrong, path in misfits(t.member_types[position], value):
                if path or t.member_of(wrong) == position:
                    yield Misfit(wrong, path)
        case SetTypeInfo():
            for element in list(value)[:4]:
                for wrong, path in misfits(t.element_type, element):
                    if _is_hashable(wrong) and wrong not in value:
                        yield Misfit((value - {element}) | {wrong}, "{}" + path)
        case VariadicTupleTypeInfo():
            for i in _places(len(value)):
                for wrong, path in misfits(t.element_type, value[i]):
                    yield Misfit((*value[:i], wrong, *value[i + 1 :]), f"[{i}]{path}")
        case MapTypeInfo():
            yield from _wrong_entries(t, value)
        case FieldsTypeInfo():
            yield from _wrong_in_fields(t, value)


def _places(count: int) -> Iterable[int]:
    """Return the places to make wrong: only the first and last two, as trying all takes quadratic time."""
    return range(count) if count <= 4 else (0, 1, count - 2, count - 1)


def _misfits_in(t: TypeInformation[Any], part: Any, *, nullable: bool) -> Iterator[Misfit]:
    if part is not None or not nullable:
        yield from (misfit for misfit in misfits(t, part) if not (nullable and misfit.value is None))


def _wrong_entries(t: MapTypeInfo[Any], value: dict[Any, Any]) -> Iterator[Misfit]:
    entries = list(value.items())
    for key, part in (entries[i] for i in _places(len(entries))):
        for wrong, path in misfits(t.key_type, key):
            if _is_hashable(wrong) and wrong not in value:
                yield Misfit(_with_key(value, key, wrong), f"{{{_key_text(wrong)}}}{path}")
        for wrong, path in _misfits_in(t.value_type, part, nullable=True):
            yield Misfit({**value, key: wrong}, f"[{_key_text(key)}]{path}")


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _with_key(value: dict[Any, Any], key: Any, wrong: Any) -> dict[Any, Any]:
    return {wrong if k is key else k: v for k, v in value.items()}


def _key_text(key: Any) -> str:
    return json.dumps(key, ensure_ascii=False) if isinstance(key, str) else short_repr(key)


def _wrong_in_fields(t: FieldsTypeInfo[Any], value: Any) -> Iterator[Misfit]:
    for i, (name, slot) in enumerate(zip(t.get_field_names(), t.slots(), strict=True)):
        if isinstance(value, dict):
            if name in value:
                for wrong, path in misfits(slot.type, value[name]):
                    yield Misfit({**value, name: wrong}, slot.segment + path)
        elif isinstance(t, RecordTypeInfo) and t.kind.has_attributes:
            for wrong, path in misfits(slot.type, getattr(value, name)):
                yield Misfit(with_attributes(value, {name: wrong}), slot.segment + path)
        else:
            for wrong, path in _misfits_in(slot.type, value[i], nullable=slot.nullable):
                yield Misfit(rebuilt(value, [*value[:i], wrong, *value[i + 1 :]]), slot.segment + path)
