"""Aggregate functions: of the values of several rows to one value."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, overload

from pystream.arguments.element_types import element_type
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError, PlanTypeError
from pystream.plan.function import describe_function
from pystream.sql_types.data_types import DataType
from pystream.sql_types.decimals import in_streams
from pystream.sql_types.stream_types import data_type_of
from pystream.table.expression.expression import Expression
from pystream.table.function_definition import AggregateFunctionDefinition
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
from pystream.table.user_functions.scalar import FunctionType
from pystream.table.user_functions.wrapper import ValueFunctionWrapper
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled

__all__ = ["AggregateFunction", "UserDefinedAggregateFunctionWrapper", "udaf"]

T = TypeVar("T")
ACC = TypeVar("ACC")


class AggregateFunction(ImperativeAggregateFunction[T, ACC]):
    """A function of the values of several rows to one value, by way of an accumulator.

    Mirrors ``org.apache.flink.table.functions.AggregateFunction``.
    """

    @abstractmethod
    def get_value(self, accumulator: ACC) -> T:
        """Return the result of all values so far; ``None`` stands for null.

        It is called again after further values, so that it must leave the accumulator as it is.
        """


@checks_arguments(ArgumentTypeError)
class UserDefinedAggregateFunctionWrapper(ValueFunctionWrapper, Generic[T]):
    """An aggregate function that SQL can call once it has a name there, and expressions at once.

    Made by ``udaf``. Mirrors ``pyflink.table.udf.UserDefinedAggregateFunctionWrapper``.
    """

    _example: ClassVar[str] = "one made by udaf"
    _call_name: ClassVar[str] = "udaf"

    def __call__(self, *args: Any, **kwargs: Any) -> Expression[T]:
        """Return the expression of a call.

        Raises:
            PlanTypeError: an argument has a name.
        """
        expression: Expression[T] = super().__call__(*args, **kwargs)
        return expression

    def _definition(self, name: str, call: str) -> AggregateFunctionDefinition:
        f = self._function
        is_object = isinstance(f, AggregateFunction)
        return AggregateFunctionDefinition(
            name=name,
            function=self._user_function(call, takes_batches=self._takes_batches),
            input_types=self._input_types,
            is_deterministic=self._deterministic,
            signature=signature_after_accumulator(f.accumulate) if is_object else self._signature(),
            result_type=self._result_type,
            type_info=self._type_info,
            can_retract=is_object and not self._takes_batches and is_implemented(f, "retract"),
            can_merge=self._takes_batches or is_implemented(f, "merge"),
        )


AggregateFunctionDecorator: TypeAlias = (
    "Callable[[Callable[..., Any] | AggregateFunction[Any, Any]], UserDefinedAggregateFunctionWrapper[Any]]"
)


@overload
def udaf(
    f: None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> AggregateFunctionDecorator: ...


@overload
def udaf(
    f: AggregateFunction[T, Any],
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedAggregateFunctionWrapper[T]: ...


@overload
def udaf(
    f: Callable[..., Any],
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedAggregateFunctionWrapper[Any]: ...


@checks_arguments(ArgumentTypeError)
def udaf(
    f: Callable[..., Any] | AggregateFunction[Any, Any] | None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    accumulator_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedAggregateFunctionWrapper[Any] | AggregateFunctionDecorator:
    """Make an aggregate function of the program one that queries can call, or return a decorator that does.

    It gets the values of each row of a group, nulls as ``None``. Where the rows are updated later, it takes
    values back by ``retract``; where windows merge, as sessions do, accumulators by ``merge``. Its results
    are checked: a value of another type than ``result_type`` fails the job.

    Args:
        f: an instance of an ``AggregateFunction``; with ``func_type="pandas"`` also a function.
        input_types: SQL types of the arguments, to which SQL converts them; those of the call unless given.
        result_type: a data type, its name in SQL, or a type of streams; that of ``get_result_type`` or of the
            annotation unless given.
        accumulator_type: the type of accumulators. It is checked to be one; accumulators are stored as they
            are, whatever their type.
        deterministic: whether equal arguments always have equal results; ``True`` unless the function says
            otherwise.
        name: its name in Python; that of the function unless given.
        func_type: ``"pandas"`` for a function that gets all values of a group at once, a Series per argument,
            and returns one value. It runs in windows, and on bounded tables.

    Raises:
        PlanTypeError: an argument has the wrong class.
        PlanError: the type of the results is not known, contradicts the annotation, or is not one of SQL.
        ConfigurationError: ``func_type`` is another one.

    Mirrors ``pyflink.table.udf.udaf``.

    Examples:
        >>> class WeightedAverage(AggregateFunction[float | None, list[float]]):
        ...     def create_accumulator(self) -> list[float]:
        ...         return [0.0, 0.0]
        ...
        ...     def accumulate(self, accumulator: list[float], value: float, weight: float) -> None:
        ...         accumulator[0] += value * weight
        ...         accumulator[1] += weight
        ...
        ...     def get_value(self, accumulator: list[float]) -> float | None:
        ...         return accumulator[0] / accumulator[1] if accumulator[1] else None
        >>> from pystream.table.expressions import col
        >>> weighted_average = udaf(WeightedAverage(), name="weighted_average")
        >>> weighted_average(col("price"), col("amount"))
        Expression(WEIGHTED_AVERAGE(`price`, `amount`))
    """
    if func_type not in ("general", "pandas"):
        raise ConfigurationError(
            f"udaf: func_type must be 'general' or 'pandas', not {short_repr(func_type)}"
        )
    if f is None:

        def decorated(
            function: Callable[..., Any] | AggregateFunction[Any, Any],
        ) -> UserDefinedAggregateFunctionWrapper[Any]:
            return udaf(
                function,
                input_types=input_types,
                result_type=result_type,
                accumulator_type=accumulator_type,
                deterministic=deterministic,
                name=name,
                func_type=func_type,
            )

        return decorated
    check_function(f, "udaf", AggregateFunction)
    takes_batches = func_type == "pandas"
    if not takes_batches and not isinstance(f, AggregateFunction):
        raise PlanTypeError(
            f"udaf takes an instance of an AggregateFunction, not {short_repr(f)}; functions of whole Series "
            "need func_type='pandas'"
        )
    if accumulator_type is not None:
        declared_type(accumulator_type, "udaf", "accumulator_type")
    data_type, type_info = _result_type(f, result_type)
    return UserDefinedAggregateFunctionWrapper(
        f,
        declared_input_types(input_types, "udaf"),
        data_type,
        type_info=type_info,
        is_deterministic=declared_determinism(f, deterministic, "udaf"),
        name=name_of_function(f, name),
        takes_batches=takes_batches,
    )


def _result_type(f: Any, given: ValueType | None) -> tuple[DataType, TypeInformation[Any]]:
    """Return the type of the results in SQL and in Python."""
    if given is None and is_implemented(f, "get_result_type"):
        given = f.get_result_type()
    declared = None if given is None else declared_type(given, "udaf", "result_type")
    if declared is not None:
        check_result_type(f, declared, "udaf")
        return declared, given if isinstance(given, TypeInformation) else in_streams(declared.type_info)
    inferred, origin = element_type(
        f, "get_value", AggregateFunction, None, many=False, parameter="result_type"
    )
    if is_pickled(inferred):
        raise PlanError(
            f"udaf: the type of the results of {describe_function(f)} is not known ({origin}); annotate "
            "get_value, as in def get_value(self, accumulator: Totals) -> int, or declare it with "
            "result_type=DataTypes.…"
        )
    result = data_type_of(inferred)
    check_result_type(f, result, "udaf")
    return result, inferred
