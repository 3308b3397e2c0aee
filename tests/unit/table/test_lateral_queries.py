"""LATERAL (SELECT …): results where PyFlink fails or differs, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.errors import UnsupportedOperationError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment

FIRST = "(SELECT v FROM s WHERE s.k = o.k ORDER BY v DESC LIMIT 2) AS t"
FETCH = "FETCH FIRST 1 ROW ONLY"
OVER = "(SELECT v, SUM(v) OVER (ORDER BY v) AS n FROM s WHERE s.k = o.k) AS t"
COUNT = "(SELECT COUNT(*) AS n FROM s WHERE s.k = o.k) AS t"


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    outer = t_env.from_elements([(1, "a"), (2, "b"), (3, "c"), (4, None)], ["id", "k"])
    t_env.create_temporary_view("o", outer)
    t_env.create_temporary_view(
        "s", t_env.from_elements([("a", 5), ("a", 3), ("a", 9), ("b", 1)], ["k", "v"])
    )
    return t_env


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (f"SELECT id, v FROM o, LATERAL {FIRST}", {(1, 9), (1, 5), (2, 1)}),
        (
            f"SELECT id, v FROM o LEFT JOIN LATERAL {FIRST} ON v > 3",
            {(1, 9), (1, 5), (2, None), (3, None), (4, None)},
        ),
        (f"SELECT id, v FROM o, LATERAL {FIRST.replace('LIMIT 2', 'LIMIT 1 OFFSET 1')}", {(1, 5)}),
        (f"SELECT id, v FROM o, LATERAL {FIRST.replace('LIMIT 2', FETCH)}", {(1, 9), (2, 1)}),
        (
            f"SELECT id, v FROM o, LATERAL {FIRST.replace('LIMIT 2', FETCH.replace(' 1', ''))}",
            {(1, 9), (2, 1)},
        ),
        (
            f"SELECT id, v FROM o, LATERAL {FIRST.replace('LIMIT 2', 'OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY')}",
            {(1, 5), (1, 3)},
        ),
        (f"SELECT id, x FROM o, LATERAL {FIRST}(x)", {(1, 9), (1, 5), (2, 1)}),
        (f"SELECT id, n + 1 FROM o LEFT JOIN LATERAL {COUNT} ON TRUE", {(1, 4), (2, 2), (3, 1), (4, 1)}),
        (
            "SELECT id, v FROM o, LATERAL (SELECT v FROM s WHERE s.k < o.k AND v > 4) AS t",
            {(2, 5), (2, 9), (3, 5), (3, 9)},
        ),
        (
            f"SELECT id, n FROM o, LATERAL {COUNT.replace('s.k = o.k', 'LOWER(s.k) = LOWER(o.k)')}",
            {(1, 3), (2, 1)},
        ),
        (
            f"SELECT id, v, n FROM o, LATERAL {OVER}",
            {(1, 3, 3), (1, 5, 8), (1, 9, 17), (2, 1, 1)},
        ),
        (
            "SELECT id, n FROM o LEFT JOIN LATERAL (SELECT COUNT(*) n FROM s HAVING COUNT(*) > 5) t ON TRUE",
            {(1, None), (2, None), (3, None), (4, None)},
        ),
        (
            "SELECT id, v FROM o, LATERAL (SELECT v FROM s WHERE k = o.k AND v IN (SELECT MAX(v) FROM s)) t",
            {(1, 9)},
        ),
        (
            "SELECT id, MAX(v) FROM o, LATERAL (SELECT v FROM s WHERE s.k = o.k) AS t GROUP BY id",
            {(1, 9), (2, 1)},
        ),
    ],
)
def test_results(t_env: StreamTableEnvironment, query: str, expected: set[tuple[Any, ...]]) -> None:
    rows = list(map(tuple, t_env.sql_query(query).execute().collect()))
    assert (set(rows), len(rows)) == (expected, len(expected))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (f"SELECT 1 FROM o RIGHT JOIN LATERAL {COUNT} ON TRUE", "another side of a join"),
        (f"SELECT 1 FROM LATERAL {FIRST.replace('o.k', 's.k')}", "another side of a join"),
        (
            f"SELECT 1 FROM o, LATERAL {COUNT.replace('s.k =', 's.k <')}",
            "correlated other than by = in WHERE",
        ),
        (f"SELECT 1 FROM o, LATERAL {FIRST.replace('SELECT v', 'SELECT v + o.id')}", "only in WHERE"),
        (
            f"SELECT 1 FROM o, LATERAL {FIRST.replace('ORDER BY v DESC', '')}",
            "LIMIT in LATERAL needs ORDER BY",
        ),
        (
            f"SELECT 1 FROM o LEFT JOIN LATERAL {COUNT} ON n > 1",
            "with COUNT in an expression, HAVING or ON a condition",
        ),
        (
            f"SELECT 1 FROM o LEFT JOIN LATERAL {COUNT.replace('o.k)', 'o.k HAVING COUNT(*) > 5)')} ON TRUE",
            "with COUNT in an expression, HAVING or ON a condition",
        ),
        (f"SELECT 1 FROM o, LATERAL {FIRST.replace('LIMIT 2', 'LIMIT 1 + 1')}", "take literals"),
        (f"SELECT 1 FROM o, LATERAL {OVER.replace('s.k =', 's.k <')}", "correlated other than by = in WHERE"),
        (
            "SELECT 1 FROM o, LATERAL (SELECT v FROM s WHERE EXISTS (SELECT 1 FROM s u WHERE u.k = o.k)) t",
            "line 1, column .*a subquery in a condition that correlates LATERAL",
        ),
        ("SELECT 1 FROM o, LATERAL (SELECT v FROM s UNION SELECT v FROM s) AS t", "anything but a SELECT"),
    ],
)
def test_other_queries_are_refused(t_env: StreamTableEnvironment, query: str, message: str) -> None:
    with pytest.raises(UnsupportedOperationError, match=message):
        t_env.sql_query(query)
