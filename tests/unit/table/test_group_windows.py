"""Windows of the Table API: results, names and errors, as PyFlink 2.3 gave them for the same rows."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pystream.errors import ConfigurationError, PlanError, SqlError
from pystream.table import StreamTableEnvironment, Table
from pystream.table.expression.expression import Expression
from pystream.table.expressions import col, lit, row_interval
from pystream.table.window import GroupWindow, Session, Slide, Tumble
from pystream.testing import local_environment

LINES = """\
a,1,2020-01-01 00:00:01.000
b,2,2020-01-01 00:00:02.000
a,3,2020-01-01 00:00:06.000
a,4,2020-01-01 00:00:07.500
b,5,2020-01-01 00:00:21.000
"""
EPOCH = datetime.datetime(2020, 1, 1)
FIVE = Tumble.over(lit(5).seconds).on(col("ts")).alias("w")


def at(seconds: float) -> datetime.datetime:
    return EPOCH + datetime.timedelta(seconds=seconds)


@pytest.fixture
def sales(tmp_path: Path) -> Table:
    path = tmp_path / "sales.csv"
    path.write_text(LINES)
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE sales (k STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) "
        f"WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv')"
    )
    return t_env.from_path("sales")


@pytest.mark.parametrize(
    ("query", "names", "rows"),
    [
        (
            lambda sales: (
                sales.window(FIVE)
                .group_by(col("k"), col("w"))
                .select(col("k"), col("w").start, col("w").end, col("w").rowtime, col("n").sum)
            ),
            ["k", "EXPR$0", "EXPR$1", "EXPR$2", "EXPR$3"],
            [
                ("a", at(0), at(5), at(4.999), 1),
                ("a", at(5), at(10), at(9.999), 7),
                ("b", at(0), at(5), at(4.999), 2),
                ("b", at(20), at(25), at(24.999), 5),
            ],
        ),
        (
            lambda sales: (
                sales.window(FIVE)
                .group_by(col("w"))
                .select(col("w").start.alias("a"), col("n").sum.alias("s"), col("n").count)
            ),
            ["a", "s", "EXPR$2"],
            [(at(0), 3, 2), (at(5), 7, 2), (at(20), 5, 1)],
        ),
        (
            lambda sales: (
                sales.window(Slide.over(lit(10).seconds).every(lit(5).seconds).on(col("ts")).alias("w"))
                .group_by(col("k"), col("w"))
                .select(col("k"), col("w").start, col("n").sum)
            ),
            ["k", "EXPR$0", "EXPR$1"],
            [
                ("a", at(-5), 1),
                ("a", at(0), 8),
                ("a", at(5), 7),
                ("b", at(-5), 2),
                ("b", at(0), 2),
                ("b", at(15), 5),
                ("b", at(20), 5),
            ],
        ),
        (
            lambda sales: (
                sales.window(Session.with_gap(lit(3).seconds).on(col("ts")).alias("w"))
                .group_by(col("k"), col("w"))
                .select(col("k"), col("w").start, col("w").end, col("n").sum)
            ),
            ["k", "EXPR$0", "EXPR$1", "EXPR$2"],
            [
                ("a", at(1), at(4), 1),
                ("a", at(6), at(10.5), 7),
                ("b", at(2), at(5), 2),
                ("b", at(21), at(24), 5),
            ],
        ),
        (
            lambda sales: (
                sales.window(Session.with_gap(lit(3).seconds).on(col("ts")).alias("w"))
                .group_by(col("w"))
                .select(col("w").end, col("n").max + 1)
            ),
            ["EXPR$0", "_c1"],
            [(at(5), 3), (at(10.5), 5), (at(24), 6)],
        ),
        (
            lambda sales: (
                sales.window(FIVE)
                .group_by(col("w"), col("k").upper_case.alias("u"))
                .select(col("u"), col("n").sum.alias("s"))
            ),
            ["u", "s"],
            [("A", 1), ("A", 7), ("B", 2), ("B", 5)],
        ),
        (
            lambda sales: sales.window(FIVE).group_by(col("w")).select(col("w").start, col("w").end),
            ["EXPR$0", "EXPR$1"],
            [(at(0), at(5)), (at(5), at(10)), (at(20), at(25))],
        ),
        (
            lambda sales: (
                sales.window(FIVE)
                .group_by(col("w"), col("k"))
                .select(col("w").rowtime.alias("rt"), col("k"), col("n").sum.alias("n"))
                .window(Tumble.over(lit(10).seconds).on(col("rt")).alias("v"))
                .group_by(col("v"))
                .select(col("v").start, col("n").sum)
            ),
            ["EXPR$0", "EXPR$1"],
            [(at(0), 10), (at(20), 5)],
        ),
        (
            lambda sales: (
                sales.window(Tumble.over(lit(1).days).on(col("ts")).alias("w"))
                .group_by(col("w"))
                .select(col("w").start, col("n").sum)
            ),
            ["EXPR$0", "EXPR$1"],
            [(at(0), 15)],
        ),
    ],
    ids=["tumble", "named", "slide", "sessions", "sessions of all", "key", "bounds", "twice", "days"],
)
def test_rows_of_windows(
    sales: Table, query: Callable[[Table], Table], names: list[str], rows: list[tuple[Any, ...]]
) -> None:
    table = query(sales)
    assert table.get_schema().get_field_names() == names
    assert sorted(map(tuple, table.execute().collect())) == rows


def test_lengths_are_milliseconds() -> None:
    window = Slide.over(lit(1).hours).every(lit(1500).millis).on(col("ts")).alias("w")
    assert window == GroupWindow("HOP", (1500, 3_600_000), "ts", "w")


def test_windows_of_an_unbounded_table_are_appended() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE numbers (n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')"
    )
    table = t_env.from_path("numbers")
    windows = (
        table.window(FIVE).group_by(col("w")).select(col("w").end.alias("at"), col("n").count.alias("n"))
    )
    assert repr(windows) == "Table(`at` TIMESTAMP(3) NOT NULL, `n` BIGINT NOT NULL)"
    t_env.to_data_stream(windows)  # which an updating table cannot become


COUNTED = (
    "CREATE TABLE counted (n INT, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts) "
    "WITH ('connector' = 'datagen', 'fields.n.min' = '1', 'fields.n.max' = '1', 'rows-per-second' = '1000')"
)


def test_windows_of_rows_of_an_unbounded_table_come_one_by_one() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(COUNTED)
    window = Slide.over(row_interval(4)).every(row_interval(3)).on(col("p")).alias("w")
    sums = t_env.from_path("counted").window(window).group_by(col("w")).select(col("n").sum.alias("s"))
    t_env.to_data_stream(sums)  # which an updating table cannot become
    with sums.execute().collect() as rows:
        assert [next(rows).s for _ in range(5)] == [4] * 5


def test_windows_of_rows_may_have_columns_of_any_names() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    rows_of = "SELECT n AS `$number`, PROCTIME() AS p FROM (VALUES (5), (7), (9)) AS t (n)"
    table = t_env.sql_query(rows_of)
    window = Tumble.over(row_interval(2)).on(col("p")).alias("w")
    sums = table.window(window).group_by(col("w")).select(col("$number").sum.alias("$number_"))
    with sums.execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(12,)]


def test_distinct_values_of_windows_of_rows() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(COUNTED)
    window = Tumble.over(row_interval(2)).on(col("p")).alias("w")
    counts = t_env.from_path("counted").window(window).group_by(col("w")).select(col("n").count.distinct)
    with counts.execute().collect() as rows:
        assert [tuple(next(rows)) for _ in range(2)] == [(1,), (1,)]


def test_what_windows_of_rows_cannot_do_is_refused() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(COUNTED)
    table = t_env.from_path("counted")

    def select(*fields: Expression[Any], on: str = "p") -> Table:
        window = Tumble.over(row_interval(2)).on(col(on)).alias("w")
        return table.window(window).group_by(col("w")).select(*fields)

    with pytest.raises(PlanError, match=r"on a column that is PROCTIME\(\), and 'ts' is none"):
        select(col("n").sum, on="ts")
    with pytest.raises(PlanError, match="window: there is no column 'z' among n, ts, p"):
        select(col("n").sum, on="z")
    with pytest.raises(PlanError, match="a window of a number of rows has no start, end or time"):
        select(col("w").end)
    with pytest.raises(SqlError, match="n must be in GROUP BY or in an aggregate function"):
        select(col("n") + col("n").sum)


def test_a_group_by_needs_the_window(sales: Table) -> None:
    with pytest.raises(PlanError, match=r"group_by takes the window, too: group_by\(col\('w'\), …\)"):
        sales.window(FIVE).group_by(col("k"))


def test_columns_that_are_wrong_are_refused(sales: Table) -> None:
    grouped = sales.window(FIVE).group_by(col("w"))
    with pytest.raises(SqlError, match="select: k must be in GROUP BY"):
        grouped.select(col("k"))
    with pytest.raises(SqlError, match="a window needs a column of TIMESTAMP or TIMESTAMP_LTZ, not INT"):
        sales.window(Tumble.over(lit(5).seconds).on(col("n")).alias("w")).group_by(col("w")).select(
            col("n").sum
        )
    with pytest.raises(PlanError, match="window: there is no column 'z' among k, n, ts"):
        sales.window(Tumble.over(lit(5).seconds).on(col("z")).alias("w")).group_by(col("w")).select(
            col("n").sum
        )
    with pytest.raises(PlanError, match="window: there is a column 'k'; choose another name"):
        sales.window(Tumble.over(lit(5).seconds).on(col("ts")).alias("k")).group_by(col("k")).select(
            col("n").sum
        )
    named = sales.select(col("k").alias("window_start"), col("n"), col("ts"))
    with pytest.raises(PlanError, match="windows add a column 'window_start', and there is one"):
        named.window(FIVE).group_by(col("w"), col("window_start")).select(col("window_start"))
    with pytest.raises(PlanError, match="keys of sessions are columns such as"):
        sales.window(Session.with_gap(lit(3).seconds).on(col("ts")).alias("w")).group_by(
            col("w"), col("k").upper_case
        ).select(col("n").sum)


def test_windows_that_are_wrong_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"Tumble\.over takes a length of time .*, not 2"):
        Tumble.over(lit(2))
    with pytest.raises(
        ConfigurationError, match=r"or a number of rows such as row_interval\(10\), not ROW.*0"
    ):
        Tumble.over(row_interval(0))
    with pytest.raises(ConfigurationError, match="both lengths of time, or both numbers of rows"):
        Slide.over(row_interval(2)).every(lit(1).seconds)
    with pytest.raises(ConfigurationError, match=r"every takes a length of time .*MONTH"):
        Slide.over(lit(2).days).every(lit(1).months)
    with pytest.raises(ConfigurationError, match="a slide of 600000 ms is above the size of 240000 ms"):
        Slide.over(lit(4).minutes).every(lit(10).minutes)
    with pytest.raises(ConfigurationError, match="on takes a column of times"):
        Session.with_gap(lit(2).days).on(col("ts") + 1)
    with pytest.raises(ConfigurationError, match="the name of the window is empty"):
        Tumble.over(lit(2).days).on(col("ts")).alias("")
