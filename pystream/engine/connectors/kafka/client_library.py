"""Kafka's client library: its errors, and its log."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pystream.engine.connectors.packages import client_library
from pystream.errors import ConfigurationError

__all__ = ["CLIENT_LOG", "client_errors", "is_permanent", "kafka", "reason_of", "remedy_of"]

CLIENT_LOG = logging.getLogger("pystream.kafka")
"""The log of the client library."""

_SECONDS_BETWEEN_EQUAL = 30.0
_PERMANENT = {
    "CLUSTER_AUTHORIZATION_FAILED",
    "GROUP_AUTHORIZATION_FAILED",
    "INVALID_RECORD",
    "INVALID_TOPIC_EXCEPTION",
    "MSG_SIZE_TOO_LARGE",
    "POLICY_VIOLATION",
    "RECORD_LIST_TOO_LARGE",
    "SASL_AUTHENTICATION_FAILED",
    "TOPIC_AUTHORIZATION_FAILED",
    "TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
    "UNKNOWN_TOPIC_OR_PART",
    "UNSUPPORTED_FOR_MESSAGE_FORMAT",
    "UNSUPPORTED_VERSION",
    "_AUTHENTICATION",
    "_UNKNOWN_PARTITION",
    "_UNKNOWN_TOPIC",
}
_USER = "let the user of the source read and describe the topic"
_LOGIN = "check the user, the password and the mechanism: the properties sasl.* and security.protocol"
_REMEDIES = {
    "GROUP_AUTHORIZATION_FAILED": "let the user of the source read the consumer group",
    "SASL_AUTHENTICATION_FAILED": _LOGIN,
    "TOPIC_AUTHORIZATION_FAILED": _USER,
    "UNKNOWN_TOPIC_OR_PART": f"create the topic, or {_USER}",
    "_AUTHENTICATION": _LOGIN,
    "_UNKNOWN_PARTITION": f"create the topic, or {_USER}",
    "_UNKNOWN_TOPIC": f"create the topic, or {_USER}",
}
_NUMBERS = re.compile(r"\d+")


class _Seldom(logging.Filter):
    """Passes equal messages, apart from numbers, once in a while: clients log every attempt to connect."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether no equal message has passed lately."""
        text = _NUMBERS.sub("#", record.getMessage())
        now = time.monotonic()
        if now < self._last.get(text, -_SECONDS_BETWEEN_EQUAL) + _SECONDS_BETWEEN_EQUAL:
            return False
        self._last[text] = now
        return True


CLIENT_LOG.addFilter(_Seldom())


def kafka() -> Any:
    """Return the client library.

    Raises:
        DependencyError: it is not installed.
    """
    return client_library("confluent_kafka", "kafka")


@contextmanager
def client_errors() -> Iterator[None]:
    """Raise a configuration error for properties that librdkafka refuses."""
    try:
        yield
    except kafka().KafkaException as error:
        raise ConfigurationError(
            f"Kafka's client refuses its properties: {reason_of(error)}; names and values are those of "
            "librdkafka, and of Kafka's Java client where both have the same property"
        ) from None


def is_permanent(error: Exception) -> bool:
    """Return whether an error of the client comes again, however often the same is tried."""
    return error.args[0].name() in _PERMANENT


def reason_of(error: Exception) -> str:
    """Return the text of an error of the client."""
    found: str = error.args[0].str()
    return found.removesuffix(".")


def remedy_of(error: Exception) -> str:
    """Return what can be done about an error of the client, after a semicolon; empty if that is not known."""
    remedy = _REMEDIES.get(error.args[0].name(), "")
    return f"; {remedy}" if remedy else ""
