"""Aggregate functions of the program: where they are refused, and what they are given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pystream.common import Row
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.task_info import JobInfo
from pystream.errors import PlanError, PlanTypeError, SqlError, UnsupportedOperationError
from pystream.table import (
    AggregateFunction,
    DataTypes,
    FunctionContext,
    StreamTableEnvironment,
    TableAggregateFunction,
)
from pystream.table.expressions import col
from pystream.table.streaming.user_aggregators import UserAggregator
from pystream.table.udf import udaf, udf, udtaf
from pystream.testing import local_environment


class Values(AggregateFunction[list[int], list[int]]):
    """Returns its accumulator itself."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], value: int) -> None:
        accumulator.append(value)

    def get_value(self, accumulator: list[int]) -> list[int]:
        return accumulator


class Emitted(TableAggregateFunction[Any, list[int]]):
    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], value: int) -> None:
        accumulator.append(value)

    def emit_value(self, accumulator: list[int]) -> Iterator[Any]:
        yield from accumulator


class Logged(Values):
    """Writes its life cycle to a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, function_context: FunctionContext) -> None:
        self._log(f"open {function_context.get_task_name()}")

    def close(self) -> None:
        self._log("close")

    def _log(self, line: str) -> None:
        with self._path.open("a") as file:
            file.write(line + os.linesep)


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.create_temporary_view("t", t_env.from_elements([(1, "a"), (2, "b"), (3, "a")], ["n", "k"]))
    return t_env


def test_a_result_is_not_changed_by_later_values() -> None:
    aggregator = UserAggregator(udaf(Values())._definition("listed", "udaf"), [DataTypes.INT()])
    aggregator.open(FunctionContext(JobInfo("1", "job", {}), "task", 0, 0, MetricRegistry().group()))
    accumulated = aggregator.add(aggregator.empty(), (1,))
    result = aggregator.result(accumulated)
    aggregator.add(accumulated, (2,))
    assert result == [1]


def test_functions_are_opened_and_closed(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    log = tmp_path / "log"
    t_env.create_temporary_function("listed", udaf(Logged(log)))
    assert len(t_env.sql_query("SELECT k, listed(n) FROM t GROUP BY k").to_pandas()) == 2
    lines = log.read_text().split(os.linesep)
    assert lines.count("open listed") == lines.count("close") > 0


@pytest.mark.parametrize("clause", ["GROUP BY k", ""])
def test_rows_that_are_updated_need_retract(t_env: StreamTableEnvironment, clause: str) -> None:
    t_env.create_temporary_function("listed", udaf(Values()))
    t_env.create_temporary_view(
        "u", t_env.from_changelog_stream(t_env.to_changelog_stream(t_env.from_path("t")))
    )
    with pytest.raises(UnsupportedOperationError, match=r"listed of rows that may be updated .* retract"):
        t_env.sql_query(f"SELECT listed(n) FROM u {clause}")


def test_table_functions_of_updated_rows_need_retract(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_changelog_stream(t_env.to_changelog_stream(t_env.from_path("t")))
    with pytest.raises(UnsupportedOperationError, match=r"Emitted of rows that may be updated .* retract"):
        table.flat_aggregate(udtaf(Emitted(), result_type="BIGINT")(col("n")))


@pytest.mark.parametrize("call", ["listed()", "listed(n, n)"])
def test_a_wrong_number_of_arguments_is_refused(t_env: StreamTableEnvironment, call: str) -> None:
    t_env.create_temporary_function("listed", udaf(Values()))
    with pytest.raises(SqlError, match=r"listed\(value: int\) -> None cannot be called with|listed\(value"):
        t_env.sql_query(f"SELECT {call} FROM t")


def test_methods_take_functions_of_their_kind(t_env: StreamTableEnvironment) -> None:
    table, scalar = t_env.from_path("t"), udf(lambda n: n, result_type="BIGINT")
    with pytest.raises(PlanTypeError, match="made by udaf"):
        table.aggregate(scalar(col("n")))
    with pytest.raises(PlanTypeError, match="made by udtaf"):
        table.flat_aggregate(udaf(Values())(col("n")))
    with pytest.raises(PlanTypeError, match=r"aggregate takes a function of the program or a call of one"):
        table.aggregate(col("n"))


def test_instances_of_aggregate_functions_are_given_names(t_env: StreamTableEnvironment) -> None:
    class Declared(Values):
        def get_result_type(self) -> str:
            return "ARRAY<BIGINT>"

    t_env.create_temporary_function("listed", Declared())
    t_env.create_temporary_system_function("listed_by_the_system", Declared())
    query = t_env.sql_query("SELECT listed(n), listed_by_the_system(n) FROM t")
    assert [list(row) for row in query.execute().collect()][-1] == [[1, 2, 3], [1, 2, 3]]
    with pytest.raises(PlanError, match="type of the rows of"):
        t_env.create_temporary_function("emitted", Emitted())


def test_each_column_of_a_result_needs_a_name(t_env: StreamTableEnvironment) -> None:
    pair = udtaf(Emitted(), result_type="ROW<a INT, b INT>")
    with pytest.raises(PlanError, match="have 2 columns, not 3"):
        t_env.from_path("t").flat_aggregate(pair(col("n")).alias("x", "y", "z"))


@pytest.mark.parametrize("value", [1.5, "a", None])
def test_results_of_another_type_fail_the_job(t_env: StreamTableEnvironment, value: object) -> None:
    class Constant(Values):
        def get_value(self, accumulator: list[int]) -> Any:
            return value

    t_env.create_temporary_function("constant", udaf(Constant(), result_type="BIGINT NOT NULL"))
    with pytest.raises(Exception, match="constant"):
        t_env.sql_query("SELECT constant(n) FROM t").to_pandas()


def test_an_unknown_type_of_results_is_refused() -> None:
    class Unknown(Values):
        def get_value(self, accumulator: list[int]) -> Any:
            return accumulator

    with pytest.raises(PlanError, match=r"type of the results of .*Unknown.* is not known"):
        udaf(Unknown())
    with pytest.raises(PlanError, match=r"type of the rows of .*Emitted.* is not known"):
        udtaf(Emitted())


def test_functions_of_series_get_whole_columns(t_env: StreamTableEnvironment) -> None:
    @udaf(result_type="ROW<total BIGINT, texts STRING>", func_type="pandas")
    def described(rows: pd.DataFrame) -> Row[Any]:
        return Row(rows["n"].sum(), "".join(rows.k))

    results = (
        t_env.from_path("t")
        .group_by(col("k"))
        .aggregate(described)
        .select(col("k"), col("total"), col("texts"))
    )
    assert sorted(map(tuple, results.execute().collect())) == [("a", 4, "aa"), ("b", 2, "b")]


def test_decimals_in_series_have_the_digits_of_their_type(t_env: StreamTableEnvironment) -> None:
    decimals = DataTypes.DECIMAL(3, 2)
    pair = DataTypes.ROW([DataTypes.FIELD("x", decimals), DataTypes.FIELD("s", DataTypes.ARRAY(decimals))])
    schema = DataTypes.ROW(
        [
            DataTypes.FIELD("d", decimals),
            DataTypes.FIELD("r", pair),
            DataTypes.FIELD("m", DataTypes.MAP(decimals, decimals)),
        ]
    )
    one = Decimal("1.5")
    table = t_env.from_elements([(one, Row(one, [one]), {one: one}), (None, None, None)], schema)
    shown: Any = udf(lambda c: c.map(str), result_type="STRING", func_type="pandas")
    fields = udf(
        lambda r: r["x"].map(str) + r["s"].map(str), result_type="STRING", func_type="pandas", name="fields"
    )
    first = udaf(lambda d: str(d.iloc[0]), result_type="STRING", func_type="pandas", name="first")
    of_rows = table.where(col("d") == one).select(shown(col("d")), fields(col("r")), shown(col("m")))
    assert list(map(tuple, of_rows.execute().collect())) == [
        ("1.50", "1.50[Decimal('1.50')]", "{Decimal('1.50'): Decimal('1.50')}")
    ]
    assert list(map(tuple, table.select(first(col("d"))).execute().collect())) == [("1.50",)]


def test_null_in_a_series_of_integers(t_env: StreamTableEnvironment) -> None:
    schema = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.BIGINT())])
    table = t_env.from_elements([(2**60 + 1,), (None,)], schema)
    greatest = udaf(lambda n: n.max(), result_type="BIGINT", func_type="pandas", name="greatest")
    missing = udaf(lambda n: n.iloc[-1], result_type="BIGINT", func_type="pandas", name="last")
    results = table.select(greatest(col("n")), missing(col("n")))
    assert list(map(tuple, results.execute().collect())) == [(2**60 + 1, None)]


def test_a_function_named_as_one_of_sql_is_not_it(t_env: StreamTableEnvironment) -> None:
    class MIN(AggregateFunction[int, list[int]]):
        def create_accumulator(self) -> list[int]:
            return [0]

        def accumulate(self, accumulator: list[int]) -> None:
            accumulator[0] += 1

        def get_value(self, accumulator: list[int]) -> int:
            return accumulator[0]

    t_env.execute_sql("CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen')")
    counted = t_env.from_path("numbers").group_by(col("n")).select(col("n"), udaf(MIN())().alias("c"))
    with counted.execute().collect() as rows:
        assert next(rows).c == 1


def test_arguments_of_table_functions_are_checked_and_converted(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_path("t")
    with pytest.raises(PlanError, match="cannot be called with 2 arguments"):
        table.flat_aggregate(udtaf(Emitted(), result_type="BIGINT")(col("n"), col("n")))
    texts = udtaf(Emitted(), input_types=["STRING"], result_type="STRING")
    results = table.flat_aggregate(texts(col("n")).alias("s")).select(col("s"))
    assert sorted(row.s for row in results.execute().collect()) == ["1", "2", "3"]


def test_keys_with_names_are_selected_after_aggregate(t_env: StreamTableEnvironment) -> None:
    listed = udaf(Values())(col("n")).alias("l")
    groups = t_env.from_path("t").group_by((col("n") % 2).alias("odd")).aggregate(listed)
    assert sorted(map(tuple, groups.select(col("odd"), col("l")).execute().collect())) == [
        (0, [2]),
        (1, [1, 3]),
    ]
