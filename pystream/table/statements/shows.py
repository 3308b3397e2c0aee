"""SHOW and DESCRIBE of tables, views and columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.errors import PlanError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog_manager import is_view
from pystream.table.columns import columns_of_schema, row_type
from pystream.table.declarations import with_declarations
from pystream.table.schema import Column, ComputedColumn, MetadataColumn, PhysicalColumn, Schema
from pystream.table.statements.base import Pattern, Statement, listing, names_listing, text_result
from pystream.table.statements.databases import database_of
from pystream.table.statements.texts import create_table_text, create_view_text, shown_expression
from pystream.table.table import Table
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["DescribeTable", "ShowCreate", "ShowPartitions", "ShowTables"]


@dataclass(frozen=True, slots=True)
class ShowTables(Statement):
    """``SHOW TABLES`` and ``SHOW VIEWS``.

    Attributes:
        only_views: whether only views are shown.
        database: the database, with the name of the catalog if it has one; the current one unless given.
        pattern: those that are shown; all unless given.
    """

    only_views: bool
    database: str | None = None
    pattern: Pattern | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the names of the tables and views."""
        place = database_of(environment._catalogs, self.database)
        names = environment._catalogs.names(*place, True if self.only_views else None)
        return names_listing("view name" if self.only_views else "table name", names, self.pattern)


@dataclass(frozen=True, slots=True)
class DescribeTable(Statement):
    """``DESCRIBE`` and ``SHOW COLUMNS``.

    Attributes:
        path: the name of the table or view.
        pattern: the columns that are shown; all unless given.
    """

    path: str
    pattern: Pattern | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return a row for each column."""
        entry = environment._catalogs.get(self.path)
        table = _declared(entry) if isinstance(entry, Table) else entry
        types = _computed_types(environment, self.path, table)
        rows = [_row(column, table, types) for column in table.schema.columns]
        if self.pattern is not None:
            rows = [row for row in rows if self.pattern.matches(row[0])]
        names = ["name", "type", "null", "key", "extras", "watermark", "comment"]
        text = DataTypes.STRING()
        kinds = [text, text, DataTypes.BOOLEAN(), *(text,) * 4]
        width = 7 if any(row[-1] is not None for row in rows) or _has_comments(table) else 6
        return listing(names[:width], [row[:width] for row in rows], *kinds[:width])


def _has_comments(table: CatalogBaseTable) -> bool:
    return any(column.comment is not None for column in table.schema.columns)


def _declared(table: Table) -> CatalogBaseTable:
    return CatalogBaseTable(Schema(tuple(PhysicalColumn(c.name, c.data_type) for c in table._columns)))


def _computed_types(environment: TableEnvironment, path: str, table: CatalogBaseTable) -> dict[str, DataType]:
    """Return the types of computed columns by name, which are those of a query."""
    schema = table.schema
    if not any(isinstance(column, ComputedColumn) for column in schema.columns):
        return {}
    columns = columns_of_schema(schema, f"table {path!r}")
    nothing: list[Any] = []
    rows = environment._streams.from_collection(nothing, row_type(columns))
    computed = with_declarations(Table(environment, rows, columns), Schema(schema.columns))
    return {column.name: column.data_type for column in computed._columns}


def _row(column: Column, table: CatalogBaseTable, types: dict[str, DataType]) -> list[Any]:
    data_type = types[column.name] if isinstance(column, ComputedColumn) else column.data_type
    extras = None
    match column:
        case ComputedColumn():
            extras = f"AS {shown_expression(column.expression, table)}"
        case MetadataColumn():
            extras = column.origin
    keys = table.schema.primary_key_columns
    marks = {mark.column: mark.expression for mark in table.schema.watermarks}
    mark = marks.get(column.name)
    return [
        column.name,
        str(data_type.nullable()),
        data_type.is_nullable,
        f"PRI({', '.join(keys)})" if column.name in keys else None,
        extras,
        None if mark is None else shown_expression(mark, table),
        column.comment,
    ]


@dataclass(frozen=True, slots=True)
class ShowPartitions(Statement):
    """``SHOW PARTITIONS``.

    Attributes:
        path: the name of the table.
    """

    path: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the partitions that the catalog knows of the table."""
        manager = environment._catalogs
        identifier = manager.identify(self.path)
        catalog = manager.catalog(identifier.catalog_name)
        specs = [one.get_partition_spec() for one in catalog.list_partitions(identifier.to_object_path())]
        return names_listing("partition name", ["/".join(f"{k}={v}" for k, v in s.items()) for s in specs])


@dataclass(frozen=True, slots=True)
class ShowCreate(Statement):
    """``SHOW CREATE TABLE`` and ``SHOW CREATE VIEW``.

    Attributes:
        path: the name of the table or view.
        is_view: whether a view is shown.
    """

    path: str
    is_view: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the statement that makes the table or view."""
        entry = environment._catalogs.get(self.path)
        identifier = environment._catalogs.identify(self.path)
        if is_view(entry) is not self.is_view:
            own, other = ("VIEW", "table") if self.is_view else ("TABLE", "view")
            raise PlanError(
                f"SHOW CREATE {own}: {self.path!r} is a {other}; SHOW CREATE {other.upper()} shows it"
            )
        if isinstance(entry, Table):
            raise PlanError(f"{self.path!r} is a table of the program, which no statement has made")
        is_temporary = environment._catalogs.is_temporary(identifier)
        text = create_view_text if self.is_view else create_table_text
        return text_result(text(identifier, entry, is_temporary=is_temporary))
