"""QueueOutput: a sink that publishes messages to a queue."""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pystream.engine.connectors.packages import client_library
from pystream.engine.connectors.rabbitmq.broker import Broker, failures
from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.exception_encoding import summarize
from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.errors import SinkError

__all__ = ["QueueOutput", "QueueWriter"]

_LOG = logging.getLogger(__name__)

_MESSAGES = 1_000
_BYTES = 4 << 20
_PATIENCE = 120  # seconds for the broker to come back within an epoch
_PERSISTENT = 2


@dataclass(frozen=True, slots=True)
class QueueOutput:
    """Publishes elements as persistent messages, at least once.

    Attributes:
        broker: the broker.
        queue: the name of the queue.
        payload: the pickled serialization schema.
        description: the schema and where it is defined.
    """

    broker: Broker
    queue: str
    payload: bytes = field(repr=False)
    description: str

    def check(self) -> None:
        """Connect to the broker, and create a durable queue if there is none of that name.

        Raises:
            SinkError: no connection can be made, or the queue cannot be used.
        """
        try:
            self.broker.queue_connection(self.queue).close()
        except failures() as error:
            raise self.error("cannot be written", error) from error

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> QueueWriter:
        """Return a writer, which connects when it has messages."""
        return QueueWriter(self, pickle.loads(self.payload).serialize)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> NothingToCommit:
        """Return a committer that does nothing: the writers publish."""
        return NothingToCommit()

    def error(self, what: str, error: BaseException) -> SinkError:
        """Return an error that names the queue."""
        return SinkError(f"queue {self.queue!r} of RabbitMQ at {self.broker} {what}: {summarize(error)}")


class QueueWriter:
    """Publish messages in transactions of the broker, the last of an epoch at its end.

    When the connection is lost, the messages of a transaction that may not be complete are published again.

    Args:
        output: the queue.
        serialize: encodes an element.
    """

    def __init__(self, output: QueueOutput, serialize: Callable[[Any], bytes]) -> None:
        self._output = output
        self._serialize = serialize
        self._connection: Any = None
        self._channel: Any = None
        self._messages: list[bytes] = []
        self._bytes = 0
        self._is_returned = False

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Encode elements, and publish them in order.

        Raises:
            ElementFailure: an element cannot be encoded.
            SinkError: the broker is away for too long, or the queue was deleted.
        """
        for value in values:
            try:
                message = self._serialize(value)
            except BaseException as error:
                raise ElementFailure(value) from error
            self._messages.append(message)
            self._bytes += len(message)
            if len(self._messages) == _MESSAGES or self._bytes >= _BYTES:
                self._publish()

    def finish(self, *, end_of_input: bool = True) -> None:
        """Publish what is left, and wait until the broker has stored it.

        Raises:
            SinkError: the broker is away for too long, or the queue was deleted.
        """
        if self._messages:
            self._publish()

    def abort(self) -> None:
        """Drop the messages that are not published."""
        self._messages.clear()

    def close(self) -> None:
        """Close the connection."""
        self._disconnect()

    def _publish(self) -> None:
        broker = self._output.broker
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                self._transaction()
                break
            except failures() as error:
                self._disconnect()
                if not broker.recovers or time.monotonic() > end:
                    raise self._output.error("cannot be written", error) from error
                failure = self._output.error("cannot be written", error)
                _LOG.warning("%s; it is tried again in %d ms", failure, broker.recovery_interval)
                time.sleep(broker.recovery_interval / 1000)
        self._messages.clear()
        self._bytes = 0

    def _transaction(self) -> None:
        """Publish all messages in one transaction."""
        pika = client_library("pika", "rabbitmq")
        self._connect()
        properties = pika.BasicProperties(delivery_mode=_PERSISTENT)
        for message in self._messages:
            self._channel.basic_publish("", self._output.queue, message, properties, mandatory=True)
        self._channel.tx_commit()
        self._connection.process_data_events(0)
        if self._is_returned:
            raise ConnectionError("the queue does not exist any more")

    def _connect(self) -> None:
        """Connect, unless there is a connection, which may have been lost since the last epoch."""
        if self._connection is not None:
            with suppress(*failures()):
                self._connection.process_data_events(0)
            if self._connection.is_open:
                return
        self._is_returned = False
        self._connection = self._output.broker.queue_connection(self._output.queue)
        self._channel = self._connection.channel()
        self._channel.add_on_return_callback(self._returned)
        self._channel.tx_select()

    def _returned(self, channel: Any, method: Any, properties: Any, body: bytes) -> None:
        self._is_returned = True

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and connection.is_open:
            with suppress(*failures()):
                connection.close()
