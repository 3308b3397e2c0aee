"""StartingOffsets: where a job in Real-Time Mode starts, found once and stored in its directory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Self

from pystream.engine.connectors.kafka.cluster import Cluster
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.engine.connectors.kafka.source import KafkaInput
from pystream.engine.connectors.storage import storage_of
from pystream.hosts.unbounded.checked_file import read_checked, remedied, write_checked
from pystream.hosts.unbounded.job_directory import JobDirectory

__all__ = ["StartingOffsets", "partition_count"]

_FILE = "starting-offsets"


@dataclass(frozen=True, slots=True)
class StartingOffsets:
    """The offset of each partition at which a new job starts.

    Spark stores offsets at the end of a batch only: a job that ends before has to start at the same ones
    again.

    Attributes:
        directory: the directory of the job.
        by_source: the offsets by the uid of the source.
    """

    directory: JobDirectory
    by_source: Mapping[str, Mapping[TopicPartition, int]]

    @classmethod
    def of(cls, directory: JobDirectory, sources: Mapping[str, KafkaInput]) -> Self:
        """Return the offsets of a new job, or the stored ones of a job that resumes.

        Args:
            directory: the directory of the job.
            sources: the sources by uid.

        Raises:
            SourceError: the topics do not exist, or the cluster cannot be reached.
            CheckpointError: the stored ones cannot be read.
        """
        storage, path = storage_of(directory.real_time)
        if directory.is_resumed:
            with remedied():
                stored = read_checked(storage, f"{path}/{_FILE}", directory.job_id)
            if stored is not None:
                found = json.loads(stored)
                by_source = {
                    uid: {TopicPartition(topic, number): offset for topic, number, offset in offsets}
                    for uid, offsets in found.items()
                }
                return cls(directory, by_source)
        return cls(directory, {uid: _found(source) for uid, source in sources.items()})

    def store(self) -> None:
        """Store the offsets; from then on the job has state.

        Raises:
            CheckpointError: they cannot be written.
        """
        storage, path = storage_of(self.directory.real_time)
        storage.make_directory(path, private=True)
        described = {
            uid: [[*partition, offset] for partition, offset in offsets.items()]
            for uid, offsets in self.by_source.items()
        }
        write_checked(storage, f"{path}/{_FILE}", json.dumps(described).encode(), self.directory.job_id)
        self.directory.begin()


def partition_count(source: KafkaInput) -> int:
    """Return the number of partitions of a source at this time.

    Raises:
        SourceError: the topics do not exist, or the cluster cannot be reached.
    """
    with closing(Cluster(source.properties)) as cluster:
        return len(cluster.partitions(source.subscription))


def _found(source: KafkaInput) -> dict[TopicPartition, int]:
    with closing(Cluster(source.properties)) as cluster:
        return cluster.starts(cluster.partitions(source.subscription), source.starting)
