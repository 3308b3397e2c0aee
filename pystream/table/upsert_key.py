"""The fields by which an update of a table replaces an earlier row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["UpsertKey"]


class UpsertKey(NamedTuple):
    """The fields of the elements of a stream that tell its rows apart, while others change.

    Attributes:
        positions: the fields; each INSERT or UPDATE_AFTER replaces the row with the same values in them. -1
            stands for one that the rows no longer have.
        growing: the fields whose values never become less, nulls being the lowest.
        falling: the fields whose values never become greater, and are not null.
        has_deletes: whether rows may be deleted.
    """

    positions: tuple[int, ...]
    growing: frozenset[int]
    falling: frozenset[int]
    has_deletes: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether all fields of the key are fields of the rows, too."""
        return -1 not in self.positions

    def chosen(self, numbers: Mapping[int, int]) -> UpsertKey:
        """Return the key of rows of some of the fields; fields of the key that are not among them are -1.

        Args:
            numbers: the new positions of the fields by those that they have.
        """
        return UpsertKey(
            tuple(numbers.get(position, -1) for position in self.positions),
            frozenset(numbers[position] for position in self.growing if position in numbers),
            frozenset(numbers[position] for position in self.falling if position in numbers),
            self.has_deletes,
        )
