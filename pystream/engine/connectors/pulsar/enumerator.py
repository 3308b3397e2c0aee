"""PulsarEnumerator: divides the messages of topics into epochs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.packages import client_library
from pystream.engine.connectors.pulsar.client import BEFORE_ALL, Entry, client_errors, close_client
from pystream.engine.connectors.pulsar.cursors import first_after, last_entry
from pystream.engine.connectors.pulsar.splits import Progress, PulsarSplit, shared_out
from pystream.errors import SourceError

if TYPE_CHECKING:
    from pystream.engine.connectors.pulsar.source import PulsarInput

__all__ = ["PulsarEnumerator"]

_INTERVAL = 50  # ms between two looks for new messages


class PulsarEnumerator:
    """Find new messages of each partition; the subscription keeps them until their epoch is complete.

    Args:
        source: the source.
        parallelism: number of subtasks.
        progress: the position to continue at.

    Raises:
        SourceError: a topic does not exist, or the cluster cannot be reached.
    """

    def __init__(self, source: PulsarInput, parallelism: int, progress: Progress | None = None) -> None:
        progress = Progress({}, {}) if progress is None else progress
        self._source = source
        self._parallelism = parallelism
        self._positions = dict(progress.positions)
        self._stops = dict(progress.stops)
        self._before_stop = dict[str, Entry]()  # the last entry at which the stop was not known
        self._acknowledged = dict[str, Entry]()
        self._consumers: dict[str, Any] = {}
        self._next_discovery = 0
        self._library = client_library("pulsar", "pulsar")
        self._client = source.settings.connect()
        try:
            self._discover(is_first=not self._positions)
        except BaseException:
            self.close()
            raise

    @property
    def is_ended(self) -> bool:
        """Whether all partitions are read up to where they stop."""
        return all(self._is_read(topic) for topic in self._positions)

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next entries of each partition.

        Raises:
            SourceError: the cluster cannot be reached.
        """
        if self._source.discovery_interval and now >= self._next_discovery:
            self._next_discovery = now + self._source.discovery_interval
            self._discover(is_first=False)
        before = Progress(dict(self._positions), dict(self._stops))
        share = max(1, limit // max(1, len(self._positions)))
        splits, size, is_cut = [], 0, False
        for topic in self._positions:
            split, entries, is_more = self._next(topic, share)
            is_cut |= is_more
            if split is not None:
                splits.append(split)
                size += entries
        change = Progress(
            {topic: at for topic, at in self._positions.items() if before.positions.get(topic) != at},
            {topic: at for topic, at in self._stops.items() if topic not in before.stops},
        )
        if not splits and not change.positions and not change.stops:
            return None
        return Poll(shared_out(splits, [*self._positions], self._parallelism), size, change, is_cut)

    def all_splits(self) -> list[list[PulsarSplit]]:
        """Return the entries of each partition up to where it stops, or to its end."""
        splits = [split for topic in [*self._positions] if (split := self._next(topic, None)[0]) is not None]
        return shared_out(splits, [*self._positions], self._parallelism)

    def next_poll(self, now: int) -> int | None:
        """Return when to look for new messages; ``None`` once all are read."""
        return None if self.is_ended else now + _INTERVAL

    def backlog(self, now: int) -> Backlog | None:
        """Return ``None``: how many messages there are is unknown."""
        return None

    def snapshot(self) -> Progress:
        """Return the last entries that were read, and the last ones to read."""
        return Progress(dict(self._positions), dict(self._stops))

    def completed(self) -> None:
        """Acknowledge the messages that were read, so that the cluster need not keep them.

        Raises:
            SourceError: the cluster cannot be reached.
        """
        for topic, entry in self._positions.items():
            if BEFORE_ALL < entry != self._acknowledged.get(topic):
                message = self._library.MessageId(-1, entry.ledger, entry.number, -1)
                self._call(self._consumers[topic].acknowledge_cumulative, message)
                self._acknowledged[topic] = entry

    def close(self) -> None:
        """Close the connections."""
        close_client(self._client)

    def _discover(self, *, is_first: bool) -> None:
        """Subscribe to the partitions; one that appears later is read from its first message."""
        for topic in self._source.topics:
            for partition in self._call(self._client.get_topic_partitions, topic):
                if partition not in self._consumers:
                    self._consumers[partition] = self._subscribe(partition)
                if partition not in self._positions:
                    self._positions[partition] = self._start(partition) if is_first else BEFORE_ALL

    def _subscribe(self, partition: str) -> Any:
        starts_late = self._source.start.kind == "latest"
        position = self._library.InitialPosition
        return self._call(
            self._client.subscribe,
            partition,
            self._source.subscription,
            consumer_name=self._source.consumer_name or None,
            receiver_queue_size=1,
            initial_position=position.Latest if starts_late else position.Earliest,
        )

    def _start(self, topic: str) -> Entry:
        last = self._call(last_entry, self._consumers[topic])
        if self._source.stop.kind == "latest":
            self._stops[topic] = last
        start: Entry = self._call(self._source.start.resolve, self._client, topic, last)
        return start

    def _is_read(self, topic: str) -> bool:
        return topic in self._stops and self._positions[topic] >= self._stops[topic]

    def _next(self, topic: str, limit: int | None) -> tuple[PulsarSplit | None, int, bool]:
        """Return the next entries of a partition, how many they are, and whether more are there."""
        if self._is_read(topic):
            return None, 0, False
        last = self._call(last_entry, self._consumers[topic])
        if topic not in self._stops and self._before_stop.get(topic) != last:
            stop = self._call(self._source.stop.resolve, self._client, topic, last)
            if stop is None:
                self._before_stop[topic] = last
            else:
                self._stops[topic] = stop
        end = min(last, self._stops.get(topic, last))
        after = self._positions[topic]
        if after >= end:
            return None, 0, False
        if after.ledger != end.ledger:  # the next entry is not the next number: ledgers end somewhere
            first = self._call(first_after, self._client, topic, after)
            if first is None or first > end:
                self._positions[topic] = end
                return None, 0, False
            after = Entry(first.ledger, first.number - 1)
        if limit is None:
            self._positions[topic] = end
            return PulsarSplit(topic, after, end), 1, False
        until = Entry(after.ledger, after.number + limit)
        last_taken = min(until, end)
        self._positions[topic] = last_taken
        size = (last_taken.number if last_taken.ledger == after.ledger else until.number) - after.number
        return PulsarSplit(topic, after, last_taken), size, last_taken < end

    def _call(self, request: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return request(*arguments, **named)
        except client_errors() as error:
            raise SourceError(f"Pulsar at {self._source.settings.service_url}: {error}") from error
