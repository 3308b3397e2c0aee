"""Types of expressions and of the relational methods of tables."""

import datetime
from typing import Any, assert_type

from pystream.datastream import DataStream
from pystream.table import DataTypes, Expression, GroupedTable, StreamTableEnvironment, Table
from pystream.table.expression import TimeIntervalUnit
from pystream.table.expressions import call, call_sql, coalesce, col, concat, if_then_else, lit, not_, pi


def columns_and_values() -> None:
    assert_type(col("a"), Expression[Any])
    assert_type(lit(1), Expression[int])
    assert_type(lit("a"), Expression[str])
    assert_type(lit(None, DataTypes.INT()), Expression[Any])
    assert_type(pi(), Expression[float])


def a_column_has_a_name() -> None:
    col(1)  # E: "int"; expected "str"


def operators(a: Expression[int], name: Expression[str], seen: Expression[bool]) -> None:
    assert_type(a > 1, Expression[bool])
    assert_type(a == 1, Expression[bool])
    assert_type((a >= 1) & (name != "x") | ~seen, Expression[bool])
    assert_type(not_(seen), Expression[bool])
    assert_type(a + 1, Expression[Any])
    assert_type(2 * a, Expression[Any])
    assert_type(-a, Expression[int])
    assert_type(a.is_null, Expression[bool])
    assert_type(a.in_(1, 2), Expression[bool])
    assert_type(a.alias("b").desc, Expression[int])
    assert_type(a.cast(DataTypes.STRING()), Expression[Any])


def functions(a: Expression[int], name: Expression[str], time: Expression[datetime.datetime]) -> None:
    assert_type(a.sum, Expression[int])
    assert_type(name.count.distinct, Expression[int])
    assert_type(a.stddev_pop, Expression[float])
    assert_type(name.list_agg("; "), Expression[str])
    assert_type(a.array_agg, Expression[list[int]])
    assert_type(a.collect, Expression[dict[int, int]])
    assert_type(a.sum.over(col("w")), Expression[int])
    assert_type(name.upper_case.substring(1, 2), Expression[str])
    assert_type(name.char_length, Expression[int])
    assert_type(a.sqrt, Expression[float])
    assert_type(time.extract(TimeIntervalUnit.DAY), Expression[int])
    assert_type(time.floor(TimeIntervalUnit.HOUR), Expression[datetime.datetime])
    assert_type(lit(5).minutes, Expression[datetime.timedelta])
    assert_type(concat("a", name), Expression[str])
    assert_type(coalesce(a, 1), Expression[Any])
    assert_type(if_then_else(a > 1, "x", "y"), Expression[Any])
    assert_type(call("f", a, 1), Expression[Any])
    assert_type(call_sql("a + 1"), Expression[Any])


def a_condition_is_boolean(table: Table, a: Expression[int]) -> None:
    table.where(a)  # E: "Expression[int]"; expected "Expression[bool]"


def methods(table: Table, other: Table) -> None:
    assert_type(table.select(col("a"), (col("b") + 1).alias("c")), Table)
    assert_type(table.where(col("a") > 1).filter(col("b")), Table)
    assert_type(table.group_by(col("a")), GroupedTable)
    assert_type(table.group_by(col("a")).select(col("a"), col("b").sum), Table)
    assert_type(table.join(other), Table)
    assert_type(table.left_outer_join(other, col("a") == col("b")), Table)
    assert_type(table.union_all(other).minus(other).distinct(), Table)
    assert_type(table.order_by(col("a").desc).limit(3, 1).offset(1).fetch(1), Table)
    assert_type(table.add_columns(lit(1).alias("x")).drop_columns(col("x")), Table)


def expressions_are_not_names(table: Table) -> None:
    table.select("a")  # E: "str"


def tables_of_streams(t_env: StreamTableEnvironment, stream: DataStream[tuple[int, str]]) -> None:
    assert_type(t_env.from_data_stream(stream, col("f0"), col("f1").alias("b")), Table)
