"""Encoders of composite keys, with self-delimiting bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, call
from struct import Struct
from typing import Any

from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.info import Slot
from typeinfo.key_bytes import count_bytes, long_bytes
from typeinfo.records import compared_names
from typeinfo.row import Row, RowKind

__all__ = ["Encoder", "compared_slots", "of_fields", "of_list", "of_map", "of_optional"]

Encoder = Callable[[Any], bytes]
_call: Any = call


def of_optional(encoder: Encoder) -> Encoder:
    """Return the encoder of values that may be ``None``."""
    return lambda value: b"\0" if value is None else b"\1" + encoder(value)


def of_list(element: Encoder) -> Encoder:
    """Return the encoder of lists, from the encoder of their elements."""
    return lambda values: count_bytes(len(values)) + b"".join(map(element, values))


def of_map(key: Encoder, value: Encoder) -> Encoder:
    """Return the encoder of maps, independent of order, from the encoders of their keys and values."""
    return lambda entries: (
        count_bytes(len(entries)) + b"".join(sorted(key(k) + value(v) for k, v in entries.items()))
    )


def compared_slots(t: FieldsTypeInfo[Any]) -> list[tuple[str, Slot]]:
    """Return the names and slots of the fields that ``==`` compares, in order."""
    named = zip(t.get_field_names(), t.slots(), strict=True)
    if isinstance(t, RecordTypeInfo) and t.kind.has_attributes:
        compared = compared_names(t.record_class) or ()
        return [(name, slot) for name, slot in named if name in compared]
    return list(named)


def of_fields(t: FieldsTypeInfo[Any], encoders: dict[str, Encoder]) -> Encoder:
    """Return the encoder of a composite, from the encoders of its compared fields by name."""
    if isinstance(t, RecordTypeInfo) and t.kind is RecordKind.TYPED_DICT:
        return _entries(encoders, t.optional_keys)
    parts = list(encoders.values())
    if isinstance(t, RecordTypeInfo) and t.kind.has_attributes:
        return _attributes(list(encoders), parts)
    if isinstance(t, RowTypeInfo):
        return _row(parts)
    if all(encoder is long_bytes for encoder in parts):
        pack = Struct(f">{len(parts)}q").pack
        return lambda values: pack(*values)
    return lambda values: _concatenated(parts, values)


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


def _entries(encoders: dict[str, Encoder], optional_keys: frozenset[str]) -> Encoder:
    def encode(record: dict[str, Any]) -> bytes:
        parts = []
        for name, encoder in encoders.items():
            if name in optional_keys:
                parts.append(b"\1" if name in record else b"\0")
            if name in record:
                parts.append(encoder(record[name]))
        return b"".join(parts)

    return encode
