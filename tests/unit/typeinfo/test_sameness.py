from __future__ import annotations

import copy
import datetime
import itertools
import math
import re
import threading
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from typeinfo import Row, RowKind
from typeinfo.testing.sameness import same, same_key, twin

NAN = math.nan
OTHER_NAN = float("-nan")


@dataclass
class Point:
    x: float
    note: str = field(default="", compare=False)


class Pair(NamedTuple):
    x: float


SAME = [
    (NAN, OTHER_NAN),
    ([NAN], [OTHER_NAN]),
    ({"a": (NAN,)}, {"a": (OTHER_NAN,)}),
    (Row(a=NAN), Row(a=NAN)),
    (Point(NAN), Point(NAN)),
    (Pair(NAN), Pair(OTHER_NAN)),
    (Decimal("1.0"), Decimal("1.0")),
]
ONE_KEY_ONLY = [
    (0.0, -0.0),
    ([0.0], [-0.0]),
    (1, 1.0),
    (Row(0.0), Row(-0.0)),
    (Point(0.0, "a"), Point(0.0, "b")),
    (Decimal("1.0"), Decimal("1.00")),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
]
DIFFERENT = [
    (1, 2),
    (NAN, 0.0),
    ([1], [1, 1]),
    (Row(1), Row.of_kind(RowKind.DELETE, 1)),
    (Point(1.0), Point(2.0)),
    ({"a": 1}, {"b": 1}),
    ({"a": 1}, {"a": 2}),
    ({"a": 1}, {"a": 1, "b": 1}),
    (None, 0),
    ("a", b"a"),
]


@pytest.mark.parametrize(("a", "b"), SAME, ids=repr)
def test_same(a, b):
    assert same(a, b)
    assert same_key(a, b)


@pytest.mark.parametrize(("a", "b"), ONE_KEY_ONLY, ids=repr)
def test_one_key_but_not_the_same(a, b):
    assert not same(a, b)
    assert same_key(a, b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=repr)
def test_different(a, b):
    for left, right in ((a, b), (b, a)):
        assert not same(left, right)
        assert not same_key(left, right)


def test_classes_names_and_order_count_in_what_is_the_same():
    assert not same(True, 1)
    assert not same((1,), [1])
    assert not same(Pair(1.0), (1.0,))
    assert not same(Row(1), Row(a=1))
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_kinds_of_rows_count_unless_told_otherwise():
    insert, delete = [{"a": Row(1)}], [{"a": Row.of_kind(RowKind.DELETE, 1)}]
    assert not same(insert, delete)
    assert same(insert, delete, kinds=False)


TWINS = [
    (0.0, -0.0),
    (-0.0, 0.0),
    ((0.0, 1.5), (-0.0, 1.5)),
    (Pair(0.0), Pair(-0.0)),
    ({"a": [0.0], "b": 1}, {"b": 1, "a": [-0.0]}),
    (Row.of_kind(RowKind.DELETE, a=0.0), Row.of_kind(RowKind.DELETE, a=-0.0)),
    ("text", "text"),
]


@pytest.mark.parametrize(("value", "other"), TWINS, ids=repr)
def test_twins_are_one_key(value, other):
    assert same(twin(value), other)
    assert same_key(twin(value), value)


@dataclass
class Signal:
    samples: np.ndarray
    phase: complex = 0j


class Track:
    """Its ``==`` fails for arrays of more than one element, as one written for numbers does."""

    def __init__(self, points):
        self.points = points

    def __eq__(self, other):
        return isinstance(other, Track) and bool(self.points == other.points)

    __hash__ = None


class Cloud:
    """Its ``==`` gives an array."""

    def __init__(self, points):
        self.points = points

    def __eq__(self, other):
        return self.points == other.points

    __hash__ = None


