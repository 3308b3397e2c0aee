from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

import pytest

from typeinfo import Row, RowKind
from typeinfo.sameness import same, same_key, twin

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
