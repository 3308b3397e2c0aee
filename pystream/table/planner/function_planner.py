"""FunctionPlanner: the items of FROM that are the rows of table functions."""

from __future__ import annotations

from dataclasses import replace

from pystream.table.algebra.correlate import Correlate
from pystream.table.algebra.node import RelNode
from pystream.table.evaluation import NotEvaluatedError
from pystream.table.planner.planning import Planning
from pystream.table.planner.source import Source
from pystream.table.planner.values import one_row
from pystream.table.sql.conditions import conjunction
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.joins import JoinClause

__all__ = ["FunctionPlanner"]


class FunctionPlanner:
    """Adds the rows of table functions to those of the items of FROM before them.

    Args:
        planning: the query.
    """

    def __init__(self, planning: Planning) -> None:
        self._planning = planning

    def alone(self, item: FunctionTable) -> RelNode:
        """Return the rows of a function that is the first item of FROM."""
        return self.correlated(Source(one_row(), ()), item, JoinClause()).node

    def correlated(self, left: Source, item: FunctionTable, clause: JoinClause) -> Source:
        """Return rows, each with the rows that a function makes of it.

        Args:
            left: the rows.
            item: the function.
            clause: how the rows are joined.

        Raises:
            UnsupportedOperationError: an argument cannot be evaluated, or rows of the function stay without
                one of the other items.
        """
        if clause.is_right_outer:
            raise self._planning.refusal(item, f"RIGHT or FULL JOIN of {item.function.name}")
        names = [field.name for field in item.fields]
        both = [*left.names, *((item.alias_or_name, name) for name in names)]
        try:
            arguments = [self._planning.scalar(one, left.number, left.node.columns) for one in item.arguments]
            node = Correlate(left.node, item.function, tuple(arguments), tuple(names), clause.is_left_outer)
            if clause.conditions:
                source = Source(node, both)
                condition = self._planning.scalar(conjunction(clause.conditions), source.number, node.columns)
                node = replace(node, condition=condition)
        except NotEvaluatedError as error:
            raise self._planning.not_evaluated(error) from None
        return Source(node, both)
