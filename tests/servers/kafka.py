"""A Kafka broker in KRaft mode, from Maven Central."""

from __future__ import annotations

import socket
import subprocess
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Self

from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

from tests.servers.maven import class_path
from tests.servers.process import ServerProcess, free_port

__all__ = ["Broker"]

_COORDINATES = ("org.apache.kafka:kafka_2.13:4.2.0",)
_SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
log.dirs={data}
log.retention.ms=-1
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
"""
_JAVA = ("java", "-Xmx512m", "-Xms128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_TIMEOUT = 30  # seconds for a request to the broker


class Broker:
    """A broker with its data in a directory, on a port of the loopback interface that stays the same.

    Args:
        directory: for its data, settings and log.
        settings: additional settings.
    """

    def __init__(self, directory: Path, **settings: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._port = free_port()
        self._settings = directory / "server.properties"
        text = _SETTINGS.format(port=self._port, controller=free_port(), data=directory / "data")
        given = "".join(f"{key.replace('_', '.')}={value}\n" for key, value in settings.items())
        self._settings.write_text(text + given)
        self._classes = class_path(_COORDINATES)
        self._log = directory / "server.log"
        command = [*_JAVA, "-cp", self._classes, "kafka.Kafka", str(self._settings)]
        self.process = ServerProcess(command, self._log, self._answers)
        self._format()

    @property
    def servers(self) -> str:
        """The bootstrap servers."""
        return f"127.0.0.1:{self._port}"

    @cached_property
    def admin(self) -> AdminClient:
        """A client that administrates the broker."""
        return AdminClient({"bootstrap.servers": self.servers, "log_level": 0})

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def create_topic(self, name: str = "", partitions: int = 1, **settings: str) -> str:
        """Create a topic, and return its name; without one, it gets a name of its own."""
        name = name or f"topic-{uuid.uuid4().hex[:8]}"
        config = {key.replace("_", "."): value for key, value in settings.items()}
        new = NewTopic(name, num_partitions=partitions, replication_factor=1, config=config)
        self.admin.create_topics([new])[name].result(_TIMEOUT)
        return name

    def add_partitions(self, name: str, total: int) -> None:
        """Give a topic more partitions."""
        self.admin.create_partitions([NewPartitions(name, total)])[name].result(_TIMEOUT)

    def write(
        self,
        topic: str,
        values: Iterable[bytes | str | None],
        *,
        key: bytes | None = None,
        partition: int = 0,
        timestamp: int = 0,
        headers: Mapping[str, bytes] | None = None,
    ) -> None:
        """Write records to a partition; a timestamp of 0 is the current time."""
        producer = Producer({"bootstrap.servers": self.servers, "linger.ms": 5})
        for value in values:
            producer.produce(topic, value, key, partition, timestamp=timestamp, headers=dict(headers or {}))
        assert producer.flush(_TIMEOUT) == 0

    def read(self, topic: str, *, committed: bool = True) -> list[Message]:
        """Return all records of a topic, partition by partition.

        Args:
            topic: the topic.
            committed: whether those of open and aborted transactions are left out.
        """
        isolation = "read_committed" if committed else "read_uncommitted"
        consumer = Consumer(
            {
                "bootstrap.servers": self.servers,
                "group.id": "tests",
                "enable.partition.eof": True,
                "enable.auto.commit": False,
                "fetch.wait.max.ms": 10,
                "isolation.level": isolation,
            }
        )
        found: list[Message] = []
        for number in self.admin.list_topics(topic, timeout=_TIMEOUT).topics[topic].partitions:
            consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING)])
            while True:
                message = consumer.poll(_TIMEOUT)
                assert message is not None, f"no end of {topic}"
                if message.error() is not None:
                    break
                found.append(message)
        consumer.close()
        return found

    def values(self, topic: str, *, committed: bool = True) -> list[str]:
        """Return the values of all records of a topic as text, partition by partition."""
        return [(message.value() or b"").decode() for message in self.read(topic, committed=committed)]

    def _format(self) -> None:
        command = [*_JAVA, "-cp", self._classes, "kafka.tools.StorageTool", "format"]
        identity = ["-t", uuid.uuid4().hex[:22], "-c", str(self._settings)]
        done = subprocess.run([*command, *identity], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"the storage of Kafka cannot be formatted:\n{done.stdout}{done.stderr}")

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=1):
            metadata = self.admin.list_topics(timeout=5)
            return bool(metadata.brokers)
        return False
