"""The statistics of tables and partitions in catalogs; the expected values are those of PyFlink 2.3."""

from __future__ import annotations

import pytest

from pystream.table import DataTypes, TableSchema
from pystream.table.catalog import (
    Catalog,
    CatalogBaseTable,
    CatalogColumnStatistics,
    CatalogDatabase,
    CatalogPartition,
    CatalogPartitionSpec,
    CatalogTableStatistics,
    ObjectPath,
)
from pystream.table.catalog.stores import MemoryStore

SCHEMA = TableSchema(["a", "b"], [DataTypes.INT(), DataTypes.STRING()])
T, P, NONE = (ObjectPath("db", name) for name in ("t", "p", "none"))
SPEC = CatalogPartitionSpec({"b": "1"})
UNKNOWN = CatalogTableStatistics()
SIZE = CatalogTableStatistics(1, 2, 3, 4, {"k": "v"})
COLUMNS = CatalogColumnStatistics({"a": 5}, {"k": "v"})


@pytest.fixture
def catalog() -> Catalog:
    made = Catalog(MemoryStore(), "c", "default")
    made.create_database("db", CatalogDatabase(), False)
    made.create_table(T, CatalogBaseTable.create_table(SCHEMA), False)
    made.create_table(P, CatalogBaseTable.create_table(SCHEMA, ["b"]), False)
    made.create_partition(P, SPEC, CatalogPartition.create_instance({}), False)
    return made


def test_the_parts_of_statistics() -> None:
    parts = (UNKNOWN.get_row_count(), UNKNOWN.get_field_count(), UNKNOWN.get_total_size())
    assert (*parts, UNKNOWN.get_raw_data_size(), UNKNOWN.get_properties()) == (-1, -1, -1, -1, {})
    assert (SIZE.get_row_count(), SIZE.get_field_count(), SIZE.get_total_size()) == (1, 2, 3)
    assert (SIZE.get_raw_data_size(), SIZE.get_properties()) == (4, {"k": "v"})
    assert SIZE.copy() == SIZE
    assert SIZE.copy().properties is not SIZE.properties
    assert (COLUMNS.get_column_statistics_data(), COLUMNS.get_properties()) == ({"a": 5}, {"k": "v"})
    assert COLUMNS.copy() == COLUMNS


def test_statistics_of_tables(catalog: Catalog) -> None:
    assert catalog.get_table_statistics(T) == UNKNOWN
    assert catalog.get_table_column_statistics(T) == CatalogColumnStatistics()
    catalog.alter_table_statistics(T, SIZE, False)
    catalog.alter_table_column_statistics(T, COLUMNS, False)
    assert (catalog.get_table_statistics(T), catalog.get_table_column_statistics(T)) == (SIZE, COLUMNS)
    catalog.alter_table_statistics(P, SIZE, False)
    catalog.alter_table_column_statistics(P, COLUMNS, False)
    assert (catalog.get_table_statistics(P), catalog.get_table_column_statistics(P)) == (UNKNOWN, COLUMNS)
    catalog.alter_table_statistics(NONE, SIZE, True)
    catalog.create_table(NONE, CatalogBaseTable.create_table(SCHEMA), False)
    assert catalog.get_table_statistics(NONE) == UNKNOWN


def test_statistics_of_partitions(catalog: Catalog) -> None:
    assert catalog.get_partition_statistics(P, SPEC) == UNKNOWN
    assert catalog.get_partition_column_statistics(P, SPEC) == CatalogColumnStatistics()
    catalog.alter_partition_statistics(P, SPEC, SIZE, False)
    catalog.alter_partition_column_statistics(P, SPEC, COLUMNS, False)
    assert catalog.bulk_get_partition_statistics(P, [SPEC]) == [SIZE]
    assert catalog.bulk_get_partition_column_statistics(P, [SPEC]) == [COLUMNS]
    catalog.drop_partition(P, SPEC, False)
    catalog.create_partition(P, SPEC, CatalogPartition.create_instance({}), False)
    assert catalog.get_partition_statistics(P, SPEC) == UNKNOWN


def test_statistics_and_partitions_go_where_their_table_goes(catalog: Catalog) -> None:
    catalog.alter_table_statistics(T, SIZE, False)
    catalog.alter_partition_statistics(P, SPEC, SIZE, False)
    catalog.rename_table(T, "t2", False)
    catalog.rename_table(P, "p2", False)
    renamed = ObjectPath("db", "p2")
    assert catalog.get_table_statistics(ObjectPath("db", "t2")) == SIZE
    assert catalog.get_partition_statistics(renamed, SPEC) == SIZE
    catalog.create_table(T, CatalogBaseTable.create_table(SCHEMA), False)
    assert catalog.get_table_statistics(T) == UNKNOWN
    catalog.drop_database("db", False, cascade=True)
    catalog.create_database("db", CatalogDatabase(), False)
    catalog.create_table(renamed, CatalogBaseTable.create_table(SCHEMA, ["b"]), False)
    assert not catalog.partition_exists(renamed, SPEC)
