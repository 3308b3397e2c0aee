"""Queries over unbounded tables have the results that PyFlink has in streaming mode for the same rows.

All queries of a file are one job, in which each has sources of its own.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Instant, Row, TypeInformation, Types
from pystream.datastream import DataStream, SourceContext, SourceFunction, StreamExecutionEnvironment
from pystream.table import Schema, StreamTableEnvironment, Table
from pystream.table.expressions import col
from tests.oracle_modules import oracle_module

harness = oracle_module("unbounded_sql/harness")

PATIENCE = 100  # seconds
FILLERS = 100  # results of fillers after which nothing else is expected
PAUSE = 0.05  # seconds between rows of the far future
TYPES: dict[str, TypeInformation[Any]] = {
    "STRING": Types.STRING(),
    "INT": Types.INT(),
    "DOUBLE": Types.DOUBLE(),
    "DECIMAL(10, 2)": Types.BIG_DEC(),
    "TIMESTAMP(3)": Types.SQL_TIMESTAMP(),
    "TIMESTAMP_LTZ(3)": Types.INSTANT(),
}
FILES = {path.stem: path for path in harness.query_files()}
COLUMNS = FILES["columns"]
ORDERED = ("aggregates", "first_rows", "grouping_sets", "over_values", "retractions")
"""The files of queries whose results depend on the order of rows of different keys."""
CHANGES = ("joins", "interval_joins", "laterals", "subqueries")
"""The files of queries whose changes depend on the order of their inputs."""
ON_SPARK: dict[str, dict[str, tuple[str, ...]]] = {
    "rows": {
        "calculations": ("bounded_groups_joined_with_unbounded_rows",),
        "columns": (
            "aggregates_of_each_type",
            "distinct_rows",
            "hop_with_offset",
            "session_with_key",
            "join_of_three",
            "updates_of_a_join",
            "interval_join_between",
            "windows_of_a_union",
        ),
        "expressions": ("filtered_aggregates",),
        "group_windows": ("session_groups",),
        "local_windows": ("days",),
        "over": ("over_a_range", "each_aggregate_over_rows"),
        "over_expressions": ("over_expressions_of_filtered_rows",),
        "patterns": ("drops_within_a_time", "windows_of_matches"),
        "temporal_joins": ("rows_without_versions",),
        "unnest": ("left_join_with_ordinality", "left_join_of_updated_rows", "windows"),
        "window_ranks": ("window_top_n_after_aggregation",),
        "windows": ("join_in_windows",),
        "windows_of_conditions": ("windows_with_a_key_of_a_bound",),
    },
    "rows in order": {
        "first_rows": (
            "first_rows_with_numbers",
            "first_rows_of_growing_counts",
            "last_rows_by_time",
            "first_rows_by_arrival",
            "order_by_limit",
            "limit_offset",
            "order_by_time",
        ),
        "aggregates": ("arrays_of_updates", "arrays_in_windows"),
        "over_values": ("sums_by_value", "sums_of_updates_by_value"),
        "grouping_sets": ("rollup_of_updates", "windows_with_grouping_sets"),
        "retractions": ("counts_of_counts", "last_value_of_updates", "groups_of_last_rows"),
    },
    "changes": {
        "subqueries": ("not_in_subquery", "count_with_key", "intersect_all"),
        "interval_joins": ("full_interval_join_with_another_condition", "windows_of_a_left_interval_join"),
        "laterals": ("counts_of_each_row_or_none", "first_rows_of_each_row"),
        "joins": (
            "full_join",
            "left_join_of_updates",
            "left_join_with_a_bounded_table",
            "join_without_an_equality",
            "left_join_on_one_bound",
        ),
    },
}
"""Queries of each kind of operator, and of each way in which inputs reach one, by job and file.

