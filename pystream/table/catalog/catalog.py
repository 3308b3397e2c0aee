"""Catalog: databases with tables, views and functions by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.errors import ArgumentTypeError, PlanError, UnsupportedOperationError
from pystream.table.catalog.objects import (
    CatalogBaseTable,
    CatalogDatabase,
    CatalogFunction,
    CatalogPartition,
    CatalogPartitionSpec,
)
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import CatalogStore, Kept, Kind
from typeinfo.arguments import checks_arguments

__all__ = ["Catalog", "HiveCatalog", "JdbcCatalog"]

_SINGULAR = {Kind.TABLE: "table or view", Kind.FUNCTION: "function"}


@checks_arguments(ArgumentTypeError)
class Catalog:
    """Databases with tables, views and functions by name.

    Upper and lower case of the names of tables differ, of those of functions not.
    Mirrors ``org.apache.flink.table.catalog.Catalog``.

    Attributes:
        changes: how often a database, table, view or function was added, replaced or removed.

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
        self._partitions: dict[ObjectPath, dict[CatalogPartitionSpec, CatalogPartition]] = {}
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
            PlanError: there is none of that name.
        """
        found = self._store.database(database_name)
        if found is None:
            raise PlanError(
                f"there is no database {database_name!r} in the catalog {self._name!r}; there are: "
                f"{', '.join(self.list_databases()) or 'none'}"
            )
        return found

    def database_exists(self, database_name: str) -> bool:
        """Return whether there is a database of a name."""
        return self._store.database(database_name) is not None

    def create_database(self, name: str, database: CatalogDatabase, ignore_if_exists: bool) -> None:
        """Add a database.

        Raises:
            PlanError: there is one of that name, and ``ignore_if_exists`` is false.
        """
        if not self.database_exists(name):
            self._put_database(name, database)
        elif not ignore_if_exists:
            raise PlanError(f"there is already a database {name!r} in the catalog {self._name!r}")

    def drop_database(self, name: str, ignore_if_exists: bool, cascade: bool = False) -> None:
        """Remove a database.

        Args:
            name: its name.
            ignore_if_exists: whether it may be missing.
            cascade: whether the tables, views and functions in it are removed, too.

        Raises:
            PlanError: there is none of that name, or it is not empty.
        """
        if ignore_if_exists and not self.database_exists(name):
            return
        self.get_database(name)
        inside = [one for kind in Kind for one in self._store.names(kind, name)]
        if inside and not cascade:
            raise PlanError(
                f"the database {name!r} in the catalog {self._name!r} is not empty: drop {inside[0]!r} and "
                "what else is in it first, or add CASCADE"
            )
        self.changes += 1
        self._store.remove_database(name)
        self._partitions = {path: own for path, own in self._partitions.items() if path.database_name != name}

    def alter_database(self, name: str, new_database: CatalogDatabase, ignore_if_not_exists: bool) -> None:
        """Replace the properties and the comment of a database.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        if ignore_if_not_exists and not self.database_exists(name):
            return
        self.get_database(name)
        self._put_database(name, new_database)

    def list_tables(self, database_name: str) -> list[str]:
        """Return the names of the tables and views of a database, sorted.

        Raises:
            PlanError: there is no database of that name.
        """
        self.get_database(database_name)
        return self._store.names(Kind.TABLE, database_name)

    def list_views(self, database_name: str) -> list[str]:
        """Return the names of the views of a database, sorted.

        Raises:
            PlanError: there is no database of that name.
        """
        names = self.list_tables(database_name)
        return [n for n in names if self._store.get(Kind.TABLE, database_name, n).view is not None]

    def get_table(self, table_path: ObjectPath) -> CatalogBaseTable:
        """Return a table or view.

        Raises:
            PlanError: there is none of that name.
        """
        table: CatalogBaseTable = self._get(Kind.TABLE, table_path)
        return table

    def table_exists(self, table_path: ObjectPath) -> bool:
        """Return whether there is a table or view of a name."""
        return self._has(Kind.TABLE, table_path)

    def drop_table(self, table_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        """Remove a table or view; what a table holds stays.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        self._drop(Kind.TABLE, table_path, ignore_if_not_exists)
        self._partitions.pop(table_path, None)

    def rename_table(self, table_path: ObjectPath, new_table_name: str, ignore_if_not_exists: bool) -> None:
        """Give a table or view another name in its database.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false, or the other name is
                taken.
        """
        if ignore_if_not_exists and not self.table_exists(table_path):
            return
        table = self.get_table(table_path)
        new_path = ObjectPath(table_path.database_name, new_table_name)
        self.create_table(new_path, table, False)
        if table_path in self._partitions:
            self._partitions[new_path] = self._partitions.pop(table_path)
        self.drop_table(table_path, False)

    def create_table(self, table_path: ObjectPath, table: CatalogBaseTable, ignore_if_exists: bool) -> None:
        """Add a table or view.

        Raises:
            PlanError: there is no such database, or one of that name, and ``ignore_if_exists`` is false.
        """
        self._create(Kind.TABLE, table_path, table, ignore_if_exists)

    def alter_table(
        self, table_path: ObjectPath, new_table: CatalogBaseTable, ignore_if_not_exists: bool
    ) -> None:
        """Replace a table or view.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false, or one is a table,
                the other a view.
        """
        if ignore_if_not_exists and not self.table_exists(table_path):
            return
        kind = self.get_table(table_path).kind
        if kind != new_table.kind:
            raise PlanError(f"{table_path} is a {kind}, which a {new_table.kind} cannot replace")
        self._put(Kind.TABLE, table_path, new_table)

    def list_partitions(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec | None = None
    ) -> list[CatalogPartitionSpec]:
        """Return the partitions of a table, those with some values if a specification is given.

        Raises:
            PlanError: there is no such table, or it has no partitions.
        """
        self._keys_of(table_path)
        wanted = {} if partition_spec is None else partition_spec.get_partition_spec()
        known = self._partitions.get(table_path, ())
        return [spec for spec in known if wanted.items() <= spec.get_partition_spec().items()]

    def get_partition(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> CatalogPartition:
        """Return a partition.

        Raises:
            PlanError: there is none of these values.
        """
        found = self._partitions.get(table_path, {}).get(partition_spec)
        if found is None:
            raise PlanError(f"there is no partition {partition_spec} of the table {str(table_path)!r}")
        return found

    def partition_exists(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> bool:
        """Return whether there is a partition of some values."""
        return partition_spec in self._partitions.get(table_path, ())

    def create_partition(
        self,
        table_path: ObjectPath,
        partition_spec: CatalogPartitionSpec,
        partition: CatalogPartition,
        ignore_if_exists: bool,
    ) -> None:
        """Add a partition; it is kept as long as this object is.

        Raises:
            PlanError: there is no such table, it has other partition keys, or there is a partition of these
                values, and ``ignore_if_exists`` is false.
        """
        keys = self._keys_of(table_path)
        if {*keys} != {*partition_spec.get_partition_spec()}:
            raise PlanError(f"{partition_spec}: the table {str(table_path)!r} has the partition keys {keys}")
        known = self._partitions.setdefault(table_path, {})
        if partition_spec not in known:
            known[partition_spec] = partition
        elif not ignore_if_exists:
            raise PlanError(f"there is already a partition {partition_spec} of the table {str(table_path)!r}")

    def drop_partition(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec, ignore_if_not_exists: bool
    ) -> None:
        """Remove a partition.

        Raises:
            PlanError: there is none of these values, and ``ignore_if_not_exists`` is false.
        """
        if not ignore_if_not_exists:
            self.get_partition(table_path, partition_spec)
        self._partitions.get(table_path, {}).pop(partition_spec, None)

    def alter_partition(
        self,
        table_path: ObjectPath,
        partition_spec: CatalogPartitionSpec,
        new_partition: CatalogPartition,
        ignore_if_not_exists: bool,
    ) -> None:
        """Replace a partition.

        Raises:
            PlanError: there is none of these values, and ``ignore_if_not_exists`` is false.
        """
        if not ignore_if_not_exists:
            self.get_partition(table_path, partition_spec)
        if self.partition_exists(table_path, partition_spec):
            self._partitions[table_path][partition_spec] = new_partition

    def list_functions(self, database_name: str) -> list[str]:
        """Return the names of the functions of a database, in lower case and sorted.

        Raises:
            PlanError: there is no database of that name.
        """
        self.get_database(database_name)
        return self._store.names(Kind.FUNCTION, database_name)

    def get_function(self, function_path: ObjectPath) -> CatalogFunction:
        """Return a function.

        Raises:
            PlanError: there is none of that name.
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
            PlanError: there is no such database, or one of that name, and ``ignore_if_exists`` is false.
        """
        self._create(Kind.FUNCTION, _lower(function_path), function, ignore_if_exists)

    def alter_function(
        self, function_path: ObjectPath, new_function: CatalogFunction, ignore_if_not_exists: bool
    ) -> None:
        """Replace a function.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        path = _lower(function_path)
        if not ignore_if_not_exists or self.function_exists(path):
            self.get_function(path)
            self._put(Kind.FUNCTION, path, new_function)

    def drop_function(self, function_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        """Remove a function.

        Raises:
            PlanError: there is none of that name, and ``ignore_if_not_exists`` is false.
        """
        self._drop(Kind.FUNCTION, _lower(function_path), ignore_if_not_exists)

    def _keys_of(self, path: ObjectPath) -> Sequence[str]:
        keys = self.get_table(path).partition_keys
        if not keys:
            raise PlanError(f"the table {str(path)!r} is not partitioned")
        return keys

    def _has(self, kind: Kind, path: ObjectPath) -> bool:
        return self.database_exists(path.database_name) and self._store.has(
            kind, path.database_name, path.object_name
        )

    def _get(self, kind: Kind, path: ObjectPath) -> Any:
        self.get_database(path.database_name)
        found = self._store.get(kind, path.database_name, path.object_name)
        if found is None:
            names = ", ".join(self._store.names(kind, path.database_name)) or "none"
            raise PlanError(
                f"there is no {_SINGULAR[kind]} {str(path)!r} in the catalog {self._name!r}; there are: "
                f"{names}"
            )
        return found

    def _create(self, kind: Kind, path: ObjectPath, kept: Kept, ignore_if_exists: bool) -> None:
        self.get_database(path.database_name)
        if not self._has(kind, path):
            self._put(kind, path, kept)
        elif not ignore_if_exists:
            raise PlanError(
                f"there is already a {_SINGULAR[kind]} {str(path)!r} in the catalog {self._name!r}"
            )

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
            self._get(kind, path)


def _lower(path: ObjectPath) -> ObjectPath:
    return ObjectPath(path.database_name, path.object_name.lower())


class HiveCatalog(Catalog):
    """Refuse a catalog of Hive, which only Java reads."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise UnsupportedOperationError(
            "HiveCatalog is written in Java; use CREATE CATALOG … WITH ('type' = 'file', 'path' = '…')"
        )


class JdbcCatalog(Catalog):
    """Refuse a catalog of a database, which only Java reads."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise UnsupportedOperationError(
            "JdbcCatalog is written in Java; create tables WITH ('connector' = 'jdbc') in another catalog"
        )
