"""GroupTableAggregate: the rows that a table aggregate function makes of each group of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.table.algebra.node import SingleRel
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn
from pystream.table.function_definition import TableAggregateFunctionDefinition
from typeinfo.row import RowKind

__all__ = ["GroupTableAggregate"]

_REPLACED = ChangelogMode(frozenset({RowKind.INSERT, RowKind.DELETE}))


@dataclass(frozen=True, eq=False)
class GroupTableAggregate(SingleRel):
    """The key of each group of rows with each row that a table aggregate function emits of the group.

    With each new row of a group, the rows emitted before are deleted, and others inserted.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalGroupTableAggregate``.

    Attributes:
        keys: the number of its columns, from the first one on, that are the key; the others are the
            arguments.
        function: the function.
        results: the columns that it emits.
    """

    keys: int
    function: TableAggregateFunctionDefinition
    results: tuple[TableColumn, ...]

    def _columns(self) -> tuple[TableColumn, ...]:
        return *self.rows.columns[: self.keys], *self.results

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        keys = self.rows.names_of(range(self.keys))
        arguments = self.rows.names_of(range(self.keys, len(self.rows.columns)))
        names = ", ".join(column.name for column in self.results)
        select = f"{self.function.name}({arguments}) AS ({names})"
        group_by = [("groupBy", keys)] if keys else []
        return *group_by, ("select", f"{keys}, {select}" if keys else select)

    @property
    def changelog(self) -> ChangelogMode:
        return _REPLACED
