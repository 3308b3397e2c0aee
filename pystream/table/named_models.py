"""The models of an environment by name: those of catalogs, and temporary ones."""

from __future__ import annotations

from pystream.errors import PlanError
from pystream.table.catalog.objects import CatalogModel
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.catalog_manager import CatalogManager

__all__ = ["NamedModels"]


class NamedModels:
    """Models by name, in catalogs and, with the same names, temporary ones.

    Args:
        catalogs: the catalogs that names are looked for in.
    """

    def __init__(self, catalogs: CatalogManager) -> None:
        self._catalogs = catalogs
        self._temporary: dict[ObjectIdentifier, CatalogModel] = {}

    def add(self, path: str, model: CatalogModel, *, is_temporary: bool, if_not_exists: bool) -> None:
        """Add a model.

        Raises:
            PlanError: there is one of that name, and ``if_not_exists`` is false, or there is no such catalog
                or database.
        """
        identifier = self._catalogs.identify(path)
        catalog = self._catalogs.catalog(identifier.catalog_name)
        catalog.get_database(identifier.database_name)
        if not is_temporary:
            catalog.create_model(identifier.to_object_path(), model, if_not_exists)
        elif identifier not in self._temporary:
            self._temporary[identifier] = model
        elif not if_not_exists:
            shown = self._catalogs.shown(identifier)
            raise PlanError(
                f"there is already a temporary model of the name {shown!r}: drop it by drop_temporary_model, "
                "or choose another name"
            )

    def drop(self, path: str, *, if_exists: bool) -> bool:
        """Remove a model of a catalog, and return whether there was one of that name.

        Raises:
            PlanError: it is missing, and ``if_exists`` is false.
        """
        identifier = self._catalogs.identify(path)
        known = self._catalogs.has_catalog(identifier.catalog_name)
        catalog = self._catalogs.catalog(identifier.catalog_name) if known else None
        object_path = identifier.to_object_path()
        if catalog is None or not catalog.model_exists(object_path):
            if if_exists:
                return False
            raise self._catalogs.missing(identifier, "model", self.names())
        catalog.drop_model(object_path, False)
        return True

    def drop_temporary(self, path: str) -> bool:
        """Remove a temporary model, and return whether there was one of that name."""
        return self._temporary.pop(self._catalogs.identify(path), None) is not None

    def names(self) -> list[str]:
        """Return the names of the models of the current database in its catalog, sorted."""
        catalog, database = self._catalogs.current_catalog, self._catalogs.current_database
        return self._catalogs.catalog(catalog).list_models(database)

    def temporary_names(self) -> list[str]:
        """Return the names of the temporary models of the current database, sorted."""
        place = (self._catalogs.current_catalog, self._catalogs.current_database)
        return sorted(
            one.object_name for one in self._temporary if (one.catalog_name, one.database_name) == place
        )
