"""What queries read of tables of files: columns and partitions that they do not need may be broken."""

from __future__ import annotations

from pystream.table import StreamTableEnvironment

CASES = {
    "column": "SELECT a FROM t WHERE k = 'a'",
    "no_column": "SELECT 5 FROM t WHERE k = 'a'",
    "range": "SELECT a, k, h FROM t WHERE k < 'b' AND h > 0",
    "list": "SELECT a FROM t WHERE k IN ('a', 'none')",
    "either": "SELECT a FROM t WHERE k = 'a' OR k = 'none'",
    "other_condition": "SELECT a FROM t WHERE k = 'a' AND a > 1",
    "function": "SELECT a FROM t WHERE UPPER(k) = 'A'",
    "subquery": "SELECT a FROM (SELECT a, k FROM t WHERE k = 'a') WHERE a < 5",
    "join": "SELECT x.a FROM t AS x JOIN others ON x.a = others.a WHERE x.k = 'a'",
    "none": "SELECT a FROM t WHERE k = 'none'",
    "false": "SELECT a FROM t WHERE k = 'a' AND k = 'none'",
    "null": "SELECT a FROM t WHERE k = 'a' AND h IS NOT NULL",
    "broken_column": "SELECT b FROM t WHERE k = 'a'",
    "broken_partition": "SELECT a FROM t",
}


def _files(tmp, texts):
    for name, text in texts.items():
        path = tmp / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def read(env, tmp, case):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    good = '{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n'
    _files(tmp, {"t/k=a/h=1/f": good, "t/k=b/h=2/f": "broken\n", "others/f": '{"a": 1}\n'})
    with_files = "WITH ('connector' = 'filesystem', 'format' = 'json', 'path' ="
    t_env.execute_sql(
        f"CREATE TABLE t (a INT, b INT, k STRING, h INT) PARTITIONED BY (k, h) {with_files} '{tmp / 't'}')"
    )
    t_env.execute_sql(f"CREATE TABLE others (a INT) {with_files} '{tmp / 'others'}')")
    with t_env.execute_sql(case).collect() as found:
        return sorted(str(tuple(row)) for row in found)


def read_cells(env, tmp):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    _files(tmp, {"t/f": "broken,1,x\n7,2,y\n"})
    t_env.execute_sql(
        "CREATE TABLE t (a INT, b INT, c STRING) WITH ("
        f"'connector' = 'filesystem', 'format' = 'csv', 'path' = '{tmp / 't'}')"
    )
    with t_env.execute_sql("SELECT c, b FROM t WHERE b > 0").collect() as found:
        return sorted(str(tuple(row)) for row in found)
