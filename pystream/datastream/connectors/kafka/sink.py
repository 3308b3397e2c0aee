"""KafkaSink: topics of Kafka as a sink."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Generic, cast

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.connectors.base import DeliveryGuarantee, Sink
from pystream.datastream.connectors.kafka.described import described
from pystream.datastream.connectors.kafka.topics import require_topic
from pystream.engine.connectors.kafka.client_settings import known_properties, producer_settings
from pystream.engine.connectors.kafka.native_formats import RecordSchemas
from pystream.engine.connectors.kafka.producer_records import Fields, ProducerRecord
from pystream.engine.connectors.kafka.sink import Guarantee, KafkaOutput
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError
from pystream.messages.schemas import SerializationSchema
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

__all__ = [
    "KafkaRecordSerializationSchema",
    "KafkaRecordSerializationSchemaBuilder",
    "KafkaSink",
    "KafkaSinkBuilder",
    "KafkaTopicSelector",
    "ProducerRecord",
]

IN = TypeVar("IN", contravariant=True, default=Any)
T = TypeVar("T", default=Any)
U = TypeVar("U")

Headers = Iterable[tuple[str, bytes | None]]


class KafkaTopicSelector(ABC, Generic[IN]):
    """Select the topic of an element.

    Mirrors ``org.apache.flink.connector.kafka.sink.TopicSelector``.
    """

    @abstractmethod
    def apply(self, data: IN, /) -> str:
        """Return the name of the topic."""


class KafkaRecordSerializationSchema(ABC, Generic[IN]):
    """Turn elements into records; subclass it, or use `builder`.

    Mirrors ``org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema``.
    """

    @abstractmethod
    def serialize(self, element: IN, timestamp: int | None, /) -> ProducerRecord | None:
        """Return the record of an element, ``None`` for none.

        Args:
            element: the element.
            timestamp: its timestamp in ms since the Unix epoch; ``None`` if it has none.

        Raises:
            SerializationError: the element cannot be written; any other exception is treated alike.
        """

    @staticmethod
    def builder() -> KafkaRecordSerializationSchemaBuilder[Any]:
        """Return a builder."""
        return KafkaRecordSerializationSchemaBuilder()


class _OfFields(KafkaRecordSerializationSchema[IN]):
    """Make records field by field."""

    def __init__(self, fields: Fields, schemas: RecordSchemas) -> None:
        self.fields = fields
        self.schemas = schemas

    def serialize(self, element: IN, timestamp: int | None) -> ProducerRecord:
        return self.fields(element, timestamp)


@checks_arguments(ArgumentTypeError)
class KafkaRecordSerializationSchemaBuilder(Generic[T]):
    """Build a `KafkaRecordSerializationSchema` of a topic, a value, a key and headers.

    A topic and a schema of the values are needed. Every method returns the builder.

    Mirrors ``org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchemaBuilder``.
    """

    def __init__(self) -> None:
        self._topic: str | Callable[[Any], str] | None = None
        self._key: SerializationSchema[Any] | None = None
        self._value: SerializationSchema[Any] | None = None
        self._headers: Callable[[Any], Headers] | None = None

    def set_topic(self, topic: str) -> KafkaRecordSerializationSchemaBuilder[T]:
        """Write all records to one topic.

        Raises:
            ConfigurationError: the topic, or a topic selector, is already set.
        """
        require_topic(topic, "set_topic")
        return self._set_topic(topic)

    def set_topic_selector(
        self, topic_selector: Callable[[T], str] | KafkaTopicSelector[T]
    ) -> KafkaRecordSerializationSchemaBuilder[T]:
        """Write each record to the topic that a function selects.

        Raises:
            ConfigurationError: the topic, or a topic selector, is already set.
        """
        if isinstance(topic_selector, KafkaTopicSelector):
            return self._set_topic(topic_selector.apply)
        if not callable(topic_selector):
            raise PlanTypeError(
                f"set_topic_selector takes a function or a KafkaTopicSelector, not {topic_selector!r}"
            )
        return self._set_topic(topic_selector)

    def set_key_serialization_schema(
        self, key_serialization_schema: SerializationSchema[T]
    ) -> KafkaRecordSerializationSchemaBuilder[T]:
        """Set the schema of the keys; records have no keys without it."""
        self._key = _schema(key_serialization_schema, "set_key_serialization_schema")
        return self

    def set_value_serialization_schema(
        self, value_serialization_schema: SerializationSchema[U]
    ) -> KafkaRecordSerializationSchemaBuilder[U]:
        """Set the schema of the values."""
        self._value = _schema(value_serialization_schema, "set_value_serialization_schema")
        return cast("KafkaRecordSerializationSchemaBuilder[U]", self)

    def set_header_provider(
        self, header_provider: Callable[[T], Headers]
    ) -> KafkaRecordSerializationSchemaBuilder[T]:
        """Set a function that returns the headers of an element: pairs of a name and bytes."""
        if not callable(header_provider):
            raise PlanTypeError(f"set_header_provider takes a function, not {short_repr(header_provider)}")
        self._headers = header_provider
        return self

    def build(self) -> KafkaRecordSerializationSchema[T]:
        """Return the schema.

        Raises:
            ConfigurationError: the topic or the schema of the values is missing.
        """
        if self._topic is None:
            raise ConfigurationError("a record for Kafka needs set_topic or set_topic_selector")
        if self._value is None:
            raise ConfigurationError("a record for Kafka needs set_value_serialization_schema")
        key = None if self._key is None else self._key.serialize
        schemas = RecordSchemas(
            self._topic if isinstance(self._topic, str) else None,
            described(self._value),
            None if self._key is None else described(self._key),
            has_headers=self._headers is not None,
        )
        fields = Fields(
            self._topic,
            self._value.serialize,
            key,
            self._headers,
            values_of=self._value.of_columns(),
            keys_of=None if self._key is None else self._key.of_columns(),
        )
        return _OfFields(fields, schemas)

    def _set_topic(self, topic: str | Callable[[Any], str]) -> KafkaRecordSerializationSchemaBuilder[T]:
        if self._topic is not None:
            raise ConfigurationError("a record for Kafka has one of set_topic and set_topic_selector")
        self._topic = topic
        return self


@checks_arguments(ArgumentTypeError)
class KafkaSink(Sink[IN], Generic[IN]):
    """Write elements to Kafka topics; made by ``KafkaSink.builder()``.

    Mirrors ``org.apache.flink.connector.kafka.sink.KafkaSink``.
    """

    def __init__(
        self,
        properties: dict[str, str],
        serializer: KafkaRecordSerializationSchema[IN],
        guarantee: Guarantee,
        prefix: str,
    ) -> None:
        self._properties = properties
        self._serializer = serializer
        self._guarantee = guarantee
        self._prefix = prefix

    @staticmethod
    def builder() -> KafkaSinkBuilder[Any]:
        """Return a builder."""
        return KafkaSinkBuilder()

    def bind(self, type_info: TypeInformation[IN]) -> KafkaOutput:
        """Return the output that the runtime writes elements to.

        Raises:
            FunctionPicklingError: the serializer cannot be sent to the workers.
        """
        serialize: Any = self._serializer.serialize
        schemas = None
        if isinstance(self._serializer, _OfFields):
            serialize, schemas = self._serializer.fields, self._serializer.schemas
        function = UserFunction.of(serialize, "sink_to", is_object=True)
        return KafkaOutput(self._properties, function.payload, self._guarantee, self._prefix, schemas=schemas)


@checks_arguments(ArgumentTypeError)
class KafkaSinkBuilder(Generic[T]):
    """Build a `KafkaSink`; every method returns the builder.

    Bootstrap servers and a record serializer are needed.

    Mirrors ``org.apache.flink.connector.kafka.sink.KafkaSinkBuilder``.
    """

    def __init__(self) -> None:
        self._properties: dict[str, str] = {}
        self._serializer: KafkaRecordSerializationSchema[Any] | None = None
        self._guarantee = Guarantee.AT_LEAST_ONCE
        self._prefix = ""

    def set_bootstrap_servers(self, bootstrap_servers: str) -> KafkaSinkBuilder[T]:
        """Set the addresses of brokers: ``host:port``, separated by commas."""
        return self.set_property("bootstrap.servers", bootstrap_servers)

    def set_record_serializer(
        self, record_serializer: KafkaRecordSerializationSchema[U]
    ) -> KafkaSinkBuilder[U]:
        """Set how elements become records."""
        wanted = "a KafkaRecordSerializationSchema such as KafkaRecordSerializationSchema.builder()….build()"
        require(record_serializer, KafkaRecordSerializationSchema, "set_record_serializer", wanted)
        self._serializer = record_serializer
        return cast("KafkaSinkBuilder[U]", self)

    def set_delivery_guarantee(self, delivery_guarantee: DeliveryGuarantee) -> KafkaSinkBuilder[T]:
        """Set how often a record is written if the job fails and is resumed; at least once by default.

        ``EXACTLY_ONCE`` writes the records of each epoch in one transaction, when the epoch is committed:
        they go through the driver, and readers must use ``isolation.level=read_committed``. ``NONE`` does
        not wait for the delivery of records at the end of epochs.
        """
        require(delivery_guarantee, DeliveryGuarantee, "set_delivery_guarantee", "a DeliveryGuarantee")
        self._guarantee = Guarantee[delivery_guarantee.name]
        return self

    def set_transactional_id_prefix(self, transactional_id_prefix: str) -> KafkaSinkBuilder[T]:
        """Set the start of the ids of transactions, which ``EXACTLY_ONCE`` needs; unique in the cluster."""
        require(transactional_id_prefix, str, "set_transactional_id_prefix", "a str")
        self._prefix = transactional_id_prefix
        return self

    def set_property(self, key: str, value: str) -> KafkaSinkBuilder[T]:
        """Set a property of the producer.

        Names are those of Kafka's Java producer and of librdkafka. Serializers have no effect.
        """
        require(key, str, "set_property", "names and values of properties as str")
        require(value, str, f"set_property({key!r}, …)", "names and values of properties as str")
        self._properties[key] = value
        return self

    def build(self) -> KafkaSink[T]:
        """Return the sink.

        Raises:
            ConfigurationError: bootstrap servers or the record serializer are missing, or the prefix of
                transactional ids where it is needed.
        """
        if not self._properties.get("bootstrap.servers"):
            raise ConfigurationError("a Kafka sink needs bootstrap servers: set_bootstrap_servers")
        if self._serializer is None:
            raise ConfigurationError("a Kafka sink needs set_record_serializer")
        if self._guarantee is Guarantee.EXACTLY_ONCE and not self._prefix:
            raise ConfigurationError("EXACTLY_ONCE needs set_transactional_id_prefix")
        properties = known_properties(self._properties, producer_settings)
        return KafkaSink(properties, self._serializer, self._guarantee, self._prefix)


def _schema(schema: SerializationSchema[Any], call: str) -> SerializationSchema[Any]:
    require(schema, SerializationSchema, call, "a SerializationSchema such as SimpleStringSchema()")
    return schema
