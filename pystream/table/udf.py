"""Scalar functions of the program in SQL, under their module name in PyFlink."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, ParamSpec, TypeAlias, TypeVar, overload

from pystream.arguments.checks import require_function
from pystream.arguments.element_types import element_type, vector_result_type
from pystream.engine.function_context import FunctionContext
from pystream.errors import (
    ArgumentTypeError,
    ConfigurationError,
    PlanError,
    PlanTypeError,
    UnsupportedOperationError,
)
from pystream.lazy import re_exports
from pystream.plan.function import UserFunction, describe_function
from pystream.sql_types.data_types import DataType
from pystream.sql_types.stream_types import data_type_of, raw_parts
from pystream.table.expression.expression import Expression
from pystream.table.function_definition import FunctionDefinition
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled

if TYPE_CHECKING:
    from pystream.common.type_variables import ACC as ACC
    from pystream.common.type_variables import T as T
    from pystream.engine.metrics.metric import MetricGroup as MetricGroup
else:
    __getattr__ = re_exports(__name__)


__all__ = ["FunctionContext", "ScalarFunction", "UserDefinedScalarFunction", "udf"]

P = ParamSpec("P")
R = TypeVar("R")

ValueType: TypeAlias = "DataType | TypeInformation[Any] | str"
InputTypes: TypeAlias = "ValueType | Sequence[ValueType]"
FunctionType: TypeAlias = "Literal['general', 'pandas']"

_FUNCTION_TYPES = ("general", "pandas")


class ScalarFunction(ABC):
    """A function of any number of values to one value, with a life cycle on every task.

    An instance is pickled when it is given a name in SQL, and rebuilt in each task. What cannot be pickled,
    such as a connection, is made in ``open``.
    Mirrors ``org.apache.flink.table.functions.ScalarFunction``.
    """

    def open(self, function_context: FunctionContext) -> None:  # noqa: B027 - most functions need neither
        """Prepare the function; called once per task before the first call."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once per task after the last call, also after a failure."""

    def is_deterministic(self) -> bool:
        """Return whether equal arguments always have equal results, so that some calls may be left out."""
        return True

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for the values of one row; ``None`` stands for null."""


@checks_arguments(ArgumentTypeError)
class UserDefinedScalarFunction(Generic[P, R]):
    """A function that SQL can call once it has a name there, and expressions at once; made by ``udf``.

    In Python, a call with plain values calls the function itself, unless it is not deterministic.
    Mirrors ``pyflink.table.udf.UserDefinedScalarFunctionWrapper``.
    """

    _example: ClassVar[str] = "one made by udf"

    def __init__(
        self,
        function: Callable[P, R] | ScalarFunction,
        input_types: tuple[DataType, ...] | None,
        result_type: DataType,
        *,
        type_info: TypeInformation[Any],
        is_deterministic: bool,
        name: str,
        takes_batches: bool,
    ) -> None:
        self._function = function
        self._input_types = input_types
        self._result_type = result_type
        self._type_info = type_info
        self._is_deterministic = is_deterministic
        self._name = name
        self._takes_batches = takes_batches
        self.__name__ = name
        self.__doc__ = getattr(function, "__doc__", None)

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
        if self._is_deterministic and given and not any(isinstance(one, Expression) for one in given):
            return self._call(*args, **kwargs)
        if kwargs:
            raise PlanTypeError(f"{self._name}: arguments in expressions are passed by position")
        return Expression._of_function(self._definition(self._name, "udf"), *args)

    def __repr__(self) -> str:
        return f"<user-defined function {self._name}: {describe_function(self._function)}>"

    @property
    def _call(self) -> Callable[..., Any]:
        function = self._function
        return function.eval if isinstance(function, ScalarFunction) else function

    def _definition(self, name: str, call: str) -> FunctionDefinition:
        """Return the function as it is now, for queries.

        Args:
            name: its name in SQL.
            call: the call that gives it the name, for messages.

        Raises:
            FunctionPicklingError: the function cannot be sent to the workers.
        """
        is_object = isinstance(self._function, ScalarFunction)
        function = UserFunction.of(
            self._function, call, is_object=is_object, takes_batches=self._takes_batches
        )
        return FunctionDefinition(
            name=name,
            function=function,
            input_types=self._input_types,
            result_type=self._result_type,
            type_info=self._type_info,
            is_deterministic=self._is_deterministic,
            signature=_signature(self._call),
        )


class ScalarFunctionDecorator:
    """What ``udf`` returns without a function: it takes the function.

    Args:
        options: the other arguments of ``udf``.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    @overload
    def __call__(self, f: ScalarFunction) -> UserDefinedScalarFunction[..., Any]: ...

    @overload
    def __call__(self, f: Callable[P, R]) -> UserDefinedScalarFunction[P, R]: ...

    def __call__(self, f: Callable[P, R] | ScalarFunction) -> UserDefinedScalarFunction[Any, Any]:
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
) -> UserDefinedScalarFunction[..., Any]: ...


