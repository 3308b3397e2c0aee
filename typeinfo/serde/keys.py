"""Keys as bytes: equal keys give equal bytes, different keys different ones, in every process and version.

The bytes go into checkpoints and decide which subtask a key belongs to: never change what a type encodes to.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter, call
from struct import Struct
from typing import Any

from typeinfo.basic import CHAR, STRING
from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.key_bytes import count_bytes, long_bytes, sized_bytes
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.records import compared_names
from typeinfo.row import Row, RowKind
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["key_encoder", "key_refusal"]

Encoder = Callable[[Any], bytes]


def key_refusal(t: TypeInformation[Any]) -> str | None:
    """Return why values of a type cannot be keys, or ``None`` if they can.

    Not pickled objects, because equal ones may pickle differently; nor instances of a class whose ``==`` does
    not compare field by field: of a dataclass without ``__eq__`` each is equal to itself alone, and what one
    written by hand holds for equal may differ in its fields.
    """
    return _refusal(t, "")


_DATACLASS_EQ = dataclasses.make_dataclass("_", ()).__eq__.__code__.co_qualname


def _is_of_dataclass(owner: Any) -> bool:
    code = getattr(owner.__eq__, "__code__", None)
    return code is not None and code.co_qualname == _DATACLASS_EQ


def _is_of_attrs(owner: Any) -> bool:
    code = getattr(owner.__eq__, "__code__", None)
    generated = code is not None and code.co_filename.startswith("<attrs generated")
    return generated and all(attribute.eq_key is None for attribute in owner.__attrs_attrs__)


_GENERATED: dict[RecordKind, Callable[[Any], bool]] = {
    RecordKind.DATACLASS: _is_of_dataclass,
    RecordKind.NAMED_TUPLE: lambda owner: owner is tuple,
    RecordKind.ATTRS: _is_of_attrs,
    RecordKind.PYDANTIC: lambda owner: owner.__module__.partition(".")[0] == "pydantic",
}
"""Whether the ``==`` that a base of a record class defines compares field by field."""


def _equality_fault(t: RecordTypeInfo[Any]) -> str | None:
    """Return why equal instances of a record class need not have equal fields."""
    if t.kind is RecordKind.TYPED_DICT:
        return None
    cls = t.record_class
    owner = next(base for base in cls.__mro__ if "__eq__" in vars(base))
    if owner is object:
        return "it has no __eq__, so no two instances are equal; declare it with @dataclass(eq=True)"
    if not _GENERATED[t.kind](owner):
        return (
            "it has an __eq__ of its own, so equal instances may differ in their fields; use a field as key"
        )
    if t.kind in (RecordKind.DATACLASS, RecordKind.ATTRS) and compared_names(owner) != compared_names(cls):
        return f"its __eq__ is that of {owner.__qualname__}, which has other fields; declare it with eq=True"
    return None


def _refusal(t: TypeInformation[Any], path: str) -> str | None:
    where = f" at {path}" if path else ""
    if isinstance(t, PickledBytesTypeInfo):
        return (
            f"{t}{where} cannot be a key: equal objects may pickle to other bytes; declare the type"
            " of the key, e.g. key_type=Types.STRING()"
        )
    if isinstance(t, RecordTypeInfo) and (fault := _equality_fault(t)) is not None:
        return f"{t.record_class.__qualname__}{where} cannot be a key: {fault}"
    if isinstance(t, CustomTypeInfo):
        if t.deterministic:
            return _refusal(t.carrier, path)
        return (
            f"{t}{where} cannot be a key: nothing says that equal instances are encoded equally; if they are,"
            " register the class with deterministic=True"
        )
    if isinstance(t, CarriedTypeInfo):
        fault = t.key_fault()
        return _refusal(t.carrier, path) if fault is None else f"{t}{where} cannot be a key: {fault}"
    for slot in t.slots():
        reason = _refusal(slot.type, path + slot.segment)
        if reason is not None:
            return reason
    return None


@cache
def key_encoder(t: TypeInformation[Any]) -> Encoder:
    """Return a function from conformed values of a type to bytes.

    Equality is that of the declared type: 0.0 is -0.0, all NaNs are one, the order of a dict does not matter,
    a row differs from one of another kind, dataclass fields declared with ``compare=False`` do not count.

    Raises:
        UnsupportedTypeError: values of the type cannot be keys, see ``key_refusal``.
    """
    reason = key_refusal(t)
    if reason is not None:
        raise UnsupportedTypeError(reason)
    if t in (STRING, CHAR):
        return str.encode  # alone, text needs no length before it
    return _encoder(t)


_call: Any = call


def _encoder(t: TypeInformation[Any]) -> Encoder:
    """Return an encoder whose bytes say themselves where they end, so that they can follow one another."""
    match t:
        case ScalarTypeInfo():
            return t.traits.key
        case LiteralTypeInfo():
            return _encoder(t.value_type)
        case CustomTypeInfo():
            return _custom(t)
        case CarriedTypeInfo():
            return _carried(t.unwrap_in_order, _encoder(t.carrier))
        case OptionalTypeInfo():
            return _optional(_encoder(t.value_type))
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return sized_bytes
        case ArrayTypeInfo():
            (slot,) = t.slots()
            return _list(_slot_encoder(slot.type, nullable=slot.nullable))
        case MapTypeInfo():
            key, value = t.slots()
            return _map(_encoder(key.type), _slot_encoder(value.type, nullable=value.nullable))
        case FieldsTypeInfo():
            return _fields(t)
    raise UnsupportedTypeError(f"values of {t!r} cannot be keys")


def _custom(t: CustomTypeInfo[Any]) -> Encoder:
    from typeinfo.serde.registry import codec_for  # which knows of all types

    codec, encoder = codec_for(t.carrier), _encoder(t.carrier)
    return lambda value: encoder(codec.conform([t.encode(value)])[0])


def _carried(unwrap: Callable[[Any], Any], carrier: Encoder) -> Encoder:
    return lambda value: carrier(unwrap(value))


def _slot_encoder(t: TypeInformation[Any], *, nullable: bool) -> Encoder:
    encoder = _encoder(t)
    return _optional(encoder) if nullable and not t.admits_none() else encoder


def _optional(encoder: Encoder) -> Encoder:
    return lambda value: b"\0" if value is None else b"\1" + encoder(value)


def _list(element: Encoder) -> Encoder:
    return lambda values: count_bytes(len(values)) + b"".join(map(element, values))


def _map(key: Encoder, value: Encoder) -> Encoder:
    return lambda entries: (
        count_bytes(len(entries)) + b"".join(sorted(key(k) + value(v) for k, v in entries.items()))
    )


def _fields(t: FieldsTypeInfo[Any]) -> Encoder:
    slots = t.slots()
    if isinstance(t, RecordTypeInfo) and t.kind is RecordKind.TYPED_DICT:
        return _entries(t)
    if isinstance(t, RecordTypeInfo) and t.kind.has_attributes:
        compared = compared_names(t.record_class) or ()
        named = [(n, s) for n, s in zip(t.field_names, slots, strict=True) if n in compared]
        return _attributes(
            [n for n, _ in named], [_slot_encoder(s.type, nullable=s.nullable) for _, s in named]
        )
    encoders = [_slot_encoder(slot.type, nullable=slot.nullable) for slot in slots]
    if isinstance(t, RowTypeInfo):
        return _row(encoders)
    if all(encoder is long_bytes for encoder in encoders):
        pack = Struct(f">{len(encoders)}q").pack
        return lambda values: pack(*values)
    return lambda values: _concatenated(encoders, values)


def _concatenated(encoders: Sequence[Encoder], values: Sequence[Any]) -> bytes:
    return b"".join(map(_call, encoders, values))


def _row(encoders: Sequence[Encoder]) -> Encoder:
    def encode(row: Row[Any]) -> bytes:
        kind = row._row_kind
        first = b"\0" if kind is RowKind.INSERT else bytes((kind.value,))
        return first + _concatenated(encoders, row._values)

    return encode


def _attributes(names: Sequence[str], encoders: Sequence[Encoder]) -> Encoder:
    getters = [attrgetter(name) for name in names]
    return lambda record: _concatenated(encoders, [get(record) for get in getters])


def _entries(t: RecordTypeInfo[Any]) -> Encoder:
    encoders = {
        name: _slot_encoder(slot.type, nullable=slot.nullable)
        for name, slot in zip(t.field_names, t.slots(), strict=True)
    }
    optional = t.optional_keys

    def encode(record: dict[str, Any]) -> bytes:
        parts = []
        for name, encoder in encoders.items():
            if name in optional:
                parts.append(b"\1" if name in record else b"\0")
            if name in record:
                parts.append(encoder(record[name]))
        return b"".join(parts)

    return encode
