"""Keys that equal values share, by which values are found again."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Hashable
from typing import Any

from typeinfo.row import Row

__all__ = ["fields_key", "value_key"]

_NAN = struct.pack(">d", float("nan"))
_WITHOUT_JAVA_EQUALITY = (float, list, tuple, Row, dict)


def value_key(value: Any) -> Hashable:
    """Return a key that equal values share: NaNs are equal, 0.0 and -0.0 are not, as in Java.

    Objects that cannot be hashed are equal if they are pickled alike.
    """
    if isinstance(value, float):
        return _NAN if value != value else struct.pack(">d", value)
    if isinstance(value, (list, tuple, Row)):
        return tuple(map(value_key, value))
    if isinstance(value, dict):
        return frozenset((value_key(key), value_key(item)) for key, item in value.items())
    return value if isinstance(value, Hashable) else pickle.dumps(value)


def fields_key(fields: tuple[Any, ...]) -> Hashable:
    """Return a key that equal rows share: the fields themselves where they serve, to keep them once."""
    try:
        hash(fields)
    except TypeError:
        return value_key(fields)
    return value_key(fields) if any(isinstance(f, _WITHOUT_JAVA_EQUALITY) for f in fields) else fields
