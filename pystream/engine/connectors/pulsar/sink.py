"""The sink of Pulsar: messages, at least once."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from pystream.engine.connectors.packages import client_library
from pystream.engine.connectors.pulsar.client import ClientSettings, client_errors, close_client
from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.errors import SinkError

__all__ = ["MessagesOutput"]


@dataclass(frozen=True, slots=True)
class MessagesOutput:
    """A sink of messages, which the cluster has acknowledged when an epoch ends.

    Attributes:
        settings: how to connect.
        topics: the topics, to which elements go in turn.
        producer_name: the start of the names of the producers, empty for names by the cluster.
        schema: encodes elements.
        is_hashed: whether all messages of a subtask without a key go to one partition, not to all in turn.
        delay: after which time the messages are delivered, in ms.
        pending_messages: how many messages of a producer may wait for the cluster's answer.
        batch_size: how many messages are sent at once at most.
    """

    settings: ClientSettings
    topics: tuple[str, ...]
    producer_name: str
    schema: Any = field(repr=False)
    is_hashed: bool
    delay: int
    pending_messages: int
    batch_size: int

    def check(self) -> None:
        """Check that the client library is installed; the cluster may be away when the job starts.

        Raises:
            DependencyError: it is not.
        """
        client_library("pulsar", "pulsar")

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> MessageWriter:
        """Return a writer."""
        return MessageWriter(self, subtask.index)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> NothingToCommit:
        """Return a committer that has nothing to do."""
        return NothingToCommit()


class MessageWriter:
    """Send a message for each element.

    Args:
        output: the sink.
        subtask: the number of the subtask.

    Raises:
        SinkError: the cluster cannot be reached.
    """

    def __init__(self, output: MessagesOutput, subtask: int) -> None:
        self._serialize = output.schema.serialize
        self._delay = timedelta(milliseconds=output.delay) if output.delay else None
        self._url = output.settings.service_url
        self._changed = threading.Condition()
        self._in_flight = 0
        self._failures: list[tuple[Any, str]] = []
        self._turn = 0
        self._client = output.settings.connect()
        modes = client_library("pulsar", "pulsar").PartitionsRoutingMode
        mode = modes.UseSinglePartition if output.is_hashed else modes.RoundRobinDistribution
        # An attempt before this one may still be connected, and a topic takes a name only once.
        name = f"{output.producer_name}-{subtask}-{uuid.uuid4()}" if output.producer_name else None
        try:
            self._producers = [
                self._client.create_producer(
                    topic,
                    producer_name=name,
                    max_pending_messages=output.pending_messages,
                    batching_enabled=True,
                    batching_max_messages=output.batch_size,
                    block_if_queue_full=True,
                    message_routing_mode=mode,
                )
                for topic in output.topics
            ]
        except client_errors() as error:
            close_client(self._client)
            raise SinkError(f"Pulsar at {self._url} cannot be written to: {error}") from error

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Send elements in order; their timestamps become the event times of the messages.

        Raises:
            ElementFailure: one cannot be encoded, or could not be sent.
        """
        self._raise_failure()
        for number, value in enumerate(values):
            try:
                message = self._serialize(value)
            except Exception as error:
                raise ElementFailure(value) from error
            timestamp = NO_TIMESTAMP if timestamps is None else timestamps[number]
            producer = self._producers[self._turn]
            self._turn = (self._turn + 1) % len(self._producers)
            with self._changed:
                self._in_flight += 1
            try:
                producer.send_async(
                    message,
                    partial(self._sent, value),
                    event_timestamp=timestamp if timestamp > 0 else None,
                    deliver_after=self._delay,
                )
            except client_errors() as error:
                raise ElementFailure(value) from SinkError(f"Pulsar at {self._url} took no message: {error}")

    def finish(self, *, end_of_input: bool = True) -> None:
        """Wait until the cluster has acknowledged all messages.

        Raises:
            ElementFailure: one could not be sent.
        """
        for producer in self._producers:
            try:
                producer.flush()
            except client_errors() as error:
                self._raise_failure()
                raise SinkError(f"Pulsar at {self._url} cannot be written to: {error}") from error
        with self._changed:
            self._changed.wait_for(lambda: not self._in_flight)
        self._raise_failure()

    def abort(self) -> None:
        """Do nothing: messages that were sent cannot be taken back."""

    def close(self) -> None:
        """Close the connections."""
        close_client(self._client)

    def _sent(self, element: Any, result: Any, message_id: Any) -> None:
        """Note the outcome of a message; called by a thread of the client library."""
        with self._changed:
            self._in_flight -= 1
            if result.name != "Ok":
                self._failures.append((element, result.name))
            self._changed.notify_all()

    def _raise_failure(self) -> None:
        with self._changed:
            if self._failures:
                element, reason = self._failures[0]
                raise ElementFailure(element) from SinkError(
                    f"Pulsar at {self._url} took no message: {reason}"
                )