@overload
def udf(
    f: Callable[P, R],
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedScalarFunction[P, R]: ...


@checks_arguments(ArgumentTypeError)
def udf(
    f: Callable[P, R] | ScalarFunction | None = None,
    input_types: InputTypes | None = None,
    result_type: ValueType | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FunctionType = "general",
) -> UserDefinedScalarFunction[Any, Any] | ScalarFunctionDecorator:
    """Make a function of the program one that SQL can call, or return a decorator that does.

    The function is called once per row with Python values, where ``None`` stands for null; the order of calls
    is not defined. Its results are checked: a value of another type than ``result_type`` fails the job.

    Args:
        f: a function, or an instance of a ``ScalarFunction``.
        input_types: SQL types of the arguments, to which SQL converts them; those of the call unless given.
        result_type: a data type, its name in SQL, or a type of streams; that of the annotation unless given.
            A data type admits null unless it is NOT NULL, an annotation only with ``| None``.
        deterministic: whether equal arguments always have equal results; ``True`` unless a
            ``ScalarFunction`` says otherwise.
        name: its name in Python; that of the function unless given.
        func_type: ``"pandas"`` for a function that is called once per batch, with a Series per argument, and
            returns a Series or an Arrow array of the same length. The dtypes of its arguments admit null.

    Raises:
        PlanTypeError: an argument has the wrong class.
        PlanError: the type of the results is not known, contradicts the annotation, or is not one of SQL.
        ConfigurationError: ``func_type`` is another one.
        UnsupportedOperationError: the function is asynchronous.

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
    _check_function(f)
    takes_batches = func_type == "pandas"
    data_type, type_info = _result_type(f, result_type, takes_batches=takes_batches)
    return UserDefinedScalarFunction(
        f,
        _input_types(input_types),
        data_type,
        type_info=type_info,
        is_deterministic=_is_deterministic(f, deterministic),
        name=name or str(getattr(f, "__name__", type(f).__name__)),
        takes_batches=takes_batches,
    )


def _check_function(f: object) -> None:
    require_function(f, "udf", ScalarFunction)
    if isinstance(f, UserDefinedScalarFunction):
        raise PlanTypeError(f"udf takes a function or a ScalarFunction, not {short_repr(f)}")
    if inspect.iscoroutinefunction(f.eval if isinstance(f, ScalarFunction) else f):
        raise UnsupportedOperationError(
            f"udf: {describe_function(f)} is asynchronous, which queries do not support; use AsyncDataStream "
            "on the stream of the table"
        )


def _is_deterministic(f: object, given: bool | None) -> bool:
    own = f.is_deterministic() if isinstance(f, ScalarFunction) else None
    if given is not None and own is not None and given != own:
        raise PlanError(
            f"udf: deterministic={given} contradicts is_deterministic() of {describe_function(f)}, which "
            f"returns {own}; correct one of them"
        )
    return next((value for value in (given, own) if value is not None), True)


def _result_type(
    f: Any, given: ValueType | None, *, takes_batches: bool
) -> tuple[DataType, TypeInformation[Any]]:
    """Return the type of the results in SQL and in Python."""
    declared = None if given is None else _data_type(given, "result_type")
    type_info = None if declared is None else _type_info(given, declared)
    here = describe_function(f)
    if takes_batches:
        inferred, origin = vector_result_type(f, "eval", ScalarFunction, type_info, "result_type")
    else:
        inferred, origin = element_type(
            f, "eval", ScalarFunction, type_info, many=False, parameter="result_type"
        )
    if is_pickled(inferred):
        raise PlanError(
            f"udf: the type of the results of {here} is not known ({origin}); annotate the function, as in "
            "def f(x: int) -> str, or declare it with result_type=DataTypes.…"
        )
    result = data_type_of(inferred) if declared is None else declared
    for part in raw_parts(result):
        raise PlanError(
            f"udf: {here} returns {part.type_info}, which SQL has no type for; return a number, text, bytes, "
            "a date, a time, or a list, dict or Row of these"
        )
    return result, inferred


def _type_info(given: object, declared: DataType) -> TypeInformation[Any]:
    return given if isinstance(given, TypeInformation) else declared.type_info


def _input_types(given: InputTypes | None) -> tuple[DataType, ...] | None:
    if given is None:
        return None
    several = [given] if isinstance(given, DataType | TypeInformation | str) else given
    if not isinstance(several, Sequence):
        raise PlanTypeError(f"udf: input_types takes data types, not {short_repr(given)}")
    return tuple(_data_type(one, "input_types") for one in several)


def _data_type(given: object, parameter: str) -> DataType:
    match given:
        case DataType():
            return given
        case TypeInformation():
            return data_type_of(given)
        case str():
            from pystream.table.sql.column_types import parse_data_type

            return parse_data_type(given)
    raise PlanTypeError(
        f"udf: {parameter} takes a data type such as DataTypes.BIGINT(), its name such as 'BIGINT', or a "
        f"type such as Types.LONG(), not {short_repr(given)}"
    )


def _signature(call: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(call)
    except (TypeError, ValueError):  # some functions that are written in C have none
        return None
