"""The stores below catalogs: where their databases, and what is in them, are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Any

from pystream.table.catalog.objects import (
    CatalogBaseTable,
    CatalogDatabase,
    CatalogFunction,
    CatalogModel,
)

__all__ = ["CatalogStore", "Kept", "Kind", "MemoryStore"]

Kept = CatalogBaseTable | CatalogFunction | CatalogModel


class Kind(StrEnum):
    """The kinds of objects in a database; tables and views share their names."""

    TABLE = "tables"
    FUNCTION = "functions"
    MODEL = "models"


class CatalogStore(ABC):
    """Databases by name, and the objects in each of them by kind and name.

    A `Catalog` checks that names exist before it reads or replaces, and that they do not before it adds.
    """

    @abstractmethod
    def databases(self) -> list[str]:
        """Return the names of the databases, sorted."""

    @abstractmethod
    def database(self, name: str) -> CatalogDatabase | None:
        """Return a database, ``None`` if there is none of that name."""

    @abstractmethod
    def put_database(self, name: str, database: CatalogDatabase) -> None:
        """Add or replace a database; the objects in it stay."""

    @abstractmethod
    def remove_database(self, name: str) -> None:
        """Remove a database with all that is in it."""

    @abstractmethod
    def names(self, kind: Kind, database: str) -> list[str]:
        """Return the names of the objects of a kind in a database, sorted."""

    @abstractmethod
    def has(self, kind: Kind, database: str, name: str) -> bool:
        """Return whether there is an object of a name, without reading it."""

    @abstractmethod
    def get(self, kind: Kind, database: str, name: str) -> Any:
        """Return an object, ``None`` if there is none of that name."""

    @abstractmethod
    def put(self, kind: Kind, database: str, name: str, kept: Kept) -> None:
        """Add or replace an object."""

    @abstractmethod
    def remove(self, kind: Kind, database: str, name: str) -> None:
        """Remove an object."""


class MemoryStore(CatalogStore):
    """A store that ends with the program."""

    def __init__(self) -> None:
        self._databases: dict[str, CatalogDatabase] = {}
        self._kept: dict[tuple[Kind, str], dict[str, Kept]] = {}

    def databases(self) -> list[str]:
        """Return the names of the databases, sorted."""
        return sorted(self._databases)

    def database(self, name: str) -> CatalogDatabase | None:
        """Return a database, ``None`` if there is none of that name."""
        return self._databases.get(name)

    def put_database(self, name: str, database: CatalogDatabase) -> None:
        """Add or replace a database; the objects in it stay."""
        self._databases[name] = database

    def remove_database(self, name: str) -> None:
        """Remove a database with all that is in it."""
        del self._databases[name]
        for kind in Kind:
            self._kept.pop((kind, name), None)

    def names(self, kind: Kind, database: str) -> list[str]:
        """Return the names of the objects of a kind in a database, sorted."""
        return sorted(self._kept.get((kind, database), ()))

    def has(self, kind: Kind, database: str, name: str) -> bool:
        """Return whether there is an object of a name."""
        return name in self._kept.get((kind, database), ())

    def get(self, kind: Kind, database: str, name: str) -> Any:
        """Return an object, ``None`` if there is none of that name."""
        return self._kept.get((kind, database), {}).get(name)

    def put(self, kind: Kind, database: str, name: str, kept: Kept) -> None:
        """Add or replace an object."""
        self._kept.setdefault((kind, database), {})[name] = kept

    def remove(self, kind: Kind, database: str, name: str) -> None:
        """Remove an object."""
        del self._kept[kind, database][name]
