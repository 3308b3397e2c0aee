"""Functions of the program in queries, on both hosts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pystream.common import Instant, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import DataTypes, StreamTableEnvironment, Table
from pystream.table.expressions import col
from pystream.table.udf import udf


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    return StreamTableEnvironment.create(env)


def rows_of(table: Table) -> list[tuple[object, ...]]:
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]


def third(number: float | None) -> float:
    return (number or 0.0) / 3


def price(number: float | None) -> Decimal:
    return Decimal("1.2345")


def test_calls_differ_if_their_declarations_do(
    env: StreamExecutionEnvironment, t_env: StreamTableEnvironment
) -> None:
    numbers = t_env.from_data_stream(env.from_collection([(1.0,)], Types.ROW_NAMED(["a"], [Types.DOUBLE()])))
    wide, narrow = udf(price, result_type="DECIMAL(10, 4)"), udf(price, result_type="DECIMAL(10, 1)")
    fine, coarse = udf(third, result_type="DOUBLE"), udf(third, result_type="FLOAT")
    rounded = udf(third, input_types=DataTypes.FLOAT(), result_type="DOUBLE")
    seven = udf(lambda: 7, result_type="INT")
    a = col("a")
    chosen = numbers.select(
        fine(a), coarse(a), fine(a * 0.1), rounded(a * 0.1), wide(a), narrow(a), seven() + 1
    )
    single = 0.3333333432674408  # the FLOAT next to a third
    assert rows_of(chosen) == [
        (1 / 3, single, 0.1 / 3, 0.10000000149011612 / 3, Decimal("1.2345"), Decimal("1.2"), 8)
    ]
    sums = numbers.select(coarse(a).sum, fine(a).sum)
    assert rows_of(sums) == [(single, 1 / 3)]


def test_a_table_keeps_the_function_that_a_name_had(
    env: StreamExecutionEnvironment, t_env: StreamTableEnvironment
) -> None:
    t_env.create_temporary_view("numbers", env.from_collection([(1,)], Types.ROW_NAMED(["a"], [Types.INT()])))
    t_env.create_temporary_function("predict", udf(lambda n: n + 1, result_type="INT"))
    before = t_env.sql_query("SELECT predict(a) AS b FROM numbers WHERE PREDICT(a) > 0")
    t_env.drop_temporary_function("predict")
    t_env.create_temporary_function("predict", udf(lambda n: n + 10, result_type="INT"))
    assert rows_of(before.select(col("b"), col("b") * 2)) == [(2, 4)]
    assert rows_of(t_env.sql_query("SELECT predict(a) AS b FROM numbers")) == [(11,)]


def test_instants_are_local_times(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> None:
    t_env.get_config().set_local_timezone("Europe/Berlin")
    instants = env.from_collection(
        [(Instant.of_epoch_milli(1_500),)], Types.ROW_NAMED(["t"], [Types.INSTANT()])
    )
    text = udf(lambda t: t.isoformat(), result_type="STRING")
    texts = udf(lambda t: t.map(lambda one: one.isoformat()), result_type="STRING", func_type="pandas")
    same = udf(lambda t: t, result_type="TIMESTAMP_LTZ(3)")
    t = col("t")
    chosen = t_env.from_data_stream(instants).select(text(t), texts(t), text(same(t)), same(t))
    local = "1970-01-01T01:00:01.500000+01:00"
    assert rows_of(chosen) == [(local, local, local, Instant.of_epoch_milli(1_500))]
