"""Push conditions down into tables: those on partition keys choose the partitions that are read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import tzinfo
from functools import partial

from sqlglot import exp

from pystream.plan.query import QueryFunction
from pystream.table.connectors.partitions import PartitionCondition
from pystream.table.evaluation import NotEvaluatedError, evaluated
from pystream.table.sql.conditions import conditions_of
from pystream.table.sql.dialect import Flink

__all__ = ["partition_conditions"]


def partition_conditions(
    item: exp.Table, keys: Collection[str], functions: Sequence[QueryFunction], zone: tzinfo | None
) -> Iterator[PartitionCondition]:
    """Yield the conditions on the partition keys of a table that are true of all rows that a query needs.

    The query applies them all the same. Those that call functions of the program, or that may have another
    result for the same row, choose no partitions.

    Args:
        item: the only place where the query reads the table.
        keys: the partition keys.
        functions: the functions of the program that the query calls.
        zone: the time zone of the session.
    """
    select = item.find_ancestor(exp.Select)
    if select is None or any(join.side for join in select.args.get("joins") or ()):
        return
    for condition in conditions_of(select):
        columns = [*condition.find_all(exp.Column)]
        alias = item.alias_or_name
        if not columns or any(column.table != alias or column.name not in keys for column in columns):
            continue
        read = tuple(dict.fromkeys(column.name for column in columns))
        try:
            evaluation = evaluated(condition, partial(_position_in, read), functions, zone=zone)
        except NotEvaluatedError:
            continue
        if evaluation.is_deterministic and not evaluation.calls_program:
            yield PartitionCondition(_text_of(condition), read, evaluation)


def _position_in(names: Sequence[str], column: exp.Column) -> int:
    return names.index(column.name)


def _text_of(condition: exp.Expr) -> str:
    """Return the text of a condition without the name of the table."""
    shown = condition.copy()
    for column in shown.find_all(exp.Column):
        column.set("table", None)
    return shown.sql(Flink)
