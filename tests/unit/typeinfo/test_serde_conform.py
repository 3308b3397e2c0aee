"""Values that ``conform`` accepts or converts, and those that it refuses."""

from __future__ import annotations

import datetime as dt
import enum
import math
import reprlib
from collections import OrderedDict, namedtuple
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from typeinfo import Instant, Row, RowKind, TypeCheckError, TypeInformation, Types
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.row import make_row
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same

UTC = dt.UTC
IST = dt.timezone(dt.timedelta(hours=5, minutes=30))


class NoOffset(dt.tzinfo):
    def utcoffset(self, when: dt.datetime | None) -> None:
        return None

    def __repr__(self) -> str:
        return "NoOffset()"


class Amount(Decimal): ...


class Text(str):
    pass


class Number(enum.IntEnum):
    ONE = 1


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1  # noqa: PIE796 - an alias on purpose


class Access(enum.Flag):
    READ = 1
    WRITE = 2


Pair = namedtuple("Pair", "a b")
Swapped = namedtuple("Swapped", "b a")
Other = namedtuple("Other", "a c")
COLOR: TypeInformation[Any] = EnumTypeInfo(Color)
ACCESS: TypeInformation[Any] = EnumTypeInfo(Access)
ANSWER: TypeInformation[Any] = LiteralTypeInfo((1, 2), Types.LONG)
AB = Types.ROW_NAMED(["a", "b"], [Types.LONG, Types.STRING])
TUPLE = Types.TUPLE([Types.LONG, Types.STRING])


def short_id(part: object) -> str:
    return reprlib.repr(part) if not isinstance(part, int) else hex(part)


def conform(t: TypeInformation[Any], *values: Any) -> list[Any]:
    return serializer_for(t).conform(list(values))


def refuse(t: TypeInformation[Any], *values: Any) -> TypeCheckError:
    """Return the error, the same for ``conform`` and ``to_batch``."""
    serializer = serializer_for(t)
    with pytest.raises(TypeCheckError) as error:
        serializer.conform(list(values))
    with pytest.raises(TypeCheckError) as other:
        serializer.to_batch(list(values))
    assert (str(other.value), other.value.index) == (str(error.value), error.value.index)
    return error.value


UNCHANGED: list[tuple[TypeInformation[Any], list[Any]]] = [
    (Types.VOID, [None, None]),
    (Types.BOOLEAN, [True, False]),
    (Types.BYTE, [-128, 127]),
    (Types.SHORT, [-(2**15), 2**15 - 1]),
    (Types.INT, [-(2**31), 2**31 - 1]),
    (Types.LONG, [-(2**63), 2**63 - 1]),
    (Types.BIG_INT, [10**38, -(10**500)]),
    (Types.FLOAT, [0.5, -0.0, math.inf, math.nan, 3.4028234663852886e38]),
    (Types.DOUBLE, [0.1, math.inf, math.nan, 5e-324]),
    (Types.BIG_DEC, list(map(Decimal, ("5", "2.50", "-0.0", "1E+3", "1E-25", "1E+20", "0E-18")))),
    (Types.STRING, ["", "ä", "\0", "😀"]),
    (Types.CHAR, ["a", "😀"]),
    (Types.UUID, [UUID(int=0)]),
    (Types.DURATION, [dt.timedelta(days=-1), dt.timedelta(microseconds=2**63 - 1)]),
    (Types.SQL_DATE, [dt.date.min, dt.date.max]),
    (Types.LOCAL_DATE, [dt.date(2024, 2, 29)]),
    (Types.SQL_TIME, [dt.time.min, dt.time.max]),
    (Types.LOCAL_TIME, [dt.time(1, 2, 3, 4)]),
    (Types.SQL_TIMESTAMP, [dt.datetime.min, dt.datetime.max]),
    (Types.LOCAL_DATE_TIME, [dt.datetime(2024, 1, 1)]),
    (Types.INSTANT, [Instant(0), Instant(-1, 999_999_000), Instant(253_402_300_800)]),
    (Types.PICKLED_BYTE_ARRAY, [object(), None, 1]),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), [b"", b"\xff"]),
    (Types.PRIMITIVE_ARRAY(Types.CHAR), [["a"], []]),
    (Types.BASIC_ARRAY(Types.STRING), [["a", None], []]),
    (Types.OBJECT_ARRAY(TUPLE), [[(1, "a"), None]]),
    (Types.LIST(Types.INT), [[1], []]),
    (Types.LIST(Types.STRING), [["a"]]),
    (Types.MAP(Types.INT, Types.INT), [{1: 2}]),
    (Types.LIST(Types.LIST(Types.INT)), [[[1], []], []]),
    (Types.MAP(Types.STRING, Types.LONG), [{"a": 1, "b": None}, {}]),
    (AB, [Row(a=1, b="x"), Row(a=None, b=None)]),
    (Types.ROW([Types.LONG, Types.STRING]), [Row(f0=1, f1="x"), Row.of_kind(RowKind.DELETE, f0=2, f1=None)]),
    (TUPLE, [(1, "x")]),
    (Types.ROW([]), [make_row((), ())]),
    (Types.ROW([Types.INT]), [Row(f0=1)]),
    (Types.TUPLE([]), [()]),
    (COLOR, [Color.RED, Color.CRIMSON]),
    (ACCESS, [Access.READ]),
    (ANSWER, [1, 2]),
    (OptionalTypeInfo(Types.INT), [1, None]),
    (OptionalTypeInfo(AB), [None, Row(a=1, b=None)]),
    (Types.LIST(OptionalTypeInfo(TUPLE)), [[None, (1, "")]]),
    (Types.TUPLE([Types.LONG] * 60), [tuple(range(60))]),
]


