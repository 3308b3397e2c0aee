"""Group windows of SQL: where their properties stand, and what is refused."""

from __future__ import annotations

import pytest

from pystream.errors import SqlError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment

DAY = "INTERVAL '1' DAY"


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TEMPORARY VIEW t AS SELECT * FROM (VALUES "
        "(1, TIMESTAMP '2024-01-01 01:00:00'), (2, TIMESTAMP '2024-01-02 01:00:00'), "
        "(3, TIMESTAMP '2024-01-02 02:00:00')) AS v(n, ts)"
    )
    return t_env


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT SUM(n) AS s FROM t GROUP BY TUMBLE(ts, {DAY}) ORDER BY TUMBLE_START(ts, {DAY})",
        f"SELECT SUM(n) AS s FROM t AS x GROUP BY TUMBLE(ts, {DAY}) ORDER BY TUMBLE_END(x.ts, {DAY})",
        f"SELECT s FROM (SELECT TUMBLE_START(ts, {DAY}) AS window_start, SUM(n) AS s FROM t "
        f"GROUP BY TUMBLE(ts, {DAY})) ORDER BY window_start",
    ],
)
def test_properties_are_of_the_window(t_env: StreamTableEnvironment, query: str) -> None:
    assert [row.s for row in t_env.sql_query(query).execute().collect()] == [1, 5]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT COUNT(*) FROM t GROUP BY TUMBLE()", r"TUMBLE\(time, size\)"),
        (f"SELECT COUNT(*) FROM t GROUP BY HOP(ts, {DAY})", r"HOP\(time, slide, size\)"),
        (f"SELECT COUNT(*) FROM t GROUP BY ROLLUP(TUMBLE(ts, {DAY}))", "stands beside ROLLUP"),
        (f"SELECT COUNT(*) FROM t GROUP BY TUMBLE(ts, {DAY}), HOP(ts, {DAY}, {DAY})", "takes one window"),
        (f"SELECT COUNT(*) FROM t GROUP BY SESSION(ts, {DAY}), n + 1", "beside SESSION must be columns"),
        (f"SELECT COUNT(*) FROM t, t AS u GROUP BY TUMBLE(t.ts, {DAY})", "rows of one table"),
        (f"SELECT TUMBLE_END(n, {DAY}) FROM t GROUP BY TUMBLE(ts, {DAY})", "no window of the same arguments"),
        (
            "SELECT window_end FROM (SELECT n AS window_end, ts FROM t) "
            f"GROUP BY window_end, TUMBLE(ts, {DAY})",
            "adds a column 'window_end'",
        ),
    ],
)
def test_wrong_windows_are_refused(t_env: StreamTableEnvironment, query: str, message: str) -> None:
    with pytest.raises(SqlError, match=message):
        t_env.sql_query(query)
