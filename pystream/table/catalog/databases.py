"""The databases of a catalog, and what all kinds of objects in them have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pystream.errors import ArgumentTypeError
from pystream.table.catalog.objects import CatalogDatabase
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import CatalogStore, Kept, Kind
from pystream.util.exceptions import (
    DatabaseAlreadyExistException,
    DatabaseNotEmptyException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    JavaException,
    ModelAlreadyExistException,
    ModelNotExistException,
    TableAlreadyExistException,
    TableNotExistException,
)
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogDatabases"]

_NAMING: dict[Kind, tuple[str, type[JavaException], type[JavaException]]] = {
    Kind.TABLE: ("table or view", TableNotExistException, TableAlreadyExistException),
    Kind.FUNCTION: ("function", FunctionNotExistException, FunctionAlreadyExistException),
    Kind.MODEL: ("model", ModelNotExistException, ModelAlreadyExistException),
}


@checks_arguments(ArgumentTypeError)
class CatalogDatabases:
    """The databases of a catalog.

    Attributes:
        changes: how often a database or something in one was added, replaced or removed.

    Args:
        store: where they are kept.
        name: the name of the catalog, for messages.
        default_database: the name of the database that is current first; it is made if it is missing.
    """

    def __init__(self, store: CatalogStore, name: str, default_database: str) -> None:
        self.changes: int = 0
        self._store = store
        self._name = name
        self._default = default_database
        if store.database(default_database) is None:
            store.put_database(default_database, CatalogDatabase())

    def get_default_database(self) -> str:
        """Return the name of the database that is current first."""
        return self._default

    def list_databases(self) -> list[str]:
        """Return the names of the databases, sorted."""
        return self._store.databases()

    def get_database(self, database_name: str) -> CatalogDatabase:
        """Return a database.

        Raises:
            DatabaseNotExistException: there is none of that name.
        """
        found = self._store.database(database_name)
        if found is None:
            raise DatabaseNotExistException(
                f"there is no database {database_name!r} in the catalog {self._name!r}; there are: "
                f"{_listed(self.list_databases())}"
            )
        return found

    def database_exists(self, database_name: str) -> bool:
        """Return whether there is a database of a name."""
        return self._store.database(database_name) is not None

    def create_database(self, name: str, database: CatalogDatabase, ignore_if_exists: bool) -> None:
        """Add a database.

        Raises:
            DatabaseAlreadyExistException: there is one of that name, and ``ignore_if_exists`` is false.
        """
        if not self.database_exists(name):
            self._put_database(name, database)
        elif not ignore_if_exists:
            raise DatabaseAlreadyExistException(
                f"there is already a database {name!r} in the catalog {self._name!r}"
            )

    def drop_database(self, name: str, ignore_if_exists: bool, cascade: bool = False) -> None:
        """Remove a database.

        Args:
            name: its name.
            ignore_if_exists: whether it may be missing.
            cascade: whether what is in it is removed, too.

        Raises:
            DatabaseNotExistException: there is none of that name, and ``ignore_if_exists`` is false.
            DatabaseNotEmptyException: it is not empty, and ``cascade`` is false.
        """
        if ignore_if_exists and not self.database_exists(name):
            return
        self.get_database(name)
        inside = [one for kind in Kind for one in self._store.names(kind, name)]
        if inside and not cascade:
            raise DatabaseNotEmptyException(
                f"the database {name!r} in the catalog {self._name!r} is not empty: drop {inside[0]!r} and "
                "what else is in it first, or add CASCADE"
            )
        for table in self._store.names(Kind.TABLE, name):
            self._moved(ObjectPath(name, table), None)
        self.changes += 1
        self._store.remove_database(name)

    def alter_database(self, name: str, new_database: CatalogDatabase, ignore_if_not_exists: bool) -> None:
        """Replace the properties and the comment of a database.

        Raises:
            DatabaseNotExistException: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        if ignore_if_not_exists and not self.database_exists(name):
            return
        self.get_database(name)
        self._put_database(name, new_database)

    def _has(self, kind: Kind, path: ObjectPath) -> bool:
        return self.database_exists(path.database_name) and self._store.has(
            kind, path.database_name, path.object_name
        )

    def _names(self, kind: Kind, database: str) -> list[str]:
        self.get_database(database)
        return self._store.names(kind, database)

    def _get(self, kind: Kind, path: ObjectPath) -> Any:
        database = path.database_name
        found = self._store.get(kind, database, path.object_name) if self.database_exists(database) else None
        if found is None:
            raise self._missing(kind, path)
        return found

    def _missing(self, kind: Kind, path: ObjectPath) -> JavaException:
        naming, error, _ = _NAMING[kind]
        if not self.database_exists(path.database_name):
            return error(
                f"there is no {naming} {str(path)!r}: there is no database {path.database_name!r} in the "
                f"catalog {self._name!r}; there are: {_listed(self.list_databases())}"
            )
        names = _listed(self._store.names(kind, path.database_name))
        return error(f"there is no {naming} {str(path)!r} in the catalog {self._name!r}; there are: {names}")

    def _create(self, kind: Kind, path: ObjectPath, kept: Kept, ignore_if_exists: bool) -> None:
        self.get_database(path.database_name)
        if not self._has(kind, path):
            self._put(kind, path, kept)
        elif not ignore_if_exists:
            naming, _, error = _NAMING[kind]
            raise error(f"there is already a {naming} {str(path)!r} in the catalog {self._name!r}")

    def _rename(self, kind: Kind, path: ObjectPath, new_name: str) -> ObjectPath:
        kept = self._get(kind, path)
        new_path = ObjectPath(path.database_name, new_name)
        self._create(kind, new_path, kept, False)
        self._drop(kind, path, False)
        return new_path

    def _moved(self, path: ObjectPath, new_path: ObjectPath | None) -> None:
        """Do what else is to be done when a table has another path, ``None`` if it is removed."""

    def _put_database(self, name: str, database: CatalogDatabase) -> None:
        self.changes += 1
        self._store.put_database(name, database)

    def _put(self, kind: Kind, path: ObjectPath, kept: Kept) -> None:
        self.changes += 1
        self._store.put(kind, path.database_name, path.object_name, kept)

    def _drop(self, kind: Kind, path: ObjectPath, ignore_if_not_exists: bool) -> None:
        if self._has(kind, path):
            self.changes += 1
            self._store.remove(kind, path.database_name, path.object_name)
        elif not ignore_if_not_exists:
            raise self._missing(kind, path)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
