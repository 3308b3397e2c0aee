"""Texts as Flink 2.3 writes them (tests/oracle/recorded/texts.json) unless a remark says otherwise."""

from __future__ import annotations

import datetime
import enum
import math
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple, TypedDict

import pytest

from typeinfo import Instant, Row, RowKind, Types, UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.number_text import double_text, float_text
from typeinfo.serde import serializer_for
from typeinfo.text import text_of

NAN, INF = math.nan, math.inf
DATE = datetime.date(2020, 2, 29)
NOON = datetime.time(12)


class Colour(enum.Enum):
    RED = "r"


@dataclass
class Point:
    x: int
    label: str | None


class Pair(NamedTuple):
    left: float
    right: list[str]


class Entry(TypedDict, total=False):
    a: int
    b: str


class Shouting:
    def __str__(self) -> str:
        return "HO"

    def __repr__(self) -> str:
        return "ho"


NAMED = Types.ROW_NAMED(["id", "name"], [Types.INT, Types.STRING])
SCALARS = Types.ROW([Types.BOOLEAN, Types.DOUBLE, Types.BIG_DEC, Types.STRING])

BOTH = [
    (Types.BYTE, -128, "-128"),
    (Types.LONG, -(2**63), "-9223372036854775808"),
    (Types.BIG_INT, 10**30, "1" + "0" * 30),  # PyFlink loses all but the first digits
    (Types.BOOLEAN, True, "true"),
    (Types.BOOLEAN, False, "false"),
    (Types.STRING, "a\tb", "a\tb"),
    (Types.STRING, "", ""),
    (Types.STRING, 'it\'s "x" 😀', 'it\'s "x" 😀'),
    (Types.CHAR, "a", "a"),  # PyFlink writes \0
    (Types.BIG_DEC, Decimal("12345678901234567.12345678901234567"), "12345678901234567.12345678901234567"),
    (Types.BIG_DEC, Decimal("-0.001"), "-0.001"),
    (Types.BIG_DEC, Decimal("100"), "100"),
    (Types.BIG_DEC, Decimal("1234567890.123"), "1234567890.123"),
    (Types.BIG_DEC, Decimal("1E-10"), "1E-10"),
    (Types.BIG_DEC, Decimal("1E+3"), "1E+3"),
    (Types.BIG_DEC, Decimal("1.50"), "1.50"),
    (Types.BIG_DEC, Decimal("0E-5"), "0.00000"),
    (Types.BIG_DEC, Decimal("-0.0"), "0.0"),
    (Types.FLOAT, 1 / 3, "0.33333334"),
    (Types.DOUBLE, 1e10, "1.0E10"),
    (Types.SQL_DATE, DATE, "2020-02-29"),
    (Types.SQL_TIME, datetime.time(1, 2, 3), "01:02:03"),
    (Types.SQL_TIME, datetime.time(1, 2, 3, 456000), "01:02:03.456"),  # Flink has no parts of seconds here
    (Types.SQL_TIMESTAMP, datetime.datetime(2020, 2, 29, 1, 2, 3), "2020-02-29 01:02:03.0"),
    (Types.SQL_TIMESTAMP, datetime.datetime(2020, 2, 29, 1, 2, 3, 456000), "2020-02-29 01:02:03.456"),
    (Types.SQL_TIMESTAMP, datetime.datetime(2020, 2, 29, 1, 2, 3, 100), "2020-02-29 01:02:03.0001"),
    (Types.SQL_TIMESTAMP, datetime.datetime(1, 1, 1), "0001-01-01 00:00:00.0"),
    (Types.INSTANT, Instant(0), "1970-01-01T00:00:00Z"),
    (Types.INSTANT, Instant.of_epoch_milli(1582979405123), "2020-02-29T12:30:05.123Z"),
    (
        Types.TUPLE(Types.STRING, Types.INT, Types.DOUBLE, Types.BOOLEAN),
        ("hi", 1, 1e10, True),
        "(hi,1,1.0E10,true)",
    ),
    (Types.TUPLE([Types.INT]), (1,), "(1)"),
    (Types.TUPLE([]), (), "()"),
    (Types.TUPLE(Types.TUPLE([Types.INT]), Types.LIST(Types.STRING)), ((1,), ["a", "b"]), "((1),[a, b])"),
    (Types.TUPLE(NAMED, Types.INT), (Row(id=1, name=None), 2), "(+I[1, null],2)"),
    (Types.LIST(Types.INT), [0, 7], "[0, 7]"),
    (Types.LIST(Types.INT), [], "[]"),
    (Types.LIST(Types.FLOAT), [1 / 3, 1.0], "[0.33333334, 1.0]"),
    (Types.LIST(Types.ROW([Types.INT])), [Row(1), Row.of_kind(RowKind.DELETE, 2)], "[+I[1], -D[2]]"),
    (Types.MAP(Types.STRING, Types.INT), {"b": 2, "a": None}, "{b=2, a=null}"),
    (Types.MAP(Types.INT, Types.INT), {}, "{}"),
    # for arrays Java writes their identity, here they are written like lists
    (Types.PRIMITIVE_ARRAY(Types.INT), [1, 2], "[1, 2]"),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), b"\x01\x80\xff", "[1, -128, -1]"),
    (Types.BASIC_ARRAY(Types.STRING), ["a", None], "[a, null]"),
    (Types.OBJECT_ARRAY(Types.ROW([Types.INT])), [Row(None), None], "[+I[null], null]"),
    (Types.PICKLED_BYTE_ARRAY, 1e16, "1e+16"),
    (Types.PICKLED_BYTE_ARRAY, True, "True"),
    (Types.PICKLED_BYTE_ARRAY, None, "None"),
    (Types.PICKLED_BYTE_ARRAY, "a", "a"),
    (Types.PICKLED_BYTE_ARRAY, (1, "a"), "(1, 'a')"),
    (Types.PICKLED_BYTE_ARRAY, Shouting(), "HO"),
    (Types.PICKLED_BYTE_ARRAY, Row(a=1, b=None), "Row(a=1, b=None)"),
    # java.time's texts
    (Types.LOCAL_DATE, DATE, "2020-02-29"),
    (Types.LOCAL_TIME, NOON, "12:00"),
    (Types.LOCAL_TIME, datetime.time(1, 2, 3), "01:02:03"),
    (Types.LOCAL_TIME, datetime.time(1, 2, 0, 450000), "01:02:00.450"),
    (Types.LOCAL_TIME, datetime.time(1, 2, 0, 1), "01:02:00.000001"),
    (Types.LOCAL_DATE_TIME, datetime.datetime(2020, 2, 29), "2020-02-29T00:00"),
    (Types.LOCAL_DATE_TIME, datetime.datetime(99, 1, 2, 3, 4, 5, 6000), "0099-01-02T03:04:05.006"),
    (Types.INSTANT, Instant(-1, 999_999_000), "1969-12-31T23:59:59.999999Z"),
    (Types.INSTANT, Instant(253402300800), "+10000-01-01T00:00:00Z"),
    (Types.INSTANT, Instant(-62167219201), "-0001-12-31T23:59:59Z"),
    (Types.INSTANT, Instant(-62135596801), "0000-12-31T23:59:59Z"),
    (Types.DURATION, datetime.timedelta(), "PT0S"),
    (Types.DURATION, datetime.timedelta(days=1, hours=2), "PT26H"),
    (Types.DURATION, datetime.timedelta(minutes=61, seconds=1.5), "PT1H1M1.5S"),
    (Types.DURATION, datetime.timedelta(seconds=-0.5), "PT-0.5S"),
    (Types.DURATION, datetime.timedelta(minutes=-61), "PT-1H-1M"),
    # beyond Flink
    (Types.VOID, None, "null"),
    (Types.UUID, uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (Types.of(Colour), Colour.RED, "RED"),
    (Types.of(Literal["a"]), "a", "a"),
    (Types.of(Literal[True]), True, "true"),
    (Types.of(float | None), 1e10, "1.0E10"),
    (Types.of(float | None), None, "null"),
    (Types.of(Point), Point(1, None), "Point(x=1, label=null)"),
    (Types.of(Pair), Pair(1e10, ["a"]), "Pair(left=1.0E10, right=[a])"),
    (Types.of(Entry), {"b": "x"}, "Entry(b=x)"),
    (Types.of(list[Point]), [Point(1, "a")], "[Point(x=1, label=a)]"),
]

