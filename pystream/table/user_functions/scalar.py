"""Scalar functions: of the values of a row to one value."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, Generic, Literal, ParamSpec, TypeAlias, TypeVar, overload

from pystream.arguments.element_types import element_type, vector_result_type
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError
from pystream.plan.function import describe_function
from pystream.sql_types.data_types import DataType
from pystream.sql_types.decimals import in_streams
from pystream.sql_types.stream_types import data_type_of
from pystream.table.expression.expression import Expression
from pystream.table.function_definition import ScalarFunctionDefinition
from pystream.table.user_functions.async_scalar import (
    AsyncScalarFunction,
    UserDefinedAsyncScalarFunctionWrapper,
    is_asynchronous,
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
from pystream.table.user_functions.user_defined_function import UserDefinedFunction
from pystream.table.user_functions.wrapper import ValueFunctionWrapper
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled

__all__ = ["ScalarFunction", "UserDefinedScalarFunctionWrapper", "udf"]

P = ParamSpec("P")
R = TypeVar("R")

FunctionType: TypeAlias = "Literal['general', 'pandas']"

_FUNCTION_TYPES = ("general", "pandas")


class ScalarFunction(UserDefinedFunction):
    """A function of any number of values to one value, with a life cycle on every task.

    An instance is pickled when it is given a name in SQL, and rebuilt in each task. What cannot be pickled,
    such as a connection, is made in ``open``.
    Mirrors ``org.apache.flink.table.functions.ScalarFunction``.
    """

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for the values of one row; ``None`` stands for null."""


@checks_arguments(ArgumentTypeError)
class UserDefinedScalarFunctionWrapper(ValueFunctionWrapper, Generic[P, R]):
    """A scalar function that SQL can call once it has a name there, and expressions at once; made by ``udf``.

    In Python, a call with plain values calls the function itself, unless it is not deterministic.
    Mirrors ``pyflink.table.udf.UserDefinedScalarFunctionWrapper``.
    """

    _example: ClassVar[str] = "one made by udf"

    @overload
    def __call__(self) -> Expression[R]: ...

    @overload
    def __call__(self, first: Expression[Any], /, *others: Any) -> Expression[R]: ...

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the expression of a call, or call the function itself.

        It is called itself if it is deterministic and has arguments, none of which is an expression.

        Raises:
            PlanTypeError: an argument of an expression has a name.
        """
        given = (*args, *kwargs.values())
        if self._deterministic and given and not any(isinstance(one, Expression) for one in given):
            return self._call(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    @property
    def _call(self) -> Callable[..., Any]:
        function = self._function
        return function.eval if isinstance(function, ScalarFunction) else function

    def _definition(self, name: str, call: str) -> ScalarFunctionDefinition:
        return self._scalar_definition(name, self._user_function(call, takes_batches=self._takes_batches))


class ScalarFunctionDecorator:
    """Take the function of ``udf``, which was called without one.

    Args:
        options: the other arguments of ``udf``.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    @overload
    def __call__(self, f: ScalarFunction) -> UserDefinedScalarFunctionWrapper[..., Any]: ...

    @overload
    def __call__(self, f: AsyncScalarFunction) -> UserDefinedAsyncScalarFunctionWrapper[Any]: ...

    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, f: Callable[..., Coroutine[Any, Any, R]]
    ) -> UserDefinedAsyncScalarFunctionWrapper[R]: ...

    @overload
    def __call__(self, f: Callable[P, R]) -> UserDefinedScalarFunctionWrapper[P, R]: ...

    def __call__(self, f: Any) -> Any:
        return udf(f, **self._options)


