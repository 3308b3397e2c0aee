"""Amazon Kinesis, which is not supported: the classes of PyFlink say why, and what serves instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

from pystream.datastream.connectors.refused import RefusedConnector
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.functions import SourceFunction as SourceFunction
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "FlinkKinesisConsumer",
    "KinesisDeserializationSchema",
    "KinesisFirehoseSink",
    "KinesisShardAssigner",
    "KinesisStreamsSink",
    "PartitionKeyGenerator",
    "WatermarkTracker",
]


class _Kinesis(RefusedConnector):
    _why = "there is neither a server nor an emulator by Amazon to test a connector for Kinesis with"


class _KinesisSource(_Kinesis):
    _instead = (
        "Read the stream with a Spark package for Kinesis, such as awslabs/spark-sql-kinesis-connector, by "
        "spark.readStream and env.from_data_frame"
    )


class _KinesisSink(_Kinesis):
    _instead = "Write with boto3 in foreach_batch, or with a TwoPhaseCommittingSink"

    @classmethod
    def builder(cls) -> Never:
        """Raise the error."""
        cls._refuse()


class FlinkKinesisConsumer(_KinesisSource):
    """The class is there to say that Amazon Kinesis is not supported.

    Mirrors ``org.apache.flink.streaming.connectors.kinesis.FlinkKinesisConsumer``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """


class KinesisDeserializationSchema(_KinesisSource):
    """The schema of a `FlinkKinesisConsumer`, which is not supported."""


class KinesisShardAssigner(_KinesisSource):
    """The assigner of a `FlinkKinesisConsumer`, which is not supported."""

    @classmethod
    def default_shard_assigner(cls) -> Never:
        """Raise the error."""
        cls._refuse()

    @classmethod
    def uniform_shard_assigner(cls) -> Never:
        """Raise the error."""
        cls._refuse()


class WatermarkTracker(_KinesisSource):
    """The watermarks of a `FlinkKinesisConsumer`, which is not supported."""

    @classmethod
    def job_manager_watermark_tracker(
        cls, aggregate_name: str, log_accumulator_interval_millis: int = -1
    ) -> Never:
        """Raise the error."""
        cls._refuse()


class KinesisStreamsSink(_KinesisSink):
    """The class is there to say that Amazon Kinesis is not supported.

    Mirrors ``org.apache.flink.connector.kinesis.sink.KinesisStreamsSink``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """


class KinesisFirehoseSink(_KinesisSink):
    """The class is there to say that Amazon Kinesis Data Firehose is not supported.

    Mirrors ``org.apache.flink.connector.firehose.sink.KinesisFirehoseSink``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """


class PartitionKeyGenerator(_KinesisSink):
    """The keys of a `KinesisStreamsSink`, which is not supported."""

    @classmethod
    def fixed(cls) -> Never:
        """Raise the error."""
        cls._refuse()

    @classmethod
    def random(cls) -> Never:
        """Raise the error."""
        cls._refuse()
