from __future__ import annotations

import datetime
import enum
import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest

from typeinfo import Row, Types
from typeinfo.agreement import contradiction


class Tag(enum.StrEnum):
    A = "a"


@dataclass
class Base:
    a: int


@dataclass
class Derived(Base):
    b: int


class Point(NamedTuple):
    x: int
    y: str


class Swapped(NamedTuple):
    y: str
    x: int


class Entry(TypedDict):
    x: int
    y: str


class Loose(TypedDict):
    x: int
    y: NotRequired[str]


class Only(TypedDict):
    x: int


ROW = Types.ROW([Types.INT, Types.STRING])
NAMED = Types.ROW_NAMED(["x", "y"], [Types.INT, Types.STRING])
TUPLE = Types.TUPLE(Types.INT, Types.STRING)

AGREEING = [
    (Types.SHORT, int),
    (Types.BIG_INT, int),
    (Types.FLOAT, float),
    (Types.DOUBLE, int),
    (Types.CHAR, str),
    (Types.INT, int | None),
    (Types.STRING, Literal["a"]),
    (Types.of(Literal["a"]), str),
    (Types.STRING, Tag),
    (Types.SQL_DATE, datetime.date),
    (Types.INSTANT, datetime.datetime),
    (Types.PICKLED_BYTE_ARRAY, int),
    (Types.INT, Any),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), bytes),
    (Types.PRIMITIVE_ARRAY(Types.INT), list[int]),
    (Types.LIST(Types.INT), tuple[int, int]),
    (Types.MAP(Types.CHAR, Types.SHORT), dict[str, int]),
    (ROW, tuple[int, str]),
    (Types.ROW([Types.INT, Types.SHORT]), list[int]),
    (Types.ROW_NAMED(["x", "y"], [Types.INT, Types.LONG]), dict[str, int]),
    (Types.ROW([Types.INT]), dict[str, int]),
    (Types.of(Loose), dict[str, int]),
    (Types.of(Entry), Loose),
    (Types.of(Loose), Entry),
    (Types.of(Loose), Only),
    (Types.of(Only), Loose),
    (NAMED, Swapped),
    (ROW, Row[tuple[int, str]]),
    (ROW, Point),
    (NAMED, Point),
    (NAMED, Entry),
    (NAMED, Row[Entry]),
    (NAMED, tuple[int, str]),
    (TUPLE, Row[tuple[int, str]]),
    (TUPLE, Point),
    (Types.of(Base), Base),
    (Types.of(Entry), Entry),
    (Types.MAP(Types.STRING, Types.INT), Only),
]

CONTRADICTING = [
    (Types.INT, str, "value is String, not Integer"),
    (Types.INT, float, "value is Double, not Integer"),
    (Types.INT, bool, "value is Boolean, not Integer"),
    (Types.DOUBLE, bool, "value is Boolean, not Double"),
    (Types.BOOLEAN, int, "value is Long, not Boolean"),
    (Types.STRING, bytes, "not String"),
    (Types.SQL_DATE, datetime.datetime, "LOCAL_DATE_TIME>, not DateTypeInfo"),
    (Types.LIST(Types.INT), bytes, "not ListTypeInfo"),
    (Types.LIST(Types.INT), list[str], r"value\[\] is String, not Integer"),
    (Types.MAP(Types.STRING, Types.INT), dict[int, int], r"value\{\} is Long, not String"),
    (Types.MAP(Types.STRING, Types.LIST(Types.INT)), dict[str, list[str]], r"value\[\]\[\] is String"),
    (ROW, tuple[int, str, str], "value has 3 fields, not 2"),
    (ROW, tuple[int, float], r"value\[1\] is Double, not String"),
    (NAMED, tuple[int, float], r"value\.y is Double, not String"),
    (ROW, Entry, r"the fields \['x', 'y'\], not \['f0', 'f1'\]"),
    (ROW, list[int], r"value\[1\] is Long, not String"),
    (Types.LIST(Types.INT), tuple[str, str], r"value\[0\] is String, not Integer"),
    (TUPLE, list[int], r"value\[1\] is Long, not String"),
    (NAMED, dict[str, int], r"value\.y is Long, not String"),
    (NAMED, dict[int, int], r"value\{\} is Long, not String"),
    (Types.of(Loose), dict[str, str], r"value\.x is String, not Long"),
    (Types.of(Only), Entry, r"the fields \['x', 'y'\], not \['x'\]"),
    (Types.of(Entry), Only, r"the fields \['x'\], not \['x', 'y'\]"),
    (Types.MAP(Types.STRING, Types.INT), Entry, r'value\["y"\] is String, not Integer'),
    (Types.ROW_NAMED(["a", "b"], [Types.INT, Types.STRING]), Point, r"the fields \['x', 'y'\]"),
    (ROW, Base, "not RowTypeInfo"),
    (NAMED, Base, "value is Base"),
    (TUPLE, Entry, "not TupleTypeInfo"),
    (
        Types.ROW_NAMED(["x", "z"], [Types.INT, Types.STRING]),
        Entry,
        r"the fields \['x', 'y'\], not \['x', 'z'\]",
    ),
    (Types.of(Point), tuple[int, str], "not Point"),
    (Types.of(Derived), Base, "value is Base"),
    (Types.of(Tag), str, "value is String, not Enum<Tag>"),
]


@pytest.mark.parametrize(("expected", "annotation"), AGREEING, ids=str)
def test_agrees(expected, annotation):
    assert contradiction(expected, Types.of(annotation)) is None


@pytest.mark.parametrize(("expected", "annotation", "message"), CONTRADICTING, ids=str)
def test_contradicts(expected, annotation, message):
    assert re.search(message, contradiction(expected, Types.of(annotation)) or "")
