"""LookupJoin: rows with those of a table outside the program that have their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pystream.engine.connectors.lookup import Lookup
from pystream.table.algebra.common_columns import Conversion
from pystream.table.algebra.node import ExtendingRel, numbered
from pystream.table.algebra.scalar import Scalar
from pystream.table.columns import TableColumn
from pystream.table.conversions import ElementConversion

__all__ = ["Dimension", "LookupJoin", "LookupKey"]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A table outside the program whose rows are looked up.

    Attributes:
        path: its name.
        columns: its columns.
        lookup: finds rows by key.
        conversion: gives rows the declared types; ``None`` if they have them.
    """

    path: str
    columns: tuple[TableColumn, ...]
    lookup: Lookup
    conversion: ElementConversion | None


@dataclass(frozen=True, slots=True)
class LookupKey:
    """A column that rows are looked up by, and the value that it is to have.

    Attributes:
        column: the number of the column.
        value: the value, as an expression of the rows that are joined.
        conversion: converts the value to the type of the column; ``None`` if it has it.
    """

    column: int
    value: Scalar
    conversion: Conversion | None


@dataclass(frozen=True, eq=False)
class LookupJoin(ExtendingRel):
    """Each row with the rows of a table that have its keys when the row is processed.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalLookupJoin``.

    Attributes:
        dimension: the table.
        keys: the columns that rows are looked up by.
        is_left_outer: whether rows without a partner are results, with nulls.
        condition: a further condition on the columns of both; ``None`` if there is none.
    """

    dimension: Dimension
    keys: tuple[LookupKey, ...]
    is_left_outer: bool = False
    condition: Scalar | None = None

    def _columns(self) -> tuple[TableColumn, ...]:
        found = [
            replace(column, data_type=column.data_type.nullable()) if self.is_left_outer else column
            for column in self.dimension.columns
        ]
        return numbered([*self.rows.columns, *found])

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        names = [column.name for column in self.dimension.columns]
        lookup = ", ".join(f"{names[key.column]}={key.value}" for key in self.keys)
        join_type = "LeftOuterJoin" if self.is_left_outer else "InnerJoin"
        own = ("table", self.dimension.path), ("joinType", join_type), ("lookup", lookup)
        return own if self.condition is None else (*own, ("where", str(self.condition)))
