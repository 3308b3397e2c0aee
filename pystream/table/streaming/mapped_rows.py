"""MappedRows: the rows of a match, or of the beginning of one, by the variables that they are mapped to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["MappedRows"]

Fields = tuple[Any, ...]


class MappedRows(NamedTuple):
    """Hold the mapped rows: those of a match, or of the beginning of one, each mapped to a variable.

    The rows follow one another, in the order of the variables of the pattern.

    Attributes:
        rows: the rows, and others around them.
        start: where the first one is.
        counts: how many of them are mapped to each variable.
        time: the time at which they are mapped, in milliseconds.
    """

    rows: Sequence[Fields]
    start: int
    counts: tuple[int, ...]
    time: int

    def of(self, variable: int | None) -> Sequence[Fields]:
        """Return the rows of a variable, all if it is ``None``."""
        first, end = self._bounds(variable)
        return self.rows[first:end]

    def row(self, variable: int | None, offset: int) -> Fields | None:
        """Return a row of a variable, ``None`` if there is no such row.

        Args:
            variable: the variable; ``None`` for the rows of all.
            offset: how many rows are before it; if it is negative, -1 is the last row.
        """
        first, end = self._bounds(variable)
        place = first + offset if offset >= 0 else end + offset
        return self.rows[place] if first <= place < end else None

    def _bounds(self, variable: int | None) -> tuple[int, int]:
        if variable is None:
            return self.start, self.start + sum(self.counts)
        first = self.start + sum(self.counts[:variable])
        return first, first + self.counts[variable]
