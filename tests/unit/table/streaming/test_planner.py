"""Refusals of queries over unbounded tables, which name the clause and its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Row, Types
from pystream.datastream import SourceContext, SourceFunction, StreamExecutionEnvironment
from pystream.errors import PlanError, PlanTypeError, SqlError, UnsupportedOperationError
from pystream.table import Schema, StreamTableEnvironment, Table
from pystream.table.expressions import col
from pystream.testing import local_environment

CLICK = Types.ROW_NAMED(["page", "n", "at"], [Types.STRING(), Types.INT(), Types.SQL_TIMESTAMP()])
PAGE = Types.ROW_NAMED(["page", "title"], [Types.STRING(), Types.STRING()])
WINDOWED = "FROM TABLE({}(TABLE {}, DESCRIPTOR(at), INTERVAL '5' SECOND)) GROUP BY"


class Clicks(SourceFunction[Row[Any]]):
    """Is never run."""

    def run(self, ctx: SourceContext[Row[Any]], /) -> None:
        raise AssertionError

    def cancel(self) -> None: ...


@pytest.fixture(scope="module")
def t_env() -> StreamTableEnvironment:
    """Return unbounded tables, two of them updated, the bounded table pages, and the updating view totals."""
    env: StreamExecutionEnvironment = local_environment()
    t_env = StreamTableEnvironment.create(env)
    clicks = env.add_source(Clicks(), "clicks", CLICK)
    schema = (
        Schema.new_builder()
        .column("page", "STRING")
        .column("n", "INT")
        .column("at", "TIMESTAMP(3)")
        .watermark("at", "at - INTERVAL '1' SECOND")
        .build()
    )
    t_env.create_temporary_view("clicks", t_env.from_data_stream(clicks, schema))
    t_env.create_temporary_view("plain", clicks)
    t_env.create_temporary_view("changed", t_env.from_changelog_stream(clicks))
    t_env.create_temporary_view("later", t_env.from_changelog_stream(clicks, schema))
    t_env.create_temporary_view("pages", env.from_collection([("a", "A")], PAGE))
    t_env.execute_sql("CREATE VIEW totals AS SELECT page, COUNT(*) AS n FROM clicks GROUP BY page")
    return t_env


@pytest.mark.parametrize(
    ("query", "clause", "place"),
    [
        ("SELECT APPROX_COUNT_DISTINCT(n) FROM clicks", "APPROX_COUNT_DISTINCT", "APPROX"),
        ("SELECT page, SUM(n) OVER w FROM clicks", "OVER w, which no WINDOW clause defines,", "SUM"),
        ("SELECT SUM(n) OVER a FROM clicks WINDOW a AS (b), b AS (a)", "OVER a, which no WINDOW", "SUM"),
        (
            "SELECT SUM(n) OVER (ORDER BY at ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM clicks",
            "OVER with another frame than from PRECEDING to CURRENT ROW",
            "SUM",
        ),
        (
            "SELECT SUM(n) OVER (ORDER BY at ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM clicks",
            "OVER with another frame than from PRECEDING to CURRENT ROW",
            "SUM",
        ),
        (
            "SELECT SUM(n) OVER (ORDER BY at RANGE BETWEEN INTERVAL '1' MONTH PRECEDING AND CURRENT ROW) "
            "FROM clicks",
            "OVER with a RANGE of INTERVAL '1' MONTH",
            "SUM",
        ),
        (
            "SELECT SUM(n) OVER (ORDER BY at RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) FROM clicks",
            "OVER with a RANGE of 5, which is not an interval,",
            "SUM",
        ),
        (
            "SELECT SUM(n) OVER (ORDER BY at ROWS BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW) "
            "FROM clicks",
            "OVER with ROWS that are no number",
            "SUM",
        ),
        (
            "SELECT SUM(n) OVER (ORDER BY at), COUNT(*) OVER (PARTITION BY page ORDER BY at) FROM clicks",
            "OVER of different windows in one SELECT",
            "COUNT",
        ),
        ("SELECT LEAD(n) OVER (ORDER BY at) FROM clicks", "LEAD OVER", "LEAD"),
        ("SELECT NTILE(2) OVER (ORDER BY at) FROM clicks", "NTILE OVER", "NTILE"),
        ("SELECT LAG(n, n) OVER (ORDER BY at) FROM clicks", "LAG by anything but a number of rows", "LAG"),
        ("SELECT LAG(n) OVER (ORDER BY at ROWS 1 PRECEDING) FROM clicks", "LAG OVER with ROWS or", "LAG"),
        ("SELECT SUM(n) FILTER (WHERE n > 1) OVER (ORDER BY at) FROM clicks", "FILTER of a function", "SUM"),
        (
            "SELECT c.n FROM clicks AS c JOIN pages AS p "
            "ON c.page = p.page AND p.page < CAST(CURRENT_WATERMARK(c.at) AS STRING)",
            "CURRENT_WATERMARK outside of SELECT and WHERE",
            "CURRENT_WATERMARK",
        ),
        ("SELECT page, ROW_NUMBER() OVER () FROM clicks", "ROW_NUMBER OVER without ORDER BY", "ROW_NUMBER"),
        (
            "SELECT COUNT(*) AS n, page IN (SELECT page FROM pages) AS b FROM clicks GROUP BY page",
            "IN or EXISTS with a subquery beside aggregates",
            "page IN",
        ),
        (
            "SELECT n FROM clicks WHERE (n, page) NOT IN (SELECT 1, page FROM pages)",
            "NOT IN of several values with a subquery",
            "n, page",
        ),
        (
            "SELECT (n, page) IN (SELECT 1, page FROM pages) AS b FROM clicks",
            "IN of several values with a subquery other than by AND and OR in WHERE",
            "n, page",
        ),
        (
            "SELECT c.n FROM clicks AS c WHERE EXISTS (SELECT 1 FROM pages AS p WHERE p.page < c.page)",
            "a correlated subquery with a condition other than =",
            "page < c.page",
        ),
        (
            "SELECT n FROM clicks WHERE EXISTS (SELECT page FROM pages GROUP BY page)",
            "EXISTS with a subquery that combines rows",
            "page FROM",
        ),
        (
            "SELECT page FROM clicks GROUP BY ROLLUP (page) HAVING COUNT(*) > (SELECT COUNT(*) FROM pages)",
            "a subquery outside of WHERE and SELECT",
            "COUNT(*) FROM pages",
        ),
        (
            "SELECT c.n FROM clicks AS c JOIN pages AS p ON c.page IN (SELECT q.page FROM pages AS q)",
            "a subquery outside of WHERE and SELECT",
            "page IN",
        ),
        (
            "SELECT n FROM clicks AS c WHERE n IN (SELECT COUNT(*) FROM pages AS p WHERE p.page = c.page)",
            "IN with a correlated subquery that aggregates",
            "n IN",
        ),
        (
            "SELECT n, (SELECT page, title FROM pages) AS p FROM clicks",
            "a scalar subquery of several columns",
            "page, title",
        ),
        (
            "SELECT a.n FROM later AS a JOIN clicks AS b ON a.n = b.n AND a.at = b.at",
            "a join on the times of rows that may be updated later",
            "b ON",
        ),
        (
            "SELECT c.n FROM clicks AS c JOIN pages AS p ON c.page = p.page AND REGEXP(c.page, p.title)",
            "this condition of a join",
            "REGEXP",
        ),
        (
            f"SELECT FIRST_VALUE(n) {WINDOWED.format('SESSION', 'clicks')} window_start, window_end",
            "FIRST_VALUE in a SESSION",
            "at), INTERVAL",
        ),
        (
            "SELECT x.n FROM (SELECT n, n AS m, page AS n FROM clicks) AS x",
            "a table with two columns 'n'",
            "n, n AS",
        ),
    ],
)
def test_a_refusal_names_the_clause_and_its_place(
    query: str, clause: str, place: str, t_env: StreamTableEnvironment
) -> None:
    with pytest.raises(UnsupportedOperationError) as caught:
        t_env.sql_query(query)
    message = str(caught.value)
    found = re.match(
        r"line (\d+), column (\d+), at .*?: (.*) is not supported yet for unbounded tables", message
    )
    assert found is not None, message
    assert found[3].startswith(clause)
    assert query.splitlines()[int(found[1]) - 1][int(found[2]) - 1 :].startswith(place)


@pytest.mark.parametrize("function", ["TUMBLE", "SESSION"])
def test_windows_need_a_watermark(function: str, t_env: StreamTableEnvironment) -> None:
    windows = WINDOWED.format(function, "plain")
    with pytest.raises(
        SqlError, match=f"{function} of an unbounded table needs a column with a watermark"
    ) as e:
        t_env.sql_query(f"SELECT COUNT(*) {windows} window_start, window_end")
    assert "declare WATERMARK FOR at AS at - INTERVAL '5' SECOND" in str(e.value)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        (
            "SELECT page FROM clicks UNION ALL SELECT n FROM clicks",
            "line 1, column 42.* page is STRING, and n is INT: CAST",
        ),
        (
            "SELECT page FROM clicks UNION ALL SELECT page, n FROM clicks",
            "UNION: the queries have 1 and 2",
        ),
    ],
)
def test_unions_of_columns_of_other_types(query: str, complaint: str, t_env: StreamTableEnvironment) -> None:
    with pytest.raises(SqlError, match=complaint):
        t_env.sql_query(query)


@pytest.mark.parametrize(
    ("query", "complaint", "place"),
    [
        ("SELECT page, COUNT(*), n + 1 FROM clicks GROUP BY page", "n must be in GROUP BY or in an", "n + 1"),
        ("SELECT page FROM clicks GROUP BY page HAVING MAX(n) > n", "n must be in GROUP BY or in an", "n"),
    ],
)
def test_columns_of_groups(query: str, complaint: str, place: str, t_env: StreamTableEnvironment) -> None:
    with pytest.raises(SqlError, match=complaint) as caught:
        t_env.sql_query(query)
    found = re.match(r"line 1, column (\d+)", str(caught.value))
    assert found is not None
    assert query[int(found[1]) - 1 :].startswith(place)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        (
            "SELECT REGEXP(page, page) FROM clicks",
            "argument 2 of REGEXP .*; Python evaluates expressions on the local host: set pystream.runner to",
        ),
        ("SELECT REGEXP('a', MAX(page)) FROM clicks", "argument 2 .*; Python evaluates expressions on the"),
        ("SELECT page FROM clicks WHERE REGEXP(page, page)", "argument 2 .*; Python evaluates expressions"),
    ],
)
def test_expressions_that_only_spark_computes(
    query: str, complaint: str, t_env: StreamTableEnvironment
) -> None:
    with pytest.raises(UnsupportedOperationError, match=f"line 1, column .*, at 'REGEXP': {complaint}"):
        t_env.sql_query(query)


def test_the_message_names_no_runner_that_cannot_compute_it_either(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(
        UnsupportedOperationError, match="are not compared; compute it by a function of the pro"
    ):
        t_env.sql_query("SELECT ARRAY[n] < ARRAY[2] FROM clicks")


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        (
            "SELECT c.n FROM clicks AS c JOIN pages AS p ON c.n = p.title",
            "line 1, column 50, .* a join of INT with STRING needs a CAST of one of them",
        ),
        (
            "SELECT c.n FROM clicks AS c JOIN pages AS p ON c.n + 1 = p.title",
            "line 1, column 50, .* a join of INT with STRING needs a CAST of one of them",
        ),
        (
            "SELECT a.n FROM clicks AS a LEFT JOIN clicks AS b ON a.n = b.n AND a.at > b.at AND a.at < b.at",
            "line 1, column 86, .* no times fulfil all conditions of the join",
        ),
    ],
)
def test_wrong_conditions_of_joins(query: str, complaint: str, t_env: StreamTableEnvironment) -> None:
    with pytest.raises(SqlError, match=complaint):
        t_env.sql_query(query)


TIMES = "a.at BETWEEN b.at - INTERVAL '1' MINUTE AND b.at"


@pytest.mark.parametrize(
    ("join", "is_updating", "columns", "time"),
    [
        ("totals AS a JOIN pages AS b ON a.page = b.page", True, "a.n NOT NULL, b.title", None),
        ("clicks AS a JOIN pages AS b ON a.page = b.page", False, "a.n, b.title", None),
        ("clicks AS a JOIN pages AS b ON a.page > b.page", False, "a.n, b.title", None),
        ("clicks AS a, pages AS b", False, "a.n, b.title", None),
        ("totals AS a LEFT JOIN totals AS b ON a.page = b.page", True, "a.n NOT NULL, b.n", None),
        ("totals AS a RIGHT JOIN totals AS b ON a.page = b.page", True, "a.n, b.n NOT NULL", None),
        ("totals AS a FULL JOIN totals AS b ON a.page = b.page", True, "a.n, b.n", None),
        ("clicks AS a LEFT JOIN pages AS b ON a.page = b.page", True, "a.n, b.title", None),
        ("clicks AS a LEFT JOIN pages AS b ON a.page = b.page WHERE a.page <> b.title", False, "a.n", None),
        ("pages AS a FULL JOIN clicks AS b ON a.page = b.page WHERE a.page < b.page", False, "b.n", None),
        ("clicks AS a JOIN clicks AS b ON a.n = b.n AND a.at > b.at", False, "a.at, b.at", None),
        (f"clicks AS a JOIN clicks AS b ON {TIMES}", False, "a.n, a.at, b.at", 1),
        (f"clicks AS a JOIN clicks AS b ON {TIMES}", False, "a.n, b.at", 1),
        (f"clicks AS a JOIN clicks AS b ON {TIMES}", False, "a.n", None),
        (f"clicks AS a LEFT JOIN clicks AS b ON {TIMES}", False, "a.n, b.at, a.at", 2),
        (f"clicks AS a LEFT JOIN clicks AS b ON {TIMES}", False, "a.n, b.at", None),
        (f"clicks AS a RIGHT JOIN clicks AS b ON {TIMES}", False, "a.at, b.at", 1),
        (f"clicks AS a FULL JOIN clicks AS b ON {TIMES}", False, "a.at, b.at", None),
    ],
)
def test_what_joins_pass_on(
    join: str, is_updating: bool, columns: str, time: int | None, t_env: StreamTableEnvironment
) -> None:
    names = columns.split(", ")
    table = t_env.sql_query(f"SELECT {columns.replace(' NOT NULL', '')} FROM {join}")
    assert table._is_updating == is_updating
    nullable = [data_type.is_nullable for data_type in table.get_schema().get_field_data_types()]
    assert nullable == [not name.endswith("NOT NULL") for name in names]
    positions = [column.position for column in table._columns]
    assert (None if table._time is None else positions.index(table._time.position)) == time


@pytest.mark.parametrize(
    ("convert", "call"),
    [
        (lambda t_env, table: t_env.to_data_stream(table), "to_data_stream"),
        (
            lambda t_env, table: t_env.to_append_stream(table, Types.ROW([Types.STRING(), Types.LONG()])),
            "to_app",
        ),
        (lambda t_env, table: table.to_append_stream(table, Types.ROW([Types.STRING()])), "to_append_stream"),
    ],
)
def test_a_stream_of_inserts_is_not_made_of_updates(
    convert: Callable[[StreamTableEnvironment, Table], object], call: str, t_env: StreamTableEnvironment
) -> None:
    with pytest.raises(
        UnsupportedOperationError, match=f"{call}.*may be updated later; use to_changelog_stre"
    ):
        convert(t_env, t_env.from_path("totals"))


def test_files_take_no_updates(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(
        "CREATE TABLE files (page STRING, n BIGINT) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        "'path' = '/nowhere')"
    )
    for statement in (
        "INSERT INTO files SELECT page, n FROM totals",
        "EXPLAIN INSERT INTO files TABLE totals",
    ):
        with pytest.raises(UnsupportedOperationError, match=r"table 'files' cannot be written.*updated"):
            t_env.execute_sql(statement)


def test_explain_checks_what_an_insert_checks(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE made (page STRING) WITH ('connector' = 'datagen')")
    t_env.execute_sql("CREATE TABLE shown (page STRING) WITH ('connector' = 'print')")
    with pytest.raises(PlanError, match="'made' cannot be written to: connector 'datagen' only reads"):
        t_env.explain_sql("INSERT INTO made SELECT page FROM clicks")
    with pytest.raises(PlanTypeError, match="the columns of the rows are not those of table 'shown'"):
        t_env.explain_sql("INSERT INTO shown SELECT page, n FROM clicks")
    with pytest.raises(PlanError, match="'totals' is a view"):
        t_env.explain_sql("INSERT INTO totals SELECT page, n FROM clicks")
    with pytest.raises(UnsupportedOperationError, match="INSERT OVERWRITE"):
        t_env.explain_sql("INSERT OVERWRITE shown SELECT page FROM clicks")
    assert "Sink: Print" in t_env.explain_sql("INSERT INTO shown SELECT page FROM clicks")
    with pytest.raises(PlanError, match="nothing to run"):  # the sink is not one of the program
        t_env._streams.execute()


def test_what_an_updating_table_passes_on_remains_updating(t_env: StreamTableEnvironment) -> None:
    for query in (
        "SELECT n, page FROM totals",
        "SELECT page AS p FROM (SELECT page, n FROM changed)",
        "SELECT page, n FROM totals UNION ALL SELECT page, n FROM totals",
        "SELECT MAX(n) AS m FROM clicks",
        "WITH w AS (SELECT page, MAX(n) AS m FROM clicks GROUP BY page) SELECT m FROM w",
    ):
        with pytest.raises(UnsupportedOperationError, match="may be updated later"):
            t_env.to_data_stream(t_env.sql_query(query))


def test_distinct_rows_and_windows_are_never_updated(t_env: StreamTableEnvironment) -> None:
    windows = WINDOWED.format("TUMBLE", "clicks")
    for query, columns in (
        ("SELECT DISTINCT page FROM clicks", ["page"]),
        (f"SELECT window_end AS e, MAX(n) AS m {windows} window_start, window_end", ["e", "m"]),
        ("SELECT c.n, p.title FROM clicks AS c JOIN pages AS p ON c.page = p.page", ["n", "title"]),
    ):
        row = t_env.to_data_stream(t_env.sql_query(query)).get_type()
        assert row.get_field_names() == columns  # type: ignore[attr-defined]


def test_the_rows_of_many_tables_keep_their_event_time(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE VIEW many AS " + " UNION ALL ".join(["SELECT page, at FROM clicks"] * 40))
    counted = t_env.sql_query(
        f"SELECT window_end, COUNT(*) AS n {WINDOWED.format('TUMBLE', 'many')} window_start, window_end"
    )
    assert counted.get_schema().get_field_names() == ["window_end", "n"]


def test_rows_keep_their_windows_where_columns_are_chosen(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(
        "CREATE VIEW placed (b, e, n) AS SELECT window_start, window_end, n "
        "FROM TUMBLE(TABLE clicks, DESCRIPTOR(at), INTERVAL '5' SECOND)"
    )
    placed = t_env.from_path("placed")
    t_env.create_temporary_view("chosen", placed.select(col("n"), col("e"), col("b").alias("start")))
    t_env.create_temporary_view("started", placed.drop_columns(col("e")))
    for query, is_updating in (
        ("SELECT b, MAX(n) AS g FROM placed GROUP BY b, e", False),
        ("SELECT x.start, COUNT(*) AS c FROM chosen AS x GROUP BY x.e, x.start", False),
        ("SELECT b, COUNT(*) AS c FROM started GROUP BY b", True),
        ("SELECT e, COUNT(*) AS c FROM placed GROUP BY e", True),
    ):
        assert t_env.sql_query(query)._is_updating is is_updating, query


@pytest.mark.parametrize(
    ("query", "message", "place"),
    [
        ("SELECT MIN(n, 3) FROM clicks", "MIN takes (ANY), not 2 arguments", "MIN"),
        ("SELECT COUNT(page, n) FROM clicks", "COUNT takes ([ANY]), not 2 arguments", "COUNT"),
        ("SELECT COUNT(DISTINCT page, n) FROM clicks", "COUNT takes ([ANY]), not 2 arguments", "COUNT"),
        ("SELECT LISTAGG(n) FROM clicks", "LISTAGG takes (STRING [, STRING]); got (INT)", "n)"),
        ("SELECT LISTAGG(page, page) FROM clicks", "the separator of LISTAGG is a literal", "page) FROM"),
        ("SELECT STDDEV_POP(page) FROM clicks", "STDDEV_POP takes (NUMBER); got (STRING)", "STDDEV_POP"),
        ("SELECT PERCENTILE(n, 1.5) FROM clicks", "the share of PERCENTILE is between 0 and 1", "1.5"),
        ("SELECT PERCENTILE(n) FROM clicks", "PERCENTILE takes", "PERCENTILE"),
        (
            "SELECT JSON_OBJECTAGG(KEY n VALUE n) FROM clicks",
            "JSON_OBJECTAGG takes (STRING, ANY); got",
            "n VALUE",
        ),
    ],
)
def test_wrong_calls_of_aggregates_are_refused_with_their_parameters(
    query: str, message: str, place: str, t_env: StreamTableEnvironment
) -> None:
    with pytest.raises(SqlError) as caught:
        t_env.sql_query(query)
    assert message in str(caught.value)
    found = re.match(r"line 1, column (\d+)", str(caught.value))
    assert found is not None
    assert query[int(found[1]) - 1 :].startswith(place)


@pytest.mark.parametrize("argument", ["at FROM plain", "CAST(at AS TIMESTAMP(3)) FROM clicks"])
def test_the_watermark_is_that_of_an_event_time(t_env: StreamTableEnvironment, argument: str) -> None:
    value, _, table = argument.rpartition(" FROM ")
    with pytest.raises(SqlError, match="CURRENT_WATERMARK takes the event time of the rows"):
        t_env.sql_query(f"SELECT CURRENT_WATERMARK({value}) FROM {table}")
