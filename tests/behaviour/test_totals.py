"""Aggregates of all rows of a bounded table: one row, even if there are none."""

from __future__ import annotations

import pytest

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            """SELECT COUNT(*), SUM(n), AVG(n), MIN(n), MAX(n), COUNT(DISTINCT n),
                      COUNT(*) FILTER (WHERE n > 1)
               FROM numbers WHERE n > 100""",
            [(0, None, None, None, None, 0, 0)],
        ),
        ("SELECT c + 1 FROM (SELECT COUNT(*) AS c FROM numbers WHERE FALSE)", [(1,)]),
        (
            "SELECT n, c FROM numbers CROSS JOIN (SELECT MAX(n) AS c FROM numbers WHERE n < 0)",
            [(1, None)] * 2,
        ),
        (
            "SELECT COUNT(*), SUM(c) FROM (SELECT COUNT(*) AS c FROM numbers GROUP BY n HAVING COUNT(*) < 2)",
            [(0, None)],
        ),
        ("SELECT COUNT(*), SUM(n), COUNT(DISTINCT n) FROM numbers", [(2, 2, 1)]),
        ("SELECT COUNT(*) FROM numbers WHERE FALSE HAVING COUNT(*) > 0", []),
        ("SELECT COUNT(*) FROM numbers WHERE FALSE GROUP BY n", []),
        ("SELECT COUNT(*), MAX('a')", [(1, "a")]),
        ("SELECT DISTINCT 1", [(1,)]),
    ],
)
@pytest.mark.local_only("Spark aggregates by itself")
def test_totals(env: StreamExecutionEnvironment, query: str, expected: list[object]) -> None:
    t_env = StreamTableEnvironment.create(env)
    numbers = env.from_collection([(1,), (1,)], Types.ROW_NAMED(["n"], [Types.INT()]))
    t_env.create_temporary_view("numbers", numbers)
    with t_env.sql_query(query).execute().collect() as rows:
        assert [tuple(row) for row in rows] == expected
