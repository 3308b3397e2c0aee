"""Serializers write batches to Arrow and bytes and read them back, as they do foreign layouts."""

from __future__ import annotations

import datetime as dt
import enum
import math
import pickle
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations_with_replacement
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from typeinfo import (
    Instant,
    PyStreamError,
    Row,
    RowKind,
    TypeCheckError,
    TypeInformation,
    Types,
    UnsupportedTypeError,
)
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.arrow import spark_layout, to_arrow_schema
from typeinfo.row import make_row
from typeinfo.scalar import SCALARS
from typeinfo.serde import ColumnarSerializer, PickledSerializer, serializer_for
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1  # noqa: PIE796 - an alias on purpose


COLOR: TypeInformation[Any] = EnumTypeInfo(Color)
ANSWER: TypeInformation[Any] = LiteralTypeInfo(("yes", "no"), Types.STRING)
SHADE: TypeInformation[Any] = LiteralTypeInfo((Color.RED,), COLOR)
AB = Types.ROW_NAMED(["a", "b"], [Types.LONG, Types.STRING])
WIDE = Types.ROW_NAMED([f"größe {i}" for i in range(60)], [Types.LONG, Types.STRING] * 30)
NO_FIELDS = make_row((), ())
NULLS = Row(f0=None, f1=None)
ATOMS = [name for name, t in vars(Types).items() if isinstance(t, TypeInformation)]

