"""Cached streams: filled by the first job, completely or not at all, and read by later ones."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from pystream.common import JobClient, Time, Types, WatermarkStrategy
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import JobExecutionError, PlanError, UnsupportedOperationError
from pystream.hosts.spark import job
from tests.behaviour.test_results_as_they_come import Gate, files, wait_until

MODES = [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH]


class Calls:
    """Counts the calls of functions in all processes."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def count_calls(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def called(value: Any) -> Any:
            with (self._directory / str(os.getpid())).open("ab", buffering=0) as file:
                file.write(b".")
            return function(value)

        return called

    def count(self) -> int:
        return sum(path.stat().st_size for path in self._directory.iterdir())


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    directory = tmp_path / "calls"
    directory.mkdir()
    return Calls(directory)


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "open")


def collected(stream: Any) -> list[Any]:
    with stream.execute_and_collect() as results:
        return list(results)


def doubled(value: int) -> int:
    return value * 2


@pytest.mark.parametrize("mode", MODES)
def test_later_jobs_read_the_results_of_the_first_one(
    env2: StreamExecutionEnvironment, calls: Calls, mode: RuntimeExecutionMode
) -> None:
    env2.set_runtime_mode(mode)
    plain = env2.generate_sequence(1, 1_000).map(doubled, Types.LONG())
    cached = env2.generate_sequence(1, 1_000).map(calls.count_calls(doubled), Types.LONG()).cache()
    assert collected(cached) == collected(plain)
    assert calls.count() == 1_000
    assert collected(cached) == collected(plain)
    assert collected(cached.map(str)) == collected(plain.map(str))
    assert calls.count() == 1_000


