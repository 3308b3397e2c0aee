"""The query of the computed columns of a schema."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.sql_types.names import quoted_name
from pystream.table.columns import TableColumn
from pystream.table.schema import ComputedColumn, Schema
from pystream.table.sql.parsed_query import ParsedQuery

__all__ = ["PHYSICAL", "computed_query"]

PHYSICAL = "physical_columns"
"""The name of the table of the other columns, in queries."""


def computed_query(own: Sequence[TableColumn], schema: Schema) -> ParsedQuery:
    """Return the query of all columns of a schema for the rows of the table ``PHYSICAL``.

    Args:
        own: the columns of that table.
        schema: the schema.

    Raises:
        SqlError: the expression of a computed column is wrong.
    """
    from pystream.table.sql.parser import parse_query

    columns = [
        f"{column.expression}\nAS {quoted_name(column.name)}"
        if isinstance(column, ComputedColumn)
        else quoted_name(column.name)
        for column in schema.columns
    ]
    if all(isinstance(column, ComputedColumn) for column in schema.columns):
        columns = [*(quoted_name(column.name) for column in own), *columns]
    return parse_query(f"SELECT {', '.join(columns)} FROM {PHYSICAL}")
