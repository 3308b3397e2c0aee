"""Types of functions that are made callable from SQL."""

from collections.abc import Iterator
from typing import Any, assert_type

from pystream.table import (
    DataTypes,
    Expression,
    FunctionContext,
    ScalarFunction,
    StreamTableEnvironment,
    Table,
    TableFunction,
)
from pystream.table.expressions import col
from pystream.table.udf import UserDefinedTableFunctionWrapper, udf, udtf
from typeinfo import Types


@udf
def length(text: str) -> int:
    return len(text)


@udf(result_type=DataTypes.STRING(), deterministic=False, name="joined")
def joined(text: str, number: int = 0) -> str:
    return f"{text}{number}"


def size(text: str) -> int:
    return len(text)


class Times(ScalarFunction):
    def open(self, function_context: FunctionContext) -> None:
        self.factor = int(function_context.get_job_parameter("factor", "2"))

    def eval(self, number: int) -> int:
        return number * self.factor


def a_function_keeps_its_type() -> None:
    assert_type(length("word"), int)
    assert_type(joined("a"), str)
    assert_type(joined("a", number=1), str)
    length(1)  # E: "__call__"


def a_function_of_expressions_is_an_expression() -> None:
    assert_type(length(col("word")), Expression[int])
    assert_type(joined(col("word"), 2), Expression[str])


def results_are_declared_in_several_ways() -> None:
    assert_type(udf(size, result_type=Types.LONG())("a"), int)
    assert_type(udf(len, result_type="BIGINT")([1]), int)
    assert_type(udf(Times(), [DataTypes.INT()], DataTypes.INT())(1), Any)
    assert_type(udf(result_type="INT")(Times())(1), Any)


def the_kind_of_a_function_is_one_of_two() -> None:
    udf(len, func_type="arrow")  # E: "udf"


def functions_get_names(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("length", length)
    t_env.create_temporary_system_function("times", udf(Times()))
    t_env.create_temporary_function("f", len)  # E: "create_temporary_function"
    assert_type(t_env.drop_temporary_function("length"), bool)
    assert_type(t_env.drop_temporary_system_function("times"), bool)
    assert_type(t_env.list_user_defined_functions(), list[str])


@udtf(result_types=["STRING", "INT"])
def words(line: str) -> Iterator[tuple[str, int]]:
    for word in line.split():
        yield word, len(word)


class Repeated(TableFunction):
    def eval(self, number: int) -> list[int]:
        return [number] * number


def table_functions_make_tables(t_env: StreamTableEnvironment, table: Table) -> None:
    assert_type(words, UserDefinedTableFunctionWrapper)
    assert_type(udtf(Repeated()).alias("a"), UserDefinedTableFunctionWrapper)
    t_env.create_temporary_function("words", words)
    assert_type(table.join_lateral(words(col("line")).alias("word", "n"), col("n") > 1), Table)
    assert_type(table.left_outer_join_lateral(words.alias("word", "n")), Table)
    assert_type(table.flat_map(words), Table)
    assert_type(table.map(length(col("word"))), Table)
    table.flat_map(length)  # E: "flat_map"
    table.map(words)  # E: "map"
    udtf(len, func_type="pandas")  # E: "udtf"
