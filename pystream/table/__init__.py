"""Tables on typed streams, under the names of PyFlink.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.sql_types.data_types import DataTypes as DataTypes
    from pystream.sql_types.user_defined_type import UserDefinedType as UserDefinedType
    from pystream.table.aggregated_tables import AggregatedTable as AggregatedTable
    from pystream.table.aggregated_tables import FlatAggregateTable as FlatAggregateTable
    from pystream.table.changelog_mode import ChangelogMode as ChangelogMode
    from pystream.table.compiled_plan import CompiledPlan as CompiledPlan
    from pystream.table.data_view import DataView as DataView
    from pystream.table.data_view import ListView as ListView
    from pystream.table.data_view import MapView as MapView
    from pystream.table.environment_settings import EnvironmentSettings as EnvironmentSettings
    from pystream.table.explain_detail import ExplainDetail as ExplainDetail
    from pystream.table.expression import Expression as Expression
    from pystream.table.grouped_table import GroupedTable as GroupedTable
    from pystream.table.module import Module as Module
    from pystream.table.module import ModuleEntry as ModuleEntry
    from pystream.table.plan_reference import PlanReference as PlanReference
    from pystream.table.result_kind import ResultKind as ResultKind
    from pystream.table.schema import Schema as Schema
    from pystream.table.sql_dialect import SqlDialect as SqlDialect
    from pystream.table.statement_set import StatementSet as StatementSet
    from pystream.table.stream_table_environment import StreamTableEnvironment as StreamTableEnvironment
    from pystream.table.table import Table as Table
    from pystream.table.table_config import TableConfig as TableConfig
    from pystream.table.table_descriptor import FormatDescriptor as FormatDescriptor
    from pystream.table.table_descriptor import TableDescriptor as TableDescriptor
    from pystream.table.table_environment import TableEnvironment as TableEnvironment
    from pystream.table.table_pipeline import TablePipeline as TablePipeline
    from pystream.table.table_result import TableResult as TableResult
    from pystream.table.table_schema import TableSchema as TableSchema
    from pystream.table.udf import AggregateFunction as AggregateFunction
    from pystream.table.udf import AsyncScalarFunction as AsyncScalarFunction
    from pystream.table.udf import FunctionContext as FunctionContext
    from pystream.table.udf import ScalarFunction as ScalarFunction
    from pystream.table.udf import TableAggregateFunction as TableAggregateFunction
    from pystream.table.udf import TableFunction as TableFunction
    from pystream.table.windowed_tables import GroupWindowedTable as GroupWindowedTable
    from pystream.table.windowed_tables import OverWindowedTable as OverWindowedTable
    from pystream.table.windowed_tables import WindowGroupedTable as WindowGroupedTable
    from typeinfo.row import Row as Row
    from typeinfo.row import RowKind as RowKind
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
