"""Avro messages whose schemas are in a registry, which is a real one except where it must misbehave."""

from __future__ import annotations

import base64
import json
import pickle
import threading
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.formats.avro import AvroSchema
from pystream.datastream.formats.avro_confluent import (
    ConfluentRegistryAvroDeserializationSchema,
    ConfluentRegistryAvroSerializationSchema,
)
from pystream.errors import ConfigurationError, ConnectorError, DeserializationError, SerializationError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.options import read_options
from pystream.table.formats.registry import format_options, message_format
from pystream.table.schema import Schema
from tests.servers.schema_registry import SchemaRegistry
from typeinfo import Row, Types

pytestmark = pytest.mark.time_limit(300)  # the first test downloads and starts the registry

Reading = ConfluentRegistryAvroDeserializationSchema
Writing = ConfluentRegistryAvroSerializationSchema


def schema(*fields: tuple[str, Any], name: str = "Order", **defaults: Any) -> AvroSchema:
    declared: list[Any] = [{"name": field, "type": t} for field, t in fields]
    declared += [{"name": field, "type": ["null", "string"], "default": d} for field, d in defaults.items()]
    return AvroSchema.parse_string(json.dumps({"type": "record", "name": name, "fields": declared}))


ORDER = schema(("id", "int"), ("item", "string"))


@pytest.fixture
def subject() -> str:
    return f"orders-{uuid.uuid4()}-value"


def message_of(registry: SchemaRegistry, subject: str) -> bytes:
    return Writing.for_row(subject, ORDER, registry.url).serialize(Row(id=1, item="tea"))


def test_rows_pass_between_workers_as_messages(
    env: StreamExecutionEnvironment, schema_registry: SchemaRegistry, subject: str
) -> None:
    rows = [Row(id=i, item=f"tea {i}") for i in range(5)]
    writing = Writing.for_row(subject, ORDER, schema_registry.url)
    reading = Reading.for_row(ORDER, schema_registry.url)
    stream = env.from_collection(rows, reading.get_produced_type())
    messages = stream.map(writing.serialize, Types.PRIMITIVE_ARRAY(Types.BYTE))
    assert list(messages.map(reading.deserialize, reading.get_produced_type()).execute_and_collect()) == rows


def test_a_message_is_the_id_of_the_schema_and_the_record(
    schema_registry: SchemaRegistry, subject: str
) -> None:
    message = message_of(schema_registry, subject)
    with urllib.request.urlopen(f"{schema_registry.url}/subjects/{subject}/versions/1") as answer:
        registered = json.load(answer)
    assert message == b"\0" + registered["id"].to_bytes(4) + b"\x02\x06tea"
    assert json.loads(registered["schema"]) == json.loads(str(ORDER))
    assert message_of(schema_registry, subject) == message


def test_records_are_dicts(schema_registry: SchemaRegistry, subject: str) -> None:
    writing = Writing.for_generic(subject, ORDER, schema_registry.url)
    reading = pickle.loads(pickle.dumps(Reading.for_generic(ORDER, schema_registry.url)))
    record = {"id": 1, "item": "tea"}
    assert reading.deserialize(pickle.loads(pickle.dumps(writing)).serialize(record)) == record
    assert "GenericRecord" in repr(reading.get_produced_type())
    with pytest.raises(SerializationError, match="cannot write"):
        writing.serialize({"id": "x", "item": "tea"})


def test_a_record_is_resolved_to_the_schema_of_the_elements(
    schema_registry: SchemaRegistry, subject: str
) -> None:
    part = {"type": "record", "name": "Part", "fields": [{"name": "x", "type": "int"}]}
    grown = {**part, "name": "Grown", "fields": [{"name": "x", "type": ["null", "long"]}]}
    symbols = {"type": "enum", "name": "Old", "symbols": ["A", "B"]}
    old = schema(("a", "int"), ("gone", "string"), ("p", part), ("l", {"type": "array", "items": symbols}))
    new_types = [("p", ["null", grown]), ("l", {"type": "array", "items": {**symbols, "name": "New"}})]
    new = schema(*new_types, ("a", ["null", "double"]), name="a.b.Other", more=None)
    message = Writing.for_row(subject, old, schema_registry.url).serialize(
        Row(a=1, gone="x", p=Row(x=2), l=["A", "B"])
    )
    assert Reading.for_row(new, schema_registry.url).deserialize(message) == Row(
        p=Row(x=2), l=["A", "B"], a=1.0, more=None
    )