ARRAYS = [
    np.array([1.0, NAN, -0.0]),
    np.array([[1, 2], [3, 4]], np.int16),
    np.array([], np.float32),
    np.array(1.5, np.longdouble),
    np.array([1.5, NAN], np.longdouble),
    np.array([1 + NAN * 1j, -0.0j]),
    np.array(["2024-01-01", "NaT"], "datetime64[ns]"),
    np.array([(1, NAN)], [("n", "i4"), ("x", "f8")]),
    np.array([None, NAN, [NAN], "text"], object),
    np.ma.masked_array([1.0, NAN], [True, False]),
    np.float32(NAN),
    np.complex64(complex(NAN, 1)),
    pd.Series([1.0, NAN], name="x", index=["a", "b"]),
    pd.Series([1, None], dtype="Int64"),
    pd.Series(["a", None, "a"], dtype="category"),
    pd.Series([pd.NaT, pd.Timestamp("2024-01-01", tz="UTC")]),
    pd.DataFrame({"x": [1.0, NAN], "y": ["a", None]}),
    pd.DataFrame(),
    pd.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["n", None]),
    pd.array([1, None], dtype="Int8"),
    pa.array([1.0, NAN, None, -0.0]),
    pa.array([[{"x": NAN}], None]),
    pa.chunked_array([[1.0], [NAN]]),
    pa.scalar(NAN),
    pa.table({"x": [NAN], "y": ["a"]}),
    pa.record_batch({"x": pa.array([NAN])}),
    pa.schema([pa.field("x", pa.int8(), metadata={"a": "b"})], metadata={"c": "d"}),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{type(array).__name__} {array!r:.40}")
def test_arrays_are_the_same_as_their_copies(array):
    other = copy.deepcopy(array)
    assert same(array, other)
    assert same([{"a": array}], [{"a": other}])
    for holder in (Signal, Track, Cloud):
        assert same(holder(array), holder(other))
    assert same_key(Signal(array), Signal(other))


