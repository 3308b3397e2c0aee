"""Narrow tables of files to the columns and partitions that a query needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.table.connectors.base import Connector
from pystream.table.connectors.partitions import PartitionCondition
from pystream.table.evaluation import NotEvaluatedError, evaluated
from pystream.table.planner.trees import conditions_of
from pystream.table.sql.analysis import AnalysedQuery, name_of_table
from pystream.table.sql.dialect import Flink
from pystream.table.sql.match_calls import has_matches
from pystream.table.streaming.local_time import session_zone
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute, with_event_time

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["pruned_tables"]


def pruned_tables(
    environment: TableEnvironment, analysed: AnalysedQuery, tables: Sequence[Table]
) -> tuple[AnalysedQuery, list[Table]]:
    """Return a query and its tables, those of files without the columns and partitions that it does not need.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
    """
    tree = analysed.tree
    if has_matches(tree) or any(
        isinstance(star.parent, exp.Select | exp.Column) for star in tree.find_all(exp.Star)
    ):
        return analysed, [*tables]
    zone = session_zone(environment.get_config().get_configuration())
    pruned = [*tables]
    for number, table in enumerate(tables):
        items = [item for item in tree.find_all(exp.Table) if item.name == name_of_table(number)]
        if any(item.alias_column_names for item in items):
            continue
        aliases = {item.alias_or_name for item in items}
        names = {column.name for column in tree.find_all(exp.Column) if column.table in ("", *aliases)}
        connector = _connector_of_whole(table)
        conditions = (
            [*_conditions(analysed, items[0], connector, zone)] if connector and len(items) == 1 else []
        )
        pruned[number] = _pruned(environment, table, names, conditions)
    columns = tuple(tuple(column.name for column in table._columns) for table in pruned)
    return replace(analysed, columns=columns), pruned


def _pruned(
    environment: TableEnvironment,
    table: Table,
    names: Collection[str],
    conditions: Sequence[PartitionCondition] = (),
) -> Table:
    """Return a table without columns and partitions that are not needed, the same table if it needs all.

    Args:
        environment: the environment of the table.
        table: the table.
        names: the columns that are needed.
        conditions: conditions on its partitions.
    """
    connector, time, relation = _connector_of_whole(table), table._time, table._relation
    if connector is not None:
        own = connector.pruned(names, conditions)
        return table if own is connector else environment._table_of_connector(own)
    if time is not None:
        times = [column.name for column in table._columns if column.position == time.position]
        names = {*names, *times}
        if time.untimed is not None and time.delay is not None and times:
            untimed = _pruned(environment, time.untimed, names)
            return table if untimed is time.untimed else _timed(untimed, times[0], time.delay)
    if relation is None or not _reads_files(table):
        return table
    read = relation.reading(names)
    if read is relation:
        return table
    if read.columns not in table._narrowed:
        table._narrowed[read.columns] = environment._relation_table("SELECT", read)
    return table._narrowed[read.columns]


def _timed(untimed: Table, name: str, delay: int) -> Table:
    """Return a table with the watermarks of a column."""
    column = next(column for column in untimed._columns if column.name == name)
    stream = with_event_time(untimed._stream, column, delay)
    time = TimeAttribute(column.position, delay, untimed)
    return Table(
        untimed._environment,
        stream,
        untimed._columns,
        time=time,
        is_updating=untimed._is_updating,
        upsert_key=untimed._upsert_key,
        proctimes=untimed._proctimes,
    )


def _reads_files(table: Table) -> bool:
    """Return whether a table is computed of one whose connector can read less."""
    connector, time, relation = _connector_of_whole(table), table._time, table._relation
    if connector is not None:
        return connector.can_read_less
    if time is not None and time.untimed is not None:
        return _reads_files(time.untimed)
    if relation is None:
        return False
    # The relation of all rows of a table is that of the table itself.
    return any(_reads_files(one) for one in relation.tables.values() if one is not table)


def _connector_of_whole(table: Table) -> Connector | None:
    """Return the connector of a table that is what that reads, with nothing that is computed of it."""
    connector = table._connector
    if connector is None or table._columns != connector.table.columns or connector.table.schema.watermarks:
        return None
    return connector


def _conditions(
    analysed: AnalysedQuery, item: exp.Table, connector: Connector, zone: tzinfo | None
) -> Iterator[PartitionCondition]:
    """Yield the conditions on the partition keys of a table that a query reads once."""
    select = item.find_ancestor(exp.Select)
    if select is None or any(join.side for join in select.args.get("joins") or ()):
        return
    keys, alias = connector.table.partition_keys, item.alias_or_name
    for condition in conditions_of(select):
        columns = [*condition.find_all(exp.Column)]
        if not columns or any(column.table != alias or column.name not in keys for column in columns):
            continue
        read = tuple(dict.fromkeys(column.name for column in columns))
        try:
            evaluation = evaluated(condition, partial(_position_in, read), analysed.functions, zone=zone)
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
