"""INSERTs: the rows that they write, and the jobs that write them."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any, TypeAlias

from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.stream_ends import DataStreamSink
from pystream.errors import PlanError, PlanTypeError, UnsupportedOperationError
from pystream.sql_types.data_types import DataTypes
from pystream.sql_types.names import quoted_name
from pystream.table.algebra.explain import plan_text
from pystream.table.algebra.sinks import Sink
from pystream.table.catalog.paths import HintedPath
from pystream.table.catalog_tables import target_connector
from pystream.table.column_casts import implicit_casts
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import Connector
from pystream.table.explain_detail import ExplainDetail
from pystream.table.not_null import without_nulls
from pystream.table.plan_text import with_details
from pystream.table.query_tables import table_of_query
from pystream.table.session_zone import session_zone
from pystream.table.table import Table
from pystream.table.table_descriptor import TableDescriptor
from pystream.table.table_result import TableResult
from typeinfo.row import Row
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.table.statements.queries import Insert
    from pystream.table.table_environment import TableEnvironment

__all__ = ["Target", "add_sink", "insert_of", "start_inserts"]


_ROWS = "rows_of_insert"
"""The name of the rows of an INSERT, in queries."""

Target: TypeAlias = "str | HintedPath | TableDescriptor"
"""The table that is written to: its name, with the options of a hint, or its descriptor if it has none."""


def insert_of(environment: TableEnvironment, statement: Insert) -> tuple[Target, Table, bool]:
    """Return the target of an INSERT statement, its rows, and whether they replace those of the target.

    Args:
        environment: the environment of the tables.
        statement: the statement.

    Raises:
        SqlError: the query is wrong.
        PlanError: a table does not exist, or the columns are not those of the target.
    """
    table = table_of_query(environment, statement.query)
    if statement.partition:
        table = _in_partition(environment, statement, table)
    elif statement.names:
        table = _in_order_of(environment, statement, table)
    return statement.target, table, statement.overwrite


def _in_partition(environment: TableEnvironment, statement: Insert, table: Table) -> Table:
    """Return the rows of an INSERT with the columns that its partition gives, in the order of its target."""
    from pystream.table.sql.parser import parse_query

    target = target_connector(environment, statement.target)
    columns, place = target.table.written_columns, f"INSERT INTO {statement.target} PARTITION"
    keys, given = target.table.partition_keys, dict(statement.partition)
    if not target.has_partitions or not keys:
        raise PlanError(
            f"{place}: the table has no partitions; leave PARTITION out, or create it with PARTITIONED BY "
            "and the connector 'filesystem'"
        )
    for name in given:
        if name not in keys:
            raise PlanError(f"{place}: {name!r} is none of the partition keys, which are {', '.join(keys)}")
    own = [column.name for column in columns if column.name not in given]
    names = statement.names or tuple(own)
    if sorted(names) != sorted(own):
        raise PlanError(f"{place}: the other columns are {', '.join(own)}, not {', '.join(names)}")
    if len(table._columns) != len(own):
        raise PlanError(
            f"{place}: the query must give a value for each of the columns {', '.join(names)}, but it has "
            f"{len(table._columns)} and not {len(own)} columns"
        )
    values = [
        f"CAST({given[c.name]} AS {c.data_type.nullable()}) AS {quoted_name(c.name)}"
        if c.name in given
        else quoted_name(c.name)
        for c in columns
    ]
    query = parse_query(f"SELECT {', '.join(values)} FROM {_ROWS}")
    return table_of_query(environment, query, {_ROWS: table.alias(*names)})


def _in_order_of(environment: TableEnvironment, statement: Insert, table: Table) -> Table:
    """Return the rows of an INSERT with their columns in the order of those of its target."""
    target = target_connector(environment, statement.target)
    own = [column.name for column in target.table.written_columns]
    if sorted(own) != sorted(statement.names):
        raise PlanError(
            f"INSERT INTO {statement.target} must give all columns, which are {', '.join(own)}, not "
            f"{', '.join(statement.names)}"
        )
    if len(table._columns) != len(own):
        raise PlanError(
            f"INSERT INTO {statement.target}: the query must give a value for each of the columns "
            f"{', '.join(statement.names)}, but it has {len(table._columns)} and not {len(own)} columns"
        )
    columns = dict(zip(statement.names, table._columns, strict=True))
    chosen = [columns[name] for name in own]
    return table._with_columns(chosen, [column.name for column in chosen])


def start_inserts(
    environment: TableEnvironment, inserts: Sequence[tuple[Target, Table, bool]]
) -> TableResult:
    """Start a job that writes tables to others, and return its result.

    Args:
        environment: the environment of the tables.
        inserts: for each table to write to its name or descriptor, the rows, and whether they replace its
            own.

    Raises:
        PlanError: a table to write to does not exist, or is a view.
        PlanTypeError: its columns are not those of the rows.
        UnsupportedOperationError: rows are to be replaced, and the connector or the execution mode only adds
            rows; or rows are replaced that an INSERT before adds.
    """
    _check_order(environment, inserts)
    sinks = [add_sink(environment, *insert) for insert in inserts]
    paths = [_full_name(environment, target) for target, _, _ in inserts]
    job, wait_for_end = environment._streams._start_sinks(sinks, f"insert-into_{','.join(paths)}")

    def counts() -> Generator[Row[Any]]:
        result.wait()
        yield Row(*(-1 for _ in paths))

    def close() -> None:
        job.cancel()

    columns = [TableColumn(path, DataTypes.BIGINT(), Types.LONG(), n) for n, path in enumerate(paths)]
    result = TableResult(columns, lambda: CloseableIterator(counts(), close), job=job, wait=wait_for_end)
    environment._started.append(result)
    return result


def _check_order(environment: TableEnvironment, inserts: Sequence[tuple[Target, Table, bool]]) -> None:
    """Check that no INSERT OVERWRITE follows an INSERT INTO of its table, whose rows Flink then deletes."""
    added = set[str]()
    for target, _, overwrite in inserts:
        name = _full_name(environment, target)
        if overwrite and name in added:
            raise UnsupportedOperationError(
                f"INSERT OVERWRITE {target} would delete the rows that an INSERT INTO before it adds in the "
                "same statement set: add the INSERT OVERWRITE first, whose rows are kept, or leave that "
                "INSERT INTO out"
            )
        if not overwrite and not isinstance(target, TableDescriptor):
            added.add(name)


def _full_name(environment: TableEnvironment, target: Target) -> str:
    if not isinstance(target, TableDescriptor):
        return environment._catalogs.identify(str(target)).as_summary_string()
    return f"*anonymous_{target.options['connector']}*"


def _rows_for(
    environment: TableEnvironment, table: Table, columns: Sequence[TableColumn]
) -> DataStream[Row[Any]]:
    """Return the rows of a table with the types of the columns that they are written to.

    Raises:
        PlanTypeError: there are not as many columns, or Flink does not cast one to the other implicitly.
    """
    own = table._columns
    if len(own) != len(columns):
        raise PlanTypeError(f"there are {len(own)} columns, not {len(columns)}")
    zone = session_zone(environment.get_config().get_configuration())
    return table._in_column_types()._cast_rows(columns, implicit_casts(own, columns, zone))


def add_sink(environment: TableEnvironment, to: Target, table: Table, overwrite: bool) -> DataStreamSink:
    """Add a sink that writes a table to another one.

    Args:
        environment: the environment of the tables.
        to: the name of the other table, or its descriptor.
        table: the table.
        overwrite: whether its rows replace those of the other table.

    Raises:
        PlanError: the other table does not exist, or is a view.
        PlanTypeError: its columns are not those of the rows.
        UnsupportedOperationError: rows are to be replaced, and the connector or the execution mode only adds
            rows, or are updated, and the connector only appends.
    """
    target = target_connector(environment, to)
    path = target.table.path
    if table._is_updating and not target.takes_updates:
        raise UnsupportedOperationError(
            f"table {path!r} cannot be written: its connector {target.name!r} only appends rows, but those "
            f"of the query may be updated later; {target.for_updates}"
        )
    columns = target.table.written_columns
    try:
        rows = _rows_for(environment, table, columns)
    except PlanTypeError as error:
        raise PlanTypeError(
            f"the columns of the rows are not those of table {path!r}: {error}\n"
            f"  rows:  {', '.join(map(str, table._columns))}\n"
            f"  table: {', '.join(map(str, columns))}"
        ) from None
    rows = without_nulls(rows, target.table)
    if _materializes(table, target):
        from pystream.table.streaming.expiry import state_ttl
        from pystream.table.streaming.upsert_materializer import upsert_materialized

        rows = upsert_materialized(rows, columns, _key(target), state_ttl(table))
    return target.overwrite(rows) if overwrite else target.write(rows)


def plan_of_inserts(
    environment: TableEnvironment,
    inserts: Sequence[tuple[Target, Table, bool]],
    details: Collection[ExplainDetail],
) -> str:
    """Return the plan of a job of INSERTs as text; no job runs it.

    Args:
        environment: the environment of the tables.
        inserts: as those of `start_inserts`.
        details: what else it shows.

    Raises:
        PlanError: as `start_inserts` does.
    """
    sinks = [add_sink(environment, *insert) for insert in inserts]
    nodes = [_sink(environment, *insert) for insert in inserts]
    text = f"== relational plan ==\n{plan_text(*nodes)}\n\n{environment._streams._explain_sinks(sinks)}"
    return with_details(environment, text, [sink._node_id for sink in sinks], details)


def _sink(environment: TableEnvironment, to: Target, table: Table, overwrite: bool) -> Sink:
    """Return the relational operator that writes a table to another one."""
    target = target_connector(environment, to)
    path, columns = target.table.path, tuple(target.table.written_columns)
    return Sink(table._rel_node, path, columns, overwrite, _materializes(table, target))


def _materializes(table: Table, target: Connector) -> bool:
    """Return whether updates of a table are made ones by the primary key of the one that it is written to."""
    key = _key(target)
    is_updating = table._is_updating and bool(key)
    return is_updating and not _is_upsert_key(table, target.table.written_columns, key)


def _key(target: Connector) -> list[int]:
    """Return the positions of the columns of the primary key among those that are written."""
    columns, key = target.table.written_columns, target.table.schema.primary_key_columns
    return [position for position, column in enumerate(columns) if column.name in key]


def _is_upsert_key(table: Table, columns: Sequence[TableColumn], key: Sequence[int]) -> bool:
    """Return whether updates of a table replace rows by the primary key of the one that it is written to.

    Args:
        table: the table.
        columns: the columns that it is written to.
        key: the positions of those of the primary key.
    """
    own = table._upsert_key
    if own is None or {table._columns[position].position for position in key} != {*own.positions}:
        return False
    casts = implicit_casts(table._columns, columns, UTC)
    return all(casts[position].converter() is None for position in key)
