"""Formats of changes: their metadata and options, and the tables that read and write them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pystream.datastream.connectors.kafka import ConsumerRecord
from pystream.errors import ConfigurationError, DeserializationError, PlanError, PyStreamError
from pystream.table import Schema, StreamTableEnvironment
from pystream.table.columns import columns_of_schema, row_type
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.kafka import Kafka
from pystream.table.connectors.kafka_rows import Part, RecordOfRow, RowsOfRecord
from pystream.table.connectors.options import read_options
from pystream.table.connectors.registry import connector_of
from pystream.table.formats.changelog import ChangelogFormat
from pystream.table.formats.registry import CHANGELOG_FORMATS, FORMATS, format_options
from pystream.testing import local_environment
from typeinfo import Row, RowKind

ID_AND_V = Schema.new_builder().column("id", "INT NOT NULL").column("v", "STRING").build()
KEYED = Schema.new_builder().from_schema(ID_AND_V).primary_key("id").build()
KAFKA = {"connector": "kafka", "topic": "t", "properties.bootstrap.servers": "localhost:9092"}
CHANGES = """\
{"after": {"id": 1, "v": "a"}, "op": "c"}
{"after": {"id": 2, "v": "a"}, "op": "r"}
{"before": {"id": 1, "v": "a"}, "after": {"id": 1, "v": "b"}, "op": "u"}
{"before": {"id": 2, "v": "a"}, "op": "d"}
"""


def format_of(name: str, options: Mapping[str, str] | None = None) -> ChangelogFormat:
    given = {f"{name}.{key}": value for key, value in (options or {}).items()}
    values = read_options(given, format_options(name), (), "table 't'")
    known = FORMATS[name]
    assert issubclass(known, ChangelogFormat)
    own = {key.removeprefix(f"{name}."): value for key, value in values.items()}
    return known(columns_of_schema(ID_AND_V, "table 't'"), own, "table 't'")


def connector(schema: Schema, options: Mapping[str, str]) -> Any:
    return connector_of(TableDefinition("t", columns_of_schema(schema, "table 't'"), schema, dict(options)))


def environment() -> StreamTableEnvironment:
    env = local_environment()
    env.set_parallelism(1)
    return StreamTableEnvironment.create(env)


def create(t_env: StreamTableEnvironment, path: Path, options: str = "", key: str = "") -> None:
    (path / "part").write_text(CHANGES)
    t_env.execute_sql(
        f"CREATE TABLE t (id INT, v STRING{key}) WITH ('connector' = 'filesystem', 'path' = '{path}', "
        f"'format' = 'debezium-json'{options})"
    )


def first(t_env: StreamTableEnvironment, query: str, count: int) -> list[str]:
    with t_env.sql_query(query).execute().collect() as rows:
        return [f"{row.get_row_kind()} {tuple(row)}" for row, _ in zip(rows, range(count), strict=False)]


@pytest.mark.parametrize(
    ("name", "message", "expected"),
    [
        (
            "debezium-json",
            b'{"after": {"id": 1}, "op": "c", "ts_ms": 1589355606100, "source": {"db": "shop", "schema": '
            b'"dbo", "table": "orders", "ts_ms": 1589355606000, "snapshot": false, "pos": null}}',
            {
                "schema": None,
                "ingestion-timestamp": 1589355606100,
                "source.timestamp": 1589355606000,
                "source.database": "shop",
                "source.schema": "dbo",
                "source.table": "orders",
                "source.properties": {
                    "db": "shop",
                    "schema": "dbo",
                    "table": "orders",
                    "ts_ms": "1589355606000",
                    "snapshot": "false",
                    "pos": None,
                },
            },
        ),
        (
            "canal-json",
            b'{"data": [{"id": "1"}], "type": "INSERT", "database": "shop", "table": "orders", "ts": 2, '
            b'"es": 1, "sqlType": {"id": 4}, "pkNames": ["id"]}',
            {
                "database": "shop",
                "table": "orders",
                "sql-type": {"id": 4},
                "pk-names": ["id"],
                "ingestion-timestamp": 2,
                "event-timestamp": 1,
            },
        ),
        (
            "maxwell-json",
            b'{"data": {"id": 1}, "type": "insert", "database": "shop", "table": "orders", "ts": 1596684883,'
            b' "primary_key_columns": ["id"]}',
            {
                "database": "shop",
                "table": "orders",
                "primary-key-columns": ["id"],
                "ingestion-timestamp": 1596684883,
            },
        ),
        (
            "ogg-json",
            b'{"after": {"id": 1}, "op_type": "I", "table": "SHOP.ORDERS", "primary_keys": ["id"], '
            b'"op_ts": "2020-05-13 15:40:06.000000", "current_ts": "2020-05-13 15:40:07.250000"}',
            {
                "table": "SHOP.ORDERS",
                "primary-keys": ["id"],
                "ingestion-timestamp": 1589384407250,
                "event-timestamp": 1589384406000,
            },
        ),
    ],
)
def test_messages_have_metadata(name: str, message: bytes, expected: dict[str, Any]) -> None:
    format = format_of(name)
    assert format.known_metadata().keys() == expected.keys()
    schema = format.with_metadata([(key, lambda value: value) for key in expected])
    (row,) = schema.deserialize_all(message)
    assert dict(zip(expected, list(row)[2:], strict=True)) == expected
    assert row.get_row_kind() is RowKind.INSERT


def test_the_schema_of_a_message_is_metadata() -> None:
    schema = format_of("debezium-json", {"schema-include": "true"}).with_metadata([("schema", str)])
    message = b'{"schema": {"type": "struct"}, "payload": {"after": {"id": 1}, "op": "c"}}'
    assert [list(row) for row in schema.deserialize_all(message)] == [[1, None, '{"type":"struct"}']]


@pytest.mark.parametrize("name", CHANGELOG_FORMATS)
def test_a_null_in_a_column_that_is_not_null_is_no_error_to_ignore(name: str) -> None:
    message = {
        "debezium-json": b'{"after": {"v": "a"}, "op": "c"}',
        "canal-json": b'{"data": [{"v": "a"}], "type": "INSERT"}',
        "maxwell-json": b'{"data": {"v": "a"}, "type": "insert"}',
        "ogg-json": b'{"after": {"v": "a"}, "op_type": "I"}',
    }[name]
    schema = format_of(name, {"ignore-parse-errors": "true"}).deserialization_schema()
    with pytest.raises(DeserializationError, match=f"cannot read the {name} message .*id: .*null|missing"):
        schema.deserialize_all(message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("debezium-json", b'{"before": {"id": 1, "v": "a"}, "after": null, "op": "u"}'),
        ("ogg-json", b'{"before": {"id": 1, "v": "a"}, "after": null, "op_type": "U"}'),
    ],
)
def test_an_update_that_is_ignored_takes_no_row_back(name: str, message: bytes) -> None:
    schema = format_of(name, {"ignore-parse-errors": "true"}).deserialization_schema()
    assert [*schema.deserialize_all(message)] == []


def test_former_values_may_lack_columns_that_are_not_null() -> None:
    schema = format_of("maxwell-json").deserialization_schema()
    message = b'{"data": {"id": 1, "v": null}, "old": {"v": "a"}, "type": "update"}'
    assert [(row.get_row_kind(), tuple(row)) for row in schema.deserialize_all(message)] == [
        (RowKind.UPDATE_BEFORE, (1, "a")),
        (RowKind.UPDATE_AFTER, (1, None)),
    ]
    with pytest.raises(DeserializationError, match="holds 2 rows; read them by deserialize_all"):
        schema.deserialize(message)
    assert schema.deserialize(b"null") is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"debezium-json.schema-includes": "true"}, "did you mean 'debezium-json.schema-include'"),
        ({"debezium-json.ignore-parse-errors": "maybe"}, "must be true or false, not 'maybe'"),
        ({"debezium-json.timestamp-format.standard": "RFC"}, "must be one of SQL, ISO-8601"),
        ({"canal-json.table.include": "t"}, "'canal-json.table.include' is for the format canal-json, not"),
        ({"json.ignore-parse-errors": "true"}, "'json.ignore-parse-errors' is for the format json, not"),
        ({"format": "canal-json", "canal-json.table.include": "["}, "must be a regular expression"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], message: str) -> None:
    given = {"connector": "filesystem", "path": "/x", "format": "debezium-json", **options}
    with pytest.raises(ConfigurationError, match=message):
        connector(ID_AND_V, given)


@pytest.mark.parametrize("format", CHANGELOG_FORMATS)
def test_changes_have_keys_but_are_no_keys(format: str) -> None:
    table = connector(KEYED, {**KAFKA, "format": format})
    assert table.reads_changes
    assert table.takes_updates
    with pytest.raises(ConfigurationError, match=r"'key.format' must be one of json, csv, avro"):
        connector(KEYED, {**KAFKA, "format": "json", "key.format": format, "key.fields": "id"})
    upserts = {**KAFKA, "connector": "upsert-kafka", "key.format": "json", "value.format": format}
    with pytest.raises(ConfigurationError, match=r"'value.format' must be one of json, csv, avro"):
        connector(KEYED, upserts)


def test_tables_in_topics_have_the_metadata_of_their_values() -> None:
    builder = Schema.new_builder().column("id", "INT").column_by_metadata("offset", "BIGINT", None, True)
    builder.column_by_metadata("at", "TIMESTAMP(3)", "value.source.timestamp", True)
    schema = builder.column_by_metadata("db", "STRING", "value.source.database", True).build()
    table = connector(schema, {**KAFKA, "format": "debezium-json"})
    assert isinstance(table, Kafka)
    values, positions = table._value_schema(dt.UTC)
    message = b'{"before": {"id": 1}, "op": "d", "source": {"db": "shop", "ts_ms": 1500}}'
    columns = columns_of_schema(schema, "t")
    rows = RowsOfRecord(
        row_type(columns),
        Part((0, *positions), ("id",)),
        values,
        Part((), ()),
        None,
        table._metadata(dt.UTC),
        has_upserts=False,
        skips_without_key=False,
    )
    record = ConsumerRecord("t", 0, 42, 0, None, message)
    (row,) = rows.deserialize(record)
    assert tuple(row) == (1, 42, dt.datetime(1970, 1, 1, 0, 0, 1, 500_000), "shop")
    assert row.get_row_kind() is RowKind.DELETE
    with pytest.raises(PlanError, match=r"there is no metadata 'value.source.timestamp'; there are topic, "):
        connector(schema, {**KAFKA, "format": "json"})


def test_records_in_topics_tell_the_kinds_of_rows() -> None:
    schema = format_of("ogg-json").serialization_schema()
    part = Part((0, 1), ("id", "v"))
    records = RecordOfRow("t", part, schema, Part((), ()), None, None, None, has_kinds=True)
    written = []
    for kind in RowKind:
        record = records.serialize(Row.of_kind(kind, 1, "a"), None)
        assert record is not None
        assert record.value is not None
        written.append(record.value.decode())
    inserted = '{"before":null,"after":{"id":1,"v":"a"},"op_type":"I"}'
    deleted = '{"before":{"id":1,"v":"a"},"after":null,"op_type":"D"}'
    assert written == [inserted, deleted, inserted, deleted]


def test_queries_of_an_unbounded_changelog_are_updated(tmp_path: Path) -> None:
    t_env = environment()
    create(t_env, tmp_path, ", 'source.monitor-interval' = '1 s'")
    assert first(t_env, "SELECT v, COUNT(*) FROM t GROUP BY v", 6) == [
        "+I ('a', 1)",
        "-U ('a', 1)",
        "+U ('a', 2)",
        "-U ('a', 2)",
        "+U ('a', 1)",
        "+I ('b', 1)",
    ]


def test_a_bounded_changelog_has_the_rows_that_are_left(tmp_path: Path) -> None:
    t_env = environment()
    create(t_env, tmp_path)
    assert first(t_env, "SELECT * FROM t", 9) == ["+I (1, 'b')"]
    assert first(t_env, "SELECT v, COUNT(*) FROM t GROUP BY v", 9) == ["+I ('b', 1)"]


def test_the_primary_key_tells_rows_apart(tmp_path: Path) -> None:
    t_env = environment()
    monitored = ", 'source.monitor-interval' = '1 s'"
    create(t_env, tmp_path, monitored, ", PRIMARY KEY (id) NOT ENFORCED")
    upsert_key = t_env.from_path("t")._upsert_key
    assert upsert_key is not None
    assert upsert_key.positions == (0,)
    t_env.execute_sql(
        "CREATE TABLE copy (id INT PRIMARY KEY NOT ENFORCED, v STRING) WITH ('connector' = 'print')"
    )
    assert "UpsertMaterialize" not in t_env.explain_sql("INSERT INTO copy SELECT * FROM t")


def test_errors_name_the_message_and_the_option(tmp_path: Path) -> None:
    t_env = environment()
    create(t_env, tmp_path)
    (tmp_path / "part").write_text('{"after": {"id": 1}, "op": "c"}\n{"after": {"id": 1}}\n')
    with pytest.raises(
        PyStreamError,
        match=r"part, line 2: cannot read the debezium-json message b'\{\"after\": \{\"id\": 1\}\}': field "
        r"op: missing; there are c, r, u, d; .*set 'debezium-json.ignore-parse-errors' = 'true'",
    ):
        first(t_env, "SELECT * FROM t", 9)
