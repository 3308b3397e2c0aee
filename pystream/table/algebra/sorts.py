"""Rows in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pystream.errors import UnsupportedOperationError
from pystream.table.algebra.node import INSERT_ONLY, RelNode, SingleRel
from pystream.table.changelog_mode import ChangelogMode

__all__ = ["Sort", "SortField", "TemporalSort", "UnlimitedSort", "order_text"]


class SortField(NamedTuple):
    """A field that rows are ordered by.

    Attributes:
        position: its position in the row.
        is_descending: whether greater values come first.
        nulls_first: whether nulls come before all values.
    """

    position: int
    is_descending: bool
    nulls_first: bool


def order_text(rows: RelNode, order: Sequence[SortField]) -> str:
    """Return an order of rows, for plans."""
    return ", ".join(
        f"{rows.columns[field.position].name} {'DESC' if field.is_descending else 'ASC'}" for field in order
    )


@dataclass(frozen=True, eq=False)
class _Sorted(SingleRel):
    order: tuple[SortField, ...]

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("orderBy", order_text(self.rows, self.order)),)


@dataclass(frozen=True, eq=False)
class TemporalSort(_Sorted):
    """Rows in the order of their event time.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalTemporalSort``.

    Attributes:
        rows: the rows, which are not updated.
        order: the order of rows of the same time.
    """

    @property
    def time(self) -> int | None:
        return self.rows.time


@dataclass(frozen=True, eq=False)
class Sort(_Sorted):
    """The rows that remain at the end of a bounded input, in an order.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalSortLimit``.

    Attributes:
        rows: the rows.
        order: their order; those that are equal in it stay as they came.
        first: the number of the first row, from 0 on.
        last: the number after that of the last one; ``None`` for all.
    """

    first: int
    last: int | None

    @property
    def name(self) -> str:
        return "FinalRows" if self.is_whole else "Sort" if self.order else "Limit"

    @property
    def is_whole(self) -> bool:
        """Whether it neither orders the rows that remain nor leaves any out."""
        return not self.order and not self.first and self.last is None

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        order = super().details if self.order else ()
        if not self.first and self.last is None:
            return order
        last = "all" if self.last is None else str(self.last - self.first)
        return *order, ("offset", str(self.first)), ("fetch", last)

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


@dataclass(frozen=True, eq=False)
class UnlimitedSort(_Sorted):
    """All rows of an unbounded input in an order, which only a number of first ones can have.

    Attributes:
        rows: the rows.
        order: their order.
        error: the error of using the rows without such a number.
    """

    error: UnsupportedOperationError

    @property
    def name(self) -> str:
        return "Sort"
