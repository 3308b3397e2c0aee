"""The transactions of the Kafka sink, without a broker."""

from __future__ import annotations

import pickle
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from pystream.engine.connectors.kafka import transactions
from pystream.engine.connectors.kafka.producer_records import ProducerRecord
from pystream.engine.connectors.kafka.transactions import TransactionCommitter


class Client:
    """A producer's client; the first one never comes back from marking a transaction."""

    def __init__(self, calls: list[str], *, hangs: bool) -> None:
        self._calls = calls
        self._hangs = hangs

    def init_transactions(self, timeout: float) -> None:
        self._calls.append("init")

    def begin_transaction(self) -> None:
        self._calls.append("begin")

    def send_offsets_to_transaction(self, marks: list[Any], group: object, timeout: float) -> None:
        if self._hangs:
            threading.Event().wait()
        self._calls.append("mark")

    def commit_transaction(self, timeout: float) -> None:
        self._calls.append("commit")


class Marks:
    """The consumer that reads marks: none is there."""

    def __init__(self, settings: object) -> None:
        pass

    def consumer_group_metadata(self) -> str:
        return "group"

    def committed(self, partitions: list[Any], timeout: float) -> list[Any]:
        return [SimpleNamespace(error=None, offset=-1001)]

    def close(self) -> None:
        pass


def test_a_transaction_that_cannot_be_marked_in_time_is_written_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []
    clients = iter([Client(calls, hangs=True), Client(calls, hangs=False)])

    def producer(properties: object, **own: object) -> SimpleNamespace:
        client = next(clients)
        write = lambda record: calls.append(record.topic)  # noqa: E731
        return SimpleNamespace(client=client, write=write, check=lambda: None, close=lambda: None)

    monkeypatch.setattr(transactions, "RecordProducer", producer)
    monkeypatch.setattr(transactions.kafka(), "Consumer", Marks)
    monkeypatch.setattr(transactions, "_MARK_TIMEOUT", 1.0)
    monkeypatch.setattr(transactions, "_PAUSE", 0.01)
    committer = TransactionCommitter({"bootstrap.servers": "nowhere:1"}, "id")
    committer.open()
    committer.commit(3, (pickle.dumps([tuple(ProducerRecord("t", b"a"))]),))
    assert calls == ["init", "begin", "t", "init", "begin", "t", "mark", "commit"]
