"""Jobs that read and write queues of a real RabbitMQ broker."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pystream.common import Configuration, DeserializationSchema, RestartStrategies, SimpleStringSchema, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.connectors import RMQConnectionConfig, RMQSink, RMQSource
from pystream.errors import DeserializationError, JobExecutionError, SinkError
from pystream.testing import local_environment
from tests.servers.availability import server_or_skip
from tests.servers.rabbitmq import RabbitMQ
from typeinfo.info import TypeInformation

pytestmark = pytest.mark.time_limit(120)

PATIENCE = 60  # seconds


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitMQ]:
    with server_or_skip(lambda: RabbitMQ(tmp_path_factory.mktemp("rabbitmq"))) as server:
        yield server


def connection(broker: RabbitMQ) -> RMQConnectionConfig:
    return RMQConnectionConfig.Builder().set_uri(broker.uri).set_network_recovery_interval(100).build()


def messages(
    env: StreamExecutionEnvironment, broker: RabbitMQ, queue: str, *, with_ids: bool = False
) -> DataStream[str]:
    source = RMQSource(connection(broker), queue, with_ids, SimpleStringSchema())
    return env.add_source(source, "messages")


def local(directory: Path, *, resume: bool = False, restarts: int = 0) -> StreamExecutionEnvironment:
    configuration = Configuration()
    configuration.set_string("execution.checkpointing.dir", str(directory))
    configuration.set_string("pystream.resume", str(resume).lower())
    env = local_environment(configuration).set_parallelism(1)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(restarts, 0))
    return env


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.05)


@pytest.mark.promise("connector:rabbitmq")
def test_messages_go_from_queue_to_queue(
    env: StreamExecutionEnvironment, host: str, broker: RabbitMQ
) -> None:
    sent = [f"message {number}" for number in range(200)]
    broker.publish(f"in-{host}", *sent)
    stream = messages(env, broker, f"in-{host}")
    stream.map(str.upper, Types.STRING()).add_sink(
        RMQSink(connection(broker), f"out-{host}", SimpleStringSchema())
    )
    job = env.execute_async("queues")
    assert broker.take(f"out-{host}", 200) == [message.upper() for message in sent]
    broker.publish(f"in-{host}", "the last")
    assert broker.take(f"out-{host}", 1) == ["THE LAST"]
    job.cancel().result()
    assert broker.waiting(f"out-{host}") == 0


def test_committed_messages_are_acknowledged(broker: RabbitMQ, tmp_path: Path) -> None:
    broker.publish("acknowledged", "a", "b", "c")
    with messages(local(tmp_path), broker, "acknowledged").execute_and_collect("job") as results:
        assert [next(results) for _ in range(3)] == ["a", "b", "c"]
    assert broker.waiting("acknowledged") == 0


def test_a_bounded_job_publishes_messages(
    env: StreamExecutionEnvironment, host: str, broker: RabbitMQ
) -> None:
    numbers = env.from_collection(["one", "two", "three"], Types.STRING())
    numbers.add_sink(RMQSink(connection(broker), f"bounded-{host}", SimpleStringSchema()))
    env.execute("numbers")
    assert broker.take(f"bounded-{host}", 3) == ["one", "two", "three"]


@pytest.mark.parametrize("with_ids", [True, False])
def test_messages_of_a_job_that_fails_come_again(broker: RabbitMQ, tmp_path: Path, with_ids: bool) -> None:
    queue = f"failing-{with_ids}"
    sent = [str(number) for number in range(100)]
    mark = tmp_path / "failed"

    def fails_once(message: str) -> str:
        if message == "50" and not mark.exists():
            mark.touch()
            raise ValueError("the first time")
        return message

    broker.publish(queue, *sent, with_ids=with_ids)
    env = local(tmp_path / "checkpoints", restarts=1)
    stream = messages(env, broker, queue, with_ids=with_ids).map(fails_once, Types.STRING())
    found: Counter[str] = Counter()
    with stream.execute_and_collect("job") as results:
        broker.publish(queue, "end", with_ids=with_ids)
        for message in results:
            found[message] += 1
            if message == "end":
                break
    assert set(found) == {*sent, "end"}
    if with_ids:
        assert set(found.values()) == {1}


def test_a_broker_that_dies_doubles_no_message_with_an_id(broker: RabbitMQ, tmp_path: Path) -> None:
    sent = [str(number) for number in range(500)]
    broker.publish("dying", *sent[:250], with_ids=True)
    stream = messages(local(tmp_path), broker, "dying", with_ids=True)
    with stream.execute_and_collect("job") as results:
        found = [next(results) for _ in range(100)]
        broker.process.kill()
        broker.process.start()
        broker.publish("dying", *sent[250:], with_ids=True)
        found += [next(results) for _ in range(400)]
    assert sorted(found, key=int) == sent
    assert broker.waiting("dying") == 0


def test_a_sink_outlives_its_broker(broker: RabbitMQ, tmp_path: Path) -> None:
    env = local(tmp_path)
    stream = messages(env, broker, "before", with_ids=True)
    stream.add_sink(RMQSink(connection(broker), "after", SimpleStringSchema()))
    job = env.execute_async("job")
    broker.publish("before", "a", with_ids=True)
    wait_until(lambda: broker.waiting("after") == 1)
    broker.process.kill()
    broker.process.start()
    broker.publish("before", "b", with_ids=True)
    assert broker.take("after", 2) == ["a", "b"]
    job.cancel().result()


SCRIPT = """
import sys
from pystream.common import Encoder, SimpleStringSchema
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import FileSink, RMQConnectionConfig, RMQSource, RollingPolicy
uri, directory = sys.argv[1:]
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
source = RMQSource(RMQConnectionConfig.Builder().set_uri(uri).build(), "killed", True, SimpleStringSchema())
policy = RollingPolicy.on_checkpoint_rolling_policy()
sink = FileSink.for_row_format(directory, Encoder.simple_string_encoder()).with_rolling_policy(policy).build()
env.add_source(source, "messages").uid("messages").sink_to(sink).uid("files")
env.execute("job")
"""


def test_kill_9_neither_loses_nor_doubles_a_message_with_an_id(broker: RabbitMQ, tmp_path: Path) -> None:
    script, out = tmp_path / "job.py", tmp_path / "out"
    script.write_text(SCRIPT)
    command = [
        sys.executable,
        "-m",
        "pystream",
        "run",
        "--local",
        f"-Dexecution.checkpointing.dir={tmp_path}/state",
    ]

    def visible() -> list[str]:
        files = [path for path in out.rglob("part-*") if not path.name.startswith(".")]
        return [line for path in files for line in path.read_text().split()]

    def run(new: list[str], *, resume: bool) -> subprocess.Popen[bytes]:
        """Start the job, send it messages, and return it with some of them processed."""
        before = len(visible())
        job = subprocess.Popen([*command, *["--resume"] * resume, str(script), broker.uri, str(out)])
        broker.publish("killed", *new[:100], with_ids=True)
        wait_until(lambda: len(visible()) > before)
        broker.publish("killed", *new[100:], with_ids=True)
        return job

    sent = [str(number) for number in range(900)]
    for start in range(0, 900, 300):
        job = run(sent[start : start + 300], resume=start > 0)
        try:
            if start == 600:
                wait_until(lambda: len(visible()) >= 900)
        finally:
            job.send_signal(signal.SIGKILL)
            job.wait()
    assert Counter(visible()) == Counter(sent)


class Numbers(DeserializationSchema[int]):
    def deserialize(self, message: bytes) -> int | None:
        if message == b"x":
            raise DeserializationError("not a number")
        return int(message) if message else None

    def get_produced_type(self) -> TypeInformation[int]:
        return Types.INT()


def test_a_schema_leaves_out_messages_or_fails_the_job(broker: RabbitMQ, tmp_path: Path) -> None:
    broker.publish("numbers", "1", "", "2")
    stream = local(tmp_path).add_source(RMQSource(connection(broker), "numbers", False, Numbers()))
    with stream.execute_and_collect("job") as results:
        assert [next(results), next(results)] == [1, 2]
        broker.publish("numbers", "x")
        with pytest.raises(
            JobExecutionError, match=r"'numbers' cannot be decoded: DeserializationError: not a(.|\n)*b'x'"
        ):
            next(results)


def test_a_message_without_an_id_is_refused(broker: RabbitMQ, tmp_path: Path) -> None:
    broker.publish("anonymous", "a")
    stream = messages(local(tmp_path), broker, "anonymous", with_ids=True)
    with pytest.raises(JobExecutionError, match=r"'anonymous' has no correlation id.*at-least-once"):
        list(stream.execute_and_collect("job"))
    assert broker.waiting("anonymous") == 1


def test_a_broker_that_is_away_is_named_without_the_password(tmp_path: Path) -> None:
    builder = RMQConnectionConfig.Builder().set_host("127.0.0.1").set_port(1).set_virtual_host("/")
    config = builder.set_user_name("someone").set_password("secret").build()
    env = local(tmp_path)
    env.add_source(RMQSource(config, "q", False, SimpleStringSchema())).print()
    with pytest.raises(JobExecutionError, match=r"queue 'q' of RabbitMQ at 127.0.0.1:1/") as failure:
        env.execute("job")
    assert "secret" not in str(failure.value)
    env = local(tmp_path / "sink")
    env.from_collection(["a"], Types.STRING()).add_sink(RMQSink(config, "q", SimpleStringSchema()))
    with pytest.raises(
        SinkError, match=r"queue 'q' of RabbitMQ at 127.0.0.1:1/ cannot be written"
    ) as refusal:
        env.execute("job")
    assert "secret" not in str(refusal.value)
