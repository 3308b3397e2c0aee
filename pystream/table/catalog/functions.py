"""The functions of a catalog."""

from __future__ import annotations

from pystream.errors import ArgumentTypeError, UnsupportedOperationError
from pystream.table.catalog.databases import CatalogDatabases
from pystream.table.catalog.objects import CatalogFunction
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import Kind
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogFunctions", "Procedure"]


@checks_arguments(ArgumentTypeError)
class CatalogFunctions(CatalogDatabases):
    """The functions of a catalog; upper and lower case of their names do not differ."""

    def list_functions(self, database_name: str) -> list[str]:
        """Return the names of the functions of a database, in lower case and sorted.

        Raises:
            DatabaseNotExistException: there is no database of that name.
        """
        return self._names(Kind.FUNCTION, database_name)

    def get_function(self, function_path: ObjectPath) -> CatalogFunction:
        """Return a function.

        Raises:
            FunctionNotExistException: there is none of that name.
        """
        function: CatalogFunction = self._get(Kind.FUNCTION, _lower(function_path))
        return function

    def function_exists(self, function_path: ObjectPath) -> bool:
        """Return whether there is a function of a name."""
        return self._has(Kind.FUNCTION, _lower(function_path))

    def create_function(
        self, function_path: ObjectPath, function: CatalogFunction, ignore_if_exists: bool
    ) -> None:
        """Add a function.

        Raises:
            DatabaseNotExistException: there is no such database.
            FunctionAlreadyExistException: there is one of that name, and ``ignore_if_exists`` is false.
        """
        self._create(Kind.FUNCTION, _lower(function_path), function, ignore_if_exists)

    def alter_function(
        self, function_path: ObjectPath, new_function: CatalogFunction, ignore_if_not_exists: bool
    ) -> None:
        """Replace a function.

        Raises:
            FunctionNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        path = _lower(function_path)
        if not ignore_if_not_exists or self.function_exists(path):
            self.get_function(path)
            self._put(Kind.FUNCTION, path, new_function)

    def drop_function(self, function_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        """Remove a function.

        Raises:
            FunctionNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        self._drop(Kind.FUNCTION, _lower(function_path), ignore_if_not_exists)

    def list_procedures(self, database_name: str) -> list[str]:
        """Refuse to list procedures, as Flink's catalogs do.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _procedures(self._name)

    def get_procedure(self, procedure_path: ObjectPath) -> Procedure:
        """Refuse to return a procedure, as Flink's catalogs do.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _procedures(self._name)


class Procedure:
    """A stored procedure, which no catalog has; for annotations.

    Mirrors ``org.apache.flink.table.procedures.Procedure``.
    """


def _procedures(catalog: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"the catalog {catalog!r} has no procedures, which only catalogs written in Java have; write a "
        "function with udf"
    )


def _lower(path: ObjectPath) -> ObjectPath:
    return ObjectPath(path.database_name, path.object_name.lower())
