"""Properties of Kafka's Java clients as settings of librdkafka."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from pystream.engine.connectors.kafka.client_library import CLIENT_LOG
from pystream.errors import ConfigurationError
from pystream.program_warnings import warn_program

__all__ = ["consumer_settings", "known_properties", "producer_settings"]

_FOR_JAVA = {
    "auto.register.schemas",
    "buffer.memory",
    "client.id.prefix",
    "commit.offsets.on.checkpoint",
    "enable.auto.commit",
    "flink.disable-metrics",
    "flink.partition-discovery.interval-millis",
    "flink.poll-timeout",
    "interceptor.classes",
    "key.deserializer",
    "key.serializer",
    "max.block.ms",
    "max.poll.records",
    "metric.reporters",
    "metrics.num.samples",
    "metrics.recording.level",
    "metrics.sample.window.ms",
    "partition.assignment.strategy",
    "partition.discovery.interval.ms",
    "register.consumer.metrics",
    "register.producer.metrics",
    "value.deserializer",
    "value.serializer",
}
"""Properties that only Java's client has, or that the connector itself decides on."""

_RENAMED = {
    "fetch.max.wait.ms": "fetch.wait.max.ms",
    "max.request.size": "message.max.bytes",
    "request.timeout.ms": "socket.timeout.ms",
    "sasl.mechanism": "sasl.mechanisms",
    "send.buffer.bytes": "socket.send.buffer.bytes",
    "receive.buffer.bytes": "socket.receive.buffer.bytes",
}
_FILES_OF_JAVA = {
    "ssl.truststore.location": "ssl.ca.location",
    "ssl.keystore.location": "ssl.keystore.location",
}
_OF_CONSUMERS = (
    "auto.offset.reset",
    "check.crcs",
    "fetch.",
    "group.",
    "heartbeat.",
    "isolation.level",
    "max.partition.",
    "max.poll.",
    "session.",
)
_OF_PRODUCERS = (
    "acks",
    "batch.",
    "compression.",
    "delivery.",
    "enable.idempotence",
    "linger.ms",
    "max.in.flight.",
    "partitioner",
    "retries",
    "transaction",
)
_CREDENTIALS = re.compile(r"""(username|password)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s;]+)""")
_UNKNOWN = re.compile(r'No such configuration property: "([^"]*)"')
_NO_NAME = "pystream.no-such-property"
_ESCAPED = re.compile(r"\\(.)")


def consumer_settings(properties: Mapping[str, str], role: str = "", **own: Any) -> dict[str, Any]:
    """Return the settings of a consumer to which partitions and offsets are assigned.

    Args:
        properties: those of the program.
        role: what the consumer does for a source, the end of its client id; empty for other consumers.
        own: settings of the connector, ``_`` in place of dots, which take precedence.

    Raises:
        ConfigurationError: a property is for Java only and changes what is read.
    """
    return {
        "group.id": "pystream",  # needed by librdkafka; nothing joins it
        "isolation.level": "read_uncommitted",  # Java's default
        "queued.max.messages.kbytes": 32 * 1024,
        "fetch.queue.backoff.ms": 10,  # its default, a second, is longer than a full queue lasts
        **_translated(properties, _OF_PRODUCERS),
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        **_client_id(properties, role),
        **_dotted(own),
    }


def producer_settings(properties: Mapping[str, str], **own: Any) -> dict[str, Any]:
    """Return the settings of a producer, by default those of Kafka's Java producer.

    Args:
        properties: those of the program.
        own: settings of the connector, ``_`` in place of dots, which take precedence.

    Raises:
        ConfigurationError: a property is for Java only and changes what is written.
    """
    given = _translated(properties, _OF_CONSUMERS)
    acknowledged = str(given.get("acks", "all")) in ("all", "-1")
    return {
        "enable.idempotence": acknowledged,
        "partitioner": "murmur2_random",  # the same partition for a key as Java's
        "delivery.timeout.ms": 120_000,
        "linger.ms": 5,
        "queue.buffering.max.messages": 200_000,
        "delivery.report.only.error": True,
        **given,
        **_dotted(own),
    }