ROWS = [
    (Types.ROW([Types.INT, Types.STRING]), Row(1, "a"), "+I[1,a]", "+I[1, a]"),
    (Types.ROW([Types.INT, Types.STRING]), Row(None, None), "+I[None,None]", "+I[null, null]"),
    (Types.ROW([Types.INT, Types.STRING]), Row.of_kind(RowKind.DELETE, 2, ""), "-D[2,]", "-D[2, ]"),
    (Types.ROW([Types.INT]), Row.of_kind(RowKind.UPDATE_BEFORE, 2), "-U[2]", "-U[2]"),
    (Types.ROW([Types.INT]), Row.of_kind(RowKind.UPDATE_AFTER, 2), "+U[2]", "+U[2]"),
    (NAMED, Row(id=1, name="a"), "+I[1,a]", "+I[1, a]"),
    (
        SCALARS,
        Row(True, 1e10, Decimal("0.1"), "x"),
        "+I[True,10000000000.0,0.1,x]",
        "+I[true, 1.0E10, 0.1, x]",
    ),
    (SCALARS, Row(None, None, None, None), "+I[None,None,None,None]", "+I[null, null, null, null]"),
    (Types.ROW([]), Row(), "+I[]", "+I[]"),
    (
        Types.ROW([Types.INT, Types.ROW([Types.STRING, Types.DOUBLE])]),
        Row(1, Row("a", 0.5)),
        "+I[1,Row(f0='a', f1=0.5)]",
        "+I[1, +I[a, 0.5]]",
    ),
    (
        Types.ROW(
            [Types.LIST(Types.DOUBLE), Types.MAP(Types.STRING, Types.BOOLEAN), Types.BASIC_ARRAY(Types.INT)]
        ),
        Row([1.5, 2.0], {"a": True}, [1, None]),
        "+I[[1.5, 2.0],{'a': True},[1, None]]",
        "+I[[1.5, 2.0], {a=true}, [1, null]]",
    ),
    (
        Types.ROW([Types.SQL_DATE, Types.SQL_TIME, Types.SQL_TIMESTAMP]),
        Row(DATE, datetime.time(1, 2, 3), datetime.datetime(2020, 2, 29, 1, 2, 3)),
        "+I[2020-02-29,01:02:03,2020-02-29 01:02:03]",
        "+I[2020-02-29, 01:02:03, 2020-02-29 01:02:03.0]",
    ),
    # Flink's encoder writes the pickle's bytes
    (Types.ROW([Types.PICKLED_BYTE_ARRAY]), Row((1, "a")), "+I[(1, 'a')]", "+I[(1, 'a')]"),
    (Types.of(Row[tuple[int]] | None), Row(None), "+I[None]", "+I[null]"),
    (Types.of(Row[tuple[int]] | None), None, "null", "null"),
]

