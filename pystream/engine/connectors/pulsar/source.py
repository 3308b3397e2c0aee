"""PulsarInput: topics of Pulsar as a source, bounded or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pystream.engine.connectors.pulsar.client import (
    ClientSettings,
    Entry,
    client_errors,
    client_of,
    key_of,
    reader_after,
)
from pystream.engine.connectors.pulsar.cursors import Start, Stop
from pystream.engine.connectors.pulsar.enumerator import PulsarEnumerator
from pystream.engine.connectors.pulsar.splits import Progress, PulsarSplit
from pystream.engine.events import Elements
from pystream.engine.exception_encoding import summarize
from pystream.engine.formats.columns_reader import ColumnsReader, read_at_once
from pystream.errors import SourceError
from pystream.kinds import SourceColumns

__all__ = ["PulsarInput"]

_BATCH = 1_024
_PATIENCE = 30_000  # ms until a message that is there must have come


class _Found(NamedTuple):
    """A message to be decoded: its content, its place and the timestamp of its element."""

    data: bytes
    entry: Entry
    time: int


@dataclass(frozen=True, slots=True)
class PulsarInput:
    """The messages of topics.

    Attributes:
        settings: how to connect.
        topics: the topics.
        subscription: the name of the subscription that keeps messages until they are read.
        consumer_name: the name of the consumer, empty for any.
        schema: decodes messages.
        start: where reading starts.
        stop: where reading stops.
        is_bounded: whether the source counts as one that ends.
        discovery_interval: time between two looks for new partitions, in ms; 0 for none.
        at_once: reads many messages at once, ``None`` if they are decoded one by one.
    """

    settings: ClientSettings
    topics: tuple[str, ...]
    subscription: str
    consumer_name: str
    schema: Any = field(repr=False)
    start: Start
    stop: Stop
    is_bounded: bool
    discovery_interval: int
    at_once: ColumnsReader | None = None

    @property
    def first_limit(self) -> int:
        """The limit of the first polls in entries."""
        return 16_384

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.NONE if self.at_once is None else SourceColumns.TIMED

    def splits(self, parallelism: int) -> Sequence[Sequence[PulsarSplit]]:
        """Return the messages that are there between start and stop, a split for each partition.

        Raises:
            SourceError: a topic does not exist, or the cluster cannot be reached.
        """
        enumerator = PulsarEnumerator(self, parallelism)
        try:
            return enumerator.all_splits()
        finally:
            enumerator.close()

    def enumerator(
        self, parallelism: int, position: Progress | None = None, changes: Sequence[Progress] = ()
    ) -> PulsarEnumerator:
        """Return an enumerator that continues at a position.

        Args:
            parallelism: number of subtasks.
            position: the position at a snapshot.
            changes: what the polls since have changed.

        Raises:
            SourceError: a topic does not exist, or the cluster cannot be reached.
        """
        positions: dict[str, Entry] = {}
        stops: dict[str, Entry] = {}
        for known in ([] if position is None else [position]) + list(changes):
            positions.update(known.positions)
            stops.update(known.stops)
        return PulsarEnumerator(self, parallelism, Progress(positions, stops))

    def read(self, split: PulsarSplit) -> Iterator[Elements]:
        """Yield the elements of the messages of a partition in order.

        The timestamp of an element is the event time of its message, or else the time of its publication.

        Raises:
            SourceError: the messages cannot be read, are not there any more, or one cannot be decoded; the
                error names it.
        """
        found: list[_Found] = []
        for message in self._messages(split):
            key, published = key_of(message.message_id()), message.publish_timestamp()
            if self.start.includes(key, published) and self.stop.includes(key, published):
                found.append(_Found(message.data(), key.entry, message.event_timestamp() or published))
            if len(found) == _BATCH:
                yield from self._elements(split, found)
                found = []
        yield from self._elements(split, found)

    def _elements(self, split: PulsarSplit, found: Sequence[_Found]) -> Iterator[Elements]:
        """Yield the elements in messages, as columns if these are read at once.

        Raises:
            SourceError: a message cannot be decoded.
        """
        columns = read_at_once(self.at_once, [message.data for message in found])
        if columns is not None:
            yield Elements(columns, [message.time for message in found])
            return
        values: list[Any] = []
        times: list[int] = []
        for message in found:
            try:
                value = self.schema.deserialize(message.data)
            except Exception as error:
                raise SourceError(
                    f"message {message.entry} of topic {split.topic} cannot be decoded: {summarize(error)}"
                ) from error
            if value is not None:
                values.append(value)
                times.append(message.time)
        if values:
            yield Elements(values, times)

    def _messages(self, split: PulsarSplit) -> Iterator[Any]:
        client = client_of(self.settings)
        at = split.after
        try:
            with reader_after(client, split.topic, split.after) as reader:
                while reader.has_message_available():
                    message = reader.read_next(_PATIENCE)
                    entry = key_of(message.message_id()).entry
                    if at == split.after and (entry > split.last or entry.ledger != at.ledger):
                        break  # the first entry was in that ledger when the split was made
                    if entry > split.last:
                        return
                    at = entry
                    yield message
        except client_errors() as error:
            raise SourceError(f"topic {split.topic} cannot be read: {error}") from error
        if at < split.last:
            raise SourceError(
                f"messages of topic {split.topic} were deleted before they were processed, after {at} up "
                f"to {split.last}: its retention must be longer than the time that a job may be away"
            )
