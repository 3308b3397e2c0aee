"""TemporalJoin: rows with the versions of other rows at their times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pystream.table.algebra.joins import Join
from pystream.table.algebra.node import INSERT_ONLY
from pystream.table.changelog_mode import ChangelogMode

__all__ = ["TemporalJoin"]


@dataclass(frozen=True, eq=False)
class TemporalJoin(Join):
    """Each left row with the version of the right rows of its key at its event time.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalTemporalJoin``.

    Attributes:
        left: the rows, which are not updated and have event time.
        right: the versions: each row of a key replaces the one before it in event time.
        right_time: the column of the right side that is the time from which on a version is valid.
    """

    right_time: int = field(kw_only=True)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        (kind, join_type), (where, condition) = super().details
        lefts, rights = self.left.columns, self.right.columns
        assert self.left.time is not None
        versions = f"{rights[self.right_time].name} AS OF {lefts[self.left.time].name}"
        return (kind, join_type), (where, condition), ("versions", versions)

    @property
    def time(self) -> int | None:
        return self.left.time

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY
