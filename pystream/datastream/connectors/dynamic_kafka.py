"""The dynamic source of Kafka, which is not supported: its classes say why, and what serves instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

from pystream.datastream.connectors.kafka import KafkaRecordDeserializationSchema
from pystream.datastream.connectors.refused import RefusedConnector
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.datastream.connectors.base import Source as Source
    from pystream.datastream.connectors.kafka import KafkaOffsetsInitializer as KafkaOffsetsInitializer
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "DynamicKafkaSource",
    "DynamicKafkaSourceBuilder",
    "KafkaMetadataService",
    "KafkaRecordDeserializationSchema",
    "KafkaStreamSetSubscriber",
    "KafkaStreamSubscriber",
    "SingleClusterTopicMetadataService",
    "StreamPatternSubscriber",
]


class _DynamicKafka(RefusedConnector):
    _why = "a source cannot move to other Kafka clusters while it is read, as a metadata service may ask for"
    _instead = "Read each cluster with a KafkaSource, and unite the streams with union()"


class DynamicKafkaSource(_DynamicKafka):
    """The class is there to say that topics of several Kafka clusters cannot be read by one source.

    Mirrors ``org.apache.flink.connector.kafka.dynamic.source.DynamicKafkaSource``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    @classmethod
    def builder(cls) -> Never:
        """Raise the error."""
        cls._refuse()


class DynamicKafkaSourceBuilder(_DynamicKafka):
    """The builder of a `DynamicKafkaSource`, which is not supported."""


class KafkaMetadataService(_DynamicKafka):
    """The metadata of a `DynamicKafkaSource`, which is not supported."""


class SingleClusterTopicMetadataService(KafkaMetadataService):
    """The metadata of a single cluster for a `DynamicKafkaSource`, which is not supported."""

    _instead = "Read the topics of the cluster with a KafkaSource"


class KafkaStreamSubscriber(_DynamicKafka):
    """The streams of a `DynamicKafkaSource`, which is not supported."""


class KafkaStreamSetSubscriber(KafkaStreamSubscriber):
    """The names of streams of a `DynamicKafkaSource`, which is not supported."""


class StreamPatternSubscriber(KafkaStreamSubscriber):
    """The pattern of streams of a `DynamicKafkaSource`, which is not supported."""
