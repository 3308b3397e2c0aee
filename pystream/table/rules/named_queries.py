"""Inline the queries of ``WITH`` where they are named."""

from __future__ import annotations

from sqlglot import exp

from pystream.table.sql.state_ttl_hints import copy_state_ttl

__all__ = ["with_inlined_subqueries"]


def with_inlined_subqueries(query: exp.Query) -> exp.Query:
    """Return a query with the queries of its ``WITH`` where they are named, which no base table is."""
    query = query.copy()
    for clause in [*query.find_all(exp.With)][::-1]:  # inner ones first
        owner = clause.parent
        assert owner is not None
        for named in clause.expressions:
            for table in [table for table in owner.find_all(exp.Table) if table.name == named.alias]:
                alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(named.alias, True))
                subquery = exp.Subquery(this=named.this.copy(), alias=alias.copy())
                copy_state_ttl(table, subquery)
                table.replace(subquery)
        clause.pop()
    return query
