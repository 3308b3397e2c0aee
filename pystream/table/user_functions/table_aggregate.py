"""Table aggregate functions: of the values of several rows to any number of rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, overload

from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError
from pystream.plan.function import describe_function
from pystream.sql_types.data_types import DataType
from pystream.table.function_definition import TableAggregateFunctionDefinition
from pystream.table.user_functions.accumulating import (
    ImperativeAggregateFunction,
    is_implemented,
    signature_after_accumulator,
)
from pystream.table.user_functions.declarations import (
    InputTypes,
    ValueType,
    check_function,
    check_result_type,
    declared_determinism,
    declared_input_types,
    declared_type,
    name_of_function,
)
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["TableAggregateFunction", "UserDefinedTableAggregateFunctionWrapper", "udtaf"]

T = TypeVar("T")
ACC = TypeVar("ACC")


class TableAggregateFunction(ImperativeAggregateFunction[T, ACC]):
    """A function of the values of several rows to any number of rows, by way of an accumulator.

    Mirrors ``org.apache.flink.table.functions.TableAggregateFunction``.
    """

    @abstractmethod
    def emit_value(self, accumulator: ACC) -> Iterable[T]:
        """Return the rows of all values so far: rows or tuples, or values if there is one column.

        It is called again after further values, so that it must leave the accumulator as it is.
        """


@checks_arguments(ArgumentTypeError)
class UserDefinedTableAggregateFunctionWrapper(UserDefinedFunctionWrapper, Generic[T]):
    """A table aggregate function for ``flat_aggregate``, made by ``udtaf``.

    Mirrors ``pyflink.table.udf.UserDefinedAggregateFunctionWrapper``.
    """

    _example: ClassVar[str] = "one made by udtaf"
    _call_name: ClassVar[str] = "udtaf"

    def __init__(
        self,
        function: TableAggregateFunction[T, Any],
        input_types: tuple[DataType, ...] | None,
        result_type: DataType,
        *,
        is_deterministic: bool,
        name: str,
    ) -> None:
        super().__init__(function, input_types, is_deterministic=is_deterministic, name=name)
        self._table_aggregate = function
        self._result_type = result_type

    def _definition(self, name: str, call: str) -> TableAggregateFunctionDefinition:
        f = self._table_aggregate
        return TableAggregateFunctionDefinition(
            name=name,
            function=self._user_function(call),
            input_types=self._input_types,
            is_deterministic=self._deterministic,
            signature=signature_after_accumulator(f.accumulate),
            result_type=self._result_type,
            can_retract=is_implemented(f, "retract"),
        )


TableAggregateFunctionDecorator: TypeAlias = (
    "Callable[[TableAggregateFunction[Any, Any]], UserDefinedTableAggregateFunctionWrapper[Any]]"
)


@overload
def udtaf(
    f: None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
) -> TableAggregateFunctionDecorator: ...


@overload
def udtaf(
    f: TableAggregateFunction[T, Any],
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
) -> UserDefinedTableAggregateFunctionWrapper[T]: ...


@checks_arguments(ArgumentTypeError)
def udtaf(
    f: TableAggregateFunction[Any, Any] | None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
) -> UserDefinedTableAggregateFunctionWrapper[Any] | TableAggregateFunctionDecorator:
    """Make a table aggregate function one that ``flat_aggregate`` takes, or return a decorator that does.

    It gets the values of each row of a group, nulls as ``None``. Where the rows are updated later, it takes
    values back by ``retract``. Its results are checked: a row of another type fails the job.

    Args:
        f: an instance of a ``TableAggregateFunction``.
        input_types: SQL types of the arguments, to which SQL converts them; those of the call unless given.
        result_type: the type of the rows, or of their only column; that of ``get_result_type`` unless given.
        accumulator_type: the type of accumulators. It is checked to be one; accumulators are stored as they
            are, whatever their type.
        deterministic: whether equal arguments always have equal results; ``True`` unless the function says
            otherwise.
        name: its name in Python; that of its class unless given.
        func_type: ``"general"``.

    Raises:
        PlanTypeError: an argument has the wrong class.
        PlanError: the type of the results is not known, or not one of SQL.
        ConfigurationError: ``func_type`` is another one.

    Mirrors ``pyflink.table.udf.udtaf``.
    """
    if func_type != "general":
        raise ConfigurationError(f"udtaf: func_type must be 'general', not {short_repr(func_type)}")
    if f is None:

        def decorated(
            function: TableAggregateFunction[Any, Any],
        ) -> UserDefinedTableAggregateFunctionWrapper[Any]:
            return udtaf(
                function,
                input_types=input_types,
                result_type=result_type,
                accumulator_type=accumulator_type,
                deterministic=deterministic,
                name=name,
            )

        return decorated
    check_function(f, "udtaf", TableAggregateFunction)
    if accumulator_type is not None:
        declared_type(accumulator_type, "udtaf", "accumulator_type")
    return UserDefinedTableAggregateFunctionWrapper(
        f,
        declared_input_types(input_types, "udtaf"),
        _result_type(f, result_type),
        is_deterministic=declared_determinism(f, deterministic, "udtaf"),
        name=name_of_function(f, name),
    )


def _result_type(f: TableAggregateFunction[Any, Any], given: ValueType | None) -> DataType:
    if given is None and is_implemented(f, "get_result_type"):
        given = f.get_result_type()
    if given is None:
        raise PlanError(
            f"udtaf: the type of the rows of {describe_function(f)} is not known; declare it with "
            "result_type=DataTypes.ROW([…])"
        )
    data_type = declared_type(given, "udtaf", "result_type")
    check_result_type(f, data_type, "udtaf")
    return data_type
