"""Aggregates and orders of bounded rows, at their end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pystream.datastream import RuntimeExecutionMode
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment


@pytest.fixture
def t_env(tmp_path: Path) -> StreamTableEnvironment:
    (tmp_path / "pairs.csv").write_text("1,1,1.50\n2,1,2.25\n3,2,3.00\n4,2,4.00\n")
    env = local_environment().set_runtime_mode(RuntimeExecutionMode.BATCH)
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(
        "CREATE TABLE pairs (id INT, b INT, price DECIMAL(10, 2)) WITH ("
        f"'connector' = 'filesystem', 'path' = '{tmp_path}/pairs.csv', 'format' = 'csv')"
    )
    return t_env


def rows(t_env: StreamTableEnvironment, query: str) -> list[str]:
    return [str(row) for row in t_env.execute_sql(query).collect()]


def test_decimals_keep_the_digits_of_their_types(t_env: StreamTableEnvironment) -> None:
    query = "SELECT MIN(price), MAX(price), FIRST_VALUE(price), LAST_VALUE(ARRAY[price]) FROM pairs"
    expected = "<Row(Decimal('1.50'), Decimal('4.00'), Decimal('1.50'), [Decimal('4.00')])>"
    assert rows(t_env, query) == [expected]


@pytest.mark.parametrize(  # as PyFlink
    ("query", "expected"),
    [
        (
            "SELECT a.id, b.id FROM pairs a JOIN pairs b ON a.b = b.b ORDER BY 2 DESC, 1 LIMIT 3",
            ["<Row(3, 4)>", "<Row(4, 4)>", "<Row(3, 3)>"],
        ),
        ("SELECT b, id AS b FROM pairs ORDER BY 2 DESC LIMIT 2", ["<Row(2, 4)>", "<Row(2, 3)>"]),
        (
            "SELECT * FROM (SELECT id, b FROM pairs) a JOIN (SELECT id, b FROM pairs) b ON a.id = b.b "
            "ORDER BY 3 DESC LIMIT 2",
            ["<Row(2, 1, 4, 2)>", "<Row(2, 1, 3, 2)>"],
        ),
    ],
)
def test_numbers_in_order_by_are_positions_also_of_columns_of_one_name(
    t_env: StreamTableEnvironment, query: str, expected: list[str]
) -> None:
    assert rows(t_env, query) == expected


def test_keys_of_joins_are_computed_of_columns_of_one_name(t_env: StreamTableEnvironment) -> None:
    joined = "pairs a JOIN pairs b ON a.b = b.b JOIN pairs c ON a.id + b.id = c.id + 3"
    query = f"SELECT a.id, b.id, c.id FROM {joined} WHERE a.id < b.id"
    assert rows(t_env, query) == ["<Row(3, 4, 4)>"]


def test_ranks_by_rows_are_those_by_columns(t_env: StreamTableEnvironment) -> None:
    ranked = "ROW_NUMBER() OVER (PARTITION BY b ORDER BY id DESC) AS place FROM pairs) WHERE place <= 2"
    by_columns = rows(t_env, f"SELECT id, place FROM (SELECT id, {ranked} ORDER BY id")
    assert by_columns == ["<Row(1, 2)>", "<Row(2, 1)>", "<Row(3, 2)>", "<Row(4, 1)>"]
    by_rows = rows(t_env, f"SELECT id, place FROM (SELECT id, ARRAY[id] AS a, {ranked} ORDER BY id")
    assert by_rows == by_columns


def test_ranks_have_no_changes_in_between(t_env: StreamTableEnvironment) -> None:
    ranked = "ROW_NUMBER() OVER (PARTITION BY b ORDER BY id DESC) AS place FROM pairs) WHERE place <= 2"
    plan = t_env.sql_query(f"SELECT b, COUNT(*) FROM (SELECT id, b, {ranked} GROUP BY b").explain()
    assert "Rank(rankType=[ROW_NUMBER]" in plan
    assert "HashAggregate" in plan
    assert "changelogMode=[I,U" not in plan
