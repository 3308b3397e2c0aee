"""Where reading of a topic starts and stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pystream.engine.connectors.pulsar.client import (
    BEFORE_ALL,
    Entry,
    MessageKey,
    key_of,
    reader_after,
)

__all__ = ["Start", "Stop", "first_after", "last_entry"]

_PATIENCE = 30_000  # ms until a message that is there must have come


@dataclass(frozen=True, slots=True)
class Start:
    """Where reading starts.

    Attributes:
        kind: what the value is.
        value: the first message, or the earliest time at which it was published, in ms.
    """

    kind: Literal["earliest", "latest", "message", "published"] = "earliest"
    value: MessageKey | int | None = None

    def resolve(self, client: Any, topic: str, last: Entry) -> Entry:
        """Return the entry of a partition after which reading starts.

        Args:
            client: a client.
            topic: the partition.
            last: its last entry.
        """
        if self.kind == "latest":
            return last
        if isinstance(self.value, MessageKey):
            entry = self.value.entry
            return BEFORE_ALL if entry <= BEFORE_ALL else Entry(entry.ledger, entry.number - 1)
        if isinstance(self.value, int):
            first = first_published(client, topic, self.value)
            return last if first is None else Entry(first.ledger, first.number - 1)
        return BEFORE_ALL

    def includes(self, key: MessageKey, published: int) -> bool:
        """Return whether a message comes after the start."""
        if isinstance(self.value, MessageKey):
            return key >= self.value
        return self.value is None or published >= self.value


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stops.

    Attributes:
        kind: what the value is.
        value: the first message, or the earliest time of a message, that is not read any more.
    """

    kind: Literal["never", "latest", "message", "published"] = "never"
    value: MessageKey | int | None = None

    def resolve(self, client: Any, topic: str, last: Entry) -> Entry | None:
        """Return the last entry of a partition to read; ``None`` if it is not known yet.

        Args:
            client: a client.
            topic: the partition.
            last: its last entry.
        """
        if self.kind == "latest":
            return last
        if isinstance(self.value, MessageKey):
            return self.value.entry
        if isinstance(self.value, int):
            first = first_published(client, topic, self.value)
            return None if first is None else Entry(first.ledger, first.number - 1)
        return None

    def includes(self, key: MessageKey, published: int) -> bool:
        """Return whether a message comes before the stop."""
        if isinstance(self.value, MessageKey):
            return key < self.value
        return self.value is None or published < self.value


def last_entry(consumer: Any) -> Entry:
    """Return the last entry of the partition of a consumer."""
    return key_of(consumer.get_last_message_id()).entry


def first_after(client: Any, topic: str, entry: Entry) -> Entry | None:
    """Return the entry of the first message after an entry; ``None`` if there is none."""
    with reader_after(client, topic, entry) as reader:
        return _first(reader)


def first_published(client: Any, topic: str, time: int) -> Entry | None:
    """Return the entry of the first message that was published at a time or later, if there is one."""
    with reader_after(client, topic, BEFORE_ALL) as reader:
        reader.seek(time)
        return _first(reader)


def _first(reader: Any) -> Entry | None:
    return key_of(reader.read_next(_PATIENCE).message_id()).entry if reader.has_message_available() else None
