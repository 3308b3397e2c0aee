"""Joins with the versions of a table: changelogs as versions, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pystream.errors import SqlError, UnsupportedOperationError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment

ORDERS = """\
1,EUR,2024-01-01 00:00:10
2,EUR,2024-01-01 00:00:20
3,USD,2024-01-01 00:00:25
4,EUR,2024-01-01 00:00:31
"""
CHANGES = [
    ("c", None, ("EUR", 1.1, 5)),
    ("c", None, ("USD", 1.0, 5)),
    ("u", ("EUR", 1.1, 5), ("EUR", 1.2, 20)),
    ("d", ("EUR", 1.2, 30), None),
]
JOIN = (
    "SELECT id, rate FROM orders AS o "
    "LEFT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency"
)


def _row(values: tuple[str, float, int] | None) -> dict[str, object] | None:
    if values is None:
        return None
    currency, rate, second = values
    return {"currency": currency, "rate": rate, "since": f"2024-01-01 00:00:{second:02}"}


@pytest.fixture
def t_env(tmp_path: Path) -> StreamTableEnvironment:
    (tmp_path / "orders.csv").write_text(ORDERS)
    (tmp_path / "rates.json").write_text(
        "\n".join(
            json.dumps({"op": op, "before": _row(before), "after": _row(after)})
            for op, before, after in CHANGES
        )
    )
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE orders (id INT, currency STRING, ts TIMESTAMP(3), other TIMESTAMP(3), "
        "WATERMARK FOR ts AS ts) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/orders.csv', 'format' = 'csv', "
        "'csv.ignore-parse-errors' = 'true')"
    )
    t_env.execute_sql(
        "CREATE TABLE rates (currency STRING, rate DOUBLE, since TIMESTAMP(3), "
        "WATERMARK FOR since AS since, PRIMARY KEY (currency) NOT ENFORCED) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/rates.json', 'format' = 'debezium-json')"
    )
    t_env.execute_sql(
        "CREATE TABLE inserted (rid INT, currency INT, rate DOUBLE, since TIMESTAMP(3), "
        "WATERMARK FOR since AS since, PRIMARY KEY (rid) NOT ENFORCED) "
        "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
    )
    t_env.execute_sql(
        "CREATE TEMPORARY VIEW unversioned AS SELECT currency, MAX(rate) AS rate FROM rates GROUP BY currency"
    )
    return t_env


def test_changes_are_versions(t_env: StreamTableEnvironment) -> None:
    assert sorted(map(tuple, t_env.sql_query(JOIN).execute().collect())) == [
        (1, 1.1),
        (2, 1.2),
        (3, 1.0),
        (4, None),
    ]


def test_last_rows_of_files_are_versions_whose_times_need_not_be_selected(
    t_env: StreamTableEnvironment, tmp_path: Path
) -> None:
    rows = [_row(("EUR", 1.1, 5)), _row(("EUR", 1.2, 20))]
    (tmp_path / "listed.json").write_text("\n".join(map(json.dumps, rows)))
    t_env.execute_sql(
        "CREATE TABLE listed (currency STRING, rate DOUBLE, since TIMESTAMP(3), "
        "WATERMARK FOR since AS since) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/listed.json', 'format' = 'json')"
    )
    t_env.execute_sql(
        "CREATE TEMPORARY VIEW last_rates AS SELECT currency, rate, since FROM ("
        "SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY since DESC) AS rn FROM listed) "
        "WHERE rn = 1"
    )
    found = t_env.sql_query(JOIN.replace("rates", "last_rates")).execute().collect()
    assert sorted(map(tuple, found)) == [(1, 1.1), (2, 1.2), (3, None), (4, 1.2)]


def test_the_plan_names_the_versions(t_env: StreamTableEnvironment) -> None:
    assert (
        "TemporalJoin(joinType=[LeftOuterJoin], where=[currency = currency0], versions=[since AS OF ts]"
        in (t_env.explain_sql(JOIN))
    )


@pytest.mark.parametrize(
    ("query", "error", "message"),
    [
        (JOIN.replace("o.ts", "o.other"), SqlError, "takes the event time of the left side"),
        (JOIN.replace("o.ts", "CURRENT_TIMESTAMP"), SqlError, "takes a column of event time or PROCTIME"),
        (JOIN.replace("rates", "unversioned"), SqlError, "versions of a table have times"),
        (JOIN.replace("o.currency = r.currency", "o.id = r.rate"), SqlError, "primary key currency"),
        (JOIN.replace("o.currency = r.currency", "o.id > r.rate"), SqlError, "primary key currency"),
        (JOIN.replace("rates", "inserted").replace("o.currency", "o.id"), SqlError, "primary key rid"),
        (JOIN.replace("LEFT", "NATURAL").partition(" ON ")[0], SqlError, "right side of a join with"),
        (JOIN.replace("LEFT", "FULL"), UnsupportedOperationError, "FULL JOIN of FOR SYSTEM_TIME AS OF"),
        ("SELECT * FROM rates FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01 00:00:00'", SqlError, "right side"),
    ],
)
def test_other_joins_are_refused(
    t_env: StreamTableEnvironment, query: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        t_env.sql_query(query)
