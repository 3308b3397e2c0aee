"""GroupedTable: rows of a table in groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.errors import ArgumentTypeError
from pystream.table.expression.expression import Expression
from pystream.table.fields import several_expressions
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.aggregated_tables import AggregatedTable, FlatAggregateTable
    from pystream.table.aggregations import AggregateCall
    from pystream.table.relational import Relational
    from pystream.table.table import Table

__all__ = ["GroupedTable"]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class GroupedTable:
    """Rows of a table in groups, to be aggregated.

    Mirrors ``org.apache.flink.table.api.GroupedTable``.

    Args:
        table: the table.
        keys: the expressions that rows of a group have in common.
    """

    def __init__(self, table: Relational, keys: Sequence[Expression[Any]]) -> None:
        self._table = table
        self._keys = tuple(keys)

    def select(self, *fields: Expression[Any]) -> Table:
        """Return the values of expressions of each group.

        Args:
            fields: keys, aggregations such as ``col("n").sum``, and expressions of these.

        Raises:
            PlanError: a column does not exist, or two results have the same name.
            SqlError: a column is neither a key nor aggregated.

        Mirrors ``GroupedTable.select``.
        """
        fields = several_expressions(self._table, fields, "select")
        return self._table._result(
            "select", self._table._as_relation().selected("select", fields, self._keys)
        )

    def aggregate(self, func: AggregateCall) -> AggregatedTable:
        """Return the keys, and the result of an aggregate function for each group, a column a field of it.

        Args:
            func: the call of a function made by ``udaf``, with names for the columns, such as
                ``bounds(col("n")).alias("least", "greatest")``; or the function itself, which gets whole
                rows.

        Raises:
            PlanTypeError: ``func`` is something else.
            PlanError: it has another number of names than columns.

        Mirrors ``GroupedTable.aggregate``.
        """
        from pystream.table.aggregations import aggregated

        return aggregated(self._table, self._keys, func)

    def flat_aggregate(self, func: AggregateCall) -> FlatAggregateTable:
        """Return the keys, with each row that a table aggregate function emits for the group.

        The rows of a group are deleted and emitted again when it has another row.

        Args:
            func: the call of a function made by ``udtaf``, with names for the columns, such as
                ``top(col("n")).alias("value", "rank")``; or the function itself, which gets whole rows.

        Raises:
            PlanTypeError: ``func`` is something else.
            PlanError: it has another number of names than columns.
            UnsupportedOperationError: rows are updated later, and the function has no ``retract``.

        Mirrors ``GroupedTable.flatAggregate``.
        """
        from pystream.table.aggregations import flat_aggregated

        return flat_aggregated(self._table, self._keys, func)
