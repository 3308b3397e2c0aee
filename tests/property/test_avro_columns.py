"""Avro messages read at once as columns are those read one by one, or are left to be read so."""

from __future__ import annotations

import json
import pickle
from datetime import datetime
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from pystream.engine.formats.avro import avro_codec
from pystream.engine.formats.avro_column_writer import avro_column_writer
from pystream.engine.formats.avro_columns import avro_columns
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.errors import DeserializationError, SerializationError
from pystream.messages.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
from typeinfo import Row, Types
from typeinfo.errors import TypeCheckError
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same

T = Types
LONGS = (
    st.integers(-(2**63), 2**63 - 1) | st.integers(-100, 100) | st.sampled_from([2**55, -(2**55) - 1, 2**62])
)
INTS = st.integers(-(2**31), 2**31 - 1)
MOMENTS = st.integers(-62135596800000, 253402300799999) | st.integers(-(2**50), 2**50)
DECIMALS = st.integers(-(10**6) + 1, 10**6 - 1)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=4)


def logical(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "logicalType": name, **more}


def two_bytes(number: int) -> bytes:
    return number.to_bytes(3, "big", signed=True)


def plain(schema: Any) -> Any:
    """Return a schema without logical types, by which any number of their encoding is written."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if isinstance(schema, dict):
        return {key: plain(part) for key, part in schema.items() if key != "logicalType"}
    return schema


SCALARS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    ("null", st.none()),
    ("boolean", st.booleans()),
    ("int", INTS),
    ("long", LONGS),
    ("float", st.floats(width=32)),
    ("double", st.floats()),
    ("string", TEXTS),
    ("bytes", st.binary(max_size=4)),
    (logical("int", "date"), st.integers(-719162, 2932896) | INTS),
    (logical("int", "time-millis"), st.integers(0, 86_399_999) | st.integers(-1, 86_400_000)),
    (logical("long", "time-micros"), st.integers(0, 86_399_999_999)),
    (logical("long", "timestamp-millis"), MOMENTS | LONGS),
    (logical("long", "timestamp-micros"), MOMENTS.map(lambda millis: millis * 1000 + 7)),
    (logical("long", "local-timestamp-micros"), MOMENTS.map(lambda millis: millis * 1000)),
    (logical("string", "uuid"), st.uuids().map(str) | st.uuids().map(lambda u: str(u).upper()) | TEXTS),
    (logical("bytes", "decimal", precision=6, scale=2), DECIMALS.map(two_bytes)),
    (
        {"type": "fixed", "name": "d", "size": 3, "logicalType": "decimal", "precision": 6, "scale": 2},
        DECIMALS.map(two_bytes),
    ),
    ({"type": "fixed", "name": "f", "size": 2}, st.binary(min_size=2, max_size=2)),
    ({"type": "enum", "name": "e", "symbols": ["a", "b", "c"]}, st.sampled_from("abc")),
]


def optional(part: tuple[Any, Any], is_first: bool) -> tuple[Any, Any]:
    schema, found = part
    return (["null", schema] if is_first else [schema, "null"]), st.none() | found


def alone(part: tuple[Any, Any]) -> tuple[Any, Any]:
    schema, found = part
    return [schema], found


def listed(part: tuple[Any, Any]) -> tuple[Any, Any]:
    return {"type": "array", "items": part[0]}, st.lists(part[1], max_size=3)


def mapped(part: tuple[Any, Any]) -> tuple[Any, Any]:
    return {"type": "map", "values": part[0]}, st.dictionaries(TEXTS, part[1], max_size=3)


def record_of(parts: list[tuple[Any, Any]], name: str = "r") -> tuple[Any, Any]:
    fields = [{"name": f"f{at}", "type": schema} for at, (schema, _) in enumerate(parts)]
    found = st.fixed_dictionaries({f"f{at}": found for at, (_, found) in enumerate(parts)})
    return {"type": "record", "name": name, "fields": fields}, found


LEAVES = st.sampled_from(SCALARS)
UNIONS = st.builds(optional, st.sampled_from(SCALARS[1:]), st.booleans()) | LEAVES.map(alone)
FLAT = st.one_of(LEAVES, UNIONS)
NESTED = st.one_of(
    FLAT.map(listed),
    FLAT.map(mapped),
    FLAT.map(listed).map(listed),
    st.lists(FLAT, min_size=1, max_size=2, unique_by=str).map(lambda parts: record_of(parts, "inner")),
).flatmap(lambda part: st.sampled_from([part, optional(part, True), listed(part)]))
RECORDS = st.lists(st.one_of(FLAT, NESTED), min_size=1, max_size=4, unique_by=str).map(record_of)


def encoded(schema: Any, record: Any) -> bytes:
    from fastavro import parse_schema, schemaless_writer

    out = BytesIO()
    schemaless_writer(out, parse_schema(plain(schema)), record)
    return out.getvalue()


def holds(schema: Any, found: list[bytes], t: Any = None) -> bool:
    """Return whether messages are read as columns, checked to be the elements that they have."""
    text = json.dumps(schema)
    t = avro_codec(text).type if t is None else t
    at_once = avro_columns(text, t)
    columns = None if at_once is None else at_once.of_messages(found)
    if columns is None:
        return False
    elements = serializer_for(t).conform([avro_codec(text).read(message) for message in found])
    assert same(list(columns), elements), (found, list(columns), elements)
    assert repr(list(columns)) == repr(elements)
    return True


def names_once(schema: Any) -> bool:
    """Return whether no name is defined twice."""
    text = json.dumps(schema)
    return all(text.count(f'"name": "{name}"') <= 1 for name in ("d", "f", "e", "inner"))


@given(RECORDS.filter(lambda made: names_once(made[0])), st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_columns_are_the_elements_read_one_by_one(made: tuple[Any, Any], data: st.DataObject) -> None:
    schema, records = made
    found = [encoded(schema, record) for record in data.draw(st.lists(records, min_size=1, max_size=4))]
    holds(schema, found)
    at = data.draw(st.integers(0, len(found) - 1))
    body, place = found[at], data.draw(st.integers(0, len(found[at])))
    byte = data.draw(st.binary(max_size=1))
    found[at] = body[:place] + byte + body[place + data.draw(st.integers(0, 1)) :]
    holds(schema, found)


def writes(schema: Any, rows: list[Any], t: Any = None) -> bool:
    """Return whether rows are written as columns, checked to be their messages."""
    codec, at_once = avro_codec(json.dumps(schema)), avro_column_writer(json.dumps(schema))
    t = codec.type if t is None else t
    assert at_once is not None
    columns = ColumnValues(layout_of(t), serializer_for(t).to_batch(rows))
    found = pickle.loads(pickle.dumps(at_once)).messages(columns)
    if found is None:
        return False
    assert found.to_pylist() == list(map(codec.write, columns))
    return True


@given(RECORDS.filter(lambda made: names_once(made[0])), st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_columns_are_written_as_rows_are(made: tuple[Any, Any], data: st.DataObject) -> None:
    schema, records = made
    found = [encoded(schema, record) for record in data.draw(st.lists(records, min_size=1, max_size=4))]
    try:
        rows = list(map(avro_codec(json.dumps(schema)).read, found))
        serializer_for(avro_codec(json.dumps(schema)).type).to_batch(rows)
    except (DeserializationError, TypeCheckError):
        reject()
    assert writes(schema, rows)


USUAL, _ = record_of(
    [
        ("long", None),
        (["null", "string"], None),
        (logical("long", "timestamp-millis"), None),
        ({"type": "array", "items": "string"}, None),
        (["null", {"type": "map", "values": "double"}], None),
        (record_of([("int", None), ("boolean", None)], "inner")[0], None),
        (["null", logical("bytes", "decimal", precision=6, scale=2)], None),
    ]
)


def usual(number: int, **more: Any) -> dict[str, Any]:
    fields = (number, "é", 7, ["a", ""], {"k": 0.5}, {"f0": number % 9, "f1": True}, two_bytes(-150))
    return {f"f{at}": value for at, value in enumerate(fields)} | more


def test_usual_messages_are_read_at_once() -> None:
    records = [usual(1), usual(-(2**63), f1=None), usual(2**63 - 1, f3=[]), usual(0, f4=None, f6=None)]
    found = [encoded(USUAL, record) for record in records]
    assert holds(USUAL, found)
    assert holds(USUAL, found[:1])
    assert holds(USUAL, [encoded(USUAL, usual(1, f3=["x"] * count)) for count in range(100)])


def test_one_long_array_among_many_short_ones_is_not_read_element_by_element() -> None:
    found = [encoded(USUAL, usual(1, f3=["x"] * count)) for count in [3] * 20 + [2_000]]
    assert not holds(USUAL, found)


ONE: dict[str, Any] = {kind: record_of([(kind, None)])[0] for kind in ("long", "boolean", "string", "bytes")}


@pytest.mark.parametrize(
    ("schema", "body", "is_read"),
    [
        (ONE["long"], b"\xff" * 9 + b"\x01", True),
        (ONE["long"], b"\xff" * 8 + b"\x7f", True),
        (ONE["long"], b"\xff" * 9 + b"\x02", False),
        (ONE["long"], b"\xff" * 10 + b"\x01", False),
        (ONE["long"], b"\x82\x00", True),  # a byte more than it needs
        (ONE["long"], b"\x82", False),
        (ONE["long"], b"", False),
        (ONE["long"], b"\x02\x02", False),
        (ONE["boolean"], b"\x02", False),
        (ONE["string"], b"\x04\xc3\xa9", True),
        (ONE["string"], b"\x04\xff\xff", False),
        (ONE["string"], b"\x01\x02", False),
        (ONE["bytes"], b"\xfe" + b"\xff" * 8 + b"\x01", False),
        (record_of([(["null", "long"], None)])[0], b"\x04\x02", False),
        (record_of([(SCALARS[-1][0], None)])[0], b"\x06", False),
        (record_of([(listed(("int", LONGS))[0], None)])[0], b"\x03\x04\x02\x04\x02\x06\x00", True),
        (record_of([(mapped(("int", LONGS))[0], None)])[0], b"\x04\x02a\x02\x02a\x04\x00", False),
        (record_of([(listed(("int", LONGS))[0], None)])[0], b"\xff" * 9 + b"\x01\x00", False),
        (record_of([(["int", "string"], None)])[0], b"\x00\x02", False),
        (ONE["bytes"], b"\xfe\xff\xff\xff\x07", False),
        (record_of([(logical("long", "timestamp-millis"), None)])[0], b"\x80" * 8 + b"\x40", False),
        (record_of([(logical("int", "time-millis"), None)])[0], b"\x01", False),
        (record_of([(logical("int", "time-millis"), None)])[0], b"\x80\xf0\xb2\x52", False),
        (record_of([(logical("string", "uuid"), None)])[0], b"\x48" + b"aa" * 18, False),
        (
            record_of([(logical("string", "uuid"), None)])[0],
            b"\x48AAAAAAAA-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
            False,
        ),
        (
            record_of([(logical("string", "uuid"), None)])[0],
            b"\x48aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
            True,
        ),
    ],
)
def test_messages_of_any_form(schema: Any, body: bytes, is_read: bool) -> None:
    usual = {"long": b"\x06", "boolean": b"\x01", "string": b"\x02a", "bytes": b"\x00"}
    before = [usual[kind] for kind, other in ONE.items() if other == schema]
    for found in ([body], [*before, body], [body, *before]):
        if is_read:
            assert holds(schema, found)
        else:
            at_once = avro_columns(json.dumps(schema), avro_codec(json.dumps(schema)).type)
            assert at_once is None or at_once.of_messages(found) is None


def test_rows_have_the_type_that_is_declared() -> None:
    found = [encoded(USUAL, usual(1))]
    t = avro_codec(json.dumps(USUAL)).type
    names, types = t.get_field_names(), list(t.field_types)
    types[0], types[2], types[3] = T.INT, T.LOCAL_DATE_TIME, T.LIST(T.STRING)
    assert holds(USUAL, found, T.ROW_NAMED(names, types))
    assert not holds(USUAL, found, T.ROW_NAMED([*names[:-1], "other"], types))
    for at in range(len(types)):
        others = [*types[:at], T.STRING if at != 1 else T.LONG, *types[at + 1 :]]
        assert not holds(USUAL, found, T.ROW_NAMED(names, others))


def test_usual_rows_are_written_at_once() -> None:
    codec = avro_codec(json.dumps(USUAL))
    rows = [codec.read(encoded(USUAL, usual(number))) for number in (0, -1, 63, 64, -(2**63), 2**63 - 1)]
    assert writes(USUAL, rows)
    assert writes(USUAL, [codec.read(encoded(USUAL, usual(1, f1=None, f4=None, f6=None))), *rows])
    names, types = codec.type.get_field_names(), list(codec.type.field_types)
    types[0], types[2] = T.INT, T.LOCAL_DATE_TIME
    assert writes(USUAL, rows[:3], T.ROW_NAMED(names, types))


def test_a_union_of_one_type_is_written_with_its_position() -> None:
    schema = record_of([alone(("int", INTS)), alone(("string", TEXTS))])[0]
    assert writes(schema, [avro_codec(json.dumps(schema)).read(b"\x00\x0a\x00\x02a")])


MILLIS = record_of([(logical("long", "timestamp-millis"), None)])[0]


@pytest.mark.parametrize(
    ("schema", "t", "row"),
    [
        (ONE["long"], T.LONG, Row(f0=None)),
        (ONE["string"], T.LONG, Row(f0=1)),
        (record_of([("int", None)])[0], T.LONG, Row(f0=2**31)),
        (MILLIS, T.SQL_TIMESTAMP, Row(f0=datetime(2024, 1, 1, microsecond=1))),
        (record_of([(SCALARS[-1][0], None)])[0], T.STRING, Row(f0="d")),
    ],
)
def test_rows_that_do_not_fit_the_schema_are_written_one_by_one(schema: Any, t: Any, row: Any) -> None:
    assert not writes(schema, [row], T.ROW_NAMED(row.get_field_names(), [t]))
    with pytest.raises(SerializationError):
        avro_codec(json.dumps(schema)).write(row)


def test_a_subclass_that_decodes_by_itself_is_asked_for_each_message() -> None:
    class Own(AvroRowDeserializationSchema):
        def deserialize(self, message: bytes) -> Any:
            return super().deserialize(message[1:])

    class Other(AvroRowSerializationSchema):
        def serialize(self, element: Any) -> bytes:
            return b"\0" + super().serialize(element)

    schema = json.dumps(USUAL)
    assert Other(avro_schema_string=schema).of_columns() is None
    assert AvroRowSerializationSchema(avro_schema_string=schema).of_columns() is not None
    assert Own(avro_schema_string=schema).at_once() is None
    at_once = pickle.loads(pickle.dumps(AvroRowDeserializationSchema(avro_schema_string=schema).at_once()))
    (row,) = at_once.of_messages([encoded(USUAL, usual(1))])
    assert row.f5 == Row(f0=1, f1=True)
