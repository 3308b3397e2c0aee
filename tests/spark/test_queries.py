"""SQL queries over bounded and unbounded tables."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from pyspark.sql import SparkSession

from pystream.common import Configuration, JobClient, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.engine.task_info import JobInfo
from pystream.engine.worker.environment import WorkerEnvironment
from pystream.errors import (
    JobCancelledError,
    JobExecutionError,
    PlanError,
    SqlError,
    UnsupportedOperationError,
)
from pystream.hosts.spark.queries import query_table
from pystream.hosts.spark.scalar_functions import FunctionSetting
from pystream.plan.query import InputColumn, Query, QueryInput
from pystream.table import StreamTableEnvironment, Table
from tests.explained import paths

PATIENCE = 60  # seconds
WORDS = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
ROWS = [("to", 1), ("be", 2), ("or", 3), ("to", 4), (None, 5), ("be", None)]


@dataclass
class Total:
    word: str
    total: int


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("words", env.from_collection(ROWS, WORDS))
    return t_env


def rows(table: Table) -> list[tuple[Any, ...]]:
    with table.execute().collect() as results:
        return [tuple(row) for row in results]


def test_results_are_typed_and_become_elements(t_env: StreamTableEnvironment) -> None:
    totals = t_env.sql_query(
        "SELECT word, SUM(n) AS total FROM words WHERE word IS NOT NULL GROUP BY word ORDER BY word"
    )
    assert repr(totals) == "Table(`word` STRING, `total` INT)"
    as_long = t_env.sql_query("SELECT word, CAST(n AS BIGINT) AS total FROM words WHERE n = 3")
    assert t_env.to_data_stream(as_long, Total).take(2) == [Total("or", 3)]
    assert rows(totals) == [("be", 2), ("or", 3), ("to", 5)]
    lengths = t_env.to_data_stream(totals).map(lambda row: len(row.word) * row.total, Types.INT())
    assert lengths.take(5) == [4, 6, 10]


def test_kernels_compute_the_rows_that_workers_read_as_columns(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "rows").write_text('{"k": 1, "r": {"a": 2, "b": "x"}}\n{"k": 2, "r": {"a": 3, "b": "y"}}\n')
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(
        "CREATE TABLE e (k INT, r ROW<a INT, b STRING>, n AS k * 10) WITH "
        f"('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'json')"
    )
    t_env.execute_sql("CREATE VIEW v AS SELECT k, n, r FROM e WHERE k > 0")
    columns = t_env.sql_query("SELECT v.r.a + n AS total FROM v WHERE k = 2")
    assert paths(t_env.to_data_stream(columns)) == ["arrow", "arrow", "arrow"]
    assert rows(columns) == [(23,)]
    digests = t_env.sql_query("SELECT SHA1(v.r.b) AS digest FROM v WHERE n = 20")
    assert "SparkQuery(query=[SELECT SHA1(v.r.b) AS digest FROM v WHERE v.n = 20]" in digests.explain()
    assert rows(digests) == [("95cb0bfd2977c761298d9624e4b4d4c72a39974a",)]
    totals = t_env.sql_query("SELECT k, SUM(v.r.a) AS total FROM v GROUP BY k ORDER BY k")
    assert "+- Calc(select=[k, r], where=[k > 0]" in totals.explain()
    assert rows(totals) == [(1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT id FROM a WHERE EXISTS (SELECT 1 FROM UNNEST(a.ar) AS x(v) WHERE v > 1)", [(1,)]),
        ("SELECT id FROM a WHERE 1 IN (SELECT v FROM UNNEST(ar) AS x(v))", [(1,), (2,)]),
        ("SELECT id, (SELECT SUM(v) FROM UNNEST(a.ar) AS x(v)) FROM a", [(1, 3), (2, 1), (3, None)]),
        (
            """WITH w AS (SELECT k, s FROM (SELECT id AS k, ARRAY[ar] AS n FROM a), UNNEST(n) AS y(s))
            SELECT k FROM w WHERE EXISTS (SELECT 1 FROM UNNEST(s) AS x(v) WHERE v > 1)""",
            [(1,)],
        ),
    ],
)
def test_subqueries_unnest_arrays_of_the_query_around_them(
    env: StreamExecutionEnvironment, query: str, expected: list[tuple[Any, ...]]
) -> None:
    t_env = StreamTableEnvironment.create(env)
    row = Types.ROW_NAMED(["id", "ar"], [Types.INT(), Types.LIST(Types.INT())])
    t_env.create_temporary_view("a", env.from_collection([(1, [1, 2]), (2, [1]), (3, [])], row))
    assert sorted(rows(t_env.sql_query(query))) == expected


class Suit(Enum):
    CLUBS = 1
    HEARTS = 2


VALUES = (
    Decimal("1.5"),
    datetime(2024, 2, 29, 12, 30, 0, 123456),
    date(2024, 2, 29),
    time(1, 2, 3),
    Suit.HEARTS,
    (7, "x"),
    [1, None],
    {"k": 1.5},
    b"\x00\xff",
)
VALUE_TYPES = (
    Types.BIG_DEC(),
    Types.SQL_TIMESTAMP(),
    Types.LOCAL_DATE(),
    Types.SQL_TIME(),
    Types.of(Suit),
    Types.TUPLE([Types.INT(), Types.STRING()]),
    Types.OBJECT_ARRAY(Types.INT()),
    Types.MAP(Types.STRING(), Types.DOUBLE()),
    Types.PRIMITIVE_ARRAY(Types.BYTE()),
)


def test_values_that_a_query_passes_on_keep_their_types(env: StreamExecutionEnvironment) -> None:
    names = [f"v{number}" for number in range(len(VALUES))]
    t_env = StreamTableEnvironment.create(env)
    stream = env.from_collection([VALUES], Types.ROW_NAMED(names, list(VALUE_TYPES)))
    t_env.create_temporary_view("given", stream)
    t_env.execute_sql("CREATE VIEW again AS WITH g AS (SELECT * FROM given) SELECT * FROM (SELECT * FROM g)")
    result = t_env.sql_query(f"SELECT {', '.join(reversed(names))} FROM again AS a WHERE v0 > 1")
    assert [str(t) for t in t_env.to_data_stream(result).get_type().field_types] == [
        str(t) for t in reversed(VALUE_TYPES)
    ]
    assert rows(result) == [VALUES[::-1]]


def test_a_query_of_names_that_differ_in_case_and_of_renamed_columns(env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    pair = Types.ROW_NAMED(["a", "A"], [Types.INT(), Types.STRING()])
    t_env.create_temporary_view("T", env.from_collection([(1, "{x}")], pair))
    t_env.create_temporary_view("t", t_env.from_path("T").alias("A", "b"))
    assert rows(t_env.sql_query("SELECT T.A, t.A AS n, '{t0}' AS c FROM T, t WHERE a = t.A")) == [
        ("{x}", 1, "{t0}")
    ]


def test_between_two_queries_there_is_no_python(spark: SparkSession, env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("numbers", env.from_data_frame(spark.range(1000)))
    t_env.execute_sql("CREATE VIEW even AS SELECT id FROM numbers WHERE id % 2 = 0")
    counted = t_env.to_data_stream(
        t_env.sql_query("SELECT id % 10 AS digit, COUNT(*) AS n FROM even GROUP BY id % 10")
    )
    assert paths(counted)[-1] == "native"
    frame = counted.to_data_frame()
    assert "MapInArrow" not in frame._jdf.queryExecution().toString()  # type: ignore[operator, union-attr]
    assert sorted(map(tuple, frame.collect())) == [(digit, 100) for digit in range(0, 10, 2)]


def test_a_stream_that_a_query_and_an_operator_read_is_computed_once(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"

    def counted(n: int) -> int:
        with calls.open("a") as file:
            file.write(f"{n}\n")
        return n

    t_env = StreamTableEnvironment.create(env)
    numbers = env.from_collection(list(range(20)), Types.LONG()).map(counted, Types.LONG())
    t_env.create_temporary_view("numbers", numbers)
    doubled = t_env.to_data_stream(t_env.sql_query("SELECT f0 * 2 AS n FROM numbers"))
    both = doubled.map(lambda row: row.n, Types.LONG()).union(numbers)
    assert sorted(both.execute_and_collect()) == sorted([*range(20), *range(0, 40, 2)])
    assert sorted(map(int, calls.read_text().split())) == list(range(20))


def test_a_cached_stream_and_one_after_an_exchange(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(2)
    t_env = StreamTableEnvironment.create(env)
    sums = (
        env.from_collection([(n % 3, n) for n in range(30)], Types.TUPLE([Types.INT(), Types.INT()]))
        .key_by(lambda pair: pair[0])
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
        .cache()
    )
    t_env.create_temporary_view("sums", sums)
    largest = t_env.sql_query("SELECT f0, MAX(f1) AS total FROM sums GROUP BY f0 ORDER BY f0")
    expected = [(key, sum(range(key, 30, 3))) for key in range(3)]
    assert rows(largest) == expected
    assert len(list(sums.execute_and_collect())) == 30
    assert rows(largest) == expected


def test_views(t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    t_env.execute_sql("CREATE VIEW long (w, size) AS SELECT word, CHAR_LENGTH(word) FROM words WHERE n > 2")
    t_env.execute_sql("CREATE VIEW IF NOT EXISTS long AS SELECT 1")
    assert sorted(rows(t_env.from_path("long")), key=str) == [("or", 2), ("to", 2), (None, None)]
    with pytest.raises(PlanError, match="already a table or view of the name 'long'"):
        t_env.execute_sql("CREATE VIEW long AS SELECT 1")
    with pytest.raises(PlanError, match="view 'short' has 1 names for 2 columns"):
        t_env.execute_sql("CREATE VIEW short (a) AS SELECT word, n FROM words")
    t_env.execute_sql("CREATE OR REPLACE VIEW long AS SELECT n FROM words WHERE n = 5")
    assert rows(t_env.sql_query("SELECT * FROM long")) == [(5,)]
    t_env.execute_sql("SHOW VIEWS").print()
    assert "long" in capsys.readouterr().out
    t_env.execute_sql("DROP VIEW long")
    assert t_env.list_views() == ["words"]


def test_an_insert_of_a_query_and_of_values(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    t_env.execute_sql(
        "CREATE TABLE files (n INT, word STRING) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        f"'path' = '{tmp_path}/out')"
    )
    t_env.execute_sql("INSERT INTO files (word, n) SELECT word, n * 10 FROM words WHERE n < 3").wait()
    t_env.execute_sql("INSERT INTO files VALUES (7, 'seven'), (8, 'eight')").wait()
    assert sorted(rows(t_env.sql_query("SELECT n, word FROM files"))) == [
        (7, "seven"),
        (8, "eight"),
        (10, "to"),
        (20, "be"),
    ]
    with pytest.raises(PlanError, match="must give all columns, which are n, word, not word"):
        t_env.execute_sql("INSERT INTO files (word) SELECT word FROM words")


def test_an_insert_keeps_the_order_of_its_query(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    t_env._streams.set_parallelism(2)
    t_env.execute_sql(
        "CREATE TABLE sorted (word STRING, n INT) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        f"'path' = '{tmp_path}/out', 'sink.parallelism' = '1')"
    )
    query = "SELECT f0 AS n, 'x' AS word FROM numbers ORDER BY f0 DESC"
    t_env.create_temporary_view("numbers", t_env._streams.from_collection(list(range(50)), Types.INT()))
    t_env.execute_sql(f"INSERT INTO sorted (n, word) {query}").wait()
    (file,) = [path for path in (tmp_path / "out").iterdir() if not path.name.startswith((".", "_"))]
    assert [int(line.split(",")[1]) for line in file.read_text().split()] == list(range(49, -1, -1))


def test_wrong_queries_name_the_place(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(SqlError, match=r"line 2, column 3, at 'wrd': there is no column 'wrd' among word, n"):
        t_env.sql_query("SELECT\n  wrd FROM words")
    with pytest.raises(PlanError, match="no table or view of the name 'wrds'; there are: words"):
        t_env.sql_query("SELECT * FROM wrds WHERE n > 1")
    with pytest.raises(SqlError, match="SELECT, VALUES or the like, not 'SHOW TABLES'"):
        t_env.sql_query("SHOW TABLES")
    with pytest.raises(SqlError, match="GROUP BY"):
        t_env.sql_query("SELECT word, SUM(n) FROM words")


def test_a_value_that_a_query_cannot_compute_fails_the_job(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(JobExecutionError, match=r"[Dd]ivi.* by zero"):
        rows(t_env.sql_query("SELECT n / (n - n) FROM words"))


@pytest.fixture
def numbers(env: StreamExecutionEnvironment) -> Iterator[StreamTableEnvironment]:
    """A table environment with an unbounded table of numbers at parallelism 2."""
    env.configure(Configuration().set_string("pystream.batch-interval", "200 ms"))
    t_env = StreamTableEnvironment.create(env.set_parallelism(2))
    t_env.execute_sql(
        "CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '2000', "
        "'fields.n.kind' = 'random', 'fields.n.min' = '0', 'fields.n.max' = '99')"
    )
    return t_env


def test_projections_and_filters_of_an_unbounded_table(numbers: StreamTableEnvironment) -> None:
    kept = numbers.sql_query("SELECT n * 2 AS m FROM numbers WHERE n >= 50")
    assert paths(numbers.to_data_stream(kept))[-1] == "native"
    doubled = numbers.to_data_stream(kept).map(lambda row: row.m * 2, Types.LONG())
    numbers.create_temporary_view("doubled", doubled)
    again = numbers.to_data_stream(numbers.sql_query("SELECT f0 AS n FROM doubled WHERE f0 < 300"))
    counts = again.key_by(lambda row: row.n).map(lambda row: row.n, Types.LONG())
    with counts.execute_and_collect() as results:
        got = list(islice(results, 500))
    assert set(got) == {4 * n for n in range(50, 75)}


def resuming_environment(checkpoints: Path, *, resumes: bool) -> StreamExecutionEnvironment:
    """Return an environment whose job keeps its state when it is cancelled."""
    settings = Configuration().set_string("pystream.batch-interval", "200 ms")
    settings.set_string("execution.checkpointing.dir", str(checkpoints))
    settings.set_string("execution.checkpointing.interval", "200 ms")
    settings.set_string("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION")
    settings.set_string("pystream.resume", str(resumes))
    return StreamExecutionEnvironment.get_execution_environment(settings)


def test_an_unbounded_query_resumes_where_it_stopped(host: str, tmp_path: Path) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    given.mkdir()
    (given / "1.csv").write_text("1\n2\n3\n")

    def start(*, resumes: bool) -> JobClient:
        env = resuming_environment(tmp_path / "checkpoints", resumes=resumes)
        t_env = StreamTableEnvironment.create(env.set_parallelism(2))
        t_env.execute_sql(
            "CREATE TABLE files (n INT) WITH ('connector' = 'filesystem', 'format' = 'csv', "
            f"'source.monitor-interval' = '100 ms', 'path' = '{given}')"
        )
        t_env.execute_sql(
            "CREATE TABLE results (n INT) WITH ('connector' = 'filesystem', 'format' = 'parquet', "
            f"'path' = '{out}')"
        )
        client = t_env.execute_sql(
            "INSERT INTO results SELECT n * 10 FROM files WHERE n <> 2"
        ).get_job_client()
        assert client is not None
        return client

    for expected in ([10, 30], [10, 30, 200, 210]):
        client = start(resumes=len(expected) > 2)
        try:
            _await(partial(_has, out, len(expected)))
        finally:
            client.cancel().result()
        with pytest.raises(JobCancelledError):
            client.get_job_execution_result().result()
        assert sorted(_numbers(out)) == expected
        (given / "2.csv").write_text("20\n21\n")


def test_windows_of_an_unbounded_table_resume_where_they_stopped(host: str, tmp_path: Path) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    given.mkdir()

    def start(*, resumes: bool) -> JobClient:
        env = resuming_environment(tmp_path / "checkpoints", resumes=resumes)
        t_env = StreamTableEnvironment.create(env.set_parallelism(1))
        t_env.execute_sql(
            "CREATE TABLE files (n INT, at TIMESTAMP(3), WATERMARK FOR at AS at) WITH "
            "('connector' = 'filesystem', 'format' = 'csv', 'source.monitor-interval' = '100 ms', "
            f"'path' = '{given}')"
        )
        t_env.execute_sql(
            "CREATE TABLE results (n INT) WITH ('connector' = 'filesystem', 'format' = 'parquet', "
            f"'path' = '{out}')"
        )
        client = t_env.execute_sql(
            "INSERT INTO results SELECT SUM(n * 10) FROM TABLE(TUMBLE(TABLE files, DESCRIPTOR(at), "
            "INTERVAL '1' MINUTE)) WHERE n <> 2 GROUP BY window_start, window_end"
        ).get_job_client()
        assert client is not None
        return client

    (given / "1.csv").write_text("1,2024-01-01 00:00:10\n3,2024-01-01 00:01:10\n")
    for expected in ([10], [10, 230]):
        client = start(resumes=len(expected) > 1)
        try:
            _await(partial(_has, out, len(expected)))
        finally:
            client.cancel().result()
        with pytest.raises(JobCancelledError):
            client.get_job_execution_result().result()
        assert sorted(_numbers(out)) == expected
        (given / "2.csv").write_text("20,2024-01-01 00:01:20\n2,2024-01-01 00:01:30\n5,2024-01-01 00:02:00\n")


def test_what_combines_several_rows_of_an_unbounded_table_is_refused(numbers: StreamTableEnvironment) -> None:
    for query, clause in (
        ("SELECT APPROX_COUNT_DISTINCT(n) FROM numbers", "APPROX_COUNT_DISTINCT"),
        ("SELECT * FROM numbers ORDER BY n", "ORDER BY without LIMIT, other than of event time,"),
        ("SELECT n, ROW_NUMBER() OVER () FROM numbers", "ROW_NUMBER OVER without ORDER BY"),
    ):
        with pytest.raises(UnsupportedOperationError, match=f"{clause} is not supported yet for unbounded"):
            numbers.sql_query(query)


def test_python_computes_queries_of_a_stream_that_spark_cannot_read_as_a_table(
    numbers: StreamTableEnvironment,
) -> None:
    stream = numbers.to_data_stream(numbers.from_path("numbers"))
    numbers.create_temporary_view("rows", stream)
    query = "SELECT n * 2 AS n FROM rows WHERE n > 0"
    doubled = numbers.to_data_stream(numbers.sql_query(query))
    assert paths(doubled)[-1] == "native"
    twice = doubled.union(stream)
    assert "other operators read its table, too" in str(twice.explain())
    missing = {0, 1, 198}
    with twice.execute_and_collect() as results:
        for row in islice(results, 100_000):  # those of one stream may come long before those of the other
            missing.discard(row.n)
            if not missing:
                break
    assert not missing
    keyed = stream.key_by(lambda row: row.n).reduce(lambda a, b: a)
    numbers.create_temporary_view("reduced", keyed)
    after_state = numbers.to_data_stream(numbers.sql_query("SELECT n * 2 AS n FROM reduced WHERE n > 0"))
    assert "comes from an operator that keeps state" in str(after_state.explain())
    assert {row.n % 2 for row in after_state.take(20)} == {0}


def test_what_only_spark_computes_needs_a_stream_that_it_can_read_as_a_table(
    numbers: StreamTableEnvironment,
) -> None:
    stream = numbers.to_data_stream(numbers.from_path("numbers"))
    numbers.create_temporary_view("rows", stream)
    text = "CAST(n AS STRING)"
    query = f"SELECT CAST(CHAR_LENGTH(REGEXP_REPLACE({text}, {text}, 'x')) AS BIGINT) AS n FROM rows"
    computed = numbers.to_data_stream(numbers.sql_query(query))
    with pytest.raises(
        UnsupportedOperationError, match="cannot become a table yet if other operators read it"
    ):
        computed.union(stream).take(1)


def _has(directory: Path, count: int) -> bool:
    return len(_numbers(directory)) >= count


def _numbers(directory: Path) -> list[int]:
    files = [path for path in directory.glob("*") if not path.name.startswith(("_", "."))]
    return [row["n"] for path in files for row in parquet.read_table(path).to_pylist()]


def _await(condition: Callable[[], bool]) -> None:
    deadline = clock.monotonic() + PATIENCE
    while not condition():
        assert clock.monotonic() < deadline
        clock.sleep(0.05)


@pytest.mark.parametrize("positions", [(0, 1), (1, 0), (1,)])
def test_a_query_reads_columns_by_their_positions(spark: SparkSession, positions: tuple[int, ...]) -> None:
    table = spark.createDataFrame([(1, "a")], "x int, y string")
    read = QueryInput("t0", tuple(InputColumn(f"n{position}", position) for position in positions))
    query = Query("SELECT * FROM {t0}", (read,), {}, is_ordered=False, is_bounded=True, combines_rows=False)
    setting = FunctionSetting(JobInfo("unstarted", ""), WorkerEnvironment())
    found = query_table(spark, query, [table], setting)
    assert found.columns == [f"n{position}" for position in positions]
    assert found.collect() == [tuple((1, "a")[position] for position in positions)]
