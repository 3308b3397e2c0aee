"""Parse SQL text into queries."""

from __future__ import annotations

from sqlglot import exp

from pystream.errors import SqlError
from pystream.table.sql.masking import quoted
from pystream.table.sql.naming import with_name
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.query_parser import QueryParser
from pystream.table.sql.syntax import parsed

__all__ = ["parse_column", "parse_query"]


def parse_query(text: str) -> ParsedQuery:
    """Parse a query.

    Raises:
        SqlError: the text is not one query; the message names the place.
    """
    queries = parsed(text, parser=QueryParser)
    if len(queries) != 1 or not isinstance(queries[0], ParsedQuery):
        raise SqlError(
            f"sql_query takes SELECT, VALUES or the like, not {quoted(text)}; execute it by execute_sql"
        )
    return queries[0]


def parse_column(expression: str, name: str, table: str) -> ParsedQuery:
    """Parse an expression, and return the query of its values for the rows of a table.

    Args:
        expression: the expression.
        name: the name of the only column of the results.
        table: the name of the table.

    Raises:
        SqlError: the text is not one expression; the message names the place.
    """
    (tree,) = parsed(expression, exp.Condition)
    column = with_name(tree, name)
    return ParsedQuery(expression, exp.select(column).from_(table))
