"""Temporal tables: ``FOR SYSTEM_TIME AS OF`` as a condition of the join that it stands in."""

from __future__ import annotations

from sqlglot import exp

from pystream.table.sql.syntax import error_at

__all__ = ["joins_versions", "system_time", "with_system_times"]

_CONDITION = "$SYSTEM_TIME"
"""The name of the condition that a row is a version at a time, which no function of a program has."""


def with_system_times(text: str, tree: exp.Query) -> exp.Query:
    """Return a query whose joins have the times of the versions that they join as conditions of ``ON``.

    Args:
        text: the text of the statement, for messages.
        tree: the query.

    Raises:
        SqlError: ``FOR SYSTEM_TIME AS OF`` is not of the right side of a join, or takes no column.
    """
    tree = tree.copy()
    for table in list(tree.find_all(exp.Table)):
        version = table.args.get("version")
        if version is None:
            continue
        join, time = table.parent, version.expression
        if not isinstance(join, exp.Join) or join.args.get("using") or join.method:
            raise error_at(
                text, table, "FOR SYSTEM_TIME AS OF is of the right side of a join with a condition ON"
            )
        if not isinstance(time, exp.Column):
            raise error_at(
                text,
                table,
                "FOR SYSTEM_TIME AS OF takes a column of event time or PROCTIME() of the left side",
            )
        table.set("version", None)
        condition = exp.Anonymous(this=_CONDITION, expressions=[time])
        on = join.args.get("on")
        join.set("on", condition if on is None else exp.And(this=on, expression=condition))
    return tree


def joins_versions(tree: exp.Query) -> bool:
    """Return whether a query has ``FOR SYSTEM_TIME AS OF``."""
    return any(call.name == _CONDITION for call in tree.find_all(exp.Anonymous))


def system_time(condition: exp.Expr) -> exp.Expr | None:
    """Return the time of the versions of a table that a condition is about, ``None`` for other conditions."""
    if isinstance(condition, exp.Anonymous) and condition.name == _CONDITION:
        time: exp.Expr = condition.expressions[0]
        return time
    return None
