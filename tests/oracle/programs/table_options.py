"""The hint OPTIONS: options of a table for one query or INSERT."""

from __future__ import annotations

from pystream.table import StreamTableEnvironment

CASES = {
    "table": "SELECT n FROM numbers /*+ OPTIONS('fields.n.end' = '2') */",
    "alias": "SELECT x.n FROM numbers /* first */ /*+ options('fields.n.end'='2') */ AS x WHERE x.n > 1",
    "qualified": "SELECT numbers.n FROM default_database.numbers /*+ OPTIONS('fields.n.end' = '2') */",
    "further": "SELECT n FROM numbers /*+ OPTIONS('fields.n.start' = '3', 'number-of-rows' = '1') */",
    "none": "SELECT n FROM numbers /* OPTIONS('fields.n.end' = '2') */",
    "join": "SELECT a.n FROM numbers /*+ OPTIONS('fields.n.end' = '3') */ a JOIN numbers b ON a.n = b.n + 1",
    "union": "SELECT n FROM numbers UNION ALL SELECT n FROM numbers /*+ OPTIONS('fields.n.end' = '2') */",
    "subquery": "SELECT m FROM (SELECT n + 1 AS m FROM numbers /*+ OPTIONS('fields.n.end' = '2') */)",
    "with": "WITH w AS (SELECT n FROM numbers) SELECT n FROM w /*+ OPTIONS('fields.n.end' = '2') */",
    "view_of_table": "SELECT n FROM short",
    "view": "SELECT n FROM short /*+ OPTIONS('fields.n.end' = '1') */",
    "unknown": "SELECT n FROM numbers /*+ OPTIONS('fields.n.last' = '2') */",
    "no_value": "SELECT n FROM numbers /*+ OPTIONS('fields.n.end') */",
    "whole": "SELECT * FROM numbers /*+ OPTIONS('fields.n.end' = '2') */",
}

_NUMBERS = """
    CREATE TABLE numbers (n INT) WITH (
        'connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '4')
"""
_SHORT = "CREATE VIEW short AS SELECT n FROM numbers /*+ OPTIONS('fields.n.end' = '2') */"


def read(env, case):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(_NUMBERS)
    t_env.execute_sql(_SHORT)
    with t_env.execute_sql(case).collect() as rows:
        return sorted(tuple(row) for row in rows)


def written(env, tmp):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(_NUMBERS)
    t_env.execute_sql(
        f"CREATE TABLE t (n INT) WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '{tmp / 'a'}')"
    )
    t_env.execute_sql(
        f"INSERT INTO t /*+ OPTIONS('path' = '{tmp / 'b'}', 'format' = 'json') */ SELECT n FROM numbers"
    ).wait()
    texts = [file.read_text() for file in (tmp / "b").iterdir() if not file.name.startswith(("_", "."))]
    return (tmp / "a").exists(), "".join(texts)


def not_allowed(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set("table.dynamic-table-options.enabled", "false")
    t_env.execute_sql(_NUMBERS)
    t_env.execute_sql("SELECT n FROM numbers /*+ OPTIONS('fields.n.end' = '2') */")
