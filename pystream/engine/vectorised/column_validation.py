"""Validate columns against their type: by layout, by bounds, part by part, or else value by value."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from typeinfo.errors import TypeCheckError
from typeinfo.serde.codec import Codec, ValidBy, among_nulls, null_error
from typeinfo.serde.collection import ListCodec, MapCodec
from typeinfo.serde.composite import FieldsCodec

__all__ = ["is_direct", "validated", "without_mask"]

_WITH_VALUES = (
    pa.types.is_primitive,
    pa.types.is_decimal,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_fixed_size_binary,
)
"""The tests for layouts without parts that have a value below each null."""

_FIRST_BEYOND_ASCII = 0x80


def is_direct(codec: Codec) -> bool:
    """Return whether columns of a type can be validated without converting them to Python values."""
    match codec:
        case ListCodec():
            return is_direct(codec.elements)
        case MapCodec():
            return _are_comparable(codec.keys) and is_direct(codec.values)
        case FieldsCodec():
            return codec.arity > 0 and all(map(is_direct, codec.codecs))
    return codec.valid_by is not ValidBy.VALUES


def _are_comparable(keys: Codec) -> bool:
    """Return whether columns of keys can be validated, and their keys compared, without Python values."""
    return keys.equal_as_stored and keys.valid_by is not ValidBy.VALUES


def validated(codec: Codec, array: pa.Array) -> pa.Array:
    """Return a validated column in the layout of its type, with values unchanged.

    Raises:
        TypeCheckError: the column is of another kind, or the value at ``index`` does not fit.
    """
    if array.type != codec.arrow:
        array = codec.adopt(array)
    if array.null_count and not codec.nullable:
        error = null_error(codec.type)
        raise TypeCheckError(error.message, error.path, array.is_null().to_pylist().index(True))
    match codec:
        case MapCodec() if not _are_comparable(codec.keys):
            return codec.encode(codec.decode(array))
        case FieldsCodec(arity=0):
            return codec.encode(codec.decode(array))
        case ListCodec() | MapCodec() | FieldsCodec():
            return (
                _validated_around_nulls(codec, array)
                if array.null_count
                else _validated_by_parts(codec, array)
            )
    if array.type == codec.arrow and _is_known_valid(codec, array):
        return array
    return codec.encode(codec.decode(array))


def _is_known_valid(codec: Codec, array: pa.Array) -> bool:
    """Return whether an array of the right layout is known to hold only valid values."""
    match codec.valid_by:
        case ValidBy.LAYOUT:
            return True
        case ValidBy.ENCODING:
            return _is_utf8(array)
        case ValidBy.EXTREMES:
            return _has_valid_extremes(codec, array)
        case ValidBy.VALUES:
            return False


def _has_valid_extremes(codec: Codec, array: pa.Array) -> bool:
    import pyarrow.compute as pc  # slow to import

    extremes = pc.min_max(array)
    if not extremes["min"].is_valid:
        return True
    try:
        codec.decode(pa.array([extremes["min"], extremes["max"]], array.type))
    except TypeCheckError:
        return False
    return True


def _is_utf8(array: pa.Array) -> bool:
    """Return whether text is valid UTF-8, which Arrow validates only on request."""
    try:
        array.validate()
        if not _is_ascii(array):
            array.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _is_ascii(array: pa.Array) -> bool:
    """Return whether all text of a valid array is ASCII, which takes less time than to read each value."""
    if not pa.types.is_string(array.type) or not len(array):
        return False
    buffers: Any = array.buffers()
    _, offsets, data = buffers
    if data is None:
        return False
    bounds = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    if (bounds[1:] < bounds[:-1]).any():
        return False
    return int(np.frombuffer(data, np.uint8)[bounds[0] : bounds[-1]].max(initial=0)) < _FIRST_BEYOND_ASCII


def _validated_by_parts(codec: ListCodec | MapCodec | FieldsCodec, array: pa.Array) -> pa.Array:
    """Validate non-null composites, lists or maps by their parts."""
    held = codec.with_parts(validated, array)
    if isinstance(codec, MapCodec) and not _is_each_key_once(held):
        codec.decode(held)  # its error names the two equal keys
    return held


_FEW = 16  # entries per map; up to this number, pairwise comparison is faster than sorting


def _is_each_key_once(maps: Any) -> bool:
    """Return whether no map has duplicate keys; the first map starts at the first entry."""
    lengths = np.diff(maps.offsets.to_numpy())
    longest = int(lengths.max(initial=0))
    if longest < 2:
        return True
    encoded = maps.keys.dictionary_encode()
    # One number for each key of each map.
    keys = np.repeat(np.arange(len(lengths)) * len(encoded.dictionary), lengths) + encoded.indices.to_numpy()
    if longest <= _FEW:
        return not any((keys[apart:] == keys[:-apart]).any() for apart in range(1, longest))
    return len(np.unique(keys)) == len(keys)


def _validated_around_nulls(codec: ListCodec | MapCodec | FieldsCodec, array: pa.Array) -> Any:
    """Validate composites, lists or maps, some of them null."""
    if isinstance(codec, FieldsCodec):
        with suppress(TypeCheckError):  # perhaps for a value below a null, where anything is allowed
            return _masked(_fields_around_nulls(codec, array), array.is_null())
    valid = array.is_valid()
    present = array.drop_null()
    if not len(present):
        return codec.encode([None]).take(pa.array(np.zeros(len(array), np.int32)))
    held: Any = among_nulls(partial(_validated_by_parts, codec), present, (v.as_py() for v in valid))
    is_null = ~valid.to_numpy(zero_copy_only=False)
    positions = np.cumsum(~is_null) - 1
    if not isinstance(codec, FieldsCodec):
        return held.take(pa.array(positions, mask=is_null))
    # Non-nullable fields must not be null even where the whole is null: any other value is put there.
    return _masked(held.take(pa.array(np.maximum(positions, 0))), pa.array(is_null))


def _masked(held: Any, is_null: pa.Array) -> pa.Array:
    return pa.StructArray.from_arrays(held.flatten(), fields=list(held.type), mask=is_null)


def _fields_around_nulls(codec: FieldsCodec, array: pa.Array) -> pa.Array:
    """Validate the fields of composites, some of them null, with the values below the nulls.

    Returns:
        The composites without their nulls.

    Raises:
        TypeCheckError: a value does not fit, perhaps one below a null.
    """
    return codec.with_parts(partial(_field_around_nulls, array.null_count), array)


def _field_around_nulls(nulls: int, codec: Codec, array: pa.Array) -> pa.Array:
    """Validate a field of composites.

    Args:
        nulls: the number of composites that are null.
        codec: the codec of the field.
        array: the field, null also where its composite is.
    """
    if codec.nullable or array.null_count > nulls:
        return validated(codec, array)
    if isinstance(codec, FieldsCodec) and codec.arity:
        return _fields_around_nulls(codec, codec.adopt(array) if array.type != codec.arrow else array)
    return validated(codec, without_mask(array))


def without_mask(array: Any) -> Any:
    """Return an array with the values below its nulls in place of them, if its layout has such values."""
    t = array.type
    if pa.types.is_struct(t) and t.num_fields:
        return pa.StructArray.from_arrays(list(map(array.field, range(t.num_fields))), fields=list(t))
    is_nested = pa.types.is_list(t) or pa.types.is_large_list(t) or pa.types.is_map(t)
    if not is_nested and not any(has_values(t) for has_values in _WITH_VALUES):
        return array
    buffers = array.buffers()[1:2] if is_nested else array.buffers()[1:]
    children = [array.values] if is_nested else None
    return pa.Array.from_buffers(t, len(array), [None, *buffers], 0, array.offset, children)
