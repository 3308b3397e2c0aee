"""Analyse a query: resolve its names, and give its expressions their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.schema import MappingSchema

from pystream.errors import PlanError, SqlError
from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.columns import distinct_names
from pystream.table.sql.checks import check_clauses, check_columns, check_functions, check_types
from pystream.table.sql.dialect import Flink
from pystream.table.sql.from_items import name_items
from pystream.table.sql.function_calls import with_functions
from pystream.table.sql.function_columns import add_function_tables, resolve_function_tables
from pystream.table.sql.function_tables import FunctionTable, with_function_tables
from pystream.table.sql.group_window_functions import with_group_windows
from pystream.table.sql.lag_defaults import convert_lag_defaults
from pystream.table.sql.lateral_queries import has_lateral_queries, with_joined_laterals
from pystream.table.sql.matches import with_matches
from pystream.table.sql.naming import with_name
from pystream.table.sql.orders import first_select, resolve_orders, with_ordered_unions
from pystream.table.sql.output_columns import OutputColumns
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.qualify_clauses import has_qualify, resolve_names_in_windows, with_filtered_windows
from pystream.table.sql.syntax import error_at, path_of
from pystream.table.sql.temporal_tables import with_system_times
from pystream.table.sql.type_trees import sql_of_data_type
from pystream.table.sql.written_rows import with_compared_rows

__all__ = ["AnalysedQuery", "analyse_query", "base_tables", "name_of_table", "rename_table", "retyped"]

Columns: TypeAlias = Sequence[tuple[str, DataType]]


@dataclass(frozen=True, slots=True)
class AnalysedQuery:
    """A query in which all columns have tables and all expressions have types, if these are known.

    Attributes:
        text: the text of the statement that it is part of.
        tree: the query; its tables are named by ``name_of_table``.
        paths: the names of the tables in the program.
        columns: the names of the columns of each table.
        functions: the functions of the program that it calls.
    """

    text: str
    tree: exp.Query
    paths: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    functions: tuple[QueryFunction, ...]


def analyse_query(
    parsed: ParsedQuery,
    columns_of: Callable[[str], Columns],
) -> AnalysedQuery:
    """Resolve the names of a query.

    Args:
        parsed: the query, whose functions are bound.
        columns_of: returns the columns of a table; raises a PlanError if there is no such table.

    Raises:
        SqlError: a column does not exist, or a function takes another number of arguments; the message names
            the place.
        PlanError: a table does not exist.
    """
    text = parsed.text
    tree = with_system_times(text, with_group_windows(text, with_matches(text, parsed.tree)))
    check_clauses(text, tree)
    resolve_names_in_windows(tree)
    tree = with_function_tables(text, with_compared_rows(with_ordered_unions(tree)))
    for query in tree.find_all(exp.Select):
        if query.args.get("joins") or (query.is_star and len(query.expressions) > 1):
            name_items(query)
    tables: dict[str, list[exp.Table]] = {}
    for table in base_tables(tree):
        tables.setdefault(path_of(table), []).append(table)
    columns = [_columns_of(text, nodes[0], columns_of) for nodes in tables.values()]
    schema = _schema(columns)
    for number, nodes in enumerate(tables.values()):
        for table in nodes:
            rename_table(table, name_of_table(number))
    _name_columns(tree)
    tree, functions = with_functions(text, tree)
    check_functions(text, tree)
    tree = _typed(text, tree, schema)
    if has_qualify(tree):
        tree = retyped(with_filtered_windows(tree), columns)
    if has_lateral_queries(tree):
        tree = retyped(with_joined_laterals(text, tree), columns)
    _distinguish_columns(tree)
    names = (tuple(name for name, _ in table) for table in columns)
    return AnalysedQuery(text, tree, tuple(tables), tuple(names), functions)


def retyped(tree: exp.Query, columns: Sequence[Columns]) -> exp.Query:
    """Return a query whose columns have tables, and all of whose expressions have types.

    Args:
        tree: the query, which has expressions without types.
        columns: the columns of its tables, in order.
    """
    schema = _schema(columns)
    add_function_tables(schema, tree)
    typed: exp.Query = annotate_types(tree, schema=schema, dialect=Flink)
    return typed


def _schema(columns: Sequence[Columns]) -> MappingSchema:
    schema = MappingSchema(dialect=Flink, normalize=False)
    for number, of_table in enumerate(columns):
        types = {name: sql_of_data_type(data_type) for name, data_type in of_table}
        schema.add_table(name_of_table(number), types, dialect=Flink, normalize=False)
    return schema


def _columns_of(text: str, table: exp.Table, columns_of: Callable[[str], Columns]) -> Columns:
    try:
        return columns_of(path_of(table))
    except PlanError as error:
        raise PlanError(str(error_at(text, table, str(error)))) from None


def name_of_table(number: int) -> str:
    """Return the name that a table has in a query."""
    return f"_pystream_table_{number}"


def base_tables(tree: exp.Query) -> Iterator[exp.Table]:
    """Yield the tables of a query that are not named in its ``WITH``, without calls of table functions."""
    for scope in traverse_scope(tree):
        for source in scope.sources.values():
            if isinstance(source, exp.Table) and not _is_call(source):
                yield source


def _is_call(table: exp.Table) -> bool:
    """Return whether an item of FROM is the call of a function."""
    return isinstance(table, FunctionTable) or isinstance(table.this, exp.Func)


def rename_table(table: exp.Table, name: str) -> None:
    """Give a table another name; columns may still be qualified by the one that it has in the query."""
    if not table.alias:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name, quoted=True)))
    table.set("this", exp.to_identifier(name, quoted=True))
    table.set("db", None)
    table.set("catalog", None)


def _name_columns(tree: exp.Query) -> None:
    """Name the computed columns of all SELECTs as Flink does, by their positions."""
    for select in tree.find_all(exp.Select):
        for position, column in enumerate(select.expressions):
            if not (isinstance(column, exp.Alias | exp.Star) or _is_path(column.unnest())):
                column.replace(with_name(column, f"EXPR${position}"))


def _is_path(node: exp.Expr) -> bool:
    """Return whether an expression is a column, or a field of a row in one, whose name it then has."""
    while isinstance(node, exp.Dot):
        node = node.this
    return isinstance(node, exp.Column)


def _distinguish_columns(tree: exp.Query) -> None:
    """Number columns of the results that have the name of an earlier one, as Flink does."""
    first = first_select(tree)
    columns = [] if first is None else first.expressions
    names = [column.alias_or_name for column in columns]
    for column, name, numbered in zip(columns, names, distinct_names(names), strict=True):
        if numbered != name:
            column.set("alias", exp.to_identifier(numbered, quoted=True))


def _typed(text: str, tree: exp.Query, schema: MappingSchema) -> exp.Query:
    """Return a query in which all columns have tables and all expressions have types, if these are known."""
    resolve_function_tables(text, tree, schema, lambda query: _qualified(text, query, schema))
    return _qualified(text, tree, schema)


def _qualified(text: str, tree: exp.Query, schema: MappingSchema) -> exp.Query:
    """Return a query as `_typed` does; its table functions have columns."""
    columns = OutputColumns(schema)
    resolve_orders(text, tree, columns)
    for scope in traverse_scope(tree):
        columns.number_stars(scope)
    check_columns(text, tree, columns)
    try:
        qualified: Any = qualify(
            tree, dialect=Flink, schema=schema, quote_identifiers=True, validate_qualify_columns=False
        )
    except SqlglotError as error:
        raise SqlError(f"{text!r}: {error}") from None
    for scope in traverse_scope(qualified):
        if isinstance(scope.expression, exp.Select):
            for column in scope.unqualified_columns:
                known = dict.fromkeys(
                    name for source in scope.sources.values() for name in columns.names_in(source)
                )
                among = f"among {', '.join(known)}" if known else "here; add a table with one to FROM"
                raise error_at(text, column, f"there is no column {column.name!r} {among}")
    typed: exp.Query = annotate_types(qualified, schema=schema, dialect=Flink)
    check_types(text, typed)
    convert_lag_defaults(text, typed)
    return typed
