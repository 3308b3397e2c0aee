"""FlinkKafkaConsumer and FlinkKafkaProducer: Flink's former source and sink functions for Kafka."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.connectors.kafka.offsets import KafkaOffsetResetStrategy, KafkaOffsetsInitializer
from pystream.datastream.connectors.kafka.source import KafkaSource
from pystream.datastream.functions import SinkFunction
from pystream.engine.connectors.kafka.producer_records import Fields
from pystream.engine.connectors.kafka.sink import Guarantee, KafkaOutput
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.io import Source
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = [
    "FlinkKafkaConsumer",
    "FlinkKafkaConsumer010",
    "FlinkKafkaConsumerBase",
    "FlinkKafkaProducer",
    "FlinkKafkaProducer010",
    "FlinkKafkaProducerBase",
    "Semantic",
]

OUT = TypeVar("OUT", covariant=True, default=Any)
IN = TypeVar("IN", contravariant=True, default=Any)

_FLINK_POOL_SIZE = 5


@checks_arguments(ArgumentTypeError)
class FlinkKafkaConsumerBase(Source[OUT], Generic[OUT]):
    """The values of the records in Kafka topics, for ``add_source``.

    A new job starts at the offsets that the consumer group has committed, and where there are none, at those
    of the property ``auto.offset.reset``, the latest ones by default. Otherwise it is a `KafkaSource`.

    Args:
        topics: the name of a topic, or several.
        deserialization_schema: reads the values.
        properties: those of the consumer; ``bootstrap.servers`` is needed.

    Mirrors ``org.apache.flink.streaming.connectors.kafka.FlinkKafkaConsumerBase``.
    """

    def __init__(
        self,
        topics: str | Sequence[str],
        deserialization_schema: DeserializationSchema[OUT],
        properties: Mapping[str, str],
    ) -> None:
        names = (topics,) if isinstance(topics, str) else tuple(topics)
        self._builder = (
            KafkaSource.builder()
            .set_properties(properties)
            .set_topics(*names)
            .set_value_only_deserializer(deserialization_schema)
        )
        self._properties = dict(properties)
        self.set_start_from_group_offsets()
        self._source()

    def set_commit_offsets_on_checkpoints(self, commit_on_checkpoints: bool) -> Self:
        """Set whether offsets are committed for the consumer group, as they are by default."""
        self._builder.set_property("commit.offsets.on.checkpoint", str(bool(commit_on_checkpoints)).lower())
        return self

    def set_start_from_earliest(self) -> Self:
        """Start with the oldest records."""
        self._builder.set_starting_offsets(KafkaOffsetsInitializer.earliest())
        return self

    def set_start_from_latest(self) -> Self:
        """Start with the records that come after the start of the job."""
        self._builder.set_starting_offsets(KafkaOffsetsInitializer.latest())
        return self

    def set_start_from_timestamp(self, startup_offsets_timestamp: int) -> Self:
        """Start with the first record of each partition with at least a timestamp, in ms since the epoch."""
        self._builder.set_starting_offsets(KafkaOffsetsInitializer.timestamp(startup_offsets_timestamp))
        return self

    def set_start_from_group_offsets(self) -> Self:
        """Start at the offsets that the consumer group has committed, which is the default.

        Raises:
            ConfigurationError: ``auto.offset.reset`` has no such value, or is none without a ``group.id``.
        """
        given = self._properties.get("auto.offset.reset", "latest")
        if given.upper() not in KafkaOffsetResetStrategy.__members__:
            raise ConfigurationError(
                f"the property 'auto.offset.reset' must be one of earliest, latest and none, not {given!r}"
            )
        reset = KafkaOffsetResetStrategy[given.upper()]
        if "group.id" in self._properties:
            offsets = KafkaOffsetsInitializer.committed_offsets(reset)
        elif reset is KafkaOffsetResetStrategy.NONE:
            raise ConfigurationError(
                "the property 'auto.offset.reset' is none, and without a group no offsets are committed to "
                "start from: set 'group.id', or call set_start_from_earliest or another of these methods"
            )
        else:
            is_earliest = reset is KafkaOffsetResetStrategy.EARLIEST
            offsets = KafkaOffsetsInitializer.earliest() if is_earliest else KafkaOffsetsInitializer.latest()
        self._builder.set_starting_offsets(offsets)
        return self

    def disable_filter_restored_partitions_with_subscribed_topics(self) -> Self:
        """Do nothing: a job continues to read all partitions that it has a position of."""
        return self

    def is_bounded(self) -> bool:
        """Return false."""
        return False

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._source().get_produced_type()

    def reader(self) -> Any:
        """Return the reader of the records."""
        return self._source().reader()

    def _source(self) -> KafkaSource[OUT]:
        return self._builder.build()


class FlinkKafkaConsumer(FlinkKafkaConsumerBase[OUT]):
    """The values of the records in Kafka topics, for ``add_source``; see `FlinkKafkaConsumerBase`.

    Mirrors ``org.apache.flink.streaming.connectors.kafka.FlinkKafkaConsumer``.
    """


@checks_arguments(ArgumentTypeError)
class FlinkKafkaConsumer010(FlinkKafkaConsumer[OUT]):
    """The same as `FlinkKafkaConsumer`, by the name that it had for Kafka 0.10.

    Args:
        topic: the name of a topic, or several.
        deserialization_schema: reads the values.
        properties: those of the consumer; ``bootstrap.servers`` is needed.
    """

    def __init__(
        self,
        topic: str | Sequence[str],
        deserialization_schema: DeserializationSchema[OUT],
        properties: Mapping[str, str],
    ) -> None:
        super().__init__(topic, deserialization_schema, properties)


class Semantic(Enum):
    """The delivery guarantee of a producer.

    Mirrors ``org.apache.flink.streaming.connectors.kafka.FlinkKafkaProducer.Semantic``.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = (1,)  # the value that it has in PyFlink
    NONE = 2


