"""The options of tables in Kafka topics, and where these are read from and to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pystream.datastream.connectors.base import DeliveryGuarantee
from pystream.datastream.connectors.kafka.offsets import (
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    KafkaTopicPartition,
)
from pystream.errors import ConfigurationError
from pystream.settings.config_values import DURATION, LONG, STRING, ValueType, named
from pystream.table.connectors.options import COUNT, PATTERN, POSITIVE, Option
from pystream.table.formats.registry import FORMATS, INSERT_FORMATS, format_options

__all__ = [
    "KAFKA_OPTIONS",
    "UPSERT_KAFKA_OPTIONS",
    "check_offsets",
    "guarantee_of",
    "properties_of",
    "starting_offsets",
    "stopping_offsets",
]

_GROUP, _RESET = "group.id", "auto.offset.reset"


def _one_of(*names: str) -> ValueType[str]:
    """Return the type whose values are these names, ignoring case."""
    known = {name.lower(): name for name in names}

    def parse(text: str) -> str:
        if text.lower() not in known:
            raise ValueError(text)
        return known[text.lower()]

    return ValueType(f"one of {', '.join(names)}", (), parse)


def _parse_names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(";"))
    if not all(names):
        raise ValueError(text)
    return names


def _parse_offsets(text: str) -> dict[int, int]:
    found = [
        re.fullmatch(r"\s*partition\s*:\s*(\d+)\s*,\s*offset\s*:\s*(\d+)\s*", part)
        for part in text.removesuffix(";").split(";")
    ]
    offsets = {int(match[1]): int(match[2]) for match in found if match is not None}
    if len(offsets) < len(found):
        raise ValueError(text)
    return offsets


_NAMES = ValueType("names, separated by ';'", (), _parse_names)
_OFFSETS = ValueType("offsets such as 'partition:0,offset:42;partition:1,offset:300'", (), _parse_offsets)
_GUARANTEE = _one_of("exactly-once", "at-least-once", "none")

_STARTS = ("earliest-offset", "latest-offset", "group-offsets", "timestamp", "specific-offsets")
_STOPS = ("unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets")

_SHARED: Mapping[str, Option] = {
    "properties.bootstrap.servers": Option(STRING, is_required=True),
    "properties.*": Option(STRING),
    "key.fields-prefix": Option(STRING, default=""),
    "value.fields-include": Option(_one_of("ALL", "EXCEPT_KEY"), default="ALL"),
    "scan.bounded.mode": Option(_one_of(*_STOPS), default="unbounded"),
    "scan.bounded.specific-offsets": Option(_OFFSETS),
    "scan.bounded.timestamp-millis": Option(LONG),
    "scan.parallelism": Option(POSITIVE),
    "sink.delivery-guarantee": Option(_GUARANTEE),
    "sink.transactional-id-prefix": Option(STRING),
    "sink.parallelism": Option(POSITIVE),
    **format_options(prefix="key."),
    **format_options(prefix="value."),
}

KAFKA_OPTIONS: Mapping[str, Option] = {
    "topic": Option(_NAMES),
    "topic-pattern": Option(PATTERN),
    "format": Option(named(*FORMATS)),
    "key.format": Option(named(*INSERT_FORMATS)),
    "key.fields": Option(_NAMES),
    "value.format": Option(named(*FORMATS)),
    "scan.startup.mode": Option(_one_of(*_STARTS), default="group-offsets"),
    "scan.startup.specific-offsets": Option(_OFFSETS),
    "scan.startup.timestamp-millis": Option(LONG),
    "scan.topic-partition-discovery.interval": Option(DURATION),
    "sink.partitioner": Option(_one_of("default", "round-robin"), default="default"),
    "sink.semantic": Option(_GUARANTEE),
    **_SHARED,
    **format_options(),
}
"""The options of ``kafka``."""

UPSERT_KAFKA_OPTIONS: Mapping[str, Option] = {
    "topic": Option(_NAMES, is_required=True),
    "key.format": Option(named(*INSERT_FORMATS), is_required=True),
    "value.format": Option(named(*INSERT_FORMATS), is_required=True),
    "sink.buffer-flush.max-rows": Option(COUNT, default=0),
    "sink.buffer-flush.interval": Option(DURATION),
    **_SHARED,
}
"""The options of ``upsert-kafka``."""


def properties_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the properties of Kafka's clients in the values of options."""
    return {"bootstrap.servers": values["properties.bootstrap.servers"], **values["properties.*"]}


