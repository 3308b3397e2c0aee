"""Native steps and Spark's own streams in unbounded jobs, and unbounded programs as streaming tables."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from pystream.common import Configuration, Duration, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import CheckpointError, UnsupportedOperationError
from tests.explained import paths

NAMED = Types.ROW_NAMED(["key", "n"], [Types.STRING(), Types.LONG()])


@pytest.fixture
def env(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    env.configure(Configuration().set_string("pystream.batch-interval", "200 ms"))
    return env


def numbers(env: StreamExecutionEnvironment, function: Callable[[int], int]) -> DataStream[int]:
    source = DataGeneratorSource(function, DataGeneratorSource.UNBOUNDED, type_info=Types.LONG())
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")


def first(stream: DataStream[Any], count: int) -> list[Any]:
    with stream.execute_and_collect() as results:
        return list(islice(results, count))


def ticks(spark: SparkSession, rows: int = 5) -> DataFrame:
    reader = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", rows)
    return reader.option("numPartitions", 3).load().select("value")


def test_spark_makes_numbers_and_applies_native_steps(env: StreamExecutionEnvironment) -> None:
    kept = numbers(env, lambda n: n * 3).filter(lambda n: n % 2 == 0).map(lambda n: n - 1, Types.LONG())
    assert paths(kept) == ["native"] * 3
    assert first(kept, 50_000) == list(islice((n * 3 - 1 for n in range(0, 10**6, 2)), 50_000))


def test_subtasks_with_native_steps_beside_one_without(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(2)
    even = numbers(env, lambda n: n * 2).map(lambda n: n + 0, Types.LONG())
    odd = numbers(env, lambda n: n * 2 + 1).map(str, Types.STRING()).map(int, Types.LONG())
    got = first(odd.union(even, even.map(lambda n: -n, Types.LONG())), 100_000)
    assert len(set(got)) == len(got) - (got.count(0) == 2)
    assert {n % 2 for n in got} == {0, 1}
    assert min(got) < 0


def test_continues_in_python_if_an_expression_cannot_handle_the_data(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    remainders = numbers(env, lambda n: n * 2**45 % 7)  # overflows a LONG from 2**18 on, after several epochs
    totals = remainders.key_by(lambda n: 0, Types.INT()).reduce(lambda a, b: a + b)
    assert paths(totals)[0] == "native"
    count = 300_000
    with caplog.at_level(logging.WARNING, "pystream"):
        got = first(totals, count)
    assert got == list(accumulate(n * 2**45 % 7 for n in range(count)))
    assert "continues in Python" in caplog.text


def test_windows_over_a_stream_of_spark(env: StreamExecutionEnvironment, spark: SparkSession) -> None:
    class Value(TimestampAssigner[Any]):
        def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
            return int(value.value)

    env.set_parallelism(2)
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(20))
    rows = env.from_data_frame(ticks(spark)).filter(lambda row: row.value % 2 == 0)
    counts = (
        rows.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(Value()))
        .map(lambda row: (row.value % 4, 1), Types.TUPLE([Types.LONG(), Types.LONG()]))
        .key_by(lambda pair: pair[0], Types.LONG())
        .window(TumblingEventTimeWindows.of(Time.milliseconds(20)))
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
    )
    assert paths(rows) == ["native"]
    assert sorted(first(counts, 6)) == [(0, 5)] * 3 + [(2, 5)] * 3


def feed(folder: Path, name: str, rows: list[tuple[str, int]]) -> None:
    text = "".join(json.dumps({"key": key, "n": n}) + "\n" for key, n in rows)
    hidden = folder / f".{name}"
    hidden.write_text(text)
    hidden.rename(folder / name)


def totals_of(spark: SparkSession, folder: Path, where: Path, *, resume: bool) -> DataStream[Any]:
    settings = Configuration()
    settings.set_string("execution.checkpointing.dir", str(where))
    settings.set_string("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION")
    settings.set_string("pystream.batch-interval", "200 ms")
    settings.set_string("pystream.resume", str(resume).lower())
    env = StreamExecutionEnvironment.get_execution_environment(settings).set_parallelism(2)
    frame = spark.readStream.schema("key string, n long").option("maxFilesPerTrigger", 1).json(str(folder))
    rows = env.from_data_frame(frame).filter(lambda row: row.n >= 0)
    pairs = rows.map(lambda row: (row.key, row.n), Types.TUPLE([Types.STRING(), Types.LONG()]))
    return pairs.key_by(lambda pair: pair[0], Types.STRING()).reduce(lambda a, b: (a[0], a[1] + b[1]))


def test_a_stream_of_files_resumes_where_it_stopped(spark: SparkSession, tmp_path: Path) -> None:
    folder, where = tmp_path / "in", tmp_path / "jobs"
    folder.mkdir()
    feed(folder, "1.json", [("a", 1), ("b", 10), ("a", -5)])
    feed(folder, "2.json", [("a", 2)])
    first_run = first(totals_of(spark, folder, where, resume=False), 3)
    assert sorted(first_run) == [("a", 1), ("a", 3), ("b", 10)]
    feed(folder, "3.json", [("b", 20), ("a", 4)])
    assert sorted(first(totals_of(spark, folder, where, resume=True), 2)) == [("a", 7), ("b", 30)]


def test_starting_from_a_savepoint_is_refused(spark: SparkSession, env: StreamExecutionEnvironment) -> None:
    env.configure(Configuration().set_string("execution.savepoint.path", "/nowhere"))
    with pytest.raises(CheckpointError, match="no positions of streaming DataFrames"):
        first(env.from_data_frame(ticks(spark)), 1)


def test_the_local_host_refuses_streams_of_spark(
    spark: SparkSession, env: StreamExecutionEnvironment
) -> None:
    env.configure(Configuration().set_string("pystream.runner", "local"))
    with pytest.raises(UnsupportedOperationError, match="only Spark reads its data frames"):
        first(env.from_data_frame(ticks(spark)), 1)


def test_a_frame_at_rest_is_refused(spark: SparkSession, env: StreamExecutionEnvironment) -> None:
    stream = env.from_data_frame(ticks(spark)).union(env.from_data_frame(spark.range(3).toDF("value")))
    with pytest.raises(UnsupportedOperationError, match="streaming DataFrames only"):
        first(stream, 1)


def test_a_streaming_table_without_python(
    spark: SparkSession, env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = env.from_data_frame(ticks(spark, 4)).filter(lambda row: row.value % 2 == 1)
    table = rows.map(lambda row: ("n", row.value * 10), NAMED).to_data_frame()
    assert table.isStreaming
    capsys.readouterr()
    table.explain()
    assert "MapInArrow" not in capsys.readouterr().out
    assert collected(table, tmp_path) == [("n", 10), ("n", 30)]


def test_a_streaming_table_by_python_functions(
    spark: SparkSession, env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    def doubled(row: Any) -> Any:
        return [str(row.value)] * 2

    table = env.from_data_frame(ticks(spark, 2)).flat_map(doubled, Types.STRING()).to_data_frame()
    assert collected(table, tmp_path) == [("0",), ("0",), ("1",), ("1",)]


def collected(table: DataFrame, where: Path) -> list[Any]:
    """Return the sorted rows of the first micro-batch of a table."""
    found: list[Any] = []

    def take(frame: DataFrame, number: int) -> None:
        if number == 0:
            found.extend(sorted(map(tuple, frame.collect())))

    query = table.writeStream.option("checkpointLocation", str(where / "table")).foreachBatch(take).start()
    try:
        while not found:
            query.awaitTermination(1)
    finally:
        query.stop()
    return found


def test_streaming_tables_that_need_epochs_are_refused(
    spark: SparkSession, env: StreamExecutionEnvironment
) -> None:
    rows = env.from_data_frame(ticks(spark))
    keyed = rows.key_by(lambda row: row.value, Types.LONG()).reduce(lambda a, b: a)
    for stream, message in [
        (numbers(env, lambda n: n), "'numbers' is not"),
        (keyed, "'Reduce' keeps state"),
        (rows.rebalance().map(lambda row: row), "come from other subtasks"),
    ]:
        with pytest.raises(UnsupportedOperationError, match=message):
            stream.to_data_frame()
