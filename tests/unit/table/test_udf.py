"""Functions of the program in SQL: what udf makes of its arguments, names, and calls that are refused."""

from __future__ import annotations

import datetime as dt
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any

import pandas as pd
import pytest

from pystream import compat
from pystream.common import Row, Types
from pystream.engine.metrics.registry import MetricRegistry
from pystream.errors import (
    ConfigurationError,
    PlanError,
    PlanTypeError,
    SqlError,
    UnsupportedOperationError,
)
from pystream.plan.function import FunctionPicklingError
from pystream.sql_types.data_types import DataType
from pystream.table import (
    AsyncScalarFunction,
    DataTypes,
    FunctionContext,
    ScalarFunction,
    StreamTableEnvironment,
)
from pystream.table.expressions import col
from pystream.table.sql.analysis import analyse_query
from pystream.table.sql.function_calls import bound_query
from pystream.table.sql.parser import parse_query
from pystream.table.sql.queries import TranslatedQuery, translate_query
from pystream.table.udf import UserDefinedAsyncScalarFunctionWrapper, UserDefinedScalarFunctionWrapper, udf
from pystream.testing import local_environment

untyped: Any = udf


class Color(Enum):
    RED = 1


@udf
def length(text: str) -> int:
    """Return the length of a text."""
    return len(text)


class Times(ScalarFunction):
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def eval(self, number: int) -> int | None:
        return number * self.factor


def numbers(count: int) -> list[int]:
    return list(range(count))


def maybe(number: int) -> int | None:
    return number or None


def halved(amount: Decimal) -> Decimal:
    return amount / 2


def shifted(column: pd.Series[int]) -> pd.Series[int]:
    return column + 1


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


def test_the_function_stays_callable() -> None:
    assert length("word") == 4
    assert (length.__name__, length.__doc__) == ("length", "Return the length of a text.")
    assert udf(Times(3))(2) == 6


@pytest.mark.parametrize(
    ("made", "result_type"),
    [
        (length, DataTypes.BIGINT(nullable=False)),
        (udf(maybe), DataTypes.BIGINT()),
        (udf(Times(2)), DataTypes.BIGINT()),
        (udf(numbers), DataTypes.ARRAY(DataTypes.BIGINT(nullable=False), nullable=False)),
        (udf(maybe, result_type=DataTypes.BIGINT()), DataTypes.BIGINT()),
        (udf(halved, result_type="DECIMAL(10, 2)"), DataTypes.DECIMAL(10, 2)),
        (udf(lambda x: x, result_type="ARRAY<INT NOT NULL>"), DataTypes.ARRAY(DataTypes.INT(False))),
        (udf(lambda x: x, DataTypes.INT(), DataTypes.STRING()), DataTypes.STRING()),
        (udf(lambda x: x, result_type=Types.LONG()), DataTypes.BIGINT(nullable=False)),
        (udf(shifted, func_type="pandas"), DataTypes.BIGINT(nullable=False)),
        (udf(result_type="INT", func_type="pandas")(lambda x: x), DataTypes.INT()),
    ],
)
def test_the_type_of_results_is_declared_or_annotated(
    made: UserDefinedScalarFunctionWrapper[Any, Any], result_type: DataType
) -> None:
    assert made._result_type == result_type


async def slow(x: int) -> int:
    return x


class SlowTimes(ScalarFunction):
    async def eval(self, number: int) -> int:
        return number


class SlowAnswer(AsyncScalarFunction):
    async def eval(self) -> int:
        return 1


class Hasty(AsyncScalarFunction):
    def eval(self, number: int) -> int:  # type: ignore[override]
        return number


def unannotated(x):  # type: ignore[no-untyped-def]
    return x


def colored(x: int) -> Color:
    return Color(x)


