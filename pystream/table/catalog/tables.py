"""The tables and views of a catalog."""

from __future__ import annotations

from pystream.errors import ArgumentTypeError
from pystream.table.catalog.databases import CatalogDatabases
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import Kind
from pystream.util.exceptions import CatalogException
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogTables"]


@checks_arguments(ArgumentTypeError)
class CatalogTables(CatalogDatabases):
    """The tables and views of a catalog."""

    def list_tables(self, database_name: str) -> list[str]:
        """Return the names of the tables and views of a database, sorted.

        Raises:
            DatabaseNotExistException: there is no database of that name.
        """
        return self._names(Kind.TABLE, database_name)

    def list_views(self, database_name: str) -> list[str]:
        """Return the names of the views of a database, sorted.

        Raises:
            DatabaseNotExistException: there is no database of that name.
        """
        names = self.list_tables(database_name)
        return [n for n in names if self._store.get(Kind.TABLE, database_name, n).view is not None]

    def list_materialized_tables(self, database_name: str) -> list[str]:
        """Return no names: there are no materialized tables.

        Raises:
            DatabaseNotExistException: there is no database of that name.
        """
        self.get_database(database_name)
        return []

    def get_table(self, table_path: ObjectPath) -> CatalogBaseTable:
        """Return a table or view.

        Raises:
            TableNotExistException: there is none of that name.
        """
        table: CatalogBaseTable = self._get(Kind.TABLE, table_path)
        return table

    def table_exists(self, table_path: ObjectPath) -> bool:
        """Return whether there is a table or view of a name."""
        return self._has(Kind.TABLE, table_path)

    def drop_table(self, table_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        """Remove a table or view; what a table holds stays.

        Raises:
            TableNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        self._drop(Kind.TABLE, table_path, ignore_if_not_exists)
        self._moved(table_path, None)

    def rename_table(self, table_path: ObjectPath, new_table_name: str, ignore_if_not_exists: bool) -> None:
        """Give a table or view another name in its database.

        Raises:
            TableNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
            TableAlreadyExistException: the other name is taken.
        """
        if ignore_if_not_exists and not self.table_exists(table_path):
            return
        self._moved(table_path, self._rename(Kind.TABLE, table_path, new_table_name))

    def create_table(self, table_path: ObjectPath, table: CatalogBaseTable, ignore_if_exists: bool) -> None:
        """Add a table or view.

        Raises:
            DatabaseNotExistException: there is no such database.
            TableAlreadyExistException: there is one of that name, and ``ignore_if_exists`` is false.
        """
        self._create(Kind.TABLE, table_path, table, ignore_if_exists)

    def alter_table(
        self, table_path: ObjectPath, new_table: CatalogBaseTable, ignore_if_not_exists: bool
    ) -> None:
        """Replace a table or view.

        Raises:
            TableNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
            CatalogException: one is a table, the other a view.
        """
        if ignore_if_not_exists and not self.table_exists(table_path):
            return
        kind = self.get_table(table_path).kind
        if kind != new_table.kind:
            raise CatalogException(f"{table_path} is a {kind}, which a {new_table.kind} cannot replace")
        self._put(Kind.TABLE, table_path, new_table)
