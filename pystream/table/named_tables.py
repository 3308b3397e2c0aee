"""The tables and views of an environment by name."""

from __future__ import annotations

from typing import TypeAlias

from pystream.errors import PlanError
from pystream.table.connectors.base import Connector
from pystream.table.table import Table
from typeinfo.notebook import in_shell

__all__ = ["NamedTables"]

_CATALOG = ("default_catalog", "default_database")

Entry: TypeAlias = "Connector | Table"


class NamedTables:
    """Tables of connectors, and views, by name.

    A name may be preceded by those of the only catalog and the only database.
    """

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}

    def add(self, path: str, entry: Entry) -> None:
        """Add a table or view; in IPython it replaces one of that name, as cells run again.

        Raises:
            PlanError: there is one of that name, or it is to be in another catalog or database.
        """
        name = self._name(path)
        if name in self._entries and not in_shell():
            raise PlanError(
                f"there is already a table or view of the name {name!r}: drop it by DROP TABLE, DROP VIEW or "
                "drop_temporary_view, or choose another name"
            )
        self._entries[name] = entry

    def get(self, path: str) -> Entry:
        """Return a table or view.

        Raises:
            PlanError: there is none of that name.
        """
        name = self._name(path)
        if name not in self._entries:
            names = ", ".join(self.names()) or "none"
            raise PlanError(f"there is no table or view of the name {name!r}; there are: {names}")
        return self._entries[name]

    def remove(self, path: str, kind: type[Entry]) -> bool:
        """Remove a table or view, and return whether there was one of that name and kind."""
        name = self._name(path)
        if not isinstance(self._entries.get(name), kind):
            return False
        del self._entries[name]
        return True

    def __contains__(self, path: str) -> bool:
        return self._name(path) in self._entries

    def names(self, kind: type[Entry] | None = None) -> list[str]:
        """Return the names of tables and views, sorted.

        Args:
            kind: which of them; both unless given.
        """
        return sorted(n for n, entry in self._entries.items() if kind is None or isinstance(entry, kind))

    @staticmethod
    def full_name(path: str) -> str:
        """Return a name with those of the catalog and the database."""
        return ".".join((*_CATALOG, NamedTables._name(path)))

    @staticmethod
    def _name(path: str) -> str:
        if not isinstance(path, str) or not path:
            raise PlanError(f"the name of a table must be a non-empty str, not {path!r}")
        *place, name = path.split(".")
        if place and tuple(place) != _CATALOG[-len(place) :]:
            raise PlanError(f"{path!r}: the only catalog is {_CATALOG[0]}, its only database {_CATALOG[1]}")
        return name
