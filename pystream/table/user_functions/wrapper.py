"""UserDefinedFunctionWrapper: a function of the program with its declaration."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any, ClassVar, Self

from pystream.errors import ArgumentTypeError, PlanTypeError
from pystream.plan.function import UserFunction, describe_function
from pystream.sql_types.data_types import DataType
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.function_definition import FunctionDefinition, ScalarFunctionDefinition
from pystream.table.user_functions.user_defined_function import UserDefinedFunction
from pystream.table.user_functions.whole_rows import OfWholeRows
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["UserDefinedFunctionWrapper", "ValueFunctionWrapper"]


@checks_arguments(ArgumentTypeError)
class UserDefinedFunctionWrapper(ABC):
    """A function that SQL can call once it has a name there, and expressions at once.

    Mirrors ``pyflink.table.udf.UserDefinedFunctionWrapper``.

    Args:
        function: the function, or an instance of a function class.
        input_types: the types that its arguments are converted to, if they are declared.
        is_deterministic: whether equal arguments always have equal results.
        name: its name in Python.
    """

    _example: ClassVar[str] = "one made by udf"
    _call_name: ClassVar[str] = "udf"
    """The call that makes it, for messages."""

    def __init__(
        self,
        function: Callable[..., Any] | UserDefinedFunction,
        input_types: tuple[DataType, ...] | None,
        *,
        is_deterministic: bool,
        name: str,
    ) -> None:
        self._function: Any = function
        self._input_types = input_types
        self._deterministic = is_deterministic
        self._name = name
        self._alias_names: tuple[str, ...] = ()
        self._whole_rows: tuple[str, ...] | None = None
        self.__name__ = name
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the expression of a call.

        Raises:
            PlanTypeError: an argument has a name.
        """
        if kwargs:
            raise PlanTypeError(f"{self._name}: arguments in expressions are passed by position")
        return Expression._of_function(self._definition(self._name, self._call_name), *args)

    def alias(self, *alias_names: str) -> Self:
        """Return the function with names for the columns of its results, for methods of tables.

        Args:
            alias_names: the names.
        """
        named = copy(self)
        named._alias_names = alias_names
        return named

    def _of_whole_rows(self, names: Sequence[str]) -> Expression[Any]:
        """Return the call of the function with a whole row of a table.

        Args:
            names: the names of the columns.
        """
        taking = copy(self)
        taking._whole_rows = tuple(names)
        columns = [Expression(partial(trees().column_tree, name)) for name in names]
        call = Expression._of_function(taking._definition(self._name, self._call_name), *columns)
        return call.alias(*self._alias_names) if self._alias_names else call

    def __repr__(self) -> str:
        return f"<user-defined function {self._name}: {describe_function(self._function)}>"

    def _user_function(
        self, call: str, *, takes_batches: bool = False, is_asynchronous: bool = False
    ) -> UserFunction:
        """Return the function, pickled for a call.

        Raises:
            FunctionPicklingError: the function cannot be sent to the workers.
        """
        function = self._function
        if self._whole_rows is None:
            is_object = isinstance(function, UserDefinedFunction)
            return UserFunction.of(
                function,
                call,
                is_object=is_object,
                takes_batches=takes_batches,
                is_asynchronous=is_asynchronous,
            )
        return UserFunction.of(
            OfWholeRows(function, self._whole_rows, takes_batches=takes_batches),
            call,
            is_object=True,
            takes_batches=takes_batches,
            is_asynchronous=is_asynchronous,
            described=function,
            blamed=function,
        )

    def _signature(self) -> inspect.Signature | None:
        """Return the parameters of the function, ``None`` if they are not known or no values of columns."""
        if self._whole_rows is not None:
            return None
        try:
            return inspect.signature(getattr(self._function, "eval", self._function))
        except (TypeError, ValueError):  # some functions that are written in C have none
            return None

    @abstractmethod
    def _definition(self, name: str, call: str) -> FunctionDefinition:
        """Return the function as it is now, for queries.

        Args:
            name: its name in SQL.
            call: the call that gives it the name, for messages.

        Raises:
            FunctionPicklingError: the function cannot be sent to the workers.
        """


@checks_arguments(ArgumentTypeError)
class ValueFunctionWrapper(UserDefinedFunctionWrapper):
    """A function that returns one value, for a row or for several.

    Args:
        function: the function, or an instance of a function class.
        input_types: the types that its arguments are converted to, if they are declared.
        result_type: the type of its results in SQL.
        type_info: the type of its results in Python.
        is_deterministic: whether equal arguments always have equal results.
        name: its name in Python.
        takes_batches: whether it is called with whole columns.
    """

    def __init__(
        self,
        function: Callable[..., Any] | UserDefinedFunction,
        input_types: tuple[DataType, ...] | None,
        result_type: DataType,
        *,
        type_info: TypeInformation[Any],
        is_deterministic: bool,
        name: str,
        takes_batches: bool,
    ) -> None:
        super().__init__(function, input_types, is_deterministic=is_deterministic, name=name)
        self._result_type = result_type
        self._type_info = type_info
        self._takes_batches = takes_batches

    def _scalar_definition(self, name: str, function: UserFunction) -> ScalarFunctionDefinition:
        """Return the definition of a function that is called with the values of a row."""
        return ScalarFunctionDefinition(
            name=name,
            function=function,
            input_types=self._input_types,
            is_deterministic=self._deterministic,
            signature=self._signature(),
            result_type=self._result_type,
            type_info=self._type_info,
        )
