"""Push conditions down: test each in a subquery, before a join or in one, if the results stay the same."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from pystream.table.rules.inner_conditions import conditions_within
from pystream.table.sql.conditions import conditions_of, conjunction, conjuncts
from pystream.table.sql.from_items import items_of, own_columns
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.joins import JoinClause, join_clause
from pystream.table.sql.naming import with_name
from pystream.table.sql.state_ttl_hints import copy_state_ttl

__all__ = ["with_pushed_conditions"]

_STRICT = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Paren, exp.Column, exp.Literal)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Like)


def with_pushed_conditions(query: exp.Query) -> exp.Query:
    """Return a query whose conditions are tested as early as its results stay the same.

    Conditions on the rows of a subquery become its own, below its joins, groups and UNION ALL. Those on the
    rows of one of several items of FROM are tested before the join, others of pairs by ON. Outer joins whose
    rows with nulls WHERE drops are inner ones.

    Args:
        query: the query, whose columns have tables.
    """
    query = query.copy()
    for select in [*query.find_all(exp.Select)]:  # outer ones first
        clauses = [join_clause(join) for join in select.args.get("joins") or ()]
        known = [clause for clause in clauses if clause is not None]
        if select.args.get("from_") and len(known) == len(clauses):
            _PushedConditions(select, known).push()
    return query


class _PushedConditions:
    """Pushes the conditions of a query down.

    Args:
        select: the query, which is changed.
        joins: its joins.
    """

    def __init__(self, select: exp.Select, joins: Sequence[JoinClause]) -> None:
        self._select = select
        self._nodes: Sequence[exp.Join] = select.args.get("joins") or ()
        self._items = [*items_of(select)]
        self._aliases = [item.alias_or_name for item in self._items]
        where = conditions_of(select)
        self._given = joins
        self._joins = [self._simplified(number, join, where) for number, join in enumerate(joins, 1)]
        self._before: list[list[exp.Expr]] = [[] for _ in self._items]
        self._where = where

    def push(self) -> None:
        """Push the conditions down."""
        for number, join in enumerate(self._given, 1):
            for condition in join.conditions:
                self._place_in_join(number, condition)
        after = [one for one in self._where if not self._place_early(len(self._joins), one)]
        self._select.set("where", exp.Where(this=conjunction(after)) if after else None)
        for node, clause in zip(self._nodes, self._joins, strict=True):
            clause.write(node)
        for item, conditions in zip(self._items, self._before, strict=True):
            if conditions:
                self._filter(item, conditions)

    def _filter(self, item: exp.Expr, conditions: Sequence[exp.Expr]) -> None:
        """Let an item of FROM have those rows only for which conditions are true."""
        alias = item.alias_or_name
        columns = [column for column in own_columns(self._select) if column.table == alias]
        columns = columns or [*conditions[0].find_all(exp.Column)]
        filtered = exp.Subquery(alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))
        copy_state_ttl(item, filtered)
        item.replace(filtered)
        # the item itself, not a copy, whose own SELECTs are still to be changed
        query = exp.Select().from_(item, copy=False).where(conjunction(conditions), copy=False)
        for column in {column.name: column for column in columns}.values():
            query = query.select(with_name(column, column.name), copy=False)
        filtered.set("this", query)

    def _place_in_join(self, item: int, condition: exp.Expr) -> None:
        """Place a condition of ON."""
        join, items = self._joins[item - 1], self._numbers(condition)
        if join.version is not None and item in items:
            is_placed = False
        elif not join.is_outer:
            is_placed = self._place_early(item, condition)
        elif items == [item] and not join.is_right_outer:
            is_placed = self._place_before(item, condition)
        else:
            is_placed = False
        if not is_placed:
            join.conditions.append(condition)

    def _place_early(self, last: int, condition: exp.Expr) -> bool:
        """Place a condition on the rows after a join before it or in an earlier one, if the results allow.

        Args:
            last: the number of the join.
            condition: the condition.

        Returns:
            Whether it is placed.
        """
        items = self._numbers(condition)
        if not items:
            return False
        first = items[-1]  # the first join that has all of the columns
        if any(_adds_nulls(self._joins[n - 1], n, items) for n in range(first + 1, last + 1)):
            return False
        if first and self._joins[first - 1].version is not None:
            return False  # a version for which the condition is false hides those before it
        if len(items) == 1 and not (first and _adds_nulls(self._joins[first - 1], first, items)):
            return self._place_before(first, condition)
        if first == 0 or self._joins[first - 1].is_outer:
            return False
        self._joins[first - 1].conditions.append(condition)
        return True

    def _place_before(self, item: int, condition: exp.Expr) -> bool:
        """Place a condition on the rows of an item; the join with a function tests those on its rows.

        Returns:
            Whether it is placed; if there is no join, it may stay where it is.
        """
        node = self._items[item]
        if item and isinstance(node, FunctionTable):
            self._joins[item - 1].conditions.append(condition)
        elif (pushed := conditions_within(node, condition)) is not None:
            for select, own in pushed:
                select.where(own, copy=False)
        elif self._nodes:
            self._before[item].append(condition)
        else:
            return False
        return True

    def _numbers(self, condition: exp.Expr) -> list[int]:
        """Return the items whose columns a condition has; none if it has those of other queries, too."""
        tables = _tables(condition)
        if condition.find(exp.Query) or not tables <= {*self._aliases}:
            return []
        return sorted(map(self._aliases.index, tables))

    def _simplified(self, item: int, join: JoinClause, where: Sequence[exp.Expr]) -> JoinClause:
        """Return a join, without conditions, that has no rows with nulls that WHERE drops."""
        dropped = {table for condition in where for table in _never_null(condition)}
        return JoinClause(
            join.is_left_outer and self._aliases[item] not in dropped,
            join.is_right_outer and not dropped & set(self._aliases[:item]),
            version=join.version,
        )


def _adds_nulls(join: JoinClause, item: int, items: Sequence[int]) -> bool:
    """Return whether a join with an item makes columns of some items null."""
    return (join.is_left_outer and item in items) or (join.is_right_outer and any(n < item for n in items))


def _tables(node: exp.Expr) -> set[str]:
    """Return the names of the items of FROM whose columns an expression has."""
    return {column.table for column in node.find_all(exp.Column)}


def _never_null(condition: exp.Expr) -> set[str]:
    """Return the items of FROM that have a row, not nulls only, where a condition is true."""
    match condition:
        case exp.Or():
            return _never_null(condition.left) & _never_null(condition.right)
        case exp.And() | exp.Paren():
            return {table for part in conjuncts(condition) for table in _never_null(part)}
        case exp.Not(this=exp.Is() as test) if isinstance(test.expression, exp.Null):
            return _tables_of_strict(test.this)
        case _ if isinstance(condition, _COMPARISONS) and not condition.args.get("symmetric"):
            return {table for operand in condition.iter_expressions() for table in _tables_of_strict(operand)}
    return set()


def _tables_of_strict(node: exp.Expr) -> set[str]:
    """Return the items whose nulls make an expression null."""
    is_strict = all(isinstance(part, (*_STRICT, exp.Identifier)) for part in node.walk())
    return _tables(node) if is_strict else set()
