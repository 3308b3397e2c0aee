"""RankingPlanner: the first rows of queries over unbounded tables, and rows in the order of event time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.errors import UnsupportedOperationError
from pystream.table.algebra.calc import project
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.ranks import Deduplicate, Rank, RankRange, WindowRank
from pystream.table.algebra.sorts import Sort, SortField, TemporalSort, UnlimitedSort
from pystream.table.planner.ranking_patterns import Ranking, Sorting
from pystream.table.rules.final_rows import without_changes
from pystream.table.sql.naming import with_name
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo

__all__ = ["RankingPlanner"]


class RankingPlanner:
    """Makes the tables of the first rows of queries, and of sorted ones.

    Args:
        rows_of: returns the results of a query.
        refusal: returns the error that a clause is not supported.
        is_deferring: whether an order that needs a number of rows may still get one, as by the methods of a
            table; it is refused when the rows are used.
    """

    def __init__(
        self,
        rows_of: Callable[[exp.Expr], RelNode],
        refusal: Callable[[exp.Expr, str], UnsupportedOperationError],
        *,
        is_deferring: bool,
    ) -> None:
        self._rows_of = rows_of
        self._refusal = refusal
        self._is_deferring = is_deferring

    def ranked(self, ranking: Ranking) -> RelNode:
        """Return the rows of the subquery of a ranking, and their numbers if the query selects them.

        Raises:
            UnsupportedOperationError: rows are ordered by values that have no order, or by ``PROCTIME()``
                downwards, of which only the last one is supported.
        """
        query, call = ranking.unnumbered(), ranking.call
        count = len(query.expressions)
        keys = tuple(_position(query, key) for key in call.args.get("partition_by") or ())
        fields = call.args["order"].expressions
        is_by_arrival = _is_by_arrival(fields)
        order = () if is_by_arrival else tuple(self._sort_field(query, field) for field in fields)
        rows = self._extended(query, count)
        self._check_order(rows, order, call.args["order"])
        has_number, is_descending = ranking.selects_number, bool(fields[0].args.get("desc"))
        is_of_one = (ranking.first, ranking.last) == (1, 1) and not rows.is_updating
        if is_by_arrival and is_descending and not is_of_one:
            raise self._refusal(call, "ORDER BY PROCTIME() DESC of more than the last row")
        if order and _is_of_windows(rows, keys):
            result: RelNode = WindowRank(
                rows, keys, order, RankRange(ranking.first, ranking.last, has_number)
            )
        elif is_of_one and ((is_by_arrival and is_descending) or _is_by_time(rows, order)):
            result = Deduplicate(rows, keys, is_descending, is_by_arrival, has_number)
        else:
            result = Rank(rows, keys, order, RankRange(ranking.first, ranking.last, has_number))
        numbers = [*range(count), len(result.columns) - 1] if has_number else [*range(count)]
        names = [*query.named_selects[:count], ranking.name][: len(numbers)]
        return project(result, numbers, names)

    def finally_sorted(self, sorting: Sorting) -> RelNode:
        """Return the results of a query of bounded tables in an order, or the first ones, at their end."""
        query = sorting.query.copy()
        count = len(query.named_selects)
        order = tuple(self._result_field(query, field) for field in sorting.order)
        rows = self._extended(query, count)
        self._check_order(rows, order, sorting.node)
        return _named(Sort(without_changes(rows), order, sorting.first - 1, sorting.last), count, query)

    def sorted(self, sorting: Sorting) -> RelNode:
        """Return the results of a query in an order, or the first ones.

        Raises:
            UnsupportedOperationError: all rows are ordered by something else than event time.
        """
        query = sorting.query.copy()
        count = len(query.named_selects)
        order = tuple(self._result_field(query, field) for field in sorting.order)
        rows = self._extended(query, count)
        self._check_order(rows, order, sorting.node)
        if sorting.last is not None:
            result: RelNode = Rank(rows, (), order, RankRange(sorting.first, sorting.last))
        elif sorting.first > 1:
            result = self._without_limit(rows, order, self._refusal(sorting.node, "OFFSET without LIMIT"))
        elif _is_by_time(rows, order[:1]) and not order[0].is_descending and not rows.is_updating:
            result = TemporalSort(rows, order[1:])
        else:
            error = self._refusal(sorting.node, "ORDER BY without LIMIT, other than of event time,")
            result = self._without_limit(rows, order, error)
        return _named(result, count, query)

    def _without_limit(
        self, rows: RelNode, order: tuple[SortField, ...], error: UnsupportedOperationError
    ) -> RelNode:
        """Return rows in an order that cannot be used, unless they are to be refused at once."""
        if self._is_deferring:
            return UnlimitedSort(rows, order, error)
        raise error

    def _sort_field(self, query: exp.Query, field: exp.Ordered) -> SortField:
        is_of_rows = isinstance(query, exp.Select) or isinstance(field.this, exp.Column)
        if not is_of_rows:
            raise self._refusal(field.this, "ORDER BY of an expression of UNION")
        return _directed(_position(query, field.this), field)

    def _result_field(self, query: exp.Query, field: exp.Ordered) -> SortField:
        """Return a field of the order of results, in which a number is the position of a column."""
        value = field.this
        if isinstance(value, exp.Literal) and value.is_int:
            return _directed(int(value.name) - 1, field)
        return self._sort_field(query, field)

    def _extended(self, query: exp.Query, count: int) -> RelNode:
        """Return the results of a query that selects further columns after a number of its own ones."""
        if len(query.named_selects) > count and query.args.get("distinct"):
            raise self._refusal(query, "ORDER BY of what DISTINCT does not select")
        return self._rows_of(query)

    def _check_order(self, rows: RelNode, order: Sequence[SortField], node: exp.Expr) -> None:
        for field in order:
            column = rows.columns[field.position]
            if isinstance(column.type_info, (FieldsTypeInfo, ArrayTypeInfo, MapTypeInfo)):
                raise self._refusal(node, f"ORDER BY of {column.data_type}")


def _directed(position: int, field: exp.Ordered) -> SortField:
    return SortField(position, bool(field.args.get("desc")), bool(field.args.get("nulls_first")))


def _position(query: exp.Query, value: exp.Expr) -> int:
    """Return the position of a value among the columns of a query, which then selects it in any case."""
    if isinstance(value, exp.Column) and not value.table:
        return query.named_selects.index(value.name)
    assert isinstance(query, exp.Select)
    selected = [column.unalias() for column in query.expressions]
    results = dict(zip(query.named_selects, selected, strict=True))

    def of_rows(node: exp.Expr) -> exp.Expr:
        is_result = isinstance(node, exp.Column) and not node.table
        return results[node.name].copy() if is_result else node

    value = value.copy().transform(of_rows)
    if value in selected:
        return selected.index(value)
    is_free = isinstance(value, exp.Column) and value.name not in query.named_selects
    column = with_name(value, value.name if is_free else f"_order_{len(selected)}")
    column.type = value.type
    query.select(column, copy=False)
    return len(selected)


def _is_by_arrival(order: Sequence[exp.Ordered]) -> bool:
    """Return whether rows are ordered by ``PROCTIME()``, the time at which they come."""
    values = [field.this for field in order]
    return len(values) == 1 and isinstance(values[0], exp.Anonymous) and values[0].name.upper() == "PROCTIME"


def _is_by_time(rows: RelNode, order: Sequence[SortField]) -> bool:
    return len(order) == 1 and rows.time == order[0].position


def _is_of_windows(rows: RelNode, keys: Sequence[int]) -> bool:
    """Return whether both bounds of the windows of rows are among keys, so that groups end with windows."""
    windows = rows.windows
    return windows is not None and not rows.is_updating and {windows.start, windows.end} <= {*keys}


def _named(rows: RelNode, count: int, query: exp.Query) -> RelNode:
    """Return the first columns of rows, with the names of the results of a query."""
    return project(rows, range(count), query.named_selects[:count])
