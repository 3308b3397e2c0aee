"""GroupedTable: rows of a table in groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.errors import ArgumentTypeError
from pystream.table.expression.expression import Expression
from pystream.table.fields import require_expressions
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.relational import Relational
    from pystream.table.table import Table

__all__ = ["GroupedTable"]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class GroupedTable:
    """Rows of a table in groups, to be aggregated by ``select``.

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
        require_expressions(fields, "select")
        return self._table._result(
            "select", self._table._as_relation().selected("select", fields, self._keys)
        )