VALUES: dict[str, list[Any]] = {
    "VOID": [None, None],
    "BOOLEAN": [True, False],
    "BYTE": [-128, 127, 0],
    "SHORT": [-(2**15), 2**15 - 1],
    "INT": [-(2**31), 2**31 - 1],
    "LONG": [-(2**63), 2**63 - 1],
    "FLOAT": [0.5, -0.0, math.inf, -math.inf, 1.401298464324817e-45],
    "DOUBLE": [0.1, -0.0, math.inf, 5e-324],
    "STRING": ["", "ä\0", "😀" * 1000],
    "CHAR": ["a", "😀"],
    "BIG_INT": [10**38 - 1, 1 - 10**38, 0],
    "BIG_DEC": [Decimal("99999999999999999999.999999999999999999"), Decimal("0E-18")],
    "UUID": [UUID(int=0), UUID(int=2**128 - 1)],
    "DURATION": [
        dt.timedelta(days=-1, microseconds=1),
        dt.timedelta(microseconds=2**63 - 1),
        dt.timedelta(microseconds=1 - 2**63),
    ],
    "INSTANT": [Instant(0), Instant(-1, 999_999_000), Instant(-(2**63) // 10**6 + 1), Instant(10**12)],
    "SQL_DATE": [dt.date.min, dt.date.max],
    "SQL_TIME": [dt.time.min, dt.time.max],
    "SQL_TIMESTAMP": [dt.datetime.min, dt.datetime.max, dt.datetime(2021, 3, 28, 2, 30)],
    "LOCAL_DATE": [dt.date(1969, 12, 31)],
    "LOCAL_TIME": [dt.time(23, 59, 59, 999_999)],
    "LOCAL_DATE_TIME": [dt.datetime(1969, 12, 31, 23, 59, 59, 999_999)],
    "PICKLED_BYTE_ARRAY": [1, None, "a", [1, [2]], {"a": Decimal(1)}, (1, (None, b"x"))],
}

CASES: list[tuple[TypeInformation[Any], list[Any]]] = [
    *((getattr(Types, name), values) for name, values in VALUES.items()),
    *((Types.LIST(getattr(Types, name)), [values, [], values[::-1]]) for name, values in VALUES.items()),
    *(
        (Types.OBJECT_ARRAY(getattr(Types, name)), [[None, *values, None], [], [None]])
        for name, values in VALUES.items()
    ),
    *(
        (Types.ROW([getattr(Types, name), Types.INT]), [*(Row(f0=v, f1=1) for v in values), NULLS])
        for name, values in VALUES.items()
    ),
    *(
        (Types.MAP(Types.INT, getattr(Types, name)), [dict(enumerate(values)), {}, {5: None}])
        for name, values in VALUES.items()
    ),
    *(
        (Types.MAP(getattr(Types, name), Types.INT), [dict.fromkeys(values, 1), {}])
        for name, values in VALUES.items()
        if name not in ("VOID", "PICKLED_BYTE_ARRAY")
    ),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), [b"", b"\xff\0"]),
    (Types.PRIMITIVE_ARRAY(Types.DOUBLE), [[], [1.0, 2.0]]),
    (Types.BASIC_ARRAY(Types.STRING), [["a", None], []]),
    (Types.ROW([]), [NO_FIELDS, NO_FIELDS]),
    (Types.TUPLE([]), [(), ()]),
    (
        Types.ROW_NAMED(["e", "f"], [Types.ROW([]), Types.TUPLE([])]),
        [Row(e=NO_FIELDS, f=()), Row(e=None, f=None)],
    ),
    (Types.LIST(Types.ROW([])), [[NO_FIELDS, NO_FIELDS], []]),
    (AB, [Row(a=1, b="x"), Row(a=None, b=None)]),
    (Types.TUPLE([AB, Types.LIST(AB)]), [(Row(a=1, b="x"), [Row(a=2, b=None)]), (Row(a=None, b="y"), [])]),
    (WIDE, [Row(**dict(zip(WIDE.get_field_names(), [i, str(i)] * 30, strict=True))) for i in range(3)]),
    (COLOR, [Color.RED, Color.CRIMSON, Color.GREEN]),
    (Types.LIST(OptionalTypeInfo(COLOR)), [[Color.RED, None]]),
    (ANSWER, ["yes", "no"]),
    (Types.TUPLE([ANSWER, OptionalTypeInfo(ANSWER)]), [("yes", None), ("no", "no")]),
    (SHADE, [Color.RED]),
    (OptionalTypeInfo(Types.INT), [1, None]),
    (OptionalTypeInfo(AB), [None, Row(a=1, b=None), None]),
    (OptionalTypeInfo(Types.LIST(OptionalTypeInfo(Types.INT))), [None, [None, 1], []]),
    (OptionalTypeInfo(Types.ROW([])), [None, NO_FIELDS]),
    (
        Types.OBJECT_ARRAY(Types.TUPLE([Types.INT, Types.TUPLE([Types.STRING])])),
        [[None], [None, (1, ("x",))]],
    ),
    *(
        (OptionalTypeInfo(Types.TUPLE([getattr(Types, name)])), [None, (values[0],), None])
        for name, values in VALUES.items()
    ),
    *((OptionalTypeInfo(Types.TUPLE([getattr(Types, name)])), [None, None]) for name in VALUES),
    (OptionalTypeInfo(Types.TUPLE([Types.LIST(Types.INT)])), [None, None]),
    (
        OptionalTypeInfo(Types.TUPLE([Types.MAP(Types.INT, Types.INT), Types.TUPLE([COLOR]), Types.ROW([])])),
        [None, None],
    ),
    (
        Types.MAP(Types.TUPLE([Types.INT, Types.UUID]), AB),
        [{(1, UUID(int=2)): Row(a=1, b="x"), (2, UUID(int=2)): None}],
    ),
    (Types.MAP(AB, Types.MAP(AB, Types.INT)), [{Row(a=1, b="x"): {Row(a=None, b="y"): 5}}]),
]


def check_round_trips(t: TypeInformation[Any], values: list[Any]) -> None:
    serializer = serializer_for(t)
    batch = serializer.to_batch(values)
    batch.validate(full=True)
    assert batch.schema.equals(to_arrow_schema(t), check_metadata=True)
    assert batch.num_rows == len(values)
    assert serializer.to_batch(values, conformed=True).equals(batch)
    # unlike ==, repr distinguishes -0.0 from 0.0, 1 from 1.0, and named rows from others
    assert repr(serializer.from_batch(batch)) == repr(values)
    for start, length in ((1, len(values) - 1), (0, 1), (len(values), 0)):
        part = batch.slice(start, length)
        assert repr(serializer.from_batch(part)) == repr(values[start : start + length])
    data = serializer.serialize(values)
    assert repr(serializer.deserialize(data)) == repr(values)


