"""OffsetCommits: commits the offsets of a consumer group in the background."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from pystream.engine.connectors.kafka.cluster import Cluster
from pystream.engine.connectors.kafka.failures import Failures
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.errors import SourceError

__all__ = ["OffsetCommits"]

_RETRY = 1.0  # seconds after a commit that failed
_SECONDS_TO_END = 5.0


class OffsetCommits:
    """Commit the latest offsets, for those who watch the progress of a group.

    A commit may take long or fail, for instance while the group has other members, and holds back nothing:
    it is logged from time to time, and tried again.

    Args:
        properties: those of the program.
    """

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._cluster = Cluster(properties, "enumerator-commits")
        self._offsets: Mapping[TopicPartition, int] = {}
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="Kafka offsets", daemon=True)
        self._thread.start()

    def put(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Have offsets committed, in place of those before."""
        self._offsets = offsets
        self._changed.set()

    def close(self) -> None:
        """Commit the last offsets, and close the connection."""
        self._closed.set()
        self._changed.set()
        self._thread.join(_SECONDS_TO_END)

    def _run(self) -> None:
        failures, is_last = Failures("the commit is tried again"), False
        while not is_last:
            self._changed.wait()
            self._changed.clear()
            is_last = self._closed.is_set()
            try:
                if self._offsets:
                    self._cluster.commit(self._offsets)
                failures.clear()
            except SourceError as error:
                failures.add(error)
                self._closed.wait(_RETRY)
                self._changed.set()
        self._cluster.close()
