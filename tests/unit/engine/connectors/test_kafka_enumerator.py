"""The enumerator of Kafka sources, without a broker."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from pystream.engine.connectors.kafka import enumerator, failures, offset_commits
from pystream.engine.connectors.kafka.cluster import PermanentSourceError, Subscription
from pystream.engine.connectors.kafka.enumerator import KafkaEnumerator
from pystream.engine.connectors.kafka.offsets import EARLIEST, TopicPartition
from pystream.errors import SourceError

PARTITION = TopicPartition("t", 0)


class FakeCluster:
    """A topic of one partition, whose end is one further each time that it is asked for."""

    def __init__(self, properties: Mapping[str, str], role: str = "") -> None:
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


class AbsentCluster(FakeCluster):
    """Answers only when the job starts."""

    asked_often = threading.Event()
    error: ClassVar[SourceError] = SourceError("no answer")

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        found = super().ends(partitions)
        if self._asked > 4:
            self.asked_often.set()
        if self._asked > 1:
            raise self.error
        return found


class DeletedTopic(AbsentCluster):
    """Is there only when the job starts."""

    error = PermanentSourceError("no such partition")


class ReturningTopic(AbsentCluster):
    """Is away for a while."""

    error = PermanentSourceError("no such partition")

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return FakeCluster.ends(self, partitions) if self._asked > 4 else super().ends(partitions)


class TopicOfAPattern(FakeCluster):
    """A second topic, which is deleted once its end was found."""

    other: ClassVar[TopicPartition] = TopicPartition("u", 0)
    is_deleted = False

    def partitions(self, subscription: Subscription) -> list[TopicPartition]:
        return [PARTITION] if self.is_deleted else [PARTITION, self.other]

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        if self.is_deleted and self.other in partitions:
            raise PermanentSourceError("no such partition")
        type(self).is_deleted = True
        return dict.fromkeys(partitions, 100)


def enumerate_with(
    cluster: type[FakeCluster], monkeypatch: pytest.MonkeyPatch, pattern: str = "", known: Any = None
) -> KafkaEnumerator:
    monkeypatch.setattr(enumerator, "Cluster", cluster)
    source: Any = SimpleNamespace(
        properties={},
        subscription=Subscription(pattern=pattern) if pattern else Subscription(topics=("t",)),
        starting=EARLIEST,
        stopping=None,
        discovery_interval=0,
        commits_offsets=True,
    )
    return KafkaEnumerator(source, 1, known)


def until_read(watching: KafkaEnumerator, offset: int) -> None:
    """Poll until the partition is read up to an offset."""
    end = time.monotonic() + 30
    while watching.snapshot().positions[PARTITION] < offset:
        watching.poll(0, 1)
        assert time.monotonic() < end


class RefusedCommits(FakeCluster):
    """Refuses to commit offsets."""

    asked_often = threading.Event()
    _commits = 0

    def commit(self, positions: Mapping[TopicPartition, int]) -> None:
        self._commits += 1
        if self._commits == 4:
            self.asked_often.set()
        raise PermanentSourceError("group 'g' is refused")


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


def test_a_cluster_that_does_not_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(enumerator, "_RETRY", 0.001)
    monkeypatch.setattr(failures, "_SECONDS_TO_PASS", 0.0)
    AbsentCluster.asked_often.clear()
    watching = enumerate_with(AbsentCluster, monkeypatch)
    assert AbsentCluster.asked_often.wait(10)
    assert watching.poll(0, 10) is not None
    watching.close()
    assert [each.getMessage() for each in caplog.records] == ["no answer; the cluster is asked again"]


def test_a_topic_that_stays_away_fails_the_next_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumerator, "_RETRY", 0.001)
    monkeypatch.setattr(failures, "_SECONDS_TO_PASS", 0.0)
    watching = enumerate_with(DeletedTopic, monkeypatch)
    watching._thread.join(30)
    with pytest.raises(SourceError, match="no such partition"):
        watching.poll(0, 10)
    watching.close()


def test_a_topic_that_is_away_for_a_moment_fails_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumerator, "_RETRY", 0.001)
    watching = enumerate_with(ReturningTopic, monkeypatch)
    until_read(watching, 10)
    watching.close()


def test_a_topic_of_a_pattern_may_be_deleted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(enumerator, "_RETRY", 0.001)
    monkeypatch.setattr(failures, "_SECONDS_TO_PASS", 5.0)
    monkeypatch.setattr(TopicOfAPattern, "is_deleted", False)
    watching = enumerate_with(TopicOfAPattern, monkeypatch, "t|u")
    end = time.monotonic() + 30
    while "partitions that are gone: u-0" not in caplog.text:
        assert time.monotonic() < end
    until_read(watching, 10)
    watching.close()
    resumed = enumerate_with(TopicOfAPattern, monkeypatch, "t|u", known=watching.snapshot())
    until_read(resumed, 20)
    resumed.close()


def test_commits_that_are_refused_are_logged_from_time_to_time_and_fail_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in {"_SECONDS_TO_PASS": 0.0, "_SECONDS_BETWEEN_WARNINGS": 0.0}.items():
        monkeypatch.setattr(failures, name, value)
    monkeypatch.setattr(offset_commits, "_RETRY", 0.001)
    monkeypatch.setattr(offset_commits, "Cluster", RefusedCommits)
    RefusedCommits.asked_often.clear()
    polled = enumerate_with(FakeCluster, monkeypatch)
    assert polled.poll(0, 1) is not None
    polled.completed()
    assert RefusedCommits.asked_often.wait(10)
    end = time.monotonic() + 30
    while polled.poll(0, 1) is None:
        assert time.monotonic() < end
    polled.close()
    found = {each.getMessage() for each in caplog.records}
    assert len(caplog.records) >= 3
    assert found == {"group 'g' is refused; the commit is tried again"}
