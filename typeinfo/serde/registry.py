"""Registry of the codecs of all types."""

from __future__ import annotations

from typing import Any

from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.arrow import to_arrow
from typeinfo.formats.layout import carried_fields
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.serde.carried import CarriedCodec
from typeinfo.serde.codec import Codec
from typeinfo.serde.collection import ListCodec, MapCodec
from typeinfo.serde.custom import CustomCodec
from typeinfo.serde.record import record_codec
from typeinfo.serde.row import RowCodec, TupleCodec
from typeinfo.serde.text import BytesCodec, LiteralCodec, PickledCodec

__all__ = ["codec_for"]


def codec_for(t: TypeInformation[Any], *, nullable: bool = False) -> Codec:
    """Return a codec of columns of a type.

    Args:
        t: the type.
        nullable: whether ``None`` may stand in the column although the type does not admit it.

    Raises:
        UnsupportedTypeError: ``t`` is of a class unknown here.
    """
    match t:
        case ScalarTypeInfo():
            return t.traits.codec()(t, to_arrow(t), nullable=nullable)
        case PickledBytesTypeInfo():
            return PickledCodec(t, to_arrow(t), nullable=nullable)
        case OptionalTypeInfo():
            return codec_for(t.value_type, nullable=True)
        case CustomTypeInfo():
            return CustomCodec(t, codec_for(t.carrier), nullable=nullable)
        case CarriedTypeInfo():
            return CarriedCodec(t, codec_for(t.carrier), nullable=nullable)
        case LiteralTypeInfo():
            return LiteralCodec(t, codec_for(t.value_type), nullable=nullable)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return BytesCodec(t, to_arrow(t), nullable=nullable)
        case ArrayTypeInfo() | MapTypeInfo():
            parts = [codec_for(slot.type, nullable=slot.nullable) for slot in t.slots()]
            codec: Any = MapCodec if isinstance(t, MapTypeInfo) else ListCodec
            return codec(t, *parts, nullable=nullable)  # type: ignore[no-any-return]
        case RowTypeInfo() | TupleTypeInfo() | RecordTypeInfo():
            codecs = [codec_for(field.type, nullable=field.nullable) for field in carried_fields(t)]
            match t:
                case RowTypeInfo():
                    return RowCodec(t, codecs, nullable=nullable)
                case TupleTypeInfo():
                    return TupleCodec(t, codecs, nullable=nullable)
            return record_codec(t, codecs, nullable=nullable)
    raise UnsupportedTypeError(f"there is no serializer for {t!r}")
