"""Avro's encoding: what is written reads as it was given, for two other libraries' readers, or is refused."""

from __future__ import annotations

import datetime as dt
import io
import json
import uuid
from decimal import Decimal
from typing import Any

import fastavro
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.formats.avro_defaults import shares_defaults
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_schema import definitions_of
from pystream.engine.formats.errors import FieldError
from typeinfo import UnsupportedTypeError

UTC = dt.UTC


def record(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": n, "type": t} for n, t in fields.items()]}


def logical(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "logicalType": name, **more}


DATE = logical("int", "date")
AT_MILLIS = logical("long", "timestamp-millis")
AT_MICROS = logical("long", "timestamp-micros")
LOCAL_MILLIS = logical("long", "local-timestamp-millis")
LOCAL_MICROS = logical("long", "local-timestamp-micros")
TIME_MILLIS = logical("int", "time-millis")
TIME_MICROS = logical("long", "time-micros")
UUID = logical("string", "uuid")
DECIMAL = logical("bytes", "decimal", precision=5, scale=2)
ENUM: dict[str, Any] = {"type": "enum", "name": "Suit", "symbols": ["SPADES", "HEARTS"]}
FOUR = {"type": "fixed", "name": "Four", "size": 4}
FIXED_DECIMAL = {"type": "fixed", "name": "Money", "size": 3, "logicalType": "decimal", "precision": 6}
DURATION = {"type": "fixed", "name": "Span", "size": 12, "logicalType": "duration"}
ARRAY = {"type": "array", "items": "long"}
MAP = {"type": "map", "values": ["null", "string"]}


def encode(schema: Any, value: Any) -> bytes:
    return record_schema(json.dumps(record("R", v=schema))).encode({"v": value})


def decode(schema: Any, data: bytes) -> Any:
    stream = io.BytesIO(data)
    found: Any = fastavro.schemaless_reader(stream, record("R", v=schema), None)
    assert stream.tell() == len(data)
    return found["v"]


def reads(schema: Any, value: Any) -> Any:
    return decode(schema, encode(schema, value))


def millis(value: Any) -> Any:
    return value.replace(microsecond=value.microsecond // 1000 * 1000)


WHOLE_DAYS = st.datetimes(dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30))
AWARE = st.builds(
    lambda at, hours: at.replace(tzinfo=dt.timezone(dt.timedelta(hours=hours))),
    WHOLE_DAYS,
    st.integers(-23, 23),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
LONGS = st.integers(-(2**63), 2**63 - 1)
INTS = st.integers(-(2**31), 2**31 - 1)
KINDS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    ("boolean", st.booleans()),
    ("int", INTS),
    ("long", LONGS),
    ("float", st.floats(width=32)),
    ("double", st.floats()),
    ("string", TEXTS),
    ("bytes", st.binary(max_size=5)),
    (FOUR, st.binary(min_size=4, max_size=4)),
    (DURATION, st.binary(min_size=12, max_size=12)),
    (ENUM, st.sampled_from(ENUM["symbols"])),
    (DATE, st.dates()),
    (TIME_MILLIS, st.times().map(millis)),
    (TIME_MICROS, st.times()),
    (AT_MILLIS, AWARE.map(millis)),
    (
        AT_MICROS,
        AWARE | st.sampled_from([dt.datetime.min, dt.datetime.max]).map(lambda t: t.replace(tzinfo=UTC)),
    ),
    (LOCAL_MILLIS, st.datetimes().map(millis)),
    (LOCAL_MICROS, st.datetimes()),
    (UUID, st.uuids()),
    (DECIMAL, st.decimals("-999.99", "999.99", places=2)),
    (FIXED_DECIMAL, st.decimals(-999_999, 999_999, places=0)),
    (ARRAY, st.lists(LONGS, max_size=3)),
    (MAP, st.dictionaries(TEXTS, st.none() | TEXTS, max_size=3)),
    (
        record("Inner", x="int", y=["null", "double"]),
        st.fixed_dictionaries({"x": INTS, "y": st.none() | st.floats()}),
    ),
]


def same(left: Any, right: Any) -> bool:
    """Return whether values are equal and of one class, at every depth."""
    if isinstance(left, dict):
        return (
            type(right) is dict and left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
        )
    if isinstance(left, list):
        return type(right) is list and len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and (left == right or (left != left and right != right))


@given(st.data())
@settings(max_examples=150)
def test_a_value_reads_as_it_was_written(data: st.DataObject) -> None:
    schema, values = data.draw(st.sampled_from(KINDS))
    value = data.draw(values)
    assert same(value, reads(schema, value))
    assert same(value, reads(["null", schema], value))
    assert same([value, None], reads({"type": "array", "items": ["null", schema]}, [value, None]))


def avro_type(schema: Any) -> str:
    if isinstance(schema, str):
        return schema
    return str(schema["name"] if "name" in schema else schema["type"])


@given(st.data())
@settings(max_examples=200)
def test_a_union_keeps_the_value_of_any_branch(data: st.DataObject) -> None:
    chosen = data.draw(
        st.lists(st.sampled_from(KINDS), min_size=2, max_size=6, unique_by=lambda b: avro_type(b[0]))
    )
    union = ["null", *[schema for schema, _ in chosen]]
    value = data.draw(st.one_of(*[values for _, values in chosen]))
    assert same(value, reads(union, value))


@pytest.mark.parametrize(
    ("union", "value", "branch"),
    [
        ([DATE, AT_MILLIS], dt.datetime(2020, 1, 2, 3, tzinfo=UTC), 1),
        ([AT_MILLIS, DATE], dt.date(2020, 1, 2), 1),
        ([DATE, LOCAL_MICROS], dt.datetime(2020, 1, 2), 1),
        (["double", "long"], 5, 1),
        (["double", "long"], 2**53 + 1, 1),
        (["long", "double"], 5.0, 1),
        (["int", "long"], 2**31, 1),
        (["int", "long"], -(2**31), 0),
        (["float", "double"], 0.1, 1),
        (["float", "double"], 1e300, 1),
        (["float", "double"], 0.5, 0),
        (["float", "double"], 2**24 + 1, 1),
        (["double", "string"], 5, 0),
        (["double", "long"], np.int64(5), 1),
        (["string", ENUM], "HEARTS", 0),
        ([ENUM, "string"], "CLUBS", 1),
        ([FOUR, "bytes"], b"abc", 1),
        (["boolean", "int"], 1, 1),
        (["int", "boolean"], True, 1),
        (["string", DATE], "2020-01-02", 0),
        ([record("A", x="int"), record("B", x="string")], {"x": "1"}, 1),
        ([record("A", x="int"), record("B", x="int", y="int")], {"x": 1, "y": 2}, 1),
        ([record("A", x="double"), record("B", x="long")], {"x": 1}, 1),
        ([record("A", u=["double", "null"]), record("B", u=["long", "null"])], {"u": 2**53 + 1}, 1),
        ([MAP, record("A", x="string")], {"x": "y"}, 0),
        ([ARRAY, MAP], {"x": None}, 1),
    ],
    ids=str,
)  # fmt: skip
def test_the_branch_is_chosen_by_class_and_range(union: list[Any], value: Any, branch: int) -> None:
    assert encode(union, value)[0] == branch << 1
    assert same(value, reads(union, value)) or value == reads(union, value)


NEW_YORK = dt.timezone(dt.timedelta(hours=-5))
REFUSED: list[tuple[Any, Any, str]] = [
    (DATE, dt.datetime(2020, 1, 2), "is not of the Avro type date; take its .date()"),
    (DATE, 5, r"5 \(int\) is not of the Avro type date"),
    (DATE, "2020-01-02", "is not of the Avro type date"),
    (AT_MILLIS, dt.datetime(2020, 1, 2), "has no time zone"),
    (AT_MILLIS, dt.date(2020, 1, 2), "is not of the Avro type timestamp-millis"),
    (AT_MILLIS, 1_700_000_000_000, "is not of the Avro type timestamp-millis"),
    (AT_MILLIS, dt.datetime(2020, 1, 2, microsecond=1, tzinfo=UTC), "is finer than the millisecond"),
    (AT_MICROS, dt.datetime.max.replace(tzinfo=NEW_YORK), "is outside of the years 1 to 9999 in UTC"),
    (AT_MICROS, pd.Timestamp(1, unit="ns", tz="UTC"), "is not of the Avro type timestamp-micros"),
    (LOCAL_MILLIS, dt.datetime(2020, 1, 2, tzinfo=UTC), "keeps no time zone"),
    (LOCAL_MICROS, pd.NaT, "is not of the Avro type"),
    (TIME_MICROS, dt.time(1, tzinfo=UTC), "keeps no time zone"),
    (TIME_MILLIS, dt.time(1, 2, 3, 4), "is finer than the millisecond"),
    ("float", 1e300, "does not fit the Avro type float"),
    ("float", 2**24 + 1, "cannot hold it exactly"),
    ("double", 2**53 + 1, "cannot hold it exactly"),
    ("double", "1.5", "is not of the Avro type double"),
    ("double", Decimal("1.5"), "is not of the Avro type double"),
    ("int", 2**31, "does not fit the Avro type int"),
    ("long", -(2**63) - 1, "not"),
    ("int", 1.0, "is not of the Avro type int"),
    ("int", True, "is not of the Avro type int"),
    ("boolean", 1, "is not of the Avro type boolean"),
    ("string", b"x", "is not of the Avro type string"),
    ("string", "\ud800", "lone surrogate|is not of the Avro type string"),
    ("bytes", "x", "is not of the Avro type bytes"),
    (FOUR, b"abc", "3 bytes, but the Avro schema has exactly 4"),
    (ENUM, "CLUBS", "'CLUBS' is not one of the symbols"),
    (DECIMAL, 1, r"convert it with Decimal"),
    (DECIMAL, 1.5, "is not of the Avro type decimal"),
    (DECIMAL, Decimal("1.234"), r"1.234 does not fit decimal\(5, 2\)"),
    (DECIMAL, Decimal(1000), r"does not fit decimal\(5, 2\)"),
    (DECIMAL, Decimal("1E+200"), r"1E\+200 does not fit decimal\(5, 2\)"),
    (DECIMAL, Decimal("1E-200"), r"1E-200 does not fit decimal\(5, 2\)"),
    (DECIMAL, Decimal("NaN"), r"NaN does not fit decimal\(5, 2\)"),
    (DECIMAL, Decimal("Infinity"), "Infinity does not fit"),
    (UUID, "not a uuid", "is not a UUID"),
    (UUID, str(uuid.UUID(int=10)).upper(), "in lower case"),
    (ARRAY, b"ab", "is not of the Avro type array"),
    (ARRAY, "ab", "is not of the Avro type array"),
    (ARRAY, [1, None], r"field v\[1\]: None, but the Avro schema does not allow null"),
    (MAP, {1: "x"}, r"field v\[1\]: 1 \(int\) is not of the Avro type string"),
    (MAP, [("a", "x")], "is not of the Avro type map"),
    ("int", None, "None, but the Avro schema does not allow null"),
    (["int", "string"], 1.5, r"1.5 \(float\) fits no branch of the union int, string"),
    (["null", "int"], 2**40, "field v: 1099511627776 does not fit the Avro type int"),
    (["null", ARRAY], [1, "x"], r"field v\[1\]: 'x' \(str\) is not of the Avro type long"),
    (record("A", x="int"), {"x": 1, "y": 2}, "the Avro record A has no field 'y'"),
    (record("A", x="int"), {}, "field v.x: it is missing, and has no default"),
    ("null", 0, r"0 \(int\) is not of the Avro type null"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "fault"), REFUSED, ids=str)
def test_a_value_that_would_change_is_refused(schema: Any, value: Any, fault: str) -> None:
    with pytest.raises(FieldError, match=fault):
        encode(schema, value)


@pytest.mark.parametrize(
    ("schema", "value", "read"),
    [
        ("double", 2**53, 2.0**53),
        ("float", 0.1, 0.10000000149011612),
        ("float", np.float32(0.1), 0.10000000149011612),
        ("long", np.int64(7), 7),
        ("boolean", np.True_, True),
        ("string", np.str_("x"), "x"),
        ("bytes", bytearray(b"x"), b"x"),
        (ARRAY, (1, 2), [1, 2]),
        (DECIMAL, Decimal("1E+1"), Decimal("10.00")),
        (UUID, str(uuid.UUID(int=10)), uuid.UUID(int=10)),
        (AT_MICROS, pd.Timestamp(2020, 1, 2, tz="UTC"), dt.datetime(2020, 1, 2, tzinfo=UTC)),
        (LOCAL_MICROS, pd.Timestamp(2020, 1, 2), dt.datetime(2020, 1, 2)),
        (AT_MICROS, dt.datetime(2020, 1, 2, tzinfo=NEW_YORK), dt.datetime(2020, 1, 2, 5, tzinfo=UTC)),
    ],
    ids=str,
)
def test_an_equal_value_of_a_looser_class_is_taken(schema: Any, value: Any, read: Any) -> None:
    assert same(reads(schema, value), read)


DEFAULTS: list[tuple[Any, Any, Any]] = [
    ("bytes", "\xff", b"\xff"),
    (FOUR, "\x00\x01\x02\xff", b"\x00\x01\x02\xff"),
    (DATE, 1, dt.date(1970, 1, 2)),
    (AT_MILLIS, 1, dt.datetime(1970, 1, 1, 0, 0, 0, 1000, UTC)),
    (DECIMAL, "\x01\x00", Decimal("2.56")),
    (UUID, str(uuid.UUID(int=10)), uuid.UUID(int=10)),
    (ENUM, "HEARTS", "HEARTS"),
    (["null", "int"], None, None),
    (["int", "null"], 3, 3),
    ("double", 1, 1.0),
    (ARRAY, [1, 2], [1, 2]),
    (MAP, {"a": None}, {"a": None}),
    ({**record("A", x="int"), "fields": [{"name": "x", "type": "int", "default": 4}]}, {}, {"x": 4}),
]


@pytest.mark.parametrize(("schema", "default", "value"), DEFAULTS, ids=str)
def test_a_default_is_a_value_of_its_type_whether_written_or_resolved(
    schema: Any, default: Any, value: Any
) -> None:
    fields = [{"name": "n", "type": "int"}, {"name": "v", "type": schema, "default": default}]
    reader = record_schema(json.dumps({"type": "record", "name": "R", "fields": fields}))
    assert same(reader.canonical({"n": 1}), {"n": 1, "v": value})
    old = io.BytesIO(record_schema(json.dumps(record("R", n="int"))).encode({"n": 1}))
    resolved = fastavro.schemaless_reader(old, record("R", n="int"), reader.reading)
    assert same(resolved, {"n": 1, "v": value})


def test_records_share_a_default_only_if_their_schema_lacks_the_field() -> None:
    schema = record("R", n="int", tags=ARRAY)
    schema["fields"][1]["default"] = []
    reader = record_schema(json.dumps(schema)).reading
    for written, is_shared in [
        (record("R", n="int", tags=ARRAY), False),
        (record("R", n="int"), True),
        (record("R", tags=ARRAY, other=record("Other", n="int")), True),  # it may be read as R
    ]:
        assert shares_defaults(reader, definitions_of(fastavro.parse_schema(written))) == is_shared


@pytest.mark.parametrize(
    ("schema", "default"), [(FOUR, "abc"), (ENUM, "CLUBS"), ("int", 2**31), (DATE, "1970-01-01")]
)
def test_a_default_that_does_not_fit_is_an_error(schema: Any, default: Any) -> None:
    fields = [{"name": "v", "type": schema, "default": default}]
    with pytest.raises(UnsupportedTypeError, match="efault"):
        record_schema(json.dumps({"type": "record", "name": "R", "fields": fields})).encode({"v": None})


def test_records_may_hold_records_of_their_own_type() -> None:
    schema = record("Node", n="int", children={"type": "array", "items": ["Node", "string"]})
    tree = {"n": 1, "children": [{"n": 2, "children": ["leaf"]}, "x"]}
    assert record_schema(json.dumps(schema)).canonical(tree) == tree
    with pytest.raises(FieldError, match=r"field children\[0\].children\[0\]: 5 \(int\) fits no branch"):
        record_schema(json.dumps(schema)).encode({"n": 1, "children": [{"n": 2, "children": [5]}]})
