"""Data frames of Spark's Kafka connector, with exactly the elements and records of Python's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.engine.connectors.kafka.java_properties import java_properties
from pystream.engine.connectors.kafka.native_formats import MessageSchema, NativeFormat
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.engine.connectors.kafka.sink import KafkaOutput
from pystream.engine.connectors.kafka.source import KafkaInput
from pystream.hosts.spark.native import before_filters, transformed
from pystream.lifting import GUARD_MARK
from pystream.plan.native import NativeStep

__all__ = ["elements_of", "records_of", "sink_options"]


def elements_of(
    spark: SparkSession,
    source: KafkaInput,
    offsets: Mapping[TopicPartition, int],
    steps: Sequence[NativeStep],
) -> DataFrame:
    """Return the elements in the records of topics after native steps, as a streaming data frame.

    A record without a value has no element; one that cannot be deserialized fails the query.

    Args:
        spark: the session.
        source: the topics.
        offsets: where a new query starts in each partition.
        steps: the steps.
    """
    options = {
        **java_properties(source.properties),
        **_subscribed(source),
        "startingOffsets": json.dumps(_by_topic(offsets)),
    }
    records = spark.readStream.format("kafka").options(**options).load().where(F.col("value").isNotNull())
    assert source.value_schema is not None
    value = F.col("value")
    if source.value_schema.format is NativeFormat.TEXT:
        value = value.cast("string")
        failure = F.concat(
            F.lit(f"{GUARD_MARK}: record "),
            F.col("offset").cast("string"),
            F.lit(" of partition "),
            F.col("topic"),
            F.lit("-"),
            F.col("partition").cast("string"),
            F.lit(" cannot be deserialized: it is not UTF-8 text"),
        )
        valid = F.is_valid_utf8(value) | F.raise_error(failure).cast("boolean")
        records = before_filters(records.where(valid), filtered=True)
    return transformed(records.select(value.alias("c0")), source.type_info, steps, 1)


def records_of(elements: DataFrame, sink: KafkaOutput) -> DataFrame:
    """Return the records that a sink writes, as Spark's connector takes them.

    Args:
        elements: the elements.
        sink: the sink.
    """
    schemas = sink.schemas
    assert schemas is not None
    columns = [_message(schemas.value).alias("value")]
    if schemas.key is not None:
        columns.append(_message(schemas.key).alias("key"))
    return elements.select(*columns)


def sink_options(sink: KafkaOutput) -> dict[str, str]:
    """Return the options of Spark's connector for a sink."""
    assert sink.schemas is not None
    assert sink.schemas.topic is not None
    return {**java_properties(sink.properties), "topic": sink.schemas.topic}


def _message(schema: MessageSchema) -> Column:
    """Return the bytes of an element; ``None``, for Kafka a deletion, is an error as in Python."""
    element = F.col("c0")
    failure = F.raise_error(F.lit(f"{GUARD_MARK}: {schema.name} cannot write None")).cast("binary")
    return F.coalesce(element.cast("binary"), failure)


def _subscribed(source: KafkaInput) -> dict[str, str]:
    subscription = source.subscription
    if subscription.pattern:
        return {"subscribePattern": subscription.pattern}
    if subscription.topics:
        return {"subscribe": ",".join(subscription.topics)}
    assigned: dict[str, list[int]] = {}
    for topic, number in subscription.partitions:
        assigned.setdefault(topic, []).append(number)
    return {"assign": json.dumps(assigned)}


def _by_topic(offsets: Mapping[TopicPartition, int]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (topic, number), offset in offsets.items():
        found.setdefault(topic, {})[str(number)] = offset
    return found