def test_every_constant_is_covered() -> None:
    assert set(ATOMS) == set(VALUES)


@pytest.mark.parametrize(("t", "values"), CASES, ids=lambda part: str(part)[:50])
def test_round_trips(t: TypeInformation[Any], values: list[Any]) -> None:
    check_round_trips(t, values)
    check_round_trips(t, values * 1100)


@pytest.mark.parametrize(("t", "values"), CASES, ids=lambda part: str(part)[:50])
def test_empty_batches(t: TypeInformation[Any], values: list[Any]) -> None:
    serializer = serializer_for(t)
    for conformed in (False, True):
        batch = serializer.to_batch([], conformed=conformed)
        assert batch.num_rows == 0
        assert batch.schema.equals(serializer.schema, check_metadata=True)
        assert serializer.from_batch(batch) == []
    assert serializer.deserialize(serializer.serialize([])) == []


@pytest.mark.parametrize(
    ("t", "values"),
    [case for case in CASES if "Map" not in str(case[0])],
    ids=lambda part: str(part)[:50],
)
def test_through_parquet(t: TypeInformation[Any], values: list[Any]) -> None:
    serializer = serializer_for(t)
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_batches([serializer.to_batch(values)]), sink)
    (batch,) = pq.read_table(pa.BufferReader(sink.getvalue())).to_batches()
    assert repr(serializer.from_batch(batch)) == repr(values)


def test_columns_may_be_in_another_order() -> None:
    batch = serializer_for(AB).to_batch([Row(a=1, b="x")]).select(["b", "a"])
    assert serializer_for(AB).from_batch(batch) == [Row(a=1, b="x")]
    assert serializer_for(AB).from_batch(batch)[0].get_field_names() == ["a", "b"]


