"""Tables of Delta Lake as sources and sinks, on both hosts."""

from __future__ import annotations

import datetime
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from pystream.common import Instant, Row, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DeltaSink, DeltaSource
from pystream.errors import ConfigurationError, JobExecutionError, SourceError
from pystream.table import StreamTableEnvironment

NONE = WatermarkStrategy.no_watermarks()
VISIT = Types.ROW_NAMED(
    ["id", "page", "day", "price", "at", "tags"],
    [
        Types.LONG(),
        Types.STRING(),
        Types.SQL_DATE(),
        Types.BIG_DEC(),
        Types.INSTANT(),
        Types.LIST(Types.STRING()),
    ],
)


def visit(number: int, page: str | None) -> Row[Any]:
    price = Decimal(number).scaleb(-1).quantize(Decimal(1).scaleb(-18))
    at = Instant.of_epoch_milli(number)
    return Row(id=number, page=page, day=datetime.date(2026, 1, 1), price=price, at=at, tags=["a", "b"])


@pytest.mark.parametrize("columns", [(), ("page", "day")])
def test_what_is_written_is_read_with_its_types(
    env2: StreamExecutionEnvironment, tmp_path: Path, columns: tuple[str, ...]
) -> None:
    rows = [visit(1, "/"), visit(2, None), visit(3, "/a b%20")]
    if not columns:  # in a partition, the empty text is null, as in all Delta tables
        rows.append(Row(id=4, page="", day=None, price=None, at=None, tags=None))
    path = str(tmp_path / "visits")
    sink = DeltaSink.for_row_data(path).with_partition_columns(*columns).build()
    env2.from_collection(rows, VISIT).sink_to(sink)
    env2.execute()
    assert DeltaTable(path).metadata().partition_columns == list(columns)
    assert pa.table(DeltaTable(path).to_pyarrow_table()).num_rows == len(rows)
    source = DeltaSource.for_bounded_row_data(path).build()
    read = env2.from_source(source, NONE, "visits").execute_and_collect()
    assert sorted(read, key=lambda row: row.id) == rows
    assert source.get_produced_type() == VISIT