CASES = [(t, value, text, text) for t, value, text in BOTH] + ROWS


@pytest.mark.parametrize(("t", "value", "printed", "encoded"), CASES, ids=str)
def test_text(t: TypeInformation[Any], value: Any, printed: str, encoded: str):
    (conformed,) = serializer_for(t).conform([value])
    assert text_of(t, "print")(conformed) == printed
    assert text_of(t, "encoder")(conformed) == encoded


DOUBLES = [
    (1.0, "1.0"),
    (1 / 3, "0.3333333333333333"),
    (0.1, "0.1"),
    (1e10, "1.0E10"),
    (1.5e10, "1.5E10"),
    (1e-5, "1.0E-5"),
    (1e-3, "0.001"),
    (9e-4, "9.0E-4"),
    (1e7, "1.0E7"),
    (9999999.0, "9999999.0"),
    (9999999.999, "9999999.999"),
    (123456.789, "123456.789"),
    (1e16, "1.0E16"),
    (1e21, "1.0E21"),
    (2.0**53, "9.007199254740992E15"),
    (1e23, "1.0E23"),  # Java before 19 wrote more digits than it takes
    (2e-3, "0.002"),
    (0.0, "0.0"),
    (-0.0, "-0.0"),
    (-1.5e-9, "-1.5E-9"),
    (1.7976931348623157e308, "1.7976931348623157E308"),
    (5e-324, "4.9E-324"),
    (1e-323, "9.9E-324"),
    (2.2250738585072014e-308, "2.2250738585072014E-308"),
    (NAN, "NaN"),
    (INF, "Infinity"),
    (-INF, "-Infinity"),
]
FLOATS = [
    (1.0, "1.0"),
    (1 / 3, "0.33333334"),
    (0.1, "0.1"),
    (1e10, "1.0E10"),
    (1e-5, "1.0E-5"),
    (1e-3, "0.001"),
    (9e-4, "9.0E-4"),
    (1e7, "1.0E7"),
    (9999999.0, "9999999.0"),
    (123456.789, "123456.79"),
    (16777217.0, "1.6777216E7"),
    (0.0, "0.0"),
    (-0.0, "-0.0"),
    (-2.5e-7, "-2.5E-7"),
    (3.4028234663852886e38, "3.4028235E38"),
    (1.401298464324817e-45, "1.4E-45"),
    (1.1754943508222875e-38, "1.1754944E-38"),  # Java before 19: 1.17549435E-38
    (NAN, "NaN"),
    (INF, "Infinity"),
    (-INF, "-Infinity"),
]


@pytest.mark.parametrize(("value", "text"), DOUBLES)
def test_double_text(value, text):
    assert double_text(value) == text


@pytest.mark.parametrize(("value", "text"), FLOATS)
def test_float_text(value, text):
    (rounded,) = serializer_for(Types.FLOAT).conform([value])
    assert float_text(rounded) == text


def test_an_unknown_class_of_types_is_refused():
    class Unknown(TypeInformation[int]):
        pass

    with pytest.raises(UnsupportedTypeError):
        text_of(Unknown(), "print")