FOREIGN: list[tuple[TypeInformation[Any], pa.Array, list[Any]]] = [
    (Types.STRING, pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
    (Types.STRING, pa.array(["a", "b"], pa.string_view()), ["a", "b"]),
    (Types.STRING, pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
    (OptionalTypeInfo(Types.STRING), pa.array(["a", None]).dictionary_encode(), ["a", None]),
    (Types.LONG, pa.RunEndEncodedArray.from_arrays([2, 3], [7, 8]), [7, 7, 8]),
    (Types.INT, pa.array([1, 2], pa.int64()), [1, 2]),
    (Types.SHORT, pa.array([255], pa.uint8()), [255]),
    (Types.BIG_INT, pa.array([2**64 - 1], pa.uint64()), [2**64 - 1]),
    (Types.BIG_INT, pa.array([Decimal(7)], pa.decimal128(10, 0)), [7]),
    (Types.BIG_DEC, pa.array([Decimal("1.50")], pa.decimal128(10, 2)), [Decimal("1.50")]),
    (Types.BIG_DEC, pa.array([Decimal(10) ** 25], pa.decimal128(38, 0)), [Decimal(10**25)]),
    (Types.BIG_DEC, pa.array([Decimal("1.5")], pa.decimal256(76, 10)), [Decimal("1.5000000000")]),
    (Types.DOUBLE, pa.array([0.5], pa.float16()), [0.5]),
    (Types.FLOAT, pa.array([0.1], pa.float64()), [0.10000000149011612]),
    (Types.FLOAT, pa.array([math.inf], pa.float64()), [math.inf]),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), pa.array([b"ab"], pa.binary(2)), [b"ab"]),
    (Types.PRIMITIVE_ARRAY(Types.BYTE), pa.array([b"ab"], pa.large_binary()), [b"ab"]),
    (Types.UUID, pa.array([UUID(int=5).bytes], pa.uuid()), [UUID(int=5)]),
    (Types.SQL_DATE, pa.array([dt.date(2024, 1, 1)], pa.date64()), [dt.date(2024, 1, 1)]),
    (Types.SQL_TIME, pa.array([dt.time(1, 2, 3)], pa.time32("s")), [dt.time(1, 2, 3)]),
    (
        Types.SQL_TIME,
        pa.array([dt.time(1, 2, 3, 4)], pa.time64("us")).cast(pa.time64("ns")),
        [dt.time(1, 2, 3, 4)],
    ),
    (Types.SQL_TIMESTAMP, pa.array([dt.datetime(2024, 1, 1)], pa.timestamp("ns")), [dt.datetime(2024, 1, 1)]),
    (Types.SQL_TIMESTAMP, pa.array([dt.datetime(2024, 1, 1)], pa.timestamp("s")), [dt.datetime(2024, 1, 1)]),
    (Types.INSTANT, pa.array([10**9], pa.timestamp("ns", "Asia/Kolkata")), [Instant(1)]),
    (Types.INSTANT, pa.array([-1], pa.timestamp("us", "America/New_York")), [Instant(-1, 999_999_000)]),
    (Types.DURATION, pa.array([3], pa.duration("s")), [dt.timedelta(seconds=3)]),
    (Types.LIST(Types.INT), pa.array([[1], []], pa.large_list(pa.int8())), [[1], []]),
    (Types.LIST(Types.INT), pa.array([[1, 2], [3, 4]], pa.list_(pa.int32(), 2)), [[1, 2], [3, 4]]),
    (Types.LIST(Types.INT), pa.array([[1, 2], [], [3]], pa.list_view(pa.int64())), [[1, 2], [], [3]]),
    (
        OptionalTypeInfo(Types.LIST(Types.INT)),
        pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int8(), 2)),
        [[1, 2], None, [3, 4]],
    ),
    (
        OptionalTypeInfo(Types.LIST(Types.INT)),
        pa.array([[1, 2], None, [3]], pa.large_list_view(pa.int8())),
        [[1, 2], None, [3]],
    ),
    (
        Types.MAP(Types.STRING, Types.LONG),
        pa.array([[("a", 1)], []], pa.map_(pa.large_string(), pa.int8())),
        [{"a": 1}, {}],
    ),
    (
        OptionalTypeInfo(AB),
        pa.array([{"b": "x", "a": 1}, None], pa.struct([("b", pa.large_string()), ("a", pa.int8())])),
        [Row(a=1, b="x"), None],
    ),
    (COLOR, pa.array(["RED", "RED"]).dictionary_encode(), [Color.RED, Color.RED]),
    (ANSWER, pa.array(["no"], pa.large_string()), ["no"]),
    (Types.VOID, pa.nulls(2), [None, None]),
]


@pytest.mark.parametrize(("t", "array", "values"), FOREIGN, ids=lambda part: str(part)[:40])
def test_foreign_layouts_are_read(t: TypeInformation[Any], array: pa.Array, values: list[Any]) -> None:
    batch = pa.RecordBatch.from_arrays([array], ["value"])
    serializer = serializer_for(t)
    assert repr(serializer.from_batch(batch)) == repr(values)
    assert repr(serializer.from_batch(batch.slice(1))) == repr(values[1:])


MISFITS: list[tuple[TypeInformation[Any], pa.Array, str]] = [
    (Types.INT, pa.array(["1"]), "Arrow type string does not hold INT"),
    (Types.INT, pa.array([1.0]), "Arrow type double does not hold INT"),
    (Types.INT, pa.array([2**40]), "does not fit INT"),
    (Types.STRING, pa.array([1]), "Arrow type int64 does not hold STRING"),
    (Types.BOOLEAN, pa.array([1]), "does not hold BOOLEAN"),
    (Types.DOUBLE, pa.array([1]), "does not hold DOUBLE"),
    (Types.FLOAT, pa.array([1e300]), "beyond FLOAT"),
    (Types.CHAR, pa.array(["ab"]), "a CHAR has 1"),
    (Types.UUID, pa.array(["ab"]), "is not the text of a UUID"),
    (Types.SQL_TIMESTAMP, pa.array([0], pa.timestamp("us", "UTC")), "does not hold TimestampTypeInfo"),
    (Types.INSTANT, pa.array([0], pa.timestamp("us")), "does not hold Instant"),
    (Types.SQL_TIMESTAMP, pa.array([1], pa.timestamp("ns")), "does not fit TimestampTypeInfo"),
    (
        Types.SQL_TIMESTAMP,
        pa.array([2**62], pa.timestamp("us")),
        "4611686018427387904 of Arrow type timestamp[us] does not fit TimestampTypeInfo",
    ),
    (
        Types.SQL_DATE,
        pa.array([2**30], pa.date32()),
        "1073741824 of Arrow type date32[day] does not fit DateTypeInfo",
    ),
    (
        OptionalTypeInfo(Types.SQL_DATE),
        pa.array([None, 2**30], pa.date32()),
        "1073741824 of Arrow type date32[day] does not fit DateTypeInfo",
    ),
    (COLOR, pa.array(["BLUE"]), "'BLUE' is not the name of a member of Color"),
    (ANSWER, pa.array(["maybe"]), "'maybe' is not one of the values"),
    (Types.LONG, pa.array([1, None]), "None is not a LONG"),
    (Types.VOID, pa.array([1]), "does not hold VOID"),
    (Types.LIST(Types.INT), pa.array([1]), "does not hold ListTypeInfo"),
    (OptionalTypeInfo(AB), pa.array([{"a": 1}]), "the columns ['a'] are not the fields ['a', 'b']"),
]


