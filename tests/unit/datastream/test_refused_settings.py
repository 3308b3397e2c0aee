"""Settings that cannot be right are refused, or warned about, when they are given."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Configuration, SimpleStringSchema, Time
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import BucketAssigner, OutputFileConfig
from pystream.datastream.connectors.jdbc import JdbcConnectionOptions
from pystream.datastream.connectors.kafka import (
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
    KafkaSourceBuilder,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import ConfigurationError
from pystream.testing import local_environment


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("table.local-time-zone", "Mars/Olympus", "a time zone such as Europe/Rome"),
        ("state.backend.type", "rocks", "one of hashmap, rocksdb"),
        ("execution.checkpointing.dir", "file://{file}", "the path of a directory"),
        ("execution.checkpointing.dir", "file://{file}/below", "the path of a directory"),
        ("execution.checkpointing.savepoint-dir", "{file}", "the path of a directory"),
        ("execution.state-recovery.path", "{directory}/a\0b", "the path of a directory"),
        ("pystream.metrics.json", "{directory}", "the path of a file"),
        ("pystream.metrics.json", "{file}/metrics", "the path of a file"),
    ],
)
def test_impossible_values_of_settings_are_refused(
    key: str, value: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    given = Configuration().set_string(key, value.format(file=file, directory=tmp_path))
    with pytest.raises(ConfigurationError, match=f"^{key}: .* is not allowed; it takes {message}"):
        local_environment().configure(given)


def test_possible_values_of_settings_are_taken(tmp_path: Path) -> None:
    for key, value in (
        ("table.local-time-zone", "GMT-08:00"),
        ("state.backend.type", "com.acme.Factory"),
        ("execution.checkpointing.dir", f"file://{tmp_path}/not/yet/there"),
        ("execution.checkpointing.dir", "s3://bucket/checkpoints"),
        ("pystream.metrics.json", f"{tmp_path}/metrics.json"),
    ):
        local_environment().configure(Configuration().set_string(key, value))


@pytest.mark.parametrize("name", ["../x", "", ".", "a b", "a" * 250, "täg"])
def test_names_that_no_topic_has_are_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="is not the name of a Kafka topic"):
        KafkaSource.builder().set_topics(name)
    with pytest.raises(ConfigurationError, match="is not the name of a Kafka topic"):
        KafkaRecordSerializationSchema.builder().set_topic(name)


def _source() -> KafkaSourceBuilder[Any]:
    builder = KafkaSource.builder().set_bootstrap_servers("localhost:1").set_topics("a")
    return builder.set_value_only_deserializer(SimpleStringSchema())


def test_unknown_properties_of_kafka_are_ignored_with_a_warning() -> None:
    schema = KafkaRecordSerializationSchema.builder().set_topic("a")
    record = schema.set_value_serialization_schema(SimpleStringSchema()).build()
    sink = KafkaSink.builder().set_bootstrap_servers("localhost:1").set_record_serializer(record)
    known = {"group.id": "g", "max.poll.records": "5", "partition.discovery.interval.ms": "10"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source = _source().set_properties(known).build()
        sink.set_property("linger.ms", "5").build()
    with pytest.warns(UserWarning, match=r"no client of Kafka has the property '(gruop|startup)") as caught:
        wrong = _source().set_properties({"gruop.id": "g", **known, "startup-mode": "earliest"}).build()
    assert len(caught) == 2
    assert {warning.filename for warning in caught} == {__file__}
    assert wrong._input.properties == source._input.properties
    with pytest.warns(UserWarning, match=r"the property 'linger\.m': it is ignored"):
        sink.set_property("linger.m", "5").build()


def test_negative_lateness_is_refused() -> None:
    stream = local_environment().from_collection([1]).key_by(lambda n: n)
    windows = stream.window(TumblingEventTimeWindows.of(Time.seconds(1)))
    with pytest.raises(ConfigurationError, match="allowed_lateness must be an int of 0 or more"):
        windows.allowed_lateness(-1)


def test_a_jdbc_url_is_one_line() -> None:
    with pytest.raises(ConfigurationError, match="on one line"):
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url("jdbc:sqlite:a\n;password=x")


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda: OutputFileConfig.builder().with_part_prefix(".part"), "begin with . or _"),
        (lambda: OutputFileConfig("_part", ""), "begin with . or _"),
        (lambda: BucketAssigner.date_time_bucket_assigner("'_'yyyy/MM"), "begin with . or _"),
        (lambda: StreamExecutionEnvironment().add_jars("/no/such.jar"), "no file /no/such.jar"),
    ],
)
def test_what_may_be_a_mistake_is_warned_about(give: Callable[[], object], message: str) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        give()
    assert [warning.filename for warning in caught] == [__file__]
