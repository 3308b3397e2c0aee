"""KafkaEnumerator: divides the records that arrive in Kafka topics into epochs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.kafka.cluster import Cluster, Subscription
from pystream.engine.connectors.kafka.failures import Failures
from pystream.engine.connectors.kafka.offset_commits import OffsetCommits
from pystream.engine.connectors.kafka.offsets import EARLIEST, Offsets, TopicPartition
from pystream.engine.connectors.kafka.splits import limited, splits_of
from pystream.errors import SourceError

__all__ = ["KafkaEnumerator", "KafkaProgress", "Subscribed", "joined"]

_LOG = logging.getLogger(__name__)

_INTERVAL = 0.01  # seconds between two requests for the ends of partitions
_RETRY = 1.0  # seconds after one that failed
_SECONDS_TO_END = 5.0


class KafkaProgress(NamedTuple):
    """Positions in partitions: all of them in a snapshot, those that a poll has moved in its change.

    Attributes:
        positions: the next offset of each partition.
        stops: the offset at which the source stops reading a partition, where it does.
    """

    positions: Mapping[TopicPartition, int]
    stops: Mapping[TopicPartition, int]


class Subscribed(Protocol):
    """The settings of a source that its enumerator needs."""

    @property
    def properties(self) -> Mapping[str, str]: ...
    @property
    def subscription(self) -> Subscription: ...
    @property
    def starting(self) -> Offsets: ...
    @property
    def stopping(self) -> Offsets | None: ...
    @property
    def discovery_interval(self) -> int: ...
    @property
    def commits_offsets(self) -> bool: ...


class KafkaEnumerator:
    """Ask a cluster in the background for the ends of partitions, and divide what is new into epochs.

    A partition that is found later is read from its start. A topic that matches a pattern may be deleted. A
    cluster that does not answer is logged and asked again; if it refuses to answer for long, because a topic
    is gone or forbidden, the next poll fails.

    Args:
        source: the source.
        parallelism: number of subtasks.
        known: the progress before, ``None`` at the start.

    Raises:
        SourceError: the topics do not exist, or the cluster cannot be reached.
    """

    def __init__(self, source: Subscribed, parallelism: int, known: KafkaProgress | None) -> None:
        self._source = source
        self._parallelism = parallelism
        self._cluster = Cluster(source.properties)
        self._gone: set[TopicPartition] = set()
        try:
            partitions = self._cluster.partitions(source.subscription)
            progress = known or KafkaProgress({}, {})
            starting = EARLIEST if known else source.starting
            self._positions = dict(progress.positions)
            self._stops = dict(progress.stops)
            new = self._started(partitions, starting)
            self._positions |= new.positions
            self._stops |= new.stops
            self._gone = self._missing(self._positions, partitions)
            self._ends = self._cluster.ends(self._positions.keys() - self._gone)
        except BaseException:
            self._cluster.close()
            raise
        self._unreported = new if known else KafkaProgress({}, {})
        self._found = KafkaProgress({}, {})
        self._commits = OffsetCommits(source.properties) if source.commits_offsets else None
        self._lock = threading.Lock()
        self._failure: BaseException | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=f"Kafka {source.subscription}", daemon=True)
        self._thread.start()

    @property
    def is_ended(self) -> bool:
        """Whether all partitions are read up to the offsets at which the source stops."""
        return self._source.stopping is not None and all(
            self._positions[each] >= stop for each, stop in self._stops.items() if each not in self._gone
        )

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next records of the partitions, about as many of each.

        Raises:
            SourceError: a partition ends before the position in it.
            PermanentSourceError: the cluster has refused to answer for long.
            BaseException: the thread that asks it has failed with it.
        """
        if self._failure is not None:
            raise self._failure
        with self._lock:
            found, self._found = self._found, KafkaProgress({}, {})
            self._positions |= found.positions
            self._stops |= found.stops
            self._check_ends()
            ends = self._available()
        ranges = limited(self._positions, ends, limit)
        if not ranges:
            self._unreported = joined(self._unreported, found)
            return None
        moved = {each.partition: each.end for each in ranges}
        self._positions |= moved
        change = joined(self._unreported, found, KafkaProgress(moved, {}))
        self._unreported = KafkaProgress({}, {})
        size = sum(each.end - each.start for each in ranges)
        is_cut = any(ends[each] > at for each, at in self._positions.items() if each in ends)
        return Poll(splits_of(ranges, list(self._positions), self._parallelism), size, change, is_cut)

    def next_poll(self, now: int) -> int | None:
        """Return the time of the next answer of the cluster; at once if records are available."""
        if self.is_ended:
            return None
        return now if self._left() else now + int(_INTERVAL * 1000)

    def backlog(self, now: int) -> Backlog:
        """Return the number of offsets between the positions and the ends of the partitions."""
        return Backlog(self._left(), "records")

    def snapshot(self) -> KafkaProgress:
        """Return the position in each partition."""
        return KafkaProgress(dict(self._positions), dict(self._stops))

    def completed(self) -> None:
        """Have the positions committed as those of the consumer group, if the source does that."""
        if self._commits is not None:
            self._commits.put(dict(self._positions))

    def close(self) -> None:
        """End the requests to the cluster, and commit the last positions."""
        self._closed.set()
        if self._commits is not None:
            self._commits.close()
        self._thread.join(_SECONDS_TO_END)

    def _left(self) -> int:
        with self._lock:
            ends = self._available()
        return sum(max(0, ends.get(each, at) - at) for each, at in self._positions.items())

    def _check_ends(self) -> None:
        """Check that no partition has lost records that were read.

        Raises:
            SourceError: one has.
        """
        for each, end in self._ends.items():
            position = self._positions[each]
            if end < position:
                raise SourceError(
                    f"partition {each} of Kafka at {self._cluster.servers} ends at offset {end}, before "
                    f"{position}, where the job continues: the topic was deleted and created again, or has "
                    "lost records; start the job anew, without its state"
                )

    def _available(self) -> dict[TopicPartition, int]:
        """Return the end of each partition, or the offset at which the source stops before it."""
        return {each: min(end, self._stops.get(each, end)) for each, end in self._ends.items()}

    def _started(self, partitions: Sequence[TopicPartition], starting: Offsets) -> KafkaProgress:
        """Return where the source starts and stops reading the partitions that it does not know yet."""
        new = [each for each in partitions if each not in self._positions]
        stopping = self._source.stopping
        stops = {} if stopping is None else self._cluster.offsets(new, stopping)
        return KafkaProgress(self._cluster.starts(new, starting), stops)

    def _missing(
        self, known: Collection[TopicPartition], found: Collection[TopicPartition]
    ) -> set[TopicPartition]:
        """Return the known partitions that are gone; only topics that match a pattern may be."""
        if not self._source.subscription.pattern:
            return set()
        gone = {*known}.difference(found)
        if gone != self._gone:
            _LOG.warning("partitions that are gone: %s", ", ".join(map(str, sorted(gone))) or "none any more")
        return gone

    def _watch(self) -> None:
        """Ask the cluster until the enumerator is closed, then close the connection."""
        try:
            self._ask()
        except BaseException as error:  # noqa: BLE001 - raised where records are polled
            self._failure = error
        self._cluster.close()

    def _ask(self) -> None:
        """Ask the cluster until the enumerator is closed.

        Raises:
            PermanentSourceError: it has refused to answer for long.
        """
        interval = self._source.discovery_interval / 1000
        discovered = time.monotonic()
        failures = Failures("the cluster is asked again")
        while not self._closed.wait(_RETRY if failures.is_failing else _INTERVAL):
            try:
                is_due = interval > 0 and time.monotonic() >= discovered + interval
                if is_due or (failures.is_failing and self._source.subscription.pattern):
                    self._discover()
                    discovered = time.monotonic()
                with self._lock:
                    partitions = {*self._positions, *self._found.positions} - self._gone
                ends = self._cluster.ends(partitions)
                with self._lock:
                    self._ends = ends
                failures.clear()
            except SourceError as error:
                failures.add(error)
                if failures.is_final:
                    raise

    def _discover(self) -> None:
        """Look for partitions that are new, or gone."""
        with self._lock:
            known = {*self._positions, *self._found.positions}
        found = self._cluster.partitions(self._source.subscription)
        self._gone = self._missing(known, found)
        new = [each for each in found if each not in known]
        if new:
            _LOG.info("new partitions: %s", ", ".join(map(str, new)))
            started = self._started(new, EARLIEST)
            with self._lock:
                self._found = joined(self._found, started)


def joined(*progress: KafkaProgress) -> KafkaProgress:
    """Return positions and stops together, the later ones in place of the earlier."""
    positions: dict[TopicPartition, int] = {}
    stops: dict[TopicPartition, int] = {}
    for each in progress:
        positions |= each.positions
        stops |= each.stops
    return KafkaProgress(positions, stops)
