"""Properties of Kafka clients for Spark's connector, which uses those of Java."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["java_properties", "obstacle_to_java"]

_DECIDED_BY_SPARK = {
    "auto.offset.reset",
    "auto.register.schemas",
    "bootstrap.servers",
    "commit.offsets.on.checkpoint",
    "enable.auto.commit",
    "interceptor.classes",
    "key.deserializer",
    "key.serializer",
    "partition.discovery.interval.ms",
    "register.consumer.metrics",
    "register.producer.metrics",
    "value.deserializer",
    "value.serializer",
}
_OF_JAVA = {
    "client.id.prefix": "client.id",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "message.max.bytes": "max.request.size",
    "sasl.mechanisms": "sasl.mechanism",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
    "socket.send.buffer.bytes": "send.buffer.bytes",
    "socket.timeout.ms": "request.timeout.ms",
}
_ONLY_LIBRDKAFKA = {
    "enable.ssl.certificate.verification": "ssl.truststore.location",
    "sasl.password": "sasl.jaas.config",
    "sasl.username": "sasl.jaas.config",
    "ssl.ca.location": "ssl.truststore.location",
    "ssl.ca.pem": "ssl.truststore.certificates",
    "ssl.certificate.location": "ssl.keystore.location",
    "ssl.certificate.pem": "ssl.keystore.certificate.chain",
    "ssl.key.location": "ssl.keystore.location",
    "ssl.key.pem": "ssl.keystore.key",
}


def obstacle_to_java(properties: Mapping[str, str]) -> str:
    """Return why Java's clients cannot connect with properties, empty if they can.

    Java ignores properties that it does not know.

    Args:
        properties: those of the program.
    """
    for key in properties:
        if key in _ONLY_LIBRDKAFKA:
            return (
                f"the property {key!r} is one of librdkafka, and Spark connects with Kafka's Java clients: "
                f"set {_ONLY_LIBRDKAFKA[key]!r}"
            )
    return ""


def java_properties(properties: Mapping[str, str]) -> dict[str, str]:
    """Return the options of Spark's connector for properties.

    Args:
        properties: those of the program.
    """
    options = {
        f"kafka.{_OF_JAVA.get(key, key)}": value
        for key, value in properties.items()
        if key not in _DECIDED_BY_SPARK and not key.startswith("flink.")
    }
    return {"kafka.bootstrap.servers": properties["bootstrap.servers"], **options}