def guarantee_of(values: Mapping[str, Any], owner: str) -> DeliveryGuarantee:
    """Return how often rows are written.

    Raises:
        ConfigurationError: transactions have no prefix of their ids.
    """
    given = values["sink.delivery-guarantee"] or values.get("sink.semantic") or "at-least-once"
    guarantee = DeliveryGuarantee[given.upper().replace("-", "_")]
    if guarantee is DeliveryGuarantee.EXACTLY_ONCE and not values["sink.transactional-id-prefix"]:
        raise ConfigurationError(f"{owner}: exactly-once needs the option 'sink.transactional-id-prefix'")
    return guarantee


def check_offsets(values: Mapping[str, Any], owner: str) -> None:
    """Check that a table says where it is read from and to.

    Raises:
        ConfigurationError: an option is missing, or offsets are given for the partitions of several topics.
    """
    for part in ("scan.startup", "scan.bounded"):
        mode = values.get(f"{part}.mode")
        option = f"{part}.{'timestamp-millis' if mode == 'timestamp' else mode}"
        if mode not in ("timestamp", "specific-offsets"):
            continue
        if values[option] is None:
            raise ConfigurationError(f"{owner}: '{part}.mode' = '{mode}' needs the option {option!r}")
        if mode == "specific-offsets" and len(values["topic"] or ()) != 1:
            raise ConfigurationError(f"{owner}: {option!r} is for a table of a single topic")


def starting_offsets(values: Mapping[str, Any], owner: str) -> KafkaOffsetsInitializer:
    """Return where a table of ``kafka`` is read from.

    Raises:
        ConfigurationError: offsets of a consumer group are needed, and there is none.
    """
    mode = values["scan.startup.mode"]
    if mode == "earliest-offset":
        return KafkaOffsetsInitializer.earliest()
    if mode == "group-offsets":
        _require_group(values, "scan.startup.mode", owner)
        reset = str(values["properties.*"].get(_RESET, "none")).upper()
        if reset not in KafkaOffsetResetStrategy.__members__:
            raise ConfigurationError(
                f"{owner}: 'properties.{_RESET}' must be one of earliest, latest, none, not {reset.lower()!r}"
            )
        return KafkaOffsetsInitializer.committed_offsets(KafkaOffsetResetStrategy[reset])
    return _offsets(mode, values, "scan.startup")


def stopping_offsets(values: Mapping[str, Any], owner: str) -> KafkaOffsetsInitializer | None:
    """Return where a table is read to, ``None`` if it is unbounded.

    Raises:
        ConfigurationError: offsets of a consumer group are needed, and there is none.
    """
    mode = values["scan.bounded.mode"]
    if mode == "unbounded":
        return None
    if mode == "group-offsets":
        _require_group(values, "scan.bounded.mode", owner)
        return KafkaOffsetsInitializer.committed_offsets(KafkaOffsetResetStrategy.LATEST)
    return _offsets(mode, values, "scan.bounded")


def _offsets(mode: str, values: Mapping[str, Any], part: str) -> KafkaOffsetsInitializer:
    if mode == "latest-offset":
        return KafkaOffsetsInitializer.latest()
    if mode == "timestamp":
        return KafkaOffsetsInitializer.timestamp(values[f"{part}.timestamp-millis"])
    (topic,) = values["topic"]
    offsets = values[f"{part}.specific-offsets"]
    return KafkaOffsetsInitializer.offsets(
        {KafkaTopicPartition(topic, partition): offset for partition, offset in offsets.items()}
    )


def _require_group(values: Mapping[str, Any], option: str, owner: str) -> None:
    if not values["properties.*"].get(_GROUP):
        raise ConfigurationError(
            f"{owner}: '{option}' is 'group-offsets', those of the group that 'properties.{_GROUP}' names; "
            f"set it, or another '{option}'"
        )
