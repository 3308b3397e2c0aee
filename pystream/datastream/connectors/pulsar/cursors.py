"""Cursors at which Pulsar sources start and stop, and the ranges of keys that they read."""

from __future__ import annotations

from pystream.arguments.checks import require, require_int
from pystream.engine.connectors.packages import client_library
from pystream.engine.connectors.pulsar.client import WHOLE_ENTRY, MessageKey, key_of
from pystream.engine.connectors.pulsar.cursors import Start, Stop
from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["RangeGenerator", "StartCursor", "StopCursor"]


@checks_arguments(ArgumentTypeError)
class StartCursor:
    """The position at which a new job starts to read.

    Mirrors ``org.apache.flink.connector.pulsar.source.enumerator.cursor.StartCursor``.
    """

    def __init__(self, start: Start) -> None:
        self._start = start

    @staticmethod
    def default_start_cursor() -> StartCursor:
        """Return `earliest`."""
        return StartCursor.earliest()

    @staticmethod
    def earliest() -> StartCursor:
        """Start with the first message that the topic has."""
        return StartCursor(Start())

    @staticmethod
    def latest() -> StartCursor:
        """Start with the first message that is sent after the start of the job."""
        return StartCursor(Start("latest"))

    @staticmethod
    def from_message_id(message_id: bytes, inclusive: bool = True) -> StartCursor:
        """Start with a message.

        Args:
            message_id: its id, as ``pulsar.MessageId.serialize`` returns it.
            inclusive: whether it is read itself.

        Raises:
            ConfigurationError: the bytes are no message id.
            DependencyError: the client library is not installed.
        """
        return StartCursor(Start("message", _key(message_id, is_after=not inclusive)))

    @staticmethod
    def from_publish_time(timestamp: int) -> StartCursor:
        """Start with the first message that was published at a time, in ms since the Unix epoch, or later."""
        return StartCursor(Start("published", require_int(timestamp, "timestamp", 0)))


@checks_arguments(ArgumentTypeError)
class StopCursor:
    """The position at which a source stops reading.

    Mirrors ``org.apache.flink.connector.pulsar.source.enumerator.cursor.StopCursor``.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    @staticmethod
    def default_stop_cursor() -> StopCursor:
        """Return `never`."""
        return StopCursor.never()

    @staticmethod
    def never() -> StopCursor:
        """Do not stop."""
        return StopCursor(Stop())

    @staticmethod
    def latest() -> StopCursor:
        """Stop after the last message that is there when the job starts."""
        return StopCursor(Stop("latest"))

    @staticmethod
    def at_event_time(timestamp: int) -> StopCursor:
        """Refuse to stop at an event time, which says nothing of the place of a message in its topic."""
        raise _no_event_time("at_event_time", "at_publish_time")

    @staticmethod
    def after_event_time(timestamp: int) -> StopCursor:
        """Refuse to stop after an event time, which says nothing of the place of a message in its topic."""
        raise _no_event_time("after_event_time", "after_publish_time")

    @staticmethod
    def at_publish_time(timestamp: int) -> StopCursor:
        """Stop before the first message published at a time, in ms since the Unix epoch, or later."""
        return StopCursor(Stop("published", require_int(timestamp, "timestamp", 0)))

    @staticmethod
    def after_publish_time(timestamp: int) -> StopCursor:
        """Stop before the first message that was published after a time, in ms since the Unix epoch."""
        return StopCursor(Stop("published", require_int(timestamp, "timestamp", 0) + 1))

    @staticmethod
    def at_message_id(message_id: bytes) -> StopCursor:
        """Stop before a message.

        Args:
            message_id: its id, as ``pulsar.MessageId.serialize`` returns it.

        Raises:
            ConfigurationError: the bytes are no message id.
            DependencyError: the client library is not installed.
        """
        return StopCursor(Stop("message", _key(message_id, is_after=False)))

    @staticmethod
    def after_message_id(message_id: bytes) -> StopCursor:
        """Stop after a message.

        Args:
            message_id: its id, as ``pulsar.MessageId.serialize`` returns it.

        Raises:
            ConfigurationError: the bytes are no message id.
            DependencyError: the client library is not installed.
        """
        return StopCursor(Stop("message", _key(message_id, is_after=True)))


@checks_arguments(ArgumentTypeError)
class RangeGenerator:
    """The range of keys that a source reads: all of them.

    Mirrors ``org.apache.flink.connector.pulsar.source.enumerator.topic.range.RangeGenerator``.
    """

    @staticmethod
    def full() -> RangeGenerator:
        """Read the messages of all keys."""
        return RangeGenerator()

    @staticmethod
    def fixed_key(
        support_null_key: bool = False,
        keys: str | list[str] | None = None,
        key_bytes: bytes | None = None,
        ordering_key_bytes: bytes | None = None,
    ) -> RangeGenerator:
        """Refuse to read some keys only, which a subscription shared by keys does."""
        raise UnsupportedOperationError(
            "RangeGenerator.fixed_key: positions of epochs need whole partitions; read all keys, and filter "
            "the stream, which is needed in any case, as keys share their hashes with others"
        )


def _key(message_id: bytes, *, is_after: bool) -> MessageKey:
    """Return the place of a message, or that directly after it."""
    require(message_id, bytes, "a cursor", "the bytes of a message id")
    try:
        entry, index = key_of(client_library("pulsar", "pulsar").MessageId.deserialize(message_id))
    except ValueError as error:
        raise ConfigurationError(f"{short_repr(message_id)} is no message id: {error}") from error
    if not is_after:
        return MessageKey(entry, index)
    return MessageKey(entry, WHOLE_ENTRY if index < 0 else index + 1)


def _no_event_time(method: str, instead: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"StopCursor.{method}: messages are not ordered by event time, and an epoch ends at the same place "
        f"in all runs; use StopCursor.{instead}, and filter the stream"
    )
