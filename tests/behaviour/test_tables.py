"""Tables of streams and connectors, on both hosts."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pystream.common import Configuration, Instant, JobStatus, Row, RowKind, Time, Types
from pystream.datastream import (
    DataStream,
    ProcessWindowFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import (
    ConfigurationError,
    JobCancelledError,
    JobExecutionError,
    PlanError,
    UnsupportedTypeError,
)
from pystream.table import ChangelogMode, DataTypes, ResultKind, Schema, StreamTableEnvironment, Table
from pystream.table.expressions import col


@dataclass
class Word:
    text: str
    n: int


class Pair(NamedTuple):
    word: str
    n: int


WORDS = [Word("to", 1), Word("be", 2)]


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    return StreamTableEnvironment.create(env)


@pytest.fixture
def words(env: StreamExecutionEnvironment) -> DataStream[Word]:
    return env.from_collection(WORDS, Types.of(Word))


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


def rows_of(table: Table) -> list[Row[Any]]:
    with table.execute().collect() as rows:
        return list(rows)


def test_columns_are_chosen_by_expressions(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    table = t_env.from_data_stream(words, col("n"), col("text").alias("word"))
    assert rows_of(table) == [Row(n=1, word="to"), Row(n=2, word="be")]
    assert rows_of(table.select(col("word").alias("n"))) == [Row(n="to"), Row(n="be")]
    assert rows_of(table.drop_columns(col("n")).rename_columns(col("word").alias("w"))) == [
        Row(w="to"),
        Row(w="be"),
    ]


def test_a_stream_of_a_class_there_and_back(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    table = t_env.from_data_stream(words)
    assert collected(t_env.to_data_stream(table)) == [Row(text="to", n=1), Row(text="be", n=2)]
    assert collected(t_env.to_data_stream(table, Word)) == WORDS
    assert collected(t_env.to_data_stream(table.alias("word"), Pair)) == [Pair("to", 1), Pair("be", 2)]
    pairs = Types.TUPLE([Types.STRING(), Types.LONG()])
    assert collected(t_env.to_append_stream(table, pairs)) == [("to", 1), ("be", 2)]


def test_a_plain_type_is_one_column(t_env: StreamTableEnvironment, env: StreamExecutionEnvironment) -> None:
    table = t_env.from_data_stream(env.from_collection([1, 2], Types.INT()))
    assert rows_of(table) == [Row(f0=1), Row(f0=2)]
    assert collected(t_env.to_data_stream(table, Types.LONG())) == [1, 2]


@pytest.mark.promise("StreamTableEnvironment.from_data_stream(names)")
@pytest.mark.parametrize(
    ("fields", "row"),
    [
        (("a", "b"), Row(a="to", b=1)),
        (("a, b",), Row(a="to", b=1)),
        (("n", "text"), Row(n=1, text="to")),
        (("n",), Row(n=1)),
        (("a",), Row(a="to")),
    ],
)
def test_names_choose_columns_or_rename_them(
    t_env: StreamTableEnvironment, words: DataStream[Word], fields: tuple[str, ...], row: Row[Any]
) -> None:
    assert rows_of(t_env.from_data_stream(words, *fields))[0] == row
    assert rows_of(t_env.from_data_stream(words, names=list(fields)))[0] == row


def test_a_schema_declares_types(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    schema = Schema.new_builder().column("n", DataTypes.DECIMAL(38, 0)).column("text", "STRING").build()
    narrow = Schema.new_builder().column("n", DataTypes.INT()).build()
    with pytest.raises(PlanError, match=r"column 'n' is BIGINT.*which is not DECIMAL"):
        t_env.from_data_stream(words, schema)
    with pytest.raises(PlanError, match="column 'n' is BIGINT NOT NULL, which is not INT"):
        t_env.from_data_stream(words, narrow)
    chosen = Schema.new_builder().column("n", DataTypes.BIGINT()).build()
    assert rows_of(t_env.from_data_stream(words, chosen)) == [Row(n=1), Row(n=2)]
    numbers = t_env.from_data_stream(words).select(col("n"))
    assert collected(t_env.to_changelog_stream(numbers, chosen))[0] == Row(n=1)


def test_rows_keep_their_kinds(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = [RowKind.INSERT, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER, RowKind.DELETE]
    row = Types.ROW([Types.INT()])
    changes = env.from_collection([Row.of_kind(kind, 1) for kind in kinds], row)
    table = t_env.from_data_stream(changes, "n")
    changed = collected(t_env.to_changelog_stream(table))
    assert [(change.get_row_kind(), change.n) for change in changed] == [(kind, 1) for kind in kinds]
    retracted = collected(t_env.to_retract_stream(table, Types.ROW_NAMED(["n"], [Types.LONG()])))
    assert [flag for flag, _ in retracted] == [True, False, True, False]
    t_env.execute_sql("CREATE TABLE out_ (n INT) WITH ('connector' = 'print')")
    table.execute_insert("out_").wait()
    assert capsys.readouterr().out.split() == ["+I[1]", "-U[1]", "+U[1]", "-D[1]"]


def test_a_stream_of_changes_becomes_a_table(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    row = Types.ROW_NAMED(["n", "text"], [Types.INT(), Types.STRING()])
    rows = [Row.of_kind(kind, 1, kind.name) for kind in RowKind]
    changes = env.from_collection(rows, row)
    expected = [(kind, kind.name) for kind in RowKind]
    for mode in (None, ChangelogMode.all()):
        changed = collected(t_env.to_changelog_stream(t_env.from_changelog_stream(changes, None, mode)))
        assert [(change.get_row_kind(), change.text) for change in changed] == expected
    schema = Schema.new_builder().column("text", DataTypes.STRING()).column("n", DataTypes.BIGINT()).build()
    changed = collected(t_env.to_changelog_stream(t_env.from_changelog_stream(changes, schema)))
    assert [change.get_row_kind() for change in changed] == list(RowKind)
    assert changed[0] == Row(text="INSERT", n=1)


def test_a_row_of_a_kind_that_the_changelog_mode_has_not_fails_the_job(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    row = Types.ROW_NAMED(["n"], [Types.INT()])
    mode = ChangelogMode.insert_only()
    inserts = env.from_collection([Row(1), Row(2)], row)
    assert rows_of(t_env.from_changelog_stream(inserts, changelog_mode=mode)) == [Row(n=1), Row(n=2)]
    deletes = env.from_collection([Row(1), Row.of_kind(RowKind.DELETE, 2)], row)
    with pytest.raises(JobExecutionError, match=r"of kind DELETE, but the changelog mode has only INSERT"):
        rows_of(t_env.from_changelog_stream(deletes, changelog_mode=mode))


def test_instants_are_printed_in_the_local_time_zone(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    row = Types.ROW_NAMED(["at"], [Types.INSTANT()])
    instants = [
        Row(Instant.of_epoch_milli(1_767_323_045_678)),
        Row(Instant.of_epoch_milli(10**15)),
        Row(None),
    ]
    table = t_env.from_data_stream(env.from_collection(instants, row))
    t_env.get_config().set_local_timezone("Asia/Tokyo")
    table.execute().print()
    lines = capsys.readouterr().out.splitlines()
    assert lines[3:6] == [
        "| +I | 2026-01-02 12:04:05.678000 |",
        "| +I |     +33658-09-27T01:46:40Z |",
        "| +I |                     <NULL> |",
    ]


def test_queries_convert_instants_in_the_local_time_zone(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    row = Types.ROW_NAMED(["at"], [Types.INSTANT()])
    instants = env.from_collection([Row(Instant.of_epoch_milli(1_767_323_045_000))], row)
    t_env.create_temporary_view("instants", instants)
    t_env.get_config().set("table.local-time-zone", "Asia/Tokyo")
    texts = t_env.sql_query("SELECT CAST(`at` AS STRING) AS text FROM instants")
    assert rows_of(texts)[0].text.startswith("2026-01-02 12:04:05")


@pytest.mark.spark_only("only Spark knows all functions")
def test_functions_of_the_clock_in_the_local_time_zone(t_env: StreamTableEnvironment) -> None:
    t_env.get_config().set("table.local-time-zone", "Asia/Kolkata")
    row = rows_of(
        t_env.sql_query(
            "SELECT EXTRACT(EPOCH FROM TIMESTAMP '2020-02-29 12:30:45.123') AS epoch, "
            "EXTRACT(EPOCH FROM TO_TIMESTAMP_LTZ(1582979445123, 3)) AS local_epoch, "
            "TO_TIMESTAMP_LTZ('2020-02-29 12:30:45') AS utc, "
            "TO_TIMESTAMP_LTZ('2020-02-29 12:30:45', 'yyyy-MM-dd HH:mm:ss', 'Asia/Tokyo') AS tokyo"
        )
    )[0]
    assert (row.epoch, row.local_epoch) == (1_582_979_445, 1_582_999_245)
    assert row.utc.to_epoch_milli() == 1_582_979_445_000
    assert row.tokyo.to_epoch_milli() == 1_582_947_045_000


WINDOW = "SELECT window_start, window_end, window_time FROM TABLE({}(TABLE instants, DESCRIPTOR(`at`), {}))"


@pytest.mark.parametrize(
    ("function", "intervals", "bounds"),
    [
        ("TUMBLE", "INTERVAL '1' DAY", [((3, 0), (4, 0))]),
        ("TUMBLE", "INTERVAL '1' DAY, INTERVAL '2' HOUR", [((3, 2), (4, 2))]),
        ("HOP", "INTERVAL '1' HOUR, INTERVAL '2' HOUR", [((3, 4), (3, 6)), ((3, 5), (3, 7))]),
        ("CUMULATE", "INTERVAL '12' HOUR, INTERVAL '1' DAY", [((3, 0), (3, 12)), ((3, 0), (4, 0))]),
    ],
)
def test_windows_of_instants_have_bounds_in_the_local_time_zone(
    t_env: StreamTableEnvironment,
    env: StreamExecutionEnvironment,
    function: str,
    intervals: str,
    bounds: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    instants = env.from_collection([Instant.of_epoch_milli(1_609_632_000_000)], Types.INSTANT())
    t_env.create_temporary_view("instants", t_env.from_data_stream(instants, "at"))
    t_env.get_config().set("table.local-time-zone", "Asia/Kolkata")  # 5:30 at that instant
    found = rows_of(t_env.sql_query(WINDOW.format(function, intervals)))
    expected = [
        (datetime.datetime(2021, 1, *start), datetime.datetime(2021, 1, *end)) for start, end in bounds
    ]
    assert sorted((row.window_start, row.window_end) for row in found) == expected
    midnight = 1_609_612_200_000  # of the third of January
    assert sorted(row.window_time.to_epoch_milli() - midnight for row in found) == [
        (day - 3) * 86_400_000 + hour * 3_600_000 - 1 for _, (day, hour) in bounds
    ]


def test_no_instant_is_lost_where_a_local_hour_comes_twice(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    second = Instant.of_epoch_milli(1_729_991_400_000)  # 1:10 UTC, the second 2:10 of the night
    t_env.create_temporary_view(
        "instants", t_env.from_data_stream(env.from_collection([second], Types.INSTANT()), "at")
    )
    t_env.get_config().set("table.local-time-zone", "Europe/Berlin")
    query = WINDOW.format("CUMULATE", "INTERVAL '15' MINUTE, INTERVAL '30' MINUTE")
    assert sorted((row.window_start, row.window_end) for row in rows_of(t_env.sql_query(query))) == [
        (datetime.datetime(2024, 10, 27, 2), datetime.datetime(2024, 10, 27, 2, 15)),
        (datetime.datetime(2024, 10, 27, 2), datetime.datetime(2024, 10, 27, 2, 30)),
    ]


def test_chosen_fields_of_one_type_are_in_the_order_chosen(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    pair = Types.TUPLE([Types.INT(), Types.INT()])
    table = t_env.from_data_stream(env.from_collection([(1, 2)], pair), "f1", "f0")
    assert collected(t_env.to_append_stream(table, pair)) == [(2, 1)]


@pytest.mark.promise("Table.to_append_stream", "Table.to_retract_stream")
def test_the_guide_converts_on_the_table(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    table = t_env.from_data_stream(words, "a, b")
    row = Types.ROW_NAMED(["a", "b"], [Types.STRING(), Types.LONG()])
    rows = [Row(a="to", b=1), Row(a="be", b=2)]
    assert collected(table.to_append_stream(table, row)) == rows
    assert collected(table.to_retract_stream(table, row)) == [(True, row) for row in rows]


def test_a_null_where_there_must_be_none_fails_the_job(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    row = Types.ROW_NAMED(["text", "n"], [Types.STRING(), Types.LONG()])
    stream = t_env.to_data_stream(t_env.from_data_stream(env.from_collection([("a", None)], row)), Word)
    with pytest.raises(JobExecutionError, match=r"n"):
        collected(stream)


NULLABLE = Types.ROW([Types.INT(), Types.STRING()])


def test_a_null_in_a_column_of_a_sink_that_is_not_null_fails_the_job(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql("CREATE TABLE sink (a INT, b STRING NOT NULL) WITH ('connector' = 'print')")
    t_env.from_data_stream(env.from_collection([(None, "x")], NULLABLE)).execute_insert("sink").wait()
    assert capsys.readouterr().out.split() == ["+I[null,", "x]"]
    rows = env.from_collection([(1, "x"), (2, None)], NULLABLE)
    with pytest.raises(
        JobExecutionError,
        match=r"column 'b' of table 'sink' is NOT NULL, but it is null in Row\(.*2, .*None\)",
    ):
        t_env.from_data_stream(rows).execute_insert("sink").wait()


def test_rows_with_a_null_in_a_column_of_a_sink_that_is_not_null_are_dropped(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    env.configure(Configuration.from_dict({"table.exec.sink.not-null-enforcer": "drop"}))
    t_env.execute_sql(
        "CREATE TABLE sink (a INT NOT NULL, b STRING, c INT NOT NULL) WITH ('connector' = 'print')"
    )
    row = Types.ROW([Types.INT(), Types.STRING(), Types.INT()])
    rows = [(1, "x", 1), (None, "x", 1), (2, None, 2), (3, "x", None)]
    t_env.from_data_stream(env.from_collection(rows, row)).execute_insert("sink").wait()
    assert capsys.readouterr().out.splitlines() == ["+I[1, x, 1]", "+I[2, null, 2]"]


def test_results_are_printed_as_a_table(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    row = Types.ROW_NAMED(["b", "n", "at"], [Types.BOOLEAN(), Types.INT(), Types.LOCAL_DATE_TIME()])
    at = datetime.datetime(2026, 1, 2, 3, 4, 5)
    table = t_env.from_data_stream(env.from_collection([(True, 7, at), (None, None, None)], row))
    table.execute().print()
    assert capsys.readouterr().out.splitlines() == [
        "+----+--------+-------------+----------------------------+",
        "| op |      b |           n |                         at |",
        "+----+--------+-------------+----------------------------+",
        "| +I |   TRUE |           7 | 2026-01-02 03:04:05.000000 |",
        "| +I | <NULL> |      <NULL> |                     <NULL> |",
        "+----+--------+-------------+----------------------------+",
        "2 rows in set",
    ]


@pytest.mark.promise("TableResult")
def test_an_insert_starts_a_job(
    t_env: StreamTableEnvironment, words: DataStream[Word], capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql("CREATE TABLE sink (a STRING, b BIGINT) WITH ('connector' = 'print')")
    result = t_env.from_data_stream(words).execute_insert("sink")
    client = result.get_job_client()
    assert client is not None
    result.wait(60_000)
    assert client.get_job_execution_result().done()
    assert capsys.readouterr().out.splitlines() == ["+I[to, 1]", "+I[be, 2]"]
    result.print()
    name = "default_catalog.default_database.sink"
    assert capsys.readouterr().out.splitlines() == [
        f"+-{'-' * len(name)}-+",
        f"| {name} |",
        f"+-{'-' * len(name)}-+",
        f"| {-1:>{len(name)}} |",
        f"+-{'-' * len(name)}-+",
        "1 row in set",
    ]


def test_an_insert_leaves_other_sinks_to_execute(
    env: StreamExecutionEnvironment,
    t_env: StreamTableEnvironment,
    words: DataStream[Word],
    capsys: pytest.CaptureFixture[str],
) -> None:
    words.map(lambda word: word.text, Types.STRING()).print()
    t_env.execute_sql("CREATE TABLE sink (a STRING, b BIGINT) WITH ('connector' = 'print')")
    t_env.from_data_stream(words).execute_insert("sink").wait()
    assert capsys.readouterr().out.splitlines() == ["+I[to, 1]", "+I[be, 2]"]
    env.execute()
    assert capsys.readouterr().out.splitlines() == ["to", "be"]


@pytest.mark.promise("beh:tenv-execute", "StreamTableEnvironment.execute")
def test_the_table_environment_executes_what_is_pending(
    t_env: StreamTableEnvironment, words: DataStream[Word], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PlanError, match="nothing to run"):
        t_env.execute()
    t_env.execute_sql("CREATE TABLE sink (a STRING, b BIGINT) WITH ('connector' = 'print')")
    t_env.create_statement_set().add_insert("sink", t_env.from_data_stream(words)).attach_as_datastream()
    assert capsys.readouterr().out == ""
    assert t_env.execute("words").get_job_id() is not None
    assert capsys.readouterr().out.splitlines() == ["+I[to, 1]", "+I[be, 2]"]
    t_env.from_data_stream(words).execute_insert("sink")
    assert t_env.execute().get_job_id() is not None  # waits for the INSERT
    assert capsys.readouterr().out.splitlines() == ["+I[to, 1]", "+I[be, 2]"]
    with pytest.raises(PlanError, match="nothing to run"):
        t_env.execute()


def test_the_table_environment_waits_for_every_insert(
    t_env: StreamTableEnvironment, words: DataStream[Word], capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql("CREATE TABLE nothing (n INT) WITH ('connector' = 'blackhole')")
    t_env.execute_sql(
        "CREATE TABLE slow (n INT) WITH ('connector' = 'datagen', 'number-of-rows' = '4', "
        "'rows-per-second' = '4')"
    )
    client = t_env.execute_sql("INSERT INTO nothing SELECT * FROM slow").get_job_client()
    assert client is not None
    words.print()
    t_env.execute()
    assert client.get_job_execution_result().done()
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_waiting_ends_in_time(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE nothing (n INT) WITH ('connector' = 'blackhole')")
    t_env.execute_sql("CREATE TABLE endless (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '10')")
    result = t_env.execute_sql("INSERT INTO nothing SELECT * FROM endless")
    client = result.get_job_client()
    assert client is not None
    with pytest.raises(JobExecutionError, match="has not ended within 100 ms"):
        result.wait(100)
    for wrong in (-1, 0.5):
        with pytest.raises(ConfigurationError, match=f"a timeout in ms must be .* or more, not {wrong}"):
            result.wait(wrong)  # type: ignore[arg-type]
    client.cancel()
    with pytest.raises(JobCancelledError):
        result.wait(0)  # for ever


def test_the_rows_of_an_insert_come_at_its_end(
    t_env: StreamTableEnvironment, words: DataStream[Word], capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql("CREATE TABLE sink (a STRING, b BIGINT) WITH ('connector' = 'print')")
    result = t_env.from_data_stream(words).execute_insert("sink")
    assert result.get_table_schema().get_field_names() == ["default_catalog.default_database.sink"]
    with result.collect() as rows:
        assert list(rows) == [Row(-1)]
    assert capsys.readouterr().out.splitlines() == ["+I[to, 1]", "+I[be, 2]"]
    result.wait()
    client = result.get_job_client()
    assert client is not None
    assert client.get_job_status().result() is JobStatus.FINISHED


def test_closing_the_rows_of_an_insert_cancels_its_job(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE nothing (n INT) WITH ('connector' = 'blackhole')")
    t_env.execute_sql("CREATE TABLE endless (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '10')")
    result = t_env.execute_sql("INSERT INTO nothing SELECT * FROM endless")
    with result.collect():
        pass
    with pytest.raises(JobCancelledError):
        result.wait()


def test_a_plan_is_printed_as_it_is(
    t_env: StreamTableEnvironment, words: DataStream[Word], capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.create_temporary_view("words", words)
    result = t_env.execute_sql("EXPLAIN SELECT * FROM words")
    with result.collect() as rows:
        ((plan,),) = rows
    assert plan.startswith("== relational plan")
    assert len(plan.splitlines()) > 2
    assert result.get_result_kind() is ResultKind.SUCCESS_WITH_CONTENT
    assert result.get_job_client() is None
    result.print()
    assert capsys.readouterr().out == f"{plan}\n"


def test_a_statement_set_is_one_job(
    t_env: StreamTableEnvironment, words: DataStream[Word], capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.create_temporary_view("words", words)
    for name in ("one", "two"):
        t_env.execute_sql(
            f"CREATE TABLE {name} (a STRING, b BIGINT) "
            f"WITH ('connector' = 'print', 'print-identifier' = '{name}')"
        )
    inserts = t_env.create_statement_set()
    inserts.add_insert("one", t_env.from_path("words"))
    inserts.add_insert_sql("INSERT INTO two SELECT * FROM words").execute().wait()
    lines = sorted(capsys.readouterr().out.splitlines())
    assert lines == ["one> +I[be, 2]", "one> +I[to, 1]", "two> +I[be, 2]", "two> +I[to, 1]"]
    with pytest.raises(PlanError, match="the statement set is empty"):
        inserts.execute()


TYPES = """
    b BOOLEAN, t TINYINT, s SMALLINT, i INT, l BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10, 2), st STRING,
    v VARCHAR(8), by BYTES, da DATE, ti TIME, ts TIMESTAMP(3), tz TIMESTAMP_LTZ(3)