def test_a_schema_may_refer_to_others(schema_registry: SchemaRegistry, subject: str) -> None:
    part = {"type": "record", "name": "Part", "fields": [{"name": "x", "type": "int"}]}
    whole = {"type": "record", "name": "Whole", "fields": [{"name": "p", "type": "Part"}]}
    references = [{"name": "Part", "subject": f"{subject}-part", "version": 1}]
    post(schema_registry, f"subjects/{subject}-part/versions", {"schema": json.dumps(part)})
    added = {"schema": json.dumps(whole), "references": references}
    identity = post(schema_registry, f"subjects/{subject}/versions", added)["id"]
    reading = Reading.for_row(schema(("p", part)), schema_registry.url)
    assert reading.deserialize(b"\0" + identity.to_bytes(4) + b"\x02") == Row(p=Row(x=1))


def post(registry: SchemaRegistry, path: str, body: Any, method: str = "POST") -> Any:
    request = urllib.request.Request(
        f"{registry.url}/{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/vnd.schemaregistry.v1+json"},
        method=method,
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_messages_that_cannot_be_read_are_errors_that_name_the_id(
    schema_registry: SchemaRegistry, subject: str
) -> None:
    message = message_of(schema_registry, subject)
    identity = int.from_bytes(message[1:5])
    reading = Reading.for_row(ORDER, schema_registry.url)
    faults = {
        b"": "does not start with a zero byte",
        b"\1" + message[1:]: "does not start with a zero byte",
        message[:-1]: f"of id {identity} in {schema_registry.url}: Expected 3 bytes, read 2",
        message + b"x": f"of id {identity} in {schema_registry.url}: 1 bytes follow the record",
        b"\0\x7f\0\0\0": f"the schema of id {0x7F000000}: the schema registry {schema_registry.url} answers",
    }
    for damaged, fault in faults.items():
        with pytest.raises(DeserializationError) as failure:
            reading.deserialize(damaged)
        assert fault in str(failure.value)
    other = Reading.for_row(schema(("missing", "int")), schema_registry.url)
    with pytest.raises(DeserializationError, match=rf"id {identity} .*No default value for field missing"):
        other.deserialize(message)


def test_a_schema_that_is_not_avro_is_an_error(schema_registry: SchemaRegistry, subject: str) -> None:
    added = {"schema": 'syntax = "proto3"; message A { int32 x = 1; }', "schemaType": "PROTOBUF"}
    identity = post(schema_registry, f"subjects/{subject}/versions", added)["id"]
    with pytest.raises(DeserializationError, match=f"of id {identity} in .* is of type PROTOBUF, not AVRO"):
        Reading.for_row(ORDER, schema_registry.url).deserialize(b"\0" + identity.to_bytes(4))


def test_a_schema_that_is_not_compatible_is_refused_by_its_subject(
    schema_registry: SchemaRegistry, subject: str
) -> None:
    message_of(schema_registry, subject)
    post(schema_registry, f"config/{subject}", {"compatibility": "BACKWARD"}, "PUT")
    writing = Writing.for_row(subject, schema(("id", "string"), ("new", "int")), schema_registry.url)
    with pytest.raises(SerializationError, match=rf"of the subject '{subject}'.*HTTP status code 409"):
        writing.serialize(Row(id="x", new=1))


@contextmanager
def stub(status: int) -> Iterator[tuple[str, list[str | None]]]:
    """Serve one schema with HTTP, or an error; yield the address, and the credentials of requests."""
    credentials: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            credentials.append(self.headers["Authorization"])
            self.send_response(status)
            self.end_headers()
            self.wfile.write(
                json.dumps({"schema": str(ORDER), "error_code": status, "message": "no"}).encode()
            )

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", credentials
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("in_url", [True, False])
def test_user_and_password_are_sent_but_not_shown(in_url: bool) -> None:
    with stub(200) as (address, credentials):
        url = f"http://ann:se%40cret@{address}" if in_url else f"http://{address}"
        configs = {} if in_url else {"schema.registry.basic.auth.user.info": "ann:se@cret"}
        reading = Reading.for_row(ORDER, url, configs)
        assert reading.deserialize(b"\0\0\0\0\1\2\2x") == Row(id=1, item="x")
        assert reading.deserialize(b"\0\0\0\0\1\4\2x") == Row(id=2, item="x")
    assert credentials == ["Basic " + base64.b64encode(b"ann:se@cret").decode()]  # asked once
    assert "cret" not in repr(vars(reading))


@pytest.mark.parametrize("status", [401, 403, 500])
def test_a_registry_that_denies_access_or_fails_is_no_damage_of_the_message(status: int) -> None:
    with stub(status) as (address, _):
        reading = Reading.for_row(ORDER, f"http://ann:secret@{address}", {"max.retries": "0"})
        with pytest.raises(ConnectorError, match=f"schema of id 1: .*{address} answers: no") as failure:
            reading.deserialize(b"\0\0\0\0\1\2\2x")
        assert "secret" not in str(failure.value)


