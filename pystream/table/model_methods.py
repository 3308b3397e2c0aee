"""The methods of a table environment on models."""

from __future__ import annotations

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError
from pystream.table.model_descriptor import ModelDescriptor, catalog_model
from pystream.table.named_models import NamedModels
from typeinfo.arguments import checks_arguments

__all__ = ["ModelMethods"]


@checks_arguments(ArgumentTypeError)
class ModelMethods:
    """Models of catalogs, and temporary ones, which are kept but not called by queries."""

    _models: NamedModels

    def create_model(
        self, model_path: str, model_descriptor: ModelDescriptor, ignore_if_exists: bool | None = False
    ) -> None:
        """Add a model to its catalog.

        Args:
            model_path: its name.
            model_descriptor: describes it.
            ignore_if_exists: whether there may be a model of that name, which then stays.

        Raises:
            PlanError: there is one of that name, there is no such database, or the descriptor lacks columns.

        Mirrors ``TableEnvironment.createModel``.
        """
        self._add("create_model", model_path, model_descriptor, ignore_if_exists, is_temporary=False)

    def create_temporary_model(
        self, model_path: str, model_descriptor: ModelDescriptor, ignore_if_exists: bool | None = False
    ) -> None:
        """Add a model that ends with the program.

        Args:
            model_path: its name.
            model_descriptor: describes it.
            ignore_if_exists: whether there may be a temporary model of that name, which then stays.

        Raises:
            PlanError: there is one of that name, there is no such database, or the descriptor lacks columns.

        Mirrors ``TableEnvironment.createTemporaryModel``.
        """
        self._add("create_temporary_model", model_path, model_descriptor, ignore_if_exists, is_temporary=True)

    def _add(
        self, call: str, path: str, descriptor: ModelDescriptor, ignore: bool | None, *, is_temporary: bool
    ) -> None:
        require(descriptor, ModelDescriptor, call, "a ModelDescriptor")
        model = catalog_model(descriptor, call)
        self._models.add(path, model, is_temporary=is_temporary, if_not_exists=bool(ignore))

    def drop_model(self, model_path: str, ignore_if_not_exists: bool | None = True) -> bool:
        """Remove a model of a catalog, and return whether there was one of that name.

        Args:
            model_path: its name.
            ignore_if_not_exists: whether it may be missing.

        Raises:
            PlanError: it is missing.

        Mirrors ``TableEnvironment.dropModel``.
        """
        return self._models.drop(model_path, if_exists=bool(ignore_if_not_exists))

    def drop_temporary_model(self, model_path: str) -> bool:
        """Remove a temporary model, and return whether there was one of that name."""
        return self._models.drop_temporary(model_path)

    def list_models(self) -> list[str]:
        """Return the names of the models of the current database, without temporary ones, sorted."""
        return self._models.names()

    def list_temporary_models(self) -> list[str]:
        """Return the names of the temporary models of the current database, sorted."""
        return self._models.temporary_names()
