"""Intruder: disturbs the consumer group as which a job commits its offsets."""

from __future__ import annotations

import time

from confluent_kafka import Consumer, TopicPartition

from tests.faults.connectors.scenarios import Event

__all__ = ["Intruder"]

_FAR = 1_000_000


class Intruder:
    """Another member of a group, or someone who changes its offsets.

    Args:
        servers: the bootstrap servers.
        topic: the topic that the group reads.
        partitions: the number of its partitions.
    """

    def __init__(self, servers: str, topic: str, partitions: int) -> None:
        self._settings = {
            "bootstrap.servers": servers,
            "group.id": f"group-{topic}",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "log_level": 0,
        }
        self._topic = topic
        self._partitions = partitions
        self._member: Consumer | None = None
        self._until = 0.0

    def begin(self, event: Event) -> None:
        """Join the group, or commit offsets that lie far behind or ahead."""
        consumer = Consumer(self._settings)
        if event.action == "join group":
            consumer.subscribe([self._topic])
            self._member, self._until = consumer, time.monotonic() + event.seconds
            return
        offsets = [
            TopicPartition(self._topic, number, 0 if number % 2 else _FAR)
            for number in range(self._partitions)
        ]
        consumer.commit(offsets=offsets, asynchronous=False)
        consumer.close()

    def serve(self) -> None:
        """Take part in the group as long as the event lasts."""
        if self._member is None:
            return
        self._member.poll(0)
        if time.monotonic() >= self._until:
            self.end()

    def end(self) -> None:
        """Leave the group."""
        member, self._member = self._member, None
        if member is not None:
            member.close()
