"""The options and the columns of metadata of tables in Kafka topics, without a broker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pystream.errors import ConfigurationError, PlanError, PlanTypeError
from pystream.settings.config_values import STRING
from pystream.table import DataTypes, Schema
from pystream.table.columns import columns_of_schema
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.options import Option, read_options
from pystream.table.connectors.registry import connector_of

SERVERS = {"properties.bootstrap.servers": "localhost:9092"}
KAFKA = {"connector": "kafka", "topic": "t", "format": "json", **SERVERS}
KEYED = {"key.format": "json", "value.format": "json"}
UPSERT = {"connector": "upsert-kafka", "topic": "t", **KEYED, **SERVERS}
ID_AND_V = Schema.new_builder().column("id", "INT NOT NULL").column("v", "STRING").build()
WITH_KEY = Schema.new_builder().from_schema(ID_AND_V).primary_key("id").build()


def connector(schema: Schema, options: Mapping[str, str]) -> Connector:
    given = {key: value for key, value in options.items() if value}
    return connector_of(TableDefinition("t", columns_of_schema(schema, "table 't'"), schema, given))


def test_options_of_a_prefix_are_a_dict() -> None:
    known = {"a.b": Option(STRING), "a.*": Option(STRING)}
    given = {"a.b": "1", "a.c": "2", "a.d.e": " 3"}
    assert read_options(given, known, (), "it") == {"a.b": "1", "a.*": {"c": "2", "d.e": "3"}}
    assert read_options({}, known, (), "it") == {"a.b": None, "a.*": {}}
    with pytest.raises(ConfigurationError, match=r"it has no option 'b.a'; the options are a.b, a.\*"):
        read_options({"b.a": "1"}, known, (), "it")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topic": ""}, "needs one of the options 'topic' and 'topic-pattern'"),
        ({"topic-pattern": "t.*"}, "needs one of the options 'topic' and 'topic-pattern'"),
        ({"topic": "", "topic-pattern": "("}, r"'topic-pattern' must be a regular expression, not '\('"),
        ({"topic": "a;;b"}, "'topic' must be names, separated by ';', not 'a;;b'"),
        ({"format": ""}, "needs one of the options 'format' and 'value.format'"),
        ({"value.format": "json"}, "needs one of the options 'format' and 'value.format'"),
        ({"format": "xml"}, "'format' must be one of json, csv"),
        ({"csv.field-delimiter": "|"}, "'csv.field-delimiter' is for the format csv, not json"),
        ({"key.format": "json"}, "needs both of the options 'key.format' and 'key.fields'"),
        ({"key.fields": "id"}, "needs both of the options 'key.format' and 'key.fields'"),
        ({"key.format": "json", "key.fields": "x"}, "'x' is a field of the keys, but the columns are id, v"),
        (
            {"key.format": "json", "key.fields": "id", "key.fields-prefix": "k_"},
            "'key.fields-prefix' needs 'value.fields-include' = 'EXCEPT_KEY'",
        ),
        (
            {
                "key.format": "json",
                "key.fields": "id",
                "key.fields-prefix": "k_",
                "value.fields-include": "EXCEPT_KEY",
            },
            "the column 'id' of the keys lacks the prefix 'k_'",
        ),
        ({"value.fields-include": "SOME"}, "'value.fields-include' must be one of ALL, EXCEPT_KEY"),
        ({"properties.bootstrap.servers": ""}, "needs the option 'properties.bootstrap.servers'"),
        ({"scan.startup.mode": "first"}, "'scan.startup.mode' must be one of earliest-offset, latest-offset"),
        ({"scan.startup.mode": "timestamp"}, "needs the option 'scan.startup.timestamp-millis'"),
        ({"scan.startup.mode": "specific-offsets"}, "needs the option 'scan.startup.specific-offsets'"),
        ({"scan.bounded.mode": "timestamp"}, "needs the option 'scan.bounded.timestamp-millis'"),
        ({"scan.bounded.mode": "earliest-offset"}, "'scan.bounded.mode' must be one of unbounded"),
        (
            {"scan.bounded.specific-offsets": "0:1"},
            r"'scan.bounded.specific-offsets' must be offsets such as 'partition:0,offset:42",
        ),
        (
            {
                "topic": "a;b",
                "scan.startup.mode": "specific-offsets",
                "scan.startup.specific-offsets": "partition:0,offset:1",
            },
            "'scan.startup.specific-offsets' is for a table of a single topic",
        ),
        ({"sink.partitioner": "org.example.Mine"}, "'sink.partitioner' must be one of default, round-robin"),
        (
            {"key.format": "json", "key.fields": "id", "sink.partitioner": "round-robin"},
            "'sink.partitioner' = 'round-robin' is for records without keys",
        ),
        ({"sink.delivery-guarantee": "twice"}, "'sink.delivery-guarantee' must be one of exactly-once"),
        ({"sink.semantic": "exactly-once"}, "exactly-once needs the option 'sink.transactional-id-prefix'"),
        ({"sink.parallelism": "0"}, "'sink.parallelism' must be an integer of 1 or more"),
    ],
)
def test_wrong_options_are_refused_when_the_table_is_created(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"table 't'.*{message}"):
        connector(ID_AND_V, {**KAFKA, **options})


def test_primary_keys_are_for_upserts() -> None:
    with pytest.raises(ConfigurationError, match=r"table 't' needs PRIMARY KEY \(…\) NOT ENFORCED"):
        connector(ID_AND_V, UPSERT)
    with pytest.raises(ConfigurationError, match="do not replace one another; use 'upsert-kafka'"):
        connector(WITH_KEY, KAFKA)
    with pytest.raises(
        ConfigurationError, match=r"has no option 'key.fields'; the options are topic, key.format"
    ):
        connector(WITH_KEY, {**UPSERT, "key.fields": "id"})
    with pytest.raises(ConfigurationError, match=r"needs the option 'key.format'"):
        connector(WITH_KEY, {**UPSERT, "key.format": ""})
    upsert = connector(WITH_KEY, {**UPSERT, "sink.buffer-flush.interval": "1 s", "properties.acks": "all"})
    assert upsert.takes_updates
    assert upsert.values["properties.*"] == {"acks": "all"}


def test_unknown_metadata_is_refused() -> None:
    def schema(data_type: Any, key: str | None = None) -> Schema:
        return (
            Schema.new_builder().column("v", "STRING").column_by_metadata("m", data_type, key, True).build()
        )

    known = "topic, partition, headers, leader-epoch, offset, timestamp, timestamp-type"
    with pytest.raises(PlanError, match=f"'kafka', column 'm': there is no metadata 'm'; there are {known}"):
        connector(schema(DataTypes.INT()), KAFKA)
    with pytest.raises(
        PlanError, match="'print', column 'm': there is no metadata 'offset'; the connector has none"
    ):
        connector(schema(DataTypes.BIGINT(), "offset"), {"connector": "print"})
    with pytest.raises(
        PlanTypeError, match=r"'m' is INT, but the metadata 'timestamp' is TIMESTAMP_LTZ\(3\)"
    ):
        connector(schema(DataTypes.INT(), "timestamp"), KAFKA)
    with pytest.raises(PlanTypeError, match="'m' is INT, but the metadata 'headers' is MAP<STRING, BYTES>"):
        connector(schema(DataTypes.INT(), "headers"), KAFKA)
    found = connector(schema(DataTypes.INT(), "partition"), KAFKA).table
    assert [column.name for column in found.columns] == ["v", "m"]
    assert [column.name for column in found.written_columns] == ["v"]
    assert [column.name for column in found.physical_columns] == ["v"]


def test_properties_are_not_shown() -> None:
    table = connector(ID_AND_V, {**KAFKA, "properties.sasl.password": "hunter2"}).table
    assert "hunter2" not in repr(table)
