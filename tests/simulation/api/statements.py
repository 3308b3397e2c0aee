"""Random SQL: statements that are cut, mixed and nested."""

from __future__ import annotations

import re
from random import Random

from pystream.common import Types
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment
from tests.simulation.api.verdict import judged

__all__ = ["execute_at_random"]

_STATEMENTS = (
    "SELECT f0, COUNT(*) AS n, SUM(f1) FROM t WHERE f1 > 1 GROUP BY f0 HAVING COUNT(*) > 1 ORDER BY n",
    "SELECT a.f0, b.f1 FROM t AS a LEFT JOIN t AS b ON a.f0 = b.f0 AND a.f1 < b.f1",
    "SELECT CASE WHEN f1 > 1 THEN UPPER(f0) ELSE NULL END, CAST(f1 AS DECIMAL(10, 2)) FROM t",
    "SELECT f0, ROW_NUMBER() OVER (PARTITION BY f0 ORDER BY f1 DESC) AS n FROM t",
    "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(i, s) WHERE s LIKE 'a%' OR i IN (1, 2, 3)",
    "WITH w AS (SELECT f0 FROM t) SELECT DISTINCT f0 FROM w UNION ALL SELECT f0 FROM t",
    "SELECT window_start, SUM(f1) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(f0), INTERVAL '1' MINUTE)) GROUP BY "
    "window_start, window_end",
    "CREATE TABLE s (a INT, b STRING) WITH ('connector' = 'filesystem', 'path' = '/tmp/s', 'format' = 'csv')",
    "CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '3')",
    "CREATE TEMPORARY VIEW v AS SELECT f0 FROM t",
    "INSERT INTO t SELECT f0, f1 FROM t",
    "EXPLAIN SELECT f0 FROM t",
    "SHOW TABLES",
    "DESCRIBE t",
    "DROP TABLE IF EXISTS s",
    "SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1' DAY, DATE_FORMAT(LOCALTIMESTAMP, 'yyyy') FROM t",
    "SELECT ARRAY[1, 2][1], MAP['a', 1]['a'], ROW(1, 'x') FROM t",
)
_NOISE = (
    *(
        "(",
        ")",
        "'",
        '"',
        "`",
        ",",
        ";",
        "--",
        "/*",
        "*/",
        "\0",
        "\ud800",
        "☃",
        "::",
        "?",
        ":x",
        "${a}",
        "\\",
    ),
    *("SELECT", "FROM", "NULL", "1e999", "99999999999999999999999", "0x1F", "f9", "no_such", "NO_SUCH(f0)"),
    *("INTERVAL", "OVER ()", "LATERAL", "MATCH_RECOGNIZE", "UNNEST(f0)", "SUM(SUM(f1))", "COUNT(DISTINCT *)"),
    *("PIVOT (SUM(f1) FOR f0 IN ('a'))", "QUALIFY 1", "TABLESAMPLE (1 PERCENT)", "FOR SYSTEM_TIME AS OF f0"),
)


def execute_at_random(random: Random) -> None:
    """Execute a statement, most likely a wrong one.

    Raises:
        AssertionError: an error does not help.
    """
    env = local_environment()
    t_env = StreamTableEnvironment.create(env)
    pairs = env.from_collection([("a", 1), ("b", 2)], Types.TUPLE([Types.STRING(), Types.INT()]))
    t_env.create_temporary_view("t", pairs)
    statement = _deep(random) if random.random() < 0.1 else _broken(random)
    words = [word for word in re.findall(r"\w+", statement) if len(word) > 1]
    subjects = [*words[:200], "statement", "query", "SQL", "view", "table", "column", "line"]
    call = random.choice([t_env.sql_query, t_env.execute_sql, t_env.execute_sql, t_env.explain_sql])
    try:
        judged(lambda: call(statement), subjects)
    except AssertionError as error:
        error.args = (f"{call.__name__}({statement[:300]!r}): {error.args[0]}",)
        raise


def _broken(random: Random) -> str:
    pieces = re.findall(r"\w+|\s+|[^\w\s]", random.choice(_STATEMENTS))
    for _ in range(random.choice([0, 1, 1, 1, 2, 4])):
        place = random.randrange(len(pieces))
        match random.randrange(4):
            case 0:
                del pieces[place]
            case 1:
                pieces[place:place] = [" ", random.choice(_NOISE), " "]
            case 2:
                pieces[place] = random.choice(pieces)
            case _:
                pieces[place:] = pieces[place : place + random.randrange(1, 8)]
        pieces = pieces or [""]
    return "".join(pieces)


def _deep(random: Random) -> str:
    many = random.choice([400, 3_000])
    return random.choice(
        [
            f"SELECT {'(' * many}f1{')' * many} FROM t",
            f"SELECT {' + '.join(['f1'] * many)} FROM t",
            f"SELECT f1 FROM t WHERE {' OR '.join(f'f1 = {i}' for i in range(many))}",
            f"SELECT {'NOT ' * many} TRUE FROM t",
            f"SELECT {'UPPER(' * many}f0{')' * many} FROM t",
            " UNION ALL ".join(["SELECT f0 FROM t"] * (many // 20)),
            f"{'SELECT f0 FROM (' * (many // 10)}t{')' * (many // 10)}",
            f"SELECT {'CASE WHEN TRUE THEN ' * many}1{' END' * many} FROM t",
        ]
    )
