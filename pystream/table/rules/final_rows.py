"""Take bounded rows as they remain at the end, so that no operator makes changes that nobody sees."""

from __future__ import annotations

from dataclasses import replace

from pystream.table.algebra.calc import Calc, EventTime
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.ranks import Deduplicate, FinalRank, Rank, RankRange
from pystream.table.algebra.sorts import Sort, SortField

__all__ = ["final_rows", "with_changes", "without_changes"]


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
