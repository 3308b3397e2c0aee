"""What of a program prevents Spark's Real-Time Mode, without Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Configuration, SimpleStringSchema, Types, WatermarkStrategy
from pystream.common.serialization import (
    ByteArraySchema,
    DeserializationSchema,
    JsonRowDeserializationSchema,
    JsonRowSerializationSchema,
    SerializationSchema,
)
from pystream.common.watermark_strategy import WatermarkGenerator
from pystream.datastream import DataStream, OutputTag, StreamExecutionEnvironment
from pystream.datastream.connectors import DeliveryGuarantee
from pystream.datastream.connectors.kafka import (
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSinkBuilder,
    KafkaSource,
    KafkaSourceBuilder,
)
from pystream.engine.connectors.kafka.java_properties import java_properties
from pystream.errors import UnsupportedOperationError

NONE = WatermarkStrategy.no_watermarks()
LATEST = KafkaOffsetsInitializer.latest()
COMMITTED = KafkaOffsetsInitializer.committed_offsets(KafkaOffsetResetStrategy.LATEST)
STRING = Types.STRING()
ROW = Types.ROW_NAMED(["word"], [STRING])
FROM_JSON = JsonRowDeserializationSchema.builder().type_info(ROW).build()
TO_JSON = JsonRowSerializationSchema.builder().with_type_info(ROW).build()

Change = Callable[[Any], object]


class OwnText(SimpleStringSchema):
    def deserialize(self, message: bytes) -> str:
        return super().deserialize(message).strip()


def environment(**settings: str) -> StreamExecutionEnvironment:
    configuration = Configuration.from_dict({"pystream.real-time": "true", **settings})
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)


def unchanged(builder: Any) -> None:
    """Leave a builder as it is."""


def source(change: Change = unchanged, schema: DeserializationSchema[Any] | None = None) -> KafkaSource[Any]:
    builder: KafkaSourceBuilder[Any] = KafkaSource.builder().set_bootstrap_servers("host:1")
    builder.set_topics("words").set_group_id("readers")
    builder.set_value_only_deserializer(schema or SimpleStringSchema())
    change(builder)
    return builder.build()


def sink(
    change: Change = unchanged,
    schema: SerializationSchema[Any] | None = None,
    change_records: Change = unchanged,
) -> KafkaSink[Any]:
    records = KafkaRecordSerializationSchema.builder().set_value_serialization_schema(
        schema or SimpleStringSchema()
    )
    change_records(records)
    if records._topic is None:
        records.set_topic("words")
    builder: KafkaSinkBuilder[Any] = KafkaSink.builder().set_bootstrap_servers("host:1")
    change(builder.set_record_serializer(records.build()))
    return builder.build()


def words(env: StreamExecutionEnvironment) -> DataStream[str]:
    return env.from_source(source(), NONE, "words")


def reasons(env: StreamExecutionEnvironment) -> list[str]:
    """Return what explain() says, after checking that the job is refused for the same reasons."""
    explained = (line.partition("prevents Real-Time Mode: ")[2] for line in env.explain().splitlines())
    found = [reason for reason in explained if reason]
    with pytest.raises(UnsupportedOperationError, match="cannot run in Spark's Real-Time Mode") as refusal:
        env.execute("refused")
    lines = str(refusal.value).splitlines()[1:-1]
    assert [line.partition("): ")[2] or line.partition("': ")[2] for line in lines] == found
    return found


def marked(word: str) -> str:
    return word + "!"


def shouted(word: str) -> str:
    return word.upper()


def test_a_lifted_program_is_native_throughout() -> None:
    env = environment()
    words(env).filter(lambda word: word != "").map(marked, STRING).sink_to(sink())
    env.from_source(source(schema=ByteArraySchema()), NONE, "bytes").sink_to(sink(schema=ByteArraySchema()))
    assert {operator.path for operator in env.explain().operators} == {"native"}


def test_without_the_setting_nothing_changes() -> None:
    env = environment(**{"pystream.real-time": "false"})
    words(env).map(marked, STRING).sink_to(sink())
    assert [operator.path for operator in env.explain().operators] == ["typed"] * 3


@pytest.mark.parametrize(
    ("change", "schema", "reason"),
    [
        (lambda builder: builder.set_bounded(LATEST), None, "leave out set_bounded"),
        (lambda builder: builder.set_unbounded(LATEST), None, "set_unbounded"),
        (lambda builder: builder.set_starting_offsets(COMMITTED), None, "committed"),
        (lambda builder: builder.skip_malformed_records(), None, "skip_malformed_records"),
        (
            lambda builder: builder.side_output_malformed_records(OutputTag("bad")),
            None,
            "deserializes whole records",
        ),
        (lambda builder: builder.set_property("sasl.username", "me"), None, "set 'sasl.jaas.config'"),
        (unchanged, FROM_JSON, "JsonRowDeserializationSchema reads values in Python"),
        (unchanged, SimpleStringSchema("latin-1"), "SimpleStringSchema('latin-1') reads values in Python"),
        (unchanged, OwnText(), "OwnText reads values in Python"),
    ],
)
def test_a_source_that_spark_cannot_read_exactly(
    change: Change, schema: DeserializationSchema[Any] | None, reason: str
) -> None:
    env = environment()
    env.from_source(source(change, schema), NONE, "words").sink_to(sink())
    assert reason in reasons(env)[0]


def test_a_source_with_watermarks() -> None:
    class Generator(WatermarkGenerator[str]):
        def on_event(self, event: str, event_timestamp: int, output: Any) -> None: ...

        def on_periodic_emit(self, output: Any) -> None: ...

    env = environment()
    strategy: WatermarkStrategy[str] = WatermarkStrategy.for_generator(Generator)
    env.from_source(source(), strategy, "words").sink_to(sink())
    assert "WatermarkStrategy.no_watermarks()" in reasons(env)[0]


@pytest.mark.parametrize(
    ("change", "schema", "change_records", "reason"),
    [
        (
            lambda builder: builder.set_delivery_guarantee(
                DeliveryGuarantee.EXACTLY_ONCE
            ).set_transactional_id_prefix("p"),
            None,
            unchanged,
            "not EXACTLY_ONCE",
        ),
        (lambda builder: builder.set_property("ssl.ca.pem", "x"), None, unchanged, "'ssl.ca.pem'"),
        (unchanged, TO_JSON, unchanged, "JsonRowSerializationSchema writes in Python"),
        (unchanged, ByteArraySchema(), unchanged, "ByteArraySchema writes elements of type"),
        (
            unchanged,
            None,
            lambda records: records.set_key_serialization_schema(ByteArraySchema()),
            "ByteArraySchema writes elements of type",
        ),
        (
            unchanged,
            None,
            lambda records: records.set_header_provider(lambda word: []),
            "provides the headers",
        ),
        (unchanged, None, lambda records: records.set_topic_selector(lambda word: word), "selects the topic"),
    ],
)
def test_a_sink_that_spark_cannot_write_exactly(
    change: Change, schema: SerializationSchema[Any] | None, change_records: Change, reason: str
) -> None:
    env = environment()
    words(env).sink_to(sink(change, schema, change_records))
    (found,) = reasons(env)
    assert reason in found


def test_a_record_serializer_of_the_program() -> None:
    class Own(KafkaRecordSerializationSchema[str]):
        def serialize(self, element: str, timestamp: int | None) -> None: ...

    env = environment()
    words(env).sink_to(sink(lambda builder: builder.set_record_serializer(Own())))
    (found,) = reasons(env)
    assert "Python makes the records" in found


def test_operators_that_are_not_native_are_named_once() -> None:
    env = environment()
    seen: list[str] = []

    def remembered(word: str) -> str:
        seen.append(word)
        return word

    words(env).map(remembered, STRING).map(marked, STRING).sink_to(sink())
    words(env).map(shouted, STRING).sink_to(sink())
    words(env).key_by(marked, STRING).reduce(lambda a, b: a + b).map(marked, STRING).sink_to(sink())
    words(env).rebalance().map(marked, STRING).sink_to(sink())
    of_remembered, of_upper, of_reduce, of_rebalance = reasons(env)
    assert of_remembered.startswith("it is not a Spark expression: ")
    assert "exact for only some values" in of_upper
    assert "Spark folds elements by key in batch mode only" in of_reduce
    assert "same parallelism" in of_rebalance


def test_sources_and_sinks_of_others() -> None:
    env = environment()
    env.from_collection(["a"], STRING).sink_to(sink())
    words(env).print()
    words(env).map(marked, STRING)
    assert reasons(env) == [
        "only a KafkaSource can be read there",
        "only a KafkaSink can be written to there",
        "only what leads to a KafkaSink runs there, and nothing uses its results",
    ]


def test_the_local_host_has_no_real_time_mode() -> None:
    env = environment(**{"pystream.runner": "local"})
    words(env).sink_to(sink())
    for attempt in (env.explain, env.execute):
        with pytest.raises(UnsupportedOperationError, match="only Spark has a Real-Time Mode"):
            attempt()


def test_properties_become_options_of_javas_clients() -> None:
    properties = {
        "bootstrap.servers": "host:1",
        "sasl.mechanisms": "PLAIN",
        "client.id.prefix": "clicks",
        "group.id": "readers",
        "value.deserializer": "ignored",
        "flink.poll-timeout": "ignored",
    }
    assert java_properties(properties) == {
        "kafka.bootstrap.servers": "host:1",
        "kafka.sasl.mechanism": "PLAIN",
        "kafka.client.id": "clicks",
        "kafka.group.id": "readers",
    }
