"""The catalogs of an environment, the current ones, and the temporary tables and views that hide others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pystream.errors import ConfigurationError, PlanError
from pystream.table.catalog.catalog import Catalog
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog.paths import ObjectIdentifier, joined_path, path_parts
from pystream.table.catalog.registry import catalog_of
from pystream.table.catalog.stores import MemoryStore
from pystream.table.table import Table
from pystream.util.exceptions import CatalogException, DatabaseNotExistException
from typeinfo.notebook import in_shell

__all__ = ["CatalogManager", "Entry", "KnownCatalog", "is_view"]

Entry: TypeAlias = "CatalogBaseTable | Table"
"""A table or view of a catalog, a temporary one alike, or a table of the program that has a name."""


@dataclass(frozen=True, slots=True)
class KnownCatalog:
    """A catalog, and how it was made.

    Attributes:
        catalog: the catalog.
        options: its options.
        comment: its comment, if it has one.
    """

    catalog: Catalog
    options: Mapping[str, str] = field(repr=False)
    comment: str | None = None


def is_view(entry: Entry) -> bool:
    """Return whether an entry is a view."""
    return isinstance(entry, Table) or entry.view is not None


class CatalogManager:
    """Catalogs by name, the current catalog and database, and temporary tables and views.

    A name of one part is of the current database, one of two parts of the current catalog. In IPython,
    tables and views replace others of their names, as cells run again.

    Attributes:
        current_catalog: the name of the current catalog.
        current_database: the name of the current database.

    Args:
        catalog: the name of the built-in catalog, which is current first.
        database: the name of its database.
    """

    def __init__(self, catalog: str, database: str) -> None:
        builtin = Catalog(MemoryStore(), catalog, database)
        self._known = {
            catalog: KnownCatalog(builtin, {"type": "generic_in_memory", "default-database": database})
        }
        self.current_catalog: str = catalog
        self.current_database: str = database
        self._changes = 0  # of catalogs by name, and of temporary tables and views
        self._temporary: dict[ObjectIdentifier, Entry] = {}

    @property
    def changes(self) -> tuple[int, ...]:
        """How often the catalogs, what is in each of them, and temporary tables and views were changed."""
        return (self._changes, *(known.catalog.changes for known in self._known.values()))

    def catalogs(self) -> list[str]:
        """Return the names of the catalogs, sorted."""
        return sorted(self._known)

    def known(self, name: str) -> KnownCatalog:
        """Return a catalog, and how it was made.

        Raises:
            CatalogException: there is none of that name.
        """
        if name not in self._known:
            raise CatalogException(f"there is no catalog {name!r}; there are: {', '.join(self.catalogs())}")
        return self._known[name]

    def catalog(self, name: str) -> Catalog:
        """Return a catalog.

        Raises:
            PlanError: there is none of that name.
        """
        return self.known(name).catalog

    def has_catalog(self, name: str) -> bool:
        """Return whether there is a catalog of a name."""
        return name in self._known

    def create_catalog(self, name: str, options: Mapping[str, str], comment: str | None = None) -> None:
        """Make and add a catalog.

        Raises:
            PlanError: there is one of that name.
            ConfigurationError: an option is missing or wrong.
        """
        self._check_new(name)
        self._known[name] = KnownCatalog(catalog_of(name, options), dict(options), comment)

    def register_catalog(self, name: str, catalog: Catalog) -> None:
        """Add a catalog.

        Raises:
            PlanError: there is one of that name.
        """
        self._check_new(name)
        self._known[name] = KnownCatalog(catalog, {})

    def replace_catalog(self, name: str, known: KnownCatalog) -> None:
        """Replace a catalog that exists."""
        self.known(name)
        self._known[name] = known
        self._changes += 1

    def _check_new(self, name: str) -> None:
        if name in self._known:
            raise PlanError(f"there is already a catalog {name!r}")

    def drop_catalog(self, name: str, ignore_if_not_exists: bool) -> None:
        """Remove a catalog; what it holds stays where it is kept.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false, or it is current.
        """
        if ignore_if_not_exists and name not in self._known:
            return
        self.known(name)
        if name == self.current_catalog:
            raise PlanError(
                f"catalog {name!r} is the current one: USE CATALOG another one before it is dropped"
            )
        del self._known[name]
        self._changes += 1

    def use_catalog(self, name: str) -> None:
        """Make a catalog, and its default database, the current ones.

        Raises:
            PlanError: there is none of that name.
        """
        self.current_database = self.catalog(name).get_default_database()
        self.current_catalog = name

    def use_database(self, name: str, catalog: str | None = None) -> None:
        """Make a database, of the current catalog unless another one is given, the current one.

        Raises:
            CatalogException: there is none of that name.
        """
        catalog = self.current_catalog if catalog is None else catalog
        try:
            self.catalog(catalog).get_database(name)
        except DatabaseNotExistException as error:
            raise CatalogException(str(error)) from None
        self.current_catalog, self.current_database = catalog, name

    def identify(self, path: str) -> ObjectIdentifier:
        """Return the full name that a name stands for.

        Raises:
            PlanError: it has more than three parts, or is no name.
        """
        parts = path_parts(path)
        if len(parts) > 3:
            raise PlanError(f"{path!r}: a name has at most three parts, catalog.database.name")
        return ObjectIdentifier(*(self.current_catalog, self.current_database)[: 3 - len(parts)], *parts)

    def shown(self, identifier: ObjectIdentifier) -> str:
        """Return the shortest name that stands for a full one, for messages."""
        names = identifier.to_list()
        if names[0] != self.current_catalog:
            return joined_path(*names)
        return joined_path(*(names[2:] if names[1] == self.current_database else names[1:]))

    def is_temporary(self, identifier: ObjectIdentifier) -> bool:
        """Return whether a name is that of a temporary table or view."""
        return identifier in self._temporary

    def find(self, identifier: ObjectIdentifier) -> Entry | None:
        """Return a table or view, a temporary one before another; ``None`` if there is none."""
        return self._temporary.get(identifier) or self.find_permanent(identifier)

    def find_permanent(self, identifier: ObjectIdentifier) -> CatalogBaseTable | None:
        """Return a table or view of a catalog, ``None`` if there is none."""
        if identifier.catalog_name not in self._known:
            return None
        catalog, path = self.catalog(identifier.catalog_name), identifier.to_object_path()
        return catalog.get_table(path) if catalog.table_exists(path) else None

    def exists(self, identifier: ObjectIdentifier, *, is_temporary: bool) -> bool:
        """Return whether there is a temporary table or view, or one of a catalog."""
        if is_temporary:
            return identifier in self._temporary
        return self.find_permanent(identifier) is not None

    def get(self, path: str) -> Entry:
        """Return a table or view, a temporary one before another.

        Raises:
            PlanError: there is none of that name.
        """
        identifier = self.identify(path)
        found = self.find(identifier)
        if found is None:
            raise self.missing(identifier, "table or view", self.names_beside(identifier))
        return found

    def names_beside(self, identifier: ObjectIdentifier) -> list[str]:
        """Return the names of all tables and views of the database of a name, sorted.

        Raises:
            PlanError: there is no such catalog or database.
        """
        return self.names(identifier.catalog_name, identifier.database_name)

    def missing(self, identifier: ObjectIdentifier, what: str, names: Iterable[str]) -> PlanError:
        """Return the error of a name that nothing has.

        Args:
            identifier: the name.
            what: the kind of thing that it is to name.
            names: the names of such things.
        """
        return PlanError(
            f"there is no {what} of the name {self.shown(identifier)!r}; there are: "
            f"{', '.join(names) or 'none'}"
        )

    def create(self, path: str, entry: Entry, *, is_temporary: bool, ignore_if_exists: bool = False) -> None:
        """Add a table or view.

        Raises:
            PlanError: there is one of that name, and ``ignore_if_exists`` is false, or there is no such
                catalog or database.
        """
        identifier = self.identify(path)
        exists = self.exists(identifier, is_temporary=is_temporary)
        if exists and ignore_if_exists:
            return
        if exists and not in_shell():
            raise PlanError(
                f"there is already a table or view of the name {self.shown(identifier)!r}: drop it by DROP "
                "TABLE, DROP VIEW or drop_temporary_view, or choose another name"
            )
        if is_temporary:
            self._changes += 1
            self._temporary[identifier] = entry
            return
        assert isinstance(entry, CatalogBaseTable)
        catalog, object_path = self.catalog(identifier.catalog_name), identifier.to_object_path()
        if exists:
            catalog.drop_table(object_path, False)
        catalog.create_table(object_path, entry, False)

    def alter(self, identifier: ObjectIdentifier, table: CatalogBaseTable) -> None:
        """Replace a table or view of a catalog.

        Raises:
            PlanError: there is none of that name.
        """
        self.catalog(identifier.catalog_name).alter_table(identifier.to_object_path(), table, False)

    def alter_temporary(self, identifier: ObjectIdentifier, table: CatalogBaseTable) -> None:
        """Replace a temporary table or view.

        Raises:
            PlanError: one is a table, the other a view.
        """
        if is_view(self._temporary[identifier]) is not is_view(table):
            raise PlanError(
                f"{self.shown(identifier)!r} is temporary and no {table.kind}, which replaces only another "
                f"{table.kind}: drop it first"
            )
        self._changes += 1
        self._temporary[identifier] = table

    def rename(self, identifier: ObjectIdentifier, name: str) -> None:
        """Give a table or view of a catalog another name.

        Raises:
            PlanError: there is none of that name, or the other name is taken.
        """
        self.catalog(identifier.catalog_name).rename_table(identifier.to_object_path(), name, False)

    def renamed(self, identifier: ObjectIdentifier, new_path: str) -> str:
        """Return the name that a table or view gets in its database.

        Raises:
            PlanError: the new name is one of another catalog or database.
        """
        *place, name = path_parts(new_path)
        if place and place != identifier.to_list()[2 - len(place) : 2]:
            raise PlanError(f"{new_path!r}: a table or view is renamed only within its database")
        return name

    def drop_temporary(self, path: str, *, views: bool) -> bool:
        """Remove a temporary table or view, and return whether there was one of that name and kind."""
        identifier = self.identify(path)
        found = self._temporary.get(identifier)
        if found is None or is_view(found) is not views:
            return False
        self._changes += 1
        del self._temporary[identifier]
        return True

    def drop(self, path: str, *, views: bool) -> bool:
        """Remove a table or view of a catalog, and return whether there was one of that name and kind.

        One whose file cannot be read is removed as either.

        Raises:
            PlanError: a temporary one of that name and kind hides it.
        """
        identifier = self.identify(path)
        hiding = self._temporary.get(identifier)
        if hiding is not None and is_view(hiding) is views:
            what = "VIEW" if views else "TABLE"
            raise PlanError(
                f"{self.shown(identifier)!r} is temporary: DROP TEMPORARY {what} it before the other"
            )
        try:
            found = self.find_permanent(identifier)
        except ConfigurationError:
            pass
        else:
            if found is None or is_view(found) is not views:
                return False
        self.catalog(identifier.catalog_name).drop_table(identifier.to_object_path(), False)
        return True

    def names(
        self, catalog: str | None = None, database: str | None = None, views: bool | None = None
    ) -> list[str]:
        """Return the names of tables and views of a database, sorted.

        Args:
            catalog: the catalog; the current one unless given.
            database: the database; the current one unless given.
            views: whether only views or only tables; both unless given.

        Raises:
            PlanError: there is no such catalog or database.
        """
        catalog = self.current_catalog if catalog is None else catalog
        database = self.current_database if database is None else database
        permanent = self.permanent_names(catalog, database, views)
        return sorted({*permanent, *self.temporary_names(catalog, database, views)})

    def permanent_names(self, catalog: str, database: str, views: bool | None = None) -> list[str]:
        """Return the names of tables and views of a catalog in a database, sorted; see `names`."""
        own = self.catalog(catalog)
        names = {*own.list_tables(database)}
        if views is not None:
            own_views = {*own.list_views(database)}
            names = own_views if views else names - own_views
        return sorted(names)

    def temporary_names(
        self, catalog: str | None = None, database: str | None = None, views: bool | None = None
    ) -> list[str]:
        """Return the names of temporary tables and views of a database, sorted; see `names`."""
        place = (
            self.current_catalog if catalog is None else catalog,
            self.current_database if database is None else database,
        )
        return sorted(
            one.object_name
            for one, entry in self._temporary.items()
            if (one.catalog_name, one.database_name) == place and (views is None or is_view(entry) is views)
        )
