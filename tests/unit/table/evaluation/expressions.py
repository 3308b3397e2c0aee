"""Expressions of tests, as trees of analysed queries, and their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.evaluation import Evaluation, evaluated
from pystream.table.function_definition import FunctionDefinition
from pystream.table.sql.analysis import AnalysedQuery, analyse_query
from pystream.table.sql.column_types import parse_data_type
from pystream.table.sql.function_calls import bound_query
from pystream.table.sql.parser import parse_query

__all__ = ["analysed", "evaluation_of", "position_in", "value_of"]


def analysed(
    expression: str,
    columns: Sequence[tuple[str, DataType]],
    function_of: Callable[[str], FunctionDefinition | None] = lambda _: None,
) -> tuple[exp.Expr, AnalysedQuery]:
    """Return the tree of an expression of the columns of a table, and the query that it is in."""
    parsed = bound_query(parse_query(f"SELECT {expression} AS x FROM t"), function_of, "default_database")
    query = analyse_query(parsed, lambda _: columns)
    return query.tree.selects[0].unalias(), query


def position_in(columns: Sequence[tuple[str, DataType]]) -> Callable[[exp.Column], int]:
    """Return a function that finds columns in the rows of a table."""
    names = [name for name, _ in columns]
    return lambda column: names.index(column.name)


def evaluation_of(expression: str, **columns: str) -> Evaluation:
    """Return the evaluation of an expression of columns, which have names and types."""
    typed = [(name, parse_data_type(kind)) for name, kind in columns.items()]
    tree, _ = analysed(expression, typed)
    return evaluated(tree, position_in(typed))


def value_of(expression: str, **columns: tuple[str, Any]) -> Any:
    """Return the value of an expression of columns, which have names, types and values."""
    evaluation = evaluation_of(expression, **{name: kind for name, (kind, _) in columns.items()})
    return evaluation([value for _, value in columns.values()])
