"""RowPlanner: SELECTs of single rows, which Spark computes where it can, and Python elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from pystream.table.algebra.calc import Calc, project
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.scalar import Field
from pystream.table.columns import TableColumn
from pystream.table.evaluation import NotEvaluatedError, WrongExpressionError
from pystream.table.planner.planning import Planning
from pystream.table.planner.source import Source
from pystream.table.planner.trees import SelectedField, fields_of
from pystream.table.spark_tables import is_read_by_workers, spark_query
from pystream.table.sql.analysis import AnalysedQuery, name_of_table, rename_table
from pystream.table.sql.conditions import conditions_of
from pystream.table.sql.queries import combining_clause
from pystream.table.streaming.calc_operators import are_by_kernels, calc_chain, calc_operator
from pystream.table.table import Table

__all__ = ["RowPlanner", "selected"]


def selected(
    planning: Planning, source: Source, conditions: Sequence[exp.Expr], fields: Sequence[SelectedField]
) -> RelNode:
    """Return the values of expressions of those rows for which conditions are true.

    Args:
        planning: the query.
        source: the rows.
        conditions: the conditions.
        fields: the names and the expressions of the columns of the results.

    Raises:
        NotEvaluatedError: Python cannot evaluate an expression.
    """
    if not conditions and all(isinstance(field, exp.Column) for _, field in fields):
        numbers = [source.number(field) for _, field in fields]
        return project(source.node, numbers, [name for name, _ in fields])
    source = source.before_projection()
    columns = source.node.columns
    required = [planning.scalar(condition, source.number, columns) for condition in conditions]
    values = [Field(name, planning.scalar(field, source.number, columns)) for name, field in fields]
    return Calc(source.node, tuple(values), tuple(required))


class RowPlanner:
    """Computes expressions and conditions of single rows.

    Args:
        planning: the query.
        rows_of: returns the rows of an item of FROM.
        names_of: returns the names of columns in an item of FROM, with that of the item.
    """

    def __init__(
        self,
        planning: Planning,
        rows_of: Callable[[exp.Expr], RelNode],
        names_of: Callable[[exp.Expr, Sequence[TableColumn]], Sequence[tuple[str, str]]],
    ) -> None:
        self._planning = planning
        self._rows_of = rows_of
        self._names_of = names_of

    def computed(
        self, source: Source, conditions: Sequence[exp.Expr], fields: Sequence[SelectedField]
    ) -> RelNode:
        """Return the values of expressions of those rows for which conditions are true."""
        try:
            return selected(self._planning, source, conditions, fields)
        except NotEvaluatedError as error:
            raise self._planning.not_evaluated(error) from None

    def is_for_spark(self, query: exp.Select) -> bool:
        """Return whether a query computes or filters single rows of one table, whose rows are inserted."""
        names = self._planning.tables_of(query) if self._planning.is_on_spark else []
        if len(names) != 1 or combining_clause(query) or self._planning.has_windows(query):
            return False
        return not self._planning.node(names[0]).is_updating and not _chooses_columns(query)

    def on_spark(self, query: exp.Select) -> RelNode:
        """Return the results of a query of single rows of one table.

        Spark computes them, with two exceptions. Python does if the watermarks come with the stream, as Spark
        does not pass them on; and if workers read bounded rows as columns, and kernels have all expressions.
        """
        try:
            node: RelNode | None = self._calc(query)
        except WrongExpressionError as error:
            raise self._planning.not_evaluated(error) from None
        except NotEvaluatedError:
            node = None
        if node is not None and node.proctimes:
            return node
        (name,) = self._planning.tables_of(query)
        table = self._planning.lowering.table(self._planning.node(name))
        time = table._time
        is_timed = time is not None and time.untimed is None and not self._planning.is_bounded
        if node is not None and node.time is not None and is_timed:
            return node
        if node is not None and self._stays_in_columns(node, name, table):
            return node
        return self._by_query(query, name, table, node)

    def _stays_in_columns(self, node: RelNode, name: str, table: Table) -> bool:
        """Return whether the workers that read bounded rows as columns can compute the results by kernels."""
        if not self._planning.is_bounded or not is_read_by_workers(table):
            return False
        return are_by_kernels(calc_chain(node, self._planning.node(name)), table)

    def _calc(self, item: exp.Expr) -> RelNode:
        """Return how Python computes the rows of an item of FROM.

        Raises:
            NotEvaluatedError: Python cannot evaluate an expression.
        """
        query = item.this if isinstance(item, exp.Subquery) else item
        if not isinstance(query, exp.Select):
            return self._rows_of(query)
        inner = query.args["from_"].this
        rows = self._calc(inner)
        source = Source(rows, self._names_of(inner, rows.columns))
        return selected(self._planning, source, conditions_of(query), fields_of(query))

    def _by_query(self, query: exp.Select, name: str, table: Table, in_python: RelNode | None) -> RelNode:
        """Return the results of a query that Spark computes.

        Args:
            query: the query.
            name: the name of the table that it reads.
            table: that table.
            in_python: how Python computes them, where Spark cannot; ``None`` if Python cannot.
        """
        planning, query = self._planning, query.copy()
        for node in [node for node in query.find_all(exp.Table) if node.name == name]:
            rename_table(node, name_of_table(0))
        rows = planning.node(name)
        part = AnalysedQuery(
            planning.analysed.text,
            query,
            (planning.path(name),),
            (tuple(column.name for column in table._columns),),
            planning.analysed.functions,
        )
        operator = None
        if in_python is not None:
            operator = in_python.columns, calc_operator(calc_chain(in_python, rows), table)
        results = spark_query(planning.environment, part, [table], in_python=operator)
        return replace(results, path=planning.path(name))


def _chooses_columns(query: exp.Expr) -> bool:
    """Return whether a query of one table only chooses columns of all its rows."""
    if not isinstance(query, exp.Select) or query.args.get("where"):
        return False
    item = query.args["from_"].this
    is_chosen = _chooses_columns(item.this) if isinstance(item, exp.Subquery) else True
    return is_chosen and all(isinstance(field.unalias(), exp.Column) for field in query.expressions)
