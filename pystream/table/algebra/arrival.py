"""ArrivalTime: rows with the time at which they come as their event time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.table.algebra.node import RelNode, SingleRel

__all__ = ["ArrivalTime", "timed_by"]


@dataclass(frozen=True, eq=False)
class ArrivalTime(SingleRel):
    """Rows whose event time is the time at which they come, as a column.

    So operators of event time are those of processing time: watermarks follow the clock. Flink has operators
    of their own for processing time, and no such node.

    Attributes:
        rows: the rows, which are not updated.
        column: the number of the column, which is ``PROCTIME()`` and gets the time.
    """

    column: int

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("proctime", self.columns[self.column].name),)

    @property
    def time(self) -> int | None:
        return self.column


def timed_by(rows: RelNode, column: int) -> RelNode | None:
    """Return rows whose event time is a column, ``None`` if it is neither their event time nor PROCTIME()."""
    if rows.time == column:
        return rows
    return ArrivalTime(rows, column) if column in rows.proctimes and not rows.is_updating else None
