"""The Kafka connectors, under their module name in PyFlink."""

from __future__ import annotations

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
