"""Plan queries over unbounded tables: Spark computes single rows, operators of streams combine them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

from pystream.errors import PlanTypeError, SqlError, UnsupportedOperationError
from pystream.settings.modes import Runner
from pystream.sql_types.data_types import DataType
from pystream.table.columns import TableColumn
from pystream.table.evaluation import Evaluation, NotEvaluatedError, evaluated
from pystream.table.spark_tables import is_unbounded, spark_table
from pystream.table.sql.analysis import AnalysedQuery, name_of_table, rename_table
from pystream.table.sql.queries import CombiningClause, combining_clause
from pystream.table.sql.syntax import error_at
from pystream.table.sql.windows import WINDOW_COLUMNS, WindowCall, window_call
from pystream.table.streaming.aggregates import AggregateCall
from pystream.table.streaming.calc_plan import CalcPlan
from pystream.table.streaming.constants import ColumnsDifferError, one_row, values_table
from pystream.table.streaming.grouping import GROUPS, AggregateExpression, grouping_of
from pystream.table.streaming.join_planner import JoinPlanner
from pystream.table.streaming.local_time import session_zone
from pystream.table.streaming.operators import grouped
from pystream.table.streaming.over_clauses import has_over
from pystream.table.streaming.over_planner import OverPlanner
from pystream.table.streaming.ranking_patterns import Ranking, ranking_of, sorting_of
from pystream.table.streaming.ranking_planner import RankingPlanner
from pystream.table.streaming.source import Source, with_columns
from pystream.table.streaming.trees import (
    conjuncts,
    names_of,
    selected_from,
    with_inlined_subqueries,
    with_limits_at_orders,
    without_inner_orders,
)
from pystream.table.streaming.unions import united
from pystream.table.streaming.window_items import WindowItem, calls_window_function, over_windows
from pystream.table.streaming.window_operators import grouped_by_windows, windowed
from pystream.table.streaming.window_planner import TableItem, WindowPlanner
from pystream.table.table import Table

if TYPE_CHECKING:
    from pystream.table.sql.relations import Relation
    from pystream.table.table_environment import TableEnvironment

__all__ = ["streaming_table"]

Field: TypeAlias = tuple[str, exp.Expr]
"""The name and the expression of a column of results."""

_GROUPING = ("DISTINCT", "GROUP BY", "an aggregate function")


def streaming_table(
    environment: TableEnvironment,
    analysed: AnalysedQuery,
    tables: Sequence[Table],
    relation: Relation | None = None,
) -> Table:
    """Return the table of the results of a query that reads an unbounded table.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
        relation: the query as it was before.

    Raises:
        SqlError: Spark cannot resolve a part of the query.
        UnsupportedOperationError: a clause is not supported for unbounded tables.
    """
    query = with_inlined_subqueries(analysed.tree)
    # The results of methods of a table keep the order of an earlier one; those of SQL have none.
    query = without_inner_orders(query) if analysed.text else with_limits_at_orders(query)
    table = _Planner(environment, analysed, tables).table(query)
    return Table(
        environment,
        table._stream_or_error,
        table._columns,
        relation,
        time=table._time,
        is_updating=table._is_updating,
        upsert_key=table._upsert_key,
        windows=table._windows,
    )


class _Planner:
    """Makes the table of a query of the tables that it reads, from the innermost query outwards."""

    def __init__(
        self, environment: TableEnvironment, analysed: AnalysedQuery, tables: Sequence[Table]
    ) -> None:
        self._environment = environment
        self._analysed = analysed
        self._tables: dict[str, tuple[str, Table]] = {
            name_of_table(number): (analysed.paths[number], table) for number, table in enumerate(tables)
        }
        self._sources: dict[exp.Expr, Source] = {}
        self._rankings = RankingPlanner(self.table, self._refusal, is_deferring=not analysed.text)
        self._is_bounded = not is_unbounded(tables)
        self._is_on_spark = environment._streams._host().runner is Runner.SPARK
        self._windows = WindowPlanner(
            self._rows_of_item, self._without_time, is_bounded=self._is_bounded
        )
        zone = session_zone(environment.get_config().get_configuration())
        self._evaluation = partial(evaluated, functions=analysed.functions, zone=zone)

    def table(self, node: exp.Expr) -> Table:
        """Return the results of a query, or the rows of an item of FROM."""
        match node:
            case exp.Table():
                return self._tables[node.name][1]
            case exp.Values():
                return self._constants(node)
            case exp.Query() if (sorting := sorting_of(node, self._refusal)) is not None:
                if self._is_bounded:
                    return self._rankings.finally_sorted(sorting)
                return self._rankings.sorted(sorting)
            case exp.Subquery() if (call := window_call(node)) is not None:
                return self._with_windows(node, call)
            case exp.Subquery():
                return self.table(node.this)
            case exp.Union():
                return self._united(node)
            case exp.Select() if node.args.get("laterals"):
                raise self._refusal(node, "LATERAL")
            case exp.Select() if (ranking := ranking_of(node, self._refusal)) is not None:
                return self._first_rows(ranking)
            case exp.Select():
                return self._selected(node)
        clause = combining_clause(node)
        raise self._refusal(node, clause.name if clause else "this query")

    def _first_rows(self, ranking: Ranking) -> Table:
        """Return the results of a query that selects rows by their ``ROW_NUMBER()``."""
        path = " and ".join(self._tables[name][0] for name in self._tables_of(ranking.item))
        table = self._rankings.ranked(ranking)
        name = name_of_table(len(self._tables))
        self._tables[name] = path, table
        return self.table(ranking.of_table(name))

    def _with_windows(self, item: exp.Subquery, call: WindowCall) -> Table:
        """Return the rows of a window function."""
        names = self._names_in(item)
        fields = [exp.column(name, table=item.alias, quoted=True) for name in names]
        rows = self._windows.rows(WindowItem(item, call), fields, ())
        assert rows is not None
        return _named(rows, names)

    def _selected(self, query: exp.Select) -> Table:
        query = over_windows(query, self._has_windows)
        if has_over(query):
            source, fields = OverPlanner(self._values, self._aggregate_call, self._refusal).results(query)
            return self._computed(source, (), list(zip(query.named_selects, fields, strict=True)))
        clause = _own_clause(query)
        if clause is None:
            return self._projected(query)
        if clause.name not in _GROUPING:
            raise self._refusal(clause.node, clause.name)
        if query.args.get("distinct") and _groups_rows(query):
            return self._distinct(query)
        return self._grouped(query)

    def _projected(self, query: exp.Select) -> Table:
        """Return the results of a SELECT of single rows of FROM."""
        if self._is_of_one_table(query) and not self._chooses_columns(query):
            return self._of_one_table(query)
        fields, windows = _fields(query), self._windows_of(query)
        if isinstance(windows, WindowItem):
            values = [field for _, field in fields]
            rows = self._windows.rows(windows, values, _conditions(query))
            if rows is not None:
                return _named(rows, query.named_selects)
        source, conditions = self._source(query, [field for _, field in fields])
        return self._computed(source, conditions, fields)

    def _computed(self, source: Source, conditions: Sequence[exp.Expr], fields: Sequence[Field]) -> Table:
        """Return the values of expressions of those rows for which conditions are true."""
        if not conditions and all(isinstance(field, exp.Column) for _, field in fields):
            columns = [replace(source.column(field), name=name) for name, field in fields]
            return with_columns(source.table, columns)
        try:
            plan = CalcPlan.of(source.table)
            return plan.selected(source.names, conditions, fields, self._evaluate).results()
        except NotEvaluatedError as error:
            raise self._not_evaluated(error) from None

    def _of_one_table(self, query: exp.Select) -> Table:
        """Return the results of a SELECT of single rows of one table, which Spark computes if it can.

        Python computes them on the local host, and if the results have watermarks that come with the stream,
        which Spark does not pass on.
        """
        refused: NotEvaluatedError | None = None
        plan: CalcPlan | None = None
        try:
            plan, _ = self._calc_plan(query)
        except NotEvaluatedError as error:
            refused = error
        if plan is not None and plan.keeps_watermarks:
            return plan.results()
        if self._is_on_spark:
            return self._by_spark(query, plan)
        if refused is not None:
            raise self._not_evaluated(refused)
        assert plan is not None
        return plan.results()

    def _calc_plan(self, item: exp.Expr) -> tuple[CalcPlan, Sequence[tuple[str, str]]]:
        """Return how Python computes the rows of an item of FROM, and the names of its columns there.

        Raises:
            NotEvaluatedError: Python cannot evaluate an expression.
        """
        query = item.this if isinstance(item, exp.Subquery) else item
        if isinstance(query, exp.Select):
            inner, names = self._calc_plan(query.args["from_"].this)
            plan = inner.selected(names, _conditions(query), _fields(query), self._evaluate)
        else:
            plan = CalcPlan.of(self.table(query))
        return plan, self._names(item, plan.columns)

    def _chooses_columns(self, query: exp.Expr) -> bool:
        """Return whether a query of one table only chooses columns of all its rows."""
        if not isinstance(query, exp.Select) or query.args.get("where"):
            return False
        item = query.args["from_"].this
        is_chosen = self._chooses_columns(item.this) if isinstance(item, exp.Subquery) else True
        return is_chosen and all(isinstance(field.unalias(), exp.Column) for field in query.expressions)

    def _is_of_one_table(self, query: exp.Expr) -> bool:
        """Return whether each result of a query depends on one row of one table, whose rows are inserted."""
        names = self._tables_of(query)
        is_one = len(names) == 1 and not combining_clause(query)
        return is_one and not self._tables[names[0]][1]._is_updating and not self._has_windows(query)

    def _tables_of(self, query: exp.Expr) -> list[str]:
        return list(dict.fromkeys(t.name for t in query.find_all(exp.Table) if t.name in self._tables))

    def _names_in(self, item: exp.Expr) -> Sequence[str]:
        """Return the names of the columns of an item of FROM."""
        match item:
            case exp.Table():
                return names_of(item, [column.name for column in self._tables[item.name][1]._columns])
            case exp.Subquery():
                return names_of(item, item.this.named_selects)
            case exp.Values():
                return item.alias_column_names
        raise self._refusal(item, item.key.upper())

    def _by_spark(self, query: exp.Query, plan: CalcPlan | None) -> Table:
        """Return the results of a query that Spark computes.

        Args:
            query: the query.
            plan: how Python computes them, where Spark cannot; ``None`` if Python cannot.
        """
        query, analysed = query.copy(), self._analysed
        names = self._tables_of(query)
        for table in [table for table in query.find_all(exp.Table) if table.name in names]:
            rename_table(table, name_of_table(names.index(table.name)))
        chosen = [self._tables[name] for name in names]
        part = AnalysedQuery(
            analysed.text,
            query,
            tuple(path for path, _ in chosen),
            tuple(tuple(column.name for column in table._columns) for _, table in chosen),
            analysed.functions,
        )
        return spark_table(self._environment, part, [table for _, table in chosen], in_python=plan)

    def _source(self, query: exp.Select, needed: Sequence[exp.Expr]) -> tuple[Source, Sequence[exp.Expr]]:
        """Return the rows that a query selects from, and the conditions of WHERE that they may not satisfy.

        Args:
            query: the query.
            needed: the expressions that are computed of the rows.
        """
        if "from_" not in query.args:
            return Source(one_row(self._environment), ()), _conditions(query)
        if query.args.get("joins"):
            planner = JoinPlanner(
                self._source_of, self._names_in, self._evaluation, self._refusal, self._error
            )
            return planner.joined(query, needed)
        return self._source_of(query.args["from_"].this), _conditions(query)

    def _source_of(self, item: exp.Expr) -> Source:
        """Return the rows of an item of FROM; equal items share them."""
        if item not in self._sources:
            self._sources[item] = self._planned_source(item)
        return self._sources[item]

    def _planned_source(self, item: exp.Expr) -> Source:
        table = self.table(item)
        return Source(table, self._names(item, table._columns))

    def _names(self, item: exp.Expr, columns: Sequence[TableColumn]) -> Sequence[tuple[str, str]]:
        """Return the names of the columns of an item of FROM."""
        names = names_of(item, [column.name for column in columns])
        for name in names:
            if list(names).count(name) > 1:
                raise self._refusal(item, f"a table with two columns {name!r}")
        return [(item.alias_or_name, name) for name in names]

    def _constants(self, values: exp.Values) -> Table:
        try:
            return values_table(self._environment, values, self._evaluate)
        except ColumnsDifferError as error:
            raise self._error(error.node, str(error)) from None
        except NotEvaluatedError as error:
            raise self._not_evaluated(error) from None

    def _united(self, query: exp.Union) -> Table:
        left, right = self.table(query.left), self.table(query.right)
        if len(left._columns) != len(right._columns):
            complaint = f"UNION: the queries have {len(left._columns)} and {len(right._columns)} columns"
            raise error_at(self._analysed.text, query.right, complaint)
        try:
            rows = united(left, right)
        except PlanTypeError as error:
            raise error_at(self._analysed.text, query.right, f"UNION: {error}") from None
        if not query.args.get("distinct"):
            return rows
        return _named(grouped(rows, len(rows._columns), []), query.named_selects)

    def _distinct(self, query: exp.Select) -> Table:
        """Return the distinct results of a query that groups rows."""
        groups = query.copy()
        groups.set("distinct", None)
        rows = self._selected(groups)
        result = grouped(rows, len(rows._columns), [])
        return _named(result, query.named_selects)

    def _grouped(self, query: exp.Select) -> Table:
        windows = self._windows_of(query)
        grouping = grouping_of(query, self._analysed.text, self._refusal, windows)
        arguments = [call.argument for call in grouping.aggregates if call.argument is not None]
        fields = [*grouping.keys, *arguments]
        timed = None
        if grouping.is_windowed and isinstance(windows, WindowItem):
            timed = self._windows.timed_rows(windows, fields, _conditions(query))
        rows = self._values(query, fields) if timed is None else timed[0]
        keys = len(grouping.keys)
        positions = iter(range(keys, len(fields)))
        aggregates = [
            self._aggregate_call(each, rows, None if each.argument is None else next(positions))
            for each in grouping.aggregates
        ]
        item = query.args["from_"].this
        if grouping.is_windowed and rows._is_updating:
            function = windows.call.function if isinstance(windows, WindowItem) else "a window"
            raise self._refusal(item, f"{function} of rows that may be updated later")
        if not grouping.is_windowed:
            result = grouped(rows, keys, aggregates)
        elif timed is None:
            result = grouped_by_windows(rows, keys, aggregates)
        else:
            assert isinstance(windows, WindowItem)
            try:
                result = windowed(rows, keys, aggregates, windows.call, timed[1])
            except UnsupportedOperationError as error:
                raise self._refusal(item, str(error)) from None
        names = [str(position) for position in range(keys + len(aggregates))]
        names += WINDOW_COLUMNS if grouping.is_windowed else ()
        source = Source(result, [(GROUPS, name) for name in names])
        results = list(zip(query.named_selects, grouping.fields, strict=True))
        return self._computed(source, grouping.conditions, results)

    def _values(self, query: exp.Select, fields: Sequence[exp.Expr]) -> Table:
        """Return the values of expressions for the rows that a query selects from."""
        return self._selected(selected_from(query.args["from_"].this, fields or [_one()], query))

    def _rows_of_item(
        self, item: exp.Expr, fields: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
    ) -> Table:
        """Return the values of expressions for the rows of an item of FROM for which conditions are true."""
        query = exp.Select().where(*conditions) if conditions else exp.Select()
        return self._selected(selected_from(item, fields, query))

    def _has_windows(self, node: exp.Expr) -> bool:
        """Return whether an item of FROM, or a query, reads rows with windows."""
        tables = [self._tables[name][1] for name in self._tables_of(node)]
        return calls_window_function(node) or any(table._windows is not None for table in tables)

    def _windows_of(self, query: exp.Select) -> WindowItem | TableItem | None:
        """Return the windows of the rows that a query selects from one item."""
        if query.args.get("joins") or "from_" not in query.args:
            return None
        item = query.args["from_"].this
        if not self._has_windows(item):
            return None
        call = window_call(item)
        if call is not None:
            return WindowItem(item, call)
        source = self._source_of(item)
        return None if source.table._windows is None else TableItem(source, source.table._windows)

    def _without_time(self, item: WindowItem, rows: Table) -> Exception:
        """Return the error that the column of a window function is not the event time of its rows."""
        function, time = item.call.function, item.time.name
        if rows._is_updating:
            return self._refusal(item.item, f"{function} of rows that may be updated later")
        return error_at(
            self._analysed.text,
            item.item,
            f"{function} of an unbounded table needs a column with a watermark, and {time!r} has none; "
            f"declare WATERMARK FOR {time} AS {time} - INTERVAL '5' SECOND",
        )

    def _aggregate_call(
        self, aggregate: AggregateExpression, rows: Table, position: int | None
    ) -> AggregateCall:
        result = aggregate.result
        if result is None:
            assert position is not None
            result = rows._columns[position].data_type.nullable()
        return AggregateCall(aggregate.function, position, aggregate.is_distinct, result)

    def _not_evaluated(self, error: NotEvaluatedError) -> UnsupportedOperationError:
        """Return the error that Python cannot evaluate an expression."""
        remedy = "compute it by a function of the program (udf), or in map()"
        if self._is_on_spark:
            message = f"{error}; Python evaluates expressions of rows that an operator has combined: {remedy}"
        else:
            remedy = f"set pystream.runner to spark, or {remedy}"
            message = f"{error}; Python evaluates expressions on the local host: {remedy}"
        return UnsupportedOperationError(str(error_at(self._analysed.text, error.node, message)))

    def _evaluate(
        self,
        tree: exp.Expr,
        position_of: Callable[[exp.Column], int],
        type_of: Callable[[exp.Column], DataType],
    ) -> Evaluation:
        """Return an expression as a function of rows."""
        return self._evaluation(tree, position_of, type_of=type_of)

    def _error(self, node: exp.Expr, complaint: str) -> SqlError:
        """Return the error that a clause is wrong."""
        return error_at(self._analysed.text, node, complaint)

    def _refusal(self, node: exp.Expr, clause: str) -> UnsupportedOperationError:
        """Return the error that a clause is not supported."""
        names = " and ".join(map(repr, self._analysed.paths))
        message = (
            f"{clause} is not supported yet for unbounded tables such as {names}: convert the table by "
            "to_data_stream(), and use the operators of streams"
        )
        if self._is_bounded:
            message = f"{clause} is not supported on the local host: set pystream.runner to spark"
        return UnsupportedOperationError(str(error_at(self._analysed.text, node, message)))


def _named(table: Table, names: Sequence[str]) -> Table:
    """Return a table whose columns have other names."""
    columns = [replace(column, name=name) for column, name in zip(table._columns, names, strict=True)]
    return with_columns(table, columns)


def _one() -> exp.Expr:
    one = exp.Literal.number(1)
    one.type = exp.DataType.build("INT")
    return one


def _fields(query: exp.Select) -> list[Field]:
    """Return the names and the expressions of the columns of the results of a query."""
    return [(selected.alias_or_name, selected.unalias()) for selected in query.selects]


def _conditions(query: exp.Select) -> list[exp.Expr]:
    where = query.args.get("where")
    return list(conjuncts(where and where.this))


def _groups_rows(query: exp.Select) -> bool:
    """Return whether a query groups rows, other than by DISTINCT."""
    groups = query.copy()
    groups.set("distinct", None)
    return _own_clause(groups) is not None


def _own_clause(query: exp.Select) -> CombiningClause | None:
    """Return a clause of a query itself that combines several rows, other than a join."""
    own = query.copy()
    own.set("from_", None)
    own.set("joins", None)
    return combining_clause(own)
