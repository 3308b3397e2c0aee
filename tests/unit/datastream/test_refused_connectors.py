"""Connectors that are not supported say why, and what serves instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pystream.common import SimpleStringSchema
from pystream.datastream.connectors import NiFiSink, NiFiSource, PubSubSink, PubSubSource, TwitterSource
from pystream.datastream.connectors.dynamic_kafka import (
    DynamicKafkaSource,
    DynamicKafkaSourceBuilder,
    KafkaMetadataService,
    KafkaStreamSetSubscriber,
    KafkaStreamSubscriber,
    SingleClusterTopicMetadataService,
    StreamPatternSubscriber,
)
from pystream.datastream.connectors.kinesis import (
    FlinkKinesisConsumer,
    KinesisDeserializationSchema,
    KinesisFirehoseSink,
    KinesisShardAssigner,
    KinesisStreamsSink,
    PartitionKeyGenerator,
    WatermarkTracker,
)
from pystream.errors import UnsupportedOperationError

SCHEMA = SimpleStringSchema()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda: FlinkKinesisConsumer("stream", SCHEMA, {"aws.region": "eu-central-1"}),
            r"FlinkKinesisConsumer is not supported: .* by Amazon .*spark-sql-kinesis-connector",
        ),
        (lambda: KinesisDeserializationSchema(SCHEMA), "KinesisDeserializationSchema .*spark-sql-kinesis"),
        (KinesisShardAssigner.default_shard_assigner, "KinesisShardAssigner is not supported"),
        (KinesisShardAssigner.uniform_shard_assigner, "KinesisShardAssigner is not supported"),
        (lambda: WatermarkTracker.job_manager_watermark_tracker("w"), "WatermarkTracker is not supported"),
        (KinesisStreamsSink.builder, "KinesisStreamsSink is not supported: .*boto3 in foreach_batch"),
        (KinesisFirehoseSink.builder, "KinesisFirehoseSink is not supported: .*boto3 in foreach_batch"),
        (PartitionKeyGenerator.random, "PartitionKeyGenerator is not supported"),
        (PartitionKeyGenerator.fixed, "PartitionKeyGenerator is not supported"),
        (DynamicKafkaSource.builder, r"DynamicKafkaSource is not supported: .* KafkaSource.* union\(\)"),
        (DynamicKafkaSourceBuilder, r"DynamicKafkaSourceBuilder is not supported: .* union\(\)"),
        (lambda: KafkaMetadataService(None), r"KafkaMetadataService is not supported: .* union\(\)"),
        (lambda: SingleClusterTopicMetadataService("a", {}), "SingleClusterTopic.* with a KafkaSource"),
        (lambda: KafkaStreamSubscriber(None), r"KafkaStreamSubscriber is not supported: .* union\(\)"),
        (lambda: KafkaStreamSetSubscriber({"a"}), r"KafkaStreamSetSubscriber is not supp.* union\(\)"),
        (lambda: StreamPatternSubscriber("a.*"), r"StreamPatternSubscriber is not supp.* union\(\)"),
        (PubSubSource.new_builder, "PubSubSource is not supported: .*emulator.* KafkaSource"),
        (PubSubSink.new_builder, "PubSubSink is not supported: .*emulator.* KafkaSink.* in foreach_batch"),
        (lambda: NiFiSource({"url": "http://nifi"}), "NiFiSource is not supported: .*removed.* KafkaSource"),
        (lambda: NiFiSink({"url": "http://nifi"}, SCHEMA), "NiFiSink .*removed.* KafkaSink"),
        (lambda: TwitterSource({}), "TwitterSource is not supported: .*shut down.* SourceFunction"),
    ],
)
def test_a_connector_that_is_not_supported_says_what_serves_instead(
    use: Callable[[], object], message: str
) -> None:
    with pytest.raises(UnsupportedOperationError, match=message):
        use()
