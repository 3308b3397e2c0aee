"""Sources and sinks, as ``pyflink.datastream.connectors`` exports them.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.connectors.base import DeliveryGuarantee as DeliveryGuarantee
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.connectors.base import Source as Source
    from pystream.datastream.connectors.committing_sink import Committer as Committer
    from pystream.datastream.connectors.committing_sink import CommitterInitContext as CommitterInitContext
    from pystream.datastream.connectors.committing_sink import CommittingSinkWriter as CommittingSinkWriter
    from pystream.datastream.connectors.committing_sink import SinkWriterContext as SinkWriterContext
    from pystream.datastream.connectors.committing_sink import (
        TwoPhaseCommittingSink as TwoPhaseCommittingSink,
    )
    from pystream.datastream.connectors.committing_sink import WriterInitContext as WriterInitContext
    from pystream.datastream.connectors.data_generator import DataGeneratorSource as DataGeneratorSource
    from pystream.datastream.connectors.delta import DeltaSink as DeltaSink
    from pystream.datastream.connectors.delta import DeltaSource as DeltaSource
    from pystream.datastream.connectors.dynamic_kafka import DynamicKafkaSource as DynamicKafkaSource
    from pystream.datastream.connectors.dynamic_kafka import (
        DynamicKafkaSourceBuilder as DynamicKafkaSourceBuilder,
    )
    from pystream.datastream.connectors.dynamic_kafka import KafkaMetadataService as KafkaMetadataService
    from pystream.datastream.connectors.dynamic_kafka import (
        KafkaStreamSetSubscriber as KafkaStreamSetSubscriber,
    )
    from pystream.datastream.connectors.dynamic_kafka import KafkaStreamSubscriber as KafkaStreamSubscriber
    from pystream.datastream.connectors.dynamic_kafka import (
        SingleClusterTopicMetadataService as SingleClusterTopicMetadataService,
    )
    from pystream.datastream.connectors.dynamic_kafka import (
        StreamPatternSubscriber as StreamPatternSubscriber,
    )
    from pystream.datastream.connectors.file_system import BucketAssigner as BucketAssigner
    from pystream.datastream.connectors.file_system import BulkFormat as BulkFormat
    from pystream.datastream.connectors.file_system import FileEnumeratorProvider as FileEnumeratorProvider
    from pystream.datastream.connectors.file_system import FileSink as FileSink
    from pystream.datastream.connectors.file_system import FileSource as FileSource
    from pystream.datastream.connectors.file_system import FileSourceBuilder as FileSourceBuilder
    from pystream.datastream.connectors.file_system import (
        FileSplitAssignerProvider as FileSplitAssignerProvider,
    )
    from pystream.datastream.connectors.file_system import OutputFileConfig as OutputFileConfig
    from pystream.datastream.connectors.file_system import RollingPolicy as RollingPolicy
    from pystream.datastream.connectors.file_system import StreamFormat as StreamFormat
    from pystream.datastream.connectors.file_system import StreamingFileSink as StreamingFileSink
    from pystream.datastream.connectors.foreach_batch import ForeachBatchSink as ForeachBatchSink
    from pystream.datastream.connectors.jdbc import JdbcConnectionOptions as JdbcConnectionOptions
    from pystream.datastream.connectors.jdbc import JdbcExecutionOptions as JdbcExecutionOptions
    from pystream.datastream.connectors.jdbc import JdbcSink as JdbcSink
    from pystream.datastream.connectors.jdbc import JdbcSource as JdbcSource
    from pystream.datastream.connectors.kafka import FlinkKafkaConsumer as FlinkKafkaConsumer
    from pystream.datastream.connectors.kafka import FlinkKafkaConsumer010 as FlinkKafkaConsumer010
    from pystream.datastream.connectors.kafka import FlinkKafkaProducer as FlinkKafkaProducer
    from pystream.datastream.connectors.kafka import FlinkKafkaProducer010 as FlinkKafkaProducer010
    from pystream.datastream.connectors.kafka import KafkaOffsetResetStrategy as KafkaOffsetResetStrategy
    from pystream.datastream.connectors.kafka import KafkaOffsetsInitializer as KafkaOffsetsInitializer
    from pystream.datastream.connectors.kafka import (
        KafkaRecordDeserializationSchema as KafkaRecordDeserializationSchema,
    )
    from pystream.datastream.connectors.kafka import (
        KafkaRecordSerializationSchema as KafkaRecordSerializationSchema,
    )
    from pystream.datastream.connectors.kafka import KafkaSink as KafkaSink
    from pystream.datastream.connectors.kafka import KafkaSource as KafkaSource
    from pystream.datastream.connectors.kafka import KafkaTopicPartition as KafkaTopicPartition
    from pystream.datastream.connectors.kafka import Semantic as Semantic
    from pystream.datastream.connectors.number_seq import NumberSequenceSource as NumberSequenceSource
    from pystream.datastream.connectors.pulsar import PulsarSource as PulsarSource
    from pystream.datastream.connectors.pulsar import PulsarSourceBuilder as PulsarSourceBuilder
    from pystream.datastream.connectors.pulsar import StartCursor as StartCursor
    from pystream.datastream.connectors.pulsar import StopCursor as StopCursor
    from pystream.datastream.connectors.rabbitmq import RMQConnectionConfig as RMQConnectionConfig
    from pystream.datastream.connectors.rabbitmq import RMQSink as RMQSink
    from pystream.datastream.connectors.rabbitmq import RMQSource as RMQSource
    from pystream.datastream.connectors.rate_limiter import RateLimiterStrategy as RateLimiterStrategy
    from pystream.datastream.connectors.refused import NiFiSink as NiFiSink
    from pystream.datastream.connectors.refused import NiFiSource as NiFiSource
    from pystream.datastream.connectors.refused import PubSubSink as PubSubSink
    from pystream.datastream.connectors.refused import PubSubSource as PubSubSource
    from pystream.datastream.connectors.refused import TwitterSource as TwitterSource
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
