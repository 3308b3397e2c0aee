"""Clients of Pulsar: settings, connections, and positions in a topic."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from pystream.engine.connectors.packages import client_library

__all__ = [
    "BEFORE_ALL",
    "WHOLE_ENTRY",
    "ClientSettings",
    "Entry",
    "MessageKey",
    "client_errors",
    "client_of",
    "close_client",
    "key_of",
    "reader_after",
]

WHOLE_ENTRY = 2**31 - 1
"""The batch index after all messages of an entry."""


class Entry(NamedTuple):
    """The place of an entry in a topic, which holds a message or a batch of messages."""

    ledger: int
    number: int

    def __str__(self) -> str:
        return f"{self.ledger}:{self.number}"


class MessageKey(NamedTuple):
    """The place of a message in a topic.

    Attributes:
        entry: its entry.
        batch_index: its index in the batch; -1 outside of batches.
    """

    entry: Entry
    batch_index: int


BEFORE_ALL = Entry(-1, -1)


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """How to connect to a cluster.

    Attributes:
        service_url: its URL.
        authentication: the name of the plugin that authenticates, and its parameters; ``None`` for none.
        operation_timeout: how long to wait for an answer, in seconds.
        connection_timeout: how long to wait for a connection, in ms.
    """

    service_url: str
    authentication: tuple[str, str] | None = field(default=None, repr=False)
    operation_timeout: int = 30
    connection_timeout: int = 10_000

    def connect(self) -> Any:
        """Return a client, which connects when it is used.

        Raises:
            DependencyError: the client library is not installed.
        """
        pulsar = client_library("pulsar", "pulsar")
        return pulsar.Client(
            self.service_url,
            authentication=None
            if self.authentication is None
            else pulsar.Authentication(*self.authentication),
            operation_timeout_seconds=self.operation_timeout,
            connection_timeout_ms=self.connection_timeout,
            logger=pulsar.ConsoleLogger(client_library("_pulsar", "pulsar").LoggerLevel.Error),
        )


def client_errors() -> type[Exception]:
    """Return the class of the exceptions of the client library."""
    errors: type[Exception] = client_library("_pulsar", "pulsar").PulsarException
    return errors


@lru_cache(maxsize=16)
def client_of(settings: ClientSettings) -> Any:
    """Return the client of this process for reading, which stays open."""
    return settings.connect()


def close_client(client: Any) -> None:
    """Close a client; the error of one whose cluster is away would hide why it is closed."""
    with suppress(client_errors()):
        client.close()


def key_of(message_id: Any) -> MessageKey:
    """Return the place of a message by its id."""
    return MessageKey(Entry(message_id.ledger_id(), message_id.entry_id()), message_id.batch_index())


@contextmanager
def reader_after(client: Any, topic: str, entry: Entry) -> Iterator[Any]:
    """Open a reader of the messages after an entry, which need not exist any more."""
    pulsar = client_library("pulsar", "pulsar")
    start = pulsar.MessageId.earliest
    if entry > BEFORE_ALL:
        start = pulsar.MessageId(-1, entry.ledger, entry.number + 1, -1)
    reader = client.create_reader(topic, start, start_message_id_inclusive=True)
    try:
        yield reader
    finally:
        reader.close()