def colors(x: int) -> list[Color]:
    return [Color(x)]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: untyped(unannotated),
            PlanError,
            r"results of unannotated at .*py:\d+ is not known .*no annotation.*result_type=DataTypes",
        ),
        (lambda: untyped(lambda x: x), PlanError, r"a lambda has no annotations.*def f\(x: int\) -> str"),
        (lambda: untyped(lambda x: x, func_type="pandas"), PlanError, "declare it with result_type="),
        (
            lambda: untyped(maybe, result_type="STRING"),
            PlanError,
            "result_type String contradicts the annotation",
        ),
        (lambda: untyped(colored), PlanError, r"colored .* returns Enum.*which SQL has no type for"),
        (lambda: untyped(colors), PlanError, r"colors .* returns Enum.*which SQL has no type for"),
        (
            lambda: untyped(SlowTimes(), result_type="INT"),
            UnsupportedOperationError,
            r"SlowTimes at .* is asynchronous, which only a function of udf or an AsyncScalarFunction may be",
        ),
        (
            lambda: untyped(Hasty()),
            PlanTypeError,
            r"udf: eval of Hasty at .* is synchronous; declare it with async def",
        ),
        (
            lambda: untyped(slow, func_type="pandas"),
            ConfigurationError,
            r"udf: Async scalar functions do not support pandas func_type: slow at ",
        ),
        (lambda: untyped(Times), PlanTypeError, r"an instance of Times, not the class: write Times\(\)"),
        (lambda: untyped(SlowAnswer), PlanTypeError, r"not the class: write SlowAnswer\(\)"),
        (
            lambda: untyped(3),
            PlanTypeError,
            "udf takes a function or a ScalarFunction or an AsyncScalarFunction or None, not 3",
        ),
        (lambda: untyped(length), PlanTypeError, "not <user-defined function length"),
        (
            lambda: untyped(len, result_type=int),
            PlanTypeError,
            r"takes a DataType .*not the class int, as result_type",
        ),
        (lambda: untyped(len, result_type="NUMBER OF"), SqlError, "line 1"),
        (lambda: untyped(len, 3, "INT"), PlanTypeError, r"takes a DataType .*as input_types"),
        (lambda: untyped(len, [int], "INT"), PlanTypeError, r"takes a DataType .*as input_types"),
        (lambda: untyped(len, func_type="arrow"), ConfigurationError, "'general', 'pandas', not 'arrow'"),
        (lambda: untyped(func_type="arrow"), ConfigurationError, "'general', 'pandas', not 'arrow'"),
        (lambda: untyped(Times(1), deterministic=False), PlanError, r"deterministic=False contradicts"),
        (lambda: untyped(len, use_cache=True), TypeError, "use_cache"),
    ],
)
def test_wrong_arguments_are_refused(make: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_names_are_added_listed_and_dropped(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("Word_Length", length)
    t_env.create_temporary_function("default_catalog.default_database.twice", udf(Times(2)))
    t_env.create_temporary_system_function("thrice", udf(Times(3)))
    assert t_env.list_user_defined_functions() == ["thrice", "twice", "word_length"]
    with pytest.raises(PlanError, match="already a function of the name 'word_length'; drop it first"):
        t_env.create_temporary_function("word_length", length)
    assert t_env.drop_temporary_function("WORD_LENGTH")
    assert not t_env.drop_temporary_function("word_length")
    assert not t_env.drop_temporary_function("thrice")
    assert t_env.drop_temporary_system_function("Thrice")
    assert not t_env.drop_temporary_system_function("thrice")
    assert t_env.list_user_defined_functions() == ["twice"]


@pytest.mark.parametrize(
    ("function", "name", "data_type"),
    [
        (slow, "slow", DataTypes.BIGINT().not_null()),
        (partial(slow, 1), "partial", DataTypes.BIGINT().not_null()),
        (SlowAnswer(), "SlowAnswer", DataTypes.BIGINT().not_null()),
    ],
)
def test_calls_of_asynchronous_functions_are_expressions(
    t_env: StreamTableEnvironment, function: Any, name: str, data_type: DataType
) -> None:
    made = udf(function)
    assert isinstance(made, UserDefinedAsyncScalarFunctionWrapper)
    arguments = [1] if function is slow else []
    assert str(made(*arguments)).startswith(name.upper())
    table = t_env.from_elements([(1,)], ["a"]).select(made(*arguments))
    assert table.get_schema().get_field_data_types() == [data_type]


def test_a_system_function_hides_one_of_sql(t_env: StreamTableEnvironment) -> None:
    t = t_env.from_elements([("ab",)], ["s"])
    t_env.create_temporary_view("t", t)
    t_env.create_temporary_system_function("Upper", length)
    assert [*t_env.execute_sql("SELECT UPPER(s), `upper`(s), LOWER(s) FROM t").collect()] == [Row(2, 2, "ab")]
    assert [*t.select(col("s").upper_case).execute().collect()] == [Row(2)]
    assert t_env.drop_temporary_system_function("upper")
    assert [*t_env.execute_sql("SELECT UPPER(s) FROM t").collect()] == [Row("AB")]
    for name in ("cast", "trim", "sum"):
        with pytest.raises(PlanError, match="is a function of SQL itself; choose another name"):
            t_env.create_temporary_system_function(name, length)


@pytest.mark.parametrize(
    ("name", "function", "error", "message"),
    [
        ("upper", length, PlanError, "'upper' is a function of SQL itself; choose another name"),
        (
            "split_index",
            length,
            PlanError,
            "'split_index' is a function of SQL itself; choose another name",
        ),
        ("cast", length, PlanError, "'cast' is a function of SQL itself"),
        ("json_object", length, PlanError, "'json_object' is a function of SQL itself"),
        ("", length, PlanError, "must be a non-empty str, not ''"),
        ("other.f", length, PlanError, "no database 'other' in the catalog 'default_catalog'"),
        (
            "f",
            len,
            PlanTypeError,
            "takes a function made by udf, such as .*, not <built-in function len>",
        ),
    ],
)
def test_wrong_names_and_functions_are_refused(
    t_env: StreamTableEnvironment, name: str, function: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        t_env.create_temporary_function(name, function)
    assert t_env.list_user_defined_functions() == []


@pytest.mark.parametrize(
    "name",
    [
        "apply",
        "contains",
        "decrypt",
        "filter",
        "length",
        "load",
        "median",
        "mode",
        "predict",
        "transform",
    ],
)
def test_functions_of_other_dialects_are_no_functions_of_sql(
    t_env: StreamTableEnvironment, name: str
) -> None:
    query = f"SELECT {name}(n), {name.upper()}(n + 1) AS m FROM t WHERE {name}(n) > 0"
    with pytest.raises(SqlError, match=f"there is no function {name.upper()}"):
        translated(t_env, query)
    t_env.create_temporary_function(name, udf(Times(2)))
    (function,) = translated(t_env, query).functions
    assert function.title == name


@pytest.mark.parametrize("name", ["case", "my-function", "select", "show"])
def test_keywords_are_called_in_backticks(t_env: StreamTableEnvironment, name: str) -> None:
    t_env.create_temporary_function(name, length)
    (function,) = translated(t_env, f"SELECT `{name}`(word) FROM t").functions
    assert function.title == name


def test_calls_without_values_are_expressions() -> None:
    seven = udf(lambda: 7, result_type="INT", name="seven")
    drawn = udf(lambda n: n, result_type="INT", deterministic=False, name="drawn")
    assert (str(seven()), str(drawn(3))) == ("SEVEN()", "DRAWN(3)")
    with pytest.raises(PlanTypeError, match="drawn: arguments in expressions are passed by position"):
        drawn(n=3)


def test_results_for_values_are_selected(t_env: StreamTableEnvironment) -> None:
    """As in PyFlink 2.3, where such a call is an expression."""
    doubled = udf(lambda n: 2 * n, result_type="BIGINT")
    table = t_env.from_elements([(1,)], ["a"]).select(doubled(4), doubled(Decimal("0.5")), col("a"))
    with table.execute().collect() as rows:
        assert [[*row] for row in rows] == [[8, Decimal("1.0"), 1]]


def test_a_system_function_has_no_database(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(PlanError, match="a system function has no catalog"):
        t_env.create_temporary_system_function("default_database.f", length)


def test_a_function_that_cannot_be_sent_is_refused_when_it_is_named(t_env: StreamTableEnvironment) -> None:
    handle = (number for number in [1])
    unsendable = udf(lambda x: (x, handle), result_type="INT")
    with pytest.raises(FunctionPicklingError, match=r"create_temporary_function: lambda at .*here: handle"):
        t_env.create_temporary_function("f", unsendable)


def translated(t_env: StreamTableEnvironment, query: str) -> TranslatedQuery:
    columns = [("word", DataTypes.STRING()), ("n", DataTypes.INT())]
    return translate_query(
        analyse_query(
            bound_query(parse_query(query), t_env._functions.find, "default_database"), lambda path: columns
        )
    )


def test_calls_have_unique_names_and_declared_types(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("f", udf(lambda x: x, DataTypes.BIGINT(), DataTypes.DECIMAL(10, 2)))
    query = translated(t_env, "SELECT F(n), default_catalog.default_database.f(n) FROM t")
    (function,) = query.functions
    assert query.text.count(f"CAST({function.name}(CAST(`t`.`n` AS BIGINT)) AS DECIMAL(10, 2))") == 2
    assert function.title == "f"
    assert translated(t_env, "SELECT f(n) FROM t").functions[0].name != function.name


def test_calls_may_be_nested(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("f", length)
    t_env.create_temporary_function("g", udf(str, result_type="STRING"))
    query = translated(t_env, "SELECT f(g(f(word))) FROM t WHERE g(f(word)) <> '' ")
    names = {function.title: function.name for function in query.functions}
    for part in (f"{names['f']}(CAST({names['g']}(CAST({names['f']}(`t`.`word`)", "WHERE CAST(PYSTREAM_G_"):
        assert part in query.text.replace("\n", " ")


def test_integer_division_follows_the_type_of_a_call(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("f", length)
    assert " DIV 2" in translated(t_env, "SELECT f(word) / 2 FROM t").text


def test_results_have_the_digits_and_lengths_of_their_type() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    time = dt.time(1, 2, 3, 123456)
    t_env.create_temporary_function("f", udf(lambda x: time, result_type="TIME(3)"))
    t_env.create_temporary_function("g", udf(lambda x: [time, None], result_type="ARRAY<TIME(0)>"))
    t_env.create_temporary_function(
        "h", udf(lambda x: Row("abc", b"a"), result_type="ROW<a CHAR(2), b BINARY(2)>")
    )
    with t_env.sql_query("SELECT f(x), g(x), h(x) FROM (VALUES (1)) AS t(x)").execute().collect() as rows:
        (row,) = rows
    assert row == Row(time.replace(microsecond=123000), [dt.time(1, 2, 3), None], Row("ab", b"a\0"))


@dataclass
class Point:
    x: int
    label: str | None


@pytest.mark.parametrize("is_asynchronous", [False, True])
def test_records_in_results_are_rows(is_asynchronous: bool) -> None:
    def point(x: int) -> Point:
        return Point(x, None)

    async def awaited(x: int) -> Point:
        return Point(x, None)

    t_env = StreamTableEnvironment.create(local_environment())
    table = t_env.from_elements([(1,)], ["x"])
    one = udf(awaited) if is_asynchronous else udf(point)
    results = table.select(one(table.x), one(table.x).get("x"), udf(points)(table.x))
    with results.execute().collect() as rows:
        assert list(map(repr, rows)) == ["<Row(<Row(1, None)>, 1, [<Row(1, 'a')>])>"]
    with table.map(one(table.x)).execute().collect() as rows:
        assert list(map(repr, rows)) == ["<Row(1, None)>"]


def points(x: int) -> list[Point]:
    return [Point(x, "a")]


def test_a_system_function_hides_another(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("f", length)
    t_env.create_temporary_system_function("f", udf(lambda: 1, result_type="INT"))
    (function,) = translated(t_env, "SELECT f() FROM t").functions
    assert function.takes_nothing
    (function,) = translated(t_env, "SELECT default_database.f(word) FROM t").functions
    assert not function.takes_nothing


@pytest.mark.parametrize(
    ("made", "call", "message"),
    [
        (length, "f()", r"f\(text: .*\) -> .* cannot be called with 0 arguments: missing .*'text'"),
        (length, "f(word, n)", "cannot be called with 2 arguments: too many positional arguments"),
        (udf(lambda *all_: 1, ["INT", "INT"], "INT"), "f(n)", "f takes 2 arguments, not 1"),
    ],
)
def test_a_wrong_number_of_arguments_is_refused(
    t_env: StreamTableEnvironment, made: Any, call: str, message: str
) -> None:
    t_env.create_temporary_function("f", made)
    with pytest.raises(SqlError, match=message):
        translated(t_env, f"SELECT {call} FROM t")


def test_a_context_says_what_it_knows() -> None:
    from pystream.engine.task_info import JobInfo

    job = JobInfo("id", "job", {"level": "3"})
    context = FunctionContext(job, "f", 2, 1, MetricRegistry().group())
    assert context.get_job_parameter("level", "0") == "3"
    assert context.get_job_parameter("other", "0") == "0"
    assert (context.get_task_name(), context.get_index_of_this_subtask()) == ("f", 2)
    assert context.get_attempt_number() == 1
    context.get_metric_group().counter("calls").inc(2)
    assert context.get_metric_group().counter("calls").get_count() == 2
    for unknown in (
        context.get_number_of_parallel_subtasks,
        context.get_max_number_of_parallel_subtasks,
        context.get_task_name_with_subtasks,
    ):
        with pytest.raises(UnsupportedOperationError, match=unknown.__name__):
            unknown()


class Describing(ScalarFunction):
    def open(self, function_context: FunctionContext) -> None:
        self.calls = function_context.get_metric_group().counter("calls")
        self.said = (
            f"{function_context.get_task_name_with_subtasks()} of "
            f"{function_context.get_number_of_parallel_subtasks()}, "
            f"{function_context.get_max_number_of_parallel_subtasks()}"
        )

    def eval(self, number: int) -> str:
        self.calls.inc()
        return self.said


def test_a_function_knows_its_subtask_and_counts() -> None:
    env = local_environment()
    env.set_max_parallelism(8)
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_function("f", udf(Describing(), result_type=DataTypes.STRING()))
    numbers = env.from_collection([(1,), (2,)], Types.ROW_NAMED(["n"], [Types.INT()]))
    t_env.create_temporary_view("v", numbers)
    t_env.to_data_stream(t_env.sql_query("SELECT f(n) AS said FROM v")).print()
    result = env.execute()
    (name,) = (name for name in result.get_all_accumulator_results() if name.endswith("f.calls"))
    assert result.get_accumulator_result(name) == 2


def test_the_module_has_its_name_in_pyflink() -> None:
    compat.install()
    assert importlib.import_module("pyflink.table.udf").udf is udf
    assert Row is importlib.import_module("pyflink.common").Row
