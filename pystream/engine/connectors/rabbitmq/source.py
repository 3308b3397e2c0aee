"""QueueSource: the messages of a queue as an unbounded source."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.rabbitmq.broker import Broker
from pystream.engine.connectors.rabbitmq.consumer import Consumer, Delivery, Message
from pystream.engine.exception_encoding import summarize
from pystream.engine.formats.columns_reader import read_at_once
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from typeinfo.info import TypeInformation

__all__ = ["KNOWN_IDS", "QueueSource"]

_FIRST_LIMIT = 16_384
_INTERVAL_MS = 10
_DIGEST_BYTES = 16
_BATCH = 8_192

KNOWN_IDS = 131_072
"""How many of the last correlation ids are known; the broker delivers fewer than 65,536 messages again."""


@dataclass(frozen=True, slots=True)
class QueueSource:
    """The messages of a queue, which are acknowledged once the epoch that has them is committed.

    Each epoch carries its messages, so that it can be repeated.

    Attributes:
        broker: the broker.
        queue: the name of the queue.
        uses_ids: whether messages whose correlation ids are known are dropped.
        payload: the pickled deserialization schema.
        type_info: type of the elements.
        are_columns: whether the schema reads many messages at once.
    """

    broker: Broker
    queue: str
    uses_ids: bool
    payload: bytes = field(repr=False)
    type_info: TypeInformation[Any]
    are_columns: bool = False

    @property
    def is_bounded(self) -> bool:
        """False, as further messages may always come."""
        return False

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.TIMED if self.are_columns else SourceColumns.NONE

    @property
    def first_limit(self) -> int:
        """The limit of the first polls in messages."""
        return _FIRST_LIMIT

    def enumerator(
        self, parallelism: int, position: bytes | None = None, changes: Sequence[bytes] = ()
    ) -> QueueEnumerator:
        """Connect to the broker.

        Args:
            parallelism: number of subtasks; the first one gets all messages.
            position: the digests of the known ids at a snapshot.
            changes: those of the ids in the polls since.

        Raises:
            SourceError: no connection can be made, or the queue cannot be read.
        """
        return QueueEnumerator(self, parallelism, b"".join([position or b"", *changes]))

    def read(self, split: Sequence[bytes]) -> Iterator[Sequence[Any]]:
        """Yield the elements of messages in order, without those that hold none.

        Raises:
            SourceError: a message cannot be decoded; the error names it.
        """
        from typeinfo.serde import serializer_for

        schema = pickle.loads(self.payload)
        deserialize = schema.deserialize
        at_once = schema.at_once() if self.are_columns else None
        conform = serializer_for(self.type_info).conform
        for start in range(0, len(split), _BATCH):
            bodies = split[start : start + _BATCH]
            columns = read_at_once(at_once, bodies)
            if columns is not None:
                yield columns
                continue
            elements = []
            for body in bodies:
                try:
                    element = deserialize(body)
                except Exception as error:
                    raise SourceError(
                        f"a message of queue {self.queue!r} cannot be decoded: {summarize(error)}\n"
                        f"  message: {body[:200]!r}"
                    ) from error
                if element is not None:
                    elements.append(element)
            yield conform(elements)


class QueueEnumerator:
    """Take messages from a queue, and acknowledge them once they are processed.

    Args:
        source: the queue.
        parallelism: number of subtasks.
        known: the digests of the last ids, joined.

    Raises:
        SourceError: no connection can be made, or the queue cannot be read.
    """

    is_ended = False

    def __init__(self, source: QueueSource, parallelism: int, known: bytes) -> None:
        self._source = source
        self._parallelism = parallelism
        self._ids: deque[bytes] = deque()
        self._known: set[bytes] = set()
        for at in range(0, len(known), _DIGEST_BYTES):
            self._learn(known[at : at + _DIGEST_BYTES])
        self._last: Delivery | None = None
        self._consumer = Consumer(source.broker, source.queue)

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the messages that have arrived, without those whose ids are known.

        Raises:
            SourceError: the connection is lost for good, or a message lacks an id.
        """
        messages = self._consumer.take(max(limit, 1))
        if not messages:
            return None
        self._last = messages[-1].delivery
        change = b""
        if self._source.uses_ids:
            messages, change = self._unknown(messages)
        if not messages:
            self.completed()  # all were in earlier epochs, which are committed
            return None
        splits: list[list[tuple[bytes, ...]]] = [[] for _ in range(self._parallelism)]
        splits[0].append(tuple(message.body for message in messages))
        return Poll(splits, len(messages), change, self._consumer.count() > 0)

    def next_poll(self, now: int) -> int:
        """Return the time of the next poll: at once if messages have arrived."""
        return now if self._consumer.count() else now + _INTERVAL_MS

    def backlog(self, now: int) -> Backlog:
        """Return the number of messages that have arrived."""
        return Backlog(self._consumer.count(), "records")

    def snapshot(self) -> bytes:
        """Return the digests of the last ids, joined."""
        return b"".join(self._ids)

    def completed(self) -> None:
        """Acknowledge all messages of polls."""
        last, self._last = self._last, None
        if last is not None:
            self._consumer.acknowledge(last)

    def close(self) -> None:
        """Close the connection; the broker keeps all messages that were not acknowledged."""
        self._consumer.close()

    def _unknown(self, messages: Sequence[Message]) -> tuple[list[Message], bytes]:
        """Return the messages with new ids, and the digests of these ids, which are known from now on."""
        unknown, digests = [], []
        for message in messages:
            if message.correlation_id is None:
                raise SourceError(
                    f"a message of queue {self._source.queue!r} has no correlation id: let the producer set "
                    "it, or pass False as use_correlation_id for at-least-once processing"
                )
            digest = blake2b(
                message.correlation_id.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES
            ).digest()
            if digest not in self._known:
                self._learn(digest)
                unknown.append(message)
                digests.append(digest)
        return unknown, b"".join(digests)

    def _learn(self, digest: bytes) -> None:
        self._ids.append(digest)
        self._known.add(digest)
        if len(self._ids) > KNOWN_IDS:
            self._known.discard(self._ids.popleft())
