"""Rows of bounded tables whose event time is null, in batch mode: they are in no window."""

from __future__ import annotations

from pystream.datastream import RuntimeExecutionMode
from pystream.table import StreamTableEnvironment

_WINDOW = "TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND"
_GROUP = "GROUP BY window_start, window_end"

CASES = {
    "condition": "SELECT a FROM n WHERE ts IS NULL",
    "window": f"SELECT window_start, COUNT(*) FROM TABLE(TUMBLE({_WINDOW})) {_GROUP}",
    "rows of windows": f"SELECT a, window_start FROM TABLE(TUMBLE({_WINDOW}))",
    "group window": "SELECT COUNT(*), MIN(a) FROM n GROUP BY TUMBLE(ts, INTERVAL '5' SECOND)",
    "over": "SELECT a, COUNT(*) OVER (ORDER BY ts) FROM n",
    "equal times": "SELECT x.a, y.a FROM n AS x JOIN n AS y ON x.ts = y.ts AND x.a = y.a",
    "interval": (
        "SELECT x.a, y.a FROM n AS x JOIN n AS y "
        "ON x.a = y.a AND x.ts BETWEEN y.ts - INTERVAL '1' SECOND AND y.ts"
    ),
    "outer interval": (
        "SELECT x.a, y.a FROM n AS x LEFT JOIN n AS y "
        "ON x.a = y.a AND x.ts BETWEEN y.ts - INTERVAL '1' SECOND AND y.ts"
    ),
}


def found(env, tmp, case):
    env.set_parallelism(1)
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    t_env = StreamTableEnvironment.create(env)
    (tmp / "n").mkdir()
    times = ["", "2020-01-01 00:00:01", "2020-01-01 00:00:03", "2020-01-01 00:00:09"]
    rows = "".join(f"{number},{time}\n" for number, time in enumerate(times))
    (tmp / "n" / "f").write_text(rows)
    t_env.execute_sql(
        "CREATE TABLE n (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ("
        f"'connector' = 'filesystem', 'path' = '{tmp / 'n'}', 'format' = 'csv', 'csv.null-literal' = '')"
    )
    with t_env.execute_sql(case).collect() as rows:
        return sorted(str(tuple(row)) for row in rows)
