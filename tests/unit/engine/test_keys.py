"""Keys: equality, stable key groups and invalid keys."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from itertools import combinations
from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.failure import TaskFailure
from pystream.engine.keys import InvalidKeyError, KeyGroups, KeyReader, key_bytes
from pystream.engine.spec import KeySpec
from tests.unit.engine.tasks import label
from typeinfo import Types
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps
from typeinfo.row import Row

DAY = datetime.date(2020, 2, 29)
MOMENT = datetime.datetime(2020, 2, 29, 1, 2, 3, 4)


class Colour(Enum):
    RED = 1


class Size(IntEnum):
    LARGE = 3


class Word(StrEnum):
    HI = "hi"


@dataclass(frozen=True)
class Point:
    x: int
    name: str
    note: str = field(default="", compare=False)


# The bytes and the groups of 128 of these keys may never change: checkpoints hold them.
GOLDEN: list[tuple[Any, bytes, int]] = [
    ("", b"s", 11),
    ("a", b"sa", 4),
    ("é", b"s\xc3\xa9", 90),
    (0, b"i\x00", 17),
    (1, b"i\x01", 7),
    (-1, b"i\xff", 28),
    (255, b"i\x00\xff", 48),
    (2**70, b"i@" + bytes(8), 75),
    (0.5, b"q1/2", 47),
    (float("inf"), b"inf", 121),
    (b"a", b"ba", 67),
    (("a", 1), b"t\x00\x00\x00\x02sa\x00\x00\x00\x02i\x01", 34),
    ((), b"t", 40),
    (DAY, b"a2020-02-29", 31),
    (datetime.time(1, 2), b"o01:02:00", 62),
    (datetime.timedelta(days=1, microseconds=1), b"l86400000001", 98),
    (uuid.UUID(int=5), b"u" + bytes(15) + b"\x05", 77),
    (Fraction(1, 3), b"q1/3", 57),
]

# The slots of keys whose type is declared, and their groups of 128, may not change either.
GOLDEN_TYPED: list[tuple[TypeInformation[Any], Any, Any, int]] = [
    (Types.STRING(), "a", "a", 4),
    (Types.INT(), 1, 1, 7),
    (Types.LONG(), 2**40, 2**40, 109),
    (Types.BOOLEAN(), True, True, 7),
    (Types.DOUBLE(), 0.5, pack(">d", 0.5), 47),
    (Types.TUPLE([Types.STRING(), Types.INT()]), ("a", 1), ("a", 1), 34),
    (Types.TUPLE([Types.STRING(), Types.DOUBLE()]), ("a", 1.0), b"\0\0\0\1a" + pack(">d", 1), 83),
    (Types.LIST(Types.INT()), [1, 2], pack(">Iqq", 2, 1, 2), 37),
    (Types.SQL_DATE(), DAY, DAY, 31),
]


def spec(select: Any, type_info: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY) -> KeySpec:
    return KeySpec(dumps(select), type_info)


def reader(type_info: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY, select: Any = None) -> KeyReader:
    return KeyReader(spec(select or (lambda value: value), type_info), label("Hash"))


@pytest.mark.parametrize(("key", "encoded", "group"), GOLDEN, ids=lambda part: repr(part)[:30])
def test_key_groups_are_stable(key: Any, encoded: bytes, group: int) -> None:
    assert key_bytes(key) == encoded
    assert KeyGroups(128)[key] == group


@pytest.mark.parametrize(("type_info", "key", "slot", "group"), GOLDEN_TYPED, ids=lambda part: str(part)[:30])
def test_key_groups_of_declared_types_are_stable(
    type_info: TypeInformation[Any], key: Any, slot: Any, group: int
) -> None:
    assert reader(type_info).slot_of(key) == slot
    assert KeyGroups(128)[slot] == group


def test_key_groups_are_the_same_in_every_process() -> None:
    keys = [key for key, _, _ in GOLDEN]
    script = (
        "import pickle, sys; from pystream.engine.keys import KeyGroups; groups = KeyGroups(1000)\n"
        "print([groups[key] for key in pickle.loads(sys.stdin.buffer.read())])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=dumps(keys),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    groups = KeyGroups(1000)
    assert said == {f"{[groups[key] for key in keys]}\n".encode()}


EQUAL = [
    [1, 1.0, True, Decimal("1.00"), Fraction(1)],
    [0, -0.0, False, Decimal(0)],
    [0.5, Decimal("0.5"), Fraction(1, 2)],
    [Size.LARGE, 3],
    [Word.HI, "hi"],
    [(1, "a"), (1.0, "a"), (True, "a")],
    [Point(1, "a", "one"), Point(1, "a", "two")],
    [Row(1, "a"), Row(1, "a")],
    [
        datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC),
        datetime.datetime(2020, 1, 1, 13, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
    ],
]


@pytest.mark.parametrize("keys", EQUAL, ids=lambda keys: repr(keys[0]))
def test_equal_keys_have_the_same_bytes(keys: list[Any]) -> None:
    assert len(set(keys)) == 1
    assert len(set(map(key_bytes, keys))) == 1


DIFFERENT = [
    *(1, "1", b"1", (1,), ((1,),), Row(1), 2, 0.1, Decimal("0.1"), "", (), (None,), ((),), ("",)),
    *(("a", "b"), ("ab",), ("a", ("b",)), (("a", "b"),), Colour.RED, "RED", Point(1, "a"), Point(1, "b")),
    *(DAY, MOMENT, datetime.datetime(2020, 2, 29), MOMENT.time(), str(DAY), datetime.timedelta(1)),
    *(Row(1, "a"), uuid.UUID(int=1), float("inf"), -float("inf")),
]


def test_different_keys_have_different_bytes() -> None:
    for one, two in combinations(DIFFERENT, 2):
        assert key_bytes(one) != key_bytes(two), (one, two)


_KEYS = st.recursive(
    st.one_of(st.integers(), st.text(), st.floats(allow_nan=False), st.booleans(), st.binary(), st.dates()),
    lambda parts: st.lists(parts, max_size=3).map(tuple),
)


@given(_KEYS, _KEYS)
def test_bytes_are_equal_if_and_only_if_keys_are(one: Any, two: Any) -> None:
    assert (key_bytes(one) == key_bytes(two)) is (one == two)


@pytest.mark.parametrize("key", [None, object(), (1, [object()]), {"k": complex(1)}, complex(1)], ids=str)
def test_values_without_reliable_equality_are_refused(key: Any) -> None:
    with pytest.raises(InvalidKeyError):
        key_bytes(key)


def test_none_may_be_a_part_of_a_key() -> None:
    assert key_bytes((None, 1)) != key_bytes((0, 1))


def test_keys_without_a_type_keep_their_form() -> None:
    keys = reader(select=lambda value: value[0]).read([("a", 1), (1.0, 2)])
    assert keys.keys == ["a", 1.0]
    assert keys.slots == ["a", 1.0]


@pytest.mark.parametrize(
    ("type_info", "equal"),
    [
        (Types.DOUBLE(), [0.0, -0.0]),
        (Types.DOUBLE(), [float("nan"), float("nan")]),
        (Types.LIST(Types.INT()), [[1, 2], [1, 2]]),
        (Types.MAP(Types.STRING(), Types.INT()), [{"a": 1, "b": 2}, {"b": 2, "a": 1}]),
        (Types.TUPLE([Types.DOUBLE()]), [(float("nan"),), (float("nan"),)]),
    ],
)
def test_keys_of_a_declared_type_are_compared_by_it(
    type_info: TypeInformation[Any], equal: list[Any]
) -> None:
    one, two = reader(type_info).read(equal).slots
    assert one == two
    assert hash(one) == hash(two)
    assert reader(type_info).slot_of(equal[0]) == one


def test_the_report_names_the_element_with_an_invalid_key() -> None:
    with pytest.raises(TaskFailure, match=r"ZeroDivisionError.*\n.*element: 0"):
        reader(select=lambda value: 1 // value).read([1, 0])
    with pytest.raises(TaskFailure, match="element: 'b'"):
        reader(Types.INT(), lambda value: 1 if value == "a" else value).read(["a", "b"])
    strict = reader(select=lambda value: object() if value == "b" else value)
    report = strict.failure(["a", "b"], strict.read(["a", "b"]), TypeError("unhashable")).report
    assert report.element == "'b'"
    assert "InvalidKeyError" in report.summary


def test_keys_are_distributed_evenly_over_groups() -> None:
    groups = KeyGroups(16)
    sizes = [0] * 16
    for number in range(16_000):
        sizes[groups[f"key {number}"]] += 1
    assert min(sizes) > 800
    assert max(sizes) < 1_200


@pytest.mark.parametrize(
    "type_info", [Types.PICKLED_BYTE_ARRAY(), Types.STRING(), Types.TUPLE([Types.INT()])]
)
def test_the_report_names_the_element_whose_key_is_none(type_info: TypeInformation[Any]) -> None:
    """Also where no element is sent to the subtask of its key, as in a loop and in a harness."""
    with pytest.raises(TaskFailure, match=r"'Hash' (.|\n)*None(.|\n)*element: 'b'"):
        reader(type_info, lambda value: None).read(["b", "c"])
