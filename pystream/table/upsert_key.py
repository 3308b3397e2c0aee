"""The fields by which an update of a table replaces an earlier row."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["UpsertKey"]


class UpsertKey(NamedTuple):
    """The fields of the elements of a stream that tell its rows apart, while others change.

    Attributes:
        positions: the fields; each INSERT or UPDATE_AFTER replaces the row with the same values in them.
        growing: the fields whose values never become less, nulls being the lowest.
        falling: the fields whose values never become greater, and are not null.
        has_deletes: whether rows may be deleted.
    """

    positions: tuple[int, ...]
    growing: frozenset[int]
    falling: frozenset[int]
    has_deletes: bool = False
