"""Lookup: the rows of a table outside the program, by key."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

__all__ = ["Key", "Lookup", "hashed_key"]

Key: TypeAlias = tuple[Any, ...]
"""The values of the columns that rows are looked up by, none of them null."""


class Lookup(Protocol):
    """Finds the rows of a table that have a key; picklable until it is opened.

    Mirrors ``org.apache.flink.table.functions.LookupFunction``.
    """

    def open(self) -> None:
        """Prepare for lookups; runs on a worker."""
        ...

    def close(self) -> None:
        """Release what lookups hold."""
        ...

    def rows(self, key: Key) -> Sequence[Any]:
        """Return the rows with a key.

        Raises:
            SourceError: the table cannot be read.
        """
        ...


def hashed_key(values: Iterable[Any]) -> Key:
    """Return a key that is found in a dict, also if it has NaNs, which are equal to themselves in keys."""
    return tuple([math.nan if value != value else value for value in values])
