"""A standalone broker of Pulsar, from Maven Central."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self
from urllib.error import URLError
from urllib.request import Request, urlopen

import _pulsar
import pulsar

from tests.servers.maven import class_path
from tests.servers.process import ServerProcess, free_port

__all__ = ["PulsarBroker"]

_COORDINATES = ("org.apache.pulsar:pulsar-broker:4.0.7",)
_OPENED = (
    "java.base/java.nio",
    "java.base/jdk.internal.misc",
    "java.base/sun.net",
    "java.management/sun.management",
    "jdk.management/com.sun.management.internal",
)
_JAVA = (
    "java",
    *("-Xmx384m", "-Xms128m", "-XX:MaxDirectMemorySize=128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dpulsar.allocator.pooled=false",
)
_SETTINGS = """
brokerServicePort={port}
webServicePort={web}
bindAddress=127.0.0.1
advertisedAddress=127.0.0.1
clusterName=standalone
managedLedgerDefaultEnsembleSize=1
managedLedgerDefaultWriteQuorum=1
managedLedgerDefaultAckQuorum=1
managedLedgerMaxEntriesPerLedger=20
managedLedgerMinLedgerRolloverTimeMinutes=0
brokerDeleteInactiveTopicsEnabled=false
systemTopicEnabled=false
topicLevelPoliciesEnabled=false
defaultRetentionTimeInMinutes=60
defaultRetentionSizeInMB=100
numIOThreads=2
numHttpServerThreads=8
"""
_TIMEOUT = 10  # seconds for a request


class PulsarBroker:
    """A broker with its data in a directory, on ports of the loopback interface that stay the same.

    Ledgers are short, so that tests read across their ends.

    Args:
        directory: for its data, settings and log.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._port, self._web = free_port(), free_port()
        settings = directory / "standalone.conf"
        settings.write_text(_SETTINGS.format(port=self._port, web=self._web))
        main = ["-cp", class_path(_COORDINATES), "org.apache.pulsar.PulsarStandaloneStarter"]
        options = ["--config", str(settings), "--no-functions-worker", "--no-stream-storage"]
        data = ["--metadata-dir", str(directory / "metadata"), "--bookkeeper-dir", str(directory / "ledgers")]
        command = [*_JAVA, *main, *options, *data, "--bookkeeper-port", str(free_port())]
        self.process = ServerProcess(command, directory / "server.log", self._answers)

    @property
    def url(self) -> str:
        """The URL of the broker."""
        return f"pulsar://127.0.0.1:{self._port}"

    @cached_property
    def client(self) -> pulsar.Client:
        """A client that sends and receives."""
        logger = pulsar.ConsoleLogger(_pulsar.LoggerLevel.Error)
        return pulsar.Client(self.url, operation_timeout_seconds=_TIMEOUT, logger=logger)

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        if "client" in vars(self):
            self.client.close()
        self.process.kill()

    def kill_and_restart(self) -> None:
        """End the broker at once, and start it again.

        Its store of ledgers may find the registration that the killed one left, and then drop and renew it
        endlessly. A broker that is asked to stop takes its registration back: the next one makes a new one.
        """
        self.process.kill()
        self.process.start()
        self.process.stop()
        self.process.start()

    def create_topic(self, name: str, partitions: int) -> str:
        """Create a topic with partitions, and return its name."""
        self._request(f"persistent/public/default/{name}/partitions", "PUT", partitions)
        return name

    def add_partitions(self, name: str, total: int) -> None:
        """Give a topic more partitions."""
        self._request(f"persistent/public/default/{name}/partitions", "POST", total)

    def backlog(self, topic: str, subscription: str) -> int:
        """Return how many messages of a topic without partitions a subscription keeps."""
        stats = self._request(f"persistent/public/default/{topic}/stats", "GET")
        backlog: int = stats["subscriptions"][subscription]["msgBacklog"]
        return backlog

    def send(self, topic: str, messages: Iterable[str], batching: bool = False) -> list[Any]:
        """Send messages, and return their ids."""
        producer = self.client.create_producer(topic, batching_enabled=batching)
        ids = []
        if batching:
            for message in messages:
                producer.send_async(message.encode(), lambda result, sent: ids.append(sent))
            producer.flush()
        else:
            ids += [producer.send(message.encode()) for message in messages]
        producer.close()
        return ids

    def messages(self, topic: str) -> list[str]:
        """Return all messages of a topic, those of one partition after those of another."""
        texts = []
        for partition in self.client.get_topic_partitions(topic):
            reader = self.client.create_reader(partition, pulsar.MessageId.earliest)
            while reader.has_message_available():
                texts.append(reader.read_next(_TIMEOUT * 1000).data().decode())
            reader.close()
        return texts

    def _request(self, path: str, method: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self._web}/admin/v2/{path}"
        request = Request(url, data, {"Content-Type": "application/json"}, method=method)
        with urlopen(request, timeout=_TIMEOUT) as answer:
            return json.loads(answer.read() or b"null")

    def _answers(self) -> bool:
        with suppress(URLError, OSError):
            return bool(self._request("namespaces/public", "GET"))
        return False
