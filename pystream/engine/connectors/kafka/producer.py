"""RecordProducer: writes records to Kafka, and reports those that could not be delivered."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from pystream.engine.connectors.kafka.client_library import client_errors, is_permanent, kafka, reason_of
from pystream.engine.connectors.kafka.client_settings import producer_settings
from pystream.engine.connectors.kafka.producer_records import ProducerRecord
from pystream.errors import SinkError

__all__ = ["DeliveryError", "RecordProducer"]

_LOG = logging.getLogger(__name__)

_SERVED_EVERY = 1_024
_WAIT = 0.5  # seconds for room in the buffer, or for deliveries
_ANY_PARTITION = -1
_CURRENT_TIME = 0


class DeliveryError(SinkError):
    """A record could not be written.

    Attributes:
        is_permanent: whether another try would fail, too.
    """

    is_permanent: bool = False


class RecordProducer:
    """Write records in the background.

    Args:
        properties: those of the program.
        logs_failures: whether records that cannot be delivered are logged, each of them, and raise nothing.
        own: settings of the connector, ``_`` in place of dots.
    """

    def __init__(self, properties: Mapping[str, str], *, logs_failures: bool = False, **own: Any) -> None:
        self._logs_failures = logs_failures
        self._servers = properties.get("bootstrap.servers", "")
        with client_errors():
            self.client: Any = kafka().Producer(producer_settings(properties, **own))
        self._failure: DeliveryError | None = None
        self._count = 0

    def write(self, record: ProducerRecord) -> None:
        """Buffer a record; wait for room if there is none.

        Raises:
            DeliveryError: this record, or one before, cannot be delivered.
        """
        topic, value, key, headers, timestamp, partition = record
        self._count += 1
        if not self._count % _SERVED_EVERY:
            self.client.poll(0)
            self.check()
        while True:
            try:
                self.client.produce(
                    topic,
                    value,
                    key,
                    _ANY_PARTITION if partition is None else partition,
                    on_delivery=self._delivered,
                    timestamp=timestamp or _CURRENT_TIME,
                    headers=list(headers) if headers else None,
                )
            except BufferError:
                self.client.poll(_WAIT)
                self.check()
            except kafka().KafkaException as error:
                self._failed(error, topic)
                self.check()
                return
            else:
                return

    def flush(self) -> None:
        """Wait until all records are delivered.

        Raises:
            DeliveryError: one cannot be delivered.
        """
        while self.client.flush(_WAIT):
            self.check()
        self.check()

    def check(self) -> None:
        """Raise an error if a record could not be delivered.

        Raises:
            DeliveryError: the reason.
        """
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def close(self) -> None:
        """Drop what is not delivered, and close the connection."""
        self.client.purge()
        self.client.flush(0)

    def _delivered(self, error: Any, message: Any) -> None:
        if error is not None:
            self._failed(kafka().KafkaException(error), message.topic())

    def _failed(self, error: Exception, topic: str) -> None:
        """Log that a record was not delivered, or keep the first such error for `check`."""
        failure = DeliveryError(
            f"Kafka at {self._servers}: a record cannot be written to topic {topic!r}: {reason_of(error)}"
        )
        failure.is_permanent = is_permanent(error)
        if self._logs_failures:
            _LOG.error("%s", failure)
        elif self._failure is None:
            self._failure = failure
