"""Serializers: validate elements, and convert them to Arrow batches or bytes."""

from __future__ import annotations

from typeinfo.serde.serializer import (
    ColumnarSerializer,
    PickledSerializer,
    TypeSerializer,
    serializer_for,
)

__all__ = ["ColumnarSerializer", "PickledSerializer", "TypeSerializer", "serializer_for"]
