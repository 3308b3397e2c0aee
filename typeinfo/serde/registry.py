"""Codecs and key encoders by type; those of sets and of custom types need each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from operator import attrgetter, call
from struct import Struct
from typing import Any

from typeinfo.basic import CHAR, STRING
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.layout import carried_fields
from typeinfo.info import Slot, TypeInformation
from typeinfo.keys import key_refusal
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.records import compared_names
from typeinfo.row import Row, RowKind
from typeinfo.scalar import ScalarTypeInfo, count_bytes, long_bytes, sized_bytes
from typeinfo.serde.carried import CarriedCodec, CustomCodec, LiteralCodec
from typeinfo.serde.codec import Codec
from typeinfo.serde.collection import ListCodec, MapCodec
from typeinfo.serde.record import record_codec
from typeinfo.serde.row import RowCodec, TupleCodec
from typeinfo.serde.text import BytesCodec, PickledCodec

__all__ = ["canonical_unwrap", "codec_for", "key_encoder"]

Encoder = Callable[[Any], bytes]
_call: Any = call


def codec_for(t: TypeInformation[Any], *, nullable: bool = False) -> Codec:
    """Return the codec of a column of the given type.

    Args:
        t: the type.
        nullable: whether ``None`` is allowed in the column even if the type does not admit it.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    match t:
        case ScalarTypeInfo():
            module, name = t.traits.codec
            codec: Codec = getattr(import_module(f"typeinfo.serde.{module}"), name)(t, nullable=nullable)
            return codec
        case PickledBytesTypeInfo():
            return PickledCodec(t, nullable=nullable)
        case OptionalTypeInfo():
            return codec_for(t.value_type, nullable=True)
        case CustomTypeInfo():
            return CustomCodec(t, codec_for(t.carrier), nullable=nullable)
        case CarriedTypeInfo():
            return CarriedCodec(t, codec_for(t.carrier), canonical_unwrap(t), nullable=nullable)
        case LiteralTypeInfo():
            return LiteralCodec(t, codec_for(t.value_type), nullable=nullable)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return BytesCodec(t, nullable=nullable)
        case ArrayTypeInfo():
            (elements,) = map(_slot_codec, t.slots())
            return ListCodec(t, elements, nullable=nullable)
        case MapTypeInfo():
            keys, values = map(_slot_codec, t.slots())
            return MapCodec(t, keys, values, nullable=nullable)
        case RowTypeInfo():
            return RowCodec(t, _field_codecs(t), nullable=nullable)
        case TupleTypeInfo():
            return TupleCodec(t, _field_codecs(t), nullable=nullable)
        case RecordTypeInfo():
            return record_codec(t, _field_codecs(t), nullable=nullable)
    raise UnsupportedTypeError(f"there is no serializer for {t!r}")


def _slot_codec(slot: Slot) -> Codec:
    return codec_for(slot.type, nullable=slot.nullable)


def _field_codecs(t: FieldsTypeInfo[Any]) -> list[Codec]:
    return [codec_for(field.type, nullable=field.nullable) for field in carried_fields(t)]


@cache
def key_encoder(t: TypeInformation[Any]) -> Encoder:
    """Return a function that encodes conformed values as key bytes: equal if and only if the keys are equal.

    Equality is that of the declared type: 0.0 equals -0.0, all NaNs are equal, the order of a dict does not
    matter, rows of different kinds differ, and dataclass fields with ``compare=False`` do not count.
    The bytes go into checkpoints and determine the subtask of a key: they are the same in every process and
    version.

    Raises:
        UnsupportedTypeError: values of the type cannot be keys, see ``key_refusal``.
    """
    reason = key_refusal(t)
    if reason is not None:
        raise UnsupportedTypeError(reason)
    if t in (STRING, CHAR):
        return str.encode  # a key that is only text needs no length prefix
    return _part_encoder(t)