@overload
def udf(
    f: None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> ScalarFunctionDecorator: ...


@overload
def udf(
    f: ScalarFunction,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedScalarFunctionWrapper[..., Any]: ...


@overload
def udf(
    f: AsyncScalarFunction,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: Literal["general"] = "general",
) -> UserDefinedAsyncScalarFunctionWrapper[Any]: ...


@overload
def udf(  # type: ignore[overload-overlap]
    f: Callable[..., Coroutine[Any, Any, R]],
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: Literal["general"] = "general",
) -> UserDefinedAsyncScalarFunctionWrapper[R]: ...


@overload
def udf(
    f: Callable[P, R],
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedScalarFunctionWrapper[P, R]: ...


@checks_arguments(ArgumentTypeError)
def udf(
    f: Callable[P, R] | ScalarFunction | AsyncScalarFunction | None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> ValueFunctionWrapper | ScalarFunctionDecorator:
    """Make a function of the program one that SQL can call, or return a decorator that does.

    The function is called once per row with Python values, where ``None`` stands for null; the order of calls
    is not defined. Its results are checked: a value of another type than ``result_type`` fails the job.

    Args:
        f: a function, or an instance of a ``ScalarFunction``; a coroutine function, or an instance of an
            ``AsyncScalarFunction``, for calls that wait at the same time.
        input_types: SQL types of the arguments, to which SQL converts them; those of the call unless given.
        result_type: a data type, its name in SQL, or a type of streams; that of the annotation unless given.
            A data type admits null unless it is NOT NULL, an annotation only with ``| None``.
        deterministic: whether equal arguments always have equal results; ``True`` unless a
            ``ScalarFunction`` says otherwise.
        name: its name in Python; that of the function unless given.
        func_type: ``"pandas"`` for a function that is called once per batch, with a Series per argument, and
            returns a Series or an Arrow array of the same length; rows are a DataFrame of their fields. The
            dtypes of its arguments admit null.

    Raises:
        PlanTypeError: an argument has the wrong class, or ``eval`` of an ``AsyncScalarFunction`` is
            synchronous.
        PlanError: the type of the results is not known, contradicts the annotation, or is not one of SQL.
        ConfigurationError: ``func_type`` is another one, or the function of batches is asynchronous.
        UnsupportedOperationError: ``eval`` of a ``ScalarFunction`` is asynchronous.

    Mirrors ``pyflink.table.udf.udf``.

    Examples:
        >>> @udf
        ... def length(text: str) -> int:
        ...     return len(text)
        >>> length("word")
        4
        >>> from pystream.table.expressions import col
        >>> length(col("name")) > 3
        Expression(LENGTH(`name`) > 3)
        >>> from pystream.table import StreamTableEnvironment
        >>> t_env = StreamTableEnvironment.create(env)
        >>> t_env.create_temporary_function("word_length", length)
        >>> t_env.list_user_defined_functions()
        ['word_length']
    """
    if func_type not in _FUNCTION_TYPES:
        raise ConfigurationError(f"udf: func_type must be 'general' or 'pandas', not {short_repr(func_type)}")
    if f is None:
        return ScalarFunctionDecorator(
            input_types=input_types,
            result_type=result_type,
            deterministic=deterministic,
            name=name,
            func_type=func_type,
        )
    takes_batches = func_type == "pandas"
    is_awaited = is_asynchronous(f, takes_batches=takes_batches)
    if not is_awaited:
        check_function(f, "udf", ScalarFunction)
    data_type, type_info = _result_type(f, result_type, takes_batches=takes_batches)
    wrapper = UserDefinedAsyncScalarFunctionWrapper if is_awaited else UserDefinedScalarFunctionWrapper
    return wrapper(
        f,
        declared_input_types(input_types, "udf"),
        data_type,
        type_info=type_info,
        is_deterministic=declared_determinism(f, deterministic, "udf"),
        name=name_of_function(f, name),
        takes_batches=takes_batches,
    )


def _result_type(
    f: Any, given: ValueType | None, *, takes_batches: bool
) -> tuple[DataType, TypeInformation[Any]]:
    """Return the type of the results in SQL and in Python."""
    declared = None if given is None else declared_type(given, "udf", "result_type")
    type_info = None if declared is None else _type_info(given, declared)
    here = describe_function(f)
    base = AsyncScalarFunction if isinstance(f, AsyncScalarFunction) else ScalarFunction
    if takes_batches:
        inferred, origin = vector_result_type(f, "eval", base, type_info, "result_type")
    else:
        inferred, origin = element_type(
            f, "eval", base, type_info, many=False, parameter="result_type", awaited=True
        )
    if is_pickled(inferred):
        raise PlanError(
            f"udf: the type of the results of {here} is not known ({origin}); annotate the function, as in "
            "def f(x: int) -> str, or declare it with result_type=DataTypes.…"
        )
    result = data_type_of(inferred) if declared is None else declared
    check_result_type(f, result, "udf")
    return result, inferred


def _type_info(given: object, declared: DataType) -> TypeInformation[Any]:
    return given if isinstance(given, TypeInformation) else in_streams(declared.type_info)
