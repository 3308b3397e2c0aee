"""Functions of the program that are given a name in SQL."""

from __future__ import annotations

from typing import Any, TypeAlias

from pystream.arguments.checks import require
from pystream.table.function_definition import FunctionDefinition
from pystream.table.user_functions.aggregate import AggregateFunction, udaf
from pystream.table.user_functions.scalar import ScalarFunction
from pystream.table.user_functions.table import TableFunction
from pystream.table.user_functions.table_aggregate import TableAggregateFunction, udtaf
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper

__all__ = ["NamedFunction", "definition_of"]

NamedFunction: TypeAlias = (
    "UserDefinedFunctionWrapper | AggregateFunction[Any, Any] | TableAggregateFunction[Any, Any]"
)


def definition_of(name: str, function: NamedFunction, call: str) -> FunctionDefinition:
    """Return a function as it is now, for queries.

    Args:
        name: its name in SQL.
        function: the function; an instance of an aggregate function declares the type of its results.
        call: the call that gives it the name, for messages.

    Raises:
        PlanTypeError: it is another object.
        PlanError: the type of the results of an aggregate function is not known.
        FunctionPicklingError: the function cannot be sent to the workers.
    """
    if isinstance(function, AggregateFunction):
        function = udaf(function)
    elif isinstance(function, TableAggregateFunction):
        function = udtaf(function)
    require(function, UserDefinedFunctionWrapper, call, _wanted(function))
    return function._definition(name, call)


def _wanted(function: object) -> str:
    """Return how to make a function that can have a name in SQL of one that cannot."""
    name = f"{type(function).__name__}()"
    match function:
        case TableFunction():
            return f"a function made by udtf, such as udtf({name}, result_types=[DataTypes.BIGINT()])"
        case ScalarFunction():
            return f"a function made by udf, such as udf({name}, result_type=DataTypes.BIGINT())"
    return "a function made by udf, such as udf(f, result_type=DataTypes.BIGINT())"
