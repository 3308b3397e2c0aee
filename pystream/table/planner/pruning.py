"""Narrow tables of files to the columns and partitions that a query needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.table.algebra.final_ranks import with_changes
from pystream.table.column_paths import ColumnPath
from pystream.table.connectors.base import Connector
from pystream.table.connectors.partitions import PartitionCondition
from pystream.table.evaluation import NotEvaluatedError, evaluated
from pystream.table.planner.trees import conditions_of
from pystream.table.session_zone import session_zone
from pystream.table.sql.analysis import AnalysedQuery, name_of_table, retyped
from pystream.table.sql.dialect import Flink
from pystream.table.sql.match_calls import has_matches
from pystream.table.sql.temporal_tables import joins_versions
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute, with_event_time

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["pruned_tables"]


def pruned_tables(
    environment: TableEnvironment,
    analysed: AnalysedQuery,
    tables: Sequence[Table],
    read: Collection[ColumnPath] | None = None,
) -> tuple[AnalysedQuery, list[Table]]:
    """Return a query and its tables, those of files without the columns and partitions that it does not need.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
        read: the columns, and fields of rows in them, that are read of its results; ``None`` for all.
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
        paths = {
            path
            for column in tree.find_all(exp.Column)
            if column.table in ("", *aliases)
            for path in _paths_of(column, tree, read)
        }
        if joins_versions(tree):
            paths |= _time_of_versions(table)
        connector = _connector_of_whole(table)
        conditions = (
            [*_conditions(analysed, items[0], connector, zone)] if connector and len(items) == 1 else []
        )
        pruned[number] = _pruned(environment, table, paths, conditions)
    columns = tuple(tuple(column.name for column in table._columns) for table in pruned)
    if _have_other_types(tables, pruned):
        tree = retyped(tree, [[(column.name, column.data_type) for column in one._columns] for one in pruned])
    return replace(analysed, tree=tree, columns=columns), pruned


def _time_of_versions(table: Table) -> set[ColumnPath]:
    """Return the column from whose time on a row of a table is the version of its key, if it has one."""
    number = None if table._plan is None else with_changes(table._plan).version_time
    return set() if number is None else {(table._columns[number].name,)}


def _paths_of(
    column: exp.Column, tree: exp.Query, read: Collection[ColumnPath] | None
) -> Iterator[ColumnPath]:
    """Yield what a query needs of a column: all of it, or fields of the rows in it.

    Of a column that is a result of the query, it needs what is read of that result.

    Args:
        column: a place where the query has the column.
        tree: the query.
        read: what is read of its results; ``None`` for all.
    """
    if read is not None and isinstance(column.parent, exp.Alias) and column.parent.parent is tree:
        yield from ((column.name, *path[1:]) for path in read if path[0] == column.parent.alias)
        return
    path, node = [column.name], column.parent
    while isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        path.append(node.expression.name)
        node = node.parent
    yield tuple(path)


def _have_other_types(tables: Sequence[Table], pruned: Sequence[Table]) -> bool:
    """Return whether a column of pruned tables has another type than it had."""
    types = [{column.name: column.data_type for column in table._columns} for table in tables]
    return any(
        column.data_type != known[column.name]
        for known, own in zip(types, pruned, strict=True)
        for column in own._columns
    )


def _pruned(
    environment: TableEnvironment,
    table: Table,
    paths: Collection[ColumnPath],
    conditions: Sequence[PartitionCondition] = (),
) -> Table:
    """Return a table without columns and partitions that are not needed, the same table if it needs all.

    Args:
        environment: the environment of the table.
        table: the table.
        paths: the columns, and fields of rows in them, that are needed.
        conditions: conditions on its partitions.
    """
    connector, time, relation = _connector_of_whole(table), table._time, table._relation
    if connector is not None:
        own = connector.pruned(paths, conditions)
        return table if own is connector else environment._table_of_connector(own)
    if time is not None:
        times = [column.name for column in table._columns if column.position == time.position]
        paths = {*paths, *((name,) for name in times)}
        if time.untimed is not None and time.delay is not None and times:
            untimed = _pruned(environment, time.untimed, paths)
            return table if untimed is time.untimed else _timed(untimed, times[0], time.delay)
    if relation is None or not _reads_files(table):
        return table
    narrowed, read = relation.reading(paths), frozenset(paths)
    if narrowed is relation:
        return table
    if read not in table._narrowed:
        table._narrowed[read] = environment._relation_table("SELECT", narrowed, read)
    return table._narrowed[read]


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