@checks_arguments(ArgumentTypeError)
class FlinkKafkaProducerBase(SinkFunction[IN], Generic[IN]):
    """Write elements to a Kafka topic, for ``add_sink``.

    Args:
        topic: the name of the topic.
        serialization_schema: writes the values; there are no keys.
        producer_config: properties of the producer; ``bootstrap.servers`` is needed.
        semantic: how often a record is written.

    Raises:
        ConfigurationError: ``bootstrap.servers`` is missing.

    Mirrors ``org.apache.flink.streaming.connectors.kafka.FlinkKafkaProducerBase``.
    """

    def __init__(
        self,
        topic: str,
        serialization_schema: SerializationSchema[IN],
        producer_config: Mapping[str, str],
        semantic: Semantic,
    ) -> None:
        require(topic, str, type(self).__name__, "the name of a topic")
        wanted = "a SerializationSchema such as SimpleStringSchema()"
        require(serialization_schema, SerializationSchema, type(self).__name__, wanted)
        require(semantic, Semantic, type(self).__name__, "a Semantic")
        if not producer_config.get("bootstrap.servers"):
            raise ConfigurationError(f"{type(self).__name__} needs the property bootstrap.servers")
        self._topic = topic
        self._schema = serialization_schema
        self._properties = dict(producer_config)
        self._guarantee = Guarantee[semantic.name]
        self._flushes = True
        self._logs_failures = False
        self._has_timestamps = False

    def set_log_failures_only(self, log_failures_only: bool) -> Self:
        """Set whether records that cannot be delivered are logged only, instead of failing the job."""
        self._logs_failures = bool(log_failures_only)
        return self

    def set_flush_on_checkpoint(self, flush_on_checkpoint: bool) -> Self:
        """Set whether all records are delivered at the end of each epoch, as they are by default.

        Without it, at-least-once is not guaranteed. Transactions of exactly-once are not affected.
        """
        self._flushes = bool(flush_on_checkpoint)
        return self

    def set_write_timestamp_to_kafka(self, write_timestamp_to_kafka: bool) -> Self:
        """Set whether records get the timestamps of elements; they do not by default."""
        self._has_timestamps = bool(write_timestamp_to_kafka)
        return self

    def bind(self, type_info: TypeInformation[IN]) -> KafkaOutput:
        """Return the output that the runtime writes elements to.

        Raises:
            FunctionPicklingError: the schema cannot be sent to the workers.
        """
        fields = Fields(
            self._topic,
            self._schema.serialize,
            has_timestamps=self._has_timestamps,
            values_of=self._schema.of_columns(),
        )
        function = UserFunction.of(fields, "add_sink", is_object=True)
        prefix = f"{self._topic}-{type(self).__name__}"
        is_flushed = self._flushes or self._guarantee is Guarantee.EXACTLY_ONCE
        guarantee = self._guarantee if is_flushed else Guarantee.NONE
        return KafkaOutput(
            self._properties, function.payload, guarantee, prefix, logs_failures=self._logs_failures
        )


@checks_arguments(ArgumentTypeError)
class FlinkKafkaProducer(FlinkKafkaProducerBase[IN]):
    """Write elements to a Kafka topic, for ``add_sink``; see `FlinkKafkaProducerBase`.

    Args:
        topic: the name of the topic.
        serialization_schema: writes the values; there are no keys.
        producer_config: properties of the producer; ``bootstrap.servers`` is needed.
        kafka_producer_pool_size: has no effect: one producer is enough for transactions.
        semantic: how often a record is written.

    Mirrors ``org.apache.flink.streaming.connectors.kafka.FlinkKafkaProducer``.
    """

    def __init__(
        self,
        topic: str,
        serialization_schema: SerializationSchema[IN],
        producer_config: Mapping[str, str],
        kafka_producer_pool_size: int = _FLINK_POOL_SIZE,
        semantic: Semantic = Semantic.AT_LEAST_ONCE,
    ) -> None:
        super().__init__(topic, serialization_schema, producer_config, semantic)

    def ignore_failures_after_transaction_timeout(self) -> Self:
        """Do nothing: the records of a transaction that timed out are written by another one."""
        return self


@checks_arguments(ArgumentTypeError)
class FlinkKafkaProducer010(FlinkKafkaProducerBase[IN]):
    """The same as `FlinkKafkaProducer`, by the name that it had for Kafka 0.10; it writes at least once.

    Args:
        topic: the name of the topic.
        serialization_schema: writes the values; there are no keys.
        properties: those of the producer; ``bootstrap.servers`` is needed.
    """

    def __init__(
        self, topic: str, serialization_schema: SerializationSchema[IN], properties: Mapping[str, str]
    ) -> None:
        super().__init__(topic, serialization_schema, properties, Semantic.AT_LEAST_ONCE)
