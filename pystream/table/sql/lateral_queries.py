"""Rewrite LATERAL (SELECT …) as joins with queries that are not correlated."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from pystream.errors import UnsupportedOperationError
from pystream.table.sql.conditions import conjuncts
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.naming import with_name
from pystream.table.sql.syntax import error_at

__all__ = ["has_lateral_queries", "with_joined_laterals"]

_KEY, _RANK = "$key", "$rank"  # names that no column of a program has


def has_lateral_queries(tree: exp.Expr) -> bool:
    """Return whether items of FROM are queries by LATERAL."""
    return any(map(_is_query, tree.find_all(exp.Lateral)))


def with_joined_laterals(text: str, tree: exp.Query) -> exp.Query:
    """Return a query that joins each query of LATERAL by the conditions that correlate it with other items.

    The aggregates of a query are those of groups by the columns of these conditions, and its first rows those
    of each such group. So, as in Flink, an inner join has no result where the query has no row to aggregate.
    New expressions have no types.

    Args:
        text: the text of the statement, for messages.
        tree: the query, whose columns have tables.

    Raises:
        UnsupportedOperationError: a query is correlated in another way.
    """
    tree = tree.copy()
    for item in [*tree.find_all(exp.Lateral)][::-1]:  # inner ones first
        if _is_query(item):
            _Lateral(text, item).replace()
    return tree


def _is_query(item: exp.Lateral) -> bool:
    """Return whether an item is a query other than one of UNNEST, whose arguments have columns of others."""
    if not isinstance(item.this, exp.Subquery):
        return False
    source = item.this.this.args.get("from_")
    return source is None or not isinstance(source.this, FunctionTable)


class _Lateral:
    """A query by LATERAL, which a join replaces.

    Args:
        text: the text of the statement.
        item: the item of FROM.
    """

    def __init__(self, text: str, item: exp.Lateral) -> None:
        self._text = text
        self._item = item
        query, join = item.this.this, item.parent
        if not isinstance(query, exp.Select) or not query.args.get("from_"):
            raise self._refusal(item, "LATERAL with anything but a SELECT with FROM is not supported")
        if not isinstance(join, exp.Join) or join.side not in ("", "LEFT"):
            complaint = "LATERAL (SELECT …) on another side of a join than the right one is not supported"
            raise self._refusal(item, complaint)
        self._query: exp.Select = query
        self._join: exp.Join = join
        self._keys: list[exp.Expr] = []
        items = (query.args["from_"], *(query.args.get("joins") or ()))
        self._own = {clause.this.alias_or_name for clause in items}
        self._windows = [node for node in self._results() if isinstance(node, exp.Window)]
        functions = [_function_of(window) for window in self._windows]
        self._aggregates = any(
            is_aggregate(node) and not any(node is one for one in functions) for node in self._results()
        )
        self._is_limited = any(query.args.get(clause) for clause in ("limit", "offset"))

    def replace(self) -> None:
        """Replace the item, and add the conditions to its join."""
        query, join = self._query, self._join
        self._order_by_expressions()
        for column, name in zip([*query.expressions], self._item.alias_column_names, strict=False):
            column.replace(with_name(column.unalias(), name))
        conditions = self._correlations()
        for column in query.find_all(exp.Column):
            if column.table in self._outer:
                raise self._refusal(column, "LATERAL takes columns of other FROM items only in WHERE")
        is_whole = self._aggregates and not query.args.get("group")
        if is_whole and join.side and self._keys:
            self._count_nothing()
        for window in self._windows:
            partition = window.args.get("partition_by") or []
            window.set("partition_by", [*partition, *(key.copy() for key in self._keys)])
        for number, key in enumerate(self._keys):
            query.select(with_name(key, f"{_KEY}{number}"), copy=False)
        if is_whole or query.args.get("group"):
            query.group_by(*(key.copy() for key in self._keys), copy=False)
        if not self._is_limited:
            query.set("order", None)
        result = self._first_rows() if self._is_limited and self._keys else query
        alias = exp.TableAlias(this=exp.to_identifier(self._item.alias, quoted=True))
        self._item.replace(exp.Subquery(this=result, alias=alias))
        if conditions:
            on = join.args.get("on")
            join.set("on", exp.and_(*([] if on is None else [on]), *conditions))
            join.set("kind", None if join.kind == "CROSS" else join.kind)

    def _results(self) -> Iterator[exp.Expr]:
        """Yield the parts of the columns of results, without those of subqueries."""
        for column in self._query.expressions:
            yield from column.walk(prune=lambda node: isinstance(node, exp.Query))

    def _order_by_expressions(self) -> None:
        """Order by the expressions of the columns of results, not by their names."""
        selected = {column.alias_or_name: column.unalias() for column in self._query.expressions}
        order = self._query.args.get("order")
        for column in [] if order is None else [*order.find_all(exp.Column)]:
            if not column.table and column.name in selected:
                column.replace(selected[column.name].copy())

    @property
    def _outer(self) -> set[str]:
        """The names of the other items of FROM, which the query may be correlated with."""
        select = self._join.parent
        assert isinstance(select, exp.Select)
        clauses = (select.args["from_"], *select.args["joins"])
        return {clause.this.alias_or_name for clause in clauses} - self._own - {self._item.alias}

    def _correlations(self) -> list[exp.Expr]:
        """Return the conditions of WHERE that have columns of other items, without them in the query."""
        where = self._query.args.get("where")
        found, rest = list[exp.Expr](), list[exp.Expr]()
        for condition in conjuncts(where and where.this):
            is_own = {column.table for column in condition.find_all(exp.Column)}.isdisjoint(self._outer)
            (rest if is_own else found).append(condition)
            if not is_own and condition.find(exp.Query):
                complaint = "a subquery in a condition that correlates LATERAL is not supported"
                raise self._refusal(condition, complaint)
        self._query.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)
        return [self._outside(condition) for condition in found]

    def _outside(self, condition: exp.Expr) -> exp.Expr:
        """Return a condition in which columns of the item are in place of what they have of the query."""
        result = condition.copy()
        if isinstance(result, exp.EQ):
            for side in (result.left, result.right):
                tables = {column.table for column in side.find_all(exp.Column)}
                if tables and tables.isdisjoint(self._outer):
                    side.replace(self._key(side))
                    return result
        depends_on_rows = self._aggregates or self._windows or self._is_limited
        if depends_on_rows or any(map(self._query.args.get, ("group", "distinct"))):
            complaint = "LATERAL with a query of several rows that is correlated other than by = in WHERE"
            raise self._refusal(condition, f"{complaint} is not supported")
        for column in [*result.find_all(exp.Column)]:
            if column.table not in self._outer:
                column.replace(self._key(column))
        return result

    def _key(self, value: exp.Expr) -> exp.Column:
        """Return the column of the item that has the values of an expression of the query."""
        if value not in self._keys:
            self._keys.append(value.copy())
        return exp.column(f"{_KEY}{self._keys.index(value)}", table=self._item.alias, quoted=True)

    def _count_nothing(self) -> None:
        """Let counts be 0 where an outer join has nothing to count."""
        counts = {
            column.alias_or_name for column in self._query.expressions if column.find(exp.Count) is not None
        }
        if not counts:
            return
        on = self._join.args.get("on")
        are_plain = all(
            isinstance(column.unalias(), exp.Count)
            for column in self._query.expressions
            if column.alias_or_name in counts
        )
        if not are_plain or self._query.args.get("having") or not (isinstance(on, exp.Boolean) and on.this):
            complaint = "LEFT JOIN of LATERAL with COUNT in an expression, HAVING or ON a condition"
            raise self._refusal(self._item, f"{complaint} is not supported")
        select = self._join.parent
        assert isinstance(select, exp.Select)
        for column in [*select.find_all(exp.Column)]:
            if column.table == self._item.alias and column.name in counts:
                zero = exp.Literal.number(0)
                column.replace(exp.Coalesce(this=column.copy(), expressions=[zero]))

    def _first_rows(self) -> exp.Select:
        """Return the first rows of each group of equal keys."""
        query, order = self._query, self._query.args.get("order")
        limit, offset = self._query.args.get("limit"), self._query.args.get("offset")
        if order is None or self._query.args.get("distinct") or self._aggregates or query.args.get("group"):
            complaint = "LIMIT in LATERAL needs ORDER BY, without DISTINCT, GROUP BY or aggregates"
            raise self._refusal(self._item, complaint)
        skipped = 0 if offset is None else self._count(offset.expression)
        fetched = None if limit is None else self._count(_limit_of(limit))
        for clause in ("order", "limit", "offset"):
            query.set(clause, None)
        names = query.named_selects
        rank = exp.Window(
            this=exp.RowNumber(), partition_by=[key.copy() for key in self._keys], order=order.copy()
        )
        query.select(with_name(rank, _RANK), copy=False)
        rows = exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(_RANK, quoted=True)))
        result = exp.Select().from_(rows)
        for name in names:
            column = exp.column(name, table=_RANK, quoted=True)
            result.select(with_name(column, name), copy=False)
        rank_column = exp.column(_RANK, table=_RANK, quoted=True)
        if offset is not None:
            result.where(exp.GT(this=rank_column.copy(), expression=exp.Literal.number(skipped)), copy=False)
        if fetched is not None:
            last = exp.Literal.number(skipped + fetched)
            result.where(exp.LTE(this=rank_column, expression=last), copy=False)
        return result

    def _count(self, node: exp.Expr) -> int:
        """Return the number of rows of LIMIT, FETCH or OFFSET."""
        if isinstance(node, exp.Literal) and node.is_int:
            return int(node.name)
        raise self._refusal(node, "LIMIT, FETCH and OFFSET in LATERAL take literals")

    def _refusal(self, node: exp.Expr, complaint: str) -> UnsupportedOperationError:
        return UnsupportedOperationError(str(error_at(self._text, node, complaint)))


def _function_of(window: exp.Window) -> exp.Expr:
    """Return the function that is called OVER a window."""
    function: exp.Expr = window.this
    while isinstance(function, exp.Filter | exp.IgnoreNulls | exp.RespectNulls):
        function = function.this
    return function


def _limit_of(limit: exp.Expr) -> exp.Expr:
    """Return the number of rows of LIMIT or FETCH, which is one unless it is written."""
    number = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.expression
    return exp.Literal.number(1) if number is None else number
