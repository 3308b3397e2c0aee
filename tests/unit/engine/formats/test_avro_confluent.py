"""Messages with the id of their schema, read at once where all have the same one."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from pystream.engine.formats import avro_confluent
from pystream.engine.formats.avro import avro_codec
from pystream.engine.formats.avro_confluent import ConfluentColumns, ConfluentReader
from pystream.engine.formats.schema_registry import RegistryAddress, WriterSchema
from pystream.errors import ConnectorError
from typeinfo import Row

ADDRESS = RegistryAddress(("http://registry",), ())


def record(*fields: tuple[str, Any], name: str = "Order") -> str:
    declared = [{"name": field, "type": t} for field, t in fields]
    return json.dumps({"type": "record", "name": name, "fields": declared})


PART = {"type": "record", "name": "Part", "fields": [{"name": "x", "type": "int"}]}
GROWN = {"type": "record", "name": "Grown", "fields": [{"name": "x", "type": ["null", "long"]}]}
WRITTEN = record(("a", "int"), ("p", PART))
READ = record(("a", ["null", "long"]), ("p", ["null", GROWN]), name="record")
SCHEMAS = {
    1: WRITTEN,
    2: record(("p", PART), ("a", "int")),
    3: record(("a", ["null", "int"]), ("p", PART)),
    4: record(("a", "string"), ("p", PART)),
}
BODIES = {1: b"\x02\x04", 2: b"\x04\x02", 3: b"\x02\x02\x04", 4: b"\x02a\x04"}


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that knows some schemas."""
    found = SimpleNamespace(writer_schema=lambda identity: WriterSchema(SCHEMAS[identity], ()))
    monkeypatch.setattr(avro_confluent, "registry_at", lambda address: found)
    monkeypatch.setattr(avro_confluent, "confluent_reader", ConfluentReader)


def message(identity: int, body: bytes | None = None) -> bytes:
    return b"\0" + identity.to_bytes(4) + (BODIES[identity] if body is None else body)


def read(found: list[bytes], schema: str = READ) -> list[Any] | None:
    """Return the rows in messages if they are read at once, checked to be those read one by one."""
    codec = avro_codec(schema)
    columns = ConfluentColumns(ADDRESS, schema, codec.type).of_messages(found)
    if columns is None:
        return None
    reader = ConfluentReader(ADDRESS, schema)
    assert list(columns) == [codec.row_of(reader(each)) for each in found]
    return list(columns)


def test_records_of_one_schema_are_resolved_at_once() -> None:
    found = [message(1), message(1, b"\x01\x06")]
    assert read(found) == [Row(a=1, p=Row(x=2)), Row(a=-1, p=Row(x=3))]
    assert read([message(3), message(3, b"\x00\x04")]) == [Row(a=1, p=Row(x=2)), Row(a=None, p=Row(x=2))]


@pytest.mark.parametrize(
    "found",
    [
        [message(1), message(3)],
        [message(1), message(3, BODIES[1])],
        [message(2)],
        [message(4)],
        [message(1), b"\0"],
        [b"\0"],
        [b"\x01" + message(1)[1:]],
        [message(1, b"\x02")],
        [message(1), message(1, b"\x02\x04\x00")],
    ],
)
def test_other_messages_are_read_one_by_one(found: list[bytes]) -> None:
    assert read(found) is None


def test_a_registry_that_cannot_be_reached_fails_with_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(identity: int) -> WriterSchema:
        raise ConnectorError("the registry cannot be reached")

    monkeypatch.setattr(
        avro_confluent, "registry_at", lambda address: SimpleNamespace(writer_schema=unreachable)
    )
    codec = avro_codec(READ)
    assert ConfluentColumns(ADDRESS, READ, codec.type).of_messages([message(1)]) is None


def test_nulls_that_the_schema_of_the_rows_does_not_have_are_left_to_the_other_reader() -> None:
    assert read([message(3)], WRITTEN) is None


def test_rows_of_other_names_are_left_to_the_other_reader() -> None:
    t = avro_codec(WRITTEN).type
    renamed = record(("b", "int"), ("p", PART))
    assert ConfluentColumns(ADDRESS, renamed, t).of_messages([message(1)]) is None