@pytest.mark.parametrize(("t", "array", "message"), MISFITS, ids=lambda part: str(part)[:40])
def test_columns_that_do_not_fit_are_refused(t: TypeInformation[Any], array: pa.Array, message: str) -> None:
    with pytest.raises(TypeCheckError) as error:
        serializer_for(t).from_batch(pa.RecordBatch.from_arrays([array], ["value"]))
    assert message in str(error.value)


NO_TEXT = pa.Array.from_buffers(
    pa.string(), 2, [None, pa.py_buffer(bytes((0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0))), pa.py_buffer(b"a\xff")]
)


@pytest.mark.parametrize(
    ("t", "array", "index", "message"),
    [
        (Types.STRING, NO_TEXT, 1, r"b'\xff' of Arrow type string does not fit STRING"),
        (Types.CHAR, NO_TEXT, 1, r"b'\xff' of Arrow type string does not fit CHAR"),
        (COLOR, NO_TEXT, 1, r"b'\xff' of Arrow type string"),
        (Types.UUID, NO_TEXT, 1, r"b'\xff' of Arrow type string"),
        (
            OptionalTypeInfo(Types.STRING),
            pa.concat_arrays([pa.nulls(1, pa.string()), NO_TEXT]),
            2,
            r"b'\xff'",
        ),
        (Types.FLOAT, pa.array([math.inf, 1e300]), 1, "1e+300 is beyond FLOAT"),
        (OptionalTypeInfo(Types.FLOAT), pa.array([None, 1e300]), 1, "1e+300 is beyond FLOAT"),
        (Types.INT, pa.array([1, 2, 2**31]), 2, "2147483648 of Arrow type int64 does not fit INT"),
        (Types.SQL_TIMESTAMP, pa.array([1000, 1], pa.timestamp("ns")), 1, "1970-01-01 00:00:00.000000001 of"),
        (Types.SQL_DATE, pa.array([0, 2**30], pa.date32()), 1, "1073741824 of Arrow type date32[day]"),
        (
            Types.SQL_TIME,
            pa.array([0, 86_400_000_000], pa.time64("us")),
            1,
            "86400000000 microseconds are no",
        ),
        (Types.SQL_TIME, pa.array([0, -1], pa.time64("us")), 1, "-1 microseconds are not a time of day"),
        (
            OptionalTypeInfo(Types.SQL_TIME),
            pa.array([None, -1], pa.time64("us")),
            1,
            "-1 microseconds are no",
        ),
    ],
    ids=lambda part: str(part)[:30],
)
def test_the_stored_value_that_does_not_fit_is_found(
    t: TypeInformation[Any], array: pa.Array, index: int, message: str
) -> None:
    with pytest.raises(TypeCheckError) as error:
        serializer_for(t).from_batch(pa.RecordBatch.from_arrays([array], ["value"]))
    assert message in str(error.value)
    assert (error.value.index, error.value.path) == (index, "")


