"""The readers of Kafka partitions, without a broker."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as ClientPartition

from pystream.common import SimpleStringSchema
from pystream.datastream.connectors.kafka import KafkaSource
from pystream.engine.connectors.kafka import cluster, partition_reader
from pystream.engine.connectors.kafka.cluster import Cluster
from pystream.engine.connectors.kafka.offset_commits import OffsetCommits
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.engine.connectors.kafka.source import KafkaInput
from pystream.engine.connectors.kafka.splits import KafkaSplit, OffsetRange
from pystream.errors import SourceError

SPLIT = KafkaSplit(3, (OffsetRange(TopicPartition("t", 0), 0, 1),), 1)


class Client:
    """A consumer that receives messages.

    Args:
        settings: those of the consumer.
        messages: what it receives.
    """

    def __init__(self, settings: Mapping[str, Any], messages: list[Any]) -> None:
        self.settings = settings
        self.is_open = True
        self._messages = messages

    def assign(self, partitions: object) -> None:
        pass

    def poll(self, timeout: float) -> Any:
        return self._messages.pop(0) if self._messages else None

    def consume(self, count: int, timeout: float) -> list[Any]:
        return []

    def committed(self, partitions: list[Any], timeout: float) -> list[Any]:
        return []

    def close(self) -> None:
        self.is_open = False


class Library:
    """The client library, with consumers that receive messages."""

    KafkaError = KafkaError
    KafkaException = KafkaException
    TopicPartition = ClientPartition

    def __init__(self, *messages: Any) -> None:
        self.messages = list(messages)
        self.clients: list[Client] = []

    def Consumer(self, settings: Mapping[str, Any]) -> Client:
        self.clients.append(Client(settings, self.messages))
        return self.clients[-1]


def message(topic: str | None, error: int | None = None) -> Any:
    return SimpleNamespace(
        topic=lambda: topic,
        partition=lambda: 0,
        offset=lambda: 0,
        value=lambda: b"a",
        timestamp=lambda: (1, 1_000),
        error=lambda: None if error is None else KafkaError(error, "refused"),
    )


def source_with(library: Library, monkeypatch: pytest.MonkeyPatch) -> KafkaInput:
    monkeypatch.setattr(partition_reader, "kafka", lambda: library)
    monkeypatch.setattr(cluster, "kafka", lambda: library)
    builder = KafkaSource.builder().set_bootstrap_servers("host:9092").set_topics("t").set_group_id("g")
    builder.set_client_id_prefix("prefix")
    return builder.set_value_only_deserializer(SimpleStringSchema()).build().reader()


def test_a_group_that_is_refused_stops_no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(message(None, KafkaError.GROUP_AUTHORIZATION_FAILED), message("t"))
    (found,) = source_with(library, monkeypatch).read(SPLIT)
    assert isinstance(found, tuple)
    assert found[0] == ["a"]


def test_a_topic_that_is_refused_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(message("t", KafkaError.TOPIC_AUTHORIZATION_FAILED))
    text = "Kafka at host:9092: cannot read records of partition t-0: refused; let the user of the source"
    with pytest.raises(SourceError, match=text):
        list(source_with(library, monkeypatch).read(SPLIT))


def test_a_source_that_is_disconnected_closes_its_consumers(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(message("t"), message("t"))
    source = source_with(library, monkeypatch)
    list(source.read(SPLIT))
    source.disconnect()
    assert [client.is_open for client in library.clients] == [False]
    list(source.read(SPLIT))
    assert [client.is_open for client in library.clients] == [False, True]


def test_another_job_has_consumers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(message("t"), message("t"))
    source = source_with(library, monkeypatch)
    other = source.connected()
    list(source.read(SPLIT))
    list(other.read(SPLIT))
    other.disconnect()
    assert [client.is_open for client in library.clients] == [True, False]


def test_brokers_know_the_clients_of_a_source_by_its_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(message("t"))
    source = source_with(library, monkeypatch)
    list(source.read(SPLIT))
    Cluster(source.properties)._committed([])
    commits = OffsetCommits(source.properties)
    commits._cluster._committed([])
    commits.close()
    assert [client.settings["client.id"] for client in library.clients] == [
        "prefix-3",
        "prefix-enumerator-consumer",
        "prefix-enumerator-commits",
    ]
