"""Joins that look rows up in tables outside the program: results, plans, and what is refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pystream.errors import ConfigurationError, SqlError, UnsupportedOperationError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment

JOIN = (
    "SELECT id, rate FROM orders AS o "
    "LEFT JOIN rates FOR SYSTEM_TIME AS OF o.pt AS r ON o.currency = r.currency"
)
RATES = [("EUR", 1.125, 1), ("USD", 1.0, 1), ("EUR", 1.5, 2), (None, 9.0, 3)]


@pytest.fixture
def t_env(tmp_path: Path) -> StreamTableEnvironment:
    (tmp_path / "orders.csv").write_text("1,EUR,1\n2,USD,1\n3,,3\n4,JPY,1\n")
    (tmp_path / "rates.csv").write_text("EUR,1.125,1\nUSD,1.0,1\nEUR,1.5,2\n,9.0,3\n")
    with sqlite3.connect(tmp_path / "rates.db") as database:
        database.execute("CREATE TABLE rates (currency TEXT, rate REAL, kind INTEGER)")
        database.executemany("INSERT INTO rates VALUES (?, ?, ?)", RATES)
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE orders (id INT, currency STRING, kind BIGINT, pt AS PROCTIME()) WITH ("
        f"'connector' = 'filesystem', 'path' = '{tmp_path}/orders.csv', 'format' = 'csv')"
    )
    (tmp_path / "numbers.csv").write_text("1.0,4\nNaN,5\n")
    for name, columns in (("numbers", "n DOUBLE, rate INT"), ("nested", "n DOUBLE, rate ARRAY<INT>")):
        t_env.execute_sql(
            f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'filesystem', "
            f"'path' = '{tmp_path}/numbers.csv', 'format' = 'csv')"
        )
    options = {
        "rates": f"'connector' = 'filesystem', 'path' = '{tmp_path}/rates.csv', 'format' = 'csv', "
        "'csv.empty-string-as-null' = 'true'",
        "stored": f"'connector' = 'jdbc', 'url' = 'jdbc:sqlite:{tmp_path}/rates.db', 'table-name' = 'rates', "
        "'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '2'",
        "generated": "'connector' = 'datagen', 'number-of-rows' = '1'",
    }
    for name, given in options.items():
        t_env.execute_sql(
            f"CREATE TABLE {name} (currency STRING, rate DECIMAL(4, 2), kind INT) WITH ({given})"
        )
    t_env.execute_sql(
        "CREATE TEMPORARY VIEW counted AS SELECT currency, MAX(rate) AS rate FROM rates GROUP BY currency"
    )
    return t_env


def rows(t_env: StreamTableEnvironment, query: str) -> list[tuple[Any, ...]]:
    return sorted(
        (
            tuple(None if value is None else float(value) for value in row)
            for row in t_env.sql_query(query).execute().collect()
        ),
        key=lambda row: tuple((value is not None, value) for value in row),
    )


@pytest.mark.parametrize("table", ["rates", "stored"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (JOIN, [(1, 1.13), (1, 1.5), (2, 1.0), (3, None), (4, None)]),
        (JOIN.replace("LEFT ", ""), [(1, 1.13), (1, 1.5), (2, 1.0)]),
        (JOIN + " AND r.rate > 1.2", [(1, 1.5), (2, None), (3, None), (4, None)]),
        (JOIN + " AND r.kind = CAST(o.kind AS INT)", [(1, 1.13), (2, 1.0), (3, None), (4, None)]),
        (JOIN + " WHERE r.rate > 1.2 OR r.rate IS NULL", [(1, 1.5), (3, None), (4, None)]),
        (
            JOIN.replace("o.currency = r", "UPPER(LOWER(o.currency)) = r") + " AND o.id > 1",
            [(1, None), (2, 1.0), (3, None), (4, None)],
        ),
    ],
)
def test_rows_are_joined_with_those_of_their_key(
    t_env: StreamTableEnvironment, table: str, query: str, expected: list[tuple[Any, ...]]
) -> None:
    assert rows(t_env, query.replace("JOIN rates", f"JOIN {table}")) == expected


def test_results_pass_on_the_processing_time(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TEMPORARY VIEW joined AS {JOIN.replace('SELECT id', 'SELECT id, pt')}")
    query = """
        SELECT SUM(n) FROM (
            SELECT COUNT(rate) AS n FROM TUMBLE(TABLE joined, DESCRIPTOR(pt), INTERVAL '1' HOUR)
            GROUP BY window_start, window_end)
    """
    assert rows(t_env, query) == [(3,)]


def test_nan_is_found_by_itself(t_env: StreamTableEnvironment) -> None:
    query = JOIN.replace("o.currency = r.currency", "CASE o.id WHEN 1 THEN CAST('NaN' AS DOUBLE) END = r.n")
    assert rows(t_env, query.replace("JOIN rates", "JOIN numbers")) == [
        (1, 5.0),
        (2, None),
        (3, None),
        (4, None),
    ]


def test_a_row_that_is_taken_back_takes_its_results_back(t_env: StreamTableEnvironment) -> None:
    query = (
        "SELECT n, rate FROM "
        "(SELECT currency, COUNT(*) AS n, PROCTIME() AS pt FROM orders GROUP BY currency) AS o "
        "JOIN rates FOR SYSTEM_TIME AS OF o.pt AS r ON o.currency = r.currency"
    )
    assert rows(t_env, query) == [(1, 1.0), (1, 1.13), (1, 1.5)]


def test_the_plan_names_the_table_and_the_key(t_env: StreamTableEnvironment) -> None:
    assert (
        "LookupJoin(table=[rates], joinType=[LeftOuterJoin], lookup=[currency=currency], where=[rate > 1],"
        in t_env.explain_sql(f"{JOIN} AND r.rate > 1")
    )


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (JOIN.replace("rates", "counted"), "looks rows up in a table of a connector"),
        (JOIN.replace("rates", "generated"), "'filesystem' and 'jdbc', not 'datagen'"),
        (JOIN.replace("o.currency = r", "o.currency > r"), "lookup in 'rates' needs an equality"),
        (
            JOIN.replace("o.currency = r.currency", "r.kind = 1"),
            "needs an equality of one of its columns with an expression of the other table",
        ),
        (
            JOIN.replace("rates", "nested").replace("o.currency = r.currency", "ARRAY[o.id] = r.rate"),
            "lookup by `rate` ARRAY<INT> is not supported, only by columns of single values",
        ),
        (
            JOIN.replace("o.currency = r.currency", "CAST(o.id AS DOUBLE) = r.kind"),
            r"lookup by `kind` INT needs a CAST of CAST\(id AS DOUBLE\), which is DOUBLE",
        ),
    ],
)
def test_other_lookups_are_refused(t_env: StreamTableEnvironment, query: str, message: str) -> None:
    with pytest.raises(SqlError, match=message):
        t_env.sql_query(query)


def test_other_joins_are_refused(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(UnsupportedOperationError, match="only JOIN and LEFT JOIN"):
        t_env.sql_query(JOIN.replace("LEFT", "RIGHT"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("'lookup.cache' = 'PARTIAL'", "cache of lookups needs a limit"),
        ("'lookup.partial-cache.max-rows' = '5'", "need 'lookup.cache' = 'PARTIAL'"),
        ("'lookup.cache' = 'FULL'", "'lookup.cache' must be"),
    ],
)
def test_options_of_caches_are_checked(t_env: StreamTableEnvironment, options: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        t_env.execute_sql(
            "CREATE TABLE other (a INT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:sqlite:x.db', "
            f"'table-name' = 't', {options})"
        )


def test_options_of_older_caches_are_taken(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    t_env.execute_sql(
        "CREATE TABLE older (currency STRING, rate DECIMAL(4, 2)) WITH ('connector' = 'jdbc', "
        f"'url' = 'jdbc:sqlite:{tmp_path}/rates.db', 'table-name' = 'rates', "
        "'lookup.cache.max-rows' = '100', 'lookup.cache.ttl' = '1 min')"
    )
    assert rows(t_env, JOIN.replace("LEFT JOIN rates", "JOIN older")) == [(1, 1.13), (1, 1.5), (2, 1.0)]
