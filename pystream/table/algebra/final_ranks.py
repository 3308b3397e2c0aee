"""Bounded rows as they remain at the end, and the first ones of groups among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pystream.table.algebra.calc import Calc, EventTime
from pystream.table.algebra.node import INSERT_ONLY, RelNode, SingleRel
from pystream.table.algebra.ranks import (
    Deduplicate,
    Rank,
    RankRange,
    Sort,
    SortField,
    order_text,
    partition_text,
    ranked_columns,
)
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn

__all__ = ["FinalRank", "final_rows", "with_changes", "without_changes"]


def with_changes(rows: RelNode) -> RelNode:
    """Return the rows before `final_rows` dropped their changes, the same rows if it dropped none."""
    match rows:
        case Sort() if rows.is_whole:
            return rows.rows
        case Calc():
            inner = with_changes(rows.rows)
            return rows if inner is rows.rows else replace(rows, rows=inner)
        case FinalRank() if rows.latest_first:
            return Deduplicate(
                rows.rows,
                rows.keys,
                keeps_last=True,
                is_by_arrival=not rows.order,
                has_number=rows.ranks.has_number,
            )
    return rows


@dataclass(frozen=True, eq=False)
class FinalRank(SingleRel):
    """The rows of some ranks in each group of bounded rows, at their end.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalRank``.

    Attributes:
        rows: the rows, which are not updated.
        keys: the columns that the rows of a group have in common; none for one group.
        order: the order of the rows of a group; none for the order of arrival.
        ranks: the ranks.
        latest_first: whether of rows that are equal in the order, the one that came last is the first.
    """

    keys: tuple[int, ...]
    order: tuple[SortField, ...]
    ranks: RankRange
    latest_first: bool = False

    def _columns(self) -> tuple[TableColumn, ...]:
        return ranked_columns(self.rows, self.ranks.has_number)

    @property
    def name(self) -> str:
        return "Rank"

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return [
            ("rankType", "ROW_NUMBER"),
            ("rankRange", f"rankStart={self.ranks.first}, rankEnd={self.ranks.last}"),
            *partition_text(self.rows, self.keys),
            ("orderBy", order_text(self.rows, self.order)),
        ]

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


def final_rows(rows: RelNode) -> RelNode:
    """Return the rows that remain at the end of a bounded input, with their event time, if they have any.

    Args:
        rows: the rows, which may be updated.
    """
    found = without_changes(rows)
    if not found.is_updating:
        return found
    final = Sort(rows, (), 0, None)
    return final if rows.time is None else EventTime(final, rows.time)


def without_changes(rows: RelNode) -> RelNode:
    """Return bounded rows as they remain at the end if only ranks update them, else as they are."""
    match rows:
        case Calc() if rows.is_updating and rows.is_deterministic:
            inner = without_changes(rows.rows)
            return rows if inner is rows.rows else replace(rows, rows=inner)
        case Rank() if rows.is_updating and not rows.rows.is_updating:
            return FinalRank(rows.rows, rows.keys, rows.order, rows.ranks)
        case Deduplicate() if rows.is_updating:
            time = rows.version_time
            order = () if time is None else (SortField(time, is_descending=True, nulls_first=False),)
            return FinalRank(rows.rows, rows.keys, order, RankRange(1, 1, rows.has_number), latest_first=True)
    return rows