def test_a_registry_that_is_not_there_is_no_damage_of_the_message() -> None:
    reading = Reading.for_row(ORDER, "http://ann:secret@127.0.0.1:1/x", {"max.retries": "0"})
    with pytest.raises(ConnectorError, match=r"http://127.0.0.1:1/x cannot be reached: .*refused"):
        reading.deserialize(b"\0\0\0\0\1\2\2x")
    writing = Writing.for_row("s", ORDER, "http://127.0.0.1:1", {"max.retries": "0"})
    with pytest.raises(ConnectorError, match=r"a schema of the subject 's': .* cannot be reached"):
        writing.serialize(Row(id=1, item="x"))


@pytest.mark.parametrize(
    ("url", "configs", "fault"),
    [
        ("ftp://ann:secret@host", {}, "must be like http://registry:8081, not 'ftp://host'"),
        (8081, {}, "must be a str, not 8081"),
        ("http://host", {"ssl.truststore.location": "x"}, "Unrecognized properties: ssl.truststore.location"),
        ("http://host", {"ssl.ca.location": "/nowhere"}, "No such file"),
        ("http://host", {"timeout": 3}, "the property 'timeout' of a schema registry must be a str"),
        ("http://host", {"basic.auth.credentials.source": "SASL"}, "must be USER_INFO or URL"),
        ("http://host", {"basic.auth.user.info": "secret"}, "must be in the form of"),
    ],
)
def test_wrong_addresses_are_refused_when_the_program_is_built(
    url: Any, configs: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ConfigurationError) as failure:
        Reading.for_generic(ORDER, url, configs)
    assert fault in str(failure.value)
    assert "secret" not in str(failure.value)


def test_a_subject_and_a_schema_are_needed() -> None:
    with pytest.raises(ConfigurationError, match="subject of a schema must be a str, not ''"):
        Writing.for_generic("", ORDER, "http://host")
    with pytest.raises(ConfigurationError, match="takes a schema such as AvroSchema"):
        Reading.for_generic("{}", "http://host")  # type: ignore[arg-type]


COLUMNS: dict[str, DataType] = {"item": DataTypes.STRING(), "id": DataTypes.INT(), "new": DataTypes.STRING()}


def table_format(options: dict[str, str]) -> Any:
    columns = tuple(TableColumn(name, t, t.type_info, 0) for name, t in COLUMNS.items())
    given = {f"avro-confluent.{key}": value for key, value in options.items()}
    table = TableDefinition("t", columns, Schema(()), given)
    values = read_options(given, format_options("avro-confluent"), list(COLUMNS), "table 't'")
    return message_format("avro-confluent", table, values)


def test_rows_of_tables_are_messages(schema_registry: SchemaRegistry, subject: str) -> None:
    """Columns correspond to the fields of a writer's schema by name."""
    options = {"url": schema_registry.url, "subject": f"{subject}-other"}
    format = table_format(options)
    reading = format.deserialization_schema()
    assert reading.get_produced_type() == format.row_type
    row = Row(item="tea", id=1, new=None)
    assert reading.deserialize(message_of(schema_registry, subject)) == row
    assert reading.deserialize(format.serialization_schema().serialize(row)) == row


def test_a_table_may_give_the_schema_that_it_registers(schema_registry: SchemaRegistry, subject: str) -> None:
    given = schema(("item", "string"), ("id", ["null", "long"]), new=None)
    options = {"url": schema_registry.url, "subject": subject, "schema": str(given)}
    row = Row(item="tea", id=1, new=None)
    message = table_format(options).serialization_schema().serialize(row)
    with urllib.request.urlopen(f"{schema_registry.url}/subjects/{subject}/versions/1") as answer:
        assert json.loads(json.load(answer)["schema"]) == json.loads(str(given))
    assert table_format(options).deserialization_schema().deserialize(message) == row
    with pytest.raises(ConfigurationError, match="are id, item, but the columns are item, id, new"):
        table_format({**options, "schema": str(ORDER)}).serialization_schema()


def test_a_table_needs_the_url_and_for_writing_the_subject() -> None:
    with pytest.raises(ConfigurationError, match=r"table 't' needs the option 'avro-confluent.url'"):
        table_format({}).deserialization_schema()
    with pytest.raises(ConfigurationError, match=r"table 't' needs the option 'avro-confluent.subject'"):
        table_format({"url": "http://host"}).serialization_schema()
    with stub(200) as (address, credentials):
        own = schema(("item", "string"), ("id", "int"), new=None)
        options = {"basic-auth.user-info": "ann:x", "properties": "max.retries:0", "schema": str(own)}
        reading = table_format({"url": f"http://{address}", **options}).deserialization_schema()
        assert reading.deserialize(b"\0\0\0\0\1\2\2x") == Row(item="x", id=1, new=None)
    assert credentials == ["Basic " + base64.b64encode(b"ann:x").decode()]
