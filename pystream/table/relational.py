"""The relational methods of tables: selections, aggregations, joins and operations of sets."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from pystream.arguments.checks import require, require_int
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError
from pystream.table.columns import TableColumn, require_distinct_names
from pystream.table.expression.base import Subquery, trees
from pystream.table.expression.expression import Expression
from pystream.table.fields import (
    one_expression,
    plain_columns,
    require_same_types,
    several_expressions,
)
from pystream.table.grouped_table import GroupedTable
from pystream.table.over_windows import OverWindow
from pystream.table.window import GroupWindow
from pystream.table.windowed_tables import GroupWindowedTable, OverWindowedTable
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.aggregated_tables import AggregatedTable, FlatAggregateTable
    from pystream.table.aggregations import AggregateCall
    from pystream.table.sql.relations import Relation
    from pystream.table.table import Table
    from pystream.table.table_environment import TableEnvironment

__all__ = ["Relational"]

Constant: TypeAlias = bool | int | float | bytes | Decimal | datetime.date
"""A value that stands for its literal. Text is none, as it may be meant as the name of a column."""


@checks_arguments(ArgumentTypeError)
class Relational(Subquery):
    """The relational methods of a table; Spark computes the results when the program is executed.

    Methods on the results of others become one query. The types of the results are known at once, for which
    Spark is started; only choosing and renaming columns is no query, and works on all hosts. Methods that
    combine several rows refuse unbounded tables. Conditions hold for a row if they are true, neither false
    nor null. A wrong column is a PlanError.
    """

    _environment: TableEnvironment
    _columns: tuple[TableColumn, ...]
    _proctimes: frozenset[int]

    @abstractmethod
    def _as_relation(self) -> Relation:
        """Return the query that the table is the results of, or that of all its rows."""

    @abstractmethod
    def _with_columns(self, columns: Sequence[TableColumn], names: Sequence[str]) -> Table:
        """Return the table with some of its columns, of these names, under the names that they have now."""

    def select(self, *fields: Expression[Any] | Constant) -> Table:
        """Return the values of expressions of each row, or aggregations of all rows.

        An expression without a name gets ``_c`` and its number, an aggregation ``EXPR$`` and that among them.

        Args:
            fields: the expressions; ``col("*")`` is all columns. A value that is no text stands for its
                literal, as functions of the program return when they are called with values.

        Raises:
            PlanError: a column does not exist, or two results have the same name.
            SqlError: the types do not suit an operator or function.

        Mirrors ``Table.select``.
        """
        given = [Expression._operand(field) for field in fields]
        found = several_expressions(self, given, "select")
        chosen = plain_columns(self._columns, found)
        if chosen is None:
            return self._result("select", self._as_relation().selected("select", found))
        columns, names = chosen
        require_distinct_names([column.name for column in columns], "select")
        return self._with_columns(columns, names)

    def filter(self, predicate: Expression[bool]) -> Self:
        """Return the rows for which a condition is true.

        Mirrors ``Table.filter``.
        """
        return self._filtered("filter", predicate)

    def where(self, predicate: Expression[bool]) -> Self:
        """Return the rows for which a condition is true, as ``filter`` does.

        Mirrors ``Table.where``.
        """
        return self._filtered("where", predicate)

    def _filtered(self, call: str, predicate: Expression[bool]) -> Self:
        predicate = one_expression(self, predicate, call)
        return self._same(call, self._as_relation().filtered(call, predicate))

    def group_by(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by the values of expressions; nulls are one group.

        Args:
            fields: the expressions; one with a name is a column of that name in the ``select`` that follows.

        Mirrors ``Table.groupBy``.
        """
        return GroupedTable(self, several_expressions(self, fields, "group_by"))

    def window(self, window: GroupWindow) -> GroupWindowedTable:
        """Return the rows in windows of event time, to be grouped by ``group_by``.

        Each group of a window becomes a row when the watermark has passed the end of the window; rows that
        come later are dropped. Each window is one of the window functions of SQL.

        Args:
            window: such as ``Tumble.over(lit(10).minutes).on(col("ts")).alias("w")``.

        Mirrors ``Table.window``.
        """
        return GroupWindowedTable(self, window)

    def aggregate(self, func: AggregateCall) -> AggregatedTable:
        """Return the result of an aggregate function for all rows, a column a field of it.

        Args:
            func: as that of ``GroupedTable.aggregate``.

        Mirrors ``Table.aggregate``.
        """
        return GroupedTable(self, ()).aggregate(func)

    def flat_aggregate(self, func: AggregateCall) -> FlatAggregateTable:
        """Return the rows that a table aggregate function emits for all rows.

        Args:
            func: as that of ``GroupedTable.flat_aggregate``.

        Mirrors ``Table.flatAggregate``.
        """
        return GroupedTable(self, ()).flat_aggregate(func)

    def over_window(self, *over_windows: OverWindow) -> OverWindowedTable:
        """Return the rows with windows of the rows around each one, for aggregations ``over`` them.

        Windows of an unbounded table are ordered by its event time and end with the current row; the results
        come when the watermark passes a row.

        Args:
            over_windows: such as ``Over.partition_by(col("k")).order_by(col("ts")).alias("w")``.

        Raises:
            ConfigurationError: there is none.

        Mirrors ``Table.window``.
        """
        if not over_windows:
            raise ConfigurationError("over_window takes windows such as Over.order_by(col('ts')).alias('w')")
        return OverWindowedTable(self, over_windows)

    def distinct(self) -> Self:
        """Return rows without those that equal others; nulls are equal.

        Mirrors ``Table.distinct``.
        """
        return self._same("distinct", self._as_relation().distinct())

    def join(self, right: Table, join_predicate: Expression[bool] | None = None) -> Table:
        """Return the pairs of rows of two tables for which a condition is true.

        Args:
            right: the other table, without columns of the names of those of this one.
            join_predicate: the condition; all pairs unless given.

        Raises:
            PlanError: both tables have a column of the same name.

        Mirrors ``Table.join``.
        """
        return self._joined("join", right, "INNER", join_predicate)

    def left_outer_join(self, right: Table, join_predicate: Expression[bool] | None = None) -> Table:
        """Return pairs as ``join`` does, and with nulls rows of this table that are in none.

        Mirrors ``Table.leftOuterJoin``.
        """
        return self._joined("left_outer_join", right, "LEFT", join_predicate)

    def right_outer_join(self, right: Table, join_predicate: Expression[bool]) -> Table:
        """Return pairs as ``join`` does, and with nulls rows of the other table that are in none.

        Mirrors ``Table.rightOuterJoin``.
        """
        return self._joined("right_outer_join", right, "RIGHT", join_predicate)

    def full_outer_join(self, right: Table, join_predicate: Expression[bool]) -> Table:
        """Return pairs as ``join`` does, and with nulls rows of both tables that are in none.

        Mirrors ``Table.fullOuterJoin``.
        """
        return self._joined("full_outer_join", right, "FULL", join_predicate)

    def _joined(self, call: str, right: Table, side: str, predicate: Expression[bool] | None) -> Table:
        self._require_table(right, call)
        if predicate is not None:
            others = {column.name: column.data_type for column in right._columns}
            predicate = one_expression(self, predicate, call, others)
        return self._result(call, self._as_relation().joined(call, right._as_relation(), side, predicate))

    def union(self, right: Table) -> Self:
        """Return the rows of two tables, each once; columns correspond by position.

        Raises:
            PlanTypeError: the columns have other types.

        Mirrors ``Table.union``.
        """
        return self._combined("union", right, "UNION", is_distinct=True)

    def union_all(self, right: Table) -> Self:
        """Return the rows of two tables; columns correspond by position.

        Raises:
            PlanTypeError: the columns have other types.

        Mirrors ``Table.unionAll``.
        """
        return self._combined("union_all", right, "UNION", is_distinct=False)

    def intersect(self, right: Table) -> Self:
        """Return the rows that are in both tables, each once.

        Mirrors ``Table.intersect``.
        """
        return self._combined("intersect", right, "INTERSECT", is_distinct=True)

    def intersect_all(self, right: Table) -> Self:
        """Return the rows that are in both tables, each as often as in the one that has fewer of it.

        Mirrors ``Table.intersectAll``.
        """
        return self._combined("intersect_all", right, "INTERSECT", is_distinct=False)

    def minus(self, right: Table) -> Self:
        """Return the rows that are not in the other table, each once.

        Mirrors ``Table.minus``.
        """
        return self._combined("minus", right, "EXCEPT", is_distinct=True)

    def minus_all(self, right: Table) -> Self:
        """Return the rows, each as often as this table has more of it than the other one.

        Mirrors ``Table.minusAll``.
        """
        return self._combined("minus_all", right, "EXCEPT", is_distinct=False)

    def _combined(self, call: str, right: Table, operation: str, *, is_distinct: bool) -> Self:
        self._require_table(right, call)
        require_same_types(self._columns, right._columns, call)
        relation = self._as_relation().combined(right._as_relation(), operation, is_distinct=is_distinct)
        return self._same(call, relation)

    def order_by(self, *fields: Expression[Any]) -> Self:
        """Return the rows in an order, which one subtask passes on; nulls are the lowest values.

        Args:
            fields: the expressions, each as ``asc``, which is the default, or ``desc``.

        Mirrors ``Table.orderBy``.
        """
        fields = several_expressions(self, fields, "order_by")
        return self._same("order_by", self._as_relation().ordered(fields))

    def offset(self, offset: int) -> Self:
        """Return the rows without a number of first ones, which ``order_by`` before defines.

        Mirrors ``Table.offset``.
        """
        require_int(offset, "offset", 0)
        return self._same("offset", self._as_relation().part(offset=offset))

    def fetch(self, fetch: int) -> Self:
        """Return a number of first rows, which ``order_by`` before defines.

        Mirrors ``Table.fetch``.
        """
        require_int(fetch, "fetch", 0)
        return self._same("fetch", self._as_relation().part(fetch=fetch))

    def limit(self, fetch: int, offset: int = 0) -> Self:
        """Return a number of rows after a number of first ones, which ``order_by`` before defines.

        Mirrors ``Table.limit``.
        """
        require_int(fetch, "fetch", 0)
        require_int(offset, "offset", 0)
        return self._same("limit", self._as_relation().part(offset=offset, fetch=fetch))

    def add_columns(self, *fields: Expression[Any]) -> Table:
        """Return the table with further columns.

        Raises:
            PlanError: there is a column of that name.

        Mirrors ``Table.addColumns``.
        """
        fields = several_expressions(self, fields, "add_columns")
        return self._result("add_columns", self._as_relation().extended("add_columns", fields))

    def add_or_replace_columns(self, *fields: Expression[Any]) -> Table:
        """Return the table with further columns; those of the name of another take its place.

        Mirrors ``Table.addOrReplaceColumns``.
        """
        call = "add_or_replace_columns"
        fields = several_expressions(self, fields, call)
        return self._result(call, self._as_relation().extended(call, fields, replaces=True))

    def rename_columns(self, *fields: Expression[Any]) -> Table:
        """Return the table with other names for columns.

        Args:
            fields: columns with their new names, such as ``col("a").alias("b")``.

        Raises:
            PlanError: there is no such column, or two columns would have the same name.

        Mirrors ``Table.renameColumns``.
        """
        renamed = dict(self._named_columns(fields, "rename_columns"))
        columns = [replace(column, name=renamed.get(column.name, column.name)) for column in self._columns]
        require_distinct_names([column.name for column in columns], "rename_columns")
        return self._with_columns(columns, [column.name for column in self._columns])

    def drop_columns(self, *fields: Expression[Any]) -> Table:
        """Return the table without some columns.

        Raises:
            PlanError: there is no such column, or none would be left.

        Mirrors ``Table.dropColumns``.
        """
        dropped = dict(self._named_columns(fields, "drop_columns"))
        columns = [column for column in self._columns if column.name not in dropped]
        if not columns:
            raise PlanError("drop_columns: no column would be left")
        return self._with_columns(columns, [column.name for column in columns])

    def _named_columns(self, fields: Sequence[Expression[Any]], call: str) -> list[tuple[str, str]]:
        """Return the names of columns and those that they get."""
        fields = several_expressions(self, fields, call)
        names = []
        own = [column.name for column in self._columns]
        for field in fields:
            pair = trees().renamed_field(field._tree)
            if pair is None:
                raise PlanError(f"{call} takes columns such as col('a'), not {field}")
            if pair[0] not in own:
                raise PlanError(f"{call}: there is no column {pair[0]!r} among {', '.join(own)}")
            names.append(pair)
        return names

    def _require_table(self, table: object, call: str) -> None:
        require(table, Relational, call, "a Table")
        assert isinstance(table, Relational)
        if table._environment is not self._environment:
            raise PlanError(f"{call}: the tables belong to different environments")

    def _result(self, call: str, relation: Relation) -> Table:
        return self._environment._relation_table(call, relation)

    def _same(self, call: str, relation: Relation) -> Self:
        """Return rows of the same columns."""
        rows: Any = self._result(call, relation)
        return rows  # type: ignore[no-any-return]