FINE, FINE_NANOS = "2024-01-01 00:00:00.000001234", 1_704_067_200_000_001_234


@pytest.mark.parametrize(
    ("t", "array", "value"),
    [
        (Types.SQL_TIMESTAMP, pa.array([0, FINE_NANOS], pa.timestamp("ns")), FINE),
        (Types.INSTANT, pa.array([0, 1_704_067_200_000_001_234], pa.timestamp("ns", "UTC")), f"{FINE}Z"),
        (
            Types.INSTANT,
            pa.array([0, 1_704_067_200_000_001_234], pa.timestamp("ns", "Asia/Tokyo")),
            f"{FINE}Z",
        ),
        (Types.SQL_TIME, pa.array([0, 1234], pa.time64("ns")), "1234"),
        (Types.DURATION, pa.array([0, 1234], pa.duration("ns")), "1234"),
    ],
    ids=str,
)
def test_parts_of_a_microsecond_are_refused_with_a_remedy(
    t: TypeInformation[Any], array: pa.Array, value: str
) -> None:
    row = Types.ROW_NAMED(["at"], [t])
    with pytest.raises(TypeCheckError) as error:
        serializer_for(row).from_batch(pa.RecordBatch.from_arrays([array], ["at"]))
    assert str(error.value).startswith(f"value.at: {value} of Arrow type ")
    assert "parts of a microsecond" in str(error.value)
    assert '.dt.floor("us")' in str(error.value)
    assert error.value.index == 1


def test_the_place_of_a_bad_stored_value_is_named() -> None:
    t = Types.ROW_NAMED(["l", "m"], [Types.LIST(Types.INT), Types.MAP(Types.STRING, Types.CHAR)])
    lists = pa.array([[1], [], [2, 3, None]], pa.list_(pa.int32()))
    maps = pa.array([[], [("x", "ab")], []], pa.map_(pa.string(), pa.string()))
    empty = pa.array([[]] * 3, maps.type)
    with pytest.raises(TypeCheckError) as error:
        serializer_for(t).from_batch(pa.RecordBatch.from_arrays([lists, empty], ["l", "m"]))
    assert (error.value.path, error.value.index) == (".l[2]", 2)
    with pytest.raises(TypeCheckError) as error:
        serializer_for(t).from_batch(
            pa.RecordBatch.from_arrays([lists.slice(0, 2), maps.slice(1)], ["l", "m"])
        )
    assert (error.value.path, error.value.index) == (".m[entry 0]", 0)


def test_the_place_of_a_bad_stored_value_among_nulls_is_named() -> None:
    t = Types.ROW_NAMED(["l"], [Types.LIST(OptionalTypeInfo(Types.CHAR))])
    lists = pa.array([None, ["a"], None, [None, "b", "cd"]], pa.list_(pa.string()))
    with pytest.raises(TypeCheckError) as error:
        serializer_for(t).from_batch(pa.RecordBatch.from_arrays([lists], ["l"]))
    assert (error.value.path, error.value.index) == (".l[2]", 3)


def test_repeated_keys_in_a_stored_map_are_refused() -> None:
    array = pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64()))
    with pytest.raises(TypeCheckError, match="two keys, 'a' and 'a', are one"):
        serializer_for(Types.MAP(Types.STRING, Types.LONG)).from_batch(
            pa.RecordBatch.from_arrays([array], ["value"])
        )


@pytest.mark.parametrize(
    ("t", "names", "message"),
    [
        (AB, ["a"], "the columns ['a'] are not the fields ['a', 'b']"),
        (AB, ["a", "b", "c"], "are not the fields"),
        (Types.LONG, ["x"], "one column 'value', not the columns ['x']"),
        (Types.LONG, [], "not the columns []"),
        (Types.PICKLED_BYTE_ARRAY, ["value"], "pickled elements are one binary column"),
    ],
)
def test_batches_of_other_columns_are_refused(
    t: TypeInformation[Any], names: list[str], message: str
) -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([1])] * len(names), names)
    with pytest.raises(TypeCheckError) as error:
        serializer_for(t).from_batch(batch)
    assert message in str(error.value)


