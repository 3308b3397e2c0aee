"""Joins with the versions of a table: the event times of both sides, and the key of the versions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from pystream.table.algebra.scans import Scan
from pystream.table.planner.planning import Planning
from pystream.table.planner.source import Source
from pystream.table.rules.final_rows import with_changes

__all__ = ["check_keys_of_versions", "check_versions", "time_of_versions", "with_versions"]


def with_versions(source: Source) -> Source:
    """Return the changes of rows in place of the final ones, which have the last versions only."""
    node = source.node
    plan = node.table._plan if isinstance(node, Scan) else None
    changes = plan and with_changes(plan)
    return source if changes is None or changes is plan else Source(changes, source.names)


def check_versions(planning: Planning, item: exp.Expr, left: Source, right: Source, time: exp.Expr) -> None:
    """Check that both sides of a join have event times.

    Args:
        planning: the query.
        item: the item of FROM that is the right side.
        left: the rows of the left side.
        right: those of the right side.
        time: the time of the versions that are joined.

    Raises:
        SqlError: one has none.
        UnsupportedOperationError: the rows of the left side may be updated later.
    """
    if left.node.is_updating:
        raise planning.refusal(item, "FOR SYSTEM_TIME AS OF for rows that may be updated later")
    if not (isinstance(time, exp.Column) and left.is_time(time)):
        message = (
            "FOR SYSTEM_TIME AS OF takes the event time of the left side, a column with a WATERMARK, or a "
            "column that is PROCTIME()"
        )
        raise planning.error(time, message)
    if right.node.version_time is None:
        message = (
            "the versions of a table have times: those of its WATERMARK, or of the rows of which it has the "
            "last one of each key, by ROW_NUMBER()"
        )
        raise planning.error(item, message)


def check_keys_of_versions(
    planning: Planning, item: exp.Expr, right: Source, keys: Sequence[exp.Expr]
) -> None:
    """Check that the right side of a join has one version of each key at a time.

    Args:
        planning: the query.
        item: the item of FROM that is the right side.
        right: its rows.
        keys: the expressions that are equal to some of the left side.

    Raises:
        SqlError: it has not, or there are no keys.
    """
    equal = {right.number(key) for key in keys if key in right}
    known = right.node.upsert_key
    own = known.positions if known is not None else () if not right.node.is_updating else None
    if not equal or own is None or not {*own} <= equal:
        names = "" if not own else f" {', '.join(right.names[number][1] for number in own if number >= 0)}"
        message = f"a join with versions of a table needs equal keys, with its whole primary key{names}"
        raise planning.error(item, message)


def time_of_versions(right: Source) -> exp.Column:
    """Return the column from whose time on a row is the version of its key."""
    number = right.node.version_time
    assert number is not None
    table, name = right.names[number]
    return exp.column(name, table=table, quoted=True)
