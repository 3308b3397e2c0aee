"""The methods of a table environment on catalogs and databases."""

from __future__ import annotations

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError
from pystream.table.catalog import Catalog, CatalogDescriptor
from pystream.table.catalog_manager import CatalogManager
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogMethods"]


@checks_arguments(ArgumentTypeError)
class CatalogMethods:
    """Catalogs and their databases, and the names of the temporary tables and views in the current one."""

    _catalogs: CatalogManager

    def create_catalog(self, catalog_name: str, catalog_descriptor: CatalogDescriptor) -> None:
        """Make and add a catalog.

        Args:
            catalog_name: its name.
            catalog_descriptor: its options: ``type`` is ``generic_in_memory`` or ``file``.

        Raises:
            PlanError: there is one of that name.
            ConfigurationError: an option is missing or wrong.

        Mirrors ``TableEnvironment.createCatalog``.
        """
        require(catalog_descriptor, CatalogDescriptor, "create_catalog", "a CatalogDescriptor")
        options, comment = catalog_descriptor.options, catalog_descriptor.comment
        self._catalogs.create_catalog(catalog_name, options, comment)

    def register_catalog(self, catalog_name: str, catalog: Catalog) -> None:
        """Add a catalog.

        Raises:
            PlanError: there is one of that name.

        Mirrors ``TableEnvironment.registerCatalog``.
        """
        require(catalog, Catalog, "register_catalog", "a Catalog")
        self._catalogs.register_catalog(catalog_name, catalog)

    def get_catalog(self, catalog_name: str) -> Catalog | None:
        """Return a catalog, ``None`` if there is none of that name."""
        return self._catalogs.catalog(catalog_name) if self._catalogs.has_catalog(catalog_name) else None

    def list_catalogs(self) -> list[str]:
        """Return the names of the catalogs, sorted."""
        return self._catalogs.catalogs()

    def list_databases(self) -> list[str]:
        """Return the names of the databases of the current catalog, sorted."""
        return self._catalogs.catalog(self._catalogs.current_catalog).list_databases()

    def get_current_catalog(self) -> str:
        """Return the name of the catalog in which names without one are looked for."""
        return self._catalogs.current_catalog

    def get_current_database(self) -> str:
        """Return the name of the database in which names without one are looked for."""
        return self._catalogs.current_database

    def use_catalog(self, catalog_name: str) -> None:
        """Make a catalog, and its default database, the current ones.

        Raises:
            PlanError: there is none of that name.

        Mirrors ``TableEnvironment.useCatalog``.
        """
        self._catalogs.use_catalog(catalog_name)

    def use_database(self, database_name: str) -> None:
        """Make a database of the current catalog the current one.

        Raises:
            PlanError: there is none of that name.

        Mirrors ``TableEnvironment.useDatabase``.
        """
        self._catalogs.use_database(database_name)

    def list_materialized_tables(self) -> list[str]:
        """Return no names: there are no materialized tables."""
        return []

    def list_temporary_tables(self) -> list[str]:
        """Return the names of the temporary tables and views of the current database, sorted."""
        return self._catalogs.temporary_names()

    def list_temporary_views(self) -> list[str]:
        """Return the names of the temporary views of the current database, sorted."""
        return self._catalogs.temporary_names(views=True)
