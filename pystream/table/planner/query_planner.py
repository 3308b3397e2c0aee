"""Plan queries: the relational operators of the trees of queries, from the innermost one outwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.errors import PlanTypeError
from pystream.table.algebra.calc import project
from pystream.table.algebra.current_watermark import WATERMARK, CurrentWatermark
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.unions import Union
from pystream.table.columns import TableColumn
from pystream.table.evaluation import Evaluation, NotEvaluatedError
from pystream.table.planner.function_planner import FunctionPlanner
from pystream.table.planner.group_planner import GroupPlanner, aggregate_call, grouped
from pystream.table.planner.join_planner import JoinPlanner
from pystream.table.planner.match_planner import MatchPlanner
from pystream.table.planner.over_clauses import has_over
from pystream.table.planner.over_planner import OverPlanner
from pystream.table.planner.planning import Planning
from pystream.table.planner.ranking_patterns import Ranking, ranking_of, sorting_of
from pystream.table.planner.ranking_planner import RankingPlanner
from pystream.table.planner.row_planner import RowPlanner
from pystream.table.planner.set_operations import set_operation
from pystream.table.planner.source import Source
from pystream.table.planner.trees import (
    fields_of,
    names_of,
    own_clause,
    selected_from,
)
from pystream.table.planner.values import ColumnsDifferError, one_row, values_of
from pystream.table.planner.watermark_calls import (
    calls_watermark,
    watermark_calls,
    with_watermark_column,
)
from pystream.table.planner.window_items import WindowItem, over_windows
from pystream.table.planner.window_planner import TableItem, WindowPlanner
from pystream.table.rules.final_rows import final_rows
from pystream.table.rules.merged_projections import with_merged_projections
from pystream.table.rules.rewriting import rewritten
from pystream.table.sql.analysis import AnalysedQuery
from pystream.table.sql.conditions import conditions_of
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.match_calls import match_call
from pystream.table.sql.queries import combining_clause
from pystream.table.sql.state_ttl_hints import copy_state_ttl
from pystream.table.sql.windows import window_call
from pystream.table.table import Table
from pystream.table.window_call import WindowCall

if TYPE_CHECKING:
    from pystream.table.sql.relations import Relation
    from pystream.table.table_environment import TableEnvironment

__all__ = ["planned_table"]

_GROUPING = ("DISTINCT", "GROUP BY", "an aggregate function")


def planned_table(
    environment: TableEnvironment,
    analysed: AnalysedQuery,
    tables: Sequence[Table],
    relation: Relation | None = None,
    *,
    at_end: bool = False,
) -> Table:
    """Return the table of the results of a query that operators of streams compute.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
        relation: the query as it was before.
        at_end: whether the results are the rows that remain at the end of bounded tables.

    Raises:
        SqlError: a part of the query is wrong, or Spark cannot resolve it.
        UnsupportedOperationError: a part of the query is not supported.
    """
    planning = Planning(environment, analysed, tables)
    query = rewritten(analysed, tables, planning.refusal)
    plan = _Planner(planning).rows(query)
    plan = with_merged_projections(final_rows(plan) if at_end else plan)
    return planning.lowering.table(plan, relation)


class _Planner:
    """Makes the relational operators of a query, from the innermost query outwards."""

    def __init__(self, planning: Planning) -> None:
        self._planning = planning
        self._sources: dict[exp.Expr, Source] = {}
        self._single = RowPlanner(planning, self.rows, self._names)
        self._windows = WindowPlanner(
            self._rows_of_item, self._without_time, planning.zone_of, is_bounded=planning.is_bounded
        )
        self._functions = FunctionPlanner(planning)
        self._groups = GroupPlanner(planning, self._windows, self._values)
        self._over = OverPlanner(self._values_of_groups, aggregate_call, planning)
        self._matches = MatchPlanner(planning, self._rows_of_item)
        self._rankings = RankingPlanner(self.rows, planning.refusal, is_deferring=not planning.analysed.text)

    def rows(self, node: exp.Expr) -> RelNode:
        """Return the results of a query, or the rows of an item of FROM."""
        refusal = self._planning.refusal
        match node:
            case FunctionTable():
                return self._functions.alone(node)
            case exp.Table():
                return self._planning.node(node.name)
            case exp.Values():
                return self._constants(node)
            case exp.Query() if (sorting := sorting_of(node, refusal)) is not None:
                if self._planning.is_bounded:
                    return self._rankings.finally_sorted(sorting)
                return self._rankings.sorted(sorting)
            case exp.Subquery() if (call := window_call(node)) is not None:
                return self._with_windows(node, call)
            case exp.Subquery() if (match := match_call(node)) is not None:
                return self._matches.matches(node, match)
            case exp.Subquery():
                return self.rows(node.this)
            case exp.SetOperation():
                return self._combined(node)
            case exp.Select() if node.args.get("laterals"):
                raise refusal(node, "LATERAL")
            case exp.Select() if (ranking := self._ranking_of(node)) is not None:
                return self._first_rows(ranking)
            case exp.Select():
                return self._selected(node)
        clause = combining_clause(node)
        raise refusal(node, clause.name if clause else node.key.upper())

    def _ranking_of(self, query: exp.Select) -> Ranking | None:
        return ranking_of(query, self._planning.refusal, is_bounded=self._planning.is_bounded)

    def _first_rows(self, ranking: Ranking) -> RelNode:
        """Return the results of a query that selects rows by their ``ROW_NUMBER()``."""
        planning = self._planning
        path = " and ".join(map(planning.path, planning.tables_of(ranking.item)))
        return self.rows(ranking.of_table(planning.added(self._rankings.ranked(ranking), path)))

    def _with_windows(self, item: exp.Subquery, call: WindowCall) -> RelNode:
        """Return the rows of a window function."""
        names = self._names_in(item)
        fields = [exp.column(name, table=item.alias, quoted=True) for name in names]
        rows = self._windows.rows(WindowItem(item, call), fields, ())
        assert rows is not None
        return project(rows, range(len(names)), names)

    def _selected(self, query: exp.Select) -> RelNode:
        """Return the results of a SELECT without an order."""
        query = over_windows(query, self._planning.has_windows)
        if query.args.get("distinct"):
            rows = query.copy()
            rows.set("distinct", None)
            if has_over(rows) or own_clause(rows) is not None:
                return self._distinct(query, self._selected(rows))
        if has_over(query):
            source, fields = self._over.results(query)
            return self._single.computed(source, (), list(zip(query.named_selects, fields, strict=True)))
        clause = own_clause(query)
        if clause is None:
            return self._projected(query)
        if clause.name not in _GROUPING:
            raise self._planning.refusal(clause.node, clause.name)
        return self._single.computed(*self._groups.groups(query, self._windows_of(query)))

    def _distinct(self, query: exp.Query, rows: RelNode) -> RelNode:
        keys = len(rows.columns)
        return project(grouped(self._planning, query, rows, keys, ()), range(keys), query.named_selects)

    def _projected(self, query: exp.Select) -> RelNode:
        """Return the results of a SELECT of single rows of FROM."""
        if not self._planning.is_bounded and calls_watermark(query):
            return self._with_watermarks(query)
        if self._single.is_for_spark(query):
            return self._single.on_spark(query)
        fields, windows = fields_of(query), self._windows_of(query)
        values = [field for _, field in fields]
        if isinstance(windows, WindowItem):
            rows = self._windows.rows(windows, values, conditions_of(query))
            if rows is not None:
                return project(rows, range(len(values)), query.named_selects)
        return self._single.computed(*self._source(query, values), fields)

    def _with_watermarks(self, query: exp.Select) -> RelNode:
        """Return the results of a SELECT of single rows that calls CURRENT_WATERMARK."""
        source, conditions = self._source(query, [field for _, field in fields_of(query)])
        for call in watermark_calls(query):
            if not (isinstance(call.expressions[0], exp.Column) and source.is_time(call.expressions[0])):
                message = "CURRENT_WATERMARK takes the event time of the rows, a column with a WATERMARK"
                raise self._planning.error(call, message)
        rows = CurrentWatermark(source.node)
        fields = [(name, with_watermark_column(field)) for name, field in fields_of(query)]
        names = [*source.names, ("", WATERMARK)]
        return self._single.computed(Source(rows, names), [*map(with_watermark_column, conditions)], fields)

    def _source(self, query: exp.Select, needed: Sequence[exp.Expr]) -> tuple[Source, Sequence[exp.Expr]]:
        """Return the rows that a query selects from, and the conditions of WHERE that they may not satisfy.

        Args:
            query: the query.
            needed: the expressions that are computed of the rows.
        """
        planning = self._planning
        if "from_" not in query.args:
            return Source(one_row(), ()), conditions_of(query)
        if query.args.get("joins"):
            return JoinPlanner(planning, self._functions, self._source_of).joined(query, needed)
        return self._source_of(query.args["from_"].this), conditions_of(query)

    def _source_of(self, item: exp.Expr) -> Source:
        """Return the rows of an item of FROM; equal items share them."""
        if item not in self._sources:
            node = self.rows(item)
            self._sources[item] = Source(node, self._names(item, node.columns))
        return self._sources[item]

    def _names(self, item: exp.Expr, columns: Sequence[TableColumn]) -> Sequence[tuple[str, str]]:
        """Return the names of the columns of an item of FROM, with that of the item."""
        names = names_of(item, [column.name for column in columns])
        for name in names:
            if list(names).count(name) > 1:
                raise self._planning.refusal(item, f"a table with two columns {name!r}")
        return [(item.alias_or_name, name) for name in names]

    def _names_in(self, item: exp.Expr) -> Sequence[str]:
        """Return the names of the columns of an item of FROM, before its table is made."""
        match item:
            case FunctionTable():
                return [field.name for field in item.fields]
            case exp.Table():
                columns = self._planning.node(item.name).columns
                return names_of(item, [column.name for column in columns])
            case exp.Subquery():
                return names_of(item, item.this.named_selects)
            case exp.Values():
                return item.alias_column_names
        raise self._planning.refusal(item, item.key.upper())

    def _constants(self, values: exp.Values) -> RelNode:
        try:
            return values_of(values, self._constant)
        except ColumnsDifferError as error:
            raise self._planning.error(error.node, str(error)) from None
        except NotEvaluatedError as error:
            raise self._planning.not_evaluated(error) from None

    def _constant(self, value: exp.Expr) -> Evaluation:
        evaluation = self._planning.evaluate(value, _no_column)
        if evaluation.calls_program:
            raise NotEvaluatedError(value, "VALUES calls no functions of the program; call them in a SELECT")
        return evaluation

    def _combined(self, query: exp.SetOperation) -> RelNode:
        """Return the results of a UNION, an INTERSECT or an EXCEPT."""
        name = query.key.upper()
        left, right = self.rows(query.left), self.rows(query.right)
        if len(left.columns) != len(right.columns):
            complaint = f"{name}: the queries have {len(left.columns)} and {len(right.columns)} columns"
            raise self._planning.error(query.right, complaint)
        is_distinct = bool(query.args.get("distinct"))
        try:
            if not isinstance(query, exp.Union):
                return set_operation(self._planning, name, left, right, is_distinct=is_distinct)
            rows = Union(left, right)
        except PlanTypeError as error:
            raise self._planning.error(query.right, f"{name}: {error}") from None
        return self._distinct(query, rows) if is_distinct else rows

    def _values(self, query: exp.Select, fields: Sequence[exp.Expr]) -> RelNode:
        """Return the values of expressions for the rows that a query selects from."""
        start = query.args.get("from_")
        return self._selected(selected_from(start and start.this, fields, query))

    def _values_of_groups(self, query: exp.Select, fields: Sequence[exp.Expr]) -> RelNode:
        """Return the values of expressions for the rows that a query selects from, or for its groups."""
        start = query.args.get("from_")
        values = selected_from(start and start.this, fields, query)
        for clause in ("group", "having"):
            values.set(clause, query.copy().args.get(clause))
        copy_state_ttl(query, values)
        return self._selected(values)

    def _rows_of_item(
        self, item: exp.Expr, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
    ) -> RelNode:
        """Return the values of expressions for the rows of an item of FROM for which conditions are true."""
        query = exp.Select().where(*conditions) if conditions else exp.Select()
        return self._selected(selected_from(item, fields, query))

    def _windows_of(self, query: exp.Select) -> WindowItem | TableItem | None:
        """Return the windows of the rows that a query selects from one item, and functions of these."""
        joins = query.args.get("joins") or ()
        if "from_" not in query.args or not all(isinstance(join.this, FunctionTable) for join in joins):
            return None
        item = query.args["from_"].this
        if not self._planning.has_windows(item):
            return None
        call = window_call(item)
        if call is not None and not joins:
            return WindowItem(item, call)
        source = self._source_of(item)
        return None if source.node.windows is None else TableItem(source, source.node.windows)

    def _without_time(self, item: WindowItem, rows: RelNode) -> Exception:
        """Return the error that the column of a window function is not the event time of its rows."""
        function, time = item.call.function, item.time.name
        if rows.is_updating:
            return self._planning.refusal(item.item, f"{function} of rows that may be updated later")
        return self._planning.error(
            item.item,
            f"{function} of an unbounded table needs a column with a watermark, or PROCTIME(), and {time!r} "
            f"is none; declare WATERMARK FOR {time} AS {time} - INTERVAL '5' SECOND",
        )


def _no_column(column: exp.Column) -> int:
    raise NotEvaluatedError(column, "a column in VALUES is not supported")
