"""The models of a catalog."""

from __future__ import annotations

from pystream.errors import ArgumentTypeError
from pystream.table.catalog.databases import CatalogDatabases
from pystream.table.catalog.objects import CatalogModel
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import Kind
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogModels"]


@checks_arguments(ArgumentTypeError)
class CatalogModels(CatalogDatabases):
    """The models of a catalog, which are kept but not called by queries."""

    def list_models(self, database_name: str) -> list[str]:
        """Return the names of the models of a database, sorted.

        Raises:
            DatabaseNotExistException: there is no database of that name.
        """
        return self._names(Kind.MODEL, database_name)

    def get_model(self, model_path: ObjectPath) -> CatalogModel:
        """Return a model.

        Raises:
            ModelNotExistException: there is none of that name.
        """
        model: CatalogModel = self._get(Kind.MODEL, model_path)
        return model

    def model_exists(self, model_path: ObjectPath) -> bool:
        """Return whether there is a model of a name."""
        return self._has(Kind.MODEL, model_path)

    def drop_model(self, model_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        """Remove a model.

        Raises:
            ModelNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        self._drop(Kind.MODEL, model_path, ignore_if_not_exists)

    def rename_model(self, model_path: ObjectPath, new_model_name: str, ignore_if_not_exists: bool) -> None:
        """Give a model another name in its database.

        Raises:
            ModelNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
            ModelAlreadyExistException: the other name is taken.
        """
        if not ignore_if_not_exists or self.model_exists(model_path):
            self._rename(Kind.MODEL, model_path, new_model_name)

    def create_model(self, model_path: ObjectPath, model: CatalogModel, ignore_if_exists: bool) -> None:
        """Add a model.

        Raises:
            DatabaseNotExistException: there is no such database.
            ModelAlreadyExistException: there is one of that name, and ``ignore_if_exists`` is false.
        """
        self._create(Kind.MODEL, model_path, model, ignore_if_exists)

    def alter_model(
        self, model_path: ObjectPath, new_model: CatalogModel, ignore_if_not_exists: bool
    ) -> None:
        """Replace a model.

        Raises:
            ModelNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        if not ignore_if_not_exists or self.model_exists(model_path):
            self.get_model(model_path)
            self._put(Kind.MODEL, model_path, new_model)
