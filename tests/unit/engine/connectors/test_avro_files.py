"""Avro's generic records in Avro and in Parquet files: what comes back, for us, fastavro and pyarrow."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import uuid
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastavro.write import Writer
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.datastream.connectors import FileSource
from pystream.datastream.formats.avro import (
    AvroBulkWriters,
    AvroInputFormat,
    AvroSchema,
    GenericRecordAvroTypeInfo,
)
from pystream.datastream.formats.parquet import AvroParquetReaders, AvroParquetWriters
from pystream.errors import ConfigurationError, SinkError, SourceError
from tests.unit.engine.connectors.jobs import read_batches, read_shares, write_bulk
from typeinfo import TypeCheckError, UnsupportedTypeError
from typeinfo.serde import serializer_for


def long_(logical: str) -> dict[str, str]:
    return {"type": "long", "logicalType": logical}


def record(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": n, "type": t} for n, t in fields.items()]}


LONG_ARRAY = {"type": "array", "items": "long"}
DEEP = record("Deep", n=["double", "null"])
EVERYTHING = record(
    "a.b.Everything",
    i="int", l="long", f="float", d="double", b="boolean", s="string", bytes="bytes",
    enum={"type": "enum", "name": "Suit", "symbols": ["SPADES", "HEARTS"]},
    fixed={"type": "fixed", "name": "Four", "size": 4},
    array={"type": "array", "items": ["null", "int"]},
    map={"type": "map", "values": "Suit"},
    optional=["null", "string"],
    union=["null", "int", "string", LONG_ARRAY, record("In", x="int"), record("Out", y="int")],
    inner=record("Inner", again="Four", deep={"type": "array", "items": DEEP}),
    dec={"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2},
    date={"type": "int", "logicalType": "date"},
    time={"type": "int", "logicalType": "time-millis"},
    micros=long_("time-micros"),
    at=long_("timestamp-millis"),
    at_micros=long_("timestamp-micros"),
    local=long_("local-timestamp-micros"),
    uuid={"type": "string", "logicalType": "uuid"},
)  # fmt: skip
SCHEMA = AvroSchema.parse_string(json.dumps(EVERYTHING))
INTS = st.integers(-(2**31), 2**31 - 1)
LONGS = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
FOUR = st.binary(min_size=4, max_size=4)
SUITS = st.sampled_from(["SPADES", "HEARTS"])
MILLIS = st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1)).map(
    lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000)
)
RECORDS = st.fixed_dictionaries(
    {
        "i": INTS,
        "l": LONGS,
        "f": st.floats(allow_nan=False, width=32),
        "d": st.floats(allow_nan=False),
        "b": st.booleans(),
        "s": TEXTS,
        "bytes": st.binary(max_size=4),
        "enum": SUITS,
        "fixed": FOUR,
        "array": st.lists(st.none() | INTS, max_size=3),
        "map": st.dictionaries(TEXTS, SUITS, max_size=2),
        "optional": st.none() | TEXTS,
        "union": st.none()
        | INTS
        | TEXTS
        | st.lists(LONGS, max_size=2)
        | st.fixed_dictionaries({"x": INTS})
        | st.fixed_dictionaries({"y": INTS}),
        "inner": st.fixed_dictionaries(
            {
                "again": FOUR,
                "deep": st.lists(
                    st.fixed_dictionaries({"n": st.none() | st.floats(allow_nan=False)}), max_size=2
                ),
            }
        ),
        "dec": st.decimals(-(10**7), 10**7, places=2),
        "date": st.dates(),
        "time": MILLIS.map(dt.datetime.time),
        "micros": st.times(),
        "at": MILLIS.map(lambda t: t.replace(tzinfo=dt.UTC)),
        "at_micros": st.datetimes(dt.datetime(1900, 1, 1)).map(lambda t: t.replace(tzinfo=dt.UTC)),
        "local": st.datetimes(dt.datetime(1900, 1, 1)),
        "uuid": st.uuids(),
    }
)
KINDS = ["avro", "parquet"]


def writers(kind: str, schema: AvroSchema) -> Any:
    return (AvroBulkWriters if kind == "avro" else AvroParquetWriters).for_generic_record(schema)


def write(path: Path, kind: str, values: list[Any], schema: AvroSchema = SCHEMA) -> Path:
    (file,) = write_bulk(path, writers(kind, schema), values)
    return file


def source(path: Path, kind: str, schema: AvroSchema = SCHEMA) -> FileSource[Any]:
    if kind == "avro":
        return AvroInputFormat(str(path), schema).source()
    return FileSource.for_record_stream_format(
        AvroParquetReaders.for_generic_record(schema), str(path)
    ).build()


def read(path: Path, kind: str, schema: AvroSchema = SCHEMA) -> list[Any]:
    (values,) = read_shares(source(path, kind, schema))
    return values


@pytest.mark.parametrize("kind", KINDS)
@given(records=st.lists(RECORDS, min_size=1, max_size=3))
@settings(max_examples=40)
def test_records_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, kind: str, records: list[Any]
) -> None:
    path = tmp_path_factory.mktemp(kind)
    file = write(path, kind, records)
    assert read(path, kind) == records
    if kind == "avro":
        with file.open("rb") as stream:
            assert list(fastavro.reader(stream)) == records


@given(record=RECORDS)
@settings(max_examples=40)
def test_records_keep_their_values_between_operators(record: dict[str, Any]) -> None:
    serializer = serializer_for(pickle.loads(pickle.dumps(GenericRecordAvroTypeInfo(SCHEMA))))
    assert serializer.from_batch(serializer.to_batch([record])) == [record]
    assert serializer.deserialize(serializer.serialize(serializer.conform([record]))) == [record]


def test_what_other_programs_see_in_parquet(tmp_path: Path) -> None:
    fields = record(
        "R",
        at=long_("timestamp-millis"),
        dec=EVERYTHING["fields"][14]["type"],
        m={"type": "map", "values": "int"},
        u=["int", "string"],
    )
    at = dt.datetime(2020, 1, 2, 3, 4, 5, 6000, dt.UTC)
    value = {"at": at, "dec": Decimal("1.50"), "m": {"a": 1}, "u": "x"}
    table = pq.read_table(write(tmp_path, "parquet", [value], AvroSchema(json.dumps(fields))))
    assert [str(field.type) for field in table.schema] == [
        "timestamp[ms, tz=UTC]",
        "decimal128(10, 2)",
        "map<string, int32 ('m')>",
        "struct<member0: int32, member1: string>",
    ]
    assert table.to_pylist(maps_as_pydicts="strict") == [value | {"u": {"member0": None, "member1": "x"}}]


DEFAULTED = {
    "type": "record",
    "name": "R",
    "fields": [
        {"name": "n", "type": "long"},
        {"name": "s", "type": "string", "default": "none"},
        {"name": "o", "type": ["null", "int"], "default": None},
    ],
}


@pytest.mark.parametrize("kind", KINDS)
def test_fields_that_are_missing_have_their_defaults(tmp_path: Path, kind: str) -> None:
    schema = AvroSchema(json.dumps(DEFAULTED))
    write(tmp_path / "new", kind, [{"n": 1}, {"n": 2, "s": "x", "o": 3}], schema)
    assert read(tmp_path / "new", kind, schema) == [
        {"n": 1, "s": "none", "o": None},
        {"n": 2, "s": "x", "o": 3},
    ]
    old = AvroSchema(json.dumps(record("R", n="int", gone="string")))
    write(tmp_path / "old", kind, [{"n": 1, "gone": "x"}], old)
    assert read(tmp_path / "old", kind, schema) == [{"n": 1, "s": "none", "o": None}]


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy", "zstandard", "bzip2", "xz"])
def test_files_of_any_codec_are_read_in_batches(tmp_path: Path, codec: str) -> None:
    schema = record("R", n="long", s="string")
    values = [{"n": n, "s": f"{n:050}"} for n in range(5000)]
    with (tmp_path / "f.avro").open("wb") as stream:
        fastavro.writer(stream, schema, values, codec=codec)
    (batches,) = read_batches(source(tmp_path, "avro", AvroSchema(json.dumps(schema))))
    assert [value for batch in batches for value in batch] == values
    assert max(map(len, batches)) == 1024


NODE = {
    "type": "record",
    "name": "Node",
    "fields": [{"name": "n", "type": "int"}, {"name": "next", "type": ["null", "Node"]}],
}


def test_recursive_records_fit_avro_but_not_parquet(tmp_path: Path) -> None:
    schema = AvroSchema(json.dumps(NODE))
    nodes = [{"n": 1, "next": {"n": 2, "next": None}}]
    write(tmp_path, "avro", nodes, schema)
    assert read(tmp_path, "avro", schema) == nodes
    for make in (AvroParquetReaders, AvroParquetWriters):
        with pytest.raises(UnsupportedTypeError, match="the recursive Avro record Node"):
            make.for_generic_record(schema)


BAD = [
    ({"n": 2**40}, "field n: 1099511627776 does not fit the Avro type int"),
    ({"n": "x"}, r"field n: 'x' \(str\) is not of the Avro type int"),
    ({"n": 1, "more": 2}, "the Avro record R has no field 'more'"),
    ({}, "field n: it is missing, and has no default"),
    ({"n": 1, "at": dt.datetime(2020, 1, 1)}, "field at: 2020-01-01 00:00:00 has no time zone"),
    (
        {"n": 1, "at": dt.datetime(2020, 1, 1, 0, 0, 0, 1, dt.UTC)},
        "field at: .* is finer than the millisecond",
    ),
    ({"n": 1, "at": [dt.datetime(2020, 1, 1)]}, r"field at\[0\]: .* has no time zone"),
    ([1], r"\[1\] \(list\) is not of the Avro type record R"),
]
AT = long_("timestamp-millis")
PLAIN = record("R", n="int") | {}
PLAIN["fields"] += [{"name": "at", "type": ["null", AT, {"type": "array", "items": AT}], "default": None}]


@pytest.mark.parametrize(("value", "complaint"), BAD, ids=lambda value: repr(value)[:30])
def test_a_record_that_does_not_fit_is_an_error_at_every_check(
    tmp_path: Path, value: Any, complaint: str
) -> None:
    schema = AvroSchema(json.dumps(PLAIN))
    for kind in KINDS:
        with pytest.raises(SinkError, match=complaint):
            write(tmp_path, kind, [value], schema)
    with pytest.raises(
        TypeCheckError, match=complaint if isinstance(value, dict) else "give an instance of dict"
    ):
        serializer_for(GenericRecordAvroTypeInfo(schema)).conform([value])


def test_files_that_cannot_be_read_are_errors_that_name_them(tmp_path: Path) -> None:
    schema = AvroSchema(json.dumps(record("R", n="int")))
    (tmp_path / "x").write_text("hello")
    for kind in KINDS:
        with pytest.raises(SourceError, match=f"{tmp_path}/x"):
            read(tmp_path / "x", kind, schema)
    file = write(tmp_path / "avro", "avro", [{"n": n} for n in range(10_000)], schema)
    with pytest.raises(SourceError, match=f"{file} does not have the schema declared"):
        read(file, "avro", AvroSchema(json.dumps(record("R", n="string"))))
    file.write_bytes(file.read_bytes()[:-500])
    with pytest.raises(SourceError, match=f"cannot read {file} as Avro"):
        read(file, "avro", schema)
    pq.write_table(pa.table({"m": [1]}), tmp_path / "p")
    with pytest.raises(
        SourceError, match=rf"cannot read {tmp_path}/p as records of R: field n: it is missing"
    ):
        read(tmp_path / "p", "parquet", schema)


def test_a_schema_is_a_value_that_is_parsed_from_texts_and_files(tmp_path: Path) -> None:
    text = json.dumps(NODE, indent=2)
    (tmp_path / "node.avsc").write_text(text)
    schema = AvroSchema.parse_string(text)
    assert schema == AvroSchema.parse_file(str(tmp_path / "node.avsc"))
    assert json.loads(str(schema)) == NODE
    assert GenericRecordAvroTypeInfo(schema) == GenericRecordAvroTypeInfo(AvroSchema(text))
    assert hash(GenericRecordAvroTypeInfo(schema)) == hash(GenericRecordAvroTypeInfo(AvroSchema(text)))
    assert repr(GenericRecordAvroTypeInfo(schema)) == "GenericRecordAvroTypeInfo(Node)"
    assert GenericRecordAvroTypeInfo(schema) != GenericRecordAvroTypeInfo(SCHEMA)
    with pytest.raises(ConfigurationError, match=r"cannot read the Avro schema .*none.avsc"):
        AvroSchema.parse_file(str(tmp_path / "none.avsc"))
    for wrong in ("{", '"int"', '{"type": "record"}'):
        with pytest.raises(UnsupportedTypeError, match="Avro schema"):
            AvroSchema.parse_string(wrong)
    with pytest.raises(ConfigurationError, match=r"takes an AvroSchema, not"):
        AvroBulkWriters.for_generic_record(text)  # type: ignore[arg-type]


def test_uuids_come_back_as_uuids(tmp_path: Path) -> None:
    schema = AvroSchema(json.dumps(record("R", u={"type": "string", "logicalType": "uuid"})))
    value = {"u": uuid.UUID(int=5)}
    for kind in KINDS:
        write(tmp_path / kind, kind, [value], schema)
        assert read(tmp_path / kind, kind, schema) == [value]


def test_metadata_of_a_file_may_be_any_bytes(tmp_path: Path) -> None:
    schema = record("R", n="int")
    with (tmp_path / "f").open("wb") as stream:
        fastavro.writer(stream, schema, [{"n": 1}, {"n": 2}], metadata={"x": "note!"})
    content = (tmp_path / "f").read_bytes()
    (tmp_path / "f").write_bytes(content.replace(b"note!", b"\xff\xfe\x00!!"))
    assert read(tmp_path, "avro", AvroSchema(json.dumps(schema))) == [{"n": 1}, {"n": 2}]


def test_a_file_that_is_cut_anywhere_is_an_error_unless_whole_blocks_are_left(tmp_path: Path) -> None:
    schema = AvroSchema(json.dumps(record("R", n="int")))
    with (tmp_path / "whole").open("wb") as stream:
        writer = Writer(stream, json.loads(str(schema)))
        ends = {}
        for start in (0, 64, 128):  # so that the number of records takes two bytes
            ends[stream.tell()] = start
            for _ in range(64):
                writer.write({"n": 1})
            writer.flush()
    content = (tmp_path / "whole").read_bytes()
    for length in range(1, len(content)):
        (tmp_path / "cut").write_bytes(content[:length])
        if length in ends:
            assert len(read(tmp_path / "cut", "avro", schema)) == ends[length]
        else:
            with pytest.raises(SourceError, match=f"cannot read {tmp_path}/cut as Avro: .+"):
                read(tmp_path / "cut", "avro", schema)


def test_a_block_with_more_than_its_records_is_an_error(tmp_path: Path) -> None:
    with (tmp_path / "f").open("wb") as stream:
        fastavro.writer(stream, record("R", n="int"), [{"n": 1}, {"n": 2}], sync_marker=b"m" * 16)
    content = (tmp_path / "f").read_bytes()
    (tmp_path / "f").write_bytes(content.replace(b"m\x04\x04\x02\x04m", b"m\x02\x04\x02\x04m"))
    with pytest.raises(SourceError, match="a block of 1 records holds 1 bytes more"):
        read(tmp_path, "avro", AvroSchema(json.dumps(record("R", n="int"))))


def test_records_do_not_share_a_default(tmp_path: Path) -> None:
    write(tmp_path, "avro", [{"n": 1}, {"n": 2}], AvroSchema(json.dumps(record("R", n="int"))))
    schema = record("R", n="int", tags={"type": "array", "items": "int"})
    schema["fields"][1]["default"] = []
    first, second = read(tmp_path, "avro", AvroSchema(json.dumps(schema)))
    first["tags"].append(1)
    assert second == {"n": 2, "tags": []}


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy", "zstandard", "bzip2", "xz", "lz4"])
def test_damage_is_an_error_of_the_source_whatever_the_codec_raises(tmp_path: Path, codec: str) -> None:
    schema = record("R", n="int", s="string")
    with (tmp_path / "f").open("wb") as stream:
        fastavro.writer(stream, schema, [{"n": n, "s": "text"} for n in range(40)], codec=codec)
    content = (tmp_path / "f").read_bytes()
    for i in range(60, len(content), 7):
        (tmp_path / "f").write_bytes(content[:i] + bytes([content[i] ^ 0x55]) + content[i + 1 :])
        with suppress(SourceError):
            read(tmp_path, "avro", AvroSchema(json.dumps(schema)))


def decimal_(scale: int) -> dict[str, Any]:
    return {"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": scale}


DATE = {"type": "int", "logicalType": "date"}
UUID = {"type": "string", "logicalType": "uuid"}
AT_2020 = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("written", "value", "declared", "expected"),
    [
        ("long", 1000, AT, dt.datetime(1970, 1, 1, 0, 0, 1, tzinfo=dt.UTC)),
        (AT, AT_2020, "long", 1_577_836_800_000),
        (long_("timestamp-micros"), AT_2020, AT, AT_2020),
        (long_("local-timestamp-micros"), dt.datetime(2020, 1, 1), AT, AT_2020),
        (AT, AT_2020, long_("local-timestamp-micros"), dt.datetime(2020, 1, 1)),
        ("int", 3, DATE, dt.date(1970, 1, 4)),
        ("bytes", b"\x01\x00", decimal_(2), Decimal("2.56")),
        (decimal_(2), Decimal("2.56"), "bytes", b"\x01\x00"),
        (decimal_(2), Decimal("2.56"), decimal_(1), Decimal("2.56")),
        ("string", str(uuid.UUID(int=10)), UUID, uuid.UUID(int=10)),
        (UUID, uuid.UUID(int=10), "string", str(uuid.UUID(int=10))),
    ],
    ids=str,
)
def test_values_are_read_by_the_logical_types_declared(
    tmp_path: Path, written: Any, value: Any, declared: Any, expected: Any
) -> None:
    inner = record("Inner", v=["null", written])
    with (tmp_path / "f").open("wb") as stream:
        fastavro.writer(stream, record("R", v=written, a={"type": "array", "items": inner}, m="Inner"), [
            {"v": value, "a": [{"v": value}], "m": {"v": None}},
        ])  # fmt: skip
    inner = record("Inner", v=["null", declared])
    schema = record("R", v=declared, a={"type": "array", "items": inner}, m="Inner")
    (found,) = read(tmp_path, "avro", AvroSchema(json.dumps(schema)))
    assert found == {"v": expected, "a": [{"v": expected}], "m": {"v": None}}
    assert type(found["v"]) is type(expected)


def test_a_logical_type_is_not_read_as_another_one(tmp_path: Path) -> None:
    with (tmp_path / "f").open("wb") as stream:
        fastavro.writer(stream, record("R", v=DATE), [{"v": dt.date(2020, 1, 1)}])
    schema = AvroSchema(json.dumps(record("R", v={"type": "int", "logicalType": "time-millis"})))
    with pytest.raises(
        SourceError, match="does not have the schema declared: date values cannot be read as time"
    ):
        read(tmp_path, "avro", schema)


def test_logical_types_are_those_of_the_same_record_of_a_union(tmp_path: Path) -> None:
    with (tmp_path / "f").open("wb") as stream:
        written = record("R", u=[record("A", x="int"), record("B", x="int", y="int")])
        fastavro.writer(stream, written, [{"u": {"x": 1, "y": 2}}, {"u": {"x": 1}}])
    declared = record("R", u=[record("A", x="int"), record("B", x=DATE, y="int")])
    assert read(tmp_path, "avro", AvroSchema(json.dumps(declared))) == [
        {"u": {"x": dt.date(1970, 1, 2), "y": 2}},
        {"u": {"x": 1}},
    ]


def test_records_are_resolved_by_their_fields_whatever_they_are_called(tmp_path: Path) -> None:
    inner = record("org.Address", town="string")
    written = record("org.User", age="int", address=["null", inner], nick="string")
    rows = [
        {"age": 36, "address": {"town": "Ely"}, "nick": "Ada"},
        {"age": 41, "address": None, "nick": "Al"},
    ]
    with (tmp_path / "users.avro").open("wb") as file:
        fastavro.writer(file, fastavro.parse_schema(written), rows)
    declared = record("record", nick="string", address=["null", record("record_address", town="string")])
    schema = AvroSchema.parse_string(json.dumps(declared))
    assert read(tmp_path, "avro", schema) == [
        {"nick": "Ada", "address": {"town": "Ely"}},
        {"nick": "Al", "address": None},
    ]
