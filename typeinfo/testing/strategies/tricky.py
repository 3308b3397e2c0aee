"""The atomic values that often go wrong, simplest first."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from typing import Any

from typeinfo.carried import TextTypeInfo
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.extended import LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row, RowKind
from typeinfo.scalar import ScalarTypeInfo

__all__ = [
    "TRICKY_BYTES",
    "tricky",
]

TRICKY_BYTES = [b"\0", b"a\0", b" a ", b"\r\n", bytes([255])]


def tricky(t: TypeInformation[Any], *, in_key: bool = False) -> list[Any] | None:
    """Return all tricky values of an atomic type, simplest first; ``None`` for a type that holds others.

    Args:
        t: the type.
        in_key: whether they stand in the key of a map, so that they must be hashable and not None.
    """
    match t:
        case ScalarTypeInfo():
            return list(t.traits.samples)
        case PickledBytesTypeInfo():
            return _HASHABLE if in_key else _OBJECTS
        case LiteralTypeInfo():
            return list(t.values)
        case TextTypeInfo():
            return t.samples()
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return [b"", b"a", *TRICKY_BYTES, bytes(range(256)), b"x" * 65_537]
    return None


_HASHABLE: list[Any] = [
    *(False, 0, 1.5, "", b"\0", (), -0.0, math.nan, "None", 2**70, (1,), (None, "a"), 1j),
    *(
        Row(1, None),
        datetime.date(2000, 1, 1),
        datetime.datetime(2000, 1, 1),
        Decimal("1.50"),
        RowKind.INSERT,
    ),
    *(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC), frozenset({1}), "\ud800"),
]


def _nested(depth: int) -> list[Any]:
    """Return an empty list within as many others."""
    return [_nested(depth - 1)] if depth else []


_OBJECTS: list[Any] = [
    *(None, *_HASHABLE[:6], [], {}, *_HASHABLE[6:], [None, "a"], {"a": [1]}, {1, 2}),
    *({2: "b", 1: "a"}, Row(a=1), bytearray(b"a"), _nested(60)),
]
