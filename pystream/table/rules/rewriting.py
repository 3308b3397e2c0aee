"""The rules by which a query is rewritten before its operators are chosen, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.table.rules.having import with_filtered_groups
from pystream.table.rules.named_queries import with_inlined_subqueries
from pystream.table.rules.orders import with_limits_at_orders, without_inner_orders
from pystream.table.rules.predicates import with_pushed_conditions
from pystream.table.rules.subqueries import has_subqueries, with_joined_subqueries
from pystream.table.sql.analysis import AnalysedQuery, retyped
from pystream.table.table import Table

__all__ = ["rewritten"]


def rewritten(
    analysed: AnalysedQuery, tables: Sequence[Table], refusal: Callable[[exp.Expr, str], Exception]
) -> exp.Query:
    """Return a query with the same results whose parts are all relational operators.

    Args:
        analysed: the query.
        tables: the tables that it reads, in order.
        refusal: returns the error that a clause is not supported.

    Raises:
        UnsupportedOperationError: a subquery is not supported.
    """
    query = with_inlined_subqueries(analysed.tree)
    # The results of methods of a table keep the order of an earlier one; those of SQL have none.
    query = without_inner_orders(query) if analysed.text else with_limits_at_orders(query)
    if has_subqueries(query):
        query = with_joined_subqueries(with_filtered_groups(query), refusal)
        query = retyped(
            query, [[(column.name, column.data_type) for column in one._columns] for one in tables]
        )
    return with_pushed_conditions(query)
