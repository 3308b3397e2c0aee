"""What calls such as udf are told of a function: its types, name and determinism."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, TypeAlias

from pystream.arguments.checks import require_function
from pystream.errors import PlanError, PlanTypeError, SqlError, UnsupportedOperationError
from pystream.plan.function import describe_function
from pystream.sql_types.data_types import DataType
from pystream.sql_types.stream_types import data_type_of, raw_parts
from pystream.table.user_functions.user_defined_function import UserDefinedFunction
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

__all__ = [
    "InputTypes",
    "ValueType",
    "check_function",
    "check_result_type",
    "declared_determinism",
    "declared_input_types",
    "declared_type",
    "name_of_function",
]

ValueType: TypeAlias = DataType | TypeInformation[Any] | str
InputTypes: TypeAlias = ValueType | Sequence[ValueType]


def check_function(f: object, call: str, base: type[UserDefinedFunction]) -> None:
    """Check that an argument is a function, or an instance of a function class.

    Args:
        f: the argument.
        call: the call, for messages.
        base: the function class.

    Raises:
        PlanTypeError: it is another object.
        UnsupportedOperationError: it is asynchronous.
    """
    require_function(f, call, UserDefinedFunction if isinstance(f, type) else base)
    if isinstance(f, UserDefinedFunctionWrapper) or (
        isinstance(f, UserDefinedFunction) and not isinstance(f, base)
    ):
        raise PlanTypeError(f"{call} takes a function or a {base.__name__}, not {short_repr(f)}")
    if inspect.iscoroutinefunction(getattr(f, "eval", f)):
        raise UnsupportedOperationError(
            f"{call}: {describe_function(f)} is asynchronous, which only a function of udf or an "
            "AsyncScalarFunction may be"
        )


def declared_determinism(f: object, given: bool | None, call: str) -> bool:
    """Return whether equal arguments of a function always have equal results.

    Raises:
        PlanError: the function says otherwise.
    """
    own = f.is_deterministic() if isinstance(f, UserDefinedFunction) else None
    if given is not None and own is not None and given != own:
        raise PlanError(
            f"{call}: deterministic={given} contradicts is_deterministic() of {describe_function(f)}, which "
            f"returns {own}; correct one of them"
        )
    return next((value for value in (given, own) if value is not None), True)


def declared_input_types(given: InputTypes | None, call: str) -> tuple[DataType, ...] | None:
    """Return the declared types of arguments.

    Raises:
        PlanTypeError: they are no data types.
        SqlError: a text is not the name of one.
    """
    if given is None:
        return None
    several = [given] if isinstance(given, DataType | TypeInformation | str) else given
    if not isinstance(several, Sequence):
        raise PlanTypeError(f"{call}: input_types takes data types, not {short_repr(given)}")
    return tuple(declared_type(one, call, "input_types") for one in several)


def declared_type(given: object, call: str, parameter: str) -> DataType:
    """Return a declared type.

    Raises:
        PlanTypeError: it is no data type.
        SqlError: it is a text that is not the name of one.
    """
    match given:
        case DataType():
            return given
        case TypeInformation():
            return data_type_of(given)
        case str():
            from pystream.table.sql.column_types import parse_data_type

            try:
                return parse_data_type(given)
            except SqlError as error:
                raise SqlError(f"{call}: {parameter}: {error}") from None
    raise PlanTypeError(
        f"{call}: {parameter} takes a data type such as DataTypes.BIGINT(), its name such as 'BIGINT', or a "
        f"type such as Types.LONG(), not {short_repr(given)}"
    )


def check_result_type(f: object, data_type: DataType, call: str) -> None:
    """Check that SQL has the type of the results of a function.

    Raises:
        PlanError: it has not.
    """
    for part in raw_parts(data_type):
        raise PlanError(
            f"{call}: {describe_function(f)} returns {part.type_info}, which SQL has no type for; return a "
            "number, text, bytes, a date, a time, or a list, dict or Row of these"
        )


def name_of_function(f: object, given: str | None) -> str:
    """Return the name of a function in Python."""
    return given or str(getattr(f, "__name__", type(f).__name__))
