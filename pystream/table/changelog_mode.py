"""ChangelogMode: the kinds of rows in a stream of changes."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.row import RowKind

__all__ = ["ChangelogMode"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class ChangelogMode:
    """The kinds of rows that a stream of changes contains.

    Mirrors ``org.apache.flink.table.connector.ChangelogMode``.

    Attributes:
        contained_kinds: the kinds.
    """

    contained_kinds: frozenset[RowKind]

    @property
    def replaces_rows(self) -> bool:
        """Whether updates come without the rows before them: a row replaces the one with its key."""
        updates = self.contained_kinds & {RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER}
        return updates == {RowKind.UPDATE_AFTER}

    @staticmethod
    def insert_only() -> ChangelogMode:
        """Return the mode of a stream of insertions only."""
        return ChangelogMode(frozenset({RowKind.INSERT}))

    @staticmethod
    def upsert() -> ChangelogMode:
        """Return the mode of a stream whose updates by a key have no ``UPDATE_BEFORE`` rows."""
        return ChangelogMode(frozenset(RowKind) - {RowKind.UPDATE_BEFORE})

    @staticmethod
    def all() -> ChangelogMode:
        """Return the mode of a stream of rows of all kinds."""
        return ChangelogMode(frozenset(RowKind))
