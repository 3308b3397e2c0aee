"""Methods of tables that call a scalar function of the program with each row, and functions of columns."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.table.udf import udf


def _rows(table):
    with table.execute().collect() as rows:
        found = [[str(row.get_row_kind()), *(str(value) for value in row)] for row in rows]
    return [str(table.get_schema()), found]


def _table(env):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    rows = [Row(1, "a", 1.5), Row(2, "bc", 2.5), Row(3, "d", None)]
    types = [Types.INT(), Types.STRING(), Types.DOUBLE()]
    stream = env.from_collection(rows, Types.ROW_NAMED(["id", "name", "x"], types))
    t_env.create_temporary_view("t", stream)
    return t_env.from_path("t")


_PAIR = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.STRING())])


def map_to_rows(env):
    pair = udf(lambda n, s: Row(n + 1, s * 2), result_type=_PAIR)
    return _rows(_table(env).map(pair(col("id"), col("name"))))


def map_with_names(env):
    pair = udf(lambda n, s: Row(n + 1, s * 2), result_type=_PAIR)
    return _rows(_table(env).map(pair(col("id"), col("name"))).alias("id", "name"))


def map_of_a_function_with_names(env):
    pair = udf(lambda row: Row(row[0] + 1, row.name), result_type=_PAIR)
    return _rows(_table(env).map(pair.alias("p", "q")))


def map_of_a_call_with_names(env):
    pair = udf(lambda n, s: Row(n + 1, s * 2), result_type=_PAIR)
    return _rows(_table(env).map(pair(col("id"), col("name")).alias("p", "q")))


def map_of_a_call_with_a_name(env):
    size = udf(lambda name: len(name), result_type=DataTypes.INT())
    return _rows(_table(env).map(size(col("name")).alias("p")))


def map_of_whole_rows(env):
    pair = udf(lambda row: Row(row[0] + 1, row.name), result_type=_PAIR)
    return _rows(_table(env).map(pair))


def map_of_mapped_rows(env):
    pair = udf(lambda row: Row(row[0] + 1, row[1]), result_type=_PAIR)
    return _rows(_table(env).map(pair).alias("a", "b").map(pair).where(col("a") > 3))


def map_of_columns(env):
    def pair(n, s):
        import pandas as pd

        return pd.concat([n + 1, s], axis=1)

    made = udf(pair, result_type=_PAIR, func_type="pandas")
    return _rows(_table(env).map(made(col("id"), col("name"))))


def map_of_frames(env):
    def pair(frame):
        import pandas as pd

        return pd.concat([frame.id * 10, frame.name], axis=1)

    return _rows(_table(env).map(udf(pair, result_type=_PAIR, func_type="pandas")))


def _table_of_rows(env):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    pair = Types.ROW_NAMED(["c", "d"], [Types.INT(), Types.INT()])
    rows = [Row(1, Row(2, 3)), Row(2, Row(1, None))]
    return t_env.from_data_stream(env.from_collection(rows, Types.ROW_NAMED(["a", "b"], [Types.INT(), pair])))


def map_of_frames_with_rows(env):
    def sums(frame):
        import pandas as pd

        return pd.concat([frame.a, frame.c + frame.d], axis=1)

    fields = [DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.INT())]
    made = udf(sums, result_type=DataTypes.ROW(fields), func_type="pandas")
    return _rows(_table_of_rows(env).map(made))


def function_of_a_column_of_rows(env):
    sums = udf(lambda b: b.c + b.d, result_type=DataTypes.INT(), func_type="pandas")
    return _rows(_table_of_rows(env).select(col("a"), sums(col("b"))))


def function_of_columns(env):
    half = udf(lambda x: x / 2, result_type=DataTypes.DOUBLE(), func_type="pandas")
    return _rows(_table(env).select(col("id"), half(col("x"))))


def function_of_columns_in_a_condition(env):
    longer = udf(lambda s: s.str.len() > 1, result_type=DataTypes.BOOLEAN(), func_type="pandas")
    return _rows(_table(env).where(longer(col("name"))).select(col("name")))


def functions_of_columns_in_functions(env):
    one = udf(lambda n: n + 1, result_type=DataTypes.INT(), func_type="pandas")
    two = udf(lambda n: n + 2, result_type=DataTypes.INT())
    return _rows(_table(env).select(one(two(one(col("id")))) * 2, one(col("id") + 1)))


def function_of_columns_with_another_length(env):
    first = udf(lambda n: n[:1], result_type=DataTypes.INT(), func_type="pandas")
    return _rows(_table(env).select(first(col("id"))))


def function_of_columns_that_returns_a_value(env):
    first = udf(lambda n: 1, result_type=DataTypes.INT(), func_type="pandas")
    return _rows(_table(env).select(first(col("id"))))
