"""Tables on typed streams, under the names of PyFlink."""

from __future__ import annotations

from pystream.sql_types.data_types import DataTypes
from pystream.sql_types.user_defined_type import UserDefinedType
from pystream.table.aggregated_tables import AggregatedTable, FlatAggregateTable
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.compiled_plan import CompiledPlan
from pystream.table.data_view import DataView, ListView, MapView
from pystream.table.environment_settings import EnvironmentSettings
from pystream.table.explain_detail import ExplainDetail
from pystream.table.expression import Expression
from pystream.table.grouped_table import GroupedTable
from pystream.table.module import Module, ModuleEntry
from pystream.table.plan_reference import PlanReference
from pystream.table.result_kind import ResultKind
from pystream.table.schema import Schema
from pystream.table.sql_dialect import SqlDialect
from pystream.table.statement_set import StatementSet
from pystream.table.stream_table_environment import StreamTableEnvironment
from pystream.table.table import Table
from pystream.table.table_config import TableConfig
from pystream.table.table_descriptor import FormatDescriptor, TableDescriptor
from pystream.table.table_environment import TableEnvironment
from pystream.table.table_pipeline import TablePipeline
from pystream.table.table_result import TableResult
from pystream.table.table_schema import TableSchema
from pystream.table.udf import (
    AggregateFunction,
    AsyncScalarFunction,
    FunctionContext,
    ScalarFunction,
    TableAggregateFunction,
    TableFunction,
)
from pystream.table.windowed_tables import GroupWindowedTable, OverWindowedTable, WindowGroupedTable
from typeinfo.row import Row, RowKind

__all__ = [
    "AggregateFunction",
    "AggregatedTable",
    "AsyncScalarFunction",
    "ChangelogMode",
    "CompiledPlan",
    "DataTypes",
    "DataView",
    "EnvironmentSettings",
    "ExplainDetail",
    "Expression",
    "FlatAggregateTable",
    "FormatDescriptor",
    "FunctionContext",
    "GroupWindowedTable",
    "GroupedTable",
    "ListView",
    "MapView",
    "Module",
    "ModuleEntry",
    "OverWindowedTable",
    "PlanReference",
    "ResultKind",
    "Row",
    "RowKind",
    "ScalarFunction",
    "Schema",
    "SqlDialect",
    "StatementSet",
    "StreamTableEnvironment",
    "Table",
    "TableAggregateFunction",
    "TableConfig",
    "TableDescriptor",
    "TableEnvironment",
    "TableFunction",
    "TablePipeline",
    "TableResult",
    "TableSchema",
    "UserDefinedType",
    "WindowGroupedTable",
]
