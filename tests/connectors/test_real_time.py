"""Jobs in Spark's Real-Time Mode between topics of a real broker."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pystream.common import Configuration, JobStatus, SimpleStringSchema, Types, WatermarkStrategy
from pystream.common.job_client import JobClient
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)
from pystream.errors import (
    CheckpointError,
    ConfigurationError,
    JobCancelledError,
    JobExecutionError,
    UnsupportedOperationError,
)
from tests.servers.kafka import Broker

pytestmark = [
    pytest.mark.spark_only,
    pytest.mark.usefixtures("host", "by_value", "no_job_left"),
    pytest.mark.time_limit(180),
]

SECONDS = 60


def eventually(is_true: Callable[[], bool], client: JobClient) -> None:
    deadline = time.monotonic() + SECONDS
    while not is_true():
        assert time.monotonic() < deadline, "it has not come true"
        if client.get_job_status().result() is not JobStatus.RUNNING:
            client.get_job_execution_result().result()
        time.sleep(0.05)


def cancel(client: JobClient) -> None:
    client.cancel()
    with pytest.raises(JobCancelledError):
        client.get_job_execution_result().result()


def ending_in_e(word: str) -> bool:
    return word.endswith("e")


def marked(word: str) -> str:
    return word + "!"


def start(
    broker: Broker,
    topics: tuple[str, str],
    offsets: KafkaOffsetsInitializer | None = None,
    **settings: str,
) -> JobClient:
    configuration = Configuration.from_dict(
        {"pystream.real-time": "true", "restart-strategy.type": "none", **settings}
    )
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(1)
    source = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_topics(topics[0])
    source.set_starting_offsets(offsets or KafkaOffsetsInitializer.earliest())
    source.set_group_id("readers")
    records = KafkaRecordSerializationSchema.builder().set_topic(topics[1])
    records.set_key_serialization_schema(SimpleStringSchema())
    sink = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_property("linger.ms", "0")
    sink.set_record_serializer(records.set_value_serialization_schema(SimpleStringSchema()).build())
    words = env.from_source(
        source.set_value_only_deserializer(SimpleStringSchema()).build(),
        WatermarkStrategy.no_watermarks(),
        "words",
    )
    words.filter(ending_in_e).map(marked, Types.STRING()).sink_to(sink.build())
    if settings.get("pystream.real-time") != "false":
        assert {operator.path for operator in env.explain().operators} == {"native"}
    return env.execute_async("words")


def test_records_pass_within_a_batch(broker: Broker, tmp_path: Path) -> None:
    topics = broker.create_topic(), broker.create_topic()
    broker.write(topics[0], ["one", "two", None, "three"])
    client = start(broker, topics)
    eventually(lambda: broker.values(topics[1]) == ["one!", "three!"], client)
    broker.write(topics[0], ["five"])
    eventually(lambda: broker.values(topics[1])[2:] == ["five!"], client)
    assert [message.key() for message in broker.read(topics[1])] == [b"one!", b"three!", b"five!"]
    with pytest.raises(UnsupportedOperationError, match="no savepoints"):
        client.trigger_savepoint(str(tmp_path)).result()
    cancel(client)
    assert client.get_job_status().result() is JobStatus.CANCELED


def test_a_job_resumes_where_it_was(broker: Broker, tmp_path: Path) -> None:
    topics = broker.create_topic(), broker.create_topic()
    broker.write(topics[0], ["before"])
    settings = {
        "execution.checkpointing.dir": str(tmp_path),
        "execution.checkpointing.interval": "5 s",
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
    }
    latest = KafkaOffsetsInitializer.latest()
    cancel(start(broker, topics, latest, **settings))
    broker.write(topics[0], ["one"])
    with pytest.raises(CheckpointError, match="has state"):
        start(broker, topics, latest, **settings)
    settings["pystream.resume"] = "true"
    client = start(broker, topics, latest, **settings)
    eventually(lambda: broker.values(topics[1]) == ["one!"], client)
    eventually(lambda: any(tmp_path.glob("words/real-time/*/commits/[0-9]*")), client)
    cancel(client)
    broker.write(topics[0], ["five"])
    client = start(broker, topics, latest, **settings)
    eventually(lambda: "five!" in broker.values(topics[1]), client)
    assert broker.values(topics[1]) == ["one!", "five!"]
    cancel(client)
    with pytest.raises(CheckpointError, match=r"Real-Time Mode; set pystream.real-time to true"):
        start(broker, topics, latest, **{**settings, "pystream.real-time": "false"})


def test_a_malformed_record_fails_the_job(broker: Broker) -> None:
    topics = broker.create_topic(), broker.create_topic()
    broker.write(topics[0], ["one", b"\xff\xfe"])
    client = start(broker, topics)
    with pytest.raises(
        JobExecutionError, match=f"record 1 of partition {topics[0]}-0 cannot be deserialized"
    ):
        client.get_job_execution_result().result()
    assert client.get_job_status().result() is JobStatus.FAILED


def test_each_partition_needs_a_slot(broker: Broker) -> None:
    slots = os.cpu_count() or 1
    topics = broker.create_topic(partitions=slots + 1), broker.create_topic()
    with pytest.raises(ConfigurationError, match=rf"{slots + 1} in all.*set spark.master to local"):
        start(broker, topics)
