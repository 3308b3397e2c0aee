"""The enumerator of Kafka sources, without a broker."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from pystream.engine.connectors.kafka import enumerator
from pystream.engine.connectors.kafka.cluster import Subscription
from pystream.engine.connectors.kafka.enumerator import KafkaEnumerator
from pystream.engine.connectors.kafka.offsets import EARLIEST, TopicPartition

PARTITION = TopicPartition("t", 0)


class FailingCluster:
    """A cluster that fails in an unexpected way when it is asked for the second time."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._asked = 0

    def partitions(self, subscription: Subscription) -> list[TopicPartition]:
        return [PARTITION]

    def offsets(self, partitions: Collection[TopicPartition], offsets: Any) -> dict[TopicPartition, int]:
        return dict.fromkeys(partitions, 0)

    def ends(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        self._asked += 1
        if self._asked > 1:
            raise RuntimeError("out of memory")
        return dict.fromkeys(partitions, 0)

    def close(self) -> None:
        pass


def test_an_unexpected_failure_between_two_polls_fails_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumerator, "Cluster", FailingCluster)
    source: Any = SimpleNamespace(
        properties={},
        subscription=Subscription(topics=("t",)),
        starting=EARLIEST,
        stopping=None,
        discovery_interval=0,
        commits_offsets=False,
    )
    polled = KafkaEnumerator(source, 1, None)
    polled._thread.join(30)
    with pytest.raises(RuntimeError, match="out of memory"):
        polled.poll(0, 10)
    polled.close()
