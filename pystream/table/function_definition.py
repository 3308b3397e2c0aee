"""FunctionDefinition: a function of the program that queries may call, and the kinds of such functions."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any, Self

from pystream.plan.function import UserFunction
from pystream.sql_types.data_types import DataType, RowType
from pystream.sql_types.decimals import in_streams, in_tables, rounded
from typeinfo.info import TypeInformation

__all__ = [
    "AggregateFunctionDefinition",
    "FunctionDefinition",
    "ScalarFunctionDefinition",
    "TableAggregateFunctionDefinition",
    "TableFunctionDefinition",
]


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """A function of the program that queries may call, as it was when it was given a name.

    Attributes:
        name: its name in SQL.
        function: the function.
        input_types: the types that its arguments are converted to, if they are declared.
        is_deterministic: whether equal arguments always have equal results.
        signature: its parameters, if they are known.
    """

    name: str
    function: UserFunction
    input_types: tuple[DataType, ...] | None
    is_deterministic: bool
    signature: inspect.Signature | None = field(compare=False)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the function itself, which never changes, in copies of trees that call it."""
        return self

    def refusal(self, count: int) -> str | None:
        """Return why the function cannot be called with a number of arguments, ``None`` if it can."""
        if self.input_types is not None and len(self.input_types) != count:
            return f"{self.name} takes {len(self.input_types)} arguments, not {count}"
        if self.signature is not None:
            try:
                self.signature.bind(*range(count))
            except TypeError as error:
                return f"{self.name}{self.signature} cannot be called with {count} arguments: {error}"
        return None


@dataclass(frozen=True, slots=True)
class ScalarFunctionDefinition(FunctionDefinition):
    """A function of the values of a row to one value.

    Attributes:
        result_type: the type of its results in SQL.
        type_info: the type of its results in Python.
    """

    result_type: DataType
    type_info: TypeInformation[Any]

    @property
    def column_type(self) -> TypeInformation[Any]:
        """The type of the results in a column, to whose digits decimals are rounded."""
        declared = self.result_type.type_info
        return rounded(declared if in_streams(declared) == self.type_info else self.type_info)


@dataclass(frozen=True, slots=True)
class TableFunctionDefinition(FunctionDefinition):
    """A function of the values of a row to rows.

    Attributes:
        result_type: the columns of its rows.
        record_type: the type of its rows in Python, if they are objects with these fields, no rows or tuples.
    """

    result_type: RowType
    record_type: TypeInformation[Any] | None


@dataclass(frozen=True, slots=True)
class AggregateFunctionDefinition(FunctionDefinition):
    """A function of the values of several rows to one value.

    Attributes:
        result_type: the type of its results in SQL.
        type_info: the type of its results in Python.
        can_retract: whether it can take back the values of a row.
        can_merge: whether it can merge accumulators.
    """

    result_type: DataType
    type_info: TypeInformation[Any]
    can_retract: bool
    can_merge: bool

    @property
    def column_type(self) -> TypeInformation[Any]:
        """The type of the results in a column."""
        declared = self.result_type.type_info
        return declared if in_streams(declared) == self.type_info else in_tables(self.type_info)


@dataclass(frozen=True, slots=True)
class TableAggregateFunctionDefinition(FunctionDefinition):
    """A function of the values of several rows to any number of rows.

    Attributes:
        result_type: the type of its rows, or of their only column.
        can_retract: whether it can take back the values of a row.
    """

    result_type: DataType
    can_retract: bool
