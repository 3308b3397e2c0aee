"""Translate a query from Flink's SQL to Spark's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import NamedTuple

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, build_scope

from pystream.errors import SqlError
from pystream.plan.query import QueryFunction
from pystream.table.sql.analysis import AnalysedQuery, name_of_table
from pystream.table.sql.dialect import SparkText
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.functions.building import NotTranslatedError
from pystream.table.sql.functions.rewriting import with_spark_functions
from pystream.table.sql.match_calls import MATCH_CLAUSE
from pystream.table.sql.naming import TABLE_NAME
from pystream.table.sql.syntax import error_at
from pystream.table.sql.window_queries import with_window_queries
from pystream.table.sql.windows import window_call

__all__ = ["Origin", "TranslatedQuery", "combining_clause", "is_ordered", "translate_query"]


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
        functions: the functions that it calls in Python: those of the program, and declared ones.
        statement: the text of the statement that it is part of.
        tree: the query of that text.
    """

    text: str
    paths: tuple[str, ...]
    origins: tuple[Origin | None, ...]
    names: tuple[str, ...]
    is_ordered: bool
    functions: tuple[QueryFunction, ...]
    statement: str
    tree: exp.Expr

    def shown(self, titles: Sequence[str]) -> str:
        """Return the text of the query for plans.

        Args:
            titles: the names of its tables, in order.
        """
        text = self.text
        for function in self.functions:
            text = text.replace(function.name, function.title)
        for number, title in enumerate(titles):
            for alias in re.findall(rf"\{{t{number}\}} AS (`{TABLE_NAME}\d+`)", text):
                text = text.replace(alias, _escaped(f"`{title}`"))
        names = {f"t{number}": title for number, title in enumerate(titles)}
        unquoted = _QUOTED.sub(r"\1", text.format(**names) if names else text)
        return _NAMED_ALIKE.sub(r"\1", unquoted)

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


_QUOTED = re.compile(r"`([A-Za-z_]\w*)`")
"""A quoted name that needs no quotes."""
_NAMED_ALIKE = re.compile(r"\b(\w+) AS \1\b")
"""A table with its own name as alias."""
_UNORDERED = ("group", "joins", "distinct", "laterals")


def _escaped(text: str) -> str:
    """Return a text as it stands in a template of ``str.format``."""
    return text.replace("{", "{{").replace("}", "}}")


def translate_query(analysed: AnalysedQuery, zone: tzinfo | None = None) -> TranslatedQuery:
    """Translate a query.

    Args:
        analysed: the query.
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if it is not known.

    Raises:
        SqlError: it has what Spark does not; the message names the place.
    """
    tree = analysed.tree
    tables = range(len(analysed.paths))
    numbers = {name_of_table(number): number for number in tables}
    try:
        rewritten, functions = with_spark_functions(tree.copy(), zone)
        translated = with_window_queries(rewritten)
    except NotTranslatedError as error:
        raise error_at(analysed.text, error.node, str(error)) from None
    spark = translated.sql(SparkText)
    if analysed.paths:  # the text is then a template
        spark = _escaped(spark)
    for number in tables:
        spark = spark.replace(f"`{name_of_table(number)}`", f"{{t{number}}}")
    return TranslatedQuery(
        spark,
        analysed.paths,
        tuple(_origins(tree, numbers, analysed.columns)),
        tuple(tree.named_selects),
        is_ordered(tree),
        analysed.functions + functions,
        analysed.text,
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


class CombiningClause(NamedTuple):
    """A clause of a query that combines several rows.

    Attributes:
        name: its name.
        node: its place in the query.
    """

    name: str
    node: exp.Expr


def combining_clause(tree: exp.Expr) -> CombiningClause | None:
    """Return a clause of a query that combines several rows, ``None`` if each is on its own."""
    for node in tree.walk():
        name = _combining_name(node)
        if name:
            return CombiningClause(name, node)
    return None


def _combining_name(node: exp.Expr) -> str:
    match node:
        case exp.Select() if node.args.get("distinct"):
            return "DISTINCT"
        case exp.Subquery() if node.args.get(MATCH_CLAUSE):
            return "MATCH_RECOGNIZE"
        case exp.Subquery() if not isinstance(node.parent, exp.From):
            return "a subquery"
        case exp.Subquery() if (call := window_call(node)) is not None and call.function == "SESSION":
            return "SESSION"
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
        if isinstance(source, FunctionTable):
            break
        if isinstance(source, exp.Table):
            return source, name
        scope = source
    return None, name