def test_rows_of_a_table_without_columns_are_counted() -> None:
    batch = pa.RecordBatch.from_struct_array(pa.array([{}] * 3, pa.struct([])))
    assert serializer_for(Types.ROW([])).from_batch(batch) == [NO_FIELDS] * 3


@pytest.mark.parametrize("nothing", [5, [], int, None])
def test_only_types_have_serializers(nothing: Any) -> None:
    with pytest.raises(UnsupportedTypeError, match="the type of a serializer must be a TypeInformation"):
        serializer_for(nothing)


def test_spark_layout_is_cast_to_and_read() -> None:
    t = Types.ROW_NAMED(["m"], [Types.MAP(Types.SQL_TIME, Types.LIST(Types.TUPLE([Types.SQL_TIME])))])
    values = [Row(m={dt.time(1): [(dt.time(2),)]}), Row(m=None), Row(m={})]
    batch = serializer_for(t).to_batch(values)
    cast = batch.cast(spark_layout(batch.schema))
    assert cast.schema.field("m").type.key_type == pa.time64("ns")
    assert serializer_for(t).from_batch(cast) == values


def test_row_kinds_travel_in_bytes_and_not_in_columns() -> None:
    t = Types.ROW([Types.LONG, Types.LIST(AB), Types.SQL_DATE])
    inner = Row.of_kind(RowKind.UPDATE_BEFORE, a=1, b="x")
    rows = [
        Row(f0=1, f1=[], f2=None),
        Row.of_kind(RowKind.DELETE, f0=2, f1=[inner, Row(a=2, b=None)], f2=dt.date(2024, 1, 1)),
    ]
    serializer = serializer_for(t)
    assert serializer.deserialize(serializer.serialize(rows)) == rows
    assert [row.get_row_kind() for row in serializer.from_batch(serializer.to_batch(rows))] == [
        RowKind.INSERT
    ] * 2
    for plain in (Types.ROW([Types.LONG]), Types.ROW([])):
        names = [f"f{i}" for i in range(len(plain.slots()))]
        kinds = [make_row([1] * len(names), names, kind) for kind in RowKind]
        assert serializer_for(plain).deserialize(serializer_for(plain).serialize(kinds)) == kinds


def test_elements_share_nothing_once_deserialized() -> None:
    shared = [1, 2]
    for t in (Types.LIST(Types.LONG), Types.PICKLED_BYTE_ARRAY()):
        first, second = serializer_for(t).deserialize(serializer_for(t).serialize([shared, shared]))
        first.append(3)
        assert second == [1, 2]
        assert shared == [1, 2]
    row = Row(a=1, b="x")
    first, second = serializer_for(AB).deserialize(serializer_for(AB).serialize([row, row]))
    first["a"] = 2
    assert (second, row) == (Row(a=1, b="x"), Row(a=1, b="x"))


def test_objects_inside_a_pickled_element_stay_shared() -> None:
    shared: list[int] = []
    ((a, b),) = PICKLED.deserialize(PICKLED.serialize([(shared, shared)]))
    assert a is b
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    (loaded,) = PICKLED.deserialize(PICKLED.serialize([cyclic]))
    assert loaded[0] is loaded


def test_shared_tuples_are_written_once() -> None:
    shared: tuple[Any, ...] = (1,)
    for _ in range(40):
        shared = (shared, shared)
    data = PICKLED.serialize([shared])
    assert len(data) < 10_000
    wide = ((tuple(range(1000)),) * 1000,) * 1000
    assert len(PICKLED.serialize([wide])) < 100_000
    (loaded,) = PICKLED.deserialize(data)
    assert loaded[0] is loaded[1]


def test_tuples_nested_beyond_what_pickle_follows_are_refused() -> None:
    deep: tuple[Any, ...] = ()
    for _ in range(100_000):
        deep = (deep,)
    with pytest.raises(TypeCheckError, match="cannot be pickled"):
        PICKLED.serialize([1, deep])


PICKLED = serializer_for(Types.PICKLED_BYTE_ARRAY())


def iter_nothing() -> Iterator[int]:
    yield from ()


