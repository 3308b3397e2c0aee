"""The enumerator of Kafka sources, without a broker."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from pystream.engine.connectors.kafka import enumerator, offset_commits
from pystream.engine.connectors.kafka.cluster import Subscription
from pystream.engine.connectors.kafka.enumerator import KafkaEnumerator
from pystream.engine.connectors.kafka.offsets import EARLIEST, TopicPartition
from pystream.errors import SourceError

PARTITION = TopicPartition("t", 0)


class FakeCluster:
    """A topic of one partition, whose end is one further each time that it is asked for."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._asked = 0

    def partitions(self, subscription: Subscription) -> list[TopicPartition]:
        return [PARTITION]

    def starts(self, partitions: Collection[TopicPartition], offsets: Any) -> dict[TopicPartition, int]:
        return dict.fromkeys(partitions, 0)

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        self._asked += 1
        return dict.fromkeys(partitions, self._asked)

    def close(self) -> None:
        pass


class FailingCluster(FakeCluster):
    """Fails in an unexpected way when it is asked for the second time."""

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        if self._asked:
            raise RuntimeError("out of memory")
        return super().ends(partitions)


class DeletedTopic(FakeCluster):
    """Is there only when the job starts."""

    asked_often = threading.Event()

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        found = super().ends(partitions)
        if self._asked > 4:
            self.asked_often.set()
        if self._asked > 1:
            raise SourceError("no such partition")
        return found


def enumerate_with(cluster: type[FakeCluster], monkeypatch: pytest.MonkeyPatch) -> KafkaEnumerator:
    monkeypatch.setattr(enumerator, "Cluster", cluster)
    source: Any = SimpleNamespace(
        properties={},
        subscription=Subscription(topics=("t",)),
        starting=EARLIEST,
        stopping=None,
        discovery_interval=0,
        commits_offsets=True,
    )
    return KafkaEnumerator(source, 1, None)


class Commits(FakeCluster):
    """Takes commits of offsets, one at a time."""

    begun = threading.Event()
    may_end = threading.Event()
    committed: ClassVar[list[int]] = []

    def commit(self, positions: Mapping[TopicPartition, int]) -> None:
        self.begun.set()
        assert self.may_end.wait(30)
        self.committed.append(positions[PARTITION])


def test_an_unexpected_failure_between_two_polls_fails_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    polled = enumerate_with(FailingCluster, monkeypatch)
    polled._thread.join(30)
    with pytest.raises(RuntimeError, match="out of memory"):
        polled.poll(0, 10)
    polled.close()


def test_a_commit_of_offsets_that_takes_long_holds_back_no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offset_commits, "Cluster", Commits)
    polled = enumerate_with(FakeCluster, monkeypatch)
    assert polled.poll(0, 1) is not None
    polled.completed()
    assert Commits.begun.wait(30)
    left, end = polled.backlog(0).size, time.monotonic() + 30
    while polled.backlog(0).size <= left + 1:
        assert time.monotonic() < end
    assert polled.poll(0, 1) is not None
    polled.completed()
    Commits.may_end.set()
    polled.close()
    assert Commits.committed == [1, 2]


@pytest.mark.parametrize(("pause", "warnings"), [(0.0, 3), (60.0, 1)])
def test_a_failure_that_lasts_is_logged_from_time_to_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, pause: float, warnings: int
) -> None:
    monkeypatch.setattr(enumerator, "_RETRY", 0.001)
    monkeypatch.setattr(enumerator, "_SECONDS_BETWEEN_WARNINGS", pause)
    DeletedTopic.asked_often.clear()
    watching = enumerate_with(DeletedTopic, monkeypatch)
    assert DeletedTopic.asked_often.wait(10)
    watching.close()
    found = [each for each in caplog.records if each.getMessage() == "no such partition; it is asked again"]
    assert len(found) >= warnings
    assert pause == 0 or len(found) == 1
