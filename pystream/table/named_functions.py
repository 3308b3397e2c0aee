"""The functions of an environment by name; in IPython, one replaces another of its name."""

from __future__ import annotations

from pystream.errors import PlanError
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.catalog_manager import CatalogManager
from pystream.table.function_definition import FunctionDefinition
from typeinfo.errors import short_repr
from typeinfo.notebook import in_shell

__all__ = ["NamedFunctions"]


class NamedFunctions:
    """Functions of the program by name; upper and lower case of names are the same.

    A system function hides a function of a database, and a temporary one that of the catalog.

    Args:
        catalogs: the catalogs that names are looked for in.
    """

    def __init__(self, catalogs: CatalogManager) -> None:
        self._catalogs = catalogs
        self._entries: dict[ObjectIdentifier, FunctionDefinition] = {}
        self._system: dict[str, FunctionDefinition] = {}

    def add(self, path: str, definition: FunctionDefinition) -> None:
        """Add a temporary function of a database.

        Raises:
            PlanError: there is a function of that name, or SQL has one.
        """
        identifier = self._identify(path)
        self._catalogs.catalog(identifier.catalog_name).get_database(identifier.database_name)
        _check_new(identifier.object_name, is_taken=identifier in self._entries)
        self._entries[identifier] = definition

    def add_system(self, name: str, definition: FunctionDefinition) -> None:
        """Add a temporary system function.

        Raises:
            PlanError: there is a function of that name, or SQL has one.
        """
        name = _system_name(name)
        _check_new(name, is_taken=name in self._system)
        self._system[name] = definition

    def remove(self, path: str) -> bool:
        """Remove a temporary function, and return whether there was one of that name."""
        return self._entries.pop(self._identify(path), None) is not None

    def remove_system(self, name: str) -> bool:
        """Remove a temporary system function, and return whether there was one of that name."""
        return self._system.pop(_system_name(name), None) is not None

    def names(self) -> list[str]:
        """Return the names of the functions of the current database, and of system functions, sorted."""
        place = (self._catalogs.current_catalog, self._catalogs.current_database)
        own = (i.object_name for i in self._entries if (i.catalog_name, i.database_name) == place)
        permanent = self._catalogs.catalog(place[0]).list_functions(place[1])
        return sorted({*own, *permanent, *self._system})

    def find(self, path: str) -> FunctionDefinition | None:
        """Return the function that a name in a query stands for, ``None`` if it is none of the program."""
        if path.lower() in self._system:
            return self._system[path.lower()]
        try:
            return self._entries.get(self._identify(path))
        except PlanError:
            return None

    def _identify(self, path: str) -> ObjectIdentifier:
        _check(path)
        found = self._catalogs.identify(path)
        return ObjectIdentifier(found.catalog_name, found.database_name, found.object_name.lower())


def _check_new(name: str, *, is_taken: bool) -> None:
    from pystream.table.sql.function_calls import is_built_in

    if is_taken and not in_shell():
        raise PlanError(f"there is already a function of the name {name!r}; drop it first")
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
