"""RecordProducer: writes records to Kafka, and reports those that could not be delivered."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pystream.engine.connectors.kafka.client_settings import client_errors, kafka, producer_settings, reason_of
from pystream.engine.connectors.kafka.producer_records import ProducerRecord
from pystream.errors import SinkError

__all__ = ["RecordProducer"]

_SERVED_EVERY = 1_024
_WAIT = 0.5  # seconds for room in the buffer, or for deliveries
_NO_PARTITION = -1


class RecordProducer:
    """Write records in the background.

    Args:
        properties: those of the program.
        own: settings of the connector, ``_`` in place of dots.
    """

    def __init__(self, properties: Mapping[str, str], **own: Any) -> None:
        self._servers = properties.get("bootstrap.servers", "")
        with client_errors():
            self.client = kafka().Producer(producer_settings(properties, **own))
        self._failure: str | None = None
        self._count = 0

    def write(self, record: ProducerRecord) -> None:
        """Buffer a record; wait for room if there is none.

        Raises:
            SinkError: this record, or one before, cannot be delivered.
        """
        topic, value, key, headers, timestamp, partition = record
        optional: dict[str, Any] = {"headers": list(headers)} if headers else {}
        if timestamp is not None:
            optional["timestamp"] = timestamp
        if partition is not None:
            optional["partition"] = partition
        self._count += 1
        if not self._count % _SERVED_EVERY:
            self.client.poll(0)
            self.check()
        while True:
            try:
                self.client.produce(topic, value, key, on_delivery=self._delivered, **optional)
            except BufferError:
                self.client.poll(_WAIT)
                self.check()
            except kafka().KafkaException as error:
                raise self._error(reason_of(error), topic) from None
            else:
                return

    def flush(self, seconds: float | None = None) -> None:
        """Wait until all records are delivered.

        Args:
            seconds: how long at most; as long as delivery may take by default.

        Raises:
            SinkError: one cannot be delivered.
        """
        end = None if seconds is None else time.monotonic() + seconds
        while self.client.flush(_WAIT) and (end is None or time.monotonic() < end):
            self.check()
        self.check()

    def check(self) -> None:
        """Raise an error if a record could not be delivered.

        Raises:
            SinkError: the reason.
        """
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise SinkError(failure)

    def close(self) -> None:
        """Drop what is not delivered, and close the connection."""
        self.client.purge()
        self.client.flush(0)

    def _delivered(self, error: Any, message: Any) -> None:
        if error is not None and self._failure is None:
            self._failure = str(self._error(error.str(), message.topic()))

    def _error(self, reason: str, topic: str) -> SinkError:
        return SinkError(f"Kafka at {self._servers}: a record cannot be written to topic {topic!r}: {reason}")
