"""A job in Real-Time Mode: python -m tests.connectors.real_time_job SERVERS FROM TO SETTINGS."""

from __future__ import annotations

import json
import sys

from pystream.common import Configuration, SimpleStringSchema, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)


def ending_in_e(word: str) -> bool:
    return word.endswith("e")


def marked(word: str) -> str:
    return word + "!"


def main(servers: str, before: str, after: str, settings: str) -> None:
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(json.loads(settings)))
    source = KafkaSource.builder().set_bootstrap_servers(servers).set_topics(before).set_group_id("readers")
    source.set_starting_offsets(KafkaOffsetsInitializer.earliest())
    records = KafkaRecordSerializationSchema.builder().set_topic(after)
    records.set_key_serialization_schema(SimpleStringSchema())
    sink = KafkaSink.builder().set_bootstrap_servers(servers).set_property("linger.ms", "0")
    sink.set_record_serializer(records.set_value_serialization_schema(SimpleStringSchema()).build())
    words = env.from_source(
        source.set_value_only_deserializer(SimpleStringSchema()).build(),
        WatermarkStrategy.no_watermarks(),
        "words",
    )
    words.filter(ending_in_e).map(marked, Types.STRING()).sink_to(sink.build())
    env.execute("words")


if __name__ == "__main__":
    main(*sys.argv[1:])
