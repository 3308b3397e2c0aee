"""Replicate: rows, each as often as an expression says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.table.algebra.node import ChangelogMode, RelNode
from pystream.table.algebra.scalar import Scalar
from pystream.table.columns import TableColumn

__all__ = ["Replicate"]


@dataclass(frozen=True, eq=False)
class Replicate(RelNode):
    """Rows, each as often as an expression says; never if that is less than 1.

    Mirrors the ``$REPLICATE_ROWS$1`` of ``StreamPhysicalCorrelate`` in Flink's plans of INTERSECT ALL.

    Attributes:
        rows: the rows.
        count: the expression.
    """

    rows: RelNode
    count: Scalar

    @property
    def inputs(self) -> tuple[RelNode, ...]:
        return (self.rows,)

    def _columns(self) -> tuple[TableColumn, ...]:
        return self.rows.columns

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("count", self.count.text),)

    @property
    def changelog(self) -> ChangelogMode:
        return self.rows.changelog
