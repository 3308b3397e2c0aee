"""The atomic values that often go wrong, simplest first."""

from __future__ import annotations

import datetime
import math
import uuid
from decimal import Decimal
from typing import Any

from typeinfo.basic import INTEGER_BOUNDS, BasicType, BasicTypeInfo
from typeinfo.carried import TextTypeInfo
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.temporal import InstantTypeInfo, TemporalTypeInfo, TimeKind

__all__ = [
    "MICROS",
    "MICROSECOND",
    "TRICKY_BYTES",
    "TRICKY_TEXTS",
    "TRICKY_TIMES",
    "decimal",
    "edges",
    "tricky",
]

MICROS = 2**63 - 1
MICROSECOND = datetime.timedelta(microseconds=1)
TRICKY_TEXTS = [
    *("", "\0", "a\0b", " a ", "é", "e\u0301", "\ufeff", "ß", "İ", "😀", "null", "\r\n", "0", "nan", "None"),
    *("NULL", "\\N", "N/A", "true", "1.50", "+", "&amp;", "%20", ",", ";", '"', "'", "\\", "a,b", "::"),
    *("\n", "\ta\t", "\x85", "\xa0", "\u2028", "\u200b", "\u0131", "\ufb01", "01"),
]
TRICKY_BYTES = [b"\0", b"a\0", b" a ", b"\r\n", bytes([255])]
TRICKY_TIMES = [
    datetime.datetime(1, 1, 1),
    datetime.datetime(1582, 10, 10, 12),
    datetime.datetime(1900, 1, 1),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999),
    datetime.datetime(1970, 1, 1),
    datetime.datetime(2024, 2, 29, 0, 0, 0, 1),
    datetime.datetime(2024, 3, 31, 2, 30),  # which Europe skips, as America does the next
    datetime.datetime(2024, 3, 10, 2, 30),
    datetime.datetime(2024, 10, 27, 2, 30, fold=1),  # the second of two in Europe
    datetime.datetime.max,
]


def edges(low: int, high: int) -> list[int]:
    """Return the integers between two that only just fit some width, those next to zero first."""
    found = {low, low + 1, -2, -1, 0, 1, high - 1, high}
    for bits in (7, 8, 15, 16, 24, 31, 32, 53, 63):
        found |= {edge for edge in (2**bits - 1, 2**bits, 2**bits + 1, -(2**bits)) if low <= edge <= high}
    return sorted(found, key=lambda n: (abs(n), n < 0))


def decimal(digits: int) -> Decimal:
    """Return a number of 18 digits behind the point, as BIG_DEC has them."""
    return Decimal((int(digits < 0), tuple(map(int, str(abs(digits)))), -18)) if digits else Decimal("0E-18")


def tricky(t: TypeInformation[Any], *, in_key: bool = False) -> list[Any] | None:
    """Return all tricky values of an atomic type, simplest first; ``None`` for a type that holds others.

    Args:
        t: the type.
        in_key: whether they stand in the key of a map, so that they must be hashable and not None.
    """
    match t:
        case BasicTypeInfo():
            kind = t.basic_type
            return edges(*INTEGER_BOUNDS[kind]) if kind in INTEGER_BOUNDS else _BASIC[kind]
        case TemporalTypeInfo():
            return _TEMPORAL[t.kind]
        case InstantTypeInfo():
            return list(map(Instant.of_epoch_micro, [*edges(-MICROS, MICROS), 999, -999, 1_000, -1_001]))
        case PickledBytesTypeInfo():
            return _HASHABLE if in_key else _OBJECTS
        case EnumTypeInfo():
            return list(t.enum_class)
        case LiteralTypeInfo():
            return list(t.values)
        case TextTypeInfo():
            return t.samples()
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return [b"", b"a", *TRICKY_BYTES, bytes(range(256)), b"x" * 65_537]
    return None


_NAN, _INF = math.nan, math.inf
_BASIC: dict[BasicType, list[Any]] = {
    BasicType.VOID: [None],
    BasicType.STRING: [*TRICKY_TEXTS, "00", "1", "a", "A", "ss", "x" * 33, "x" * 256, "x" * 65_537],
    BasicType.BOOLEAN: [False, True],
    BasicType.FLOAT: [
        *(0.0, 1.0, -1.0, 0.5, -0.0, _NAN, _INF, -_INF, 2.0**24),
        *(0.10000000149011612, 2.0**-149, 3.4028234663852886e38),
    ],
    BasicType.DOUBLE: [
        *(0.0, 1.0, -1.0, 0.1, -0.0, _NAN, _INF, -_INF, 1 / 3, 2.0**24 + 1, 2.0**53),
        *(1e16, 1e22, 5e-324, 1.7976931348623157e308),
    ],
    BasicType.CHAR: ["a", *(text for text in TRICKY_TEXTS if len(text) == 1), "\uffff", "A"],
    BasicType.BIG_INT: edges(1 - 10**38, 10**38 - 1),
    BasicType.BIG_DEC: [
        decimal(digits)
        for digits in (0, 1, -1, 10**18, -(10**18), 15 * 10**17, 10**19, 10**36, 10**38 - 1, 1 - 10**38)
    ],
    BasicType.UUID: [uuid.UUID(int=number) for number in (0, 1, 2**63, 2**127, 2**128 - 1)],
    BasicType.DURATION: [
        count * MICROSECOND for count in (0, 1, -1, 999, 1_000, -1_001, 86_400_000_000, MICROS, -MICROS)
    ],
}
_PLAIN = datetime.datetime(2000, 1, 1)
_TEMPORAL: dict[TimeKind, list[Any]] = {
    TimeKind.DATE: [moment.date() for moment in (_PLAIN, *TRICKY_TIMES)],
    TimeKind.TIME: [moment.time() for moment in (_PLAIN, *TRICKY_TIMES)],
    TimeKind.TIMESTAMP: [_PLAIN, *TRICKY_TIMES],
}
_HASHABLE: list[Any] = [
    *(False, 0, 1.5, "", b"\0", (), -0.0, _NAN, "None", 2**70, (1,), (None, "a"), 1j),
    *(Row(1, None), datetime.date(2000, 1, 1), datetime.datetime(2000, 1, 1), Decimal("1.50"), TimeKind.DATE),
    *(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC), frozenset({1}), "\ud800"),
]


def _nested(depth: int) -> list[Any]:
    """Return an empty list within as many others."""
    return [_nested(depth - 1)] if depth else []


_OBJECTS: list[Any] = [
    *(None, *_HASHABLE[:6], [], {}, *_HASHABLE[6:], [None, "a"], {"a": [1]}, {1, 2}),
    *({2: "b", 1: "a"}, Row(a=1), bytearray(b"a"), _nested(60)),
]
