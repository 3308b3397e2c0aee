"""Grouping sets of GROUP BY, and the rows for each of them."""

from __future__ import annotations

import re

import pytest

from pystream.errors import SqlError
from pystream.table import StreamTableEnvironment, Table
from pystream.table.algebra.expand import expand_ids
from pystream.testing import local_environment


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    rows = [("a", 1, 2), ("a", None, 3), ("b", 1, 4)]
    t_env.create_temporary_view("few", t_env.from_elements(rows, ["k", "m", "n"]))
    return t_env


def rows_of(table: Table) -> list[tuple[object, ...]]:
    with table.execute().collect() as results:
        return sorted((tuple(row) for row in results), key=repr)


def test_the_number_of_a_set_has_a_bit_for_each_key_that_it_lacks() -> None:
    sets = [
        frozenset({0, 1}),
        frozenset({0}),
        frozenset({1}),
        frozenset[int](),
        frozenset({0}),
        frozenset({0}),
    ]
    assert expand_ids(2, sets) == (0, 1, 2, 3, 5, 9)


def test_grouping_tells_keys_that_a_set_lacks_from_nulls(t_env: StreamTableEnvironment) -> None:
    query = "SELECT k, m, GROUPING(m) AS g, GROUPING(k, m) AS h, SUM(n) AS s FROM few GROUP BY ROLLUP (k, m)"
    assert rows_of(t_env.sql_query(query)) == sorted(
        [
            ("a", 1, 0, 0, 2),
            ("a", None, 0, 0, 3),
            ("b", 1, 0, 0, 4),
            ("a", None, 1, 1, 5),
            ("b", None, 1, 1, 4),
            (None, None, 1, 3, 9),
        ],
        key=repr,
    )


def test_aggregates_of_keys_are_of_all_rows(t_env: StreamTableEnvironment) -> None:
    query = "SELECT k, MAX(k) AS x, COUNT(m) AS c FROM few GROUP BY GROUPING SETS ((k), (m), ())"
    assert rows_of(t_env.sql_query(query)) == sorted(
        [("a", "a", 1), ("b", "b", 1), (None, "b", 2), (None, "a", 0), (None, "b", 2)], key=repr
    )


def test_keys_are_nullable_where_a_set_lacks_them(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE VIEW one AS SELECT 1 AS a, 2 AS b, 3 AS c")
    table = t_env.sql_query("SELECT a, b, COUNT(*) AS n FROM one GROUP BY GROUPING SETS ((a, b), (a))")
    types = [str(kind) for kind in table.get_schema().get_field_data_types()]
    assert types == ["INT NOT NULL", "INT", "BIGINT NOT NULL"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT GROUPING(n) FROM few GROUP BY ROLLUP (k)", "is not in GROUP BY"),
        ("SELECT GROUPING(k) FROM few", "is not in GROUP BY"),
        ("SELECT k, n FROM few GROUP BY CUBE (k)", "n must be in GROUP BY or in an aggregate function"),
        ("SELECT k FROM few GROUP BY k WITH ROLLUP", "the clause ROLLUP is not supported"),
        ("SELECT k FROM few GROUP BY k GROUPING SETS ((k), ())", "the clause GROUPING_SETS is not supported"),
    ],
)
def test_wrong_groupings_are_refused(query: str, message: str, t_env: StreamTableEnvironment) -> None:
    with pytest.raises(SqlError, match=re.escape(message)):
        t_env.sql_query(query)


@pytest.mark.parametrize("condition", ["TRUE", "n > 9"])
def test_a_group_of_no_keys_and_no_aggregates_is_one_row(
    t_env: StreamTableEnvironment, condition: str
) -> None:
    query = f"SELECT 1 AS a, 'x' AS b FROM few WHERE {condition} GROUP BY ()"
    assert rows_of(t_env.sql_query(query)) == [(1, "x")]
