"""CachedLookup: a lookup that keeps the rows of the keys that were looked up last."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pystream.engine.connectors.lookup import Key, Lookup, hashed_key

__all__ = ["CachePolicy", "CachedLookup"]


@dataclass(frozen=True, slots=True)
class CachePolicy:
    """Limits of a cache of rows that were looked up.

    Attributes:
        max_keys: the number of keys; the one that was used least recently gives way. ``None`` for no limit.
        after_write: the seconds after which a key is looked up again; ``None`` for never.
        after_access: the seconds after its last use after which a key is forgotten; ``None`` for never.
        keeps_missing: whether it is kept that a key has no rows.
    """

    max_keys: int | None = None
    after_write: float | None = None
    after_access: float | None = None
    keeps_missing: bool = True


class _Entry(NamedTuple):
    rows: Sequence[Any]
    used: float


class CachedLookup:
    """Keeps the rows of keys that another lookup has found.

    Mirrors ``org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache``.

    Args:
        lookup: the other lookup.
        policy: its limits.
        clock: returns the time in seconds.
    """

    def __init__(
        self, lookup: Lookup, policy: CachePolicy, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lookup = lookup
        self._policy = policy
        self._clock = clock
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()  # by their last use
        self._written: OrderedDict[Key, float] = OrderedDict()  # the times at which their rows were found

    def open(self) -> None:
        """Open the other lookup."""
        self._lookup.open()

    def close(self) -> None:
        """Forget the rows, and close the other lookup."""
        self._entries.clear()
        self._written.clear()
        self._lookup.close()

    def rows(self, key: Key) -> Sequence[Any]:
        """Return the rows with a key, those that are kept if there are some.

        Raises:
            SourceError: the other lookup fails.
        """
        now, known = self._clock(), hashed_key(key)
        self._forget_expired(now)
        entry = self._entries.pop(known, None)
        rows = self._lookup.rows(key) if entry is None else entry.rows
        if entry is None and (rows or self._policy.keeps_missing):
            self._written[known] = now
        if known in self._written:
            self._entries[known] = _Entry(rows, now)
        if self._policy.max_keys is not None and len(self._entries) > self._policy.max_keys:
            self._forget(next(iter(self._entries)))
        return rows

    def _forget_expired(self, now: float) -> None:
        after_write, after_access = self._policy.after_write, self._policy.after_access
        if after_write is not None:
            while self._written and now - next(iter(self._written.values())) >= after_write:
                self._forget(next(iter(self._written)))
        if after_access is not None:
            while self._entries and now - next(iter(self._entries.values())).used >= after_access:
                self._forget(next(iter(self._entries)))

    def _forget(self, key: Key) -> None:
        del self._entries[key], self._written[key]
