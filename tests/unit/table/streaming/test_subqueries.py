"""Subqueries and set operations on the local host; results are computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment

TOTAL = "SELECT n, (SELECT {} FROM b WHERE b.s = a.s) AS m FROM a"


@pytest.fixture(scope="module")
def t_env() -> StreamTableEnvironment:
    """Return an environment with ``a(n, s)``, ``b(s, k)`` and ``c(s)``, which has a null."""
    configuration = Configuration()
    configuration.set_string("pystream.runner", "local")
    t_env = StreamTableEnvironment.create(StreamExecutionEnvironment.get_execution_environment(configuration))
    rows: dict[str, tuple[list[Any], list[str]]] = {
        "a": ([(1, "x"), (2, "y"), (3, None), (4, "x")], ["n", "s"]),
        "b": ([("x", 10), ("x", 11), ("z", 5)], ["s", "k"]),
        "c": ([("x", 10), (None, 5)], ["s", "k"]),
    }
    for name, (values, names) in rows.items():
        t_env.create_temporary_view(name, t_env.from_elements(values, names))
    return t_env


@pytest.mark.time_limit(60)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT n FROM a WHERE s IN (SELECT s FROM b)", [(1,), (4,)]),
        ("SELECT n FROM a WHERE s IN (SELECT s FROM b ORDER BY k LIMIT 1)", []),
        ("SELECT n FROM a WHERE s IN (SELECT s FROM b ORDER BY s LIMIT 1)", [(1,), (4,)]),
        ("SELECT n FROM a WHERE s IN (SELECT b.s FROM b WHERE b.k = a.n + 9)", [(1,)]),
        ("SELECT n FROM a WHERE s IN (SELECT s FROM b WHERE k > (SELECT MIN(k) FROM b))", [(1,), (4,)]),
        (
            "SELECT n FROM a WHERE s IN (SELECT z.s FROM (SELECT s, MAX(k) AS m FROM b GROUP BY s) z "
            "WHERE z.m = a.n + 10)",
            [(1,)],
        ),
        ("SELECT n FROM a WHERE n + 9 = SOME (SELECT k FROM b)", [(1,), (2,)]),
        ("SELECT n FROM a WHERE n + 9 = ANY (SELECT k FROM b)", [(1,), (2,)]),
        ("SELECT n FROM a WHERE s IN (SELECT s FROM b) OR n = 2", [(1,), (2,), (4,)]),
        ("SELECT n FROM a WHERE s NOT IN (SELECT s FROM b)", [(2,)]),
        ("SELECT n FROM a WHERE s NOT IN (SELECT s FROM c)", []),
        ("SELECT n FROM a WHERE s NOT IN (SELECT s FROM b WHERE k > 99)", [(1,), (2,), (3,), (4,)]),
        ("SELECT n FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.s = a.s)", [(1,), (4,)]),
        ("SELECT n FROM a WHERE EXISTS (SELECT DISTINCT s FROM b WHERE b.s = a.s ORDER BY s)", [(1,), (4,)]),
        ("SELECT n FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.s = a.s)", [(2,), (3,)]),
        ("SELECT n FROM a WHERE EXISTS (SELECT 1 FROM b WHERE k > 99)", []),
        ("SELECT n FROM a WHERE (SELECT MAX(k) > 10 FROM b)", [(1,), (2,), (3,), (4,)]),
        ("SELECT n FROM a WHERE n + 9 > (SELECT MAX(k) FROM b)", [(3,), (4,)]),
        (TOTAL.format("SUM(b.k)"), [(1, 21), (2, None), (3, None), (4, 21)]),
        (TOTAL.format("COALESCE(SUM(b.k), 0)"), [(1, 21), (2, 0), (3, 0), (4, 21)]),
        (TOTAL.format("COUNT(*) + 1"), [(1, 3), (2, 1), (3, 1), (4, 3)]),
        (TOTAL.format("COUNT(*) FILTER (WHERE b.k > 10)"), [(1, 1), (2, 0), (3, 0), (4, 1)]),
        ("SELECT s FROM a INTERSECT SELECT s FROM b", [("x",)]),
        ("SELECT s FROM a INTERSECT ALL SELECT s FROM b", [("x",), ("x",)]),
        ("SELECT s FROM a INTERSECT SELECT s FROM c", [("x",), (None,)]),
        ("SELECT s FROM a EXCEPT SELECT s FROM b", [("y",), (None,)]),
        ("SELECT s FROM a EXCEPT ALL SELECT s FROM c", [("x",), ("y",)]),
        ("SELECT k AS p, k AS q FROM b INTERSECT SELECT k, k FROM c", [(10, 10), (5, 5)]),
    ],
)
def test_rows(query: str, expected: list[tuple[object, ...]], t_env: StreamTableEnvironment) -> None:
    with t_env.sql_query(query).execute().collect() as rows:
        assert sorted(map(repr, map(tuple, rows))) == sorted(map(repr, expected))


def test_subqueries_without_a_name_are_named_by_their_positions(t_env: StreamTableEnvironment) -> None:
    table = t_env.sql_query(
        "SELECT (n), (SELECT MAX(k) FROM b), (SELECT MIN(k) AS m FROM b) FROM a WHERE n = 1"
    )
    assert table.get_schema().get_field_names() == ["n", "EXPR$1", "EXPR$2"]
    with table.execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(1, 11, 5)]
