"""KafkaOutput: topics of Kafka as a sink, and its writer with at-least-once delivery."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pystream.engine.connectors.interfaces import SinkCommitter, SinkWriter
from pystream.engine.connectors.kafka.client_library import client_errors, kafka
from pystream.engine.connectors.kafka.client_settings import producer_settings
from pystream.engine.connectors.kafka.java_properties import obstacle_to_java
from pystream.engine.connectors.kafka.native_formats import RecordSchemas
from pystream.engine.connectors.kafka.producer import RecordProducer
from pystream.engine.connectors.kafka.producer_records import ProducerRecord, serialized
from pystream.engine.connectors.kafka.transactions import StagingWriter, TransactionCommitter
from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.task_info import JobInfo, SubtaskInfo
from typeinfo.info import TypeInformation

__all__ = ["Guarantee", "KafkaOutput"]


class Guarantee(Enum):
    """The delivery guarantee of a sink: how often a record is written when its job is resumed."""

    NONE = "it may be lost or written twice"
    AT_LEAST_ONCE = "once or more"
    EXACTLY_ONCE = "once"


@dataclass(frozen=True, slots=True)
class KafkaOutput:
    """Topics as a sink.

    Attributes:
        properties: the properties of the producer.
        serialize: the pickled function that returns the record of an element and its timestamp, or ``None``.
        guarantee: how often a record is written.
        transactional_id_prefix: names the transactions of EXACTLY_ONCE.
        logs_failures: whether records that cannot be delivered are only logged.
        schemas: how elements become records, ``None`` if only ``serialize`` knows it.
    """

    properties: Mapping[str, str] = field(repr=False)
    serialize: bytes = field(repr=False)
    guarantee: Guarantee = Guarantee.AT_LEAST_ONCE
    transactional_id_prefix: str = ""
    logs_failures: bool = False
    schemas: RecordSchemas | None = None

    def obstacle_to_real_time(self, type_info: TypeInformation[Any]) -> str:
        """Return why Spark's Real-Time Mode cannot write elements, empty if it can.

        Args:
            type_info: their type.
        """
        if self.guarantee is Guarantee.EXACTLY_ONCE:
            return "records are written at least once there, not EXACTLY_ONCE"
        if self.schemas is None or self.logs_failures:
            return (
                "Python makes the records: use KafkaSink with KafkaRecordSerializationSchema.builder(), a "
                "topic, and SimpleStringSchema or ByteArraySchema"
            )
        return self.schemas.obstacle(type_info) or obstacle_to_java(self.properties)

    def check(self) -> None:
        """Check the properties.

        Raises:
            DependencyError: the client library is not installed.
            ConfigurationError: it refuses a property.
        """
        with client_errors():
            kafka().Producer(producer_settings(self.properties))

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> SinkWriter:
        """Return the writer of a subtask."""
        serialize = pickle.loads(self.serialize)
        if self.guarantee is Guarantee.EXACTLY_ONCE:
            return StagingWriter(serialize)
        return KafkaWriter(self, serialize)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> SinkCommitter:
        """Return the committer."""
        if self.guarantee is Guarantee.EXACTLY_ONCE:
            return TransactionCommitter(self.properties, f"{self.transactional_id_prefix}-{transaction}")
        return NothingToCommit()


class KafkaWriter:
    """Write records as they come, and have all delivered at the end of each epoch.

    Args:
        output: the sink.
        serialize: returns the record of an element.
    """

    def __init__(
        self, output: KafkaOutput, serialize: Callable[[Any, int | None], ProducerRecord | None]
    ) -> None:
        self._serialize = serialize
        self._waits = output.guarantee is Guarantee.AT_LEAST_ONCE
        self._producer = RecordProducer(output.properties, logs_failures=output.logs_failures)

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Write the records of elements.

        Raises:
            ElementFailure: an element cannot be serialized.
            SinkError: a record cannot be delivered.
        """
        for record in serialized(self._serialize, values, timestamps):
            self._producer.write(record)

    def finish(self, *, end_of_input: bool = True) -> None:
        """Wait until all records are delivered.

        Raises:
            SinkError: a record cannot be delivered.
        """
        if self._waits or end_of_input:
            self._producer.flush()

    def abort(self) -> None:
        """Do nothing: records that are written stay so."""

    def close(self) -> None:
        """Close the connection."""
        self._producer.close()
