"""Translate a query from Flink's SQL to Spark's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope, traverse_scope
from sqlglot.schema import MappingSchema

from pystream.errors import PlanError, SqlError
from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.function_definition import FunctionDefinition
from pystream.table.sql.checks import check_clauses, check_columns, check_functions, check_types
from pystream.table.sql.column_types import sql_of_data_type
from pystream.table.sql.dialect import Flink, SparkText
from pystream.table.sql.function_calls import with_functions
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.functions.building import NotTranslatedError
from pystream.table.sql.functions.rewriting import with_spark_functions
from pystream.table.sql.statements import ParsedQuery
from pystream.table.sql.syntax import error_at, path_of

__all__ = ["Origin", "TranslatedQuery", "base_tables", "is_ordered", "rename_table", "translate_query"]


class Origin(NamedTuple):
    """The column of a table whose values a column of the results has, unchanged.

    Attributes:
        table: the number of the table.
        column: the number of the column.
    """

    table: int
    column: int


@dataclass(frozen=True, slots=True)
class TranslatedQuery:
    """A query in Spark's dialect.

    Attributes:
        text: the query; the names of tables are ``{t0}``, ``{t1}`` and so on.
        paths: the names of these tables in the program.
        origins: for each column of the results, where its values come from; ``None`` if they are computed.
        names: the names of the columns of the results.
        is_ordered: whether the results have an order.
        spanning: a clause that combines several rows, such as GROUP BY; empty if each row is on its own.
        functions: the functions of the program that it calls.
        statement: the text of the statement that it is part of.
        tree: the query of that text.
    """

    text: str
    paths: tuple[str, ...]
    origins: tuple[Origin | None, ...]
    names: tuple[str, ...]
    is_ordered: bool
    spanning: str
    functions: tuple[QueryFunction, ...]
    statement: str
    tree: exp.Expr

    def located(self, error: SqlError) -> SqlError:
        """Return an error of Spark with the place in the statement, if it is known."""
        for node in self.tree.walk() if error.fragment else ():
            if node.sql(SparkText) == error.fragment:
                return error_at(self.statement, node, str(error))
        named = re.findall(r'"(\w+)"', str(error))
        for column in self.tree.find_all(exp.Column):
            if column.name in named:
                return error_at(self.statement, column, str(error))
        return error


_UNORDERED = ("group", "joins", "distinct", "laterals")

Columns = Sequence[tuple[str, DataType]]


def translate_query(
    parsed: ParsedQuery,
    columns_of: Callable[[str], Columns],
    function_of: Callable[[str], FunctionDefinition | None] = lambda _: None,
) -> TranslatedQuery:
    """Translate a query.

    Args:
        parsed: the query.
        columns_of: returns the columns of a table; raises a PlanError if there is no such table.
        function_of: returns the function of the program of a name, ``None`` if there is none.

    Raises:
        SqlError: a column does not exist, or a function takes another number of arguments; the message names
            the place.
        PlanError: a table does not exist.
    """
    text, tree = parsed.text, parsed.tree.copy()
    check_clauses(text, tree)
    tables: dict[str, list[exp.Table]] = {}
    for table in base_tables(tree):
        tables.setdefault(path_of(table), []).append(table)
    columns = [_columns_of(text, nodes[0], columns_of) for nodes in tables.values()]
    schema = MappingSchema(dialect=Flink, normalize=False)
    for number, nodes in enumerate(tables.values()):
        types = {name: sql_of_data_type(data_type) for name, data_type in columns[number]}
        schema.add_table(_name(number), types, dialect=Flink, normalize=False)
        for table in nodes:
            rename_table(table, _name(number))
    _name_columns(tree)
    tree, functions = with_functions(text, tree, function_of)
    check_functions(text, tree)
    tree = _typed(text, tree, schema)
    _distinguish_columns(tree)
    numbers = {_name(number): number for number in range(len(columns))}
    origins = tuple(_origins(tree, numbers, [[name for name, _ in table] for table in columns]))
    spanning = _spanning(tree)
    try:
        translated = with_spark_functions(tree)
    except NotTranslatedError as error:
        raise error_at(text, error.node, str(error)) from None
    spark = translated.sql(SparkText)
    if columns:  # the text is then a template
        spark = spark.replace("{", "{{").replace("}", "}}")
    for number in range(len(columns)):
        spark = spark.replace(f"`{_name(number)}`", f"{{t{number}}}")
    return TranslatedQuery(
        spark,
        tuple(tables),
        origins,
        tuple(tree.named_selects),
        is_ordered(tree),
        spanning,
        functions,
        text,
        translated,
    )


def is_ordered(tree: exp.Expr | None) -> bool:
    """Return whether the results of a query have an order, their own or that of a subquery."""
    while isinstance(tree, exp.Select) and not tree.args.get("order"):
        source = tree.args.get("from_")
        if source is None or any(tree.args.get(clause) for clause in _UNORDERED):
            return False
        tree = source.this.unnest()
    return isinstance(tree, exp.Query) and bool(tree.args.get("order"))


def _columns_of(text: str, table: exp.Table, columns_of: Callable[[str], Columns]) -> Columns:
    try:
        return columns_of(path_of(table))
    except PlanError as error:
        raise PlanError(str(error_at(text, table, str(error)))) from None


def _name(number: int) -> str:
    return f"_pystream_table_{number}"


def base_tables(tree: exp.Query) -> Iterator[exp.Table]:
    """Yield the tables of a query that are not named in its ``WITH``."""
    for scope in traverse_scope(tree):
        for source in scope.sources.values():
            if isinstance(source, exp.Table):
                yield source


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
            if not isinstance(column, exp.Alias | exp.Column | exp.Dot | exp.Star):
                select.expressions[position].replace(
                    exp.alias_(column.copy(), f"EXPR${position}", quoted=True)
                )


def _distinguish_columns(tree: exp.Query) -> None:
    """Number columns of the results that have the name of an earlier one, as Flink does."""
    taken: set[str] = set()
    for column in tree.expressions if isinstance(tree, exp.Select) else ():
        name = column.alias_or_name
        numbered = next(n for n in chain([name], (f"{name}{k}" for k in count())) if n not in taken)
        taken.add(numbered)
        if numbered != name:
            column.set("alias", exp.to_identifier(numbered, quoted=True))


def _typed(text: str, tree: exp.Query, schema: MappingSchema) -> exp.Query:
    """Return a query in which all columns have tables and all expressions have types, if these are known."""
    check_columns(text, tree, lambda source: _names_in(source, schema))
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
                    name for source in scope.sources.values() for name in _names_in(source, schema)
                )
                raise error_at(text, column, f"there is no column {column.name!r} among {', '.join(known)}")
    typed: exp.Query = annotate_types(qualified, schema=schema, dialect=Flink)
    check_types(text, typed)
    return typed


def _names_in(source: exp.Table | Scope, schema: MappingSchema) -> Sequence[str]:
    if isinstance(source, exp.Table):
        own = schema.column_names(source, dialect=Flink, normalize=False)
        return [*source.alias_column_names, *own[len(source.alias_column_names) :]]
    query = source.expression
    return query.named_selects if isinstance(query, exp.Query) else ()


def _origins(
    tree: exp.Query, numbers: dict[str, int], names: Sequence[Sequence[str]]
) -> Iterator[Origin | None]:
    """Yield the origin of each column of the results."""
    scope = build_scope(tree)
    for name in tree.named_selects:
        source, column = _source_of(scope, name)
        if source is None:
            yield None
        else:
            number = numbers[source.name]
            own = [*source.alias_column_names, *names[number][len(source.alias_column_names) :]]
            yield Origin(number, own.index(column))


def _spanning(tree: exp.Query) -> str:
    """Return a clause of a query that combines several rows."""
    for node in tree.walk():
        match node:
            case exp.Select() if node.args.get("distinct"):
                return "DISTINCT"
            case exp.Subquery() if not isinstance(node.parent, exp.From):
                return "a subquery"
            case exp.Group() | exp.Having():
                return "GROUP BY"
            case _ if is_aggregate(node):
                return "an aggregate function"
            case exp.Window():
                return "OVER"
            case exp.Order():
                return "ORDER BY"
            case exp.Join() | exp.Limit() | exp.Offset() | exp.Fetch() | exp.SetOperation():
                return type(node).__name__.upper()
            case exp.In() | exp.Exists() if node.find(exp.Select):
                return "a subquery"
    return ""


def _source_of(scope: Scope | None, name: str) -> tuple[exp.Table | None, str]:
    """Return the table and the name of the column that a result of a query passes on."""
    while scope is not None and isinstance(scope.expression, exp.Select):
        selected = [column for column in scope.expression.selects if column.alias_or_name == name]
        column = selected[0].unalias() if selected else None
        if not isinstance(column, exp.Column):
            break
        source, name = scope.sources.get(column.table), column.name
        if isinstance(source, exp.Table):
            return source, name
        scope = source
    return None, name