The others have the same operators, on which the hosts do not differ.
"""
RESULT = Types.PICKLED_BYTE_ARRAY()


def row_of(values: Sequence[Any]) -> Row[Any]:
    """Return the row of some values; a datetime in UTC is an instant."""
    return Row(*(Instant.of_datetime(v) if isinstance(v, datetime) and v.tzinfo else v for v in values))


class Given(SourceFunction[Row[Any]]):
    """Emits the parts of a table, each in an epoch of its own, and then a row of the far future, repeatedly.

    Args:
        table: the table.
        signs: for the first row of each part, the file that exists once it has been processed.
    """

    def __init__(self, table: Any, signs: Sequence[Path]) -> None:
        self.table = table
        self.signs = signs
        self.is_running = True

    def run(self, ctx: SourceContext[Row[Any]], /) -> None:
        for part, processed in zip(self.table.parts, self.signs, strict=True):
            with ctx.get_checkpoint_lock():
                for values in part:
                    ctx.collect(row_of(values))
            deadline = time.monotonic() + PATIENCE
            while self.is_running and not processed.exists():
                assert time.monotonic() < deadline, f"{processed} was not processed"
                time.sleep(0.005)
        while self.is_running:
            ctx.collect(row_of(self.table.filler()))
            time.sleep(PAUSE)

    def cancel(self) -> None:
        self.is_running = False


def given(env: StreamExecutionEnvironment, name: str, directory: Path) -> DataStream[Row[Any]]:
    """Return the rows of a table."""
    table = harness.TABLES[name]
    names, kinds = zip(*table.columns, strict=True)
    row = Types.ROW_NAMED(list(names), [TYPES[kind] for kind in kinds])
    if not table.watermark:
        return env.from_collection([Row(*values) for part in table.parts for values in part], row)
    directory.mkdir(parents=True)
    firsts = [tuple(row_of(part[0])) for part in table.parts]

    def leave_sign(value: Row[Any]) -> Row[Any]:
        if tuple(value) in firsts:
            (directory / str(firsts.index(tuple(value)))).touch()
        return value

    signs = [directory / str(number) for number in range(len(firsts))]
    return env.add_source(Given(table, signs), name, row).map(leave_sign, row)


def tables_of(env: StreamExecutionEnvironment, directory: Path, queries: str = "") -> StreamTableEnvironment:
    """Return a table environment with all tables and views, and the views for the queries of a file."""
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone(harness.ZONES.get(queries, "UTC"))
    for name, table in harness.TABLES.items():
        schema = Schema.new_builder()
        for column, kind in table.columns:
            schema = schema.column(column, kind)
        if table.watermark:
            schema = schema.watermark("ts", table.watermark)
        stream = given(env, name, directory / name)
        t_env.create_temporary_view(name, t_env.from_data_stream(stream, schema.build()))
    for view in (*harness.VIEWS, *harness.VIEWS_OF.get(queries, ())):
        t_env.execute_sql(view)
    return t_env


def labelled(t_env: StreamTableEnvironment, name: str, table: Table) -> DataStream[Any]:
    """Return the changes of a table, each with the name of its query and the kind of its row."""

    def label(row: Row[Any]) -> tuple[str, list[Any]]:
        return name, [str(row.get_row_kind()), *row]

    return t_env.to_changelog_stream(table).map(label, RESULT)


def columns_of(table: Table) -> list[list[str]]:
    schema = table.get_schema()
    columns = zip(schema.get_field_names(), map(str, schema.get_field_data_types()), strict=True)
    return [["kind", "STRING"], *map(list, columns)]


def results_of(streams: Mapping[str, DataStream[Any]], counts: Mapping[str, int]) -> dict[str, list[Any]]:
    """Return the first results of each stream; those that have come when the time is up."""
    found: dict[str, list[Any]] = {name: [] for name in streams}
    first, *others = streams.values()
    with first.union(*others).execute_and_collect() as results:
        for name, row in _until_late(results):
            if not harness.is_of_filler(row) and len(found[name]) < counts[name]:
                found[name].append([harness.tag(value) for value in row])
            if all(len(found[name]) == counts[name] for name in streams):
                break
    return found


def changes_until_as_recorded(
    streams: Mapping[str, DataStream[Any]], problems: Callable[[Mapping[str, list[Any]]], list[str]]
) -> dict[str, list[Any]]:
    """Return the changes of each stream up to where there are no problems, and only fillers follow."""
    found: dict[str, list[Any]] = {name: [] for name in streams}
    first, *others = streams.values()
    fillers = 0
    with first.union(*others).execute_and_collect() as results:
        for name, row in _until_late(results):
            if harness.is_of_filler(row):
                fillers += 1
            else:
                fillers = 0
                found[name].append([harness.tag(value) for value in row])
            if fillers == FILLERS:
                fillers = 0
                if not problems(found):
                    break
    return found


def _until_late(results: Iterator[Any]) -> Iterator[Any]:
    deadline = time.monotonic() + PATIENCE
    for result in results:
        yield result
        if time.monotonic() > deadline:
            return


def tables_of_queries(
    queries: Mapping[str, Sequence[str]], env: StreamExecutionEnvironment, directory: Path
) -> tuple[dict[str, Any], dict[str, Any], dict[str, DataStream[Any]]]:
    """Return the recorded results of queries, the columns they have here, and their changes.

    Args:
        queries: their names by file; none for all of a file.
        env: the environment of the job.
        directory: where sources find what has been processed.
    """
    recorded: dict[str, Any] = {}
    streams, columns = {}, {}
    for file, names in queries.items():
        of_file = harness.recorded(FILES[file])
        assert {name: outcome["query"] for name, outcome in of_file.items()} == harness.queries(FILES[file])
        for name in names or of_file:
            assert name not in recorded
            recorded[name] = of_file[name]
            t_env = tables_of(env, directory / name, file)
            table = t_env.sql_query(of_file[name]["query"])
            columns[name] = columns_of(table)
            streams[name] = labelled(t_env, name, table)
    return recorded, columns, streams


def differences(recorded: dict[str, Any], columns: dict[str, Any], rows: Mapping[str, Any]) -> list[str]:
    return [
        f"{name}: {problem}"
        for name, outcome in recorded.items()
        if (problem := harness.difference(outcome, {"columns": columns[name], "rows": rows[name]}))
    ]


def problems_of(
    queries: Mapping[str, Sequence[str]], env: StreamExecutionEnvironment, directory: Path
) -> list[str]:
    """Return how the results of queries differ from the recorded ones."""
    recorded, columns, streams = tables_of_queries(queries, env, directory)
    found = results_of(streams, {name: len(outcome["rows"]) for name, outcome in recorded.items()})
    return differences(recorded, columns, found)


def problems_of_changes(
    queries: Mapping[str, Sequence[str]], env: StreamExecutionEnvironment, directory: Path
) -> list[str]:
    """Return how the tables that the results of queries leave differ from the recorded ones."""
    recorded, columns, streams = tables_of_queries(queries, env, directory)
    expected = {
        name: {**outcome, "rows": harness.applied(outcome["rows"])} for name, outcome in recorded.items()
    }

    def problems(found: Mapping[str, list[Any]]) -> list[str]:
        return differences(expected, columns, {name: harness.applied(rows) for name, rows in found.items()})

    return problems(changes_until_as_recorded(streams, problems))


@pytest.mark.local_only("queries of each kind run on Spark together")
@pytest.mark.time_limit(180)
@pytest.mark.parametrize("name", [name for name in FILES if name not in CHANGES])
def test_queries_have_the_results_of_flink(
    env: StreamExecutionEnvironment, tmp_path: Path, name: str
) -> None:
    if name in ORDERED:
        env.set_parallelism(1)
    assert problems_of({name: ()}, env, tmp_path) == []


@pytest.mark.local_only("queries of each kind run on Spark together")
@pytest.mark.time_limit(180)
@pytest.mark.parametrize("name", CHANGES)
def test_queries_leave_the_rows_of_flink(env: StreamExecutionEnvironment, tmp_path: Path, name: str) -> None:
    assert problems_of_changes({name: ()}, env, tmp_path) == []


@pytest.mark.spark_only("all queries run on the local host")
@pytest.mark.time_limit(180)
@pytest.mark.parametrize("job", ["rows", "rows in order"])
def test_queries_of_each_kind_have_the_results_of_flink(
    env: StreamExecutionEnvironment, tmp_path: Path, job: str
) -> None:
    if job == "rows in order":
        env.set_parallelism(1)
    assert problems_of(ON_SPARK[job], env, tmp_path) == []


@pytest.mark.spark_only("all queries run on the local host")
@pytest.mark.time_limit(180)
def test_joins_of_each_kind_leave_the_rows_of_flink(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    assert problems_of_changes(ON_SPARK["changes"], env, tmp_path) == []


def test_queries_of_each_file_run_on_spark() -> None:
    assert {file for files in ON_SPARK.values() for file in files} == FILES.keys()


@pytest.mark.local_only("operators are the same on both hosts")
def test_the_current_watermark_is_that_of_the_rows_before(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    t_env = tables_of(env, tmp_path)
    query = """
        SELECT ts, CURRENT_WATERMARK(ts) AS w FROM sales
        WHERE CURRENT_WATERMARK(ts) IS NULL OR CURRENT_WATERMARK(ts) > TIMESTAMP '2020-01-01 00:00:00'
    """
    found = []
    with t_env.sql_query(query).execute().collect() as rows:
        for row in rows:
            if row.ts == harness.FUTURE:
                break
            found.append((row.ts, row.w))
    parts = [[values[-1] for values in part] for part in harness.TABLES["sales"].parts]
    assert [at for at, _ in found] == [at for part in parts for at in part]
    delay = timedelta(seconds=2)
    before: list[datetime] = []
    for part in parts:
        known = max(before) - delay if before else None
        for at in part:
            watermark = found[len(before)][1]
            assert watermark is None if not before else known is None or watermark >= known
            assert watermark is None or watermark <= max(before) - delay
            before.append(at)


def with_columns_of(name: str, table: Table) -> Table:
    """Return a table whose columns have the names of those of a recorded query."""
    return table.alias(*(column for column, _ in harness.recorded(COLUMNS)[name]["columns"][1:]))


@pytest.mark.local_only("the plans are those of queries")
@pytest.mark.time_limit(120)
def test_relational_methods_have_the_results_of_the_same_queries(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    methods: dict[str, Callable[[StreamTableEnvironment], Table]] = {
        "key_not_selected": lambda t_env: (
            t_env.from_path("sales").group_by(col("shop")).select(col("shop"), col("amount").max)
        ),
        "distinct_rows": lambda t_env: t_env.from_path("sales").select(col("shop"), col("amount")).distinct(),
        "join_with_a_bounded_table": lambda t_env: (
            t_env.from_path("sales")
            .join(t_env.from_path("shops").alias("name", "city"), col("shop") == col("name"))
            .select(col("city"), col("item"), col("amount"))
        ),
        "union_all": lambda t_env: (
            t_env.from_path("sales")
            .select(col("shop"), col("item"), col("price"), col("ts"))
            .union_all(t_env.from_path("returned").select(col("shop"), col("item"), col("price"), col("ts")))
        ),
    }
    recorded = harness.recorded(COLUMNS)
    streams, columns = {}, {}
    for name, method in methods.items():
        t_env = tables_of(env, tmp_path / name)
        table = with_columns_of(name, method(t_env))
        columns[name] = columns_of(table)
        streams[name] = labelled(t_env, name, table)
    found = results_of(streams, {name: len(recorded[name]["rows"]) for name in methods})
    for name in methods:
        observed = {"columns": columns[name], "rows": found[name]}
        assert harness.difference(recorded[name], observed) is None


@pytest.mark.local_only("the plans are those of queries")
@pytest.mark.time_limit(120)
def test_methods_for_first_rows_have_the_results_of_the_same_queries(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    env.set_parallelism(1)
    recorded = {**harness.recorded(FILES["first_rows"]), **harness.recorded(FILES["retractions"])}
    methods: dict[str, Callable[[Table], Table]] = {
        "order_by_limit": lambda sales: (
            sales.order_by(col("amount").desc, col("item"))
            .fetch(3)
            .select(col("shop"), col("item"), col("amount"))
        ),
        "order_by_limit_offset": lambda sales: (
            sales.select(col("item").alias("thing"), col("amount"))
            .order_by(col("thing"), col("amount"))
            .offset(1)
            .fetch(2)
        ),
        "limit_of_rows": lambda sales: sales.select(col("shop"), col("amount")).limit(4),
        "order_by_time": lambda sales: sales.order_by(col("ts").asc).select(
            col("ts"), col("shop"), col("amount")
        ),
        "distinct_updates": lambda sales: (
            sales.group_by(col("shop")).select(col("amount").count.alias("n")).distinct()
        ),
    }
    streams, columns = {}, {}
    for name, method in methods.items():
        t_env = tables_of(env, tmp_path / name)
        table = method(t_env.from_path("sales"))
        columns[name] = columns_of(table)
        streams[name] = labelled(t_env, name, table)
    found = results_of(streams, {name: len(recorded[name]["rows"]) for name in methods})
    for name in methods:
        observed = {"columns": columns[name], "rows": found[name]}
        assert harness.difference(recorded[name], observed) is None


@pytest.mark.time_limit(120)
def test_an_aggregation_as_a_stream_of_retractions(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    recorded = harness.recorded(COLUMNS)["key_not_selected"]
    t_env = tables_of(env, tmp_path)
    table = t_env.sql_query(recorded["query"])
    pair: list[TypeInformation[Any]] = [Types.of(str | None), Types.of(int | None)]
    targets: list[TypeInformation[Any]] = [Types.TUPLE(pair), Types.ROW(pair)]
    expected = [(row[0] in ("+I", "+U"), tuple(row[1:])) for row in recorded["rows"]]
    for target in targets:
        found = t_env.to_retract_stream(table, target).take(len(expected))
        assert [(is_added, tuple(element)) for is_added, element in found] == expected


@pytest.mark.time_limit(120)
def test_an_aggregation_is_printed_with_the_kinds_of_its_rows(
    env: StreamExecutionEnvironment, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    recorded = harness.recorded(COLUMNS)["key_not_selected"]
    t_env = tables_of(env, tmp_path)
    t_env.execute_sql("CREATE TABLE shown (shop STRING, largest INT) WITH ('connector' = 'print')")
    client = t_env.execute_sql(f"INSERT INTO shown {recorded['query']}").get_job_client()
    assert client is not None
    expected = [f"{kind}[{shop}, {n}]".replace("None", "null") for kind, shop, n in recorded["rows"]]
    printed: list[str] = []
    deadline = time.monotonic() + PATIENCE
    while len(printed) < len(expected) and time.monotonic() < deadline:
        printed += capfd.readouterr().out.splitlines()
        time.sleep(0.01)
    client.cancel().result()
    assert printed[: len(expected)] == expected


PROGRAM = """
import sys
from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment

settings = Configuration.from_dict(
    {"pystream.runner": "local", "execution.checkpointing.dir": sys.argv[1], "pystream.progress": "off"}
)
t_env = StreamTableEnvironment.create(StreamExecutionEnvironment.get_execution_environment(settings))
t_env.execute_sql("CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100')")
t_env.execute_sql("CREATE TABLE output (n INT, c BIGINT) WITH ('connector' = 'print')")
t_env.execute_sql("INSERT INTO output SELECT n, COUNT(*) FROM numbers GROUP BY n").wait()
"""


@pytest.mark.time_limit(60)
def test_a_signal_ends_an_insert_after_the_epoch_so_that_it_can_resume(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        assert "+I[" in program.stdout.readline()
        program.send_signal(signal.SIGTERM)
        _, errors = program.communicate()
    finally:
        program.kill()
    assert (program.returncode, errors) == (0, "")
    assert len(list(tmp_path.glob("*/job.json"))) == 1
