"""MATCH_RECOGNIZE: over bounded rows, by the clock, its types and plans, and what is refused."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from pystream.errors import JobExecutionError, PyStreamError
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.table.udf import AggregateFunction, udaf, udf
from pystream.testing import local_environment

TICKS = """\
a,12,1,2024-01-01 00:00:01
b,7,1,2024-01-01 00:00:01
a,18,1,2024-01-01 00:00:03
a,17,2,2024-01-01 00:00:02
b,9,2,2024-01-01 00:00:02
a,13,2,2024-01-01 00:00:04
b,3,2,2024-01-01 00:00:05
"""
COLUMNS = "symbol STRING, price INT, tax INT, ts TIMESTAMP(3)"


class Largest(AggregateFunction[int, list[int]]):
    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], value: int) -> None:
        accumulator[:] = [max([*accumulator, value])]

    def get_value(self, accumulator: list[int]) -> int:
        return accumulator[0]


CLAUSE = (
    "SELECT * FROM {table} MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY {order} MEASURES {measures} "
    "{after} PATTERN ({pattern}) {within} DEFINE {define})"
)


def match(
    pattern: str = "A B",
    *,
    table: str = "ticks",
    order: str = "ts",
    measures: str = "A.price AS a, B.price AS b",
    after: str = "",
    within: str = "",
    define: str = "B AS B.price > A.price",
) -> str:
    """Return a query."""
    return CLAUSE.format(**locals())


@pytest.fixture
def t_env(tmp_path: Path) -> StreamTableEnvironment:
    (tmp_path / "ticks.csv").write_text(TICKS)
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.get_config().set("table.local-time-zone", "UTC")
    for name in ("ticks", "untimed"):
        watermark = ", WATERMARK FOR ts AS ts" if name == "ticks" else ""
        t_env.execute_sql(
            f"CREATE TABLE {name} ({COLUMNS}{watermark}) WITH ('connector' = 'filesystem', "
            f"'path' = '{tmp_path}/ticks.csv', 'format' = 'csv')"
        )
    t_env.execute_sql(
        f"CREATE TABLE generated ({COLUMNS}, n INT NOT NULL, instant TIMESTAMP_LTZ(3), pt AS PROCTIME(), "
        "WATERMARK FOR instant AS instant) WITH ('connector' = 'datagen', 'fields.symbol.length' = '1', "
        "'rows-per-second' = '1000')"
    )
    t_env.execute_sql(f"CREATE TABLE unbounded ({COLUMNS}) WITH ('connector' = 'datagen')")
    return t_env


def rows(t_env: StreamTableEnvironment, query: str) -> list[tuple[object, ...]]:
    return sorted(map(tuple, t_env.sql_query(query).execute().collect()))


@pytest.mark.parametrize("table", ["ticks", "untimed"])
def test_bounded_rows_are_matched_in_the_order_of_time(t_env: StreamTableEnvironment, table: str) -> None:
    assert rows(t_env, match(table=table)) == [("a", 12, 17), ("a", 17, 18), ("b", 7, 9)]


def test_conditions_of_variables_outside_of_the_pattern_are_not_tested(t_env: StreamTableEnvironment) -> None:
    define = "X AS X.price > A.price AND SUM(X.tax) > 1, B AS B.price > A.price, Y AS FALSE"
    assert rows(t_env, match(define=define)) == rows(t_env, match())


def test_bounded_groups_are_matched(t_env: StreamTableEnvironment) -> None:
    groups = "(SELECT symbol, MAX(price) AS price, ts FROM ticks GROUP BY symbol, ts)"
    assert rows(t_env, match(table=groups)) == [("a", 12, 17), ("a", 17, 18), ("b", 7, 9)]


MATCHES = match(measures="A.price AS a, B.price AS b, MATCH_ROWTIME() AS mt")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (f"SELECT symbol, COUNT(*) AS n FROM ({MATCHES}) GROUP BY symbol", [("a", 2), ("b", 1)]),
        (
            f"WITH m AS ({MATCHES}) SELECT a FROM m WHERE b > 9 UNION ALL SELECT b FROM m WHERE a < 12",
            [(9,), (12,), (17,)],
        ),
        (
            f"SELECT t.tax, m.a FROM ticks AS t JOIN ({MATCHES}) AS m ON t.price = m.a",
            [(1, 7), (1, 12), (2, 17)],
        ),
        (
            match(table=f"({MATCHES})", order="mt", measures="A.a AS a, B.b AS b", define="B AS B.a = A.b"),
            [("a", 12, 18)],
        ),
        (
            match(table="(SELECT symbol, price * tax AS price, ts FROM ticks WHERE price > 10)"),
            [("a", 12, 34), ("a", 18, 26)],
        ),
    ],
)
def test_matches_are_rows_like_others(
    t_env: StreamTableEnvironment, query: str, expected: list[tuple[object, ...]]
) -> None:
    assert rows(t_env, query) == expected


def test_methods_take_matches(t_env: StreamTableEnvironment) -> None:
    table = t_env.sql_query(match()).where(col("b") > 10).select(col("symbol"), (col("a") + 1).alias("next"))
    assert sorted(map(tuple, table.execute().collect())) == [("a", 13), ("a", 18)]


def test_rows_are_matched_by_the_clock(t_env: StreamTableEnvironment) -> None:
    query = match(table="generated", order="pt", measures="A.n AS a, A.pt AS t", define="B AS B.pt > A.pt")
    with t_env.sql_query(query).execute().collect() as found:
        first = next(found)
    assert isinstance(first.a, int)
    assert isinstance(first.t.to_datetime(), datetime)


def test_functions_of_the_program_are_called(t_env: StreamTableEnvironment) -> None:
    @udf(result_type=DataTypes.INT())
    def doubled(value: int) -> int:
        return 2 * value

    t_env.create_temporary_function("doubled", doubled)
    t_env.create_temporary_function("largest", udaf(Largest(), result_type=DataTypes.INT()))
    query = match(
        measures="doubled(A.price) AS a, largest(doubled(price)) AS n", define="B AS doubled(B.price) > 34"
    )
    assert rows(t_env, query) == [("a", 34, 36)]


def test_results_have_types(t_env: StreamTableEnvironment) -> None:
    query = match(
        "A B{2} C*? D",
        table="generated",
        order="instant",
        measures="A.n AS a, LAST(B.n, 1) AS b1, LAST(B.n, 2) AS b2, FIRST(n, 3) AS n3, FIRST(n, 4) AS n4, "
        "C.n AS c, COUNT(C.n) AS k, SUM(n) AS s, AVG(A.price) AS m, MATCH_ROWTIME() AS mt, "
        "MATCH_PROCTIME() AS pt",
        define="B AS TRUE",
    )
    schema = t_env.sql_query(query).get_schema()
    types = dict(zip(schema.get_field_names(), map(str, schema.get_field_data_types()), strict=True))
    assert types == {
        "symbol": "STRING",
        "a": "INT NOT NULL",
        "b1": "INT NOT NULL",
        "b2": "INT",
        "n3": "INT NOT NULL",
        "n4": "INT",
        "c": "INT",
        "k": "BIGINT NOT NULL",
        "s": "INT",
        "m": "INT",
        "mt": "TIMESTAMP_LTZ(3) NOT NULL",
        "pt": "TIMESTAMP_LTZ(3) NOT NULL",
    }


def test_the_time_of_matches_is_event_time(t_env: StreamTableEnvironment) -> None:
    matches = match(
        table="generated", order="instant", measures="MATCH_ROWTIME(instant) AS mt, MATCH_PROCTIME() AS pt"
    )
    t_env.execute_sql(f"CREATE TEMPORARY VIEW matches AS {matches}")
    window = (
        "SELECT COUNT(*) AS n FROM TUMBLE(TABLE matches, DESCRIPTOR({}), INTERVAL '1' SECOND) "
        "GROUP BY window_start, window_end"
    )
    for time in ("mt", "pt"):
        assert "WindowAggregate" in t_env.explain_sql(window.format(time))


def test_the_plan_shows_the_pattern(t_env: StreamTableEnvironment) -> None:
    query = match(
        "A B{2,3}? C+ D",
        order="ts, price DESC",
        measures="A.price AS a, SUM(B.price) AS s, FIRST(price, 1) AS f",
        after="AFTER MATCH SKIP TO LAST B",
        within="WITHIN INTERVAL '1' MINUTE",
        define="B AS B.price > LAST(B.price, 1) AND price < A.price",
    )
    assert (
        "Match(partitionBy=[symbol], orderBy=[ts ASC, price DESC], "
        "measures=[FINAL(A.price) AS a, FINAL(SUM(B.price)) AS s, FINAL(FIRST(price, 1)) AS f], "
        "rowsPerMatch=[ONE ROW PER MATCH], after=[SKIP TO LAST B], pattern=[(A B{2,3}? C+ D)], "
        "within=[1 min], define=[{B=B.price > LAST(B.price, 1) AND price < A.price}], changelogMode=[I])"
    ) in t_env.explain_sql(query)


def test_a_match_needs_a_row_to_skip_to(t_env: StreamTableEnvironment) -> None:
    query = match("A B? C", after="AFTER MATCH SKIP TO LAST B", define="B AS B.price > 100")
    with pytest.raises(JobExecutionError, match="a match has no row of B; skip to a variable that all"):
        rows(t_env, query)


REFUSED = [
    (match("A (B | C)"), "'|': PATTERN does not support alternatives"),
    (match("A (B C)+ D"), "')': PATTERN does not support a quantifier of several variables"),
    (match("PERMUTE(A, B)"), "'PERMUTE': PATTERN does not support PERMUTE"),
    (match("{- A -} B"), "'{': PATTERN does not support exclusions"),
    (match("^ A B"), "'^': PATTERN does not support anchors"),
    (match("A B $"), "'$': PATTERN does not support anchors"),
    (match("A B?? C"), "'??': the reluctant B?? is not supported"),
    (match("A B{0,1}? C"), "'{': the reluctant B?? is not supported"),
    (match("A B+"), "'B': a greedy quantifier cannot be the last one"),
    (match("A B{1,2}"), "'B': a greedy quantifier cannot be the last one"),
    (match("A+ B*? C"), "'B': the optional B*? cannot follow the greedy A+"),
    (match("A? B*?"), "'(': the pattern would match no rows at all"),
    (match("A B A"), "'A': the variable A is in the pattern twice"),
    (match("A 5"), "'5': Expecting a pattern variable or )"),
    (match("A ('B')"), "Expecting a pattern variable or )"),
    (match().replace(") ", " ", 1), "'DEFINE': Expecting a pattern variable or )"),
    (match("A{0} B"), "'{': the upper bound of the quantifier of A must be at least 1 and not below the"),
    (match("A{3,2} B"), "'{': the upper bound of the quantifier of A must be at least 1 and not below the"),
    (match("A{99999999} B"), "'99999999': a bound of a quantifier is at most 10000"),
    (match(f"A{{1,{'9' * 5000}}} B"), "a bound of a quantifier is at most 10000"),
    (match("A{1.5} B"), "'1.5': Expecting a whole number of rows"),
    (match(within="WITHIN INTERVAL '1' MONTH"), "'INTERVAL': WITHIN takes the length of matches"),
    (match(within="WITHIN INTERVAL '-1' SECOND"), "'INTERVAL': WITHIN takes the length of matches, which is"),
    (match(within="WITHIN 5"), "'5': WITHIN takes an INTERVAL, such as INTERVAL '1' HOUR"),
    (match(within="SUBSET U = (A, B)"), "'SUBSET': SUBSET is not supported"),
    (match(after="ALL ROWS PER MATCH"), "'MATCH': ALL ROWS PER MATCH is not supported"),
    (match(after="AFTER MATCH SKIP TO LAST Z"), "'Z': PATTERN has no variable Z, only A, B"),
    (
        match(after="AFTER MATCH SKIP TO FIRST A"),
        "'A': AFTER MATCH SKIP TO FIRST A would find the same match",
    ),
    (match(after="AFTER MATCH SKIP PAST"), "AFTER MATCH SKIP is followed by PAST LAST ROW, TO NEXT ROW"),
    (match(after="AFTER MATCH SKIP TO FIRST").partition(" PATTERN")[0], "Expecting a pattern variable"),
    (match(order="ts DESC"), "'ts': MATCH_RECOGNIZE is ordered by ascending time first"),
    (match(order="price, ts"), "'price': MATCH_RECOGNIZE is ordered by time first"),
    (match(order="ts, price + 1"), "'price': MATCH_RECOGNIZE is partitioned and ordered by columns"),
    (match(table="unbounded"), "'ts': MATCH_RECOGNIZE is ordered by time first, a column with a WATERMARK"),
    (match(measures="A.price + 1"), "'A': a measure needs a name"),
    (match(measures="A.price AS symbol"), "matches have two columns of the name 'symbol'"),
    (match(measures="RUNNING LAST(A.price) AS a"), "'RUNNING': RUNNING is not supported"),
    (match(measures="CLASSIFIER() AS a"), "'CLASSIFIER': CLASSIFIER is not supported"),
    (match(measures="MATCH_NUMBER() AS a"), "'MATCH_NUMBER': MATCH_NUMBER is not supported"),
    (match(measures="PREV(A.price) AS a"), "'PREV': PREV is not supported"),
    (match(measures="Z.price AS a"), "there is no pattern variable 'Z'; there are: A, B"),
    (match(measures="A.* AS a"), "MATCH_RECOGNIZE does not support A.*; name a column of the variable"),
    (
        match(measures="COUNT(A.*) AS a"),
        "MATCH_RECOGNIZE does not support A.*; name a column of the variable",
    ),
    (
        match(measures="X.price AS a", define="X AS X.price > 1"),
        "there is no pattern variable 'X'; there are",
    ),
    (match(measures="A.size AS a"), "'size': there is no column 'size' among symbol, price, tax, ts"),
    (match(measures="COUNT(DISTINCT A.price) AS a"), "'COUNT': MATCH_RECOGNIZE takes no DISTINCT aggregates"),
    (match(measures="SUM(A.price) FILTER (WHERE A.tax > 1) AS a"), "'SUM': MATCH_RECOGNIZE takes no FILTER"),
    (
        match(measures="SUM(A.price * B.tax) AS a"),
        "'SUM': SUM(A.price * B.tax) is of rows of several variables",
    ),
    (match(measures="LAST(A.price * B.tax) AS a"), "A.price * B.tax is of rows of several variables"),
    (match(measures="LAST(SUM(A.price)) AS a"), "'SUM': LAST takes a value of a row, not one of several"),
    (
        match(measures="SUM(LAST(A.price)) AS a"),
        "'LAST': an aggregate of MATCH_RECOGNIZE takes values of rows",
    ),
    (match(measures="SUM(1) AS a"), "'SUM': an aggregate of MATCH_RECOGNIZE takes a column of a variable"),
    (match(measures="LAST(A.price, A.tax) AS a"), "'LAST': LAST takes a value, and a number of rows"),
    (
        match(measures="MATCH_ROWTIME(price) AS a"),
        "'MATCH_ROWTIME': MATCH_ROWTIME takes the column of the time",
    ),
    (match(measures="SUM(A.price) OVER (ORDER BY ts) AS a"), "takes no functions of OVER"),
    (match(measures="nothing(A.price) AS a"), "there is no function NOTHING"),
    (match(define="B AS B.price"), "'price': DEFINE takes conditions, and B.price is INT"),
    (match(define="X AS X.price"), "'price': DEFINE takes conditions, and price is INT"),
    (match(define="X AS Y.price > 1"), "'price': there is no pattern variable 'Y'; there are: A, B, X"),
    (match(define="X AS X.size > 1"), "'size': there is no column 'size' among symbol, price, tax, ts"),
    (match(define="B AS TRUE, B AS B.price > 1"), "DEFINE has two conditions of B"),
    (match(define="B AS B.price > (SELECT MAX(n) FROM generated)"), "takes no subqueries"),
    (
        match(table="(SELECT symbol, COUNT(*) AS price, MAX(ts) AS ts FROM unbounded GROUP BY symbol)"),
        "MATCH_RECOGNIZE of rows that may be updated later is not supported",
    ),
]


@pytest.mark.parametrize(("query", "message"), REFUSED)
def test_other_patterns_are_refused(t_env: StreamTableEnvironment, query: str, message: str) -> None:
    with pytest.raises(PyStreamError) as failure:
        t_env.sql_query(query)
    assert message in str(failure.value).splitlines()[0]
