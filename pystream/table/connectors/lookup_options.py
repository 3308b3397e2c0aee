"""The options of lookups: their cache, and how often they are tried again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pystream.durations import Duration
from pystream.engine.connectors.lookup_cache import CachePolicy
from pystream.errors import ConfigurationError
from pystream.settings.config_values import BOOLEAN, DURATION, named
from pystream.table.connectors.options import COUNT, POSITIVE, Option

__all__ = ["LOOKUP_OPTIONS", "cache_policy"]

_PARTIAL = "lookup.partial-cache."
_OLD_ROWS, _OLD_TTL, _OLD_MISSING = (
    "lookup.cache.max-rows",
    "lookup.cache.ttl",
    "lookup.cache.caching-missing-key",
)

LOOKUP_OPTIONS: Mapping[str, Option] = {
    "lookup.cache": Option(named("NONE", "PARTIAL"), default="NONE"),
    f"{_PARTIAL}max-rows": Option(POSITIVE),
    f"{_PARTIAL}expire-after-write": Option(DURATION),
    f"{_PARTIAL}expire-after-access": Option(DURATION),
    f"{_PARTIAL}cache-missing-key": Option(BOOLEAN, default=True),
    "lookup.max-retries": Option(COUNT, default=3),
    _OLD_ROWS: Option(POSITIVE),
    _OLD_TTL: Option(DURATION, default=Duration.of_seconds(10)),
    _OLD_MISSING: Option(BOOLEAN, default=True),
}
"""The options, with those of the cache of Flink 1.15 and before: ``lookup.cache.max-rows`` and so on."""


def cache_policy(values: Mapping[str, Any], owner: str) -> CachePolicy | None:
    """Return the limits of the cache of a lookup; ``None`` for no cache.

    Args:
        values: the values of the options.
        owner: the table, for messages.

    Raises:
        ConfigurationError: there are options of a cache, but no cache, or nothing that limits it.
    """
    rows, write, access = (
        values[f"{_PARTIAL}{key}"] for key in ("max-rows", "expire-after-write", "expire-after-access")
    )
    if values["lookup.cache"].upper() == "PARTIAL":
        if rows is None and write is None and access is None:
            raise ConfigurationError(
                f"{owner}: the cache of lookups needs a limit, such as '{_PARTIAL}max-rows' = '10000' or "
                f"'{_PARTIAL}expire-after-write' = '10 min'"
            )
        return CachePolicy(rows, _seconds(write), _seconds(access), values[f"{_PARTIAL}cache-missing-key"])
    if values[_OLD_ROWS] is not None:
        return CachePolicy(values[_OLD_ROWS], _seconds(values[_OLD_TTL]), None, values[_OLD_MISSING])
    if rows is not None or write is not None or access is not None:
        raise ConfigurationError(f"{owner} has options {_PARTIAL}*, which need 'lookup.cache' = 'PARTIAL'")
    return None


def _seconds(duration: Duration | None) -> float | None:
    return None if duration is None else duration.to_millis() / 1000
