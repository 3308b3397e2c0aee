"""KafkaInput: topics of Kafka as a source, bounded or not."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pystream.engine.connectors.kafka.cluster import Cluster, Subscription
from pystream.engine.connectors.kafka.enumerator import KafkaEnumerator, KafkaProgress, joined
from pystream.engine.connectors.kafka.java_properties import obstacle_to_java
from pystream.engine.connectors.kafka.native_formats import MessageSchema
from pystream.engine.connectors.kafka.offsets import EARLIEST, Offsets
from pystream.engine.connectors.kafka.partition_reader import PartitionReader
from pystream.engine.connectors.kafka.records import Deserialization, Malformed
from pystream.engine.connectors.kafka.splits import KafkaSplit, OffsetRange, splits_of
from pystream.engine.events import Elements, RecordErrors, list_of
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

__all__ = ["KafkaInput"]

_LOG = logging.getLogger(__name__)

_FIRST_LIMIT = 65_536


@dataclass(frozen=True, slots=True)
class KafkaInput:
    """The records of topics.

    Attributes:
        properties: the properties of the consumer.
        subscription: the partitions.
        deserialization: turns records into elements.
        type_info: the type of the elements.
        starting: where reading starts.
        stopping: where it stops, ``None`` for never.
        is_bounded: whether the source counts as one that ends.
        discovery_interval: time between two looks for new partitions in ms; 0 for none.
        commits_offsets: whether positions are committed for the consumer group.
        by_partition: whether elements come with the name of their partition, and the number of partitions of
            the subtask, for watermarks by partition.
        value_schema: the schema of the values, ``None`` if records are deserialized as a whole.
    """

    properties: Mapping[str, str] = field(repr=False)
    subscription: Subscription
    deserialization: Deserialization = field(repr=False)
    type_info: TypeInformation[Any]
    starting: Offsets = EARLIEST
    stopping: Offsets | None = None
    is_bounded: bool = False
    discovery_interval: int = 0
    commits_offsets: bool = False
    by_partition: bool = False
    value_schema: MessageSchema | None = None
    _readers: dict[int, PartitionReader] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __getstate__(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__ if name != "_readers")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        names = (name for name in self.__slots__ if name != "_readers")
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_readers", {})

    @property
    def first_limit(self) -> int:
        """The limit of the first polls in records."""
        return _FIRST_LIMIT

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        are_columns = self.deserialization.at_once is not None and not self.by_partition
        return SourceColumns.TIMED if are_columns else SourceColumns.NONE

    def obstacle_to_real_time(self) -> str:
        """Return why Spark's Real-Time Mode cannot read the records, empty if it can."""
        if self.by_partition:
            return "there are no watermarks: pass WatermarkStrategy.no_watermarks()"
        if self.stopping is not None:
            return "it reads without an end: leave out set_bounded() and set_unbounded()"
        if self.starting.needs_group:
            return (
                "no offsets are committed, so it cannot start from committed ones; a job that is resumed "
                "continues where it was"
            )
        if self.deserialization.malformed is Malformed.SKIP:
            return "skip_malformed_records() counts what it skips; a malformed record fails the job"
        if self.value_schema is None:
            return (
                "Python deserializes whole records: use set_value_only_deserializer() with "
                "SimpleStringSchema or ByteArraySchema"
            )
        if self.value_schema.format is None:
            return (
                f"{self.value_schema.name} reads values in Python; SimpleStringSchema in UTF-8 and "
                "ByteArraySchema do not need it"
            )
        return obstacle_to_java(self.properties)

    def splits(self, parallelism: int) -> Sequence[Sequence[KafkaSplit]]:
        """Return the records between start and stop, a split for each subtask.

        Raises:
            SourceError: the topics do not exist, or the cluster cannot be reached.
        """
        assert self.stopping is not None
        cluster = Cluster(self.properties)
        try:
            partitions = cluster.partitions(self.subscription)
            starts = cluster.starts(partitions, self.starting)
            stops = cluster.offsets(partitions, self.stopping)
            ends = cluster.ends(partitions)
        finally:
            cluster.close()
        ranges = [OffsetRange(each, starts[each], min(stops[each], ends[each])) for each in partitions]
        return splits_of(ranges, partitions, parallelism)

    def enumerator(
        self, parallelism: int, position: KafkaProgress | None = None, changes: Sequence[KafkaProgress] = ()
    ) -> KafkaEnumerator:
        """Return an enumerator that continues at a position.

        Args:
            parallelism: number of subtasks.
            position: the position at a snapshot.
            changes: what the polls since have changed.

        Raises:
            SourceError: the topics do not exist, or the cluster cannot be reached.
        """
        known = None if position is None else joined(position, *changes)
        return KafkaEnumerator(self, parallelism, known)

    def size(self, split: KafkaSplit) -> int:
        """Return the number of offsets of a split."""
        return split.size

    def connected(self) -> KafkaInput:
        """Return the source with consumers of its own."""
        return replace(self)

    def disconnect(self) -> None:
        """Close the consumers of this process."""
        while self._readers:
            self._readers.popitem()[1].close()

    def measure(self, values: Sequence[Any]) -> int:
        """Return the number of elements."""
        return len(values)

    def read(self, split: KafkaSplit) -> Iterator[Elements | RecordErrors]:
        """Yield the elements in the records of a split, with the timestamps of the records.

        Raises:
            SourceError: a record is malformed, has an element of another type, or is no longer there.
        """
        from pystream.engine.vectorised.columns import ColumnValues
        from typeinfo.serde import serializer_for

        conform = serializer_for(self.type_info).conform
        reader = self._readers.get(split.subtask)
        if reader is None:
            reader = self._readers[split.subtask] = PartitionReader(self.properties, split.subtask)
        for partition, messages in reader.read(split.ranges):
            found = self.deserialization.elements(messages)
            if found.problem:
                _LOG.warning("%s; records skipped: %d", found.problem, found.skipped)
                yield RecordErrors(found.skipped)
            if not found.values:
                continue
            values = found.values
            try:
                if not isinstance(values, ColumnValues):
                    values = conform(list_of(values))
            except TypeCheckError as error:
                raise SourceError(f"an element in a record of partition {partition}: {error}") from error
            if self.by_partition:
                name, count = str(partition), split.partitions
                values = [(name, count, value) for value in values]
            yield Elements(values, found.timestamps)
