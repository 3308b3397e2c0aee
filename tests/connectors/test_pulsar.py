"""The source and the sink of Pulsar with a real broker, which is killed and started again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pulsar
import pytest

from pystream.common import Duration, Types, WatermarkStrategy
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.serialization import SimpleStringSchema
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import PulsarSource, StartCursor, StopCursor
from pystream.datastream.connectors.pulsar import MessageDelayer, PulsarSink, TopicRoutingMode
from pystream.datastream.functions import ProcessFunction
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.errors import JobExecutionError, SourceError
from tests.servers.availability import server_or_skip
from tests.servers.pulsar import PulsarBroker

pytestmark = pytest.mark.time_limit(240)

NONE = WatermarkStrategy.no_watermarks()
STRING = Types.STRING()
PATIENCE = 60  # seconds


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PulsarBroker]:
    """The broker that all tests share."""
    with server_or_skip(lambda: PulsarBroker(tmp_path_factory.mktemp("pulsar"))) as broker:
        yield broker


def source_of(
    broker: PulsarBroker, topic: str, stop: StopCursor | None, start: StartCursor | None = None
) -> Any:
    builder = PulsarSource.builder().set_service_url(broker.url).set_subscription_name("tests")
    builder.set_topics(topic).set_start_cursor(start or StartCursor.earliest())
    if stop is not None:
        builder.set_bounded_stop_cursor(stop)
    return builder.set_deserialization_schema(SimpleStringSchema()).build()


def sink_to(broker: PulsarBroker, topic: str) -> Any:
    return PulsarSink.builder().set_service_url(broker.url).set_topics(topic)


def texts(first: int, end: int) -> list[str]:
    return [f"{number}" for number in range(first, end)]


def test_a_topic_is_copied(env: StreamExecutionEnvironment, broker: PulsarBroker, host: str) -> None:
    topic = broker.create_topic(f"in-{host}", 2)
    broker.send(topic, texts(0, 120), batching=False)
    numbers = env.from_source(source_of(broker, topic, StopCursor.latest()), NONE, "numbers")
    copied = broker.create_topic(f"out-{host}", 2)
    sink = sink_to(broker, copied).set_serialization_schema(SimpleStringSchema()).set_producer_name("copy")
    numbers.map(lambda text: f"<{text}>", STRING).sink_to(sink.build())
    env.execute()
    assert sorted(broker.messages(copied)) == sorted(f"<{text}>" for text in texts(0, 120))


def test_a_subtask_writes_again_while_its_first_attempt_is_connected(broker: PulsarBroker) -> None:
    builder = sink_to(broker, "attempts").set_serialization_schema(SimpleStringSchema())
    output = builder.set_producer_name("copy").build().bind(STRING)
    first, second = (output.epoch_writer("", SubtaskInfo(JobInfo("id", "job"), 3, 4, 128, 0)) for _ in "ab")
    for writer, text in ((second, "b"), (first, "a")):
        writer.write([text])
        writer.finish()
    reader = broker.client.create_reader("attempts", pulsar.MessageId.earliest)
    messages = [reader.read_next(PATIENCE * 1000) for _ in "ba"]
    assert [message.data() for message in messages] == [b"b", b"a"]
    names = {message.producer_name() for message in messages}
    assert len(names) == 2
    assert all(name.startswith("copy-3-") for name in names)
    for each in (first, second, reader):
        each.close()


class Times(ProcessFunction):
    """Emits the timestamp of each element."""

    def process_element(self, value: str, ctx: Any) -> Iterator[Any]:
        yield value, ctx.timestamp()


def test_messages_have_times(local_env: StreamExecutionEnvironment, broker: PulsarBroker) -> None:
    producer = broker.client.create_producer("timed")
    producer.send(b"event", event_timestamp=7)
    before = int(time.time() * 1000)
    producer.send(b"published")
    timed = local_env.from_source(source_of(broker, "timed", StopCursor.latest()), NONE, "timed")
    (event, published) = timed.process(Times(), Types.TUPLE([STRING, Types.LONG()])).execute_and_collect()
    assert event == ("event", 7)
    assert 0 <= published[1] - before < 60_000


def test_reading_starts_and_stops_at_cursors(
    local_env: StreamExecutionEnvironment, broker: PulsarBroker
) -> None:
    topic = "cursors"
    ids = [id.serialize() for id in broker.send(topic, texts(0, 50))]
    between = int(time.time() * 1000) + 1
    while time.time() * 1000 <= between:
        time.sleep(0.001)
    batch = [id.serialize() for id in broker.send(topic, texts(50, 60), batching=True)]

    def read(start: StartCursor, stop: StopCursor) -> list[str]:
        source = source_of(broker, topic, stop, start)
        return list(local_env.from_source(source, NONE, "numbers").execute_and_collect())

    start, stop = StartCursor, StopCursor
    assert read(start.from_message_id(ids[10]), stop.at_message_id(ids[45])) == texts(10, 45)
    assert read(start.from_message_id(ids[19], False), stop.after_message_id(ids[45])) == texts(20, 46)
    assert read(start.from_message_id(batch[2]), stop.at_message_id(batch[5])) == texts(52, 55)
    assert read(start.from_message_id(batch[2], False), stop.after_message_id(batch[5])) == texts(53, 56)
    assert read(start.from_publish_time(between), stop.latest()) == texts(50, 60)
    assert read(start.earliest(), stop.at_publish_time(between)) == texts(0, 50)
    assert read(start.earliest(), stop.after_publish_time(between + PATIENCE * 1000)) == texts(0, 60)
    assert read(start.latest(), stop.latest()) == []


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.mark.local_only("its readers are those of Spark's workers")
def test_a_job_survives_that_the_broker_is_killed(
    env2: StreamExecutionEnvironment, broker: PulsarBroker, host: str, tmp_path: Path
) -> None:
    """Elements are counted by what arrives in the sink, which repeats those of an epoch that failed."""
    topic, copied = broker.create_topic(f"unbounded-{host}", 2), f"survived-{host}"
    broker.send(topic, texts(0, 300))
    env2.set_restart_strategy(RestartStrategies.fixed_delay_restart(300, 200))
    builder = (
        PulsarSource.builder().set_service_url(broker.url).set_subscription_name("tests").set_topics(topic)
    )
    builder.set_config("pulsar.client.operationTimeoutMs", 2_000)
    builder.set_config("pulsar.source.partitionDiscoveryIntervalMs", 200)
    source = builder.set_deserialization_schema(SimpleStringSchema()).build()
    sink = sink_to(broker, copied).set_topic_routing_mode(TopicRoutingMode.MESSAGE_KEY_HASH)
    sink.set_config("pulsar.client.operationTimeoutMs", 2_000)
    numbers = env2.from_source(source, NONE, "numbers")
    numbers.sink_to(sink.set_serialization_schema(SimpleStringSchema()).build())
    client = env2.execute_async()
    try:
        wait_until(lambda: len(broker.messages(copied)) >= 300)
        broker.kill_and_restart()
        broker.send(topic, texts(300, 400))
        broker.add_partitions(topic, 3)
        broker.send(topic, texts(400, 430))
        wait_until(lambda: len(set(broker.messages(copied))) >= 430)
    except BaseException:
        client.cancel()
        raise
    client.stop_with_savepoint(False, str(tmp_path / "savepoint")).result()
    assert sorted(set(broker.messages(copied)), key=int) == texts(0, 430)


def test_messages_are_acknowledged_once_they_are_processed(
    local_env: StreamExecutionEnvironment, broker: PulsarBroker
) -> None:
    broker.send("acknowledged", texts(0, 30))
    source = source_of(broker, "acknowledged", None)
    with local_env.from_source(source, NONE, "numbers").execute_and_collect() as results:
        assert [next(results) for _ in range(30)] == texts(0, 30)
        wait_until(lambda: broker.backlog("acknowledged", "tests") == 0)
        broker.send("acknowledged", ["30"])
        assert next(results) == "30"


def test_an_epoch_that_fails_reads_the_same_messages_again(
    local_env: StreamExecutionEnvironment, broker: PulsarBroker, tmp_path: Path
) -> None:
    local_env.set_restart_strategy(RestartStrategies.fixed_delay_restart(3, 0))
    broker.send("again", texts(0, 100))
    failed = tmp_path / "failed"

    def fail_once(text: str) -> str:
        if text == "70" and not failed.exists():
            failed.touch()
            raise ValueError("this once")
        return text

    source = source_of(broker, "again", None)
    checked = local_env.from_source(source, NONE, "numbers").map(fail_once, STRING)
    with checked.execute_and_collect() as results:
        assert [next(results) for _ in range(100)] == texts(0, 100)
    assert failed.exists()


def test_a_delayed_message_comes_later(local_env: StreamExecutionEnvironment, broker: PulsarBroker) -> None:
    shared = pulsar.ConsumerType.Shared
    consumer = broker.client.subscribe(
        "delayed", "shared", shared, initial_position=pulsar.InitialPosition.Earliest
    )
    delayer = MessageDelayer.fixed(Duration.of_millis(1_500))
    sink = sink_to(broker, "delayed").delay_sending_message(delayer)
    local_env.from_collection(["late"], STRING).sink_to(
        sink.set_serialization_schema(SimpleStringSchema()).build()
    )
    local_env.execute()
    with pytest.raises(pulsar.Timeout):
        consumer.receive(timeout_millis=100)
    assert consumer.receive(timeout_millis=PATIENCE * 1000).data() == b"late"
    consumer.close()


def test_a_damaged_message_and_a_missing_broker_are_named(
    local_env: StreamExecutionEnvironment, broker: PulsarBroker
) -> None:
    producer = broker.client.create_producer("damaged")
    producer.send(b"\xff")
    numbers = local_env.from_source(source_of(broker, "damaged", StopCursor.latest()), NONE, "numbers")
    with pytest.raises(JobExecutionError, match=r"(?s)'Source: numbers'.*is not UTF-8 text"):
        list(numbers.execute_and_collect())
    away = PulsarSource.builder().set_service_url("pulsar://127.0.0.1:1").set_subscription_name("tests")
    away.set_config("pulsar.client.operationTimeoutMs", 1_000).set_topics("t")
    away.set_bounded_stop_cursor(StopCursor.latest())
    source = away.set_deserialization_schema(SimpleStringSchema()).build()
    with pytest.raises(SourceError, match=r"Pulsar at pulsar://127.0.0.1:1: "):
        list(local_env.from_source(source, NONE, "numbers").execute_and_collect())
