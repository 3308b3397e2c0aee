"""Tables of the results of queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from pystream.errors import SqlError
from pystream.settings.modes import Runner
from pystream.sql_types.data_types import DataType
from pystream.table.session_zone import session_zone
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.table import Table

if TYPE_CHECKING:
    from pystream.table.algebra.node import RelNode
    from pystream.table.sql.analysis import AnalysedQuery
    from pystream.table.sql.relations import Relation
    from pystream.table.table_environment import TableEnvironment

__all__ = ["table_in_zone_of_now", "table_of_plan", "table_of_query", "table_of_relation"]

_NO_TABLES: Mapping[str, Table] = MappingProxyType({})


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
        UnsupportedOperationError: a table is unbounded, and the query combines rows in a way that is not
            supported; a table is updated; or Spark is needed, and the program runs on the local host.
        UnsupportedTypeError: a column of the results has a type that streams do not have.
    """
    from pystream.table.sql.analysis import analyse_query
    from pystream.table.sql.function_calls import bound_query
    from pystream.table.sql.options_hints import with_hinted_tables
    from pystream.table.sql.relations import Relation

    names = environment._catalogs
    if query.path is not None and names.find(names.identify(query.path)):
        return environment.from_path(query.path)
    tables: dict[str, Table] = {}

    def columns_of(path: str) -> list[tuple[str, DataType]]:
        tables[path] = given[path] if path in given else environment.from_path(path)
        return [(column.name, column.data_type) for column in tables[path]._columns]

    query, hinted = with_hinted_tables(query, environment._table_with_options)
    given = {**given, **hinted}
    query = bound_query(query, environment._functions.find, environment._functions.database)
    analysed = analyse_query(query, columns_of)
    relation = Relation.of_query(query.tree, tables, analysed.tree.named_selects)
    return _query_table(environment, analysed, [tables[path] for path in analysed.paths], relation)


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
    from pystream.table.sql.operation_calls import resolved_query

    try:
        relation = replace(relation, query=resolved_query(relation.query, environment._functions))
        analysed, tables = _analysed(relation)
        named = replace(analysed, paths=tuple(table._path for table in tables))
        return _query_table(environment, named, tables, relation)
    except SqlError as error:
        raise SqlError(f"{call}: {error}") from None


def table_of_plan(environment: TableEnvironment, plan: RelNode, table: Table) -> Table:
    """Return the table of the rows of a plan, the final ones if those that it reads are bounded.

    Args:
        environment: the environment of the tables.
        plan: the plan.
        table: the table that it reads.
    """
    from pystream.table.rules.final_rows import final_rows
    from pystream.table.spark_tables import is_unbounded
    from pystream.table.streaming.lowering import Lowering

    if not is_unbounded([table]):
        plan = final_rows(plan)
    return Lowering(environment).table(plan)


def _analysed(relation: Relation) -> tuple[AnalysedQuery, list[Table]]:
    """Return the query of a relation, and the tables that it reads."""
    from pystream.table.sql.analysis import analyse_query

    def columns_of(name: str) -> list[tuple[str, DataType]]:
        return [(column.name, column.data_type) for column in relation.tables[name]._columns]

    analysed = analyse_query(ParsedQuery("", relation.query), columns_of)
    return analysed, [relation.tables[name] for name in analysed.paths]


def _query_table(
    environment: TableEnvironment,
    analysed: AnalysedQuery,
    tables: Sequence[Table],
    relation: Relation,
) -> Table:
    from pystream.table.planner.pruning import pruned_query
    from pystream.table.planner.query_planner import planned_table
    from pystream.table.spark_tables import combines_rows, is_unbounded, spark_query, untimed
    from pystream.table.sql.beyond_spark import is_beyond_spark
    from pystream.table.streaming.lowering import Lowering

    is_local = environment._streams._host().runner is Runner.LOCAL
    has_updates = any(table._is_updating for table in tables)
    has_proctime = any(table._proctimes for table in tables)
    unbounded = is_unbounded(tables)
    is_for_spark = not (
        unbounded or is_local or has_updates or is_beyond_spark(analysed.tree, has_proctime=has_proctime)
    )
    if is_for_spark:
        tables = list(map(untimed, tables))
    analysed, tables = pruned_query(environment, analysed, tables, relation.read)
    if is_for_spark and combines_rows(analysed.tree, tables):
        return Lowering(environment).table(spark_query(environment, analysed, tables), relation)
    if unbounded:
        tables = [_streamed(environment, table) for table in tables]
    return planned_table(environment, analysed, tables, relation, at_end=not (unbounded or is_for_spark))


def table_in_zone_of_now(table: Table) -> Table:
    """Return the results of a query in the time zone that the session has now, as Flink computes them."""
    if table._relation is None or table._zone is None:
        return table
    environment = table._environment
    zone = session_zone(environment.get_config().get_configuration())
    if table._zone == zone:
        return table
    if table._in_zone is None or table._in_zone._zone != zone:
        table._in_zone = table_of_relation(environment, "SELECT", table._relation)
    return table._in_zone


def _streamed(environment: TableEnvironment, table: Table) -> Table:
    """Return a table for a query of unbounded tables.

    Spark combines rows of bounded tables only once they have ended, and an unbounded job never waits for
    that. So its operators combine those of a bounded view, too.
    """
    from pystream.table.planner.pruning import pruned_query
    from pystream.table.planner.query_planner import planned_table
    from pystream.table.spark_tables import combines_rows, is_unbounded

    relation = table._relation
    if relation is None or is_unbounded([table]) or not combines_rows(relation.query, relation.tables):
        return table
    analysed, tables = _analysed(relation)
    analysed, tables = pruned_query(environment, analysed, tables, relation.read)
    return planned_table(environment, analysed, [_streamed(environment, one) for one in tables], relation)