OTHER_ARRAYS = [
    (np.array([0.0]), np.array([-0.0])),
    (np.array([1.0]), np.array([1])),
    (np.array([1], "<i4"), np.array([1], ">i4")),
    (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
    (np.array([1.0, 1.0]), np.array([1.0])),
    (np.array([1, 2]), np.array([[1, 2]])),
    (np.array([], "f8"), np.array([], "f4")),
    (np.array(["NaT"], "datetime64[s]"), np.array([0], "datetime64[s]")),
    (np.array([NAN, 1.0]), np.array([1.0, NAN])),
    (np.array([1, True], object), np.array([True, True], object)),
    (np.ma.masked_array([1, 2], [True, False]), np.ma.masked_array([1, 2], [False, False])),
    (np.float32(0.0), np.float32(-0.0)),
    (np.longdouble(1) / 3, np.longdouble(1 / 3)),
    (pd.Series([0.0]), pd.Series([-0.0])),
    (pd.Series([1], name="a"), pd.Series([1], name="b")),
    (pd.Series([1], index=[1]), pd.Series([1], index=[2])),
    (pd.Series([1]), pd.Series([1], dtype="Int64")),
    (pd.Series([None], dtype="Int64"), pd.Series([0], dtype="Int64")),
    (pd.DataFrame({"x": [1.0]}), pd.DataFrame({"x": [2.0]})),
    (pd.DataFrame({"x": [1.0]}), pd.DataFrame({"y": [1.0]})),
    (pd.DataFrame({"x": [1], "y": [1]}), pd.DataFrame({"y": [1], "x": [1]})),
    (pd.Index([1], name="a"), pd.Index([1], name="b")),
    (pa.array([0.0]), pa.array([-0.0])),
    (pa.array([1], pa.int8()), pa.array([1], pa.int16())),
    (pa.array([None], pa.int8()), pa.array([0], pa.int8())),
    (pa.chunked_array([[1]]), pa.chunked_array([[2]])),
    (pa.table({"x": [1]}), pa.table({"y": [1]})),
    (pa.schema([], metadata={"a": "b"}), pa.schema([], metadata={"a": "c"})),
]


@pytest.mark.parametrize(("a", "b"), OTHER_ARRAYS, ids=repr)
def test_arrays_that_differ(a, b):
    assert not same(a, b)
    assert not same(b, a)
    assert not same(Signal(a), Signal(b))


def test_an_equality_that_returns_an_array_is_not_trusted():
    assert not same(Cloud(np.array([0.0])), Cloud(np.array([-0.0])))
    assert same(Cloud(np.array([0.0])), Cloud(np.array([0.0])))


def test_arrays_in_keys_are_compared_by_their_elements():
    assert same_key(Signal(np.array([0.0, NAN])), Signal(np.array([-0.0, NAN])))
    assert not same_key(Signal(np.array([0.0, 1.0])), Signal(np.array([0.0, 2.0])))
    assert not same_key(Signal(np.array([0.0])), Signal(np.array([0.0, 0.0])))


def test_parts_of_complex_numbers_are_compared_as_floats():
    assert same(complex(NAN, 1), complex(OTHER_NAN, 1))
    assert same(Signal(np.array([1]), complex(1, NAN)), Signal(np.array([1]), complex(1, OTHER_NAN)))
    for other in (complex(-0.0, 0.0), complex(0.0, -0.0), complex(NAN, 0.0)):
        assert not same(0j, other)
    assert not same(complex(NAN, 1), complex(NAN, 2))
    assert same_key(complex(0.0, 1), complex(-0.0, 1))
    assert same_key(complex(NAN, 1), complex(NAN, 1))
    assert not same_key(complex(NAN, 1), complex(NAN, 2))
    assert same(twin(complex(0.0, 1)), complex(-0.0, 1))


def test_classes_are_the_same_only_as_themselves():
    assert same(int, int)
    assert not same(int, str)


class Marker:
    """Holds nothing."""


def test_instances_that_hold_nothing_are_the_same_unless_they_hide_it():
    assert same(Marker(), Marker())
    assert not same(Marker(), object())
    assert same(itertools.count(1), itertools.count(1))
    assert not same(itertools.count(1), itertools.count(2))
    assert not same(threading.Lock(), threading.Lock())  # its content is not visible


class Plain:
    def __init__(self, held: Any) -> None:
        self.held = held


class Counted(Plain):
    @cached_property
    def size(self) -> int:
        return len(str(self.held))


class FailedError(Exception):
    pass


def failed(detail: object) -> FailedError:
    error = FailedError("no", detail)
    error.code = [NAN]  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize(
    "make",
    [
        lambda: deque([NAN, 1], maxlen=3),
        lambda: array("d", [NAN, -0.0]),
        lambda: frozenset([float("nan"), (1, float("nan"))]),
        lambda: {float("nan"), "a"},
        lambda: failed(NAN),
        lambda: defaultdict(list, a=[NAN]),
        lambda: OrderedDict(a=NAN),
        lambda: partial(round, NAN, ndigits=2),
        lambda: re.compile("a+", re.I),
        lambda: Fraction(1, 3),
        lambda: SimpleNamespace(a=[NAN]),
        lambda: datetime.datetime(2024, 1, 1, tzinfo=ZoneInfo("Europe/Paris")),
    ],
)
def test_objects_are_compared_piece_by_piece(make: Any) -> None:
    assert same(make(), make())
    assert same(Plain(make()), Plain(make()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            datetime.datetime(2024, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
            datetime.datetime(2024, 1, 1, 0, tzinfo=datetime.UTC),
        ),
        ({-0.0}, {0.0}),
        (frozenset([1]), frozenset([True])),
        (deque([True]), deque([1])),
        (deque([1], maxlen=2), deque([1], maxlen=3)),
        (defaultdict(list), defaultdict(set)),
        (array("i", [1]), array("l", [1])),
        (FailedError("no", 1), FailedError("no", True)),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
        (Counter("ab"), Counter("ba")),
        (Decimal("2.50"), Decimal("2.5")),
        (datetime.timezone(datetime.timedelta(0), "a"), datetime.timezone(datetime.timedelta(0), "b")),
    ],
)
def test_equal_values_need_not_be_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert not same(Plain(one), Plain(other))
    assert not same([Plain({"a": (one,)})], [Plain({"a": (other,)})])


def test_cached_properties_do_not_count() -> None:
    one, other = Counted([1]), Counted([1])
    assert one.size == 3
    assert same(one, other)
    assert not same(one, Counted([2]))


def test_a_class_decides_its_own_equality() -> None:
    class Versioned(Plain):
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Versioned) and str(self.held) == str(other.held)

        __hash__ = None  # type: ignore[assignment]

    assert same(Versioned(1), Versioned("1"))


def test_values_that_hold_themselves_are_compared() -> None:
    def loop(last: int) -> Plain:
        inner: list[Any] = [last]
        inner.append(inner)
        return Plain(inner)

    assert same(loop(1), loop(1))
    assert not same(loop(1), loop(2))
