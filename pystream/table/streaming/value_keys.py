"""Keys by which values are found again: shared by equal values, or only by those that are the same."""

from __future__ import annotations

import datetime
import struct
import uuid
from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal
from types import NoneType
from typing import Any

from typeinfo.instant import Instant
from typeinfo.row import Row

__all__ = ["are_same", "fields_key", "is_plain", "same_key", "value_key"]

_NAN = struct.pack(">d", float("nan"))
_PLAIN = frozenset({NoneType, bool, bytes, datetime.date, datetime.timedelta, int, str, Instant, uuid.UUID})
"""The classes whose equal values are the same."""


def is_plain(fields: Sequence[Any]) -> bool:
    """Return whether all fields are of classes whose equal values are the same, unlike 0.0 and -0.0."""
    return set(map(type, fields)) <= _PLAIN


def value_key(value: Any) -> Hashable:
    """Return a key that values share which are equal in GROUP BY: NaNs are, and so are 0.0 and -0.0."""
    if isinstance(value, float):
        return _NAN if value != value else value
    if isinstance(value, dict):
        return frozenset((value_key(key), value_key(item)) for key, item in value.items())
    if isinstance(value, list | tuple | Row):
        return tuple(map(value_key, value))
    return value if isinstance(value, Hashable) else _parts_of_object(value, value_key)


def same_key(value: Any) -> Hashable:
    """Return a key that only values share which are written alike: not 0.0 and -0.0, nor 1.0 and 1.00."""
    if type(value) in _PLAIN:
        return type(value), value
    match value:
        case float():
            return _NAN if value != value else struct.pack(">d", value)
        case Decimal():
            return Decimal, str(value)
        case datetime.datetime() | datetime.time() if value.tzinfo is None:
            return type(value), value
        case list() | tuple() | Row():
            return tuple(map(same_key, value))
        case dict():
            return tuple((same_key(key), same_key(item)) for key, item in value.items())
        case set() | frozenset():
            return frozenset(map(same_key, value))
        case type():
            return value
    return _parts_of_object(value, same_key)


def _parts_of_object(value: Any, key: Callable[[Any], Hashable]) -> Hashable:
    """Return the keys of what an object is pickled as."""
    reduced = value.__reduce_ex__(4)
    if isinstance(reduced, str):
        return type(value), reduced
    _, arguments, state, items, entries = (*reduced, None, None, None)[:5]
    parts = arguments, state, tuple(items or ()), tuple(entries or ())
    return type(value), tuple(map(key, parts))


def are_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether two rows are written alike; rows with a NaN never are, as in Flink."""
    are_equal = all(value == counterpart for value, counterpart in zip(one, other, strict=True))
    return are_equal and (is_plain(one) or same_key(one) == same_key(other))


def fields_key(fields: tuple[Any, ...]) -> Hashable:
    """Return a key that only the same rows share: the fields themselves, if they are plain."""
    return fields if is_plain(fields) else same_key(fields)
