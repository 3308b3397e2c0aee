"""Statements on databases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.table.catalog.catalog import Catalog
from pystream.table.catalog.objects import CatalogDatabase
from pystream.table.catalog.paths import path_parts
from pystream.table.statements.base import Pattern, Statement, names_listing, success
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.catalog_manager import CatalogManager
    from pystream.table.table_environment import TableEnvironment

__all__ = [
    "CreateDatabase",
    "DropDatabase",
    "SetDatabase",
    "ShowCurrentDatabase",
    "ShowDatabases",
    "UseDatabase",
    "database_of",
]


def database_of(manager: CatalogManager, path: str | None) -> tuple[str, str]:
    """Return the names of the catalog and the database that a name stands for.

    Args:
        manager: the catalogs.
        path: the name, with that of the catalog if it has one; the current database unless given.

    Raises:
        PlanError: the name has more than two parts.
    """
    if path is None:
        return manager.current_catalog, manager.current_database
    parts = path_parts(path)
    if len(parts) > 2:
        raise PlanError(f"{path!r}: the name of a database has at most two parts, catalog.database")
    return (manager.current_catalog, *parts)[-2:]  # type: ignore[return-value]  # of two


@dataclass(frozen=True, slots=True)
class _Database(Statement):
    path: str

    def _found(self, environment: TableEnvironment) -> tuple[Catalog, str]:
        catalog, name = database_of(environment._catalogs, self.path)
        return environment._catalogs.catalog(catalog), name


@dataclass(frozen=True, slots=True)
class CreateDatabase(_Database):
    """``CREATE DATABASE``.

    Attributes:
        path: its name, with that of the catalog if it has one.
        properties: the properties of ``WITH``.
        if_not_exists: whether there may be one of that name, which then stays.
        comment: its comment, if it has one.
    """

    properties: Mapping[str, str] = field(repr=False)
    if_not_exists: bool = False
    comment: str | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the database."""
        catalog, name = self._found(environment)
        catalog.create_database(
            name, CatalogDatabase(dict(self.properties), self.comment), self.if_not_exists
        )
        return success()


@dataclass(frozen=True, slots=True)
class DropDatabase(_Database):
    """``DROP DATABASE``.

    Attributes:
        path: its name, with that of the catalog if it has one.
        if_exists: whether it may be missing.
        cascade: whether what is in it is removed, too.
    """

    if_exists: bool
    cascade: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Remove the database."""
        manager = environment._catalogs
        if database_of(manager, self.path) == (manager.current_catalog, manager.current_database):
            raise PlanError(
                f"database {self.path!r} is the current one: USE another one before it is dropped"
            )
        catalog, name = self._found(environment)
        catalog.drop_database(name, self.if_exists, self.cascade)
        return success()


@dataclass(frozen=True, slots=True)
class SetDatabase(_Database):
    """``ALTER DATABASE name SET (…)``.

    Attributes:
        path: its name, with that of the catalog if it has one.
        properties: the properties that change.
    """

    properties: Mapping[str, str] = field(repr=False)

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Change properties."""
        catalog, name = self._found(environment)
        old = catalog.get_database(name)
        changed = CatalogDatabase({**old.properties, **self.properties}, old.comment)
        catalog.alter_database(name, changed, False)
        return success()


@dataclass(frozen=True, slots=True)
class UseDatabase(_Database):
    """``USE``.

    Attributes:
        path: the database that becomes the current one, with the name of the catalog if it has one.
    """

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Make the database the current one."""
        catalog, name = database_of(environment._catalogs, self.path)
        environment._catalogs.use_database(name, catalog)
        return success()


@dataclass(frozen=True, slots=True)
class ShowDatabases(Statement):
    """``SHOW DATABASES``.

    Attributes:
        catalog: the catalog; the current one unless given.
        pattern: those that are shown; all unless given.
    """

    catalog: str | None
    pattern: Pattern | None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the names of the databases."""
        manager = environment._catalogs
        catalog = manager.catalog(self.catalog or manager.current_catalog)
        return names_listing("database name", catalog.list_databases(), self.pattern)


@dataclass(frozen=True, slots=True)
class ShowCurrentDatabase(Statement):
    """``SHOW CURRENT DATABASE``."""

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the name of the current database."""
        return names_listing("current database name", [environment._catalogs.current_database])
