"""The statistics of the tables of a catalog and of their partitions."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from pystream.arguments.checks import require_int
from pystream.errors import ArgumentTypeError
from pystream.table.catalog.objects import CatalogPartitionSpec
from pystream.table.catalog.partitions import CatalogPartitions
from pystream.table.catalog.paths import ObjectPath
from pystream.table.catalog.stores import CatalogStore
from typeinfo.arguments import checks_arguments

__all__ = ["CatalogColumnStatistics", "CatalogStatistics", "CatalogTableStatistics"]

S = TypeVar("S")
Place = tuple[ObjectPath, CatalogPartitionSpec | None]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogTableStatistics:
    """The size of a table or partition; -1 stands for what is not known.

    Raises:
        ConfigurationError: a number is less than -1.

    Mirrors ``org.apache.flink.table.catalog.stats.CatalogTableStatistics``.
    """

    row_count: int = -1
    field_count: int = -1
    total_size: int = -1
    raw_data_size: int = -1
    properties: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("row_count", "field_count", "total_size", "raw_data_size"):
            require_int(getattr(self, name), f"CatalogTableStatistics: {name}", -1)

    def get_row_count(self) -> int:
        """Return the number of rows."""
        return self.row_count

    def get_field_count(self) -> int:
        """Return the number of files, as Flink means it."""
        return self.field_count

    def get_total_size(self) -> int:
        """Return the size in bytes."""
        return self.total_size

    def get_raw_data_size(self) -> int:
        """Return the size in bytes without compression."""
        return self.raw_data_size

    def get_properties(self) -> dict[str, str]:
        """Return the properties."""
        return dict(self.properties)

    def copy(self) -> Self:
        """Return a copy."""
        return copy.deepcopy(self)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogColumnStatistics:
    """The statistics of the columns of a table or partition.

    Mirrors ``org.apache.flink.table.catalog.stats.CatalogColumnStatistics``.
    """

    column_statistics_data: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)

    def get_column_statistics_data(self) -> dict[str, Any]:
        """Return the statistics by the names of the columns."""
        return dict(self.column_statistics_data)

    def get_properties(self) -> dict[str, str]:
        """Return the properties."""
        return dict(self.properties)

    def copy(self) -> Self:
        """Return a copy."""
        return copy.deepcopy(self)


@checks_arguments(ArgumentTypeError)
class CatalogStatistics(CatalogPartitions):
    """The statistics of the tables of a catalog, which are kept as long as this object is.

    Queries run without them.
    """

    def __init__(self, store: CatalogStore, name: str, default_database: str) -> None:
        super().__init__(store, name, default_database)
        self._statistics: dict[Place, CatalogTableStatistics] = {}
        self._column_statistics: dict[Place, CatalogColumnStatistics] = {}

    def get_table_statistics(self, table_path: ObjectPath) -> CatalogTableStatistics:
        """Return the statistics of a table; those of a partitioned one are unknown, as in Flink.

        Raises:
            TableNotExistException: there is no such table.
        """
        if self.get_table(table_path).partition_keys:
            return CatalogTableStatistics()
        return self._statistics.get((table_path, None), CatalogTableStatistics())

    def get_table_column_statistics(self, table_path: ObjectPath) -> CatalogColumnStatistics:
        """Return the statistics of the columns of a table.

        Raises:
            TableNotExistException: there is no such table.
        """
        self.get_table(table_path)
        return self._column_statistics.get((table_path, None), CatalogColumnStatistics())

    def get_partition_statistics(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec
    ) -> CatalogTableStatistics:
        """Return the statistics of a partition.

        Raises:
            PartitionNotExistException: there is none of these values.
        """
        self.get_partition(table_path, partition_spec)
        return self._statistics.get((table_path, partition_spec), CatalogTableStatistics())

    def bulk_get_partition_statistics(
        self, table_path: ObjectPath, partition_specs: Sequence[CatalogPartitionSpec]
    ) -> list[CatalogTableStatistics]:
        """Return the statistics of some partitions, in their order.

        Raises:
            PartitionNotExistException: there is none of the values of one.
        """
        return [self.get_partition_statistics(table_path, spec) for spec in partition_specs]

    def get_partition_column_statistics(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec
    ) -> CatalogColumnStatistics:
        """Return the statistics of the columns of a partition.

        Raises:
            PartitionNotExistException: there is none of these values.
        """
        self.get_partition(table_path, partition_spec)
        return self._column_statistics.get((table_path, partition_spec), CatalogColumnStatistics())

    def bulk_get_partition_column_statistics(
        self, table_path: ObjectPath, partition_specs: Sequence[CatalogPartitionSpec]
    ) -> list[CatalogColumnStatistics]:
        """Return the statistics of the columns of some partitions, in their order.

        Raises:
            PartitionNotExistException: there is none of the values of one.
        """
        return [self.get_partition_column_statistics(table_path, spec) for spec in partition_specs]

    def alter_table_statistics(
        self, table_path: ObjectPath, table_statistics: CatalogTableStatistics, ignore_if_not_exists: bool
    ) -> None:
        """Replace the statistics of a table.

        Raises:
            TableNotExistException: there is no such table, and ``ignore_if_not_exists`` is false.
        """
        self._alter_of_table(self._statistics, table_path, table_statistics, ignore_if_not_exists)

    def alter_table_column_statistics(
        self, table_path: ObjectPath, column_statistics: CatalogColumnStatistics, ignore_if_not_exists: bool
    ) -> None:
        """Replace the statistics of the columns of a table.

        Raises:
            TableNotExistException: there is no such table, and ``ignore_if_not_exists`` is false.
        """
        self._alter_of_table(self._column_statistics, table_path, column_statistics, ignore_if_not_exists)

    def alter_partition_statistics(
        self,
        table_path: ObjectPath,
        partition_spec: CatalogPartitionSpec,
        partition_statistics: CatalogTableStatistics,
        ignore_if_not_exists: bool,
    ) -> None:
        """Replace the statistics of a partition.

        Raises:
            PartitionNotExistException: there is none of these values, and ``ignore_if_not_exists`` is false.
        """
        place = (table_path, partition_spec)
        self._alter_of_partition(self._statistics, place, partition_statistics, ignore_if_not_exists)

    def alter_partition_column_statistics(
        self,
        table_path: ObjectPath,
        partition_spec: CatalogPartitionSpec,
        column_statistics: CatalogColumnStatistics,
        ignore_if_not_exists: bool,
    ) -> None:
        """Replace the statistics of the columns of a partition.

        Raises:
            PartitionNotExistException: there is none of these values, and ``ignore_if_not_exists`` is false.
        """
        place = (table_path, partition_spec)
        self._alter_of_partition(self._column_statistics, place, column_statistics, ignore_if_not_exists)

    def drop_partition(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec, ignore_if_not_exists: bool
    ) -> None:
        """Remove a partition, with its statistics.

        Raises:
            PartitionNotExistException: there is none of these values, and ``ignore_if_not_exists`` is false.
        """
        super().drop_partition(table_path, partition_spec, ignore_if_not_exists)
        self._statistics.pop((table_path, partition_spec), None)
        self._column_statistics.pop((table_path, partition_spec), None)

    def _alter_of_table(self, kept: dict[Place, S], path: ObjectPath, new: S, ignore_missing: bool) -> None:
        if not ignore_missing or self.table_exists(path):
            self.get_table(path)
            kept[path, None] = new

    def _alter_of_partition(
        self,
        kept: dict[Place, S],
        place: tuple[ObjectPath, CatalogPartitionSpec],
        new: S,
        ignore_missing: bool,
    ) -> None:
        if not ignore_missing or self.partition_exists(*place):
            self.get_partition(*place)
            kept[place] = new

    def _moved(self, path: ObjectPath, new_path: ObjectPath | None) -> None:
        super()._moved(path, new_path)
        self._statistics = _at(self._statistics, path, new_path)
        self._column_statistics = _at(self._column_statistics, path, new_path)


def _at(kept: dict[Place, S], path: ObjectPath, new_path: ObjectPath | None) -> dict[Place, S]:
    """Return statistics with those of a table at its new path, without them if it has none."""
    moved = {(new_path, spec): own for (at, spec), own in kept.items() if at == path and new_path is not None}
    return {place: own for place, own in kept.items() if place[0] != path} | moved
