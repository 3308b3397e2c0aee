"""Keys as bytes."""

from __future__ import annotations

import datetime as dt
import enum
import hashlib
import itertools
import math
import os
import subprocess
import sys
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple, NotRequired, TypedDict
from uuid import UUID

import pytest

from typeinfo import Instant, Row, RowKind, TypeInformation, Types, UnsupportedTypeError
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.keys import key_refusal
from typeinfo.serde.registry import key_encoder


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1  # noqa: PIE796 - an alias on purpose


@dataclass
class Point:
    x: int
    y: float
    note: str | None = field(default=None, compare=False)


@dataclass(eq=False)
class Incomparable:
    x: int


@dataclass
class Folded:
    word: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Folded) and self.word.lower() == other.word.lower()


@dataclass(eq=False)
class Longer(Point):
    more: int = 0


class Named(NamedTuple):
    x: int
    y: str


class Loose(Named):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Movie(TypedDict):
    title: str
    year: NotRequired[int]
    rating: NotRequired[float | None]


COLOR: TypeInformation[Any] = EnumTypeInfo(Color)
AB = Types.ROW_NAMED(["a", "b"], [Types.LONG, Types.STRING])

KEYS: list[tuple[TypeInformation[Any], list[Any]]] = [
    (Types.VOID, [None]),
    (Types.BOOLEAN, [True, False]),
    (Types.BYTE, [-1, 0, 127]),
    (Types.SHORT, [-1, 0, 1, 256]),
    (Types.INT, [-1, 0, 1, 2**31 - 1]),
    (Types.LONG, [-(2**63), -1, 0, 1, 256, 2**63 - 1]),
    (Types.BIG_INT, [-(10**37), -256, -129, -128, -1, 0, 1, 127, 128, 255, 256, 10**37]),
    (Types.FLOAT, [0.0, 0.5, -0.5, math.inf, -math.inf, math.nan]),
    (Types.DOUBLE, [0.0, 5e-324, -5e-324, math.inf, -math.inf, math.nan]),
    (Types.BIG_DEC, [Decimal(x).quantize(Decimal("1E-18")) for x in ("0", "1", "-1", "0.1", "10")]),
    (Types.STRING, ["", "a", "b", "ab", "ä", "a\0"]),
    (Types.CHAR, ["a", "b", "😀"]),
    (Types.UUID, [UUID(int=0), UUID(int=1)]),
    (Types.DURATION, [dt.timedelta(0), dt.timedelta(microseconds=-1), dt.timedelta(days=1)]),
    (Types.SQL_DATE, [dt.date.min, dt.date(1969, 12, 31), dt.date.max]),
    (Types.LOCAL_DATE, [dt.date(2024, 1, 1), dt.date(2024, 1, 2)]),
    (Types.SQL_TIME, [dt.time(0), dt.time(0, 0, 0, 1), dt.time(0, 1), dt.time(1)]),
    (Types.LOCAL_TIME, [dt.time(0), dt.time.max]),
    (Types.SQL_TIMESTAMP, [dt.datetime.min, dt.datetime(1970, 1, 1), dt.datetime.max]),
    (Types.LOCAL_DATE_TIME, [dt.datetime(1970, 1, 1), dt.datetime(1970, 1, 1, microsecond=1)]),
    (Types.INSTANT, [Instant(0), Instant(0, 1000), Instant(-1, 1000), Instant(1)]),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), [b"", b"\0", b"\0\0"]),
    (Types.PRIMITIVE_ARRAY(Types.INT), [[], [0], [0, 0], [1]]),
    (Types.BASIC_ARRAY(Types.STRING), [[], [None], [""], ["", None], [None, ""], ["ab"], ["a", "b"]]),
    (Types.LIST(Types.LIST(Types.INT)), [[], [[]], [[], []], [[1], []], [[], [1]]]),
    (Types.MAP(Types.STRING, Types.INT), [{}, {"a": 1}, {"a": None}, {"a": 1, "b": 2}, {"a": 2, "b": 1}]),
    (Types.TUPLE([]), [()]),
    (Types.TUPLE([Types.LONG, Types.LONG]), [(0, 1), (1, 0), (1, 256)]),
    (Types.TUPLE([Types.STRING, Types.STRING]), [("", ""), ("a", ""), ("", "a"), ("ab", "c"), ("a", "bc")]),
    (Types.TUPLE([OptionalTypeInfo(Types.VOID), Types.INT]), [(None, 1), (None, 2)]),
    (AB, [Row(a=a, b=b) for a in (None, 0, 1) for b in (None, "", "x")]),
    (Types.ROW([Types.INT]), [Row.of_kind(kind, value) for kind in RowKind for value in (None, 1)]),
    (COLOR, [Color.RED, Color.GREEN]),
    (LiteralTypeInfo(("a", "b"), Types.STRING), ["a", "b"]),
    (OptionalTypeInfo(Types.STRING), [None, "", "a"]),
    (Types.of(Point), [Point(1, 2.0), Point(2, 1.0)]),
    (Types.of(Named), [Named(1, "2"), Named(2, "1")]),
    (
        Types.of(Movie),
        [
            {"title": "a"},
            {"title": "a", "year": 1},
            {"title": "a", "rating": None},
            {"title": "a", "rating": 1.0},
        ],
    ),
]