def test_a_version_of_the_past_is_read_without_the_columns_of_the_others(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    path = str(tmp_path / "t")
    write_deltalake(path, pa.table({"n": [1, 2], "m": [0, 0]}))
    write_deltalake(path, pa.table({"n": [3], "m": [0], "later": ["x"]}), mode="append", schema_mode="merge")
    builder = DeltaSource.for_bounded_row_data(path).version_as_of(0).column_names("n")
    assert env.from_source(builder.build(), NONE, "t").take(9) == [Row(n=1), Row(n=2)]
    latest = DeltaSource.for_bounded_row_data(path).column_names("later", "n").build()
    assert env.from_source(latest, NONE, "t").take(9) == [
        Row(later=None, n=1),
        Row(later=None, n=2),
        Row(later="x", n=3),
    ]


@pytest.mark.time_limit(90)
def test_appended_rows_follow_those_of_the_table_and_rewritten_ones_do_not(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    path = str(tmp_path / "t")
    write_deltalake(path, pa.table({"n": [1, 2], "p": ["a b", "b"]}), partition_by=["p"])
    source = DeltaSource.for_continuous_row_data(path).update_check_interval_millis(50).build()
    with env.from_source(source, NONE, "t").execute_and_collect() as rows:
        first = [next(rows) for _ in range(2)]
        write_deltalake(path, pa.table({"n": [3], "p": ["a b"]}), mode="append")
        second = [next(rows)]
        DeltaTable(path).optimize.compact()
        write_deltalake(path, pa.table({"n": [4], "p": pa.nulls(1, pa.string())}), mode="append")
        third = [next(rows)]
    assert sorted(first, key=tuple) == [Row(n=1, p="a b"), Row(n=2, p="b")]
    assert (second, third) == ([Row(n=3, p="a b")], [Row(n=4, p=None)])


@pytest.mark.time_limit(90)
def test_deleted_rows_fail_a_continuous_job_unless_they_are_ignored(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    path = str(tmp_path / "t")
    write_deltalake(path, pa.table({"n": [1]}))
    DeltaTable(path).delete("n = 1")
    write_deltalake(path, pa.table({"n": [2]}), mode="append")
    builder = DeltaSource.for_continuous_row_data(path).starting_version(0)
    with pytest.raises(
        (SourceError, JobExecutionError), match=r"version 1 .* deletes rows.*ignore_deletes\(\)"
    ):
        env.from_source(builder.build(), NONE, "t").take(2)
    ignoring = builder.ignore_deletes().build()
    assert env.from_source(ignoring, NONE, "t").take(2) == [Row(n=1), Row(n=2)]


COPYING = """
import os, signal, sys, threading, time
from deltalake import DeltaTable
from pystream.common import Configuration, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DeltaSink, DeltaSource
from pystream.engine.connectors.delta.sink import DeltaCommitter

directory, runner, is_first = sys.argv[1], sys.argv[2], sys.argv[3] == "first"
source, target = f"{directory}/source", f"{directory}/target"
commit = DeltaCommitter.commit

def die_after_commit(self, epoch, action, *, repeated=False):
    commit(self, epoch, action, repeated=repeated)
    if is_first:
        os.kill(os.getpid(), signal.SIGKILL)

DeltaCommitter.commit = die_after_commit
settings = {
    "pystream.runner": runner,
    "pystream.progress": "off",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "execution.checkpointing.dir": f"file://{directory}/state",
    "pystream.resume": str(not is_first).lower(),
}
configuration = Configuration()
for key, value in settings.items():
    configuration.set_string(key, value)
env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
rows = DeltaSource.for_continuous_row_data(source).update_check_interval_millis(50).build()
read = env.from_source(rows, WatermarkStrategy.no_watermarks(), "source").uid("source")
read.sink_to(DeltaSink.for_row_data(target).build()).uid("sink")
client = env.execute_async("copying")
while not is_first and DeltaTable(target).to_pyarrow_table().num_rows < 4:
    time.sleep(0.05)
if is_first:
    client.get_job_execution_result().result()
client.cancel().result()
"""


@pytest.mark.time_limit(180)
def test_a_job_killed_after_a_commit_neither_loses_nor_doubles_rows(host: str, tmp_path: Path) -> None:
    write_deltalake(str(tmp_path / "source"), pa.table({"n": [1, 2]}))
    script = tmp_path / "copying.py"
    script.write_text(COPYING)
    command = [sys.executable, str(script), str(tmp_path), host]
    assert subprocess.run([*command, "first"], timeout=90, check=False).returncode == -9
    target = str(tmp_path / "target")
    assert sorted(DeltaTable(target).to_pyarrow_table()["n"].to_pylist()) == [1, 2]
    write_deltalake(str(tmp_path / "source"), pa.table({"n": [3, 4]}), mode="append")
    subprocess.run([*command, "second"], timeout=90, check=True)
    assert sorted(DeltaTable(target).to_pyarrow_table()["n"].to_pylist()) == [1, 2, 3, 4]
    assert DeltaTable(target).version() == 2  # created, and appended to twice


def test_a_table_of_sql_is_appended_to_and_read(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(
        f"CREATE TABLE visits (id BIGINT, page STRING, price DECIMAL(10, 2)) WITH ('connector' = 'delta', "
        f"'table-path' = '{tmp_path}/visits')"
    )
    t_env.execute_sql("INSERT INTO visits SELECT 1, '/', CAST(1.25 AS DECIMAL(10, 2))").wait()
    t_env.execute_sql("INSERT INTO visits SELECT 3, '/c', CAST(3 AS DECIMAL(10, 2))").wait()
    rows = t_env.sql_query("SELECT id, page, price FROM visits").execute().collect()
    assert sorted(tuple(row) for row in rows) == [
        (1, "/", Decimal("1.25")),
        (3, "/c", Decimal("3.00")),
    ]
    prices = DeltaTable(str(tmp_path / "visits")).to_pyarrow_table()["price"]
    assert (str(prices.type), sorted(prices.to_pylist())) == ("decimal128(10, 2)", [Decimal("1.25"), 3])


@pytest.mark.time_limit(90)
def test_a_table_of_sql_may_go_on_with_what_is_appended(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    path = str(tmp_path / "t")
    write_deltalake(path, pa.table({"n": [1], "s": ["a"]}))
    t_env = StreamTableEnvironment.create(env)
    streaming = f"'connector' = 'delta', 'table-path' = '{path}', 'mode' = 'streaming'"
    options = f"{streaming}, 'startingVersion' = '1', 'updateCheckIntervalMillis' = '50'"
    t_env.execute_sql(f"CREATE TABLE t (s STRING, n BIGINT) WITH ({options})")
    write_deltalake(path, pa.table({"n": [2], "s": ["b"]}), mode="append")
    assert t_env.to_data_stream(t_env.from_path("t")).take(1) == [Row(s="b", n=2)]
    with pytest.raises(ConfigurationError, match="'versionAsOf' needs the mode batch"):
        t_env.execute_sql(f"CREATE TABLE u (n BIGINT) WITH ({streaming}, 'versionAsOf' = '0')")
    t_env.execute_sql(f"CREATE TABLE v (n INT) WITH ({streaming})")
    with pytest.raises(ConfigurationError, match=r"'v' has the type .*Integer.*, but its .* has .*Long"):
        t_env.from_path("v")
