"""WindowColumns: the columns of a table that hold the windows that its rows belong to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["WindowColumns"]


class WindowColumns(NamedTuple):
    """The windows that the rows of a table belong to.

    Rows that are grouped by both bounds are complete once the window has ended.

    Attributes:
        start: the field of the elements that holds the start of the window.
        end: the one that holds the end.
        time: the one that holds the last millisecond; -1 if none does.
        zone: the time zone of both; ``None`` if event time comes from a TIMESTAMP, which has none.
        keys: of sessions, the fields that rows of a session have in common; ``None`` for windows that all
            rows share.
    """

    start: int
    end: int
    time: int
    zone: str | None = None
    keys: frozenset[int] | None = None

    def chosen(self, fields: Sequence[int]) -> WindowColumns | None:
        """Return the windows of rows of some of the fields.

        Args:
            fields: the fields; -1 for values of other kinds.

        Returns:
            ``None`` if a bound, or a key of sessions, is not among the fields, so that the windows are not
            known.
        """
        numbers = {field: number for number, field in reversed([*enumerate(fields)])}
        if not {self.start, self.end, *(self.keys or ())} <= numbers.keys():
            return None
        keys = None if self.keys is None else frozenset(numbers[key] for key in self.keys)
        time = -1 if self.time < 0 else numbers.get(self.time, -1)
        return WindowColumns(numbers[self.start], numbers[self.end], time, self.zone, keys)

    def at(self, positions: Sequence[int]) -> WindowColumns:
        """Return the windows of rows whose fields have other positions.

        Args:
            positions: the other positions, by those that they have.
        """
        keys = None if self.keys is None else frozenset(positions[key] for key in self.keys)
        time = -1 if self.time < 0 else positions[self.time]
        return WindowColumns(positions[self.start], positions[self.end], time, self.zone, keys)