def test_every_constant_is_covered() -> None:
    covered = {t for t, _ in UNCHANGED}
    assert {t for t in vars(Types).values() if isinstance(t, TypeInformation)} <= covered


@pytest.mark.parametrize(("t", "values"), UNCHANGED, ids=short_id)
def test_values_of_the_type_are_left_alone(t: TypeInformation[Any], values: list[Any]) -> None:
    for batch in (values, values * 1000, [values[-1]], []):
        assert serializer_for(t).conform(batch) is batch


ACCEPTED: list[tuple[TypeInformation[Any], Any, Any]] = [
    (Types.BOOLEAN, np.True_, True),
    (Types.INT, np.int64(5), 5),
    (Types.LONG, np.uint8(5), 5),
    (Types.LONG, Number.ONE, 1),
    (Types.BIG_INT, np.uint64(2**64 - 1), 2**64 - 1),
    (Types.FLOAT, 0.1, 0.10000000149011612),
    (Types.FLOAT, 110.1, 110.0999984741211),
    (Types.FLOAT, 3, 3.0),
    (Types.FLOAT, np.float32(0.1), 0.10000000149011612),
    (Types.FLOAT, 1e-50, 0.0),
    (Types.DOUBLE, 3, 3.0),
    (Types.DOUBLE, 2**53, 2.0**53),
    (Types.DOUBLE, np.float32(0.1), 0.10000000149011612),
    (Types.DOUBLE, np.float64(0.1), 0.1),
    (Types.DOUBLE, np.int32(7), 7.0),
    (Types.STRING, Text("x"), "x"),
    (Types.STRING, np.str_("x"), "x"),
    (Types.CHAR, Text("x"), "x"),
    (Types.BIG_DEC, Amount("1.50"), Decimal("1.50")),
    (Types.INSTANT, dt.datetime(1970, 1, 1, 5, 30, tzinfo=IST), Instant(0)),
    (Types.INSTANT, pd.Timestamp("1970-01-01T00:00:01.000001Z"), Instant(1, 1000)),
    (Types.SQL_TIMESTAMP, pd.Timestamp("2024-01-01 10:00"), dt.datetime(2024, 1, 1, 10)),
    (Types.DURATION, pd.Timedelta(seconds=3), dt.timedelta(seconds=3)),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), bytearray(b"x"), b"x"),
    (Types.LIST(Types.INT), (1, 2), [1, 2]),
    (Types.BASIC_ARRAY(Types.INT), (1, None), [1, None]),
    (Types.LIST(Types.DOUBLE), [1, 2.5], [1.0, 2.5]),
    (Types.MAP(Types.STRING, Types.DOUBLE), {"a": 1}, {"a": 1.0}),
    (Types.MAP(Types.INT, Types.INT), OrderedDict({1: 2}), {1: 2}),
    (TUPLE, [1, "x"], (1, "x")),
    (TUPLE, Row(1, "x"), (1, "x")),
    (TUPLE, Pair(1, "x"), (1, "x")),
    (Types.ROW([Types.LONG, Types.STRING]), (1, "x"), Row(f0=1, f1="x")),
    (Types.ROW([Types.LONG, Types.STRING]), Row(1, "x"), Row(f0=1, f1="x")),
    (Types.ROW([Types.LONG, Types.STRING]), {"f1": "x", "f0": 1}, Row(f0=1, f1="x")),
    (Types.ROW([Types.LONG, Types.STRING]), Row(f1="x", f0=1), Row(f0=1, f1="x")),
    (AB, (1, "x"), Row(a=1, b="x")),
    (AB, Swapped("x", 1), Row(a=1, b="x")),
    (Types.ROW([Types.LONG, Types.STRING]), Pair(1, "x"), Row(f0=1, f1="x")),
    (AB, [1, None], Row(a=1, b=None)),
    (AB, {"b": "x", "a": 1}, Row(a=1, b="x")),
    (AB, Row(1, "x"), Row(a=1, b="x")),
    (AB, Row(b="x", a=1), Row(a=1, b="x")),
    (AB, Row.of_kind(RowKind.DELETE, 1, "x"), Row.of_kind(RowKind.DELETE, a=1, b="x")),
    (AB, Row.of_kind(RowKind.UPDATE_AFTER, b="x", a=1), Row.of_kind(RowKind.UPDATE_AFTER, a=1, b="x")),
    (Types.ROW([AB, TUPLE]), ((1, "x"), [2, "y"]), Row(f0=Row(a=1, b="x"), f1=(2, "y"))),
    (Types.ROW([]), (), make_row((), ())),
    (ANSWER, np.int64(2), 2),
]


