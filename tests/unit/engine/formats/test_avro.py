"""Rows as Avro messages, checked against fastavro's own encoding."""

from __future__ import annotations

import datetime as dt
import io
import json
import pickle
from decimal import Decimal
from typing import Any

import fastavro
import pytest

from pystream.common.serialization import AvroRowDeserializationSchema, AvroRowSerializationSchema
from pystream.errors import (
    ConfigurationError,
    DeserializationError,
    SerializationError,
    UnsupportedOperationError,
)
from typeinfo import Row, Types, UnsupportedTypeError
from typeinfo.info import TypeInformation

T = Types
BYTES = T.PRIMITIVE_ARRAY(T.BYTE)


def record(*types: Any) -> dict[str, Any]:
    return {
        "type": "record",
        "name": "R",
        "fields": [{"name": f"a{i}", "type": t} for i, t in enumerate(types)],
    }


def writer(*types: Any) -> AvroRowSerializationSchema:
    schema = AvroRowSerializationSchema(avro_schema_string=json.dumps(record(*types)))
    copy: AvroRowSerializationSchema = pickle.loads(pickle.dumps(schema))
    return copy


def reader(*types: Any) -> AvroRowDeserializationSchema:
    schema = AvroRowDeserializationSchema(avro_schema_string=json.dumps(record(*types)))
    copy: AvroRowDeserializationSchema = pickle.loads(pickle.dumps(schema))
    return copy


def encoded(schema: Any, value: Any) -> bytes:
    stream = io.BytesIO()
    fastavro.schemaless_writer(stream, fastavro.parse_schema(record(schema)), {"a0": value})
    return stream.getvalue()


def logical(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "logicalType": name, **more}


UTC = dt.UTC
CASES: list[tuple[Any, TypeInformation[Any], Any, Any]] = [
    ("null", T.VOID, None, None),
    ("boolean", T.BOOLEAN, True, True),
    ("int", T.INT, -(2**31), -(2**31)),
    ("long", T.LONG, 2**63 - 1, 2**63 - 1),
    ("float", T.FLOAT, 0.5, 0.5),
    ("double", T.DOUBLE, 0.1, 0.1),
    ("string", T.STRING, "é😀", "é😀"),
    ("bytes", BYTES, b"\x00\xff", b"\x00\xff"),
    ({"type": "string"}, T.STRING, "x", "x"),
    ({"type": "fixed", "name": "F", "size": 2}, BYTES, b"ab", b"ab"),
    ({"type": "enum", "name": "E", "symbols": ["P", "Q"]}, T.STRING, "Q", "Q"),
    (["null", "int"], T.INT, None, None),
    (["int", "null"], T.INT, 5, 5),
    (["int"], T.INT, 5, 5),
    (["null"], T.VOID, None, None),
    (["int", "string"], T.PICKLED_BYTE_ARRAY, "x", "x"),
    ({"type": "array", "items": "int"}, T.BASIC_ARRAY(T.INT), [1, 2], [1, 2]),
    ({"type": "array", "items": ["null", "string"]}, T.BASIC_ARRAY(T.STRING), ["x", None], ["x", None]),
    ({"type": "array", "items": "bytes"}, T.OBJECT_ARRAY(BYTES), [b"x"], [b"x"]),
    ({"type": "map", "values": ["null", "long"]}, T.MAP(T.STRING, T.LONG), {"k": None}, {"k": None}),
    ({**record("int"), "name": "S"}, T.ROW_NAMED(["a0"], [T.INT]), Row(a0=1), {"a0": 1}),
    (logical("int", "date"), T.SQL_DATE, dt.date(1900, 1, 2), dt.date(1900, 1, 2)),
    (logical("int", "time-millis"), T.SQL_TIME, dt.time(1, 2, 3, 4000), dt.time(1, 2, 3, 4000)),
    (logical("long", "time-micros"), T.SQL_TIME, dt.time(1, 2, 3, 4), dt.time(1, 2, 3, 4)),
    (
        logical("long", "timestamp-millis"),
        T.SQL_TIMESTAMP,
        dt.datetime(2020, 1, 2, 3, 4, 5, 6000),
        dt.datetime(2020, 1, 2, 3, 4, 5, 6000, UTC),
    ),
    (
        logical("long", "timestamp-micros"),
        T.SQL_TIMESTAMP,
        dt.datetime(1900, 1, 2, 3, 4, 5, 6),
        dt.datetime(1900, 1, 2, 3, 4, 5, 6, UTC),
    ),
    (
        logical("long", "local-timestamp-micros"),
        T.LOCAL_DATE_TIME,
        dt.datetime(2020, 1, 2, 3, 4, 5, 6),
        dt.datetime(2020, 1, 2, 3, 4, 5, 6),
    ),
    (logical("bytes", "decimal", precision=10, scale=2), T.BIG_DEC, Decimal("-1.25"), Decimal("-1.25")),
    (
        {"type": "fixed", "name": "D", "size": 5, "logicalType": "decimal", "precision": 10},
        T.BIG_DEC,
        Decimal(12),
        Decimal(12),
    ),
    (
        logical("string", "uuid"),
        T.STRING,
        "00000000-0000-0000-0000-000000000005",
        "00000000-0000-0000-0000-000000000005",
    ),
    (logical("int", "unheard-of"), T.INT, 3, 3),
]