def test_every_constant_is_covered_or_refused() -> None:
    covered = {t for t, _ in KEYS}
    for t in vars(Types).values():
        if isinstance(t, TypeInformation):
            assert t in covered or key_refusal(t) is not None


@pytest.mark.parametrize(("t", "keys"), KEYS, ids=lambda part: str(part)[:50])
def test_different_keys_differ(t: TypeInformation[Any], keys: list[Any]) -> None:
    encode = key_encoder(t)
    encoded = [encode(key) for key in keys]
    assert all(isinstance(data, bytes) for data in encoded)
    assert len(set(encoded)) == len(keys)
    assert [key_encoder(t)(key) for key in keys] == encoded


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param(a, b, id=f"{a[0]}-{b[0]}"[:80])
        for a, b in itertools.pairwise([case for case in KEYS if len(case[1]) > 1])
    ],
)
def test_different_pairs_differ(a: Any, b: Any) -> None:
    """One key after the other: where one ends must be certain."""
    (first, firsts), (second, seconds) = a, b
    encode = key_encoder(Types.TUPLE([first, second, first]))
    keys = list(itertools.product(firsts, seconds, firsts))
    assert len({encode(key) for key in keys}) == len(keys)


@pytest.mark.parametrize(
    ("t", "a", "b"),
    [
        (Types.DOUBLE, 0.0, -0.0),
        (Types.FLOAT, 0.0, -0.0),
        (Types.DOUBLE, math.nan, -math.nan),
        (Types.TUPLE([Types.LIST(Types.DOUBLE)]), ([math.nan, 0.0],), ([float("nan"), -0.0],)),
        (Types.MAP(Types.STRING, Types.INT), {"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (Types.LIST(Types.MAP(Types.DOUBLE, Types.INT)), [{0.0: 1, 2.0: 2}], [{2.0: 2, -0.0: 1}]),
        (COLOR, Color.RED, Color.CRIMSON),
        (Types.of(Point), Point(1, 0.0, "x"), Point(1, -0.0, "y")),
        (Types.of(Movie), {"title": "a", "year": 1}, {"year": 1, "title": "a"}),
        (Types.SQL_TIMESTAMP, dt.datetime(2024, 10, 27, 2), dt.datetime(2024, 10, 27, 2, fold=1)),
        (Types.BIG_DEC, Decimal("1.0"), Decimal("1.000000000000000000")),
    ],
)
def test_equal_keys_are_equal(t: TypeInformation[Any], a: Any, b: Any) -> None:
    assert key_encoder(t)(a) == key_encoder(t)(b)


def digest() -> str:
    """Return a hash of the bytes of all keys above."""
    total = hashlib.sha256()
    for t, keys in KEYS:
        for key in keys:
            data = key_encoder(t)(key)
            total.update(len(data).to_bytes(4, "big") + data)
    return total.hexdigest()


def test_bytes_are_the_same_in_every_process() -> None:
    code = f"import runpy; print(runpy.run_path({__file__!r})['digest']())"
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == digest()


@pytest.mark.parametrize(
    ("t", "key", "data"),
    [
        (Types.LONG, 1, "0000000000000001"),
        (Types.INT, -1, "ffffffffffffffff"),
        (Types.STRING, "aä", "61c3a4"),
        (Types.DOUBLE, -0.0, "0000000000000000"),
        (Types.DOUBLE, math.nan, "7ff8000000000000"),
        (Types.BIG_INT, 255, "0000000200ff"),
        (Types.BIG_DEC, Decimal(1), "000000080de0b6b3a7640000"),
        (Types.BOOLEAN, True, "01"),
        (Types.SQL_DATE, dt.date(1, 1, 1), "0000000000000001"),
        (Types.SQL_TIMESTAMP, dt.datetime(1970, 1, 1, 0, 0, 1), "00000000000f4240"),
        (Types.INSTANT, Instant(1, 1000), "0000000000000001000003e8"),
        (COLOR, Color.RED, "00000003524544"),
        (Types.TUPLE([Types.STRING, Types.LONG]), ("a", 1), "00000001610000000000000001"),
        (AB, Row(a=None, b="x"), "0000010000000178"),
        (AB, Row.of_kind(RowKind.DELETE, a=1, b=None), "0301000000000000000100"),
        (Types.LIST(Types.BYTE), [1], "000000010000000000000001"),
        (Types.MAP(Types.CHAR, Types.BOOLEAN), {"b": None, "a": True}, "0000000200000001610101000000016200"),
    ],
    ids=str,
)
def test_the_bytes_never_change(t: TypeInformation[Any], key: Any, data: str) -> None:
    """Checkpoints hold them: a change here needs a migration."""
    assert key_encoder(t)(key).hex() == data


@pytest.mark.parametrize(
    ("t", "place"),
    [
        (Types.PICKLED_BYTE_ARRAY(), ""),
        (Types.ROW_NAMED(["a", "b"], [Types.INT, Types.PICKLED_BYTE_ARRAY]), " at .b"),
        (Types.TUPLE([Types.LIST(Types.MAP(Types.INT, Types.PICKLED_BYTE_ARRAY))]), " at [0][][]"),
        (OptionalTypeInfo(Types.LIST(Types.PICKLED_BYTE_ARRAY)), " at []"),
    ],
    ids=str,
)
def test_pickled_objects_are_refused(t: TypeInformation[Any], place: str) -> None:
    reason = key_refusal(t)
    assert reason is not None
    assert reason.startswith(f"PickledByteArrayTypeInfo{place} cannot be a key: ")
    assert "key_type=" in reason
    with pytest.raises(UnsupportedTypeError) as error:
        key_encoder(t)
    assert str(error.value) == reason


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Folded, "Folded cannot be a key: it has an __eq__ of its own"),
        (Loose, "Loose cannot be a key: it has an __eq__ of its own"),
        (Longer, "Longer cannot be a key: its __eq__ is that of Point"),
    ],
)
def test_equality_that_does_not_compare_the_fields_is_refused(cls: Any, message: str) -> None:
    assert message in str(key_refusal(Types.of(cls)))


def test_a_class_without_equality_is_refused() -> None:
    reason = key_refusal(Types.LIST(Types.of(Incomparable)))
    assert reason is not None
    assert "Incomparable at [] cannot be a key: it has no __eq__" in reason
