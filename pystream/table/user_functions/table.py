"""Table functions: of the values of a row to any number of rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeAlias, overload

from pystream.arguments.element_types import element_type
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.plan.function import describe_function
from pystream.sql_types.data_types import DataType, DataTypes, RowType
from pystream.sql_types.stream_types import data_type_of
from pystream.table.function_definition import TableFunctionDefinition
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
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper
from typeinfo.arguments import checks_arguments
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled

__all__ = ["TableFunction", "UserDefinedTableFunctionWrapper", "udtf"]

ResultTypes: TypeAlias = "ValueType | Sequence[ValueType]"


class TableFunction(UserDefinedFunction):
    """A function of any number of values to any number of rows, with a life cycle on every task.

    An instance is pickled when it is given a name in SQL, and rebuilt in each task. What cannot be pickled,
    such as a connection, is made in ``open``.
    Mirrors ``org.apache.flink.table.functions.TableFunction``.
    """

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Iterable[Any] | Any:
        """Return the rows for the values of one row.

        A generator or list has a row per item, ``None`` stands for no rows, and any other value is one row. A
        row is a tuple or `Row`; an object of a dataclass, annotated as ``Iterator[Word]``; or, if it has one
        column, the value of that.
        """


@checks_arguments(ArgumentTypeError)
class UserDefinedTableFunctionWrapper(UserDefinedFunctionWrapper):
    """A table function that SQL can call once it has a name there, and tables at once; made by ``udtf``.

    Mirrors ``pyflink.table.udf.UserDefinedTableFunctionWrapper``.

    Args:
        function: the function, or an instance of a ``TableFunction``.
        input_types: the types that its arguments are converted to, if they are declared.
        result_type: the columns of its rows.
        record_type: the type of its rows in Python, if they are objects with these fields.
        is_deterministic: whether equal arguments always have equal rows.
        name: its name in Python.
    """

    _example: ClassVar[str] = "one made by udtf"
    _call_name: ClassVar[str] = "udtf"

    def __init__(
        self,
        function: Callable[..., Any] | TableFunction,
        input_types: tuple[DataType, ...] | None,
        result_type: RowType,
        *,
        record_type: TypeInformation[Any] | None = None,
        is_deterministic: bool,
        name: str,
    ) -> None:
        super().__init__(function, input_types, is_deterministic=is_deterministic, name=name)
        self._result_type = result_type
        self._record_type = record_type

    def _definition(self, name: str, call: str) -> TableFunctionDefinition:
        return TableFunctionDefinition(
            name=name,
            function=self._user_function(call),
            input_types=self._input_types,
            is_deterministic=self._deterministic,
            signature=self._signature(),
            result_type=self._result_type,
            record_type=self._record_type,
        )


class TableFunctionDecorator:
    """Take the function of ``udtf``, which was called without one.

    Args:
        options: the other arguments of ``udtf``.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    def __call__(self, f: Callable[..., Any] | TableFunction) -> UserDefinedTableFunctionWrapper:
        return udtf(f, **self._options)


