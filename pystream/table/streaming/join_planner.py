"""JoinPlanner: the joins of the tables that a query over unbounded tables reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.table.streaming.join_conditions import join_conditions
from pystream.table.streaming.operators import joined
from pystream.table.streaming.source import Source, with_columns
from pystream.table.streaming.trees import conjuncts

__all__ = ["JoinPlanner"]


class JoinPlanner:
    """Joins the items of FROM, from the first one on, by the conditions of ON and WHERE.

    Args:
        source_of: returns the rows of an item.
        names_in: returns the names of its columns.
        refusal: returns the error that a clause is not supported.
    """

    def __init__(
        self,
        source_of: Callable[[exp.Expr], Source],
        names_in: Callable[[exp.Expr], Sequence[str]],
        refusal: Callable[[exp.Expr, str], Exception],
    ) -> None:
        self._source_of = source_of
        self._names_in = names_in
        self._refusal = refusal

    def joined(self, query: exp.Select, fields: Sequence[exp.Expr]) -> Source:
        """Return the rows of a join, with the columns that a query needs.

        Args:
            query: the query.
            fields: the expressions that it selects.

        Raises:
            UnsupportedOperationError: it is none of equal columns, or has other conditions.
        """
        joins = query.args["joins"]
        items = [query.args["from_"].this, *(join.this for join in joins)]
        conditions = list(conjuncts(query.args["where"].this if query.args.get("where") else None))
        for join in joins:
            if join.side or join.kind not in ("", "INNER", "CROSS"):
                raise self._refusal(join.this, f"{join.side or join.kind} JOIN")
            conditions += conjuncts(join.args.get("on"))
        aliases = [item.alias_or_name for item in items]
        of_one = {alias: [c for c in conditions if _tables_in(c) == {alias}] for alias in aliases}
        conditions = [c for c in conditions if len(_tables_in(c)) != 1]
        sources = [self._source_of(self._filtered(item, of_one[item.alias_or_name])) for item in items]
        needed = [*fields, *conditions]
        result = self._pruned(sources[0], needed)
        for item, source in zip(items[1:], sources[1:], strict=True):
            known = {table for table, _ in result.names} | {item.alias_or_name}
            own = [c for c in conditions if _tables_in(c) <= known]
            conditions = [c for c in conditions if c not in own]
            result = self._pair(item, result, self._pruned(source, needed), own)
        for condition in conditions:
            raise self._refusal(condition, "this condition of a join")
        return result

    def _filtered(self, item: exp.Expr, conditions: Sequence[exp.Expr]) -> exp.Expr:
        """Return an item of FROM with those rows only for which conditions are true."""
        if not conditions:
            return item
        alias = item.alias_or_name
        query = exp.Select().from_(item).where(*conditions)
        for name in self._names_in(item):
            query = query.select(
                exp.alias_(exp.column(name, table=alias, quoted=True), name, quoted=True), copy=False
            )
        return exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))

    def _pruned(self, source: Source, needed: Sequence[exp.Expr]) -> Source:
        """Return rows with those columns only that expressions need."""
        used = {(c.table, c.name) for node in needed for c in node.find_all(exp.Column)}
        names = [name for name in source.names if name in used] or source.names[:1]
        columns = [source.column(exp.column(name, table=table)) for table, name in names]
        return Source(with_columns(source.table, columns), names)

    def _pair(self, item: exp.Expr, left: Source, right: Source, conditions: Sequence[exp.Expr]) -> Source:
        """Return the joined rows of two sides."""
        found = join_conditions(
            conditions, left.__contains__, lambda column: left.is_time(column) or right.is_time(column)
        )
        for condition in found.others:
            raise self._refusal(condition, "this condition of a join")
        if not found.keys:
            raise self._refusal(item, "a join without a condition that columns of both tables are equal")
        if left.table._is_updating or right.table._is_updating:
            raise self._refusal(item, "a join of rows that may be updated later")
        interval = None
        if found.times is not None:
            if found.lower is None or found.upper is None:
                raise self._refusal(item, "a join on times with one bound only")
            interval = found.lower, found.upper
        keys = [(left.column(one), right.column(other)) for one, other in found.keys]
        for one, other in keys:
            if one.data_type.nullable() != other.data_type.nullable():
                raise self._refusal(item, f"a join of {one.data_type} with {other.data_type}")
        table = joined(left.table, right.table, keys, interval)
        return Source(table, [*left.names, *right.names])


def _tables_in(node: exp.Expr) -> set[str]:
    return {column.table for column in node.find_all(exp.Column)}
