"""Functions of the program in SQL, under their module name in PyFlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.engine.function_context import FunctionContext
from pystream.lazy import re_exports
from pystream.table.user_functions.accumulating import ImperativeAggregateFunction
from pystream.table.user_functions.aggregate import (
    AggregateFunction,
    UserDefinedAggregateFunctionWrapper,
    udaf,
)
from pystream.table.user_functions.async_scalar import (
    AsyncScalarFunction,
    UserDefinedAsyncScalarFunctionWrapper,
)
from pystream.table.user_functions.scalar import ScalarFunction, UserDefinedScalarFunctionWrapper, udf
from pystream.table.user_functions.table import TableFunction, UserDefinedTableFunctionWrapper, udtf
from pystream.table.user_functions.table_aggregate import (
    TableAggregateFunction,
    UserDefinedTableAggregateFunctionWrapper,
    udtaf,
)
from pystream.table.user_functions.user_defined_function import UserDefinedFunction
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper

if TYPE_CHECKING:
    from pystream.common.type_variables import ACC as ACC
    from pystream.common.type_variables import T as T
    from pystream.engine.metrics.metric import MetricGroup as MetricGroup
    from pystream.sql_types.data_types import DataType as DataType
    from pystream.table.expression.expression import Expression as Expression
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "AggregateFunction",
    "AsyncScalarFunction",
    "FunctionContext",
    "ImperativeAggregateFunction",
    "ScalarFunction",
    "TableAggregateFunction",
    "TableFunction",
    "UserDefinedAggregateFunctionWrapper",
    "UserDefinedAsyncScalarFunctionWrapper",
    "UserDefinedFunction",
    "UserDefinedFunctionWrapper",
    "UserDefinedScalarFunctionWrapper",
    "UserDefinedTableAggregateFunctionWrapper",
    "UserDefinedTableFunctionWrapper",
    "udaf",
    "udf",
    "udtaf",
    "udtf",
]
