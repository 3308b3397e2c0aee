"""The registry of codecs and key encoders."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from typeinfo.basic import CHAR, STRING
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.layout import carried_fields
from typeinfo.info import Slot, TypeInformation
from typeinfo.key_bytes import sized_bytes
from typeinfo.keys import key_refusal
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.serde.carried import CarriedCodec
from typeinfo.serde.codec import Codec
from typeinfo.serde.collection import ListCodec, MapCodec
from typeinfo.serde.custom import CustomCodec
from typeinfo.serde.key_encoders import Encoder, compared_slots, of_fields, of_list, of_map, of_optional
from typeinfo.serde.record import record_codec
from typeinfo.serde.row import RowCodec, TupleCodec
from typeinfo.serde.text import BytesCodec, LiteralCodec, PickledCodec

__all__ = ["canonical_unwrap", "codec_for", "key_encoder"]


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
            return t.traits.codec()(t, nullable=nullable)
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
    match t:
        case ScalarTypeInfo():
            return t.traits.key
        case LiteralTypeInfo():
            return _part_encoder(t.value_type)
        case CustomTypeInfo():
            return _encoder_of_custom(t)
        case CarriedTypeInfo():
            unwrap, carrier = canonical_unwrap(t), _part_encoder(t.carrier)
            return lambda value: carrier(unwrap(value))
        case OptionalTypeInfo():
            return of_optional(_part_encoder(t.value_type))
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return sized_bytes
        case ArrayTypeInfo():
            return of_list(*map(_slot_encoder, t.slots()))
        case MapTypeInfo():
            return of_map(*map(_slot_encoder, t.slots()))
        case FieldsTypeInfo():
            return of_fields(t, {name: _slot_encoder(slot) for name, slot in compared_slots(t)})
    raise UnsupportedTypeError(f"values of {t!r} cannot be keys")


def _slot_encoder(slot: Slot) -> Encoder:
    encoder = _part_encoder(slot.type)
    return of_optional(encoder) if slot.nullable and not slot.type.admits_none() else encoder


def _encoder_of_custom(t: CustomTypeInfo[Any]) -> Encoder:
    codec, encoder = codec_for(t.carrier), _part_encoder(t.carrier)
    return lambda value: encoder(codec.conform([t.encode(value)])[0])


def canonical_unwrap(t: CarriedTypeInfo[Any]) -> Callable[[Any], Any]:
    """Return a function that converts conformed values to their carried form, equally for equal values.

    Elements of a set that cannot be keys are in no particular order.
    """
    if not isinstance(t, SetTypeInfo) or key_refusal(t.element_type) is not None:
        return t.unwrap
    return partial(sorted, key=key_encoder(t.element_type))
