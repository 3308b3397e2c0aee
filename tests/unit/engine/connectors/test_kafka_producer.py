"""The producer of the Kafka sink, without a broker."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from pystream.engine.connectors.kafka import producer
from pystream.engine.connectors.kafka.producer_records import Fields
from pystream.engine.connectors.kafka.sink import KafkaOutput, KafkaWriter
from pystream.errors import SinkError

TOO_LARGE = KafkaError(KafkaError.MSG_SIZE_TOO_LARGE)


class Client:
    """Delivers one record with each call of `flush`, and none whose value starts with ``bad``."""

    def __init__(self, settings: object) -> None:
        self.delivered: list[bytes] = []
        self._waiting: list[tuple[bytes, Callable[[Any, Any], None]]] = []

    def produce(
        self, topic: str, value: bytes, key: object, partition: int, on_delivery: Any, **optional: Any
    ) -> None:
        if value == b"bad at once":
            raise KafkaException(TOO_LARGE)
        self._waiting.append((value, on_delivery))

    def flush(self, timeout: float) -> int:
        if self._waiting:
            value, on_delivery = self._waiting.pop(0)
            if value.startswith(b"bad"):
                on_delivery(TOO_LARGE, SimpleNamespace(topic=lambda: "t"))
            else:
                self.delivered.append(value)
        return len(self._waiting)


def writer(monkeypatch: pytest.MonkeyPatch, *, logs_failures: bool) -> tuple[KafkaWriter, Client]:
    client = Client({})
    library = SimpleNamespace(Producer=lambda settings: client, KafkaException=KafkaException)
    monkeypatch.setattr(producer, "kafka", lambda: library)
    fields = Fields("t", str.encode, has_timestamps=False)
    return KafkaWriter(KafkaOutput({}, pickle.dumps(fields), logs_failures=logs_failures), fields), client


def test_records_after_one_that_cannot_be_delivered_are_delivered_if_failures_are_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    writing, client = writer(monkeypatch, logs_failures=True)
    with caplog.at_level(logging.ERROR):
        writing.write(["a", "bad at once", "bad later", "b", "bad too", "c"])
        writing.finish(end_of_input=False)
    assert client.delivered == [b"a", b"b", b"c"]
    assert [record.message.partition("'t'")[0] for record in caplog.records] == [
        "Kafka at : a record cannot be written to topic "
    ] * 3


def test_a_record_that_cannot_be_delivered_fails_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    writing, _ = writer(monkeypatch, logs_failures=False)
    with pytest.raises(SinkError, match=r"a record cannot be written to topic 't': .*too large"):
        writing.write(["bad at once"])
    writing.write(["a", "bad later", "b"])
    with pytest.raises(SinkError, match=r"a record cannot be written to topic 't': .*too large"):
        writing.finish()
