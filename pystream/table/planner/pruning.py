"""Narrow tables of files to the columns and partitions that a query needs, also behind views."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.table.column_paths import ColumnPath
from pystream.table.connectors.partitions import PartitionCondition
from pystream.table.rules.final_rows import with_changes
from pystream.table.rules.partitions import partition_conditions
from pystream.table.rules.predicates import with_pushed_conditions
from pystream.table.rules.projections import selects_rows, with_needed_columns
from pystream.table.session_zone import session_zone
from pystream.table.sql.analysis import AnalysedQuery, name_of_table, retyped
from pystream.table.sql.temporal_tables import joins_versions
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute, with_event_time

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["narrowed_table", "pruned_query"]


def pruned_query(
    environment: TableEnvironment,
    analysed: AnalysedQuery,
    tables: Sequence[Table],
    read: Collection[ColumnPath] | None = None,
) -> tuple[AnalysedQuery, list[Table]]:
    """Return a query and its tables, both without the columns and partitions that the query does not need.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
        read: the columns, and fields of rows in them, that are read of its results; ``None`` for all.
    """
    keys = {name_of_table(number): _key_of(table) for number, table in enumerate(tables)}
    needed = with_needed_columns(analysed.tree, read, keys)
    tree = needed.tree
    zone = session_zone(environment.get_config().get_configuration())
    partition_keys = [_partition_keys_of(table) for table in tables]
    tested = with_pushed_conditions(tree) if any(partition_keys) else tree
    pruned = [*tables]
    for number, table in enumerate(tables):
        name = name_of_table(number)
        if name in needed.whole:
            continue
        paths = {*needed.paths.get(name, ())}
        if joins_versions(tree):
            paths |= _time_of_versions(table)
        items = [item for item in tested.find_all(exp.Table) if item.name == name]
        conditions: list[PartitionCondition] = []
        if len(items) == 1 and partition_keys[number]:
            conditions = [*partition_conditions(items[0], partition_keys[number], analysed.functions, zone)]
        pruned[number] = narrowed_table(table, paths, conditions)
    columns = tuple(tuple(column.name for column in table._columns) for table in pruned)
    if _have_other_types(tables, pruned):
        tree = retyped(tree, [[(column.name, column.data_type) for column in one._columns] for one in pruned])
    return replace(analysed, tree=tree, columns=columns), pruned


def _key_of(table: Table) -> list[str]:
    """Return the columns by which updates of a table replace rows."""
    key = table._upsert_key
    positions = () if key is None else key.positions
    return [column.name for column in table._columns if column.position in positions]


def _partition_keys_of(table: Table) -> Sequence[str]:
    """Return the columns by which the files of a table are divided."""
    connector = table._whole_connector
    return () if connector is None else connector.table.partition_keys


def _time_of_versions(table: Table) -> set[ColumnPath]:
    """Return the column from whose time on a row of a table is the version of its key, if it has one."""
    number = None if table._plan is None else with_changes(table._plan).version_time
    return set() if number is None else {(table._columns[number].name,)}


def _have_other_types(tables: Sequence[Table], pruned: Sequence[Table]) -> bool:
    """Return whether a column of pruned tables has another type than it had."""
    types = [{column.name: column.data_type for column in table._columns} for table in tables]
    return any(
        column.data_type != known[column.name]
        for known, own in zip(types, pruned, strict=True)
        for column in own._columns
    )


def narrowed_table(
    table: Table, paths: Collection[ColumnPath], conditions: Sequence[PartitionCondition] = ()
) -> Table:
    """Return a table without columns and partitions that are not needed, the same table if it needs all.

    Args:
        table: the table.
        paths: the columns, and fields of rows in them, that are needed.
        conditions: conditions on its partitions.
    """
    environment, connector, relation = table._environment, table._whole_connector, table._relation
    if connector is not None:
        own = connector.pruned(paths, conditions)
        return table if own is connector else environment._table_of_connector(own)
    read = frozenset(paths)
    if not table._reads_files or {(column.name,) for column in table._columns} <= read:
        return table
    if relation is None:
        return _narrowed_with_watermarks(table, read)
    if not selects_rows(relation.query):
        return table
    if read not in table._narrowed:
        table._narrowed[read] = environment._relation_table("SELECT", replace(relation, read=read))
    return table._narrowed[read]


def _narrowed_with_watermarks(table: Table, paths: Collection[ColumnPath]) -> Table:
    """Return a table whose watermarks are declared without columns that are not needed, but with its time."""
    time = table._time
    assert time is not None
    assert time.untimed is not None
    times = [column.name for column in table._columns if column.position == time.position]
    untimed = narrowed_table(time.untimed, {*paths, *((name,) for name in times)})
    if time.delay is None or not times or untimed is time.untimed:
        return table
    narrowed = _timed(untimed, times[0], time.delay)
    narrowed._path = table._path
    return narrowed


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