@pytest.mark.parametrize("t", [Types.PICKLED_BYTE_ARRAY(), Types.LIST(Types.PICKLED_BYTE_ARRAY)])
def test_the_element_that_cannot_be_pickled_is_named(t: TypeInformation[Any]) -> None:
    values: list[Any] = [[1], [2, test_round_trips, iter_nothing()]]
    for method in (serializer_for(t).to_batch, serializer_for(t).serialize):
        with pytest.raises(TypeCheckError, match="cannot be pickled") as error:
            method(values)
        assert error.value.path == ("" if t == Types.PICKLED_BYTE_ARRAY else "[2]")
        assert error.value.index == 1


def test_the_path_of_a_value_that_cannot_be_pickled_is_named() -> None:
    t = Types.ROW_NAMED(["m"], [Types.MAP(Types.STRING, Types.OBJECT_ARRAY(Types.PICKLED_BYTE_ARRAY))])
    values = [Row(m=None), Row(m={"x": [1], "y": [None, 2, iter_nothing()]})]
    for method in (serializer_for(t).to_batch, serializer_for(t).serialize):
        with pytest.raises(TypeCheckError, match="cannot be pickled") as error:
            method(values)
        assert (error.value.path, error.value.index) == ('.m["y"][2]', 1)
    rows = Types.LIST(OptionalTypeInfo(Types.TUPLE([Types.PICKLED_BYTE_ARRAY])))
    for method in (serializer_for(rows).to_batch, serializer_for(rows).serialize):
        with pytest.raises(TypeCheckError, match="cannot be pickled") as error:
            method([[None, (1,)], [None, None, (iter_nothing(),)]])
        assert (error.value.path, error.value.index) == ("[2][0]", 1)


def test_bytes_of_a_type_that_lost_a_member_are_refused() -> None:
    t = Types.LIST(Types.LIST(COLOR))
    stored = serializer_for(Types.LIST(Types.LIST(Types.STRING))).serialize([[], [["RED"], ["BLUE"]]])
    with pytest.raises(TypeCheckError, match="'BLUE' is not the name of a member of Color") as error:
        serializer_for(t).deserialize(stored)
    assert (error.value.path, error.value.index) == ("[1][0]", 1)


def test_pickled_values_of_any_depth_of_tuples() -> None:
    values = [(1, (2, (3, ("x", b"y", None)))), 5, (), ((),), 1j]
    assert PICKLED.deserialize(PICKLED.serialize(values)) == values


def test_one_serializer_a_type_and_process() -> None:
    assert serializer_for(Types.LIST(Types.INT)) is serializer_for(Types.LIST(Types.INT))
    assert isinstance(PICKLED, PickledSerializer)
    assert isinstance(serializer_for(AB), ColumnarSerializer)
    assert repr(serializer_for(AB)) == "ColumnarSerializer<RowTypeInfo(a: Long, b: String)>"


@pytest.mark.parametrize("t", [AB, Types.PICKLED_BYTE_ARRAY()], ids=str)
def test_a_serializer_is_never_pickled(t: TypeInformation[Any]) -> None:
    with pytest.raises(PyStreamError, match="serializer_for"):
        pickle.dumps(serializer_for(t))


def test_serializers_need_no_spark() -> None:
    code = "import sys, typeinfo.serde.registry; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_batch_with_a_null_row_is_refused_as_a_table() -> None:
    with pytest.raises(TypeCheckError) as error:
        serializer_for(AB).to_batch([Row(a=1, b="x"), None])
    assert error.value.index == 1


EQUAL_AS_STORED = {name: codec for name, t in SCALARS.items() if (codec := codec_for(t)).equal_as_stored}


@pytest.mark.parametrize("name", EQUAL_AS_STORED)
def test_values_are_equal_exactly_if_those_of_their_array_are(name: str) -> None:
    codec: Codec = EQUAL_AS_STORED[name]
    samples = codec.conform(SCALARS[name].traits.samples)
    for a, b in combinations_with_replacement(samples, 2):
        stored = codec.encode([a, b]).dictionary_encode().dictionary
        assert len(stored) == len({a, b}), (a, b)
