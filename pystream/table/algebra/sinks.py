"""The rows that a table is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.table.algebra.node import SingleRel, numbered
from pystream.table.columns import TableColumn

__all__ = ["Sink"]


@dataclass(frozen=True, eq=False)
class Sink(SingleRel):
    """The rows that a table is written.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalSink``.

    Attributes:
        rows: the rows.
        path: the name of the table.
        written: the columns of the table, to whose types values are cast.
        overwrites: whether the rows replace those of the table.
        materializes: whether the last rows of each primary key are kept, as updates are not by that key.
    """

    path: str
    written: tuple[TableColumn, ...]
    overwrites: bool
    materializes: bool

    def _columns(self) -> tuple[TableColumn, ...]:
        return numbered(self.written)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        overwrite = [("overwrite", "true")] if self.overwrites else []
        materialize = [("upsertMaterialize", "true")] if self.materializes else []
        fields = self.rows.names_of(range(len(self.rows.columns)))
        return [("table", self.path), *overwrite, ("fields", fields), *materialize]
