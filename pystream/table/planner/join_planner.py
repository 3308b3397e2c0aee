"""JoinPlanner: the joins of the tables that a query over unbounded tables reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from pystream.errors import UnsupportedOperationError
from pystream.table.algebra.calc import Calc, project, reference
from pystream.table.algebra.common_columns import common_column
from pystream.table.algebra.joins import FinalJoin, IntervalJoin, Join, JoinKey, WindowJoin, joins_windows
from pystream.table.algebra.node import RelNode, distinct
from pystream.table.algebra.scalar import Field, Scalar
from pystream.table.algebra.temporal_joins import TemporalJoin
from pystream.table.columns import TableColumn, distinct_names
from pystream.table.evaluation import NotEvaluatedError
from pystream.table.planner.function_planner import FunctionPlanner
from pystream.table.planner.join_conditions import EqualKey, JoinConditions, join_conditions
from pystream.table.planner.lookups import lookup_join
from pystream.table.planner.planning import Planning
from pystream.table.planner.source import Source
from pystream.table.planner.versions import (
    check_keys_of_versions,
    check_versions,
    time_of_versions,
    with_versions,
)
from pystream.table.sql.conditions import conditions_of, conjunction
from pystream.table.sql.from_items import items_of
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.joins import JoinClause, join_clause
from pystream.table.streaming.final_joins import is_joined_by_columns

__all__ = ["JoinPlanner"]


class JoinPlanner:
    """Joins the items of FROM, from the first one on, by the conditions of ON and WHERE.

    Args:
        planning: the query.
        functions: adds the rows of table functions.
        source_of: returns the rows of an item.
    """

    def __init__(
        self,
        planning: Planning,
        functions: FunctionPlanner,
        source_of: Callable[[exp.Expr], Source],
    ) -> None:
        self._planning = planning
        self._functions = functions
        self._source_of = source_of

    def joined(self, query: exp.Select, fields: Sequence[exp.Expr]) -> tuple[Source, list[exp.Expr]]:
        """Return the rows of a join, with the columns that a query needs.

        Args:
            query: the query.
            fields: the expressions that it selects.

        Returns:
            The rows, and the conditions of WHERE that are still to be applied to them.

        Raises:
            SqlError: keys have no type in common, or the bounds of times contradict each other.
            UnsupportedOperationError: a condition cannot be evaluated; or of rows that may be updated later,
                the times are compared, or a condition is not deterministic.
        """
        items = [*items_of(query)]
        joins = [self._clause(join) for join in query.args["joins"]]
        where = conditions_of(query)
        arguments = [one for item in items if isinstance(item, FunctionTable) for one in item.arguments]
        versions = [join.time for join in joins if join.time is not None]
        later = [*fields, *where, *arguments, *versions]
        needed = [*later, *(condition for join in joins for condition in join.conditions)]
        result = self._pruned(self._source_of(items[0]), needed)
        for number, (item, join) in enumerate(zip(items[1:], joins, strict=True), 1):
            if isinstance(item, FunctionTable):
                result = self._functions.correlated(result, item, join)
                continue
            right = self._source_of(item)
            if join.time is not None and result.is_proctime(join.time):
                result = lookup_join(self._planning, item, result, right, join)
                continue
            if join.time is not None:
                result = self._versioned(item, result, with_versions(right), join, needed)
                continue
            following = (condition for after in joins[number:] for condition in after.conditions)
            result = self._pair(
                items[: number + 1], result, self._pruned(right, needed), join, [*later, *following]
            )
        return result, where

    def _clause(self, join: exp.Join) -> JoinClause:
        clause = join_clause(join)
        if clause is None:
            raise self._planning.refusal(join.this, f"{join.side or join.kind} JOIN")
        if clause.version is not None and clause.is_right_outer:
            message = f"{join.side} JOIN of FOR SYSTEM_TIME AS OF is not supported, only JOIN and LEFT JOIN"
            raise UnsupportedOperationError(str(self._planning.error(join.this, message)))
        return clause

    def _pruned(self, source: Source, needed: Sequence[exp.Expr]) -> Source:
        """Return rows with those columns only that expressions need."""
        used = {(c.table, c.name) for node in needed for c in node.find_all(exp.Column)}
        names = [name for name in source.names if name in used] or source.names[:1]
        numbers = [source.number(exp.column(name, table=table)) for table, name in names]
        return Source(project(source.node, numbers), names)

    def _pair(
        self,
        items: Sequence[exp.Expr],
        left: Source,
        right: Source,
        clause: JoinClause,
        later: Sequence[exp.Expr],
    ) -> Source:
        """Return the joined rows of two sides.

        Args:
            items: the items of FROM that are joined, of which the last one is the right side.
            left: the rows of the left side.
            right: those of the right side.
            clause: how they are joined.
            later: the expressions that the query needs after its joins.
        """
        if self._planning.is_bounded:
            left, right = left.without_changes(), right.without_changes()
        found = join_conditions(
            clause.conditions, left.__contains__, lambda column: left.is_time(column) or right.is_time(column)
        )
        node, positions = self._join(left, right, clause, found)
        if found.interval is not None:
            self._check_interval(items[-1], found, node.left, node.right)
            time = _time_of(found, clause, later)
            number = None if time is None else positions[time]
            node = IntervalJoin(*node.sides, interval=found.interval, result_time=number)
        elif joins_windows(node):
            node = WindowJoin(*node.sides)
        elif self._planning.is_in_process and is_joined_by_columns(node):
            node = FinalJoin(*node.sides)
        else:
            node = replace(node, ttls=self._ttls(items))
        return Source(project(node, list(positions.values())), list(positions))

    def _ttls(self, items: Sequence[exp.Expr]) -> tuple[int, int]:
        """Return the times to live of the rows of both sides; those of an earlier join have no hint."""
        *earlier, last = items
        return self._planning.ttl(earlier[0] if len(earlier) == 1 else None), self._planning.ttl(last)

    def _versioned(
        self, item: exp.Expr, left: Source, right: Source, clause: JoinClause, needed: Sequence[exp.Expr]
    ) -> Source:
        """Return the rows of the left side with the versions of the right one at their times.

        Args:
            item: the item of FROM that is the right side.
            left: the rows of the left side, which have event time.
            right: those of the right side, which have times of versions.
            clause: how they are joined.
            needed: the expressions that the query needs.
        """
        assert clause.time is not None
        check_versions(self._planning, item, left, right, clause.time)
        found = join_conditions(clause.conditions, left.__contains__, lambda column: False)
        check_keys_of_versions(self._planning, item, right, [key.right for key in found.keys])
        time = time_of_versions(right)
        pruned = self._pruned(right, [*needed, time])
        node, positions = self._join(left, pruned, clause, found)
        join = TemporalJoin(*node.sides, right_time=pruned.number(time))
        return Source(project(join, list(positions.values())), list(positions))

    def _join(
        self, left: Source, right: Source, clause: JoinClause, found: JoinConditions
    ) -> tuple[Join, Mapping[tuple[str, str], int]]:
        """Return the join of all rows of two sides, and the numbers of the columns that the sides have."""
        one, left_keys = self._with_keys(left, [key.left for key in found.keys])
        other, right_keys = self._with_keys(right, [key.right for key in found.keys])
        keys = tuple(
            self._key(key, one.columns[number], other.columns[counterpart], number, counterpart)
            for key, number, counterpart in zip(found.keys, left_keys, right_keys, strict=True)
        )
        positions = _positions(left) | _positions(right, len(one.columns))
        condition = self._condition(found.remaining, positions, one, other)
        return Join(one, other, keys, clause.is_left_outer, clause.is_right_outer, condition), positions

    def _condition(
        self,
        conditions: Sequence[exp.Expr],
        positions: Mapping[tuple[str, str], int],
        left: RelNode,
        right: RelNode,
    ) -> Scalar | None:
        """Return the condition on pairs of rows that all conditions are true; ``None`` if there are none."""
        if not conditions:
            return None
        columns = distinct([*left.columns, *right.columns])
        condition = self._scalar(conjunction(conditions), positions, columns)
        if not condition.evaluation.is_deterministic and (left.is_updating or right.is_updating):
            message = (
                "a condition on pairs of rows that may be updated later calls a function that is not "
                "deterministic, so that pairs could not be taken back: call it in a subquery before the join"
            )
            raise UnsupportedOperationError(str(self._planning.error(conditions[0], message)))
        return condition

    def _with_keys(self, source: Source, keys: Sequence[exp.Expr]) -> tuple[RelNode, list[int]]:
        """Return rows with further columns for keys that are not columns, and the columns of all keys."""
        positions, values, numbers = _positions(source), list[Scalar](), list[int]()
        for key in keys:
            if isinstance(key, exp.Column):
                numbers.append(positions[key.table, key.name])
            else:
                numbers.append(len(positions) + len(values))
                values.append(self._scalar(key, positions, source.node.columns))
        if not values:
            return source.node, numbers
        own = [name for _, name in source.names]
        names = distinct_names([*own, *(f"f{number}" for number in range(len(own), len(own) + len(values)))])
        kept = [reference(source.node, number, name) for number, name in enumerate(names[: len(own)])]
        added = map(Field, names[len(own) :], values)
        return Calc(source.node, (*kept, *added)), numbers

    def _key(
        self, key: EqualKey, one: TableColumn, other: TableColumn, number: int, counterpart: int
    ) -> JoinKey:
        """Return the key of two columns."""
        common = common_column(one, other)
        if common is None:
            types = f"{one.data_type.nullable()} with {other.data_type.nullable()}"
            raise self._planning.error(key.condition, f"a join of {types} needs a CAST of one of them")
        return JoinKey(number, counterpart, common, key.admits_null)

    def _scalar(
        self, tree: exp.Expr, positions: Mapping[tuple[str, str], int], columns: Sequence[TableColumn]
    ) -> Scalar:
        """Return an expression of the columns of rows."""
        try:
            return self._planning.scalar(tree, lambda column: positions[column.table, column.name], columns)
        except NotEvaluatedError as error:
            raise self._planning.refusal(error.node, f"this condition of a join ({error})") from None

    def _check_interval(self, item: exp.Expr, found: JoinConditions, left: RelNode, right: RelNode) -> None:
        """Check that rows can be joined on their times."""
        assert found.interval is not None
        if left.is_updating or right.is_updating:
            raise self._planning.refusal(item, "a join on the times of rows that may be updated later")
        lower, upper = found.interval
        if lower > upper:
            raise self._planning.error(found.on_times[-1], "no times fulfil all conditions of the join")


def _positions(source: Source, first: int = 0) -> dict[tuple[str, str], int]:
    """Return the numbers of the columns of rows, from a number on."""
    return {name: number for number, name in enumerate(source.names, first)}


def _time_of(found: JoinConditions, clause: JoinClause, later: Sequence[exp.Expr]) -> tuple[str, str] | None:
    """Return the column that is the event time of the results of an interval join, if they need one."""
    assert found.times is not None
    used = {(column.table, column.name) for node in later for column in node.find_all(exp.Column)}
    for column, is_null in zip(found.times, (clause.is_right_outer, clause.is_left_outer), strict=True):
        if (column.table, column.name) in used and not is_null:
            return column.table, column.name
    return None
