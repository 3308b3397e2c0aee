"""CurrentWatermark: rows with the watermark at which they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.table.algebra.node import ExtendingRel, numbered
from pystream.table.columns import TableColumn

__all__ = ["WATERMARK", "CurrentWatermark"]

WATERMARK = "$watermark"
"""The name of the column, which no table of a program has."""


@dataclass(frozen=True, eq=False)
class CurrentWatermark(ExtendingRel):
    """Rows followed by the watermark at which they come, which is null before the first one.

    In Flink, expressions read it from the operator that computes them.

    Attributes:
        rows: the rows, which have event time.
    """

    def _columns(self) -> tuple[TableColumn, ...]:
        assert self.rows.time is not None
        time = self.rows.columns[self.rows.time]
        data_type = time.data_type.nullable()
        return numbered([*self.rows.columns, TableColumn(WATERMARK, data_type, time.type_info, 0)])

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        assert self.rows.time is not None
        return (("rowtime", self.columns[self.rows.time].name),)
