"""Tables that Spark computes by a query."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pystream.errors import SqlError, UnsupportedOperationError
from pystream.kinds import SourceColumns
from pystream.plan.nodes import OperatorNode, SourceNode
from pystream.plan.query import InputColumn, Query, QueryInput, QueryOperator, ResultColumn
from pystream.settings.configuration import Configuration
from pystream.settings.options import LOCAL_TIME_ZONE
from pystream.sql_types.data_types import ArrayType, DataType, MapType, RowType
from pystream.sql_types.stream_types import data_type_of
from pystream.table.algebra.scans import Scan, SparkQuery
from pystream.table.column_casts import declared_casts
from pystream.table.columns import TableColumn, row_type
from pystream.table.planner.trees import is_proctime
from pystream.table.session_zone import local_zone
from pystream.table.sql.analysis import AnalysedQuery
from pystream.table.sql.queries import Origin, combining_clause, translate_query
from pystream.table.sql.type_trees import declared_type
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute, with_event_time

if TYPE_CHECKING:
    from sqlglot import exp

    from pystream.table.table_environment import TableEnvironment

__all__ = ["combines_rows", "is_read_by_workers", "is_unbounded", "spark_query", "untimed"]

_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
}
"""Settings of Spark by which names, TIMESTAMP and wrong values mean the same as in Flink."""


def is_unbounded(tables: Sequence[Table]) -> bool:
    """Return whether one of some tables is unbounded."""
    ids = [table._stream._node_id for table in tables]
    return bool(ids) and bool(tables[0]._environment._streams._builder.plan(ids).unbounded_sources)


def is_read_by_workers(table: Table) -> bool:
    """Return whether Python workers read a table as columns, with nothing of Spark after the source."""
    plan = table._environment._streams._builder.plan([table._stream._node_id])
    node = plan.by_id[table._stream._node_id]
    while isinstance(node, OperatorNode) and len(node.inputs) == 1 and not node.keys:
        node = plan.by_id[node.inputs[0]]
    return isinstance(node, SourceNode) and node.columns is SourceColumns.WORKERS


def combines_rows(query: exp.Query, tables: Collection[object]) -> bool:
    """Return whether a result of a query of some tables depends on several rows."""
    return len(tables) != 1 or combining_clause(query) is not None


def spark_query(
    environment: TableEnvironment,
    analysed: AnalysedQuery,
    tables: Sequence[Table],
    in_python: tuple[Sequence[TableColumn], QueryOperator] | None = None,
) -> SparkQuery:
    """Return the rows of a query that Spark computes.

    The event time of an unbounded table passes through a query that selects its column.

    Args:
        environment: the environment of the tables.
        analysed: the query; it combines no rows of unbounded tables.
        tables: the tables that it reads, in order.
        in_python: the columns of the results and the operator by which Python computes them, where Spark
            cannot.

    Raises:
        SqlError: Spark cannot resolve the query.
        UnsupportedOperationError: a table changes; or the program runs on the local host.
        UnsupportedTypeError: a column of the results has a type that streams do not have.
    """
    for path, table in zip(analysed.paths, tables, strict=True):
        if table._is_updating:
            raise UnsupportedOperationError(
                f"a query cannot read {path!r}, whose rows may be updated later: convert it by "
                "to_changelog_stream(), and use the operators of streams"
            )
    streams = environment._streams
    translated = translate_query(analysed, local_zone(streams.get_configuration()))
    is_bounded = not is_unbounded(tables)
    inputs = [untimed(table)._stream for table in tables]
    query = Query(
        text=translated.text,
        inputs=tuple(_input(number, table) for number, table in enumerate(tables)),
        settings={**_SETTINGS, **_time_zone(streams.get_configuration())},
        is_ordered=translated.is_ordered,
        functions=translated.functions,
        is_bounded=is_bounded,
        combines_rows=combines_rows(analysed.tree, tables),
    )
    try:
        query, results = streams._resolve_query(query, inputs)
    except SqlError as error:
        raise translated.located(error) from None
    declared = _declared_types(analysed.tree)
    columns = [
        _column(position, result, origin, tables, data_type)
        for position, (result, origin, data_type) in enumerate(
            zip(results, translated.origins, declared, strict=True)
        )
    ]
    if in_python is not None and row_type(in_python[0]) == row_type(columns):
        query = replace(query, in_python=in_python[1])
    stream = streams._query(query, inputs, translated.paths, row_type(columns))
    casts = [
        cast._replace(is_declaration=_is_changed_by_spark(column, origin))
        for cast, column, origin in zip(
            declared_casts(columns, columns), columns, translated.origins, strict=True
        )
    ]
    stream = Table(environment, stream, columns)._cast_rows(columns, casts)
    rows = Table(
        environment, stream, columns, proctimes=_proctimes(analysed.tree, translated.origins, tables)
    )
    if not is_bounded:
        rows = _timed(rows, translated.origins, tables)
    scans = [Scan(table, path) for path, table in zip(analysed.paths, tables, strict=True)]
    text = translated.shown([scan.title for scan in scans])
    return SparkQuery(rows, "query", text, tuple(scans))


def _timed(results: Table, origins: Sequence[Origin | None], tables: Sequence[Table]) -> Table:
    """Return results with the event time of a table whose column they have."""
    for column, origin in zip(results._columns, origins, strict=True):
        delay = None if origin is None else _delay(tables[origin.table], origin.column)
        if delay is not None:
            stream = with_event_time(results._stream, column, delay)
            time = TimeAttribute(column.position, delay, results)
            return Table(results._environment, stream, results._columns, time=time)
    return results


def _proctimes(tree: exp.Query, origins: Sequence[Origin | None], tables: Sequence[Table]) -> frozenset[int]:
    """Return the columns of the results that are ``PROCTIME()``."""
    fields = [field.unalias() for field in tree.selects] if tree.key == "select" else []
    called = (position for position, field in enumerate(fields) if is_proctime(field))
    passed_on = (
        position
        for position, origin in enumerate(origins)
        if origin is not None
        and tables[origin.table]._columns[origin.column].position in tables[origin.table]._proctimes
    )
    return frozenset((*called, *passed_on))


def untimed(table: Table) -> Table:
    """Return a table without its watermarks, which no query passes on."""
    time = table._time
    return table if time is None or time.untimed is None else time.untimed


def _is_changed_by_spark(column: TableColumn, origin: Origin | None) -> bool:
    """Return whether Spark's values of a column of the results may not be of its type.

    Inside other types, its casts ignore lengths.
    """
    return origin is None and isinstance(column.data_type, ArrayType | MapType | RowType)


def _delay(table: Table, column: int) -> int | None:
    """Return the delay of the watermark for a column, ``None`` if it has none of a known delay."""
    time = table._time
    is_time = time is not None and table._columns[column].position == time.position
    return time.delay if time is not None and is_time else None


def _time_zone(configuration: Configuration) -> dict[str, str]:
    """Return the setting of Spark for a time zone of TIMESTAMP_LTZ other than that of the machine."""
    is_set = local_zone(configuration) is not None
    return {"spark.sql.session.timeZone": configuration.get(LOCAL_TIME_ZONE)} if is_set else {}


def _input(number: int, table: Table) -> QueryInput:
    columns = tuple(InputColumn(column.name, column.position) for column in table._columns)
    return QueryInput(f"t{number}", columns)


def _declared_types(tree: exp.Query) -> list[DataType | None]:
    """Return the types of results that are literals or casts, which have lengths and digits of their own."""
    if tree.key != "select":
        return [None] * len(tree.named_selects)
    return [declared_type(field.unalias()) for field in tree.selects]


def _column(
    position: int,
    result: ResultColumn,
    origin: Origin | None,
    tables: Sequence[Table],
    declared: DataType | None,
) -> TableColumn:
    """Return a column of the results; one that passes on the values of another has its type."""
    if origin is not None:
        column = tables[origin.table]._columns[origin.column]
        nullable: Any = column.data_type.nullable() if result.is_nullable else column.data_type
        return replace(column, name=result.name, data_type=nullable, position=position)
    data_type = data_type_of(result.type_info, is_nullable=result.is_nullable)
    if declared is not None and declared.type_info == result.type_info:
        data_type = declared.nullable() if result.is_nullable else declared.not_null()
    return TableColumn(result.name, data_type, result.type_info, position)
