"""Source: the rows that a query selects from, and the names of their columns there."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from pystream.table.algebra.calc import Calc
from pystream.table.algebra.node import RelNode
from pystream.table.columns import TableColumn
from pystream.table.rules.final_rows import without_changes

__all__ = ["Source"]


class Source:
    """The rows that a query selects from.

    Args:
        node: the rows.
        names: for each column, the item of FROM that it is of and its name there.
    """

    def __init__(self, node: RelNode, names: Sequence[tuple[str, str]]) -> None:
        self.node = node
        self._numbers = {name: number for number, name in enumerate(names)}

    def before_projection(self) -> Source:
        """Return the rows that a mere projection chooses columns of, under the names that it gives these."""
        if not (isinstance(self.node, Calc) and self.node.is_projection):
            return self
        before = Source(self.node.rows, ())
        before._numbers = {name: self.node.numbers_read[number] for name, number in self._numbers.items()}
        return before

    def without_changes(self) -> Source:
        """Return bounded rows as they remain at the end if only ranks update them, else as they are."""
        return Source(without_changes(self.node), [*self._numbers])

    def __contains__(self, column: exp.Expr) -> bool:
        return isinstance(column, exp.Column) and (column.table, column.name) in self._numbers

    def number(self, column: exp.Expr) -> int:
        """Return the number of a column."""
        assert isinstance(column, exp.Column)
        return self._numbers[column.table, column.name]

    def column(self, column: exp.Expr) -> TableColumn:
        """Return a column of the rows."""
        return self.node.columns[self.number(column)]

    def is_time(self, column: exp.Column) -> bool:
        """Return whether a column is the event time of the rows."""
        return column in self and self.node.time == self.number(column)

    def is_proctime(self, column: exp.Expr) -> bool:
        """Return whether a column is ``PROCTIME()``, the time at which rows are processed."""
        return column in self and self.number(column) in self.node.proctimes

    @property
    def names(self) -> list[tuple[str, str]]:
        """The names of the columns, in order."""
        return list(self._numbers)