def _part_encoder(t: TypeInformation[Any]) -> Encoder:
    """Return the encoder of a part of a key; its bytes are self-delimiting."""
    match t:
        case ScalarTypeInfo():
            return t.traits.key
        case LiteralTypeInfo():
            return _part_encoder(t.value_type)
        case CustomTypeInfo():
            codec, carrier = codec_for(t.carrier), _part_encoder(t.carrier)
            return lambda value: carrier(codec.conform([t.encode(value)])[0])
        case CarriedTypeInfo():
            unwrap, carrier = canonical_unwrap(t), _part_encoder(t.carrier)
            return lambda value: carrier(unwrap(value))
        case OptionalTypeInfo():
            return _optional_encoder(_part_encoder(t.value_type))
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return sized_bytes
        case ArrayTypeInfo():
            (element,) = map(_slot_encoder, t.slots())
            return lambda values: count_bytes(len(values)) + b"".join(map(element, values))
        case MapTypeInfo():
            return _map_encoder(*map(_slot_encoder, t.slots()))
        case RowTypeInfo():
            return _row_encoder(_field_encoders(t))
        case TupleTypeInfo():
            return _tuple_encoder(_field_encoders(t))
        case RecordTypeInfo():
            return _record_encoder(t)
    raise UnsupportedTypeError(f"values of {t!r} cannot be keys")


def _slot_encoder(slot: Slot) -> Encoder:
    encoder = _part_encoder(slot.type)
    return _optional_encoder(encoder) if slot.nullable and not slot.type.admits_none() else encoder


def _optional_encoder(encoder: Encoder) -> Encoder:
    return lambda value: b"\0" if value is None else b"\1" + encoder(value)


def _map_encoder(key: Encoder, value: Encoder) -> Encoder:
    return lambda entries: (
        count_bytes(len(entries)) + b"".join(sorted(key(k) + value(v) for k, v in entries.items()))
    )


def _field_encoders(t: FieldsTypeInfo[Any]) -> list[Encoder]:
    return list(map(_slot_encoder, t.slots()))


def _concatenated(encoders: Sequence[Encoder], values: Sequence[Any]) -> bytes:
    return b"".join(map(_call, encoders, values))


def _row_encoder(encoders: Sequence[Encoder]) -> Encoder:
    def encode(row: Row[Any]) -> bytes:
        kind = row._row_kind
        first = b"\0" if kind is RowKind.INSERT else bytes((kind.value,))
        return first + _concatenated(encoders, row._values)

    return encode


def _tuple_encoder(encoders: Sequence[Encoder]) -> Encoder:
    if all(encoder is long_bytes for encoder in encoders):
        pack = Struct(f">{len(encoders)}q").pack
        return lambda values: pack(*values)
    return lambda values: _concatenated(encoders, values)


def _record_encoder(t: RecordTypeInfo[Any]) -> Encoder:
    if t.kind is RecordKind.NAMED_TUPLE:
        return _tuple_encoder(_field_encoders(t))
    encoders = dict(zip(t.field_names, _field_encoders(t), strict=True))
    if t.kind is RecordKind.TYPED_DICT:
        return _dict_encoder(encoders, t.optional_keys)
    compared = [name for name in t.field_names if name in (compared_names(t.record_class) or ())]
    getters = [attrgetter(name) for name in compared]
    compared_encoders = [encoders[name] for name in compared]
    return lambda record: _concatenated(compared_encoders, [get(record) for get in getters])


def _dict_encoder(encoders: dict[str, Encoder], optional_keys: frozenset[str]) -> Encoder:
    def encode(record: dict[str, Any]) -> bytes:
        parts = []
        for name, encoder in encoders.items():
            if name in optional_keys:
                parts.append(b"\1" if name in record else b"\0")
            if name in record:
                parts.append(encoder(record[name]))
        return b"".join(parts)

    return encode


def canonical_unwrap(t: CarriedTypeInfo[Any]) -> Callable[[Any], Any]:
    """Return a function that converts conformed values to their carried form, equally for equal values.

    Elements of a set that cannot be keys are in no particular order.
    """
    if not isinstance(t, SetTypeInfo) or key_refusal(t.element_type) is not None:
        return t.unwrap
    return partial(sorted, key=key_encoder(t.element_type))
