"""The computed columns of a table, by Python."""

from __future__ import annotations

from sqlglot import exp

from pystream.errors import PlanError, SqlError
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.scans import Scan
from pystream.table.evaluation import NotEvaluatedError
from pystream.table.planner.planning import Planning
from pystream.table.planner.row_planner import selected
from pystream.table.planner.source import Source
from pystream.table.planner.trees import fields_of, names_of
from pystream.table.schema import ComputedColumn, Schema
from pystream.table.sql.analysis import analyse_query
from pystream.table.sql.computed_queries import computed_query
from pystream.table.sql.function_calls import bound_query

__all__ = ["computed_columns"]


def computed_columns(scan: Scan, schema: Schema) -> RelNode | None:
    """Return how Python computes the columns of a schema; ``None`` if it cannot, or an expression is wrong.

    Args:
        scan: the rows of the other columns.
        schema: the schema.
    """
    table = scan.table
    if not any(isinstance(column, ComputedColumn) for column in schema.columns):
        return scan
    columns = [(column.name, column.data_type) for column in table._columns]
    environment = table._environment
    try:
        query = computed_query(table._columns, schema)
        functions = environment._functions
        bound = bound_query(query, functions.find, functions.database)
        analysed = analyse_query(bound, lambda _: columns)
        assert isinstance(analysed.tree, exp.Select)
        item = analysed.tree.args["from_"].this
        names = [(item.alias_or_name, name) for name in names_of(item, [name for name, _ in columns])]
        planning = Planning(environment, analysed, [table])
        return selected(planning, Source(scan, names), (), fields_of(analysed.tree))
    except (PlanError, SqlError, NotEvaluatedError):
        return None
