"""Serializers: validate elements, and convert them to Arrow batches or bytes."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.serde.columnar import ColumnarSerializer
from typeinfo.serde.pickled import PickledSerializer
from typeinfo.serde.serializer import TypeSerializer

__all__ = ["ColumnarSerializer", "PickledSerializer", "TypeSerializer", "serializer_for"]

T = TypeVar("T")


def serializer_for(t: TypeInformation[T]) -> TypeSerializer[T]:
    """Return the serializer of a type; the same object for equal types within a process.

    Raises:
        UnsupportedTypeError: ``t`` is not a type, or of an unknown class.
    """
    return cast("TypeSerializer[T]", _serializer(require_type(t, "the type of a serializer")))


@cache
def _serializer(t: TypeInformation[Any]) -> TypeSerializer[Any]:
    return PickledSerializer(t) if isinstance(t, PickledBytesTypeInfo) else ColumnarSerializer(t)
