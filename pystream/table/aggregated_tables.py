"""Tables that an aggregate function of the program has made of groups, to be chosen from by ``select``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.errors import ArgumentTypeError
from pystream.table.expression.expression import Expression
from pystream.table.fields import require_expressions
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.table import Table

__all__ = ["AggregatedTable", "FlatAggregateTable"]


@checks_arguments(ArgumentTypeError)
class _Aggregated:
    def __init__(self, table: Table) -> None:
        self._table = table

    def select(self, *fields: Expression[Any]) -> Table:
        """Return the values of expressions of each row.

        Raises:
            PlanError: a column does not exist, or two results have the same name.

        Mirrors ``AggregatedTable.select`` and ``FlatAggregateTable.select``.
        """
        require_expressions(fields, "select")
        return self._table.select(*fields)


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class AggregatedTable(_Aggregated):
    """The keys of groups, and the result of an aggregate function for each.

    Mirrors ``org.apache.flink.table.api.AggregatedTable``.

    Args:
        table: the keys and the columns of the result.
    """


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class FlatAggregateTable(_Aggregated):
    """The keys of groups, with each row that a table aggregate function emits for them.

    Mirrors ``org.apache.flink.table.api.FlatAggregateTable``.

    Args:
        table: the keys and the columns of the rows.
    """