@overload
def udtf(
    f: None = None,
    input_types: InputTypes | None = None,
    result_types: ResultTypes | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> TableFunctionDecorator: ...


@overload
def udtf(
    f: Callable[..., Any] | TableFunction,
    input_types: InputTypes | None = None,
    result_types: ResultTypes | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> UserDefinedTableFunctionWrapper: ...


@checks_arguments(ArgumentTypeError)
def udtf(
    f: Callable[..., Any] | TableFunction | None = None,
    input_types: InputTypes | None = None,
    result_types: ResultTypes | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> UserDefinedTableFunctionWrapper | TableFunctionDecorator:
    """Make a function of the program a table function of SQL, or return a decorator that does.

    The function is called once per row with Python values, where ``None`` stands for null; the order of calls
    is not defined. A generator or list that it returns has a row per item, ``None`` stands for no rows, and
    any other value is one row. A row is a tuple or `Row`; an object of a dataclass, annotated as
    ``Iterator[Word]``; or, if it has one column, the value of that. Rows are checked: a value of another type
    than that of its column fails the job.

    Args:
        f: a function, or an instance of a ``TableFunction``.
        input_types: SQL types of the arguments, to which SQL converts them; those of the call unless given.
        result_types: the type of each column, or one type of rows; those of the annotation unless given, such
            as ``Iterator[tuple[str, int]]``. Columns are ``f0``, ``f1`` and so on, unless the type of rows is
            given as text, such as ``"ROW<word STRING, n INT>"``.
        deterministic: whether equal arguments always have equal rows; ``True`` unless a ``TableFunction``
            says otherwise.
        name: its name in Python; that of the function unless given.

    Raises:
        PlanTypeError: an argument has the wrong class.
        PlanError: the types of the columns are not known, contradict the annotation, or are not those of SQL.
        UnsupportedOperationError: the function is asynchronous.

    Mirrors ``pyflink.table.udf.udtf``.

    Examples:
        >>> @udtf(result_types=["STRING", "INT"])
        ... def words(line):
        ...     for word in line.split():
        ...         yield word, len(word)
        >>> from pystream.table.expressions import col
        >>> words(col("line")).alias("word", "length")
        Expression(WORDS(`line`) AS (`word`, `length`))
        >>> from pystream.table import StreamTableEnvironment
        >>> t_env = StreamTableEnvironment.create(env)
        >>> t_env.create_temporary_function("words", words)
        >>> t_env.sql_query("SELECT w, n FROM LATERAL TABLE(words('a bc')) AS x(w, n)")
        Table(`w` STRING, `n` INT)
    """
    if f is None:
        return TableFunctionDecorator(
            input_types=input_types, result_types=result_types, deterministic=deterministic, name=name
        )
    check_function(f, "udtf", TableFunction)
    columns, record_type = _rows(f, result_types)
    return UserDefinedTableFunctionWrapper(
        f,
        declared_input_types(input_types, "udtf"),
        columns,
        record_type=record_type,
        is_deterministic=declared_determinism(f, deterministic, "udtf"),
        name=name_of_function(f, name),
    )


def _rows(f: Any, declared: ResultTypes | None) -> tuple[RowType, TypeInformation[Any] | None]:
    """Return the columns of the rows of a function, and the type of its objects if it returns such."""
    annotated = _annotated(f) if declared is None else None
    columns = _declared_columns(declared) if annotated is None else _annotated_columns(annotated)
    if not columns.fields:
        raise PlanError(f"udtf: {describe_function(f)} returns rows without columns; give result_types")
    check_result_type(f, columns, "udtf")
    is_record = isinstance(annotated, RecordTypeInfo) and annotated.kind is not RecordKind.NAMED_TUPLE
    return columns, annotated if is_record else None


def _declared_columns(given: ResultTypes | None) -> RowType:
    if isinstance(given, DataType | TypeInformation | str):
        declared = declared_type(given, "udtf", "result_types")
        if isinstance(given, str) and not isinstance(declared, RowType):
            return DataTypes.ROW([DataTypes.FIELD("EXPR$0", declared)])
        if isinstance(declared, RowType):
            return declared if isinstance(given, str) else _row_of(declared.field_types())
        return _row_of([declared])
    if not isinstance(given, Sequence):
        raise PlanTypeError(f"udtf: result_types takes data types, not {short_repr(given)}")
    return _row_of([declared_type(one, "udtf", "result_types") for one in given])


def _annotated(f: Any) -> TypeInformation[Any]:
    """Return the type of the rows that a function is annotated with."""
    annotated, origin = element_type(f, "eval", TableFunction, None, many=True, parameter="result_types")
    if is_pickled(annotated):
        raise PlanError(
            f"udtf: the type of the rows of {describe_function(f)} is not known ({origin}); annotate the "
            "function, as in def f(x: int) -> Iterator[tuple[str, int]], or declare it with "
            "result_types=[DataTypes.…]"
        )
    return annotated


def _annotated_columns(annotated: TypeInformation[Any]) -> RowType:
    types = annotated.field_types if isinstance(annotated, FieldsTypeInfo) else (annotated,)
    return _row_of([data_type_of(one) for one in types])


def _row_of(types: Sequence[DataType]) -> RowType:
    return DataTypes.ROW([DataTypes.FIELD(f"f{number}", one) for number, one in enumerate(types)])
