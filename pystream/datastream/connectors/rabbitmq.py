"""RabbitMQ: a source and a sink of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self
from urllib.parse import urlsplit

from typing_extensions import TypeVar

from pystream.arguments.checks import require, require_int
from pystream.datastream.connectors.base import Source
from pystream.datastream.functions import SinkFunction
from pystream.engine.connectors.rabbitmq.broker import Broker
from pystream.engine.connectors.rabbitmq.sink import QueueOutput
from pystream.engine.connectors.rabbitmq.source import QueueSource
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError
from pystream.lazy import re_exports
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.datastream.functions import SourceFunction as SourceFunction
else:
    __getattr__ = re_exports(__name__)


__all__ = ["RMQConnectionConfig", "RMQSink", "RMQSource"]

OUT = TypeVar("OUT", covariant=True, default=Any)
IN = TypeVar("IN", contravariant=True, default=Any)

_MAX_PREFETCH = 65_535


@checks_arguments(ArgumentTypeError)
class RMQConnectionConfig:
    """The address of a RabbitMQ broker, and settings of connections; make one with a `Builder`.

    Its text has neither user nor password.

    Mirrors ``org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig``.

    Examples:
        >>> from pystream.datastream.connectors import RMQConnectionConfig
        >>> config = RMQConnectionConfig.Builder().set_uri("amqp://guest:guest@localhost:5672/%2F").build()
        >>> print(config)
        localhost:5672/%2F
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def __str__(self) -> str:
        return str(self._broker)

    def get_host(self) -> str | None:
        """Return the host; ``None`` if there is a URI."""
        return self._broker.host or None

    def get_port(self) -> int | None:
        """Return the port; ``None`` if there is a URI."""
        return self._broker.port or None

    def get_virtual_host(self) -> str | None:
        """Return the virtual host; ``None`` if there is a URI."""
        return self._broker.virtual_host or None

    def get_user_name(self) -> str | None:
        """Return the name of the user; ``None`` if there is a URI."""
        return self._broker.user or None

    def get_password(self) -> str | None:
        """Return the password; ``None`` if there is a URI."""
        return self._broker.password or None

    def get_uri(self) -> str | None:
        """Return the URI; ``None`` if there is none."""
        return self._broker.uri or None

    def get_network_recovery_interval(self) -> int:
        """Return the pause before a lost connection is re-established, in ms."""
        return self._broker.recovery_interval

    def is_automatic_recovery(self) -> bool:
        """Return whether a lost connection is re-established."""
        return self._broker.recovers

    def is_topology_recovery(self) -> bool:
        """Return True: queues are declared again with the connection."""
        return True

    def get_connection_timeout(self) -> int | None:
        """Return the time limit for a connection to be made, in ms; ``None`` for that of the client."""
        return self._broker.connection_timeout

    def get_requested_channel_max(self) -> int | None:
        """Return the largest number of channels; ``None`` for that of the client."""
        return self._broker.channel_max

    def get_requested_frame_max(self) -> int | None:
        """Return the largest size of a frame in bytes; ``None`` for that of the client."""
        return self._broker.frame_max

    def get_requested_heartbeat(self) -> int | None:
        """Return the interval of heartbeats in seconds; ``None`` for that of the broker."""
        return self._broker.heartbeat

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build an `RMQConnectionConfig`: a URI, or host, port, virtual host, user name and password."""

        def __init__(self) -> None:
            self._settings: dict[str, Any] = {}

        def set_host(self, host: str) -> Self:
            """Set the host."""
            return self._set_text("host", host)

        def set_port(self, port: int) -> Self:
            """Set the port, usually 5672."""
            return self._set_number("port", port, 1, 65_535)

        def set_virtual_host(self, vhost: str) -> Self:
            """Set the virtual host, usually ``/``."""
            return self._set_text("virtual_host", vhost)

        def set_user_name(self, user_name: str) -> Self:
            """Set the name of the user."""
            return self._set_text("user", user_name)

        def set_password(self, password: str) -> Self:
            """Set the password of the user."""
            return self._set_text("password", password)

        def set_uri(self, uri: str) -> Self:
            """Set a URI such as ``amqp://user:password@host:5672/%2F``, which replaces the five settings.

            Raises:
                ConfigurationError: it is not a URI of the scheme amqp or amqps with a host.
            """
            self._set_text("uri", uri)
            if not _is_address(uri):
                raise ConfigurationError(
                    "RMQConnectionConfig: uri must look like amqp://user:password@host:5672/%2F"
                )
            return self

        def set_topology_recovery_enabled(self, topology_recovery_enabled: bool) -> Self:
            """Accept the setting for compatibility: queues are always declared again with the connection."""
            require(topology_recovery_enabled, bool, "set_topology_recovery_enabled", "a bool")
            return self

        def set_requested_heartbeat(self, requested_heartbeat: int) -> Self:
            """Set the interval in seconds after which a silent peer counts as lost; 0 for never."""
            return self._set_number("heartbeat", requested_heartbeat, 0, 65_535)

        def set_requested_frame_max(self, requested_frame_max: int) -> Self:
            """Set the largest size of a frame in bytes; 0 for that of the client."""
            return self._set_number("frame_max", requested_frame_max, 0, 131_072)

        def set_requested_channel_max(self, requested_channel_max: int) -> Self:
            """Set the largest number of channels; 0 for that of the client."""
            return self._set_number("channel_max", requested_channel_max, 0, 65_535)

        def set_network_recovery_interval(self, network_recovery_interval: int) -> Self:
            """Set the pause before a lost connection is re-established, in ms; 5,000 by default."""
            return self._set_number("recovery_interval", network_recovery_interval, 0)

        def set_connection_timeout(self, connection_timeout: int) -> Self:
            """Set the time limit for a connection to be made, in ms; 0 for that of the client."""
            return self._set_number("connection_timeout", connection_timeout, 0)

        def set_automatic_recovery(self, automatic_recovery: bool) -> Self:
            """Set whether a lost connection is re-established; otherwise, the job fails. True by default."""
            require(automatic_recovery, bool, "set_automatic_recovery", "a bool")
            self._settings["recovers"] = automatic_recovery
            return self

        def set_prefetch_count(self, prefetch_count: int) -> Self:
            """Set how many messages a source may receive before it acknowledges some; 16,384 by default.

            It bounds the messages in memory and those of an epoch: lower it if messages are large.
            """
            return self._set_number("prefetch_count", prefetch_count, 1, _MAX_PREFETCH)

        def build(self) -> RMQConnectionConfig:
            """Return the configuration.

            Raises:
                ConfigurationError: neither a URI is set nor all five settings that make one.
            """
            wanted = () if "uri" in self._settings else ("host", "port", "virtual_host", "user", "password")
            missing = [name for name in wanted if name not in self._settings]
            if missing:
                raise ConfigurationError(
                    f"RMQConnectionConfig lacks {', '.join(missing)}: set a URI, or host, port, virtual "
                    "host, user name and password"
                )
            return RMQConnectionConfig(Broker(**self._settings))

        def _set_text(self, name: str, value: str) -> Self:
            if not isinstance(value, str):
                raise PlanTypeError(f"RMQConnectionConfig: {name} must be a str")  # it may be secret
            self._settings[name] = value
            return self

        def _set_number(self, name: str, value: int, minimum: int, maximum: int | None = None) -> Self:
            self._settings[name] = require_int(value, f"RMQConnectionConfig: {name}", minimum, maximum)
            return self


@checks_arguments(ArgumentTypeError)
class RMQSource(Source[OUT], Generic[OUT]):
    """The messages of a RabbitMQ queue, for ``add_source``; at parallelism 1, in the order of the queue.

    A message is acknowledged once the epoch with its effects is committed, so that none is lost. A message
    that was not acknowledged, because a connection, the broker or the job broke down, is delivered again, and
    processed again: at least once. With correlation ids, it is recognized: the last 131,072 ids are part of
    checkpoints, and each message is processed exactly once, if no other job reads the same queue.

    A queue that does not exist is created as a durable one. A lost connection is re-established. A message
    that the schema decodes to ``None`` is left out; one that it cannot decode fails the job.

    Args:
        connection_config: the broker.
        queue_name: the queue.
        use_correlation_id: whether producers give each message a correlation id that no other one has.
        deserialization_schema: decodes messages, on the workers.

    Raises:
        PlanTypeError: an argument has the wrong type.
        FunctionPicklingError: the schema cannot be sent to the workers.

    Mirrors ``org.apache.flink.streaming.connectors.rabbitmq.RMQSource``.
    """

    def __init__(
        self,
        connection_config: RMQConnectionConfig,
        queue_name: str,
        use_correlation_id: bool,
        deserialization_schema: DeserializationSchema[OUT],
    ) -> None:
        require(connection_config, RMQConnectionConfig, "RMQSource", "an RMQConnectionConfig")
        require(queue_name, str, "RMQSource", "a str as queue_name")
        require(use_correlation_id, bool, "RMQSource", "a bool as use_correlation_id")
        require(deserialization_schema, DeserializationSchema, "RMQSource", "a DeserializationSchema")
        self._type = deserialization_schema.get_produced_type()
        schema = UserFunction.of(deserialization_schema, "RMQSource", is_object=True)
        self._reader = QueueSource(
            connection_config._broker,
            queue_name,
            use_correlation_id,
            schema.payload,
            self._type,
            deserialization_schema.at_once() is not None,
        )

    def is_bounded(self) -> bool:
        """Return False: further messages may always come."""
        return False

    def is_parallel(self) -> bool:
        """Return False: one subtask gets all messages, which keeps their order."""
        return False

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._type

    def reader(self) -> QueueSource:
        """Return the reader of the queue."""
        return self._reader


@checks_arguments(ArgumentTypeError)
class RMQSink(SinkFunction[IN]):
    """Publish elements to a RabbitMQ queue, for ``add_sink``; at least once.

    Messages are persistent, and published in transactions, the last of which ends with the epoch: once a
    checkpoint is complete, the broker has stored all its messages. An epoch that fails is repeated, and its
    messages are published again. Messages of one subtask keep their order.

    A queue that does not exist is created before the job starts, as a durable one. A lost connection is
    re-established; a broker that is away for two minutes fails the epoch.

    Args:
        connection_config: the broker.
        queue_name: the queue; messages go to it through the default exchange.
        serialization_schema: encodes elements, on the workers.

    Raises:
        PlanTypeError: an argument has the wrong type.
        FunctionPicklingError: the schema cannot be sent to the workers.

    Mirrors ``org.apache.flink.streaming.connectors.rabbitmq.RMQSink``, which publishes without transactions.
    """

    def __init__(
        self,
        connection_config: RMQConnectionConfig,
        queue_name: str,
        serialization_schema: SerializationSchema[IN],
    ) -> None:
        require(connection_config, RMQConnectionConfig, "RMQSink", "an RMQConnectionConfig")
        require(queue_name, str, "RMQSink", "a str as queue_name")
        require(serialization_schema, SerializationSchema, "RMQSink", "a SerializationSchema")
        schema = UserFunction.of(serialization_schema, "RMQSink", is_object=True)
        self._output = QueueOutput(connection_config._broker, queue_name, schema.payload, schema.description)

    def bind(self, type_info: TypeInformation[IN]) -> QueueOutput:
        """Return the output that the runtime writes elements to."""
        return self._output


def _is_address(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
        return parts.scheme in ("amqp", "amqps") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
