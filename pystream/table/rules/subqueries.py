"""Rewrite the subqueries of conditions and expressions as joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from sqlglot import exp

from pystream.table.sql.conditions import conjuncts
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.naming import with_name
from pystream.table.sql.written_rows import values_of_row

__all__ = ["has_subqueries", "with_joined_subqueries"]

Refusal = Callable[[exp.Expr, str], Exception]

_HOLDERS = (exp.From, exp.Join, exp.In, exp.Exists, exp.SetOperation, exp.Subquery)
"""The nodes whose subqueries are tables, or parts of other subqueries."""

_VALUE, _MARK, _ONLY = "value", "mark", "SINGLE_VALUE"
_NOT_EQUAL = "a correlated subquery with a condition other than ="
_OUTER = "a column of the query around a subquery"
_OF_SEVERAL = "IN of several values with a subquery"
_AGGREGATES = "IN with a correlated subquery that aggregates"
_OF_SEVERAL_ROWS = ("group", "having", "distinct", "limit", "offset", "order")


def has_subqueries(tree: exp.Expr) -> bool:
    """Return whether conditions or expressions of a query have subqueries."""
    return any(map(_is_subquery, tree.walk()))


def with_joined_subqueries(query: exp.Query, refusal: Refusal) -> exp.Query:
    """Return a query with joins instead of the subqueries in its conditions and expressions.

    Semi joins of ``IN`` and ``EXISTS`` are inner joins with distinct rows, anti joins of ``NOT EXISTS`` and
    ``NOT IN`` outer joins whose rows have no partner. A scalar subquery is an outer join with its aggregates.
    New expressions have no types.

    Args:
        query: the query, whose columns have tables.
        refusal: returns the error that a clause is not supported.
    """
    query = query.copy()
    for equality in [*query.find_all(exp.EQ)]:
        if _is_subquery(equality):  # = ANY and = SOME are IN
            members = equality.expression.this.unnest()
            equality.replace(exp.In(this=equality.this, query=exp.Subquery(this=members)))
    numbers = count()
    for select in [*query.find_all(exp.Select)][::-1]:  # inner ones first
        _Joins(select, refusal, numbers).replace()
    for node in filter(_is_subquery, query.walk()):
        raise refusal(node, "a subquery outside of WHERE and SELECT")
    return query


def _is_subquery(node: exp.Expr) -> bool:
    match node:
        case exp.EQ(expression=exp.Any(this=exp.Query())):
            return True
        case exp.In():
            return node.args.get("query") is not None
        case exp.Exists():
            return isinstance(node.this, exp.Query)
        case exp.Subquery(parent=exp.Expr() as parent):
            return not isinstance(parent, _HOLDERS)
    return False


class _Correlated(NamedTuple):
    """A subquery without the conditions that correlate it with the query around it.

    Attributes:
        query: the subquery.
        keys: its expressions that are equal to those of the query around it.
        outer: the expressions of the query around it.
    """

    query: exp.Select
    keys: Sequence[exp.Expr]
    outer: Sequence[exp.Expr]


class _Joins:
    """Replaces the subqueries of one SELECT by joins.

    Args:
        select: the SELECT, which is changed.
        refusal: returns the error that a clause is not supported.
        numbers: the numbers of joined tables.
    """

    def __init__(self, select: exp.Select, refusal: Refusal, numbers: Iterator[int]) -> None:
        self._select = select
        self._refusal = refusal
        self._numbers = numbers
        self._is_in_where = False

    def replace(self) -> None:
        """Replace the subqueries."""
        where = self._select.args.get("where")
        conditions: list[exp.Expr] = []
        self._is_in_where = True
        for condition in list(conjuncts(where and where.this)):
            conditions.extend(self._replaced(condition))
        if where is not None:
            self._select.set("where", None)
            self._select.where(*conditions, copy=False)
        self._is_in_where = False
        for selected in self._select.expressions:
            self._replace_values(selected)

    def _replaced(self, condition: exp.Expr) -> Iterator[exp.Expr]:
        """Yield the conditions that remain of one."""
        inner = _without_parentheses(condition.this) if isinstance(condition, exp.Not) else condition
        if not isinstance(inner, exp.In | exp.Exists) or not _is_subquery(inner):
            holder = exp.Paren(this=condition)
            self._replace_values(holder)
            yield holder.this
        elif isinstance(condition, exp.Not):
            yield self._none(inner)
        elif isinstance(inner, exp.In):
            self._join(_distinct(self._members(inner)), "")
        else:
            self._join(_distinct(self._partners(inner)), "")

    def _replace_values(self, holder: exp.Expr) -> None:
        """Replace the subqueries in an expression."""
        for node in [*holder.walk(prune=lambda part: _is_subquery(part))]:
            if not _is_subquery(node):
                continue
            if isinstance(node, exp.Subquery):
                node.replace(self._value(node))
                continue
            assert isinstance(node, exp.In | exp.Exists)
            self._refuse_beside_aggregates(node, "IN or EXISTS with a subquery")
            if isinstance(node, exp.In) and not (self._is_in_where and _is_alternative(node)):
                node.replace(self._membership(node))
            else:
                table = self._members(node) if isinstance(node, exp.In) else self._partners(node)
                node.replace(_is_null(self._join(_marked(table), "LEFT"), _MARK).not_())

    def _refuse_beside_aggregates(self, node: exp.Expr, what: str) -> None:
        """Refuse a subquery whose value groups of rows do not have."""
        argument: exp.Expr | None = node
        while argument is not None and argument is not self._select and not _is_call(argument):
            argument = argument.parent
        is_of_rows = self._is_in_where or (argument is not None and _is_call(argument))
        if _aggregates(self._select) and not is_of_rows:
            raise self._refusal(node, f"{what} beside aggregates")

    def _membership(self, node: exp.In) -> exp.Expr:
        """Return whether a value is one of a subquery, which is not known if only a null may be it."""
        if len(_left_of(node)) > 1:
            raise self._refusal(node, f"{_OF_SEVERAL} other than by AND and OR in WHERE")
        members = self._join(_marked(self._members(node)), "LEFT")
        counts = self._join(self._counts(self._values(node)), "LEFT")
        has_nulls = exp.LT(this=_column(counts, "values"), expression=_column(counts, "rows"))
        is_missing = exp.Is(this=node.this.copy(), expression=exp.null())
        cases = (
            (_has_no_rows(counts), exp.false()),
            (_is_null(members, _MARK).not_(), exp.true()),
            (exp.Or(this=is_missing, expression=has_nulls), exp.null()),
        )
        ifs = [exp.If(this=condition, true=value) for condition, value in cases]
        return exp.Paren(this=exp.Case(ifs=ifs, default=exp.false()))

    def _none(self, node: exp.In | exp.Exists) -> exp.Expr:
        """Return the condition that a subquery has no row, or no row with a value."""
        if isinstance(node, exp.Exists):
            return _is_null(self._join(_marked(self._partners(node)), "LEFT"), _MARK)
        if len(_left_of(node)) > 1:
            raise self._refusal(node, f"NOT {_OF_SEVERAL}")
        members = self._join(_marked(self._members(node)), "LEFT")
        counts = self._join(self._counts(self._values(node)), "LEFT")
        no_nulls = exp.EQ(this=_column(counts, "rows"), expression=_column(counts, "values"))
        is_known = exp.Not(this=exp.Is(this=node.this.copy(), expression=exp.null()))
        differs = exp.and_(no_nulls, is_known, _is_null(members, _MARK))
        return exp.Paren(this=exp.Or(this=_has_no_rows(counts), expression=exp.Paren(this=differs)))

    def _counts(self, values: exp.Select) -> _Correlated:
        """Return the numbers of rows and of values of each key of a subquery of one column."""
        name = values.named_selects[0]
        found = self._correlated(values)
        keys = [with_name(key, f"key{number}") for number, key in enumerate(found.keys)]
        query = found.query.select(*keys, copy=True)
        every = exp.select(
            with_name(exp.Count(this=exp.Star()), "rows"),
            with_name(exp.Count(this=_column("of", name)), "values"),
            *(_column("of", key.alias) for key in keys),
        ).from_(_derived(query, "of"))
        if keys:
            every = every.group_by(*(_column("of", key.alias) for key in keys), copy=False)
        return found._replace(query=every, keys=[_column("", key.alias) for key in keys])

    def _values(self, node: exp.In) -> exp.Select:
        query: exp.Expr = node.args["query"].this.copy()
        if isinstance(query, exp.SetOperation):
            columns = [with_name(_column("of", name), name) for name in query.named_selects]
            query = exp.select(*columns).from_(_derived(query, "of"))
        if not isinstance(query, exp.Select):
            raise self._refusal(node, f"IN with {query.key.upper()}")
        if any(map(_is_subquery, node.this.walk())):
            raise self._refusal(node.this, "a subquery on the left of IN")
        return query

    def _members(self, node: exp.In) -> _Correlated:
        """Return the subquery of IN, with its values among the keys."""
        query = self._values(node)
        found = self._correlated(query)
        combines = query.find(exp.Window) is not None or _combines_rows(query)
        if found.keys and combines:
            raise self._refusal(node, _AGGREGATES)
        values: list[exp.Expr] = [selected.unalias() for selected in found.query.expressions]
        if combines:
            found = _Correlated(exp.Select().from_(_derived(found.query, "of")), [], [])
            values = [_column("of", name) for name in query.named_selects]
        return found._replace(keys=[*values, *found.keys], outer=[*_left_of(node), *found.outer])

    def _partners(self, node: exp.Exists) -> _Correlated:
        """Return the subquery of EXISTS."""
        query = node.this.copy()
        for clause in ("distinct", "order"):  # which leave a row if there is one
            query.set(clause, None)
        if not isinstance(query, exp.Select) or _combines_rows(query):
            raise self._refusal(node, "EXISTS with a subquery that combines rows")
        return self._correlated(query)

    def _value(self, node: exp.Subquery) -> exp.Expr:
        """Return the value of a scalar subquery: an expression of aggregates that are joined."""
        query = node.unnest()
        if not isinstance(query, exp.Query) or len(query.named_selects) != 1:
            raise self._refusal(node, "a scalar subquery of several columns")
        if isinstance(query, exp.Select) and {*filter(query.args.get, query.args)} == {"expressions"}:
            return exp.Paren(this=query.expressions[0].unalias().copy())
        self._refuse_beside_aggregates(node, "a scalar subquery")
        found = self._correlated(_aggregated(query.copy()))
        value = exp.Paren(this=found.query.expressions[0].unalias())
        calls = [part for part in value.walk(prune=_is_call) if _is_call(part)]
        keys = [with_name(key, f"key{number}") for number, key in enumerate(found.keys)]
        values = [with_name(call, f"{_VALUE}{number}") for number, call in enumerate(calls)]
        grouped = found.query
        grouped.set("expressions", [*values, *keys])
        if keys:
            grouped = grouped.group_by(*(key.this.copy() for key in keys), copy=False)
        named = [_column("", f"key{number}") for number in range(len(keys))]
        alias = self._join(found._replace(query=grouped, keys=named), "LEFT")
        for number, call in enumerate(calls):
            column: exp.Expr = _column(alias, f"{_VALUE}{number}")
            if isinstance(call.this if isinstance(call, exp.Filter) else call, exp.Count):
                column = exp.Coalesce(this=column, expressions=[exp.Literal.number(0)])
            call.replace(column)
        for column in value.find_all(exp.Column):
            if column.table != alias:
                raise self._refusal(column, "a column beside the aggregates of a scalar subquery")
        return value

    def _correlated(self, query: exp.Select) -> _Correlated:
        """Return a subquery without the conditions that correlate it with the query around it."""
        own = {source.alias_or_name for source in _sources(query)}
        keys, outer, rest = list[exp.Expr](), list[exp.Expr](), list[exp.Expr]()
        where = query.args.get("where")
        for condition in list(conjuncts(where and where.this)):
            tables = {column.table for column in condition.find_all(exp.Column)}
            if tables <= own:
                rest.append(condition.copy())
                continue
            if not isinstance(condition, exp.EQ):
                raise self._refusal(condition, _NOT_EQUAL)
            sides = condition.left, condition.right
            is_own = [{c.table for c in side.find_all(exp.Column)} <= own for side in sides]
            is_outer = [not own & {c.table for c in side.find_all(exp.Column)} for side in sides]
            for mine, others in ((0, 1), (1, 0)):
                if is_own[mine] and is_outer[others]:
                    keys.append(sides[mine].copy())
                    outer.append(sides[others].copy())
                    break
            else:
                raise self._refusal(condition, _NOT_EQUAL)
        query = query.copy()
        query.set("where", None)
        if rest:
            query.where(*rest, copy=False)
        for column in query.find_all(exp.Column):
            if column.table and column.table not in _known_to(column, query):
                called = column.find_ancestor(FunctionTable)
                reason = _NOT_EQUAL if called is None else f"{called.function.name} of {_OUTER}"
                raise self._refusal(column, reason)
        return _Correlated(query, keys, outer)

    def _join(self, found: _Correlated, side: str) -> str:
        """Join a subquery, and return the name of its table."""
        if not self._select.args.get("from_"):
            raise self._refusal(self._select, "a subquery in a SELECT without FROM")
        alias = f"$subquery{next(self._numbers)}"
        conditions: list[exp.Expr] = [
            exp.EQ(this=outer.copy(), expression=_column(alias, key.name))
            for outer, key in zip(found.outer, found.keys, strict=True)
        ]
        join = exp.Join(
            this=_derived(found.query, alias),
            side=side,
            on=exp.and_(*conditions) if conditions else exp.true(),
        )
        self._select.append("joins", join)
        return alias


def _distinct(found: _Correlated) -> _Correlated:
    """Return the distinct keys of a subquery, or a mark if it has none."""
    return _with_distinct_keys(found, []) if found.keys else _marked(found)


def _marked(found: _Correlated) -> _Correlated:
    """Return the distinct keys of a subquery, and a mark that is not null."""
    return _with_distinct_keys(found, [with_name(exp.true(), _MARK)])


def _with_distinct_keys(found: _Correlated, marks: Sequence[exp.Expr]) -> _Correlated:
    query = found.query.copy()
    keys = [with_name(key, f"key{number}") for number, key in enumerate(found.keys)]
    query.set("expressions", [*keys, *marks])
    query.set("distinct", exp.Distinct())
    return found._replace(query=query, keys=[_column("", f"key{number}") for number in range(len(keys))])


def _is_alternative(node: exp.Expr) -> bool:
    """Return whether nothing but AND and OR is around a condition, for which null is as good as false."""
    parent = node.parent
    while isinstance(parent, exp.And | exp.Or | exp.Paren):
        parent = parent.parent
    return parent is None


def _aggregated(query: exp.Query) -> exp.Select:
    """Return a query of one column and one row as one that aggregates; several rows are an error."""
    name = query.named_selects[0]
    if isinstance(query, exp.Select) and not any(map(query.args.get, _OF_SEVERAL_ROWS)):
        if _aggregates(query):
            return query
        if query.find(exp.Window) is None:
            query.set("expressions", [_only(query.expressions[0].unalias(), name)])
            return query
    return exp.Select(expressions=[_only(_column("of", name), name)]).from_(_derived(query, "of"))


def _only(value: exp.Expr, name: str) -> exp.Expr:
    return with_name(exp.Anonymous(this=_ONLY, expressions=[value]), name)


def _left_of(node: exp.In) -> Sequence[exp.Expr]:
    """Return the values on the left of IN."""
    return values_of_row(node.this) or [node.this]


def _sources(query: exp.Select) -> Iterator[exp.Expr]:
    if query.args.get("from_"):
        yield query.args["from_"].this
    for join in query.args.get("joins") or ():
        yield join.this


def _known_to(column: exp.Column, query: exp.Select) -> set[str]:
    """Return the names of the items of FROM of the SELECTs around a column, up to a subquery."""
    select: exp.Expr | None = column.parent_select
    names: set[str] = set()
    while isinstance(select, exp.Select):
        names |= {source.alias_or_name for source in _sources(select)}
        select = None if select is query else select.parent_select
    return names


def _without_parentheses(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _is_call(node: exp.Expr) -> bool:
    """Return whether an expression is the call of an aggregate, with its ``FILTER``."""
    return isinstance(node, exp.Filter) or is_aggregate(node)


def _aggregates(query: exp.Select) -> bool:
    """Return whether a query itself selects aggregates."""

    def is_other(node: exp.Expr) -> bool:
        return isinstance(node, exp.Window) or _is_subquery(node)

    nodes = (node for selected in query.expressions for node in selected.walk(prune=is_other))
    found = (node for node in nodes if not isinstance(node.parent, exp.Window))
    return bool(query.args.get("group")) or any(map(is_aggregate, found))


def _combines_rows(query: exp.Select) -> bool:
    """Return whether a result of a query depends on several rows."""
    return _aggregates(query) or any(query.args.get(clause) for clause in _OF_SEVERAL_ROWS)


def _derived(query: exp.Query, alias: str) -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))


def _column(table: str, name: str) -> exp.Column:
    return exp.column(name, table=table or None, quoted=True)


def _has_no_rows(counts: str) -> exp.Expr:
    none = exp.EQ(this=_column(counts, "rows"), expression=exp.Literal.number(0))
    return exp.Paren(this=exp.Or(this=none, expression=_is_null(counts, "rows")))


def _is_null(table: str, name: str) -> exp.Is:
    return exp.Is(this=_column(table, name), expression=exp.null())
