"""Descriptors of tables and formats, and the tables that they make."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import ConfigOptions
from pystream.errors import ConfigurationError, PlanError, PlanTypeError, SqlError
from pystream.table import (
    DataTypes,
    FormatDescriptor,
    Schema,
    StreamTableEnvironment,
    TableDescriptor,
    descriptors,
)
from pystream.table.model_descriptor import ModelDescriptor
from pystream.testing import local_environment

SCHEMA = Schema.new_builder().column("a", DataTypes.INT()).column("b", "STRING").build()


def source(rows: int = 2) -> TableDescriptor:
    return TableDescriptor.for_connector("datagen").schema(SCHEMA).option("number-of-rows", str(rows)).build()


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


def test_a_descriptor_is_a_value_with_a_text() -> None:
    def described() -> TableDescriptor:
        return (
            TableDescriptor.for_connector("kafka")
            .schema(SCHEMA)
            .option("topic", "x")
            .option(ConfigOptions.key("sink.parallelism").int_type().no_default_value(), 1)
            .format(FormatDescriptor.for_format("json").option("ignore-parse-errors", "true").build())
            .partitioned_by("a")
            .comment("it's")
            .build()
        )

    one = described()
    assert (one, hash(one)) == (described(), hash(described()))
    assert (one.get_schema(), one.get_partition_keys(), one.get_comment()) == (SCHEMA, ["a"], "it's")
    assert one.get_options() == {
        "connector": "kafka",
        "topic": "x",
        "sink.parallelism": "1",
        "format": "json",
        "json.ignore-parse-errors": "true",
    }
    assert str(one).splitlines()[4:] == [
        "COMMENT 'it''s'",
        "PARTITIONED BY (`a`)",
        "WITH (",
        "  'connector' = 'kafka',",
        "  'format' = 'json',",
        "  'json.ignore-parse-errors' = 'true',",
        "  'sink.parallelism' = '1',",
        "  'topic' = 'x'",
        ")",
    ]


def test_options_are_not_shown() -> None:
    """They may be passwords, so that logs and messages must not hold them."""
    described = FormatDescriptor.for_format("avro-confluent").option("basic-auth.user-info", "me:pw").build()
    assert repr(described) == "FormatDescriptor(format_name='avro-confluent')"
    table = TableDescriptor.for_connector("jdbc").option("password", "pw").format(described).build()
    assert "pw" not in repr(table)


def test_options_never_change() -> None:
    descriptors = (
        TableDescriptor.for_connector("print").build(),
        FormatDescriptor.for_format("json").build(),
        ModelDescriptor.for_provider("openai").build(),
    )
    for descriptor in descriptors:
        options: Any = descriptor.options
        with pytest.raises(TypeError, match="does not support item assignment"):
            options["a"] = "b"


def test_a_format_of_one_part_of_messages() -> None:
    key = ConfigOptions.key("key.format").string_type().no_default_value()
    json = FormatDescriptor.for_format("json").option("fail-on-missing-field", "true").build()
    options = TableDescriptor.for_connector("kafka").format(json, key).format("csv").build().get_options()
    assert options == {
        "connector": "kafka",
        "key.format": "json",
        "key.json.fail-on-missing-field": "true",
        "format": "csv",
    }
    assert (json.get_format(), json.get_options()) == ("json", {"fail-on-missing-field": "true"})
    other = ConfigOptions.key("topic").string_type().no_default_value()
    with pytest.raises(ConfigurationError, match="one like 'format', not 'topic'"):
        TableDescriptor.for_connector("kafka").format(json, other)
    with pytest.raises(ConfigurationError, match="option 'a': the value must be a str, not 1"):
        TableDescriptor.for_connector("x").option("a", 1)


def test_tables_of_descriptors(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_table("t", source())
    assert t_env.create_table("t", source(3))
    assert not t_env.create_table("t", source(4), True)
    for call in (t_env.create_table, t_env.create_temporary_table):
        with pytest.raises(PlanError, match="already a table or view of the name 't'"):
            call("t", source())
    assert t_env.from_path("t").get_schema().get_field_names() == ["a", "b"]
    with t_env.from_path("t").execute().collect() as rows:
        assert len(list(rows)) == 2
    t_env.drop_temporary_table("t")
    with t_env.from_path("t").execute().collect() as rows:
        assert len(list(rows)) == 3


def test_tables_without_a_name(t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    table = t_env.from_descriptor(source())
    assert t_env.list_tables() == []
    sink = TableDescriptor.for_connector("print").schema(SCHEMA).build()
    table.execute_insert(sink).wait()
    assert len(capsys.readouterr().out.splitlines()) == 2
    pipeline = table.insert_into(sink)
    assert pipeline.get_sink_identifier() is None
    assert "Sink: Print" in pipeline.explain()
    pipeline.execute().wait()
    assert len(capsys.readouterr().out.splitlines()) == 2
    t_env.create_table("named", sink)
    named = table.insert_into("named")
    identifier = named.get_sink_identifier()
    assert identifier is not None
    assert identifier.as_summary_string() == "default_catalog.default_database.named"
    statements = t_env.create_statement_set().add(named).add_insert(sink, table)
    statements.execute().wait()
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_wrong_descriptors_are_refused(t_env: StreamTableEnvironment) -> None:
    bare = TableDescriptor.for_connector("datagen").build()
    with pytest.raises(PlanError, match="create_table: the descriptor has no columns"):
        t_env.create_table("t", bare)
    with pytest.raises(PlanError, match="from_descriptor: the descriptor has no columns"):
        t_env.from_descriptor(bare)
    with pytest.raises(ConfigurationError, match="unknown connector 'mqtt'"):
        t_env.from_descriptor(TableDescriptor.for_connector("mqtt").schema(SCHEMA).build())
    with pytest.raises(PlanTypeError, match="create_table takes a TableDescriptor"):
        t_env.create_table("t", "datagen")  # type: ignore[arg-type]
    partitioned = TableDescriptor.for_connector("print").schema(SCHEMA).partitioned_by("x").build()
    with pytest.raises(PlanError, match="table 't' is partitioned by 'x', but its columns are a, b"):
        t_env.create_table("t", partitioned)
    assert t_env.list_tables() == []


@pytest.mark.parametrize("name", ["WIBBLE", "ROW<a WIBBLE>"])
def test_a_field_of_the_older_descriptor_has_a_type(name: str) -> None:
    with pytest.raises(SqlError, match=f"field 'a': there is no type '{name}': line 1, column"):
        descriptors.Schema().field("a", name)