@pytest.mark.parametrize(("t", "given", "expected"), ACCEPTED, ids=short_id)
def test_accepted_values_are_converted(t: TypeInformation[Any], given: Any, expected: Any) -> None:
    before = repr(given)
    (result,) = conform(t, given)
    assert same(result, expected)
    assert repr(given) == before
    assert all(same(other, result) for other in conform(t, *[given] * 3000))
    assert serializer_for(t).conform([result])[0] is result


def test_a_row_keeps_its_field_order_by_declaration() -> None:
    (row,) = conform(AB, Row(b="x", a=1))
    assert row.get_field_names() == ["a", "b"]
    assert list(row) == [1, "x"]


def test_only_changed_values_are_new_objects() -> None:
    kept, loose = (1, "a"), [2, "b"]
    values: list[Any] = [kept, loose]
    result = conform(TUPLE, *values)
    assert result == [(1, "a"), (2, "b")]
    assert result[0] is kept
    assert loose == [2, "b"]


def test_kinds_survive_a_change_of_values() -> None:
    t = Types.ROW([Types.DOUBLE])
    rows = conform(t, Row.of_kind(RowKind.DELETE, 1), Row(2))
    assert rows == [Row.of_kind(RowKind.DELETE, f0=1.0), Row(f0=2.0)]
    assert isinstance(rows[0][0], float)


