"""The source of Pulsar, with PyFlink's builder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Self, cast

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.common.config_options import ConfigOption
from pystream.datastream.connectors.base import Source
from pystream.datastream.connectors.pulsar.cursors import RangeGenerator, StartCursor, StopCursor
from pystream.datastream.connectors.pulsar.settings import PulsarSettings, topics_of
from pystream.engine.connectors.pulsar.source import PulsarInput
from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from pystream.messages.schemas import DeserializationSchema
from pystream.program_warnings import warn_program
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["PulsarSource", "PulsarSourceBuilder"]

OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T", default=Any)
U = TypeVar("U")


@checks_arguments(ArgumentTypeError)
class PulsarSource(Source[OUT]):
    """The messages of topics, exactly once.

    Each partition is read in order, by one subtask. An epoch that fails reads the same messages again: a
    durable subscription keeps them until the epoch is complete. The timestamp of an element is the event time
    of its message, or else the time of its publication. Made by a `builder`.

    Mirrors ``org.apache.flink.connector.pulsar.source.PulsarSource``.
    """

    def __init__(self, input: PulsarInput) -> None:
        self._input = input

    @staticmethod
    def builder() -> PulsarSourceBuilder[Any]:
        """Return a builder."""
        return PulsarSourceBuilder()

    def is_bounded(self) -> bool:
        """Return whether the source is bounded: it is with ``set_bounded_stop_cursor``."""
        return self._input.is_bounded

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return cast("TypeInformation[OUT]", self._input.schema.get_produced_type())

    def reader(self) -> PulsarInput:
        """Return the reader of the topics."""
        return self._input


@checks_arguments(ArgumentTypeError)
class PulsarSourceBuilder(PulsarSettings, Generic[T]):
    """Build a source; the service URL, the subscription, the topics and the schema must be set.

    Mirrors ``org.apache.flink.connector.pulsar.source.PulsarSourceBuilder``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._subscription = ""
        self._consumer_name = ""
        self._schema: DeserializationSchema[Any] | None = None
        self._start = StartCursor.earliest()
        self._stop = StopCursor.never()
        self._is_bounded = False

    def set_subscription_name(self, subscription_name: str) -> Self:
        """Set the name of the subscription, which keeps messages until one job has read them."""
        require(subscription_name, str, "set_subscription_name", "a str")
        self._subscription = subscription_name
        return self

    def set_topics(self, topics: str | list[str]) -> Self:
        """Set the topics, with or without partitions.

        Raises:
            ConfigurationError: there is none.
        """
        self._topics = topics_of(topics)
        return self

    def set_topic_pattern(self, topic_pattern: str) -> Self:
        """Refuse a pattern: the client library cannot list topics."""
        raise UnsupportedOperationError(
            "set_topic_pattern: Pulsar's Python client cannot list topics; name them by set_topics"
        )

    def set_consumer_name(self, consumer_name: str) -> Self:
        """Set the name of the consumer, shown in the statistics of a topic."""
        require(consumer_name, str, "set_consumer_name", "a str")
        self._consumer_name = consumer_name
        return self

    def set_range_generator(self, range_generator: RangeGenerator) -> Self:
        """Set which keys are read: all."""
        require(range_generator, RangeGenerator, "set_range_generator", "a RangeGenerator")
        return self

    def set_start_cursor(self, start_cursor: StartCursor) -> Self:
        """Set where to start, `StartCursor.earliest` by default; a job that is resumed continues instead."""
        require(start_cursor, StartCursor, "set_start_cursor", "a StartCursor")
        self._start = start_cursor
        return self

    def set_unbounded_stop_cursor(self, stop_cursor: StopCursor) -> Self:
        """Set where to stop a source that counts as unbounded."""
        require(stop_cursor, StopCursor, "set_unbounded_stop_cursor", "a StopCursor")
        self._stop, self._is_bounded = stop_cursor, False
        return self

    def set_bounded_stop_cursor(self, stop_cursor: StopCursor) -> Self:
        """Make the source bounded: it reads what is there before the stop when the job starts.

        Raises:
            ConfigurationError: it never stops.
        """
        require(stop_cursor, StopCursor, "set_bounded_stop_cursor", "a StopCursor")
        if stop_cursor._stop.kind == "never":
            raise ConfigurationError("set_bounded_stop_cursor needs an end, such as StopCursor.latest()")
        self._stop, self._is_bounded = stop_cursor, True
        return self

    def set_deserialization_schema(
        self, deserialization_schema: DeserializationSchema[U]
    ) -> PulsarSourceBuilder[U]:
        """Set how messages are decoded; one that it decodes to ``None`` is skipped.

        Raises:
            PlanTypeError: it is not a DeserializationSchema.
        """
        wanted = "a DeserializationSchema such as SimpleStringSchema()"
        require(deserialization_schema, DeserializationSchema, "set_deserialization_schema", wanted)
        self._schema = deserialization_schema
        return cast("PulsarSourceBuilder[U]", self)

    def set_config(self, key: str | ConfigOption[Any], value: Any) -> Self:
        """Set an option of the client.

        Raises:
            ConfigurationError: there is no such option here, or its value is wrong.
        """
        return self._set_option(key.key if isinstance(key, ConfigOption) else key, value)

    def set_config_with_dict(self, config: Mapping[str, Any]) -> Self:
        """Set options; deprecated: use `set_properties`."""
        warn_program("set_config_with_dict is deprecated: use set_properties", DeprecationWarning)
        return self.set_properties(config)

    def build(self) -> PulsarSource[T]:
        """Return the source.

        Raises:
            ConfigurationError: a setting is missing.
        """
        if self._schema is None:
            raise ConfigurationError("PulsarSource needs set_deserialization_schema(SimpleStringSchema())")
        if not self._subscription:
            raise ConfigurationError("PulsarSource needs set_subscription_name")
        return PulsarSource(
            PulsarInput(
                self._client("PulsarSource"),
                self._topics,
                self._subscription,
                self._consumer_name,
                self._schema,
                self._start._start,
                self._stop._stop,
                self._is_bounded,
                self._discovery_interval,
                self._schema.at_once(),
            )
        )
