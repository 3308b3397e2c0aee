"""The functions of an environment by name; in IPython, one replaces another of its name."""

from __future__ import annotations

from pystream.errors import PlanError
from pystream.table.function_definition import FunctionDefinition
from pystream.table.named_tables import NamedTables
from typeinfo.errors import short_repr
from typeinfo.notebook import in_shell

__all__ = ["NamedFunctions"]


class NamedFunctions:
    """Functions of the program by name; upper and lower case of names are the same.

    A system function hides another function of its name.
    """

    def __init__(self) -> None:
        self._entries: dict[str, FunctionDefinition] = {}
        self._system: dict[str, FunctionDefinition] = {}

    def add(self, path: str, definition: FunctionDefinition) -> None:
        """Add a function of the only database.

        Raises:
            PlanError: there is a function of that name, or it is to be in another catalog or database.
        """
        self._add(self._entries, _name(path), definition)

    def add_system(self, name: str, definition: FunctionDefinition) -> None:
        """Add a system function.

        Raises:
            PlanError: there is a function of that name.
        """
        self._add(self._system, _system_name(name), definition)

    def _add(self, entries: dict[str, FunctionDefinition], name: str, definition: FunctionDefinition) -> None:
        from pystream.table.sql.function_calls import is_built_in

        if name in entries and not in_shell():
            raise PlanError(f"there is already a function of the name {name!r}; drop it first")
        if is_built_in(name):
            raise PlanError(f"{name!r} is a function of SQL itself; choose another name")
        entries[name] = definition

    def remove(self, path: str) -> bool:
        """Remove a function of the only database, and return whether there was one of that name."""
        return self._entries.pop(_name(path), None) is not None

    def remove_system(self, name: str) -> bool:
        """Remove a system function, and return whether there was one of that name."""
        return self._system.pop(_system_name(name), None) is not None

    def names(self) -> list[str]:
        """Return the names of all functions, sorted."""
        return sorted({*self._entries, *self._system})

    def find(self, path: str) -> FunctionDefinition | None:
        """Return the function that a name in a query stands for, ``None`` if it is none of the program."""
        if "." not in path and path.lower() in self._system:
            return self._system[path.lower()]
        try:
            return self._entries.get(_name(path))
        except PlanError:
            return None


def _name(path: str) -> str:
    _check(path)
    return NamedTables.full_name(path).rpartition(".")[2].lower()


def _system_name(name: str) -> str:
    _check(name)
    if "." in name:
        raise PlanError(f"{name!r}: the name of a system function has no catalog and no database")
    return name.lower()


def _check(name: object) -> None:
    if not isinstance(name, str) or not name:
        raise PlanError(f"the name of a function must be a non-empty str, not {short_repr(name)}")