def known_properties(
    properties: Mapping[str, str], settings_of: Callable[[Mapping[str, str]], dict[str, Any]]
) -> dict[str, str]:
    """Return properties without those that no client of Kafka has, and warn of these, as Java's client does.

    All are returned where the client is not installed.

    Args:
        properties: those of the program.
        settings_of: makes settings of the client of them.

    Raises:
        ConfigurationError: a property is for Java only and changes what is read or written.
    """
    known = dict(properties)
    while (name := _unknown_name(settings_of(known))) in known:
        del known[name]
        warn_program(f"no client of Kafka has the property {name!r}: it is ignored")
    return known


def _unknown_name(settings: Mapping[str, Any]) -> str | None:
    """Return a name that the client does not know, as far as it is installed.

    The client reads settings in order and stops at the first unknown name, so that one at the end keeps it
    from being made.
    """
    if find_spec("confluent_kafka") is None:
        return None
    from confluent_kafka import KafkaException, Producer

    try:
        Producer({**settings, _NO_NAME: ""})
    except KafkaException as error:
        unknown = _UNKNOWN.search(str(error))
        return None if unknown is None else unknown[1]
    return None


def _client_id(properties: Mapping[str, str], role: str) -> dict[str, str]:
    """Return the setting by which brokers know a consumer of a source, as Flink does."""
    default = "" if "client.id" in properties else properties.get("group.id", "")
    prefix = properties.get("client.id.prefix", default)
    return {"client.id": f"{prefix}-{role}"} if prefix and role else {}


def _translated(properties: Mapping[str, str], others: tuple[str, ...]) -> dict[str, Any]:
    """Return properties by their names in librdkafka, without those of other clients."""
    settings: dict[str, Any] = {}
    for key, value in properties.items():
        if key in _FOR_JAVA or key.startswith(others):
            continue
        if key == "sasl.jaas.config":
            settings |= _credentials(value)
        elif key in _FILES_OF_JAVA:
            settings[_FILES_OF_JAVA[key]] = _readable(key, value, properties)
        elif key == "ssl.truststore.password" or key.endswith("store.type"):
            continue
        elif key == "ssl.endpoint.identification.algorithm":
            settings[key] = value or "none"
        else:
            settings[_RENAMED.get(key, key)] = value
    return settings


def _credentials(login: str) -> dict[str, str]:
    """Return the name and password in a setting of Java's login modules."""
    found = {key: _unquoted(value) for key, value in _CREDENTIALS.findall(login)}
    if found.keys() != {"username", "password"}:
        raise ConfigurationError(
            "the Kafka property 'sasl.jaas.config' must have a username and a password, as that of "
            "PlainLoginModule and ScramLoginModule; set 'sasl.mechanism' and the properties 'sasl.*' of "
            "librdkafka for other logins"
        )
    return {"sasl.username": found["username"], "sasl.password": found["password"]}


def _unquoted(value: str) -> str:
    """Return a value in a setting of Java's login modules without its quotes and escapes."""
    return _ESCAPED.sub(r"\1", value[1:-1]) if value[0] in "\"'" else value


def _readable(key: str, location: str, properties: Mapping[str, str]) -> str:
    """Return the location of certificates or keys in a format that librdkafka reads.

    Raises:
        ConfigurationError: it is a Java key store.
    """
    kind = properties.get(f"{key.removesuffix('location')}type", "JKS").upper()
    readable = "PEM" if "truststore" in key else "PKCS12"
    if kind != readable:
        raise ConfigurationError(
            f"the Kafka property {key!r} names a store of type {kind}, which only Java reads: convert it, "
            f"and set {key.removesuffix('location')}type to {readable}"
        )
    return location


def _dotted(settings: Mapping[str, Any]) -> dict[str, Any]:
    own = {key.replace("_", "."): value for key, value in settings.items()}
    return {**own, "logger": CLIENT_LOG}
