"""Arguments of another class or out of range are refused where they are given, with what to give instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from pystream.common import Types
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError, PyStreamError, SqlError
from pystream.sql_types.arrow_types import from_arrow_type
from pystream.sql_types.atomic_types import (
    BinaryType,
    CharType,
    LocalZonedTimestampType,
    TimestampType,
    TimeType,
    VarBinaryType,
    VarCharType,
    ZonedTimestampType,
)
from pystream.sql_types.stream_types import RawType
from pystream.sql_types.user_defined_type import UserDefinedType
from pystream.table import DataTypes, EnvironmentSettings, Schema, StreamTableEnvironment
from pystream.table.aggregated_tables import AggregatedTable, FlatAggregateTable
from pystream.table.catalog.catalog import JdbcCatalog
from pystream.table.catalog.objects import (
    CatalogBaseTable,
    CatalogDatabase,
    CatalogDescriptor,
    CatalogFunction,
    CatalogModel,
    CatalogPartition,
    CatalogPartitionSpec,
)
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.catalog.statistics import CatalogColumnStatistics, CatalogTableStatistics
from pystream.table.expressions import col
from pystream.table.module import HiveModule, ModuleEntry
from pystream.table.over_windows import OverWindowPartitionedOrdered
from pystream.table.plan_reference import FilePlanReference, JsonContentPlanReference, PlanReference
from pystream.table.resolved_columns import MetadataColumn, PhysicalColumn
from pystream.table.table_descriptor import FormatDescriptor, TableDescriptor
from pystream.table.table_pipeline import TablePipeline
from pystream.table.udf import udtaf
from pystream.table.user_functions.scalar import UserDefinedScalarFunctionWrapper
from pystream.table.window import TumbleWithSizeOnTime
from pystream.testing import local_environment

SCHEMA = Schema.new_builder().column("a", DataTypes.INT()).build()
WRONG: Any = object()


def refused(call: Callable[[], object], error: type[PyStreamError], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CatalogDatabase(WRONG), "CatalogDatabase takes a dict .* as properties"),
        (
            lambda: CatalogDatabase.create_instance({}, 1),
            r"create_instance takes a str or None, not 1 \(int\)",
        ),
        (lambda: CatalogDatabase.create_instance("ab"), "takes a Mapping .* not 'ab'"),
        (lambda: CatalogBaseTable.create_table(SCHEMA, "a"), "each element is a str, not 'a'"),
        (lambda: CatalogBaseTable.create_table(WRONG), "takes a TableSchema or a Schema, not"),
        (lambda: CatalogBaseTable.create_view(b"a", "", SCHEMA, {}), "takes a str, .* as original_query"),
        (lambda: CatalogFunction.create_instance("a.b", 1), "takes a str, .* as function_language"),
        (lambda: CatalogModel.create_model(SCHEMA, None), "takes a Schema, not None, as output_schema"),
        (lambda: CatalogPartition.create_instance(1.5), "takes a Mapping .* as properties"),
        (lambda: CatalogPartitionSpec(None), "CatalogPartitionSpec takes a Mapping .* not None"),
        (lambda: CatalogTableStatistics(True), "takes an int of 64 bits, not True .* as row_count"),
        (lambda: CatalogColumnStatistics(WRONG), "as column_statistics_data"),
        (lambda: ModuleEntry("core", 1), "takes True or False, .* as is_used"),
        (lambda: OverWindowPartitionedOrdered(WRONG), "takes an OverWindow such as"),
        (lambda: TumbleWithSizeOnTime(None), "TumbleWithSizeOnTime takes a GroupWindow such as"),
        (lambda: FilePlanReference("a"), "FilePlanReference takes a Path"),
        (lambda: JsonContentPlanReference(1), "JsonContentPlanReference takes a str"),
        (lambda: PhysicalColumn(1, DataTypes.INT()), "PhysicalColumn takes a str, not 1"),
        (lambda: MetadataColumn("a", DataTypes.INT(), None, 1), "takes True or False, .* as virtual"),
        (lambda: FormatDescriptor("json", None), "FormatDescriptor takes a Mapping"),
        (lambda: TableDescriptor(None, {}, (), 1), "TableDescriptor takes a str or None, .* as comment"),
        (lambda: TablePipeline(WRONG, WRONG), "TablePipeline takes"),
        (lambda: AggregatedTable(None), "AggregatedTable takes a Table, not None"),
        (lambda: FlatAggregateTable(None), "FlatAggregateTable takes a Table, not None"),
        (lambda: udtaf(accumulator_type=WRONG), "udtaf takes a DataType such as .* as accumulator_type"),
        (
            lambda: UserDefinedScalarFunctionWrapper(
                len,
                None,
                DataTypes.INT(),
                type_info=Types.INT(),
                is_deterministic=True,
                name=WRONG,
                takes_batches=False,
            ),
            "UserDefinedScalarFunctionWrapper takes a str, .* as name",
        ),
        (lambda: col("a").list_agg(1), "list_agg takes a str or None, .* as separator"),
        (lambda: col("a").sum.over(None), "over takes an Expression"),
        (lambda: RawType(Types.INT(), None), "RawType takes True or False, not None, as nullable"),
        (lambda: UserDefinedType(1), "UserDefinedType takes True or False, .* as nullable"),  # type: ignore[abstract]
        (lambda: from_arrow_type(DataTypes.INT()), "takes a type of Arrow such as pa.int32()"),
        (lambda: from_arrow_type(pa.int32(), None), "takes True or False, not None, as nullable"),
    ],
)
def test_another_class(call: Callable[[], object], message: str) -> None:
    refused(call, ArgumentTypeError, message)


@pytest.mark.parametrize("cls", [BinaryType, CharType, VarBinaryType, VarCharType])
@pytest.mark.parametrize("length", [None, True, "1", 1.5, 2**64])
def test_lengths_of_another_class(cls: Any, length: Any) -> None:
    refused(lambda: cls(length), ArgumentTypeError, f"{cls.__name__} takes an int of 64 bits, .* as length")


@pytest.mark.parametrize("cls", [TimeType, TimestampType, LocalZonedTimestampType, ZonedTimestampType])
@pytest.mark.parametrize("precision", [None, True, "1", 1.5, 2**64])
def test_precisions_of_another_class(cls: Any, precision: Any) -> None:
    message = f"{cls.__name__} takes an int of 64 bits, .* as precision"
    refused(lambda: cls(precision), ArgumentTypeError, message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CatalogFunction(" "), "CatalogFunction: class_name is empty; give the place"),
        (lambda: CatalogTableStatistics(total_size=-2), "total_size must be an int of -1 or more, not -2"),
        (lambda: FormatDescriptor(""), "format_name is empty; give the name of a format such as 'json'"),
        (lambda: PlanReference.from_file(""), "from_file: path is empty"),
        (
            lambda: EnvironmentSettings.new_instance().with_built_in_catalog_name(""),
            "is empty; give the name",
        ),
        (
            lambda: EnvironmentSettings.new_instance().with_built_in_database_name(""),
            "is empty; give the name",
        ),
        (
            lambda: CatalogDescriptor.of("", EnvironmentSettings.in_batch_mode().get_configuration()),
            "CatalogDescriptor: catalog_name is empty; give the name of the catalog",
        ),
    ],
)
def test_values_out_of_range(call: Callable[[], object], message: str) -> None:
    refused(call, ConfigurationError, message)


@pytest.mark.parametrize("name", ["", " ", None, 1, b"a"])
def test_names_of_identifiers(name: Any) -> None:
    message = f"ObjectIdentifier: a name must be a non-empty str, not {name!r}"
    refused(lambda: ObjectIdentifier("c", name, "t"), PlanError, message)
    refused(lambda: ObjectIdentifier.of(name, "d", "t"), PlanError, message)


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (HiveModule, "use functions of your own instead"),
        (JdbcCatalog, r"use tables WITH \('connector' = 'jdbc'\) in another catalog"),
        (UserDefinedType.sql_type, r"UserDefinedType must define sql_type\(\)"),
    ],
)
def test_what_does_not_run_here_has_a_remedy(call: Callable[[], object], remedy: str) -> None:
    refused(call, PyStreamError, remedy)


@pytest.fixture
def environment() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


@pytest.mark.parametrize("drop", ["drop_temporary_function", "drop_temporary_system_function"])
def test_a_function_without_a_name_is_not_taken_for_a_change(
    environment: StreamTableEnvironment, drop: str
) -> None:
    refused(lambda: getattr(environment, drop)(""), PlanError, "the name of a .*function must be a non-empty")
    assert environment._functions.changes == 0


def test_count_without_an_argument(environment: StreamTableEnvironment) -> None:
    environment.execute_sql("CREATE TEMPORARY VIEW t AS SELECT 1 AS a")
    refused(
        lambda: environment.sql_query("SELECT a FROM t GROUP BY a HAVING COUNT() > 1"),
        SqlError,
        r"COUNT takes an argument; write COUNT\(\*\)",
    )
