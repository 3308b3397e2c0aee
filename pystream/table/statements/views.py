"""CREATE VIEW and ALTER VIEW."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.table.catalog.objects import CatalogBaseTable, View
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.catalog_manager import CatalogManager, is_view
from pystream.table.query_tables import table_of_query
from pystream.table.schema import PhysicalColumn, Schema
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.statements.base import Statement, success
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["AlterViewQuery", "CreateView", "RenameView"]


@dataclass(frozen=True, slots=True)
class CreateView(Statement):
    """``CREATE VIEW``.

    Attributes:
        path: the name of the view.
        names: names for its columns; those of the query unless given.
        query: its query.
        if_not_exists: whether a view of that name may exist, which then stays.
        replaces: whether a view of that name may exist, which is replaced.
        is_temporary: whether it ends with the program.
        comment: its comment, if it has one.
    """

    path: str
    names: tuple[str, ...]
    query: ParsedQuery
    if_not_exists: bool
    replaces: bool
    is_temporary: bool = False
    comment: str | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the view; its query is checked."""
        manager = environment._catalogs
        identifier = manager.identify(self.path)
        exists = manager.exists(identifier, is_temporary=self.is_temporary)
        if exists and self.if_not_exists:
            return success()
        view = _view(environment, self.path, self.names, self.query, self.comment)
        if not (exists and self.replaces):
            manager.create(self.path, view, is_temporary=self.is_temporary)
        elif self.is_temporary:
            manager.alter_temporary(identifier, view)
        else:
            manager.alter(identifier, view)
        return success()


@dataclass(frozen=True, slots=True)
class AlterViewQuery(Statement):
    """``ALTER VIEW name AS query``.

    Attributes:
        path: the name of the view.
        query: its new query.
    """

    path: str
    query: ParsedQuery

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Replace the query of the view."""
        identifier, old = _permanent_view(environment, self.path)
        new = _view(environment, self.path, (), self.query, old.comment)
        environment._catalogs.alter(identifier, replace(new, options=old.options))
        return success()


@dataclass(frozen=True, slots=True)
class RenameView(Statement):
    """``ALTER VIEW name RENAME TO name``.

    Attributes:
        path: the name of the view.
        new_path: its new name, in the same database.
    """

    path: str
    new_path: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Give the view another name."""
        from pystream.table.sql.parser import parse_query

        manager = environment._catalogs
        identifier, found = _permanent_view(environment, self.path)
        name = manager.renamed(identifier, self.new_path)
        assert found.view is not None
        new = ObjectIdentifier(identifier.catalog_name, identifier.database_name, name)
        _check_reads_others(manager, new, parse_query(found.view.expanded_query))
        manager.rename(identifier, name)
        return success()


def _permanent_view(environment: TableEnvironment, path: str) -> tuple[ObjectIdentifier, CatalogBaseTable]:
    manager = environment._catalogs
    identifier = manager.identify(path)
    found = manager.find_permanent(identifier)
    if manager.is_temporary(identifier):
        raise PlanError(f"{path!r} is temporary; ALTER VIEW changes views of catalogs")
    if found is None:
        names = manager.permanent_names(identifier.catalog_name, identifier.database_name, views=True)
        raise manager.missing(identifier, "view of a catalog", names)
    if not is_view(found):
        raise PlanError(f"{path!r} is a table: ALTER TABLE changes it")
    return identifier, found


def _check_reads_others(manager: CatalogManager, identifier: ObjectIdentifier, query: ParsedQuery) -> None:
    from pystream.table.sql.expanded_queries import reads

    if reads(query, identifier, manager):
        raise PlanError(
            f"view {manager.shown(identifier)!r} would read itself; use other tables and views in its query"
        )


def _view(
    environment: TableEnvironment, path: str, names: tuple[str, ...], query: ParsedQuery, comment: str | None
) -> CatalogBaseTable:
    from pystream.table.sql.expanded_queries import expanded_query

    manager = environment._catalogs
    _check_reads_others(manager, manager.identify(path), query)
    table = table_of_query(environment, query)
    columns = table._columns
    if names and len(names) != len(columns):
        raise PlanError(f"view {path!r} has {len(names)} names for {len(columns)} columns")
    schema = Schema(
        tuple(
            PhysicalColumn(name, column.data_type)
            for name, column in zip(names or [c.name for c in columns], columns, strict=True)
        )
    )
    expanded = expanded_query(query, manager, environment._functions)
    view = View(query.written, expanded, tuple(column.name for column in columns))
    return CatalogBaseTable(schema, (), {}, comment, view)
