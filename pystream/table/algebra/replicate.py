"""Replicate: rows, each as often as an expression says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.table.algebra.node import SingleRel
from pystream.table.algebra.scalar import Scalar

__all__ = ["Replicate"]


@dataclass(frozen=True, eq=False)
class Replicate(SingleRel):
    """Rows, each as often as an expression says; never if that is less than 1.

    Mirrors the ``$REPLICATE_ROWS$1`` of ``StreamPhysicalCorrelate`` in Flink's plans of INTERSECT ALL.

    Attributes:
        count: the expression.
    """

    count: Scalar

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("count", self.count.text),)