MISFITS: list[tuple[TypeInformation[Any], Any, str]] = [
    (Types.VOID, 0, "0 (int) is not a VOID; only None fits; declare the type the values have"),
    (Types.BOOLEAN, 1, "1 (int) is not a BOOLEAN; convert it with bool(…)"),
    (Types.BOOLEAN, "true", "'true' (str) is not a BOOLEAN"),
    (Types.INT, True, "True (bool) is not an INT; declare Types.BOOLEAN()"),
    (Types.INT, np.True_, "is not an INT; declare Types.BOOLEAN()"),
    (Types.INT, 1.0, "1.0 (float) is not an INT; convert it with int(…)"),
    (Types.INT, "1", "'1' (str) is not an INT; convert it with int(…)"),
    (Types.INT, None, "None is not an INT; leave it out, or declare that it may be None"),
    (Types.BYTE, 300, "300 does not fit BYTE (-128..127); use Types.SHORT() or wider"),
    (Types.BYTE, -129, "-129 does not fit BYTE"),
    (Types.SHORT, 2**15, "32768 does not fit SHORT (-32768..32767); use Types.INT() or wider"),
    (Types.INT, 2**31, "use Types.LONG() or wider"),
    (Types.LONG, 2**63, "use Types.BIG_INT()"),
    (Types.LONG, np.uint64(2**63), "9223372036854775808 does not fit LONG"),
    (Types.LONG, -(2**200), "does not fit LONG"),
    (Types.BIG_INT, Decimal(1), "convert it with int(…)"),
    (Types.FLOAT, 1e39, "1e+39 does not fit FLOAT (up to ±3.4028235e+38); use Types.DOUBLE()"),
    (Types.FLOAT, -1e300, "-1e+300 does not fit FLOAT"),
    (Types.FLOAT, "1", "'1' (str) is not a FLOAT; convert it with float(…)"),
    (Types.DOUBLE, True, "True (bool) is not a DOUBLE; convert it with float(…)"),
    (Types.DOUBLE, np.True_, "is not a DOUBLE; convert it with float(…)"),
    (Types.DOUBLE, Decimal("0.1"), "Decimal('0.1') (Decimal) is not a DOUBLE; convert it with float(…)"),
    (Types.DOUBLE, 2**53 + 1, "the integer 9007199254740993 is not exactly representable as a double"),
    (Types.DOUBLE, 10**400, "is not exactly representable as a double"),
    (Types.FLOAT, 2**200, "does not fit FLOAT"),
    (Types.BIG_DEC, 1.5, "1.5 (float) is not a BIG_DEC; convert it with Decimal(…)"),
    (Types.BIG_DEC, 5, "5 (int) is not a BIG_DEC; convert it with Decimal(…)"),
    (Types.BIG_DEC, Decimal("NaN"), "BIG_DEC does not hold NaN; use Types.DOUBLE()"),
    (Types.BIG_DEC, Decimal("-Infinity"), "BIG_DEC does not hold -Infinity"),
    (Types.STRING, 1, "1 (int) is not a STRING; convert it with str(…)"),
    (Types.STRING, b"x", "b'x' (bytes) is not a STRING; decode it with .decode()"),
    (Types.STRING, "a\ud800", "holds a lone surrogate"),
    (Types.CHAR, "ab", "'ab' has length 2, a CHAR has 1; use Types.STRING()"),
    (Types.CHAR, "", "'' has length 0, a CHAR has 1"),
    (Types.CHAR, "\udfff", "holds a lone surrogate"),
    (Types.UUID, str(UUID(int=0)), "is not a UUID; convert it with uuid.UUID(…)"),
    (Types.DURATION, 3, "3 (int) is not a DURATION; give a datetime.timedelta"),
    (Types.DURATION, dt.timedelta.max, "does not fit DURATION"),
    (Types.DURATION, pd.Timedelta(1, "ns"), 'if that is intended, with .floor("us")'),
    (Types.SQL_DATE, dt.datetime(2024, 1, 1), "(datetime) is not a DateTypeInfo; take its .date()"),
    (Types.SQL_DATE, "2024-01-01", "'2024-01-01' (str) is not a DateTypeInfo"),
    (Types.SQL_TIME, dt.datetime(2024, 1, 1), "(datetime) is not a TimeTypeInfo; take its .time()"),
    (Types.SQL_TIME, dt.time(1, tzinfo=UTC), "has a time zone, which this type does not keep"),
    (Types.SQL_TIMESTAMP, dt.date(2024, 1, 1), "(date) is not a TimestampTypeInfo; give a datetime.datetime"),
    (Types.SQL_TIMESTAMP, dt.datetime(2024, 1, 1, tzinfo=UTC), "use Types.INSTANT()"),
    (Types.SQL_TIMESTAMP, pd.Timestamp(1), 'if that is intended, with .floor("us")'),
    (Types.SQL_TIMESTAMP, pd.NaT, "NaT is a missing value; give None where that is allowed"),
    (Types.LOCAL_DATE_TIME, Instant(0), "is not a LocalTimeTypeInfo<LOCAL_DATE_TIME>"),
    (Types.INSTANT, pd.NaT, "NaT is a missing value"),
    (Types.DURATION, pd.NaT, "is not a DURATION"),
    (
        Types.INSTANT,
        dt.datetime(2024, 1, 1, tzinfo=NoOffset()),
        "has a time zone without an offset, so it names no point in time",
    ),
    (Types.INSTANT, dt.datetime(2024, 1, 1), "has no time zone, so it names no point in time"),
    (
        Types.INSTANT,
        Instant(0, 1),
        "which are not kept; give Instant.of_epoch_micro(",
    ),
    (Types.INSTANT, Instant(2**60), "does not fit"),
    (Types.INSTANT, 5, "5 (int) is not an Instant; give an Instant or a datetime with a time zone"),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), [1], "give bytes, or declare LIST(BYTE)"),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), "x", "is not a PrimitiveArrayTypeInfo<Byte>; give bytes"),
    (Types.LIST(Types.INT), {1, 2}, "convert it with list(…)"),
    (Types.LIST(Types.INT), 5, "5 (int) is not a ListTypeInfo<Integer>"),
    (Types.LIST(Types.STRING), "abc", "'abc' (str) is not a ListTypeInfo<String>"),
    (Types.MAP(Types.INT, Types.INT), [(1, 2)], "give a dict"),
    (TUPLE, "ab", "give a tuple of 2"),
    (TUPLE, (1,), "(1,) has 1 fields, TupleTypeInfo(Long, String) has 2"),
    (TUPLE, (1, "x", 2), "has 3 fields"),
    (TUPLE, {"a": 1, "b": "x"}, "give a tuple of 2"),
    (TUPLE, None, "None is not a TupleTypeInfo(Long, String)"),
    (AB, (1,), "has 1 fields, RowTypeInfo(a: Long, b: String) has 2"),
    (AB, Row(1, "x", 2), "has 3 fields"),
    (AB, Row(a=1, c="x"), "lacks ['b'] and has unknown ['c']; the fields are ['a', 'b']"),
    (AB, make_row((1, "x"), ["a"]), "has 2 values under the names ['a']; give each its own"),
    (AB, make_row((1, "x"), ["a", "a"]), "has 2 values under the names ['a', 'a']; give each its own"),
    (AB, Other(1, "x"), "lacks ['b'] and has unknown ['c']"),
    (AB, {"a": 1}, "{'a': 1} lacks ['b']; the fields are ['a', 'b']"),
    (AB, {"a": 1, "b": "x", "c": 2}, "has unknown ['c']"),
    (AB, 5, "give a Row of 2 fields"),
    (AB, None, "None is not a RowTypeInfo(a: Long, b: String)"),
    (Types.ROW([Types.INT]), Row(x=1), "lacks ['f0'] and has unknown ['x']; the fields are ['f0']"),
    (Types.ROW([Types.INT]), {"x": 1}, "lacks ['f0'] and has unknown ['x']; the fields are ['f0']"),
    (Types.ROW([]), Row(1), "has 1 fields"),
    (COLOR, 1, "1 (int) is not an Enum<Color>; give a member such as Color.RED"),
    (COLOR, "RED", "'RED' (str) is not an Enum<Color>"),
    (ACCESS, Access.READ | Access.WRITE, "has no name of its own in Access"),
    (ANSWER, 3, "3 is not one of the values of Literal<1, 2>"),
    (ANSWER, True, "True (bool) is not a LONG"),
    (ANSWER, None, "None is not a Literal<1, 2>"),
]