@pytest.mark.promise(
    "format:pyflink.common.serialization.AvroRowDeserializationSchema",
    "format:pyflink.common.serialization.AvroRowSerializationSchema",
)
@pytest.mark.parametrize(("schema", "type_info", "value", "avro_value"), CASES, ids=str)
def test_every_kind_of_schema_is_written_and_read(
    schema: Any, type_info: TypeInformation[Any], value: Any, avro_value: Any
) -> None:
    message = encoded(schema, avro_value)
    assert reader(schema).get_produced_type() == T.ROW_NAMED(["a0"], [type_info])
    assert reader(schema).deserialize(message) == Row(a0=value)
    assert writer(schema).serialize(Row(a0=value)) == message


def test_a_name_refers_to_the_schema_that_it_names() -> None:
    inner = {**record("int"), "name": "S", "namespace": "n"}
    assert reader(inner, ["null", "n.S"]).get_produced_type() == T.ROW_NAMED(
        ["a0", "a1"], [T.ROW_NAMED(["a0"], [T.INT])] * 2
    )
    row = Row(a0=Row(a0=1), a1=Row(a0=2))
    assert reader(inner, ["null", "n.S"]).deserialize(writer(inner, ["null", "n.S"]).serialize(row)) == row


@pytest.mark.parametrize(
    ("schema", "value", "fault"),
    [
        ("int", 2**31, "value.a0: 2147483648 does not fit INT"),
        ("int", None, "field a0: None, but the Avro schema does not allow null here"),
        ({"type": "array", "items": "int"}, [1, None], r"field a0\[1\]: None, but"),
        ({"type": "map", "values": "int"}, {"k": None}, r"field a0\['k'\]: None, but"),
        ({**record("int"), "name": "S"}, Row(a0="x"), "value.a0.a0: 'x'"),
        ({**record("int"), "name": "S"}, Row(a0=None), "field a0.a0: None, but"),
        (
            {"type": "enum", "name": "E", "symbols": ["P"]},
            "Z",
            r"field a0: 'Z' is not one of the symbols \['P'\]",
        ),
        (
            {"type": "fixed", "name": "F", "size": 2},
            b"abc",
            "field a0: 3 bytes, but the Avro schema has exactly 2",
        ),
        (logical("string", "uuid"), "x", "field a0: 'x' is not a UUID"),
        (logical("int", "time-millis"), dt.time(1, 2, 3, 4), "field a0: .* is finer than the millisecond"),
        (
            logical("bytes", "decimal", precision=4, scale=2),
            Decimal("1.255"),
            r"field a0: 1.255 does not fit decimal\(4, 2\)",
        ),
        (
            logical("bytes", "decimal", precision=4, scale=2),
            Decimal("123"),
            r"field a0: 123 does not fit decimal\(4, 2\)",
        ),
        (["int", "string"], 1.5, r"field a0: 1.5 \(float\) fits no branch of the union int, string"),
    ],
    ids=str,
)
def test_an_element_that_does_not_fit_is_an_error_that_names_the_field(
    schema: Any, value: Any, fault: str
) -> None:
    with pytest.raises(SerializationError, match=f"cannot write .* as Avro: {fault}"):
        writer(schema).serialize(Row(a0=value))


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (b"", "field a0: the message ends too early"),
        (b"\x02", "field a1: the message ends too early"),
        (b"\x02\x08x", "field a1: "),
        (b"\x02\x02xyz", "2 bytes follow the record"),
        (b"\x02\x02\xff", "field a1: .*codec can't decode"),
    ],
)
def test_a_damaged_message_is_an_error_that_names_the_field(message: bytes, fault: str) -> None:
    with pytest.raises(DeserializationError, match=f"cannot read the Avro message .*{fault}"):
        reader("int", "string").deserialize(message)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("nope", "not an Avro schema"),
        ('{"type":"foo"}', "not an Avro schema"),
        ('{"type":"record","name":"R","fields":[{"name":"x","type":"Q"}]}', "not an Avro schema"),
        ('"int"', "an Avro schema of a record is needed"),
        ("[]", "an Avro schema of a record is needed"),
        (json.dumps({**record("int", ["null", "R"])}), "recursive: 'R' occurs in itself .field .a1"),
    ],
)
def test_a_text_that_is_not_the_schema_of_a_record_is_refused(text: str, fault: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=fault):
        AvroRowDeserializationSchema(avro_schema_string=text)
    with pytest.raises(UnsupportedTypeError, match=fault):
        AvroRowSerializationSchema(avro_schema_string=text)


@pytest.mark.parametrize("row", [Row(f0=1, f1="x"), Row(1, "x"), Row(a1="x", a0=1), (1, "x")], ids=str)
def test_fields_of_other_names_are_written_by_position(row: Any) -> None:
    assert writer("int", "string").serialize(row) == b"\x02\x02x"


def test_a_schema_is_required_and_a_java_class_does_not_replace_it() -> None:
    with pytest.raises(ConfigurationError, match="needs avro_schema_string"):
        AvroRowDeserializationSchema()
    with pytest.raises(UnsupportedOperationError, match="Order is a Java class"):
        AvroRowSerializationSchema("com.example.Order")
