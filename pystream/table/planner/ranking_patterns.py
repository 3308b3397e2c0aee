"""Patterns of queries for the first rows: ``ROW_NUMBER() <= n``, and ``ORDER BY`` with ``LIMIT``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from pystream.table.sql.conditions import conjuncts

__all__ = ["Ranking", "Sorting", "ranking_of", "sorting_of"]

Refusal = Callable[[exp.Expr, str], Exception]

_MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.EQ,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}


@dataclass(frozen=True, slots=True)
class Ranking:
    """A query of the rows with certain numbers: those that a subquery gives them in an order.

    Attributes:
        query: the query.
        item: the subquery in FROM.
        name: the name of the column of the number.
        call: the call of ROW_NUMBER.
        first: the least number.
        last: the greatest.
        conditions: the other conditions of the query.
    """

    query: exp.Select
    item: exp.Subquery
    name: str
    call: exp.Window
    first: int
    last: int
    conditions: Sequence[exp.Expr]

    def unnumbered(self) -> exp.Select:
        """Return the query of the subquery, without the number."""
        query: exp.Select = self.item.this.copy()
        selected = [column for column in query.expressions if column.alias_or_name != self.name]
        query.set("expressions", selected)
        return query

    def of_table(self, name: str) -> exp.Select:
        """Return the query of a table of the rows with these numbers, instead of the subquery."""
        query = self.query.copy()
        alias = exp.TableAlias(this=exp.to_identifier(self.item.alias_or_name, quoted=True))
        query.set("from_", exp.From(this=exp.Table(this=exp.to_identifier(name, quoted=True), alias=alias)))
        query.set("where", None)
        return query.where(*self.conditions) if self.conditions else query

    @property
    def selects_number(self) -> bool:
        """Whether the query selects the number, or computes with it."""
        return self.name in {column.name for column in self.of_table("").find_all(exp.Column)}


@dataclass(frozen=True, slots=True)
class Sorting:
    """The order of the results of a query, and which of them there are.

    Attributes:
        query: the query without its order.
        order: what the results are ordered by.
        first: the number of the first result, from 1 on.
        last: that of the last one; ``None`` for all.
        node: the place of the order, or of the query if there is none.
    """

    query: exp.Query
    order: Sequence[exp.Ordered]
    first: int
    last: int | None
    node: exp.Expr


def ranking_of(query: exp.Select, refusal: Refusal, *, is_bounded: bool = False) -> Ranking | None:
    """Return the pattern of a query that selects rows by their ``ROW_NUMBER()``, ``None`` if it does not.

    Args:
        query: the query.
        refusal: returns the error that a clause is not supported.
        is_bounded: whether all rows are known, so that the functions of other ranks are like others.
    """
    where = query.args.get("where")
    item = query.args["from_"].this if query.args.get("from_") else None
    if where is None or query.args.get("joins") or not isinstance(item, exp.Subquery):
        return None
    inner = item.this
    if not isinstance(inner, exp.Select) or inner.args.get("distinct") or item.alias_column_names:
        return None
    numbered = [column for column in inner.expressions if column.find(exp.Window)]
    call = numbered[0].unalias() if len(numbered) == 1 else None
    if not isinstance(call, exp.Window) or not isinstance(
        call.this, exp.RowNumber | exp.Rank | exp.DenseRank
    ):
        return None
    name = numbered[0].alias
    if is_bounded and not (isinstance(call.this, exp.RowNumber) and call.args.get("order")):
        return None
    bounds, others = _bounds(where.this, name)
    if bounds.last is None:
        return None
    if not isinstance(call.this, exp.RowNumber):
        raise refusal(call, f"{type(call.this).sql_name()}, other than ROW_NUMBER,")
    if not call.args.get("order"):
        raise refusal(call, "ROW_NUMBER without ORDER BY")
    if bounds.last < bounds.first:
        raise refusal(where.this, "a condition that no ROW_NUMBER fulfils")
    return Ranking(query, item, name, call, bounds.first, bounds.last, others)


@dataclass(slots=True)
class _Bounds:
    first: int = 1
    last: int | None = None

    def add(self, comparison: type[exp.Expr], number: int) -> None:
        if comparison in (exp.EQ, exp.GTE, exp.GT):
            self.first = max(self.first, number + (comparison is exp.GT))
        if comparison in (exp.EQ, exp.LTE, exp.LT):
            last = number - (comparison is exp.LT)
            self.last = last if self.last is None else min(self.last, last)


def _bounds(condition: exp.Expr, name: str) -> tuple[_Bounds, list[exp.Expr]]:
    """Return the bounds of the numbers that a condition sets, and its other parts."""
    bounds, others = _Bounds(), []
    for part in conjuncts(condition):
        comparisons = list(_comparisons(part, name))
        for comparison, number in comparisons:
            bounds.add(comparison, number)
        if not comparisons:
            others.append(part)
    return bounds, others


def _comparisons(condition: exp.Expr, name: str) -> Iterator[tuple[type[exp.Expr], int]]:
    """Yield the comparisons of a column with numbers that a condition consists of; none for any other."""
    match condition:
        case exp.Between(this=exp.Column(name=column)) if column == name and not condition.args.get(
            "symmetric"
        ):
            low, high = _number(condition.args["low"]), _number(condition.args["high"])
            if low is not None and high is not None:
                yield from ((exp.GTE, low), (exp.LTE, high))
        case exp.EQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            left, right = condition.left.unnest(), condition.right.unnest()
            kind: type[exp.Expr] = type(condition)
            if not isinstance(left, exp.Column):
                left, right, kind = right, left, _MIRRORED[kind]
            number = _number(right)
            if isinstance(left, exp.Column) and left.name == name and number is not None:
                yield kind, number


def _number(node: exp.Expr) -> int | None:
    node = node.unnest()
    return int(node.name) if isinstance(node, exp.Literal) and node.is_int else None


def sorting_of(query: exp.Query, refusal: Refusal) -> Sorting | None:
    """Return the order and the number of the results of a query, ``None`` if they have neither.

    Args:
        query: the query.
        refusal: returns the error that a clause is not supported.
    """
    order, limit, offset = (query.args.get(clause) for clause in ("order", "limit", "offset"))
    if not (order or limit or offset):
        return None
    unsorted = query.copy()
    for clause in ("order", "limit", "offset"):
        unsorted.set(clause, None)
    before = _count(offset.expression, query, "OFFSET", refusal) if offset else 0
    last = None if limit is None else before + _fetched(limit, query, refusal)
    return Sorting(unsorted, order.expressions if order else [], before + 1, last, order or query)


def _fetched(limit: exp.Expr, query: exp.Query, refusal: Refusal) -> int:
    if not isinstance(limit, exp.Fetch):
        return _count(limit.expression, query, "LIMIT", refusal)
    count = limit.args.get("count")
    return 1 if count is None else _count(count, query, "FETCH", refusal)


def _count(node: exp.Expr, query: exp.Query, clause: str, refusal: Refusal) -> int:
    number = _number(node)
    if number is None:
        raise refusal(query, f"{clause} of an expression")
    return number