@pytest.mark.parametrize(("t", "value", "message"), MISFITS, ids=short_id)
def test_values_that_do_not_fit_are_refused(t: TypeInformation[Any], value: Any, message: str) -> None:
    error = refuse(t, value)
    assert message in str(error)
    assert error.index == 0
    assert error.path == ""


@pytest.mark.parametrize(("t", "value", "message"), MISFITS, ids=short_id)
def test_the_element_is_found_among_many(t: TypeInformation[Any], value: Any, message: str) -> None:
    good = next(values[0] for other, values in UNCHANGED if other == t)
    values = [good] * 1500
    values[1234] = value
    assert refuse(t, *values).index == 1234


DEEP = Types.ROW_NAMED(
    ["user", "extra"],
    [
        Types.ROW_NAMED(["tags", "scores"], [Types.LIST(Types.STRING), Types.MAP(Types.STRING, Types.INT)]),
        Types.TUPLE([Types.INT, Types.OBJECT_ARRAY(Types.TUPLE([Types.BYTE]))]),
    ],
)


def deep(tags: Any = (), scores: Any = None, number: Any = 1, array: Any = ()) -> Any:
    return Row(user=Row(tags=list(tags), scores=scores or {}), extra=(number, list(array)))


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        (deep(tags=["a", "b", "c", 4]), ".user.tags[3]"),
        (deep(tags=["a", None]), ".user.tags[1]"),
        (deep(scores={"x": 1, "key": 2**40}), '.user.scores["key"]'),
        (deep(scores={"x": 1, 5: 1}), ".user.scores{5}"),
        (deep(number="n"), ".extra[0]"),
        (deep(array=[(1,), None, (200,)]), ".extra[1][2][0]"),
        (deep(array=[(1,), (1, 2)]), ".extra[1][1]"),
        (Row(user=7, extra=None), ".user"),
        (Row(user=None, extra=(None, [])), ".extra[0]"),
        (Row(user=Row(1), extra=None), ".user"),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 3000])
