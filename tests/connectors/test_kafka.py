"""Kafka as a source and a sink, with a real broker."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from pystream.common import Row, SimpleStringSchema, Time, Types, WatermarkStrategy
from pystream.common.serialization import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import OutputTag, ProcessFunction, StreamExecutionEnvironment
from pystream.datastream.connectors import DeliveryGuarantee
from pystream.datastream.connectors.kafka import (
    ConsumerRecord,
    FlinkKafkaConsumer,
    FlinkKafkaConsumer010,
    FlinkKafkaProducer,
    FlinkKafkaProducer010,
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    KafkaRecordDeserializationSchema,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
    KafkaSourceBuilder,
    KafkaTopicPartition,
    KafkaTopicSelector,
    MalformedRecord,
    ProducerRecord,
    Semantic,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.engine.connectors.kafka import failures
from pystream.engine.connectors.kafka.client_settings import consumer_settings
from pystream.engine.connectors.kafka.offsets import TopicPartition as Partition
from pystream.engine.connectors.kafka.partition_reader import PartitionReader
from pystream.engine.connectors.kafka.producer_records import ProducerRecord as InternalRecord
from pystream.engine.connectors.kafka.splits import KafkaSplit, OffsetRange
from pystream.engine.connectors.kafka.transactions import TransactionCommitter
from pystream.engine.stored_data import dump_data
from pystream.errors import ConfigurationError, JobExecutionError, PlanTypeError, SinkError, SourceError
from pystream.testing import local_environment
from tests.servers.kafka import Broker

NONE = WatermarkStrategy.no_watermarks()
LATEST = KafkaOffsetsInitializer.latest()
STRING = Types.STRING()


def source(broker: Broker, topic: str) -> KafkaSourceBuilder[str]:
    """Return a builder of a source of text that stops at the end of a topic."""
    builder = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_topics(topic)
    return builder.set_bounded(LATEST).set_value_only_deserializer(SimpleStringSchema())


def read(builder: KafkaSourceBuilder[Any], env: StreamExecutionEnvironment | None = None) -> list[Any]:
    env = env or local_environment()
    return list(env.from_source(builder.build(), NONE, "records").execute_and_collect())


def sink(
    broker: Broker, topic: str, guarantee: DeliveryGuarantee = DeliveryGuarantee.AT_LEAST_ONCE
) -> KafkaSink[str]:
    records = KafkaRecordSerializationSchema.builder().set_topic(topic)
    return (
        KafkaSink.builder()
        .set_bootstrap_servers(broker.servers)
        .set_record_serializer(records.set_value_serialization_schema(SimpleStringSchema()).build())
        .set_delivery_guarantee(guarantee)
        .set_transactional_id_prefix("test")
        .build()
    )


# where the source starts and stops


def test_records_between_start_and_stop_are_read(broker: Broker) -> None:
    topic = broker.create_topic(partitions=2)
    for number in range(4):
        broker.write(topic, [f"a{number}"], partition=0, timestamp=1_000 + number)
        broker.write(topic, [f"b{number}"], partition=1, timestamp=2_000 + number)
    starts = {
        KafkaOffsetsInitializer.earliest(): "a0 a1 a2 a3 b0 b1 b2 b3",
        KafkaOffsetsInitializer.latest(): "",
        KafkaOffsetsInitializer.timestamp(1_002): "a2 a3 b0 b1 b2 b3",
        KafkaOffsetsInitializer.timestamp(2_003): "b3",
        KafkaOffsetsInitializer.offsets({KafkaTopicPartition(topic, 0): 3}): "a3 b0 b1 b2 b3",
        KafkaOffsetsInitializer.offsets(
            {KafkaTopicPartition(topic, 0): 3}, KafkaOffsetResetStrategy.LATEST
        ): "a3",
    }
    for start, expected in starts.items():
        found = read(source(broker, topic).set_starting_offsets(start))
        assert sorted(found) == expected.split(), start
    stop = KafkaOffsetsInitializer.offsets(
        {KafkaTopicPartition(topic, 0): 1, KafkaTopicPartition(topic, 1): 2}
    )
    for builder in (source(broker, topic).set_bounded(stop), source(broker, topic).set_unbounded(stop)):
        assert sorted(read(builder)) == ["a0", "b0", "b1"]


def test_a_source_reads_topics_by_pattern_and_single_partitions(broker: Broker) -> None:
    first = broker.create_topic("pattern-1", partitions=2)
    broker.create_topic("pattern-2")
    broker.create_topic("other-pattern-1")
    broker.write(first, ["a"], partition=0)
    broker.write(first, ["b"], partition=1)
    broker.write("pattern-2", ["c"])
    broker.write("other-pattern-1", ["d"])

    def builder() -> KafkaSourceBuilder[str]:
        plain = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_bounded(LATEST)
        return plain.set_value_only_deserializer(SimpleStringSchema())

    assert sorted(read(builder().set_topic_pattern("pattern-.*"))) == ["a", "b", "c"]
    assert sorted(read(builder().set_topics(first, "pattern-2"))) == ["a", "b", "c"]
    assert read(builder().set_partitions({KafkaTopicPartition(first, 1)})) == ["b"]


def test_committed_offsets_are_those_of_the_group(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")

    def committed(reset: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.NONE) -> KafkaSourceBuilder[str]:
        offsets = KafkaOffsetsInitializer.committed_offsets(reset)
        return source(broker, topic).set_group_id(topic).set_starting_offsets(offsets)

    with pytest.raises(SourceError, match=f"group '{topic}' has no offset of {topic}-0"):
        read(committed())
    assert read(committed(KafkaOffsetResetStrategy.EARLIEST)) == ["a", "b", "c"]
    consumer = Consumer({"bootstrap.servers": broker.servers, "group.id": topic})
    consumer.commit(offsets=[TopicPartition(topic, 0, 2)], asynchronous=False)
    consumer.close()
    assert read(committed()) == ["c"]


def test_an_unbounded_job_commits_its_offsets_for_the_group(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")
    assert read(source(broker, topic).set_unbounded(LATEST).set_group_id(topic)) == ["a", "b", "c"]
    silent = source(broker, topic).set_unbounded(LATEST).set_group_id(f"{topic}-silent")
    read(silent.set_property("commit.offsets.on.checkpoint", "false"))
    offsets = {}
    for group in (topic, f"{topic}-silent"):
        consumer = Consumer({"bootstrap.servers": broker.servers, "group.id": group})
        (offsets[group],) = (
            each.offset for each in consumer.committed([TopicPartition(topic, 0)], timeout=30)
        )
        consumer.close()
    assert offsets[topic] == 3
    assert offsets[f"{topic}-silent"] < 0


# records


class Everything(KafkaRecordDeserializationSchema[tuple[Any, ...]]):
    def deserialize(self, record: ConsumerRecord) -> Iterable[tuple[Any, ...]]:
        for _ in range(len(record.key or b"")):
            yield tuple(record[:7])

    def get_produced_type(self) -> Any:
        return Types.PICKLED_BYTE_ARRAY()


def test_whole_records_reach_the_program(broker: Broker) -> None:
    topic = broker.create_topic(partitions=2)
    broker.write(topic, ["one"], key=b"k", partition=1, timestamp=5_000, headers={"h": b"x", "i": b""})
    broker.write(topic, ["none"], key=b"", partition=1)
    broker.write(topic, [None, "two"], key=b"kk", partition=1, timestamp=6_000)
    assert read(source(broker, topic).set_deserializer(Everything())) == [
        (topic, 1, 0, 5_000, b"k", b"one", (("h", b"x"), ("i", b""))),
        *2 * [(topic, 1, 2, 6_000, b"kk", None, ())],
        *2 * [(topic, 1, 3, 6_000, b"kk", b"two", ())],
    ]
    assert read(source(broker, topic)) == ["one", "none", "two"]


class Times(ProcessFunction[str, Any]):
    def process_element(self, value: str, ctx: ProcessFunction.Context) -> Iterator[Any]:
        yield value, ctx.timestamp()


def test_elements_have_the_timestamps_of_their_records(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, ["a"], timestamp=5_000)
    env = local_environment()
    for strategy in (NONE, WatermarkStrategy.for_monotonous_timestamps()):
        stream = env.from_source(source(broker, topic).build(), strategy, "records").process(Times())
        assert list(stream.execute_and_collect()) == [("a", 5_000)]


def test_offsets_without_records_are_passed_over(broker: Broker) -> None:
    topic, other = broker.create_topic(), broker.create_topic()
    broker.write(other, ["x"])
    for text in ("ab", "cd"):
        env = local_environment()
        letters = env.from_collection(list(text), STRING)
        letters.sink_to(sink(broker, topic, DeliveryGuarantee.EXACTLY_ONCE))
        env.execute()
    committed = source(broker, topic).set_property("isolation.level", "read_committed")
    assert read(committed) == ["a", "b", "c", "d"]  # offset 2 and the last one are those of markers
    assert read(source(broker, topic).set_unbounded(LATEST)) == ["a", "b", "c", "d"]


def test_records_of_open_transactions_are_read_unless_the_program_excludes_them(broker: Broker) -> None:
    topic = broker.create_topic()
    producer = Producer({"bootstrap.servers": broker.servers, "transactional.id": topic})
    producer.init_transactions(30)
    for value in "ab":
        producer.begin_transaction()
        producer.produce(topic, value)
        producer.flush(30)
        if value == "a":
            producer.commit_transaction(30)
    assert read(source(broker, topic)) == ["a", "b"]
    assert read(source(broker, topic).set_property("isolation.level", "read_committed")) == ["a"]
    producer.abort_transaction(30)


def test_records_that_were_deleted_fail_the_job(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")
    broker.admin.delete_records([TopicPartition(topic, 0, 2)])[TopicPartition(topic, 0)].result(30)
    split = KafkaSplit(0, (OffsetRange(KafkaTopicPartition(topic, 0), 0, 3),), 1)
    with pytest.raises(SourceError, match=f"partition {topic}-0 are no longer in Kafka"):
        list(source(broker, topic).build().reader().read(split))
    reset = source(broker, topic).set_property("auto.offset.reset", "earliest").build().reader()
    assert [value for batch in reset.read(split) for value in batch.values] == ["c"]


@pytest.mark.parametrize("offset", [0, 9])
def test_a_start_without_records_around_it_is_reset(broker: Broker, offset: int) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")
    broker.admin.delete_records([TopicPartition(topic, 0, 2)])[TopicPartition(topic, 0)].result(30)
    given = {KafkaTopicPartition(topic, 0): offset}

    def started(reset: KafkaOffsetResetStrategy) -> list[str]:
        start = KafkaOffsetsInitializer.offsets(given, reset)
        return read(source(broker, topic).set_starting_offsets(start))

    assert started(KafkaOffsetResetStrategy.EARLIEST) == ["c"]
    assert started(KafkaOffsetResetStrategy.LATEST) == []
    with pytest.raises(
        SourceError, match=f"offset {offset} of partition {topic}-0 .* is not between its first, 2"
    ):
        started(KafkaOffsetResetStrategy.NONE)


def test_a_topic_that_was_created_again_fails_the_job(broker: Broker) -> None:
    topic = broker.create_topic("created-twice")
    broker.write(topic, "abc")
    enumerator = source(broker, topic).set_unbounded(LATEST).build().reader().enumerator(1)
    assert enumerator.poll(0, 10) is not None
    progress = enumerator.snapshot()
    enumerator.close()
    broker.admin.delete_topics([topic])[topic].result(30)
    wait_until(lambda: topic not in broker.admin.list_topics(timeout=30).topics)
    broker.create_topic(topic)
    broker.write(topic, "d")
    resumed = source(broker, topic).build().reader().enumerator(1, progress)
    with pytest.raises(SourceError, match=f"partition {topic}-0 .* ends at offset 1, before 3"):
        resumed.poll(0, 10)
    resumed.close()


@pytest.mark.time_limit(60)
def test_a_topic_that_is_deleted_fails_the_job_that_reads_it(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "_SECONDS_TO_PASS", 0.5)
    topic = broker.create_topic()
    broker.write(topic, "a")
    builder = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_topics(topic)
    built = builder.set_value_only_deserializer(SimpleStringSchema()).build()
    with local_environment().from_source(built, NONE, "records").execute_and_collect() as found:
        assert next(found) == "a"
        broker.admin.delete_topics([topic])[topic].result(30)
        with pytest.raises(JobExecutionError, match=f"Kafka at {broker.servers} has no {topic}-0, or hides"):
            next(found)


@pytest.mark.time_limit(60)
def test_jobs_of_one_stream_read_for_themselves(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")
    builder = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_topics(topic)
    built = builder.set_value_only_deserializer(SimpleStringSchema()).build()
    stream = local_environment().from_source(built, NONE, "records")
    with stream.execute_and_collect() as second:
        with stream.execute_and_collect() as first:
            assert [next(first) for _ in "abc"] == ["a", "b", "c"]
            assert next(second) == "a"
        broker.write(topic, "d")
        assert [next(second) for _ in "bcd"] == ["b", "c", "d"]


def test_jobs_that_have_ended_leave_no_consumer(broker: Broker) -> None:
    topic = broker.create_topic(partitions=2)
    broker.write(topic, "a", partition=0)
    broker.write(topic, "b", partition=1)
    kept = []  # so that garbage collection closes nothing

    def run() -> None:
        for builder in (source(broker, topic), source(broker, topic).set_unbounded(LATEST)):
            env = local_environment()
            env.set_parallelism(2)
            kept.append(env)
            assert sorted(read(builder, env)) == ["a", "b"]

    def threads() -> int:
        names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
        return sum(name.startswith("rdk:") for name in names)

    run()
    before = threads()
    for _ in range(3):
        run()
    wait_until(lambda: threads() <= before, 20)


# malformed records


class Number(KafkaRecordDeserializationSchema[int]):
    def deserialize(self, record: ConsumerRecord) -> Iterable[int]:
        yield int(record.value or b"")

    def get_produced_type(self) -> Any:
        return Types.LONG()


NUMBERS = JsonRowDeserializationSchema.builder().type_info(Types.ROW_NAMED(["n"], [Types.INT()])).build()


def test_a_range_that_was_given_up_in_the_middle_is_read_again(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")
    reader = PartitionReader({"bootstrap.servers": broker.servers})
    ranges = [OffsetRange(Partition(topic, 0), 0, 3)]
    try:
        given_up = reader.read(ranges)
        next(given_up)
        found = [message.value() for _, messages in reader.read(ranges) for message in messages]
    finally:
        reader.close()
    assert found == [b"a", b"b", b"c"]


@pytest.mark.time_limit(60)
def test_partitions_are_read_on_when_another_one_joins_them(broker: Broker) -> None:
    topic = broker.create_topic(partitions=3)
    for number in range(3):
        broker.write(topic, "ab", partition=number)
    reader = PartitionReader({"bootstrap.servers": broker.servers})
    reads = [{0: (0, 1), 1: (0, 1)}, {0: (1, 2), 1: (1, 2), 2: (0, 2)}]
    found: Counter[int] = Counter()
    try:
        for offsets in reads:
            ranges = [OffsetRange(Partition(topic, number), *each) for number, each in offsets.items()]
            for partition, messages in reader.read(ranges):
                found[partition.partition] += len(messages)
    finally:
        reader.close()
    assert found == {0: 2, 1: 2, 2: 2}


def test_a_malformed_record_fails_the_job_by_its_place(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, ['{"n": 1}', '{"n": ', '{"n": 3}'])
    with pytest.raises((JobExecutionError, SourceError), match=f"record 1 of partition {topic}-0 cannot be"):
        read(source(broker, topic).set_value_only_deserializer(NUMBERS))
    with pytest.raises(
        (JobExecutionError, SourceError), match=r"record 0 of partition .*invalid literal for int"
    ):
        read(source(broker, topic).set_deserializer(Number()))


def test_malformed_records_are_skipped(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    topic = broker.create_topic()
    broker.write(topic, ["1", "x", "y", "4"])
    assert read(source(broker, topic).set_deserializer(Number()).skip_malformed_records()) == [1, 4]
    (warning,) = (record for record in caplog.records if "cannot be deserialized" in record.getMessage())
    assert f"record 1 of partition {topic}-0" in warning.getMessage()
    assert "records skipped: 2" in warning.getMessage()


@pytest.mark.parametrize("strategy", [NONE, WatermarkStrategy.for_monotonous_timestamps()])
def test_malformed_records_go_to_a_side_output(broker: Broker, strategy: Any) -> None:
    topic = broker.create_topic()
    broker.write(topic, ["1", "x", "3"], key=b"k", timestamp=7_000)
    tag = OutputTag("malformed", Types.of(MalformedRecord))
    builder = source(broker, topic).set_deserializer(Number()).side_output_malformed_records(tag)
    env = local_environment()
    numbers = env.from_source(builder.build(), strategy, "numbers")
    assert list(numbers.execute_and_collect()) == [1, 3]
    ((*place, error),) = numbers.get_side_output(tag).execute_and_collect()
    assert place == [topic, 0, 1, 7_000, b"k", b"x"]
    assert "invalid literal for int" in error


# watermarks


class Second(TimestampAssigner[str]):
    def extract_timestamp(self, value: str, record_timestamp: int) -> int:
        return int(value) * 1_000


def counts_by_window(env: StreamExecutionEnvironment, builder: KafkaSourceBuilder[str]) -> list[Any]:
    env.get_config().set_auto_watermark_interval(0)  # after every element
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
    return list(
        env.from_source(builder.build(), strategy, "seconds")
        .map(lambda value: (int(value) // 10, 1), Types.TUPLE([Types.INT(), Types.INT()]))
        .key_by(lambda pair: 0, Types.INT())
        .window(TumblingEventTimeWindows.of(Time.seconds(10)))
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
        .execute_and_collect()
    )


def test_a_partition_that_is_ahead_makes_no_element_of_another_one_late(
    broker: Broker, env: StreamExecutionEnvironment
) -> None:
    topic = broker.create_topic(partitions=2)
    broker.write(topic, map(str, range(100)), partition=0)
    broker.write(topic, map(str, range(100)), partition=1)
    found = counts_by_window(env, source(broker, topic).set_unbounded(LATEST))
    assert found == [(number, 20) for number in range(10)]


# sinks


class BySize(KafkaTopicSelector[str]):
    def __init__(self, topics: tuple[str, str]) -> None:
        self.topics = topics

    def apply(self, data: str) -> str:
        return self.topics[len(data) > 1]


def test_records_have_topic_key_headers_and_timestamp(broker: Broker) -> None:
    topics = broker.create_topic(), broker.create_topic()
    records = (
        KafkaRecordSerializationSchema.builder()
        .set_topic_selector(BySize(topics))
        .set_key_serialization_schema(SimpleStringSchema())
        .set_value_serialization_schema(SimpleStringSchema())
        .set_header_provider(lambda word: [("length", str(len(word)).encode())])
        .build()
    )
    env = local_environment()
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
    words = env.from_collection(["1", "22"], STRING).assign_timestamps_and_watermarks(strategy)
    target = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_record_serializer(records)
    words.sink_to(target.build())
    env.execute()
    found = [
        (message.key(), message.value(), message.headers(), message.timestamp()[1])
        for topic in topics
        for message in broker.read(topic)
    ]
    assert found == [
        (b"1", b"1", [("length", b"1")], 1_000),
        (b"22", b"22", [("length", b"2")], 22_000),
    ]


class Tombstones(KafkaRecordSerializationSchema[str]):
    def __init__(self, topic: str) -> None:
        self.topic = topic

    def serialize(self, element: str, timestamp: int | None) -> ProducerRecord | None:
        if element == "drop":
            return None
        assert timestamp is None
        return ProducerRecord(self.topic, None, element.encode(), partition=1)


def test_a_serializer_of_the_program_makes_any_record(broker: Broker) -> None:
    topic = broker.create_topic(partitions=2)
    env = local_environment()
    target = KafkaSink.builder().set_bootstrap_servers(broker.servers)
    elements = env.from_collection(["a", "drop"], STRING)
    elements.sink_to(target.set_record_serializer(Tombstones(topic)).build())
    env.execute()
    assert [(m.key(), m.value(), m.partition()) for m in broker.read(topic)] == [(b"a", None, 1)]


def test_keys_go_to_the_partitions_of_javas_client(broker: Broker) -> None:
    topic = broker.create_topic(partitions=10)
    env = local_environment()
    records = KafkaRecordSerializationSchema.builder().set_topic(topic)
    records.set_key_serialization_schema(SimpleStringSchema())
    built = records.set_value_serialization_schema(SimpleStringSchema()).build()
    target = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_record_serializer(built).build()
    env.from_collection(["a", "b", "21"], STRING).sink_to(target)
    env.execute()
    # Utils.toPositive(Utils.murmur2(key)) % 10, with the hashes that UtilsTest of Kafka states for "21"
    assert {m.key(): m.partition() for m in broker.read(topic)}[b"21"] == (-973932308 & 0x7FFFFFFF) % 10


def test_an_element_that_cannot_be_written_fails_the_job(broker: Broker) -> None:
    topic = broker.create_topic()
    schema = (
        JsonRowSerializationSchema.builder().with_type_info(Types.ROW_NAMED(["n"], [Types.INT()])).build()
    )
    records = KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(schema)
    target = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_record_serializer(records.build())
    env = local_environment()
    env.from_collection([Row(n="x")]).sink_to(target.build())
    with pytest.raises(JobExecutionError, match=r"n: .*'x'"):
        env.execute()


@pytest.mark.parametrize("guarantee", [DeliveryGuarantee.AT_LEAST_ONCE, DeliveryGuarantee.EXACTLY_ONCE])
def test_a_record_that_the_broker_refuses_fails_the_job(broker: Broker, guarantee: DeliveryGuarantee) -> None:
    topic = broker.create_topic(max_message_bytes="1000")
    env = local_environment()
    env.from_collection(["x" * 2_000], STRING).sink_to(sink(broker, topic, guarantee))
    with pytest.raises((JobExecutionError, SinkError), match=r"(?s)cannot be written.*too large"):
        env.execute()


# jobs


@pytest.mark.promise("beh:kafka-exactly-once")
@pytest.mark.parametrize("guarantee", [DeliveryGuarantee.AT_LEAST_ONCE, DeliveryGuarantee.EXACTLY_ONCE])
def test_records_are_written_in_order(
    broker: Broker, env: StreamExecutionEnvironment, guarantee: DeliveryGuarantee
) -> None:
    topic, target = broker.create_topic(partitions=2), broker.create_topic()
    broker.write(topic, [f"a{number}" for number in range(2_000)], partition=0)
    broker.write(topic, [f"b{number}" for number in range(2_000)], partition=1)
    stream = env.from_source(source(broker, topic).set_unbounded(LATEST).build(), NONE, "records")
    stream.map(str.upper, STRING).sink_to(sink(broker, target, guarantee))
    env.execute("copy")
    found = broker.values(target)
    for letter in "AB":
        assert [one for one in found if one[0] == letter] == [f"{letter}{number}" for number in range(2_000)]


def test_an_epoch_is_written_once_whichever_topics_it_goes_to(broker: Broker) -> None:
    topics = broker.create_topic(), broker.create_topic()
    epochs = {topic: [dump_data([tuple(InternalRecord(topic, b"a"))])] for topic in topics}

    def committer() -> TransactionCommitter:
        found = TransactionCommitter({"bootstrap.servers": broker.servers}, f"once-{topics[0]}")
        found.open()
        return found

    first = committer()
    assert first.last_committed() == -1
    for epoch, topic in ((3, topics[0]), (5, topics[1])):
        first.commit(epoch, tuple(epochs[topic]))
        assert first.last_committed() == epoch
    first.close()
    second = committer()
    assert second.last_committed() == 5
    second.commit(5, tuple(epochs[topics[1]]), repeated=True)
    second.close()
    assert [broker.values(topic) for topic in topics] == [["a"], ["a"]]


@pytest.mark.promise(
    "connector:kafka", "beh:add-sink-supported", "beh:kafka-producer-at-least-once", "ex:D04", "ex:D11"
)
def test_source_and_sink_functions(broker: Broker) -> None:
    topic, target = broker.create_topic(), broker.create_topic()
    row = Types.ROW_NAMED(["id", "name"], [Types.INT(), STRING])
    broker.write(topic, ['{"id": 1, "name": "a"}', '{"id": 2, "name": "b"}'])
    env = local_environment()
    consumer = FlinkKafkaConsumer(
        topics=topic,
        deserialization_schema=JsonRowDeserializationSchema.builder().type_info(row).build(),
        properties={"bootstrap.servers": broker.servers, "group.id": topic},
    )
    consumer.set_start_from_earliest()
    assert consumer.get_produced_type() == row
    rows = env.add_source(consumer)
    assert rows.get_type() == row
    written = JsonRowSerializationSchema.builder().with_type_info(row).build()
    rows.add_sink(FlinkKafkaProducer(target, written, {"bootstrap.servers": broker.servers}))
    client = env.execute_async("copy")
    wait_until(lambda: len(broker.values(target)) == 2)
    client.cancel().result()
    assert broker.values(target) == ['{"id":1,"name":"a"}', '{"id":2,"name":"b"}']


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.mark.promise("ex:F08", "ex:F09", "ex:F10")
def test_source_and_sink_functions_of_kafka_0_10(broker: Broker) -> None:
    topic, target = broker.create_topic(), broker.create_topic()
    names = ["f1", "f2", "f3", "f4", "f5"]
    types = [Types.INT(), Types.BOOLEAN(), STRING, Types.SQL_TIMESTAMP(), Types.LOCAL_DATE_TIME()]
    row = Types.ROW_NAMED(names, types)
    text = '{"f1":1,"f2":true,"f3":"a","f4":"2020-01-01T00:00:00Z","f5":"2020-01-01T00:00:00Z"}'
    broker.write(topic, [text])
    properties = {"bootstrap.servers": broker.servers, "group.id": topic, "auto.offset.reset": "earliest"}
    env = local_environment()
    schema = JsonRowDeserializationSchema.Builder(row).build()
    rows = env.add_source(FlinkKafkaConsumer010(topic, schema, properties))
    rows.add_sink(FlinkKafkaProducer010(target, JsonRowSerializationSchema.Builder(row).build(), properties))
    own_group = {**properties, "group.id": f"{topic}-texts"}
    texts = env.add_source(FlinkKafkaConsumer010(topic, SimpleStringSchema(), own_group))
    with texts.execute_and_collect() as found:
        assert next(found) == text
    client = env.execute_async("copy")
    wait_until(lambda: broker.values(target))
    client.cancel().result()
    assert [
        JsonRowDeserializationSchema.Builder(row).build().deserialize(v.encode())
        for v in broker.values(target)
    ] == [schema.deserialize(text.encode())]


def test_group_offsets_come_first(broker: Broker) -> None:
    topic = broker.create_topic()
    broker.write(topic, "abc")
    properties = {"bootstrap.servers": broker.servers, "group.id": topic}
    consumer = Consumer(properties)
    consumer.commit(offsets=[TopicPartition(topic, 0, 2)], asynchronous=False)
    consumer.close()
    env = local_environment()
    with env.add_source(
        FlinkKafkaConsumer(topic, SimpleStringSchema(), properties)
    ).execute_and_collect() as found:
        assert next(found) == "c"
    earliest = FlinkKafkaConsumer(topic, SimpleStringSchema(), properties).set_start_from_earliest()
    with local_environment().add_source(earliest).execute_and_collect() as found:
        assert next(found) == "a"
    timed = FlinkKafkaConsumer([topic], SimpleStringSchema(), properties).set_start_from_timestamp(0)
    with local_environment().add_source(timed).execute_and_collect() as found:
        assert next(found) == "a"


def test_a_producer_writes_timestamps_if_it_is_told_to(broker: Broker) -> None:
    for writes, expected in ((True, 7_000), (False, None)):
        topic = broker.create_topic()
        producer = FlinkKafkaProducer(
            topic, SimpleStringSchema(), {"bootstrap.servers": broker.servers}, 5, Semantic.EXACTLY_ONCE
        )
        env = local_environment()
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
        stream = env.from_collection(["7"], STRING).assign_timestamps_and_watermarks(strategy)
        stream.add_sink(producer.set_write_timestamp_to_kafka(writes))
        env.execute()
        (message,) = broker.read(topic)
        assert (message.timestamp()[1] == 7_000) is (expected is not None)


# what the program is told


def test_builders_say_what_is_missing() -> None:
    with pytest.raises(ConfigurationError, match="needs bootstrap servers: set_bootstrap_servers"):
        KafkaSource.builder().set_topics("t").set_value_only_deserializer(SimpleStringSchema()).build()
    incomplete = KafkaSource.builder().set_bootstrap_servers("host:9092")
    with pytest.raises(ConfigurationError, match="needs set_topics, set_topic_pattern or set_partitions"):
        incomplete.build()
    with pytest.raises(ConfigurationError, match="needs a deserializer"):
        incomplete.set_topics("t").build()
    with pytest.raises(ConfigurationError, match="it already reads t"):
        incomplete.set_topic_pattern("u")
    with pytest.raises(ConfigurationError, match=r"set_topic_pattern\('\('\)"):
        KafkaSource.builder().set_topic_pattern("(")
    incomplete.set_starting_offsets(KafkaOffsetsInitializer.committed_offsets())
    with pytest.raises(ConfigurationError, match="set_group_id"):
        incomplete.set_value_only_deserializer(SimpleStringSchema()).build()
    with pytest.raises(PlanTypeError, match="takes a KafkaOffsetsInitializer"):
        KafkaSource.builder().set_bounded("latest")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="needs set_record_serializer"):
        KafkaSink.builder().set_bootstrap_servers("host:9092").build()
    with pytest.raises(ConfigurationError, match="needs set_topic or set_topic_selector"):
        KafkaRecordSerializationSchema.builder().build()
    records = KafkaRecordSerializationSchema.builder().set_topic("t")
    with pytest.raises(ConfigurationError, match="needs set_value_serialization_schema"):
        records.build()
    built = records.set_value_serialization_schema(SimpleStringSchema()).build()
    exactly = KafkaSink.builder().set_bootstrap_servers("host:9092").set_record_serializer(built)
    with pytest.raises(ConfigurationError, match="EXACTLY_ONCE needs set_transactional_id_prefix"):
        exactly.set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE).build()


def test_a_topic_that_does_not_exist_fails_the_job_before_it_starts(broker: Broker) -> None:
    with pytest.raises(SourceError, match="has no missing-topic, or hides it from this user: create"):
        read(source(broker, "missing-topic"))


def test_passwords_are_shown_nowhere(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    login = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="s3cret";'
    builder = (
        source(broker, "t").set_property("sasl.jaas.config", login).set_property("sasl.mechanism", "PLAIN")
    )
    built = builder.set_property("security.protocol", "SASL_PLAINTEXT").build()
    env = local_environment()
    stream = env.from_source(built, NONE, "records")
    target = sink(broker, "t")
    stream.sink_to(target)
    shown = [repr(built), repr(built.reader()), repr(target.bind(STRING)), str(stream.explain())]
    assert consumer_settings(built.reader().properties)["sasl.password"] == "s3cret"
    assert not any("s3cret" in text for text in [*shown, caplog.text])
