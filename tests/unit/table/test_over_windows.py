"""Windows of ``Table.over_window``: results, and the names and types that PyFlink 2.3 gives."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest

from pystream.errors import (
    ArgumentTypeError,
    ConfigurationError,
    PlanError,
    SqlError,
)
from pystream.table import DataTypes, StreamTableEnvironment, Table
from pystream.table.expressions import (
    CURRENT_RANGE,
    CURRENT_ROW,
    UNBOUNDED_RANGE,
    UNBOUNDED_ROW,
    col,
    lit,
    row_interval,
)
from pystream.table.window import Over, OverWindow
from pystream.testing import local_environment

EPOCH = datetime.datetime(2020, 1, 1)
ROWS = [("a", 1, 1), ("b", 2, 2), ("a", 3, 4), ("a", 4, 4), ("a", 8, 9)]
BY_TIME = Over.partition_by(col("k")).order_by(col("ts"))


@pytest.fixture
def sales() -> Table:
    t_env = StreamTableEnvironment.create(local_environment())
    fields = [
        DataTypes.FIELD("k", DataTypes.STRING()),
        DataTypes.FIELD("n", DataTypes.INT()),
        DataTypes.FIELD("ts", DataTypes.TIMESTAMP(3)),
    ]
    rows = [(k, n, EPOCH + datetime.timedelta(seconds=second)) for k, n, second in ROWS]
    return t_env.from_elements(rows, DataTypes.ROW(fields))


def sums(table: Table, window: OverWindow) -> dict[int, int]:
    """Return the sum over a window for each value."""
    with table.over_window(window).select(col("n"), col("n").sum.over(col("w"))).execute().collect() as rows:
        return {row[0]: row[1] for row in rows}


def test_aggregates_over_rows_take_distinct_values(sales: Table) -> None:
    """As PyFlink 2.3 computes them in streaming mode."""
    over = sales.over_window(Over.partition_by(col("k")).order_by(col("ts")).alias("w"))
    third = (col("n") / 3).sum.distinct.over(col("w"))
    with over.select(col("n"), third.alias("s")).execute().collect() as rows:
        assert {row[0]: row[1] for row in rows} == {1: 0, 2: 0, 3: 1, 4: 1, 8: 3}


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (BY_TIME.alias("w"), {1: 1, 2: 2, 3: 8, 4: 8, 8: 16}),
        (BY_TIME.preceding(UNBOUNDED_RANGE).alias("w"), {1: 1, 2: 2, 3: 8, 4: 8, 8: 16}),
        (BY_TIME.preceding(UNBOUNDED_ROW).alias("w"), {1: 1, 2: 2, 3: 4, 4: 8, 8: 16}),
        (BY_TIME.preceding(row_interval(1)).alias("w"), {1: 1, 2: 2, 3: 4, 4: 7, 8: 12}),
        (
            BY_TIME.preceding(row_interval(1)).following(CURRENT_ROW).alias("w"),
            {1: 1, 2: 2, 3: 4, 4: 7, 8: 12},
        ),
        (BY_TIME.preceding(lit(3).seconds).alias("w"), {1: 1, 2: 2, 3: 8, 4: 8, 8: 8}),
        (
            BY_TIME.preceding(lit(3).seconds).following(CURRENT_RANGE).alias("w"),
            {1: 1, 2: 2, 3: 8, 4: 8, 8: 8},
        ),
        (
            BY_TIME.preceding(CURRENT_ROW).following(row_interval(1)).alias("w"),
            {1: 4, 2: 2, 3: 7, 4: 12, 8: 8},
        ),
        (
            BY_TIME.preceding(CURRENT_ROW).following(UNBOUNDED_ROW).alias("w"),
            {1: 16, 2: 2, 3: 15, 4: 12, 8: 8},
        ),
        (
            Over.order_by(col("n").desc).preceding(UNBOUNDED_ROW).alias("w"),
            {1: 18, 2: 17, 3: 15, 4: 12, 8: 8},
        ),
    ],
)
def test_windows_are_those_of_sql(window: OverWindow, expected: dict[int, int], sales: Table) -> None:
    assert sums(sales, window) == expected


def test_names_and_types(sales: Table) -> None:
    over = sales.over_window(BY_TIME.alias("w"))
    total, count = col("n").sum.over(col("w")), col("n").count.over(col("w"))
    schema = over.select(col("k"), total, count.alias("c"), col("n").max.over(col("w")) + 1).get_schema()
    assert schema.get_field_names() == ["k", "_c1", "c", "_c3"]
    assert [str(kind) for kind in schema.get_field_data_types()] == [
        "STRING",
        "INT",
        "BIGINT NOT NULL",
        "INT",
    ]


def test_several_windows_of_a_bounded_table(sales: Table) -> None:
    over = sales.over_window(BY_TIME.alias("v"), Over.order_by(col("n")).alias("w"))
    table = over.select(col("n"), col("n").count.over(col("v")), col("n").count.over(col("w")))
    with table.execute().collect() as rows:
        assert sorted(map(tuple, rows)) == [(1, 1, 1), (2, 1, 2), (3, 3, 3), (4, 3, 4), (8, 4, 5)]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda t: t.over_window(), ConfigurationError, "over_window takes windows such as"),
        (
            lambda t: t.over_window(BY_TIME),
            ArgumentTypeError,
            "takes an OverWindow such as Over.partition_by",
        ),
        (lambda _: BY_TIME.alias(""), ConfigurationError, "the name of the window is empty"),
        (
            lambda _: row_interval(-1),
            ConfigurationError,
            "row_interval takes a number of rows that is not negative",
        ),
        (
            lambda t: sums(t, BY_TIME.preceding(row_interval(1)).following(CURRENT_RANGE).alias("w")),
            PlanError,
            "both must be numbers of rows, or both lengths of time",
        ),
        (lambda t: sums(t, BY_TIME.preceding(lit(1)).alias("w")), PlanError, "1 is no bound of a window"),
        (lambda t: sums(t, BY_TIME.alias("v")), PlanError, "there is no window 'w' among v"),
        (
            lambda t: t.over_window(BY_TIME.alias("w"), BY_TIME.alias("w")).select(
                col("n").sum.over(col("w"))
            ),
            PlanError,
            "two windows of the name 'w'",
        ),
        (
            lambda t: t.over_window(BY_TIME.alias("w")).select(col("n").sum.over(lit("w"))),
            PlanError,
            "over takes a window by its name such as col",
        ),
    ],
)
def test_wrong_windows_are_refused(
    call: Callable[[Any], object], error: type[Exception], message: str, sales: Table
) -> None:
    with pytest.raises(error, match=message):
        call(sales)


@pytest.mark.parametrize(
    ("window", "message"),
    [
        ("ORDER BY ts RANGE 5 PRECEDING", "RANGE with a number takes ORDER BY of a number"),
        ("ORDER BY k RANGE 1 PRECEDING", "RANGE with a number takes ORDER BY of a number"),
        ("ORDER BY n RANGE INTERVAL '1' SECOND PRECEDING", "takes ORDER BY of a DATE or TIMESTAMP"),
        ("ORDER BY k, n RANGE 1 PRECEDING", "takes ORDER BY of one expression"),
    ],
)
def test_distances_of_a_range_are_those_of_its_order(window: str, message: str) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    rows = "(VALUES (1, 'a', TIMESTAMP '2024-01-01 01:00:00')) AS v(n, k, ts)"
    with pytest.raises(SqlError, match=message):
        t_env.sql_query(f"SELECT SUM(n) OVER ({window}) AS s FROM {rows}")


def test_a_default_has_the_type_of_the_other_values() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    rows = "(VALUES (CAST(1 AS BIGINT)), (2)) AS v(n)"
    results = t_env.sql_query(f"SELECT LAG(n, 1, 7) OVER (ORDER BY n) AS l FROM {rows}").execute().collect()
    assert [row.l for row in results] == [7, 1]
    results = t_env.sql_query(f"SELECT LAG(n, 1, 0.5) OVER (ORDER BY n) AS l FROM {rows}").execute().collect()
    assert [row.l for row in results] == [0, 1]
    with pytest.raises(SqlError, match="the default of LAG is of the type BOOLEAN, not BIGINT"):
        t_env.sql_query(f"SELECT LAG(n, 1, TRUE) OVER (ORDER BY n) AS l FROM {rows}")