def test_the_path_and_the_element_are_named(bad: Any, path: str, before: int) -> None:
    values = [deep(["x"] * (i % 4), {"y": 1}, 1, [(1,)] * (i % 3)) for i in range(before)]
    values[1::7] = [Row(user=None, extra=None)] * len(values[1::7])
    error = refuse(DEEP, *values, bad, deep())
    assert (error.path, error.index) == (path, before)
    assert str(error).startswith(f"value{path}: ")


def test_keys_that_become_one_are_refused() -> None:
    t = Types.MAP(Types.FLOAT, Types.INT)
    error = refuse(t, {0.5: 1}, {0.1: 1, 0.10000000149011612: 2})
    assert error.index == 1
    assert "one in the declared type" in str(error)
    assert len(conform(t, {math.nan: 1, float("nan"): 2})[0]) == 2


def test_a_long_value_is_shown_short() -> None:
    assert len(str(refuse(Types.INT, "x" * 10_000))) < 250
    assert len(str(refuse(Types.INT, list(range(10_000))))) < 250


def test_a_value_whose_repr_fails_is_still_reported() -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "Hostile" in str(refuse(Types.INT, Hostile()))


def test_values_of_several_classes_are_validated_in_one_batch() -> None:
    assert refuse(Types.LONG, 1, 2.0, "x").index == 1
    assert refuse(AB, (1, "x"), Row(1, "x"), {"a": 1}).index == 2
    assert conform(AB, (1, "x"), Row(1, "y"), {"a": 1, "b": None}, Row(b="z", a=3)) == [
        Row(a=1, b="x"),
        Row(a=1, b="y"),
        Row(a=1, b=None),
        Row(a=3, b="z"),
    ]


def test_a_pickled_key_is_never_none() -> None:
    serializer = serializer_for(Types.MAP(Types.PICKLED_BYTE_ARRAY, Types.INT))
    for check in (serializer.conform, serializer.to_batch):
        with pytest.raises(TypeCheckError, match="None cannot be the key of a map") as error:
            check([{1: 1}, {"a": 1, None: 2}])
        assert (error.value.path, error.value.index) == ("{None}", 1)


def test_keys_that_become_one_are_named_as_given() -> None:
    t = Types.MAP(Types.of(tuple[float]), Types.INT)
    given = {(16777217,): 1, (16777216.0,): 2}
    narrow = Types.MAP(Types.TUPLE(Types.FLOAT), Types.INT)
    assert serializer_for(t).conform([given]) == [given]
    with pytest.raises(
        TypeCheckError, match=r"two keys, \(16777217,\) and \(16777216\.0,\), are one"
    ) as error:
        serializer_for(narrow).conform([{}, given])
    assert error.value.index == 1
