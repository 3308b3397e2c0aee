"""The execution of statements: what each of them does to the tables of an environment, and its result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from pystream.errors import PlanError
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import TableColumn, columns_of_schema
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.registry import connector_of
from pystream.table.explain_detail import ExplainDetail
from pystream.table.inserts import add_sink, insert_of, start_inserts
from pystream.table.plan_text import plan_of_sinks
from pystream.table.printed_rows import raw_lines
from pystream.table.query_tables import table_of_query
from pystream.table.result_kind import ResultKind
from pystream.table.sql.statements import (
    CreateTable,
    CreateView,
    DescribeTable,
    DropTable,
    Explain,
    Insert,
    ParsedQuery,
    ShowTables,
    Statement,
)
from pystream.table.table import Table
from pystream.table.table_result import TableResult, given_rows
from typeinfo.row import Row
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["execute_statement", "explain_statement"]


def execute_statement(environment: TableEnvironment, statement: Statement) -> TableResult:
    """Execute a statement.

    Args:
        environment: the environment of the tables.
        statement: the statement.

    Raises:
        SqlError: a query is wrong.
        PlanError: a table does not exist, or exists already.
        ConfigurationError: an option of a connector is wrong.
    """
    match statement:
        case CreateTable():
            return _create_table(environment, statement)
        case CreateView():
            return _create_view(environment, statement)
        case DropTable():
            return _drop(environment, statement)
        case ShowTables(only_views=True):
            return _listing(["view name"], [[name] for name in environment.list_views()])
        case ShowTables():
            return _listing(["table name"], [[name] for name in environment.list_tables()])
        case DescribeTable(path):
            return _describe(environment, path)
        case Insert():
            return start_inserts(environment, [insert_of(environment, statement)])
        case Explain(explained):
            return _text(explain_statement(environment, explained))
        case ParsedQuery():
            return table_of_query(environment, statement).execute()


def explain_statement(
    environment: TableEnvironment, statement: ParsedQuery | Insert, details: Collection[ExplainDetail] = ()
) -> str:
    """Return the plan of a query or an INSERT as text.

    Args:
        environment: the environment of the tables.
        statement: the query or INSERT.
        details: what else is to be seen.

    Raises:
        SqlError: the query is wrong.
        PlanError: a table does not exist, or the table to write to is only read, or a view.
        PlanTypeError: its columns are not those of the rows.
        UnsupportedOperationError: rows are to be replaced or updated, and the connector only appends.
    """
    if isinstance(statement, ParsedQuery):
        return table_of_query(environment, statement).explain(*details)
    sink = add_sink(environment, *insert_of(environment, statement))
    return plan_of_sinks(environment, [sink], details)


def _create_table(environment: TableEnvironment, statement: CreateTable) -> TableResult:
    if statement.path in environment._tables and statement.if_not_exists:
        return _success()
    owner = f"table {statement.path!r}"
    columns = columns_of_schema(statement.schema, owner)
    definition = TableDefinition(statement.path, columns, statement.schema, statement.options)
    environment._tables.add(statement.path, connector_of(definition))
    return _success()


def _drop(environment: TableEnvironment, statement: DropTable) -> TableResult:
    kind: type[Any] = Table if statement.is_view else Connector
    if not environment._tables.remove(statement.path, kind) and not statement.if_exists:
        names = ", ".join(environment._tables.names(kind)) or "none"
        what = "view" if statement.is_view else "table"
        raise PlanError(f"there is no {what} of the name {statement.path!r}; there are: {names}")
    return _success()


def _describe(environment: TableEnvironment, path: str) -> TableResult:
    entry = environment._tables.get(path)
    if isinstance(entry, Connector) and len(entry.table.schema.columns) > len(entry.table.columns):
        entry = environment.from_path(path)  # the types of computed columns are those of a query
    columns = entry._columns if isinstance(entry, Table) else entry.table.columns
    rows = [
        [column.name, str(column.data_type.nullable()), str(column.data_type.is_nullable).upper()]
        for column in columns
    ]
    return _listing(["name", "type", "null"], rows)


def _create_view(environment: TableEnvironment, statement: CreateView) -> TableResult:
    exists = statement.path in environment._tables
    if exists and statement.if_not_exists:
        return _success()
    table = table_of_query(environment, statement.query)
    if statement.names:
        if len(statement.names) != len(table._columns):
            raise PlanError(
                f"view {statement.path!r} has {len(statement.names)} names for {len(table._columns)} columns"
            )
        table = table.alias(*statement.names)
    if exists and statement.replaces:
        environment._tables.remove(statement.path, Table)
    environment._tables.add(statement.path, table)
    return _success()


def _success() -> TableResult:
    return _text("OK", ResultKind.SUCCESS)


def _text(text: str, kind: ResultKind = ResultKind.SUCCESS_WITH_CONTENT) -> TableResult:
    """Return the result of a statement whose only row is a text."""
    column = TableColumn("result", DataTypes.STRING(), Types.STRING(), 0)
    return TableResult([column], lambda: given_rows([Row(text)]), raw_lines, kind=kind)


def _listing(names: Sequence[str], rows: Sequence[Sequence[str]]) -> TableResult:
    columns = [
        TableColumn(name, DataTypes.STRING(nullable=False), Types.STRING(), position)
        for position, name in enumerate(names)
    ]
    return TableResult(columns, lambda: given_rows([Row(*row) for row in rows]))
