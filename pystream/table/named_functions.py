"""The functions of an environment by name; in IPython, one replaces another of its name."""

from __future__ import annotations

from typing import TypeAlias

from pystream.errors import PlanError
from pystream.table.catalog.objects import CatalogFunction
from pystream.table.catalog.paths import ObjectIdentifier, path_parts
from pystream.table.catalog_manager import CatalogManager
from pystream.table.function_definition import FunctionDefinition
from pystream.table.function_loading import loaded_function
from typeinfo.errors import short_repr
from typeinfo.notebook import in_shell

__all__ = ["NamedFunctions"]

NamedFunction: TypeAlias = "FunctionDefinition | CatalogFunction"
"""A function of the program, or where one is to be imported from."""


class NamedFunctions:
    """Functions of the program by name; upper and lower case of names are the same.

    A temporary system function hides a function of SQL itself and one of a database, and a temporary function
    that of the catalog.

    Attributes:
        changes: how often a temporary function was added or removed.

    Args:
        catalogs: the catalogs that names are looked for in.
    """

    def __init__(self, catalogs: CatalogManager) -> None:
        self.changes: int = 0
        self._catalogs = catalogs
        self._entries: dict[ObjectIdentifier, NamedFunction] = {}
        self._system: dict[str, NamedFunction] = {}
        self._loaded: dict[tuple[str, CatalogFunction], FunctionDefinition] = {}

    @property
    def database(self) -> str:
        """The name of the current database."""
        return self._catalogs.current_database

    def add(self, path: str, definition: NamedFunction) -> None:
        """Add a temporary function of a database.

        Raises:
            PlanError: there is a function of that name, or SQL has one.
        """
        identifier = self.identify(path)
        self._catalogs.catalog(identifier.catalog_name).get_database(identifier.database_name)
        _check_new(identifier.object_name, is_taken=identifier in self._entries)
        _check_not_of_sql(identifier.object_name)
        self.changes += 1
        self._entries[identifier] = definition

    def add_system(self, name: str, definition: NamedFunction) -> None:
        """Add a temporary system function.

        Raises:
            PlanError: there is a function of that name, or SQL has one that is not looked up by its name.
        """
        from pystream.table.sql.function_calls import is_looked_up

        name = _system_name(name)
        _check_new(name, is_taken=name in self._system)
        if not is_looked_up(name):
            _check_not_of_sql(name)
        self.changes += 1
        self._system[name] = definition

    def remove(self, path: str) -> bool:
        """Remove a temporary function, and return whether there was one of that name."""
        removed = self._entries.pop(self.identify(path), None)
        self.changes += 1
        return removed is not None

    def remove_system(self, name: str) -> bool:
        """Remove a temporary system function, and return whether there was one of that name."""
        removed = self._system.pop(_system_name(name), None)
        self.changes += 1
        return removed is not None

    def drop_permanent(self, path: str) -> bool:
        """Remove a function of a catalog, and return whether there was one of that name."""
        identifier = self.identify(path)
        if self._permanent(identifier) is None:
            return False
        self._catalogs.catalog(identifier.catalog_name).drop_function(identifier.to_object_path(), False)
        return True

    def names(self) -> list[str]:
        """Return the names of the functions of the current database, and of system functions, sorted."""
        place = (self._catalogs.current_catalog, self._catalogs.current_database)
        own = (i.object_name for i in self._entries if (i.catalog_name, i.database_name) == place)
        permanent = self._catalogs.catalog(place[0]).list_functions(place[1])
        return sorted({*own, *permanent, *self._system})

    def find(self, path: str) -> FunctionDefinition | None:
        """Return the function that a name in a query stands for, ``None`` if it is none of the program."""
        if path.lower() in self._system:
            return self.find_system(path)
        _, found = self._in_database(path)
        return self._loaded_from(path_parts(path)[-1].lower(), found)

    def find_system(self, name: str) -> FunctionDefinition | None:
        """Return the temporary system function of a name, ``None`` if there is none."""
        return self._loaded_from(name.lower(), self._system.get(name.lower()))

    def _loaded_from(self, name: str, found: NamedFunction | None) -> FunctionDefinition | None:
        if not isinstance(found, CatalogFunction):
            return found
        if (name, found) not in self._loaded:
            self._loaded[name, found] = loaded_function(name, found)
        return self._loaded[name, found]

    def full_name(self, path: str) -> ObjectIdentifier | None:
        """Return the full name that a name in a query stands for, ``None`` unless it is one in a database."""
        return None if path.lower() in self._system else self._in_database(path)[0]

    def _in_database(self, path: str) -> tuple[ObjectIdentifier, NamedFunction] | tuple[None, None]:
        try:
            identifier = self.identify(path)
        except PlanError:
            return None, None
        found = self._entries.get(identifier) or self._permanent(identifier)
        return (None, None) if found is None else (identifier, found)

    def has(self, path: str, *, is_system: bool) -> bool:
        """Return whether there is a temporary function, or system function, of a name."""
        return _system_name(path) in self._system if is_system else self.identify(path) in self._entries

    def _permanent(self, identifier: ObjectIdentifier) -> CatalogFunction | None:
        if not self._catalogs.has_catalog(identifier.catalog_name):
            return None
        catalog, path = self._catalogs.catalog(identifier.catalog_name), identifier.to_object_path()
        return catalog.get_function(path) if catalog.function_exists(path) else None

    def identify(self, path: str) -> ObjectIdentifier:
        """Return the full name of a function, in lower case.

        Raises:
            PlanError: it is no name.
        """
        _check(path)
        found = self._catalogs.identify(path)
        return ObjectIdentifier(found.catalog_name, found.database_name, found.object_name.lower())


def _check_new(name: str, *, is_taken: bool) -> None:
    if is_taken and not in_shell():
        raise PlanError(f"there is already a function of the name {name!r}; drop it first")


def _check_not_of_sql(name: str) -> None:
    from pystream.table.sql.function_calls import is_built_in

    if is_built_in(name):
        raise PlanError(f"{name!r} is a function of SQL itself; choose another name")


def _system_name(name: str) -> str:
    _check(name)
    if "." in name:
        raise PlanError(f"{name!r}: the name of a system function has no catalog and no database")
    return name.lower()


def _check(name: object) -> None:
    if not isinstance(name, str) or not name:
        raise PlanError(f"the name of a function must be a non-empty str, not {short_repr(name)}")