@pytest.mark.parametrize("type_info", [Types.STRING(), None])
def test_a_job_that_reads_a_cached_stream_twice_computes_it_once(
    env2: StreamExecutionEnvironment, calls: Calls, type_info: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    cached = env2.generate_sequence(1, 100).map(calls.count_calls(str), type_info).cache()
    for _ in range(2):
        cached.print()
        cached.key_by(len).map(lambda text: text * 2, Types.STRING()).print()
        env2.execute()
        lines = [line.partition("> ")[2] for line in capsys.readouterr().out.splitlines()]
        assert Counter(lines) == Counter(str(n) * times for n in range(1, 101) for times in (1, 2))
        assert calls.count() == 100


def test_a_cached_stream_shows_whether_it_is_filled(env: StreamExecutionEnvironment) -> None:
    cached = env.from_collection([1, 2], Types.INT()).map(doubled, Types.INT()).cache()
    assert repr(cached) == "CachedDataStream('Cache (empty)', Integer, parallelism=1)"
    assert "Cache (empty)" in cached.explain("logical")
    assert [operator.title for operator in cached.explain().operators][-1] == "Sink: Cache (empty)"
    collected(cached)
    assert repr(cached) == "CachedDataStream('Cache (filled)', Integer, parallelism=1)"
    for stage in ("logical", "physical"):
        assert [o.title for o in cached.explain(stage).operators] == ["Source: Cache (filled)"]
    cached.invalidate()
    assert "Cache (empty)" in repr(cached)


def test_take_and_show_fill_nothing(
    env: StreamExecutionEnvironment, calls: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    cached = env.generate_sequence(1, 10).map(calls.count_calls(doubled), Types.LONG()).cache()
    assert cached.take(2) == [2, 4]
    cached.show(2)
    assert "(empty)" in repr(cached)
    assert collected(cached) == list(range(2, 21, 2))
    before = calls.count()
    assert cached.take(2) == [2, 4]
    cached.show(2)
    assert calls.count() == before


def test_results_left_unread_fill_nothing(env: StreamExecutionEnvironment, gate: Gate) -> None:
    def waits(value: int) -> int:
        if value > 3:
            gate.wait()
        return value

    cached = env.generate_sequence(1, 10).map(waits, Types.LONG()).cache()
    with cached.execute_and_collect() as results:
        assert next(results) == 1
    gate.open()
    assert "(empty)" in repr(cached)
    assert collected(cached) == list(range(1, 11))


def test_a_failed_job_fills_nothing(env2: StreamExecutionEnvironment, calls: Calls) -> None:
    def positive(value: int) -> int:
        if value < 0:
            raise ValueError("negative")
        return value

    cached = env2.generate_sequence(1, 100).map(calls.count_calls(doubled), Types.LONG()).cache()
    with pytest.raises(JobExecutionError, match="negative"):
        collected(cached.map(lambda value: positive(150 - value), Types.LONG()))
    assert "(empty)" in repr(cached)
    before = calls.count()
    assert sum(collected(cached)) == 10_100
    assert calls.count() == before + 100
    with pytest.raises(JobExecutionError, match="negative"):
        collected(cached.map(lambda value: positive(150 - value), Types.LONG()))
    assert sum(collected(cached)) == 10_100
    assert calls.count() == before + 100


def test_a_restarted_job_fills_the_cache_with_the_attempt_that_succeeds(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    marker = tmp_path / "failed"

    def fails_once(value: int) -> int:
        if value == 1_000 and not marker.exists():
            marker.touch()
            raise ValueError("once")
        return value

    env2.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    cached = env2.generate_sequence(1, 1_000).map(lambda n: (n, marker.exists())).cache()
    checked = cached.map(lambda pair: fails_once(pair[0]))
    assert sorted(collected(checked)) == list(range(1, 1_001))
    assert sorted(collected(cached)) == [(n, True) for n in range(1, 1_001)]


def test_an_invalidated_cache_is_computed_again(env2: StreamExecutionEnvironment, calls: Calls) -> None:
    cached = env2.generate_sequence(1, 100).map(calls.count_calls(doubled), Types.LONG()).cache()
    cached.invalidate()
    first = collected(cached)
    cached.invalidate()
    assert collected(cached) == first
    assert calls.count() == 200
    assert collected(cached) == first
    assert calls.count() == 200


def test_files_are_removed_when_the_cache_is_invalidated(
    env: StreamExecutionEnvironment, spark: SparkSession
) -> None:
    before = set(files(spark))
    cached = env.from_collection([1]).cache()
    collected(cached)
    assert len(set(files(spark)) - before) == 1
    cached.invalidate()
    wait_until(lambda: not set(files(spark)) - before)


def test_files_are_removed_with_the_last_reference(spark: SparkSession) -> None:
    before = set(files(spark))
    cached = StreamExecutionEnvironment.get_execution_environment().from_collection([1]).cache()
    assert collected(cached) == [1]
    assert set(files(spark)) - before
    del cached
    gc.collect()
    wait_until(lambda: not set(files(spark)) - before)


def test_files_are_removed_when_the_environment_is_closed(
    env: StreamExecutionEnvironment, spark: SparkSession
) -> None:
    before = set(files(spark))
    cached = env.from_collection([1]).cache()
    collected(cached)
    env.close()
    wait_until(lambda: not set(files(spark)) - before)
    assert "(empty)" in repr(cached)


def test_elements_of_lost_files_are_computed_again(
    env: StreamExecutionEnvironment, spark: SparkSession, calls: Calls
) -> None:
    before = set(files(spark))
    cached = env.from_collection([1, 2]).map(calls.count_calls(doubled)).cache()
    collected(cached)
    (directory,) = set(files(spark)) - before
    next(path for path in directory.rglob("*") if path.is_file()).unlink()
    assert collected(cached) == [2, 4]
    assert calls.count() == 4


def test_files_remain_until_the_jobs_that_read_them_have_ended(
    env: StreamExecutionEnvironment, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    def waits(value: int) -> int:
        gate.wait()
        return value

    cached = env.generate_sequence(1, 10).cache()
    collected(cached)
    late = cached.rebalance().map(waits, Types.LONG())
    late.print()
    client = env.execute_async()
    cached.invalidate()
    gate.open()
    client.get_job_execution_result().result()
    assert capsys.readouterr().out.split() == list(map(str, range(1, 11)))


def test_a_job_from_before_an_invalidation_fills_nothing(
    env: StreamExecutionEnvironment, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    def waits(value: int) -> int:
        gate.wait()
        return value

    cached = env.generate_sequence(1, 10).map(waits, Types.LONG()).cache()
    cached.print()
    client = env.execute_async()
    cached.invalidate()
    gate.open()
    client.get_job_execution_result().result()
    assert "(empty)" in repr(cached)


def test_two_jobs_at_once_both_get_everything(
    env: StreamExecutionEnvironment, gate: Gate, calls: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    def waits(value: int) -> int:
        gate.wait()
        return value * 2

    cached = env.generate_sequence(1, 10).map(calls.count_calls(waits), Types.LONG()).cache()
    clients: list[JobClient] = []
    for _ in range(2):
        cached.print()
        clients.append(env.execute_async())
    gate.open()
    for client in clients:
        client.get_job_execution_result().result()
    printed = capsys.readouterr().out.split()
    assert Counter(map(int, printed)) == Counter(dict.fromkeys(range(2, 21, 2), 2))
    assert collected(cached) == list(range(2, 21, 2))
    assert calls.count() == 20


@dataclass
class Reading:
    sensor: str
    millis: int


class ReadingTime(TimestampAssigner[Reading]):
    def extract_timestamp(self, value: Reading, record_timestamp: int) -> int:
        return value.millis


class WithTime(ProcessFunction[Reading, str]):
    def process_element(self, value: Reading, ctx: ProcessFunction.Context) -> Iterator[str]:
        yield f"{value.millis} at {ctx.timestamp()} after {ctx.timer_service().current_watermark()}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type_info", [Types.of(Reading), None])
def test_event_times_and_watermarks_are_kept(
    env2: StreamExecutionEnvironment, mode: RuntimeExecutionMode, type_info: Any
) -> None:
    env2.set_runtime_mode(mode)
    env2._configuration.set_string("pipeline.auto-watermark-interval", "0")
    readings = [Reading(f"s{n % 3}", n * 7 % 1_000) for n in range(3_000)]
    strategy: WatermarkStrategy[Reading] = WatermarkStrategy.for_monotonous_timestamps()
    cached = (
        env2.from_collection(readings, type_info)
        .assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(ReadingTime()))
        .cache()
    )
    first = collected(cached.process(WithTime()))
    assert all(text.split()[0] == text.split()[2] for text in first)
    assert collected(cached.process(WithTime())) == first
    counts = (
        cached.map(lambda reading: (reading.sensor, 1), Types.TUPLE([Types.STRING(), Types.INT()]))
        .key_by(lambda pair: pair[0])
        .window(TumblingEventTimeWindows.of(Time.milliseconds(100)))
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
    )
    assert sorted(collected(counts)) == sorted(collected(counts))
    if mode is RuntimeExecutionMode.BATCH:  # in which no element is late
        assert sum(count for _, count in collected(counts)) == 3_000


def test_each_runtime_mode_fills_its_own_cache_once(env: StreamExecutionEnvironment, calls: Calls) -> None:
    numbers = env.from_collection([1, 2, 3], Types.INT()).map(calls.count_calls(doubled), Types.INT())
    cached = numbers.key_by(lambda n: 0).sum().cache()
    for _ in range(2):
        env.set_runtime_mode(RuntimeExecutionMode.STREAMING)
        assert collected(cached) == [2, 6, 12]
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)
        assert collected(cached) == [12]
    assert calls.count() == 6


ODD = OutputTag("odd", Types.LONG())


class Split(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[Any]:
        if value % 2:
            yield ODD, value
        else:
            yield value


def test_a_side_output_and_the_results_beside_it_can_be_cached(env2: StreamExecutionEnvironment) -> None:
    split = env2.generate_sequence(1, 10).process(Split(), Types.LONG())
    even, odd = split.cache(), split.get_side_output(ODD).cache()
    assert sorted(collected(odd)) == [1, 3, 5, 7, 9]
    assert "(filled)" in repr(odd)
    assert "(empty)" in repr(even)
    for _ in range(2):
        assert sorted(collected(odd.union(even))) == list(range(1, 11))
    with pytest.raises(PlanError, match="no side outputs"):
        even.get_side_output(ODD)


def test_a_cached_stream_made_from_a_cached_stream(env2: StreamExecutionEnvironment, calls: Calls) -> None:
    first = env2.generate_sequence(1, 10).map(calls.count_calls(doubled), Types.LONG()).cache()
    second = first.map(calls.count_calls(doubled), Types.LONG()).cache()
    for _ in range(2):
        assert sorted(collected(second)) == list(range(4, 41, 4))
    first.invalidate()
    assert sorted(collected(second.map(doubled))) == list(range(8, 81, 8))
    assert calls.count() == 20


def test_a_later_job_may_have_another_parallelism(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(3)
    cached = env.generate_sequence(1, 100).map(doubled, Types.LONG()).cache()
    assert sorted(collected(cached)) == list(range(2, 201, 2))
    env.set_parallelism(2)
    assert sorted(collected(cached.map(doubled))) == list(range(4, 401, 4))
    assert sorted(collected(cached.map(doubled).set_parallelism(5))) == list(range(4, 401, 4))
    assert sorted(collected(cached.map(doubled).set_parallelism(1))) == list(range(4, 401, 4))


@pytest.mark.parametrize("chained", [True, False])
def test_chaining_makes_no_difference_to_a_cache(env2: StreamExecutionEnvironment, chained: bool) -> None:
    stream = env2.generate_sequence(1, 10).map(doubled, Types.LONG())
    cached = (stream if chained else stream.disable_chaining()).cache()
    results = cached.map(doubled, Types.LONG())
    if not chained:
        results.disable_chaining()
    assert collected(results) == collected(results)


def test_a_stream_without_elements_can_be_cached(env2: StreamExecutionEnvironment, calls: Calls) -> None:
    cached = env2.generate_sequence(1, 5).filter(calls.count_calls(lambda n: n > 5)).cache()
    for _ in range(2):
        assert collected(cached) == []
    assert calls.count() == 5


@pytest.mark.spark_only("lifted functions run as expressions of Spark")
def test_operators_before_a_cache_may_run_as_expressions(env2: StreamExecutionEnvironment) -> None:
    cached = env2.generate_sequence(1, 1_000).map(lambda n: n * 2).filter(lambda n: n % 3 == 0).cache()
    assert "native" in cached.explain()
    for _ in range(2):
        assert sorted(collected(cached.map(lambda n: n + 1))) == list(range(7, 2_001, 6))


@pytest.mark.spark_only("lifted functions run as expressions of Spark")
def test_expressions_that_fail_fill_the_cache_in_python(env2: StreamExecutionEnvironment) -> None:
    cached = env2.generate_sequence(1, 10).map(lambda n: n * 2**62 // 2**62).cache()
    assert "native" in cached.explain()
    for _ in range(2):
        assert sorted(collected(cached)) == list(range(1, 11))


def test_a_cached_stream_can_become_a_table(
    env2: StreamExecutionEnvironment, calls: Calls, spark: SparkSession
) -> None:
    cached = env2.generate_sequence(1, 100).map(calls.count_calls(doubled), Types.LONG()).cache()
    empty = cached.to_data_frame()
    assert empty.count() == 100
    assert "(empty)" in repr(cached)
    assert cached.to_arrow().num_rows == 100
    before = calls.count()
    frame = cached.map(lambda n: n + 1, Types.LONG()).to_data_frame()
    assert len(cached.to_pandas()) == 100
    assert frame.selectExpr("sum(value)").first()[0] == 10_200
    assert calls.count() == before


def test_a_table_can_be_read_after_an_invalidation(
    env2: StreamExecutionEnvironment, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = set[Any]()
    monkeypatch.setattr(job, "_CACHED_FOR_TABLES", kept)
    before = set(files(spark))
    cached = env2.generate_sequence(1, 100).cache()
    collected(cached)
    (directory,) = set(files(spark)) - before
    cached.to_data_frame()
    even = cached.to_data_frame().where("value % 2 = 0")  # the only reference to the table
    cached.invalidate()
    gc.collect()
    assert even.count() == 50
    assert len(kept) == 1
    kept.clear()
    wait_until(lambda: not directory.exists())


def test_vectorised_functions_can_follow_a_cache(env2: StreamExecutionEnvironment) -> None:
    def plus_one(values: pd.Series) -> pd.Series:
        return values + 1

    table = pa.table({"n": range(1_000)})
    cached = env2.from_arrow(table).map(lambda row: row.n, Types.LONG()).cache()
    for _ in range(2):
        assert sorted(collected(cached.map(plus_one, Types.LONG()))) == list(range(1, 1_001))


def test_metrics_are_those_of_the_job(env: StreamExecutionEnvironment) -> None:
    class Counting(ProcessFunction[int, int]):
        def open(self, runtime_context: Any) -> None:
            self.counter = runtime_context.get_metrics_group().counter("seen")

        def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
            self.counter.inc()
            yield value

    cached = env.from_source(
        NumberSequenceSource(1, 10), WatermarkStrategy.no_watermarks(), "numbers", Types.LONG()
    ).process(Counting(), Types.LONG())
    stream = cached.cache()
    stream.rebalance().map(doubled).print()
    first = env.execute()
    stream.rebalance().map(doubled).print()
    second = env.execute()
    assert [
        sum(value for name, value in result.get_all_accumulator_results().items() if "seen" in str(name))
        for result in (first, second)
    ] == [10, 0]


@pytest.mark.spark_only("the local host has no workers")
def test_a_cluster_is_refused_by_name(
    env: StreamExecutionEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "shared_directory", lambda spark: None)
    with pytest.raises(UnsupportedOperationError, match=r"cache\(\).*FileSink"):
        collected(env.from_collection([1]).cache())


def test_files_are_removed_when_the_program_ends(tmp_path: Path) -> None:
    program = """
        import tempfile
        from pathlib import Path
        from pystream.datastream import StreamExecutionEnvironment
        from pystream.hosts.spark.session import get_session

        env = StreamExecutionEnvironment.get_execution_environment()
        cached = env.from_collection([1, 2]).map(lambda n: n + 1).cache()
        list(cached.execute_and_collect())
        place = Path(get_session({}).sparkContext._temp_dir)
        assert len(list(place.glob("pystream-*"))) == 1
        print(place)
    """
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    place = Path(ran.stdout.split()[-1])
    deadline = time.monotonic() + 60
    while list(place.glob("pystream-*")):
        assert time.monotonic() < deadline, "files are left"
        time.sleep(0.1)


def test_a_subtask_that_spark_repeats_fills_the_cache_once(tmp_path: Path) -> None:
    """The cache holds the results of the last run of each subtask, as do the operators after it."""
    program = """
        import random
        from pathlib import Path
        from pystream.common import Types
        from pystream.datastream import MapFunction, StreamExecutionEnvironment

        class FailsAtItsFirstEnd(MapFunction):
            def open(self, runtime_context):
                self.ended = Path(f"ended-{runtime_context.get_index_of_this_subtask()}").absolute()

            def map(self, value):
                return value

            def close(self):
                if not self.ended.exists():
                    self.ended.touch()
                    raise ValueError("first end")

        env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(4)
        cached = env.generate_sequence(1, 8).map(lambda n: random.random()).cache()
        went_on = list(cached.map(FailsAtItsFirstEnd()).disable_chaining().execute_and_collect())
        assert repr(cached).startswith("CachedDataStream('Cache (filled)'")
        assert list(cached.execute_and_collect()) == went_on
        assert len(list(Path().glob("ended-*"))) == 4
        print("the same")
    """
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    ran = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"SPARK_MASTER": "local[2,2]", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.stdout == "the same\n", ran.stderr
