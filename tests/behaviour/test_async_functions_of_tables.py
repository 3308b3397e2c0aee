"""Asynchronous functions of the program in queries, on both hosts."""

from __future__ import annotations

import asyncio

import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import JobExecutionError
from pystream.table import AsyncScalarFunction, DataTypes, FunctionContext, StreamTableEnvironment, Table
from pystream.table.expressions import col
from pystream.table.udf import udf


class Greeting(AsyncScalarFunction):
    """Greet by a word that is known once the function is open."""

    def open(self, function_context: FunctionContext) -> None:
        self.word = function_context.get_job_parameter("word", "hi")

    async def eval(self, name: str | None, seconds: float) -> str | None:
        await asyncio.sleep(seconds)
        return None if name is None else f"{self.word} {name}"


greeting = udf(Greeting())


@udf
async def doubled(text: str | None) -> str | None:
    await asyncio.sleep(0)
    return text and text * 2


@udf
def upper(text: str | None) -> str | None:
    return text and text.upper()


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    rows = [("a", 0.02), ("b", 0.0), (None, 0.0)]
    types = [DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("x", DataTypes.DOUBLE())]
    t_env.create_temporary_view("names", t_env.from_elements(rows, DataTypes.ROW(types)))
    return t_env


def rows_of(table: Table) -> list[tuple[object, ...]]:
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]


def test_results_keep_the_order_of_rows(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_path("names").select(col("name"), greeting(col("name"), col("x")))
    assert rows_of(table) == [("a", "hi a"), ("b", "hi b"), (None, None)]


def test_calls_in_conditions_and_in_one_another(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_path("names").where(doubled(col("name")) != "bb")
    name = col("name")
    assert rows_of(table.select(doubled(upper(doubled(name))), doubled("x"))) == [("AAAA", "xx")]


def test_calls_in_sql(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("doubled", doubled)
    query = (
        "SELECT doubled(name) AS d, COUNT(*) AS n FROM names WHERE name IS NOT NULL GROUP BY doubled(name)"
    )
    assert sorted(rows_of(t_env.sql_query(query))) == [("aa", 1), ("bb", 1)]


def test_an_error_names_function_and_arguments(t_env: StreamTableEnvironment) -> None:
    @udf(result_type=DataTypes.INT())
    async def failing(name: str, x: float) -> int:
        raise ValueError("no answer")

    t_env.get_config().set("table.exec.async-scalar.retry-delay", "1 ms")
    with pytest.raises(JobExecutionError, match=r"(?s)'failing' .*: ValueError: no answer.*\('a', 0.02\)"):
        rows_of(t_env.from_path("names").select(failing(col("name"), col("x"))))


def test_a_result_of_another_type_is_an_error(t_env: StreamTableEnvironment) -> None:
    @udf(result_type=DataTypes.INT())
    async def wrong(name: str | None):  # type: ignore[no-untyped-def]
        return name

    with pytest.raises(JobExecutionError, match=r"(?s)'wrong' .*'a' \(str\) is not an INT.*element: 'a'"):
        rows_of(t_env.from_path("names").select(wrong(col("name"))))


@pytest.mark.parametrize(
    ("strategy", "attempts", "expected"),
    [("FIXED_DELAY", "4", [(4,)]), ("FIXED_DELAY", "3", "attempt 3"), ("NO_RETRY", "4", "attempt 1")],
)
def test_settings_of_retries(
    t_env: StreamTableEnvironment, strategy: str, attempts: str, expected: list[tuple[int]] | str
) -> None:
    class Flaky(AsyncScalarFunction):
        def open(self, function_context: FunctionContext) -> None:
            self.calls = 0

        async def eval(self) -> int:
            self.calls += 1
            if self.calls < 4:
                raise ValueError(f"attempt {self.calls}")
            return self.calls

    for key, value in {"retry-strategy": strategy, "max-attempts": attempts, "retry-delay": "1 ms"}.items():
        t_env.get_config().set(f"table.exec.async-scalar.{key}", value)
    table = t_env.from_elements([(1,)], ["a"]).select(udf(Flaky())())
    if isinstance(expected, list):
        assert rows_of(table) == expected
        return
    with pytest.raises(JobExecutionError, match=expected):
        rows_of(table)


def test_a_call_that_takes_too_long_fails(t_env: StreamTableEnvironment) -> None:
    t_env.get_config().set("table.exec.async-scalar.timeout", "1 ms")
    slow = udf(Greeting())(col("name"), 60.0)
    with pytest.raises(
        JobExecutionError, match=r"Async function call has timed out for input: \['a', 60.0\]"
    ):
        rows_of(t_env.from_path("names").select(slow))


@pytest.mark.filterwarnings("error:coroutine")
def test_a_coroutine_of_a_synchronous_function_is_an_error(t_env: StreamTableEnvironment) -> None:
    hidden = udf(lambda name: Greeting().eval(name, 0.0), result_type="STRING")
    table = t_env.from_path("names").select(hidden(col("name")))
    with pytest.raises(JobExecutionError, match=r"returns a coroutine, .* declare it with async def"):
        rows_of(table)
