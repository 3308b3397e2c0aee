"""The partitions of the tables of a catalog."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.errors import ArgumentTypeError
from pystream.table.catalog.objects import CatalogPartition, CatalogPartitionSpec
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import CatalogStore
from pystream.table.catalog.tables import CatalogTables
from pystream.util.exceptions import (
    PartitionAlreadyExistsException,
    PartitionNotExistException,
    PartitionSpecInvalidException,
    TableNotPartitionedException,
)
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogPartitions"]


@checks_arguments(ArgumentTypeError)
class CatalogPartitions(CatalogTables):
    """The partitions of the tables of a catalog, which are kept as long as this object is."""

    def __init__(self, store: CatalogStore, name: str, default_database: str) -> None:
        super().__init__(store, name, default_database)
        self._partitions: dict[ObjectPath, dict[CatalogPartitionSpec, CatalogPartition]] = {}

    def list_partitions(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec | None = None
    ) -> list[CatalogPartitionSpec]:
        """Return the partitions of a table, those with some values if a specification is given.

        Raises:
            TableNotExistException: there is no such table.
            TableNotPartitionedException: it is not partitioned.
        """
        self._keys_of(table_path)
        wanted = {} if partition_spec is None else partition_spec.get_partition_spec()
        known = self._partitions.get(table_path, ())
        return [spec for spec in known if wanted.items() <= spec.get_partition_spec().items()]

    def get_partition(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> CatalogPartition:
        """Return a partition.

        Raises:
            PartitionNotExistException: there is none of these values.
        """
        found = self._partitions.get(table_path, {}).get(partition_spec)
        if found is None:
            raise PartitionNotExistException(
                f"there is no partition {partition_spec} of the table {str(table_path)!r}"
            )
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
            TableNotExistException: there is no such table.
            TableNotPartitionedException: it is not partitioned.
            PartitionSpecInvalidException: it has other partition keys.
            PartitionAlreadyExistsException: there is a partition of these values, and ``ignore_if_exists`` is
                false.
        """
        keys = self._keys_of(table_path)
        if {*keys} != {*partition_spec.get_partition_spec()}:
            raise PartitionSpecInvalidException(
                f"{partition_spec}: the table {str(table_path)!r} has the partition keys {keys}"
            )
        known = self._partitions.setdefault(table_path, {})
        if partition_spec not in known:
            known[partition_spec] = partition
        elif not ignore_if_exists:
            raise PartitionAlreadyExistsException(
                f"there is already a partition {partition_spec} of the table {str(table_path)!r}"
            )

    def drop_partition(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec, ignore_if_not_exists: bool
    ) -> None:
        """Remove a partition.

        Raises:
            PartitionNotExistException: there is none of these values, and ``ignore_if_not_exists`` is false.
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
            PartitionNotExistException: there is none of these values, and ``ignore_if_not_exists`` is false.
        """
        if not ignore_if_not_exists:
            self.get_partition(table_path, partition_spec)
        if self.partition_exists(table_path, partition_spec):
            self._partitions[table_path][partition_spec] = new_partition

    def _moved(self, path: ObjectPath, new_path: ObjectPath | None) -> None:
        super()._moved(path, new_path)
        partitions = self._partitions.pop(path, None)
        if partitions is not None and new_path is not None:
            self._partitions[new_path] = partitions

    def _keys_of(self, path: ObjectPath) -> Sequence[str]:
        keys = self.get_table(path).partition_keys
        if not keys:
            raise TableNotPartitionedException(f"the table {str(path)!r} is not partitioned")
        return keys
