"""Consumer: receives the messages of a queue in a thread of the driver."""

from __future__ import annotations

import logging
from collections import deque
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

from pystream.engine.connectors.rabbitmq.broker import Broker, failures
from pystream.engine.exception_encoding import summarize
from pystream.errors import SourceError

__all__ = ["Consumer", "Delivery", "Message"]

_LOG = logging.getLogger(__name__)

_PREFETCH = 16_384
_PAUSE = 1.0  # seconds between two looks for the end
_SECONDS_TO_END = 10.0


class Delivery(NamedTuple):
    """A message received over a connection, which only that connection can acknowledge.

    Attributes:
        connection: the number of the connection.
        tag: the number of the message within it.
    """

    connection: int
    tag: int


class Message(NamedTuple):
    """A message.

    Attributes:
        delivery: how it was received.
        body: its content.
        correlation_id: its correlation id; ``None`` if it has none.
    """

    delivery: Delivery
    body: bytes
    correlation_id: str | None


class Consumer:
    """Keep the messages that the broker delivers until they are taken; connect again when that is lost.

    After that, the broker delivers all messages again that were not acknowledged, taken or not. As long as
    none is acknowledged, no more of them are delivered than the prefetch count.

    Args:
        broker: the broker.
        queue: the name of the queue; a durable one is created if it does not exist.

    Raises:
        SourceError: no connection can be made, or the queue cannot be read.
    """

    def __init__(self, broker: Broker, queue: str) -> None:
        self._broker = broker
        self._queue = queue
        self._lock = Lock()
        self._messages: deque[Message] = deque()
        self._number = 0
        self._connection: Any = None
        self._channel: Any = None
        self._failure: BaseException | None = None
        self._ends = Event()
        try:
            self._connect()
        except failures() as error:
            self._disconnect()
            raise self._error("cannot be read", error) from error
        self._thread = Thread(target=self._run, name=f"RabbitMQ {broker} {queue}", daemon=True)
        self._thread.start()

    def count(self) -> int:
        """Return the number of messages that are received, and not taken."""
        return len(self._messages)

    def take(self, limit: int) -> list[Message]:
        """Return up to ``limit`` messages, all of one connection, in the order of the queue.

        Raises:
            SourceError: the connection is lost for good.
        """
        with self._lock:
            if self._failure is not None:
                raise self._error("cannot be read any more", self._failure) from self._failure
            return [self._messages.popleft() for _ in range(min(limit, len(self._messages)))]

    def acknowledge(self, delivery: Delivery) -> None:
        """Acknowledge a message and all delivered before it over the same connection, unless that is lost."""
        with self._lock:
            if delivery.connection == self._number and self._connection is not None:
                acknowledge = partial(self._channel.basic_ack, delivery.tag, multiple=True)
                with suppress(*failures()):  # the connection is about to be lost
                    self._connection.add_callback_threadsafe(acknowledge)

    def close(self) -> None:
        """Send all acknowledgments, and close the connection."""
        with self._lock:
            connection = self._connection
            if connection is None:
                self._ends.set()
            else:
                try:
                    connection.add_callback_threadsafe(self._ends.set)
                except failures():
                    self._ends.set()
        self._thread.join(_SECONDS_TO_END)
        self._ends.set()

    def _connect(self) -> Any:
        connection = self._broker.queue_connection(self._queue)
        channel = connection.channel()
        channel.basic_qos(prefetch_count=self._broker.prefetch_count or _PREFETCH)
        with self._lock:
            self._number += 1
            self._connection, self._channel = connection, channel
        channel.add_on_cancel_callback(self._cancelled)
        channel.basic_consume(self._queue, partial(self._received, self._number))
        return connection

    def _received(self, number: int, channel: Any, method: Any, properties: Any, body: bytes) -> None:
        message = Message(Delivery(number, method.delivery_tag), body, properties.correlation_id)
        with self._lock:
            self._messages.append(message)

    def _cancelled(self, frame: Any) -> None:
        """Give up a connection whose consumer the broker has ended, as it does when a queue is deleted."""
        raise ConnectionError(f"the broker has ended the consumer of queue {self._queue!r}")

    def _run(self) -> None:
        try:
            while not self._ends.is_set():
                try:
                    connection = self._connection
                    if connection is None:
                        connection = self._connect()
                    while not self._ends.is_set():
                        connection.process_data_events(_PAUSE)
                except failures() as error:
                    if not self._broker.recovers:
                        raise
                    self._disconnect()
                    self._pause(error)
        except BaseException as error:  # noqa: BLE001 - raised by the next `take`
            self._failure = error
        finally:
            self._disconnect()

    def _pause(self, error: BaseException) -> None:
        interval = self._broker.recovery_interval
        if not self._ends.is_set():
            _LOG.warning("%s; connecting again in %d ms", self._error("lost its connection", error), interval)
            self._ends.wait(interval / 1000)

    def _disconnect(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
            self._messages.clear()
        if connection is not None and connection.is_open:
            with suppress(*failures()):
                connection.close()

    def _error(self, what: str, error: BaseException) -> SourceError:
        return SourceError(f"queue {self._queue!r} of RabbitMQ at {self._broker} {what}: {summarize(error)}")
