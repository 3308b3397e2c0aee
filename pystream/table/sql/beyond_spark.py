"""Parts of queries that Spark does not compute as Flink does, so that operators of streams compute them."""

from __future__ import annotations

from sqlglot import exp

from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.sql.dialect import ProgramAggregate
from pystream.table.sql.function_tables import calls_tables_in_python
from pystream.table.sql.functions.aggregates import called_aggregate
from pystream.table.sql.match_calls import has_matches
from pystream.table.sql.temporal_tables import joins_versions

__all__ = ["is_beyond_spark"]

_LISTS = ("ARRAY_AGG", "LISTAGG")


def is_beyond_spark(query: exp.Query, *, has_proctime: bool) -> bool:
    """Return whether a query has a part that Spark does not compute as Flink does.

    Args:
        query: the query.
        has_proctime: whether a column of its tables is ``PROCTIME()``. Spark does not keep the order in which
            rows come, in which OVER takes them then.
    """
    if calls_tables_in_python(query) or joins_versions(query) or has_matches(query):
        return True
    if has_proctime and query.find(exp.Window) is not None:
        return True
    return any(map(_is_beyond_spark, query.walk()))


def _is_beyond_spark(node: exp.Expr) -> bool:
    match node:
        case ProgramAggregate():
            return True
        case exp.Group(expressions=keys):
            return any(isinstance(key, exp.Tuple) for key in keys)
        case exp.Having():
            return node.find(exp.Grouping, exp.GroupingId) is not None
        case exp.Window(this=call) if call.find(exp.Distinct) is not None:
            return True
        case exp.Anonymous() if node.name.upper() == "GROUP_ID":
            return True
    called = called_aggregate(node)
    if called is None:
        return False
    # Spark collects by a function around the aggregate one, which takes no clauses.
    is_list_with_clause = called.name in _LISTS and isinstance(node.parent, exp.Filter | exp.Window)
    return is_list_with_clause or not AGGREGATE_FUNCTIONS[called.name].is_in_spark
