"""Windows and OVER of PROCTIME(): the time at which rows come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pystream.errors import SqlError
from pystream.table import StreamTableEnvironment
from pystream.table.expressions import col, lit
from pystream.table.window import Tumble
from pystream.testing import local_environment

WINDOWS = (
    "SELECT window_start AS b, window_end AS e, COUNT(*) AS n "
    "FROM TUMBLE(TABLE {}, DESCRIPTOR(pt), INTERVAL '1' SECOND) GROUP BY window_start, window_end"
)


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.get_config().set("table.local-time-zone", "UTC")
    generated = (
        "n INT, pt AS PROCTIME()) WITH ('connector' = 'datagen', 'fields.n.min' = '1', 'fields.n.max' = '1'"
    )
    t_env.execute_sql(f"CREATE TABLE bounded ({generated}, 'number-of-rows' = '500')")
    t_env.execute_sql(f"CREATE TABLE unbounded ({generated}, 'rows-per-second' = '1000')")
    return t_env


def test_windows_end_by_the_clock(t_env: StreamTableEnvironment) -> None:
    before = datetime.now(UTC).replace(tzinfo=None)
    with t_env.sql_query(WINDOWS.format("unbounded")).execute().collect() as rows:
        first, second = next(rows), next(rows)
    after = datetime.now(UTC).replace(tzinfo=None)
    for row in (first, second):
        assert row.e - row.b == timedelta(seconds=1)
        assert before - timedelta(seconds=1) < row.b < row.e <= after
        assert row.n > 0
    assert first.e <= second.b


@pytest.mark.parametrize(
    "query",
    [
        WINDOWS.format("bounded"),
        WINDOWS.format("renamed"),
        "SELECT TUMBLE_END(pt, INTERVAL '1' SECOND), COUNT(*) AS n FROM bounded "
        "GROUP BY TUMBLE(pt, INTERVAL '1' SECOND)",
        "SELECT TUMBLE_PROCTIME(pt, INTERVAL '1' SECOND) AS t, COUNT(*) AS n FROM bounded "
        "GROUP BY TUMBLE(pt, INTERVAL '1' SECOND)",
        "SELECT SUM(n) AS n FROM (SELECT TUMBLE_PROCTIME(pt, INTERVAL '1' SECOND) AS t, COUNT(*) AS n "
        "FROM bounded GROUP BY TUMBLE(pt, INTERVAL '1' SECOND)) GROUP BY TUMBLE(t, INTERVAL '2' SECOND)",
        "SELECT SESSION_END(pt, INTERVAL '1' SECOND), COUNT(*) AS n FROM bounded "
        "GROUP BY SESSION(pt, INTERVAL '1' SECOND)",
        "SELECT b, COUNT(*) AS n FROM (SELECT window_start AS b, window_end AS e, n "
        "FROM TUMBLE(TABLE bounded, DESCRIPTOR(pt), INTERVAL '1' SECOND)) GROUP BY b, e",
    ],
)
def test_all_rows_are_in_windows(t_env: StreamTableEnvironment, query: str) -> None:
    t_env.create_temporary_view("renamed", t_env.sql_query("SELECT pt, n + 1 AS m FROM bounded WHERE n > 0"))
    assert sum(row.n for row in t_env.sql_query(query).execute().collect()) == 500


def test_windows_of_methods(t_env: StreamTableEnvironment) -> None:
    windows = t_env.from_path("bounded").window(Tumble.over(lit(1).seconds).on(col("pt")).alias("w"))
    counts = windows.group_by(col("w")).select(col("n").sum.alias("n"))
    assert sum(row.n for row in counts.execute().collect()) == 500


@pytest.mark.parametrize("frame", ["", "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"])
@pytest.mark.parametrize("table", ["bounded", "unbounded"])
def test_rows_over_processing_time_come_one_by_one(
    t_env: StreamTableEnvironment, table: str, frame: str
) -> None:
    query = f"SELECT SUM(n) OVER (ORDER BY pt {frame}) AS s FROM {table}"
    with t_env.sql_query(query).execute().collect() as rows:
        assert [next(rows).s for _ in range(50)] == list(range(1, 51))


def test_an_expression_of_processing_time_is_no_time(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_view("v", t_env.sql_query("SELECT pt + INTERVAL '1' SECOND AS pt FROM unbounded"))
    with pytest.raises(SqlError, match="needs a column with a watermark, or PROCTIME"):
        t_env.sql_query(WINDOWS.format("v"))
