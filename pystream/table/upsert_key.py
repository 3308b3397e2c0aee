"""The fields by which an update of a table replaces an earlier row."""

from __future__ import annotations

from collections.abc import Sequence
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

    def chosen(self, fields: Sequence[int]) -> UpsertKey:
        """Return the key of rows of some of the fields; fields of the key that are not among them are -1.

        Args:
            fields: the fields; -1 for values of other kinds.
        """
        numbers = {field: number for number, field in reversed([*enumerate(fields)])}
        return UpsertKey(
            tuple(numbers.get(position, -1) for position in self.positions),
            frozenset(number for number, field in enumerate(fields) if field in self.growing),
            frozenset(number for number, field in enumerate(fields) if field in self.falling),
            self.has_deletes,
        )

    def at(self, positions: Sequence[int]) -> UpsertKey:
        """Return the key of rows whose fields have other positions.

        Args:
            positions: the other positions, by those that they have.
        """
        return UpsertKey(
            tuple(-1 if position < 0 else positions[position] for position in self.positions),
            frozenset(positions[position] for position in self.growing),
            frozenset(positions[position] for position in self.falling),
            self.has_deletes,
        )
