"""Tables of the results of queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pystream.errors import SqlError, UnsupportedOperationError
from pystream.plan.query import InputColumn, Query, QueryInput, ResultColumn
from pystream.settings.configuration import Configuration
from pystream.settings.options import LOCAL_TIME_ZONE
from pystream.sql_types.data_types import DataType, DecimalType
from pystream.sql_types.stream_types import data_type_of
from pystream.table.columns import TableColumn, row_type
from pystream.table.sql.statements import ParsedQuery
from pystream.table.table import Table
from pystream.table.table_config import local_zone

if TYPE_CHECKING:
    from pystream.table.sql.queries import Origin, TranslatedQuery
    from pystream.table.sql.relations import Relation
    from pystream.table.table_environment import TableEnvironment

__all__ = ["table_of_query", "table_of_relation"]

_NO_TABLES: Mapping[str, Table] = MappingProxyType({})

_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
}
"""Settings of Spark by which names, TIMESTAMP and wrong values mean the same as in Flink."""


def table_of_query(
    environment: TableEnvironment, query: ParsedQuery, given: Mapping[str, Table] = _NO_TABLES
) -> Table:
    """Return the table of the results of a query.

    Args:
        environment: the environment of the tables.
        query: the query.
        given: tables that it reads by name, before those of the environment.

    Raises:
        SqlError: the query is wrong, or Spark cannot resolve it.
        PlanError: a table does not exist.
        UnsupportedOperationError: a table is unbounded, and the query combines several rows; or the program
            runs on the local host.
        UnsupportedTypeError: a column of the results has a type that streams do not have.
    """
    from pystream.table.sql.queries import translate_query
    from pystream.table.sql.relations import Relation

    if query.path is not None and query.path in environment._tables and "/*+" not in query.text:
        return environment.from_path(query.path)
    tables: dict[str, Table] = {}

    def columns_of(path: str) -> list[tuple[str, DataType]]:
        tables[path] = given[path] if path in given else environment.from_path(path)
        return [(column.name, column.data_type) for column in tables[path]._columns]

    translated = translate_query(query, columns_of, environment._functions.find)
    relation = Relation.of_query(query.tree, tables, translated.names)
    return _query_table(environment, translated, [tables[path] for path in translated.paths], relation)


def table_of_relation(environment: TableEnvironment, call: str, relation: Relation) -> Table:
    """Return the table of what a relational method builds.

    Args:
        environment: the environment of the tables.
        call: the name of the method.
        relation: what it builds.

    Raises:
        SqlError: Spark cannot resolve the query; the message names the method.
        UnsupportedOperationError: a table is unbounded, and the method combines several rows; or the program
            runs on the local host.
        UnsupportedTypeError: a column of the results has a type that streams do not have.
    """
    from pystream.table.sql.queries import translate_query

    def columns_of(name: str) -> list[tuple[str, DataType]]:
        return [(column.name, column.data_type) for column in relation.tables[name]._columns]

    try:
        query = ParsedQuery("", relation.query)
        translated = translate_query(query, columns_of, environment._functions.find)
        tables = [relation.tables[name] for name in translated.paths]
        return _query_table(environment, replace(translated, paths=(call,) * len(tables)), tables, relation)
    except SqlError as error:
        raise SqlError(f"{call}: {error}") from None


def _query_table(
    environment: TableEnvironment, translated: TranslatedQuery, tables: Sequence[Table], relation: Relation
) -> Table:
    """Return the table of the results of a query.

    Args:
        environment: the environment of the tables.
        translated: the query.
        tables: the tables that it reads, in order.
        relation: the query as it was before.

    Raises:
        SqlError: Spark cannot resolve the query.
        UnsupportedOperationError: a table is unbounded, and the query combines several rows; or the program
            runs on the local host.
        UnsupportedTypeError: a column of the results has a type that streams do not have.
    """
    streams = environment._streams
    inputs = [table._stream for table in tables]
    query = Query(
        text=translated.text,
        inputs=tuple(_input(number, table) for number, table in enumerate(tables)),
        settings={**_SETTINGS, **_time_zone(streams.get_configuration())},
        is_ordered=translated.is_ordered,
        functions=translated.functions,
        is_bounded=not streams._builder.plan([stream._node_id for stream in inputs]).unbounded_sources,
    )
    if not query.is_bounded:
        _refuse_unbounded(translated)
    try:
        results = streams._result_columns(query, inputs)
    except SqlError as error:
        raise translated.located(error) from None
    columns = [
        _column(position, result, origin, tables)
        for position, (result, origin) in enumerate(zip(results, translated.origins, strict=True))
    ]
    stream = streams._query(query, inputs, translated.paths, row_type(columns))
    return Table(environment, stream, columns, relation)


def _refuse_unbounded(translated: TranslatedQuery) -> None:
    """Refuse queries of unbounded tables that do not compute each row on its own.

    Raises:
        UnsupportedOperationError: the query combines several rows, or does not read one table.
    """
    spanning = translated.spanning
    if not spanning and len(translated.paths) == 1:
        return
    names = " and ".join(map(repr, translated.paths))
    raise UnsupportedOperationError(
        f"{spanning or 'a query of several tables'} is not supported yet for unbounded tables such as "
        f"{names}: convert the table by to_data_stream(), and use the operators of streams"
    )


def _time_zone(configuration: Configuration) -> dict[str, str]:
    """Return the setting of Spark for a time zone of TIMESTAMP_LTZ other than that of the machine."""
    is_set = local_zone(configuration) is not None
    return {"spark.sql.session.timeZone": configuration.get(LOCAL_TIME_ZONE)} if is_set else {}


def _input(number: int, table: Table) -> QueryInput:
    columns = tuple(InputColumn(column.name, column.position, _decimal(column)) for column in table._columns)
    return QueryInput(f"t{number}", columns)


def _decimal(column: TableColumn) -> tuple[int, int] | None:
    data_type = column.data_type
    return (data_type.precision, data_type.scale) if isinstance(data_type, DecimalType) else None


def _column(
    position: int, result: ResultColumn, origin: Origin | None, tables: Sequence[Table]
) -> TableColumn:
    """Return a column of the results; one that passes on the values of another has its type."""
    if origin is not None:
        column = tables[origin.table]._columns[origin.column]
        nullable: Any = column.data_type.nullable() if result.is_nullable else column.data_type
        return replace(column, name=result.name, data_type=nullable, position=position)
    data_type = data_type_of(result.type_info, is_nullable=result.is_nullable)
    if result.decimal is not None:
        data_type = DecimalType(*result.decimal, is_nullable=result.is_nullable)
    return TableColumn(result.name, data_type, result.type_info, position)