"""


@pytest.mark.parametrize("format", ["csv", "json", "avro", "parquet", "orc"])
def test_files_hold_what_was_written(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, tmp_path: Path, format: str
) -> None:
    lacking = {"orc": "ti TIME, ", "avro": ", tz TIMESTAMP_LTZ(3)"}
    columns = TYPES.replace(lacking.get(format, "-"), "")
    null = ", 'csv.null-literal' = 'NULL'" if format == "csv" else ""
    t_env.execute_sql(
        f"CREATE TABLE generated ({columns}) WITH ('connector' = 'datagen', 'number-of-rows' = '20', "
        "'fields.i.kind' = 'sequence', 'fields.i.start' = '1', 'fields.i.end' = '20', "
        "'fields.v.null-rate' = '0.5', 'fields.ts.max-past' = '10 d')"
    )
    t_env.execute_sql(
        f"CREATE TABLE files ({columns}) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/files', "
        f"'format' = '{format}'{null})"
    )
    generated = t_env.from_path("generated")
    rows = rows_of(generated)
    t_env.create_temporary_view(
        "rows_", env.from_collection(rows, t_env.to_data_stream(generated).get_type())
    )
    t_env.execute_sql("INSERT INTO files SELECT * FROM rows_").wait()
    assert [row.i for row in rows] == list(range(1, 21))
    read = sorted(rows_of(t_env.from_path("files")), key=lambda row: row.i)
    assert read == rows


def test_avro_files_hold_nested_values(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    t_env.execute_sql(
        "CREATE TABLE files (r ROW<a INT, b ROW<c STRING NOT NULL>>, l ARRAY<BIGINT>, m MAP<STRING, DATE>) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/files', 'format' = 'avro')"
    )
    row_type = t_env.to_data_stream(t_env.from_path("files")).get_type()
    rows = [
        Row(r=Row(a=1, b=Row(c="x")), l=[1, None], m={"a": datetime.date(2026, 1, 2)}),
        Row(r=None, l=[], m=None),
    ]
    t_env.from_data_stream(env.from_collection(rows, row_type)).execute_insert("files").wait()
    assert rows_of(t_env.from_path("files")) == rows
    t_env.execute_sql(
        "CREATE TABLE instants (t TIMESTAMP_LTZ(3)) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/files', 'format' = 'avro')"
    )
    with pytest.raises(UnsupportedTypeError, match="column 't': Avro has no type for TIMESTAMP_LTZ"):
        t_env.from_path("instants")


@pytest.mark.promise("beh:table-connectors-in-datastream")
def test_a_program_of_streams_reads_and_writes_tables(
    t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql(
        "CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen', 'fields.n.kind' = 'sequence', "
        "'fields.n.start' = '1', 'fields.n.end' = '4')"
    )
    t_env.execute_sql("CREATE TABLE sums (n BIGINT) WITH ('connector' = 'print')")
    numbers = t_env.to_data_stream(t_env.from_path("numbers"))
    sums = numbers.map(lambda row: row.n, Types.INT()).key_by(lambda n: n % 2).reduce(lambda a, b: a + b)
    t_env.from_data_stream(sums).execute_insert("sums").wait()
    assert capsys.readouterr().out.split() == ["+I[1]", "+I[2]", "+I[4]", "+I[6]"]


def test_a_black_hole_takes_all_rows(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE nothing (n INT) WITH ('connector' = 'blackhole')")
    t_env.execute_sql(
        "CREATE TABLE bad (n INT) WITH ('connector' = 'datagen', 'number-of-rows' = '3', "
        "'fields.n.min' = '0', 'fields.n.max' = '0')"
    )
    t_env.execute_sql("INSERT INTO nothing SELECT * FROM bad").wait()
    failing = t_env.to_data_stream(t_env.from_path("bad")).map(lambda row: 1 // row.n, Types.INT())
    with pytest.raises(JobExecutionError, match="division"):
        t_env.from_data_stream(failing).execute_insert("nothing").wait()


def test_tables_without_end(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(
        "CREATE TABLE generated (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100')"
    )
    assert len(t_env.to_data_stream(t_env.from_path("generated")).take(5)) == 5


def test_lines_of_parallel_subtasks_are_numbered(
    t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql(
        "CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen', 'scan.parallelism' = '2', "
        "'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '2')"
    )
    t_env.execute_sql("CREATE TABLE sink (n INT) WITH ('connector' = 'print', 'sink.parallelism' = '2')")
    t_env.execute_sql("INSERT INTO sink SELECT * FROM numbers").wait()
    assert sorted(capsys.readouterr().out.split("\n")) == ["", "1> +I[1]", "2> +I[2]"]


def test_to_pandas_has_the_columns_of_the_table(
    t_env: StreamTableEnvironment, words: DataStream[Word]
) -> None:
    frame = t_env.from_data_stream(words, "n", "text").alias("m").to_pandas()
    assert frame.to_dict("list") == {"m": [1, 2], "text": ["to", "be"]}


def test_kinds_of_rows_are_not_shown_in_batch_mode(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    result = t_env.from_data_stream(env.from_collection([1], Types.INT())).execute()
    assert result.get_result_kind() is ResultKind.SUCCESS_WITH_CONTENT
    result.print()
    lines = capsys.readouterr().out.splitlines()
    border = f"+{'-' * 13}+"
    assert lines == [border, f"| {'f0':>11} |", border, f"| {1:>11} |", border, "1 row in set"]


CLICKS = "10,1970-01-01 00:00:01\n20,1970-01-01 00:00:04\n30,1970-01-01 00:00:02\n40,1970-01-01 00:00:09\n"


class WindowEnd(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: Any) -> Any:
        yield context.window().end, [row.n for row in elements]


def test_the_times_of_a_table_are_those_of_its_stream(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text(CLICKS)
    t_env.execute_sql(
        "CREATE TABLE clicks (n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'csv')"
    )
    stream = t_env.to_data_stream(t_env.from_path("clicks"))
    windows = stream.key_by(lambda row: 0).window(TumblingEventTimeWindows.of(Time.seconds(3)))
    assert collected(windows.process(WindowEnd())) == [(3000, [10, 30]), (6000, [20]), (12_000, [40])]


def test_a_null_in_the_column_of_event_time_of_bounded_rows_is_a_null(t_env: StreamTableEnvironment) -> None:
    pair = Types.ROW_NAMED(["n", "ts"], [Types.INT(), Types.SQL_TIMESTAMP()])
    stream = t_env._streams.from_collection([(1, None)], pair)
    schema = Schema.new_builder().watermark("ts", "ts").build()
    assert rows_of(t_env.from_data_stream(stream, schema)) == [Row(n=1, ts=None)]


def test_computed_columns(t_env: StreamTableEnvironment, tmp_path: Path, host: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.csv").write_text("1,1970-01-01 00:00:01\n2,1970-01-01 00:01:00\n")
    declared = "n INT, text STRING, twice AS n * 2, ts AS TO_TIMESTAMP(text), WATERMARK FOR ts AS ts"
    for name in ("in", "out"):
        t_env.execute_sql(
            f"CREATE TABLE `{name}` ({declared}) WITH ('connector' = 'filesystem', 'format' = 'csv', "
            f"'path' = '{tmp_path}/{name}')"
        )
    table = t_env.from_path("in")
    assert table.get_schema().get_field_names() == ["n", "text", "twice", "ts"]
    times = [datetime.datetime(1970, 1, 1, 0, 0, 1), datetime.datetime(1970, 1, 1, 0, 1)]
    assert [(row.twice, row.ts) for row in rows_of(table)] == [(2, times[0]), (4, times[1])]
    t_env.execute_sql("INSERT INTO `out` SELECT n * 10, text FROM `in`").wait()
    assert sorted(row.twice for row in rows_of(t_env.from_path("out"))) == [20, 40]
    with t_env.execute_sql("DESCRIBE `in`").collect() as columns:
        digits = 6 if host == "spark" else 3  # of the times that Spark computes
        assert [row[1] for row in columns] == ["INT", "STRING", "INT", f"TIMESTAMP({digits})"]
    schema = Schema.new_builder().column_by_expression("size", "CHAR_LENGTH(text)").build()
    stream = t_env.to_data_stream(t_env.sql_query("SELECT text FROM `in`"))
    assert [row.size for row in rows_of(t_env.from_data_stream(stream, schema))] == [19, 19]
    schema = Schema.new_builder().column_by_expression("s`i", "CHAR_LENGTH(text) -- of the text").build()
    assert [row["s`i"] for row in rows_of(t_env.from_data_stream(stream, schema))] == [19, 19]


def test_columns_of_files_have_their_declared_types(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(
        '{"amount": 12.345, "at": "2024-01-02 03:04:05.9", "code": "ab", "parts": [1.25]}\n'
    )
    t_env.execute_sql(
        "CREATE TABLE declared (amount DECIMAL(10, 2), `at` TIMESTAMP(0), code CHAR(3), "
        "parts ARRAY<DECIMAL(5, 1)>)"
        f" WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '{tmp_path}')"
    )
    expected = Row(Decimal("12.35"), datetime.datetime(2024, 1, 2, 3, 4, 5), "ab ", [Decimal("1.3")])
    for query in (
        "SELECT * FROM declared",
        "SELECT amount, `at`, code, parts FROM declared WHERE amount > 1",
    ):
        assert list(map(repr, t_env.sql_query(query).execute().collect())) == [repr(expected)]
