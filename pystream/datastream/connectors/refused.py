"""Connectors of Flink that are not supported: their classes say why, and what serves instead."""

from __future__ import annotations

from typing import Any, ClassVar, Never

from pystream.errors import UnsupportedOperationError

__all__ = ["NiFiSink", "NiFiSource", "PubSubSink", "PubSubSource", "RefusedConnector", "TwitterSource"]


class RefusedConnector:
    """A class of a connector that is not supported; it cannot be used.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    _why: ClassVar[str]
    _instead: ClassVar[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._refuse()

    @classmethod
    def _refuse(cls) -> Never:
        raise UnsupportedOperationError(f"{cls.__name__} is not supported: {cls._why}. {cls._instead}")


class _PubSub(RefusedConnector):
    _why = (
        "Google's emulator of Pub/Sub comes with the Google Cloud CLI, which no registry has, so that no "
        "test can run against Pub/Sub; nor does Spark have a connector for it"
    )

    @classmethod
    def new_builder(cls) -> Never:
        """Raise the error."""
        cls._refuse()


class PubSubSource(_PubSub):
    """The class is there to say that Google Pub/Sub is not supported.

    Mirrors ``org.apache.flink.streaming.connectors.gcp.pubsub.PubSubSource``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    _instead = (
        "Let Google's Pub/Sub Group Kafka Connector copy the subscription to Kafka, and read it with a "
        "KafkaSource; or receive messages with google-cloud-pubsub in a SourceFunction"
    )


class PubSubSink(_PubSub):
    """The class is there to say that Google Pub/Sub is not supported.

    Mirrors ``org.apache.flink.streaming.connectors.gcp.pubsub.PubSubSink``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    _instead = (
        "Write to Kafka with a KafkaSink, and let Google's Pub/Sub Group Kafka Connector copy the topic to "
        "Pub/Sub; or publish with google-cloud-pubsub in foreach_batch"
    )


class _NiFi(RefusedConnector):
    _why = "Flink has deprecated its connector for Apache NiFi and removed it, and Spark has none"


class NiFiSource(_NiFi):
    """The class is there to say that Apache NiFi is not supported.

    Mirrors ``org.apache.flink.streaming.connectors.nifi.NiFiSource``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    _instead = "Let NiFi's processor PublishKafka write to Kafka, and read that with a KafkaSource"


class NiFiSink(_NiFi):
    """The class is there to say that Apache NiFi is not supported.

    Mirrors ``org.apache.flink.streaming.connectors.nifi.NiFiSink``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    _instead = "Write to Kafka with a KafkaSink, and let NiFi's processor ConsumeKafka read that"


class TwitterSource(RefusedConnector):
    """The class is there to say that Twitter is not supported.

    Mirrors ``org.apache.flink.streaming.connectors.twitter.TwitterSource``.

    Raises:
        UnsupportedOperationError: always; it says why, and what serves instead.
    """

    _why = "the streaming API of Twitter that it reads, version 1.1, was shut down"
    _instead = "Read the filtered stream of X's API, version 2, over HTTP in a SourceFunction"
