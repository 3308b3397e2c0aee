"""The options of connectors that Flink 1.10 and its forerunners had, under their later names."""

from __future__ import annotations

from collections.abc import Mapping

from pystream.errors import ConfigurationError

__all__ = ["current_options"]

_WITHOUT_EFFECT = frozenset(
    {"connector.property-version", "connector.version", "format.derive-schema", "format.property-version"}
)

_CONNECTORS: Mapping[str, Mapping[str, str]] = {
    "filesystem": {"path": "path"},
    "kafka": {
        "topic": "topic",
        "startup-mode": "scan.startup.mode",
        "specific-offsets": "scan.startup.specific-offsets",
        "startup-timestamp-millis": "scan.startup.timestamp-millis",
        "sink-partitioner": "sink.partitioner",
    },
    "jdbc": {
        "url": "url",
        "table": "table-name",
        "driver": "driver",
        "username": "username",
        "password": "password",
        "read.partition.column": "scan.partition.column",
        "read.partition.num": "scan.partition.num",
        "read.partition.lower-bound": "scan.partition.lower-bound",
        "read.partition.upper-bound": "scan.partition.upper-bound",
        "read.fetch-size": "scan.fetch-size",
        "lookup.cache.max-rows": "lookup.cache.max-rows",
        "lookup.cache.ttl": "lookup.cache.ttl",
        "lookup.max-retries": "lookup.max-retries",
        "write.flush.max-rows": "sink.buffer-flush.max-rows",
        "write.flush.interval": "sink.buffer-flush.interval",
        "write.max-retries": "sink.max-retries",
    },
    "elasticsearch": {
        "hosts": "hosts",
        "index": "index",
        "document-type": "document-type",
        "key-delimiter": "document-id.key-delimiter",
        "bulk-flush.max-actions": "sink.bulk-flush.max-actions",
        "bulk-flush.max-size": "sink.bulk-flush.max-size",
        "bulk-flush.interval": "sink.bulk-flush.interval",
        "connection-path-prefix": "connection.path-prefix",
    },
}

_FORMAT = {"ignore-first-line": "header"}
_PROPERTIES = "properties."


def current_options(options: Mapping[str, str], path: str) -> Mapping[str, str]:
    """Return the options of a table by their names since Flink 1.11, other options as they are.

    Args:
        options: the options; those of before have ``connector.type`` instead of ``connector``.
        path: the name of the table, for messages.

    Raises:
        ConfigurationError: there is no such connector, an option has no later name, or there are both names
            of the connector.
    """
    if "connector.type" not in options:
        return options
    if "connector" in options:
        raise ConfigurationError(
            f"table {path!r}: 'connector' is an option since Flink 1.11, and 'connector.type' one of before; "
            "leave one of them out"
        )
    name = options["connector.type"]
    if name not in _CONNECTORS:
        raise ConfigurationError(
            f"table {path!r}: of the connectors by the old option 'connector.type', there are "
            f"{', '.join(_CONNECTORS)}, but not {name!r}; use 'connector' = …"
        )
    current = {"connector": _versioned(name, options)}
    for key, value in options.items():
        if key == "update-mode":
            _check_mode(value, path)
        elif key not in ("connector.type", *_WITHOUT_EFFECT):
            current[_renamed(key, name, options.get("format.type", ""), path)] = value
    if name == "filesystem" and current.get("format") == "csv":
        _adapt_old_csv(current, path)
    return current


def _adapt_old_csv(options: dict[str, str], path: str) -> None:
    """Read CSV as the old format does: without quotes unless given, with more cells than columns."""
    if "csv.quote-character" not in options:
        options["csv.disable-quote-character"] = "true"
    options["csv.ignore-trailing-unmappable"] = "true"
    prefix = options.pop("csv.comment-prefix", None)
    if prefix is not None:
        if prefix != "#":
            raise ConfigurationError(
                f"table {path!r}: the old option 'format.comment-prefix' must be '#', not {prefix!r}"
            )
        options["csv.allow-comments"] = "true"


def _versioned(name: str, options: Mapping[str, str]) -> str:
    return f"{name}-{options.get('connector.version', '7')}" if name == "elasticsearch" else name


def _check_mode(mode: str, path: str) -> None:
    if mode not in ("append", "upsert"):
        raise ConfigurationError(
            f"table {path!r}: the old option 'update-mode' is 'append' or 'upsert', not {mode!r}"
        )


def _renamed(key: str, connector: str, format: str, path: str) -> str:
    owner, _, own = key.partition(".")
    if key == "format.type":
        return "format"
    if owner == "format" and format:
        return f"{format}.{_FORMAT.get(own, own)}"
    if connector == "kafka" and own.startswith(_PROPERTIES):
        return own
    later = _CONNECTORS[connector].get(own) if owner == "connector" else None
    if later is None:
        raise ConfigurationError(
            f"table {path!r}: the old option {key!r} has no successor; leave it out, or write the options by "
            f"their names since Flink 1.11, beginning with 'connector' = {connector!r}"
        )
    return later
