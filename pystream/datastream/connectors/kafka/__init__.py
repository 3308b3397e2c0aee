"""The Kafka connectors, under their module name in PyFlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.datastream.connectors.kafka.functions import (
    FlinkKafkaConsumer,
    FlinkKafkaConsumer010,
    FlinkKafkaConsumerBase,
    FlinkKafkaProducer,
    FlinkKafkaProducer010,
    FlinkKafkaProducerBase,
    Semantic,
)
from pystream.datastream.connectors.kafka.malformed import MalformedRecord
from pystream.datastream.connectors.kafka.offsets import (
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    KafkaTopicPartition,
)
from pystream.datastream.connectors.kafka.sink import (
    KafkaRecordSerializationSchema,
    KafkaRecordSerializationSchemaBuilder,
    KafkaSink,
    KafkaSinkBuilder,
    KafkaTopicSelector,
    ProducerRecord,
)
from pystream.datastream.connectors.kafka.source import (
    ConsumerRecord,
    KafkaRecordDeserializationSchema,
    KafkaSource,
    KafkaSourceBuilder,
)
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
    from pystream.common.typeinfo import TypeInformation as TypeInformation
    from pystream.common.typeinfo import Types as Types
    from pystream.common.types import Row as Row
    from pystream.datastream.connectors.base import DeliveryGuarantee as DeliveryGuarantee
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.connectors.base import Source as Source
    from pystream.datastream.functions import SinkFunction as SinkFunction
    from pystream.datastream.functions import SourceFunction as SourceFunction
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "ConsumerRecord",
    "FlinkKafkaConsumer",
    "FlinkKafkaConsumer010",
    "FlinkKafkaConsumerBase",
    "FlinkKafkaProducer",
    "FlinkKafkaProducer010",
    "FlinkKafkaProducerBase",
    "KafkaOffsetResetStrategy",
    "KafkaOffsetsInitializer",
    "KafkaRecordDeserializationSchema",
    "KafkaRecordSerializationSchema",
    "KafkaRecordSerializationSchemaBuilder",
    "KafkaSink",
    "KafkaSinkBuilder",
    "KafkaSource",
    "KafkaSourceBuilder",
    "KafkaTopicPartition",
    "KafkaTopicSelector",
    "MalformedRecord",
    "ProducerRecord",
    "Semantic",
]
