"""TIMESTAMP_LTZ as functions of the program get it, and give it."""

from __future__ import annotations

import datetime

from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.table.udf import udf, udtf

LINES = ("2020-01-02 03:04:05.123Z", "1969-07-01 12:00:00Z")


def _moments(env, tmp):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set("table.local-time-zone", "UTC")
    with open(f"{tmp}/moments.csv", "w") as file:
        file.write("\n".join(LINES))
    t_env.execute_sql(
        "CREATE TABLE moments (t TIMESTAMP_LTZ(3)) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp}/moments.csv', 'format' = 'csv')"
    )
    return t_env.from_path("moments")


def _results(table):
    with table.execute().collect() as rows:
        return sorted(str(row[0]) for row in rows)


def a_scalar_function_gets_local_times(env, tmp):
    text = udf(lambda t: f"{t.isoformat()} {t.utcoffset()}", result_type=DataTypes.STRING())
    return _results(_moments(env, tmp).select(text(col("t"))))


def results_are_instants(env, tmp):
    later = udf(lambda t: t + datetime.timedelta(hours=1), result_type=DataTypes.TIMESTAMP_LTZ(3))
    return _results(_moments(env, tmp).select(later(later(col("t"))).cast(DataTypes.STRING())))


def a_table_function_gets_local_times(env, tmp):
    text = udtf(lambda t: t.isoformat(), result_types=[DataTypes.STRING()])
    return _results(_moments(env, tmp).join_lateral(text(col("t")).alias("s")).select(col("s")))


def functions_of_columns_get_local_times(env, tmp):
    moments = _moments(env, tmp)
    text = udf(lambda t: t.map(str), result_type=DataTypes.STRING(), func_type="pandas")
    return _results(moments.select(text(col("t"))))
