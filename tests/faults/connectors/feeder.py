"""Feeders: put the input of a run into a topic or a directory, batch by batch."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from confluent_kafka import Producer

from tests.faults.connectors.scenarios import ConnectorScenario
from tests.faults.records import Record

__all__ = ["DirectoryFeeder", "Feeder", "TopicFeeder"]

_RECORDS_A_BAD_ONE = 11
_BAD = (b"\xff\xfe", b"not JSON", b'{"number": "x", "user": "u", "amount": 1, "millis": 1}')
_SECONDS_TO_DELIVER = 120.0


class Feeder(Protocol):
    """Puts the input of a run in place."""

    @property
    def dropped(self) -> int:
        """The number of batches that are in place."""
        ...

    @property
    def records(self) -> int:
        """The number of records in them."""
        ...

    def drop_next(self) -> None:
        """Put the next batch, if there is one, in place."""

    def serve(self) -> None:
        """Let the deliveries make progress."""

    def close(self) -> None:
        """Wait for the deliveries."""


class DirectoryFeeder:
    """Puts a file for each batch into a directory.

    Args:
        scenario: the run.
        directory: the directory.
    """

    def __init__(self, scenario: ConnectorScenario, directory: Path) -> None:
        self._files = scenario.files
        self._directory = directory
        self.dropped = 0
        self.records = 0

    def drop_next(self) -> None:
        """Put the next file, if there is one, into the directory, complete from the start."""
        if self.dropped == len(self._files):
            return
        records = self._files[self.dropped]
        hidden = self._directory / f".{self.dropped:04}.csv"
        hidden.write_text("".join(record.line() for record in records))
        hidden.rename(hidden.with_name(hidden.name[1:]))
        self.records += len(records)
        self.dropped += 1

    def serve(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class TopicFeeder:
    """Writes each batch to a topic; the records of a user go to one partition, in order.

    Args:
        scenario: the run.
        servers: the bootstrap servers.
        topic: the topic.

    Attributes:
        bad: the hexadecimal values of malformed records, with their numbers of occurrences.
    """

    def __init__(self, scenario: ConnectorScenario, servers: str, topic: str) -> None:
        self._files = scenario.files
        self._has_bad = bool(scenario.malformed)
        self._servers = servers
        self._topic = topic
        self._partitions = scenario.partitions
        self._producer = self._connected()
        self._problem = ""
        self.dropped = 0
        self.records = 0
        self.bad: Counter[str] = Counter()

    def drop_next(self) -> None:
        """Write the next batch, if there is one."""
        if self.dropped == len(self._files):
            return
        records = self._files[self.dropped]
        for user, value in self._values(records):
            self._producer.produce(
                self._topic,
                value,
                user.encode(),
                partition=zlib.crc32(user.encode()) % self._partitions,
                on_delivery=self._delivered,
            )
        self.serve()
        self.records += len(records)
        self.dropped += 1

    def serve(self) -> None:
        """Let the deliveries make progress.

        Raises:
            RuntimeError: one has failed.
        """
        self._producer.poll(0)
        if self._problem:
            raise RuntimeError(f"the input cannot be written: {self._problem}")

    def grow(self, partitions: int) -> None:
        """Write to more partitions from now on."""
        self.close()
        self._partitions = partitions
        self._producer = self._connected()

    def close(self) -> None:
        """Wait for the deliveries.

        Raises:
            RuntimeError: not all succeed in time.
        """
        left = self._producer.flush(_SECONDS_TO_DELIVER)
        self.serve()
        if left:
            raise RuntimeError(f"{left} records of the input cannot be written")

    def _values(self, records: Iterable[Record]) -> Iterator[tuple[str, bytes]]:
        for each in records:
            fields = {"number": each.number, "user": each.user, "amount": each.amount, "millis": each.millis}
            yield each.user, json.dumps(fields).encode()
            if self._has_bad and each.number % _RECORDS_A_BAD_ONE == 0:
                bad = _BAD[each.number // _RECORDS_A_BAD_ONE % len(_BAD)]
                self.bad[bad.hex()] += 1
                yield each.user, bad

    def _connected(self) -> Producer:
        return Producer(
            {
                "bootstrap.servers": self._servers,
                "enable.idempotence": True,
                "delivery.timeout.ms": 600_000,
                "linger.ms": 5,
                "reconnect.backoff.max.ms": 1_000,
                "log_level": 0,
            }
        )

    def _delivered(self, error: object, message: object) -> None:
        if error is not None:
            self._problem = str(error)
