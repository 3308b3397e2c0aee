"""The driver side of a queue: which messages are taken, known and acknowledged."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from pystream.datastream.connectors.rabbitmq import RMQConnectionConfig, RMQSource
from pystream.datastream.formats.csv import CsvRowDeserializationSchema
from pystream.engine.connectors.rabbitmq import source as module
from pystream.engine.connectors.rabbitmq.broker import Broker
from pystream.engine.connectors.rabbitmq.consumer import Delivery, Message
from pystream.engine.connectors.rabbitmq.source import QueueEnumerator, QueueSource
from pystream.engine.vectorised.columns import ColumnValues
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from typeinfo import Types


class Deliveries:
    """A consumer whose messages the test sends."""

    def __init__(self, broker: Broker, queue: str) -> None:
        self._messages: list[Message] = []
        self._tag = 0
        self.acknowledged: list[Delivery] = []

    def send(self, connection: int, *ids: str | None) -> None:
        for each in ids:
            self._tag += 1
            self._messages.append(Message(Delivery(connection, self._tag), f"{each}".encode(), each))

    def count(self) -> int:
        return len(self._messages)

    def take(self, limit: int) -> list[Message]:
        taken, self._messages = self._messages[:limit], self._messages[limit:]
        return taken

    def acknowledge(self, delivery: Delivery) -> None:
        self.acknowledged.append(delivery)


class Driver:
    """An enumerator, and what it makes of messages."""

    def __init__(
        self, *, uses_ids: bool, position: bytes | None = None, changes: Sequence[bytes] = ()
    ) -> None:
        self.source = QueueSource(Broker("host", 1, "/"), "q", uses_ids, b"", Types.STRING())
        self.enumerator: QueueEnumerator = self.source.enumerator(2, position, changes)
        self.consumer: Deliveries = self.enumerator._consumer  # type: ignore[assignment]
        self.changes: list[bytes] = []

    def poll(self, limit: int = 100) -> list[str]:
        poll = self.enumerator.poll(0, limit)
        if poll is None:
            return []
        self.changes.append(poll.change)
        first, second = poll.splits
        assert not second
        return [body.decode() for split in first for body in split]


@pytest.fixture(autouse=True)
def _without_a_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Consumer", Deliveries)


def test_messages_are_acknowledged_once_their_epoch_is_completed() -> None:
    driver = Driver(uses_ids=False)
    driver.consumer.send(1, "a", "b", "c")
    assert driver.poll(limit=2) == ["a", "b"]
    assert driver.consumer.acknowledged == []
    driver.enumerator.completed()
    assert driver.consumer.acknowledged == [Delivery(1, 2)]
    driver.enumerator.completed()
    assert driver.consumer.acknowledged == [Delivery(1, 2)]


def test_a_known_id_is_dropped_and_acknowledged_with_the_rest() -> None:
    driver = Driver(uses_ids=True)
    driver.consumer.send(1, "a", "b")
    assert driver.poll() == ["a", "b"]
    driver.consumer.send(2, "a", "b", "c")
    assert driver.poll() == ["c"]
    driver.enumerator.completed()
    assert driver.consumer.acknowledged == [Delivery(2, 5)]


def test_messages_that_are_all_known_are_acknowledged_at_once() -> None:
    driver = Driver(uses_ids=True)
    driver.consumer.send(1, "a", "b")
    assert driver.poll() == ["a", "b"]
    driver.enumerator.completed()
    driver.consumer.send(2, "a", "b")
    assert driver.poll() == []
    assert driver.consumer.acknowledged == [Delivery(1, 2), Delivery(2, 4)]


def test_without_ids_a_message_that_comes_again_is_taken_again() -> None:
    driver = Driver(uses_ids=False)
    driver.consumer.send(1, "a", "a")
    assert driver.poll() == ["a", "a"]


@pytest.mark.parametrize("snapshots", [0, 1, 2])
def test_ids_are_known_after_a_restart(snapshots: int) -> None:
    first = Driver(uses_ids=True)
    position = None
    for number, each in enumerate(["a", "b"]):
        if number < snapshots:
            first.changes.clear()
        first.consumer.send(1, each)
        first.poll()
        if number < snapshots:
            position = first.enumerator.snapshot()
            first.changes.clear()
    second = Driver(uses_ids=True, position=position, changes=first.changes)
    second.consumer.send(1, "a", "b", "c")
    assert second.poll() == ["c"]


def test_the_last_ids_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KNOWN_IDS", 3)
    driver = Driver(uses_ids=True)
    driver.consumer.send(1, "a", "b", "c", "d")
    driver.poll()
    driver.consumer.send(1, "d", "c", "b", "a")
    assert driver.poll() == ["a"]
    assert len(driver.enumerator.snapshot()) == 3 * 16


def test_a_message_without_an_id_is_refused() -> None:
    driver = Driver(uses_ids=True)
    driver.consumer.send(1, None)
    with pytest.raises(SourceError, match="queue 'q' has no correlation id"):
        driver.poll()


def broken(message: bytes) -> str:
    raise ValueError("no number")


def test_a_message_that_cannot_be_decoded_is_named() -> None:
    payload = pickle.dumps(SimpleNamespace(deserialize=broken))
    source = QueueSource(Broker("host", 1, "/"), "q", False, payload, Types.STRING())
    with pytest.raises(SourceError, match=r"queue 'q' cannot be decoded: ValueError: no number\n.*b'x'"):
        list(source.read([b"x"]))


def test_many_messages_become_columns() -> None:
    t: Any = Types.ROW_NAMED(["id"], [Types.LONG()])
    schema = CsvRowDeserializationSchema.Builder(t).build()
    builder = RMQConnectionConfig.Builder().set_host("host").set_port(1).set_virtual_host("/")
    config = builder.set_user_name("u").set_password("p").build()
    source = RMQSource(config, "q", False, schema).reader()
    assert source.columns is SourceColumns.TIMED
    bodies = [b"%d" % id for id in range(600)]
    (batch,) = source.read(bodies)
    assert isinstance(batch, ColumnValues)
    assert [row.id for row in batch] == list(range(600))
    assert [type(each) for each in source.read(bodies[:9])] == [list]
    with pytest.raises(SourceError, match=r"queue 'q' cannot be decoded: .*not a whole number\n.*b'x'"):
        list(source.read([*bodies, b"x"]))
