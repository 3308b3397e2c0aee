"""Tables of streams, and connectors of tables, where their errors come."""

from __future__ import annotations

from decimal import Decimal

from pystream.common import Row, RowKind
from pystream.common.typeinfo import Types
from pystream.table import DataTypes, ScalarFunction, StreamTableEnvironment, Table
from pystream.table.udf import udf

_ROWS = Types.ROW_NAMED(["a"], [Types.INT()])


def methods_of_a_table(env):
    return [hasattr(Table, name) for name in ("to_append_stream", "to_retract_stream")]


def unknown_connector_when_created(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'none')")
    return True


def unknown_option_when_created(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'none' = '1')")
    return True


def pickled_elements_as_a_table(env):
    t_env = StreamTableEnvironment.create(env)
    return str(t_env.from_data_stream(env.from_collection([1])).get_schema().get_field_data_type(0))


def _deleted():
    row = Row(a=1)
    row.set_row_kind(RowKind.DELETE)
    return row


def rows_of_other_kinds_from_a_stream(env):
    t_env = StreamTableEnvironment.create(env)
    table = t_env.from_data_stream(env.from_collection([_deleted()], _ROWS))
    return [str(row) for row in table.execute().collect()]


def settings_of_the_table_environment_reach_the_stream_environment(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set("parallelism.default", "3")
    return env.get_parallelism()


def second_view_of_a_name(env):
    t_env = StreamTableEnvironment.create(env)
    for _ in range(2):
        t_env.create_temporary_view("v", env.from_collection([Row(a=1)], _ROWS))
    return True


def group_by_a_position(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("v", env.from_collection([Row(a=1), Row(a=2)], _ROWS))
    with t_env.sql_query("SELECT COUNT(*) FROM v GROUP BY 1").execute().collect() as rows:
        return [list(row) for row in rows][-1]


def to_date_without_the_form_of_the_pattern(env):
    t_env = StreamTableEnvironment.create(env)
    with t_env.sql_query("SELECT TO_DATE('31.12.2020', 'yyyy-MM-dd') AS d").execute().collect() as rows:
        return [str(value) for row in rows for value in row]


class _Counting(ScalarFunction):
    def __init__(self):
        self.count = 0

    def is_deterministic(self):
        return False

    def eval(self, value):
        self.count += 1
        return self.count


def function_that_is_not_deterministic_of_updated_rows(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("v", env.from_collection([Row(a=1)] * 3, _ROWS))
    t_env.create_temporary_function("counting", udf(_Counting(), result_type=DataTypes.BIGINT()))
    counts = t_env.sql_query("SELECT n, counting(n) AS c FROM (SELECT COUNT(*) AS n FROM v GROUP BY a)")
    with t_env.to_changelog_stream(counts).execute_and_collect() as rows:
        changes = [(str(row.get_row_kind()), list(row)) for row in rows]
    given = [row for kind, row in changes if kind in ("+I", "+U")]
    return all(row in given for kind, row in changes if kind in ("-U", "-D"))


def times_in_frames(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone("Asia/Tokyo")
    time = "TIMESTAMP '2020-01-02 03:04:05.678901'"
    types = ["TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(4)", "TIMESTAMP_LTZ(0)", "TIMESTAMP_LTZ(3)"]
    frame = t_env.sql_query(f"SELECT {', '.join(f'CAST({time} AS {one})' for one in types)}").to_pandas()
    return [f"{dtype} {value}" for dtype, value in zip(frame.dtypes, frame.iloc[0], strict=True)]


def decimals_of_streams_in_queries(env):
    t_env = StreamTableEnvironment.create(env)
    seventh = Decimal(1) / 7
    nested = Types.ROW_NAMED(["x"], [Types.BIG_DEC()])
    types = Types.ROW_NAMED(["a", "r"], [Types.BIG_DEC(), nested])
    t_env.create_temporary_view("t", env.from_collection([Row(seventh, Row(seventh))], types))
    with (
        t_env.sql_query("SELECT a, r.x AS x, SUM(a) AS s FROM t GROUP BY a, r.x").execute().collect() as rows
    ):
        return [str(tuple(row)) for row in rows]


def digits_of_results_of_functions(env):
    t_env = StreamTableEnvironment.create(env)
    table = t_env.from_elements([(1,)], ["a"])
    long = udf(lambda a: Decimal(1) / 7, result_type=DataTypes.DECIMAL(30, 25))
    short = udf(lambda a: Decimal(1) / 7, result_type=DataTypes.DECIMAL(10, 2))
    kept = udf(lambda s: s * 0 + Decimal(1) / 7, result_type=DataTypes.DECIMAL(38, 30), func_type="pandas")
    with table.select(long(table.a), short(table.a), kept(table.a)).execute().collect() as rows:
        return [str(tuple(row)) for row in rows]


def printed_values(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone("UTC")
    small = "CAST('0.0000001' AS DECIMAL(10, 7))"
    values = [
        small,
        "CAST(0 AS DECIMAL(20, 10))",
        f"ARRAY[{small}, NULL]",
        f"ROW({small}, CAST(NULL AS INT))",
        f"MAP['k', {small}]",
        "TRUE",
        "ARRAY[TRUE, FALSE]",
        "ROW('x', 1.5e0, CAST(1.5 AS FLOAT))",
        "ARRAY['a b', '']",
        "X'00FF'",
        "CAST(1 AS TINYINT)",
        "CAST(NULL AS BOOLEAN)",
        "DATE '2024-01-02'",
        "TIME '10:20:30'",
        "TIMESTAMP '2024-01-02 03:04:05.678'",
        "ARRAY[ROW(1, DATE '2024-01-02')]",
        "1e20",
        "MAP[1, ARRAY[1.10]]",
        "ARRAY[X'01', NULL]",
        "MAP[X'01', X'ff']",
        "ARRAY[ROW(X'00ff', 'b')]",
    ]
    for value in values:
        t_env.execute_sql(f"SELECT {value} AS v").print()
    return len(values)
