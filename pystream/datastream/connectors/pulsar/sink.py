"""The sink of Pulsar, with PyFlink's builder."""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, Self, cast

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.connectors.base import DeliveryGuarantee, Sink
from pystream.datastream.connectors.pulsar.settings import PulsarSettings, topics_of
from pystream.durations import Duration
from pystream.engine.connectors.pulsar.sink import MessagesOutput
from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from pystream.messages.schemas import SerializationSchema
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["MessageDelayer", "PulsarSink", "PulsarSinkBuilder", "TopicRoutingMode"]

IN = TypeVar("IN", contravariant=True, default=Any)
T = TypeVar("T", default=Any)
U = TypeVar("U")


class TopicRoutingMode(Enum):
    """To which partition of a topic a message goes.

    Mirrors ``org.apache.flink.connector.pulsar.sink.writer.router.TopicRoutingMode``.
    """

    ROUND_ROBIN = 0
    """To all in turn, a batch at a time."""

    MESSAGE_KEY_HASH = 1
    """All messages of a subtask to one, as they have no key."""

    CUSTOM = 2
    """As a class of Java says, which is refused."""


@checks_arguments(ArgumentTypeError)
class MessageDelayer:
    """When a message is delivered to consumers of a shared subscription.

    Mirrors ``org.apache.flink.connector.pulsar.sink.writer.delayer.MessageDelayer``.
    """

    def __init__(self, delay: int) -> None:
        self._delay = delay

    @staticmethod
    def never() -> MessageDelayer:
        """Deliver at once."""
        return MessageDelayer(0)

    @staticmethod
    def fixed(duration: Duration) -> MessageDelayer:
        """Deliver after a time.

        Raises:
            PlanTypeError: it is not a Duration.
        """
        require(duration, Duration, "MessageDelayer.fixed", "a Duration")
        return MessageDelayer(duration.to_millis())


@checks_arguments(ArgumentTypeError)
class PulsarSink(Sink[IN]):
    """A sink of messages, at least once.

    An epoch ends only when the cluster has acknowledged all its messages, and one that fails is written
    again. The timestamps of elements become the event times of messages. Made by a `builder`.

    Mirrors ``org.apache.flink.connector.pulsar.sink.PulsarSink``.
    """

    def __init__(self, output: MessagesOutput) -> None:
        self._output = output

    @staticmethod
    def builder() -> PulsarSinkBuilder[Any]:
        """Return a builder."""
        return PulsarSinkBuilder()

    def bind(self, type_info: TypeInformation[IN]) -> MessagesOutput:
        """Return the output that the runtime writes elements to."""
        return self._output


@checks_arguments(ArgumentTypeError)
class PulsarSinkBuilder(PulsarSettings, Generic[T]):
    """Build a sink; the service URL, the topics and the schema must be set.

    Mirrors ``org.apache.flink.connector.pulsar.sink.PulsarSinkBuilder``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._producer_name = ""
        self._schema: SerializationSchema[Any] | None = None
        self._is_hashed = False
        self._delay = 0

    def set_producer_name(self, producer_name: str) -> Self:
        """Set how the names of the producers start; the number of the subtask and a unique id follow."""
        require(producer_name, str, "set_producer_name", "a str")
        self._producer_name = producer_name
        return self

    def set_topics(self, topics: str | list[str]) -> Self:
        """Set the topics; elements of a subtask go to them in turn.

        Raises:
            ConfigurationError: there is none.
        """
        self._topics = topics_of(topics)
        return self

    def set_delivery_guarantee(self, delivery_guarantee: DeliveryGuarantee) -> Self:
        """Set the guarantee. `DeliveryGuarantee.NONE` is at least once, too, as epochs need no more for it.

        Raises:
            UnsupportedOperationError: it is exactly once.
        """
        require(delivery_guarantee, DeliveryGuarantee, "set_delivery_guarantee", "a DeliveryGuarantee")
        if delivery_guarantee is DeliveryGuarantee.EXACTLY_ONCE:
            raise UnsupportedOperationError(
                "EXACTLY_ONCE needs transactions, which Pulsar's Python client does not have: use "
                "AT_LEAST_ONCE, and let consumers recognize repeated elements by an id in them"
            )
        return self

    def set_topic_routing_mode(self, topic_routing_mode: TopicRoutingMode) -> Self:
        """Set to which partitions messages go, `TopicRoutingMode.ROUND_ROBIN` by default.

        Raises:
            UnsupportedOperationError: it is `TopicRoutingMode.CUSTOM`.
        """
        require(topic_routing_mode, TopicRoutingMode, "set_topic_routing_mode", "a TopicRoutingMode")
        if topic_routing_mode is TopicRoutingMode.CUSTOM:
            raise _no_java_router("set_topic_routing_mode")
        self._is_hashed = topic_routing_mode is TopicRoutingMode.MESSAGE_KEY_HASH
        return self

    def set_topic_router(self, topic_router_class_name: str) -> Self:
        """Refuse a router, which is a class of Java."""
        raise _no_java_router("set_topic_router")

    def set_serialization_schema(self, serialization_schema: SerializationSchema[U]) -> PulsarSinkBuilder[U]:
        """Set how elements are encoded.

        Raises:
            PlanTypeError: it is not a SerializationSchema.
        """
        wanted = "a SerializationSchema such as SimpleStringSchema()"
        require(serialization_schema, SerializationSchema, "set_serialization_schema", wanted)
        self._schema = serialization_schema
        return cast("PulsarSinkBuilder[U]", self)

    def delay_sending_message(self, message_delayer: MessageDelayer) -> Self:
        """Set when messages are delivered to consumers of a shared subscription; at once by default."""
        require(message_delayer, MessageDelayer, "delay_sending_message", "a MessageDelayer")
        self._delay = message_delayer._delay
        return self

    def set_config(self, key: str, value: Any) -> Self:
        """Set an option of the client.

        Raises:
            ConfigurationError: there is no such option here, or its value is wrong.
        """
        return self._set_option(key, value)

    def build(self) -> PulsarSink[T]:
        """Return the sink.

        Raises:
            ConfigurationError: a setting is missing.
        """
        if self._schema is None:
            raise ConfigurationError("PulsarSink needs set_serialization_schema(SimpleStringSchema())")
        client = self._client("PulsarSink")
        name = self._producer_name
        return PulsarSink(
            MessagesOutput(
                client,
                self._topics,
                name,
                self._schema,
                self._is_hashed,
                self._delay,
                *self._producer_limits,
            )
        )


def _no_java_router(method: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"{method}: a topic router is a class of Java; split the stream, and write each part to its own sink"
    )
