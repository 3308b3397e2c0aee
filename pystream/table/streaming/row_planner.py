"""RowPlanner: SELECTs of single rows, which Spark computes where it can, and Python elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from pystream.table.columns import TableColumn
from pystream.table.evaluation import NotEvaluatedError
from pystream.table.spark_tables import spark_table
from pystream.table.sql.analysis import AnalysedQuery, name_of_table, rename_table
from pystream.table.sql.queries import combining_clause
from pystream.table.streaming.calc_plan import CalcPlan
from pystream.table.streaming.planning import Planning
from pystream.table.streaming.source import Source, with_columns
from pystream.table.streaming.trees import Field, conditions_of, fields_of
from pystream.table.table import Table

__all__ = ["RowPlanner"]


class RowPlanner:
    """Computes expressions and conditions of single rows.

    Args:
        planning: the query.
        table_of: returns the rows of an item of FROM.
        names_of: returns the names of columns in an item of FROM, with that of the item.
    """

    def __init__(
        self,
        planning: Planning,
        table_of: Callable[[exp.Expr], Table],
        names_of: Callable[[exp.Expr, Sequence[TableColumn]], Sequence[tuple[str, str]]],
    ) -> None:
        self._planning = planning
        self._table_of = table_of
        self._names_of = names_of

    def computed(self, source: Source, conditions: Sequence[exp.Expr], fields: Sequence[Field]) -> Table:
        """Return the values of expressions of those rows for which conditions are true."""
        if not conditions and all(isinstance(field, exp.Column) for _, field in fields):
            columns = [replace(source.column(field), name=name) for name, field in fields]
            return with_columns(source.table, columns)
        try:
            plan = CalcPlan.of(source.table)
            return plan.selected(source.names, conditions, fields, self._planning.evaluate).results()
        except NotEvaluatedError as error:
            raise self._planning.not_evaluated(error) from None

    def is_of_one_table(self, query: exp.Select) -> bool:
        """Return whether a query computes or filters single rows of one table, whose rows are inserted."""
        names = self._planning.tables_of(query)
        if len(names) != 1 or combining_clause(query) or self._planning.has_windows(query):
            return False
        return not self._planning.table(names[0])._is_updating and not _chooses_columns(query)

    def of_one_table(self, query: exp.Select) -> Table:
        """Return the results of a query of single rows of one table.

        Python computes them on the local host, and if they have watermarks that come with the stream, which
        Spark does not pass on.
        """
        refused: NotEvaluatedError | None = None
        plan: CalcPlan | None = None
        try:
            plan, _ = self._calc_plan(query)
        except NotEvaluatedError as error:
            refused = error
        if self._planning.is_on_spark and not (plan is not None and plan.keeps_watermarks):
            return self._by_spark(query, plan)
        if plan is None:
            assert refused is not None
            raise self._planning.not_evaluated(refused)
        return plan.results()

    def _calc_plan(self, item: exp.Expr) -> tuple[CalcPlan, Sequence[tuple[str, str]]]:
        """Return how Python computes the rows of an item of FROM, and the names of its columns there.

        Raises:
            NotEvaluatedError: Python cannot evaluate an expression.
        """
        query = item.this if isinstance(item, exp.Subquery) else item
        if isinstance(query, exp.Select):
            inner, names = self._calc_plan(query.args["from_"].this)
            plan = inner.selected(names, conditions_of(query), fields_of(query), self._planning.evaluate)
        else:
            plan = CalcPlan.of(self._table_of(query))
        return plan, self._names_of(item, plan.columns)

    def _by_spark(self, query: exp.Select, plan: CalcPlan | None) -> Table:
        """Return the results of a query that Spark computes.

        Args:
            query: the query.
            plan: how Python computes them, where Spark cannot; ``None`` if Python cannot.
        """
        planning, query = self._planning, query.copy()
        (name,) = planning.tables_of(query)
        for node in [node for node in query.find_all(exp.Table) if node.name == name]:
            rename_table(node, name_of_table(0))
        table = planning.table(name)
        part = AnalysedQuery(
            planning.analysed.text,
            query,
            (planning.path(name),),
            (tuple(column.name for column in table._columns),),
            planning.analysed.functions,
        )
        return spark_table(planning.environment, part, [table], in_python=plan)


def _chooses_columns(query: exp.Expr) -> bool:
    """Return whether a query of one table only chooses columns of all its rows."""
    if not isinstance(query, exp.Select) or query.args.get("where"):
        return False
    item = query.args["from_"].this
    is_chosen = _chooses_columns(item.this) if isinstance(item, exp.Subquery) else True
    return is_chosen and all(isinstance(field.unalias(), exp.Column) for field in query.expressions)
