"""Where the conditions of a query with joins are evaluated: before a join, in one, or after all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from pystream.table.sql.conditions import conjuncts

__all__ = ["JoinClause", "PlacedConditions", "placed_conditions", "tables_in"]

_STRICT = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Paren, exp.Column, exp.Literal)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Like)


@dataclass(slots=True)
class JoinClause:
    """A join of the items of FROM before it with the next one.

    Attributes:
        is_left_outer: whether rows of the items before without a partner are results.
        is_right_outer: whether rows of the item without a partner are.
        conditions: the conditions of ON.
        version: the time whose version of rows of the item is joined; ``None`` if all rows are.
    """

    is_left_outer: bool = False
    is_right_outer: bool = False
    conditions: list[exp.Expr] = field(default_factory=list)
    version: exp.Expr | None = None

    @property
    def is_outer(self) -> bool:
        """Whether rows without a partner are results."""
        return self.is_left_outer or self.is_right_outer


@dataclass(slots=True)
class PlacedConditions:
    """The conditions of a query, each where it is evaluated.

    Attributes:
        before: for each item of FROM, the conditions on its rows before they are joined.
        joins: the joins, each with the conditions on pairs of rows; outer joins whose rows with nulls the
            query drops are inner ones.
        after: the conditions on the rows of all joins.
    """

    before: list[list[exp.Expr]]
    joins: list[JoinClause]
    after: list[exp.Expr] = field(default_factory=list)


def placed_conditions(
    aliases: Sequence[str], joins: Sequence[JoinClause], where: Sequence[exp.Expr]
) -> PlacedConditions:
    """Return where the conditions of a query are evaluated, as early as its results stay the same.

    Args:
        aliases: the names of the items of FROM.
        joins: the joins, one less than there are items.
        where: the conditions of WHERE.
    """
    simplified = [_simplified(aliases, number + 1, join, where) for number, join in enumerate(joins)]
    result = PlacedConditions([[] for _ in aliases], simplified)
    for item, join in enumerate(joins, 1):
        for condition in join.conditions:
            _place_in_join(result, aliases, item, condition)
    for condition in where:
        if not _place_early(result, aliases, len(joins), condition):
            result.after.append(condition)
    return result


def tables_in(node: exp.Expr) -> set[str]:
    """Return the names of the items of FROM whose columns an expression has."""
    return {column.table for column in node.find_all(exp.Column)}


def _place_in_join(result: PlacedConditions, aliases: Sequence[str], item: int, condition: exp.Expr) -> None:
    """Place a condition of ON."""
    join, items = result.joins[item - 1], _items(aliases, condition)
    if join.version is not None and item in items:
        is_placed = False
    elif not join.is_outer:
        is_placed = _place_early(result, aliases, item, condition)
    elif items == [item] and not join.is_right_outer:
        result.before[item].append(condition)
        is_placed = True
    else:
        is_placed = False
    if not is_placed:
        join.conditions.append(condition)


def _place_early(result: PlacedConditions, aliases: Sequence[str], last: int, condition: exp.Expr) -> bool:
    """Place a condition on the rows after a join before or into an earlier one; return whether it could be.

    Args:
        result: the places.
        aliases: the names of the items.
        last: the number of the join.
        condition: the condition.
    """
    items = _items(aliases, condition)
    if not items:
        return False
    first = items[-1]  # the first join that has all of the columns
    if any(_adds_nulls(result.joins[n - 1], n, items) for n in range(first + 1, last + 1)):
        return False
    if first and result.joins[first - 1].version is not None:
        return False  # a version for which the condition is false hides those before it
    if len(items) == 1 and not (first and _adds_nulls(result.joins[first - 1], first, items)):
        result.before[first].append(condition)
        return True
    if first == 0 or result.joins[first - 1].is_outer:
        return False
    result.joins[first - 1].conditions.append(condition)
    return True


def _items(aliases: Sequence[str], condition: exp.Expr) -> list[int]:
    return sorted(aliases.index(table) for table in tables_in(condition))


def _adds_nulls(join: JoinClause, item: int, items: Sequence[int]) -> bool:
    """Return whether a join with an item makes columns of some items null."""
    return (join.is_left_outer and item in items) or (join.is_right_outer and any(n < item for n in items))


def _simplified(aliases: Sequence[str], item: int, join: JoinClause, where: Sequence[exp.Expr]) -> JoinClause:
    """Return a join, without conditions, that has no rows with nulls that WHERE drops."""
    dropped = {table for condition in where for table in _never_null(condition)}
    return JoinClause(
        join.is_left_outer and aliases[item] not in dropped,
        join.is_right_outer and not dropped & set(aliases[:item]),
        version=join.version,
    )


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
    return tables_in(node) if is_strict else set()
