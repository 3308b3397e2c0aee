"""The exceptions of catalogs, by the names under which programs of PyFlink catch them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pystream.errors import PlanError, UnsupportedOperationError
from pystream.table import DataTypes, Schema, TableSchema
from pystream.table.catalog import (
    Catalog,
    CatalogBaseTable,
    CatalogDatabase,
    CatalogFunction,
    CatalogModel,
    CatalogPartition,
    CatalogPartitionSpec,
    CatalogTableStatistics,
    ObjectPath,
)
from pystream.table.catalog.stores import MemoryStore
from pystream.util import exceptions

SCHEMA = TableSchema(["a", "b"], [DataTypes.INT(), DataTypes.STRING()])
TABLE = CatalogBaseTable.create_table(SCHEMA)
VIEW = CatalogBaseTable.create_view("SELECT 1", "SELECT 1", SCHEMA, {})
FUNCTION = CatalogFunction.create_instance("m.f")
MODEL = CatalogModel.create_model(Schema(), Schema())
PARTITION = CatalogPartition.create_instance({})
ONE = CatalogPartitionSpec({"b": "1"})
TWO = CatalogPartitionSpec({"b": "2"})
T, P, NONE, NOWHERE = (ObjectPath.from_string(name) for name in ("db.t", "db.p", "db.none", "none.t"))


@pytest.fixture
def catalog() -> Catalog:
    made = Catalog(MemoryStore(), "c", "default")
    made.create_database("db", CatalogDatabase(), False)
    made.create_table(T, TABLE, False)
    made.create_table(P, CatalogBaseTable.create_table(SCHEMA, ["b"]), False)
    made.create_function(T, FUNCTION, False)
    made.create_model(T, MODEL, False)
    made.create_partition(P, ONE, PARTITION, False)
    return made


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("DatabaseAlreadyExist", lambda c: c.create_database("db", CatalogDatabase(), False)),
        ("DatabaseNotExist", lambda c: c.get_database("none")),
        ("DatabaseNotExist", lambda c: c.drop_database("none", False)),
        ("DatabaseNotExist", lambda c: c.alter_database("none", CatalogDatabase(), False)),
        ("DatabaseNotExist", lambda c: c.list_materialized_tables("none")),
        ("DatabaseNotExist", lambda c: c.create_table(NOWHERE, TABLE, True)),
        ("DatabaseNotExist", lambda c: c.create_function(NOWHERE, FUNCTION, True)),
        ("DatabaseNotExist", lambda c: c.create_model(NOWHERE, MODEL, True)),
        ("DatabaseNotEmpty", lambda c: c.drop_database("db", False)),
        ("TableAlreadyExist", lambda c: c.create_table(T, VIEW, False)),
        ("TableAlreadyExist", lambda c: c.rename_table(T, "p", False)),
        ("TableNotExist", lambda c: c.get_table(NONE)),
        ("TableNotExist", lambda c: c.get_table(NOWHERE)),
        ("TableNotExist", lambda c: c.drop_table(NOWHERE, False)),
        ("TableNotExist", lambda c: c.alter_table(NONE, TABLE, False)),
        ("TableNotExist", lambda c: c.list_partitions(NONE)),
        ("TableNotExist", lambda c: c.alter_table_statistics(NONE, CatalogTableStatistics(), False)),
        ("TableNotExist", lambda c: c.get_table_column_statistics(NONE)),
        ("Catalog", lambda c: c.alter_table(T, VIEW, False)),
        ("FunctionAlreadyExist", lambda c: c.create_function(ObjectPath("db", "T"), FUNCTION, False)),
        ("FunctionNotExist", lambda c: c.get_function(NOWHERE)),
        ("FunctionNotExist", lambda c: c.alter_function(NONE, FUNCTION, False)),
        ("FunctionNotExist", lambda c: c.drop_function(NONE, False)),
        ("ModelAlreadyExist", lambda c: c.create_model(T, MODEL, False)),
        ("ModelNotExist", lambda c: c.get_model(NOWHERE)),
        ("ModelNotExist", lambda c: c.rename_model(NONE, "m", False)),
        ("ModelNotExist", lambda c: c.alter_model(NONE, MODEL, False)),
        ("ModelNotExist", lambda c: c.drop_model(NONE, False)),
        ("PartitionNotExist", lambda c: c.get_partition(P, TWO)),
        ("PartitionNotExist", lambda c: c.get_partition_statistics(P, TWO)),
        ("PartitionNotExist", lambda c: c.bulk_get_partition_column_statistics(P, [ONE, TWO])),
        ("PartitionAlreadyExists", lambda c: c.create_partition(P, ONE, PARTITION, False)),
        ("PartitionSpecInvalid", lambda c: c.create_partition(P, CatalogPartitionSpec({}), PARTITION, True)),
        ("TableNotPartitioned", lambda c: c.create_partition(T, ONE, PARTITION, True)),
    ],
)
def test_refusals_have_the_class_of_pyflink(
    catalog: Catalog, name: str, call: Callable[[Catalog], object]
) -> None:
    with pytest.raises(PlanError) as refused:
        call(catalog)
    assert type(refused.value) is getattr(exceptions, f"{name}Exception")
    assert isinstance(refused.value, exceptions.JavaException)


@pytest.mark.parametrize("call", [lambda c: c.list_procedures("db"), lambda c: c.get_procedure(T)])
def test_procedures_are_refused(catalog: Catalog, call: Callable[[Catalog], object]) -> None:
    with pytest.raises(UnsupportedOperationError, match="'c' has no procedures"):
        call(catalog)
