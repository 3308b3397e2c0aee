"""The local host: bounded programs in this process, without Spark and Java."""

from __future__ import annotations

import os
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Configuration, RestartStrategies, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    MapFunction,
    ProcessFunction,
    RuntimeContext,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import (
    DependencyError,
    JobCancelledError,
    JobExecutionError,
    UnsupportedOperationError,
)
from pystream.testing import ManualClock, local_environment

ENDLESS = 10**12
EVENT = Types.TUPLE([Types.STRING(), Types.LONG()])


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as results:
        return list(results)


def test_the_setting_chooses_the_host() -> None:
    configuration = Configuration().set_string("pystream.runner", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    assert sorted(collected(env.generate_sequence(1, 5).map(lambda n: n * n))) == [1, 4, 9, 16, 25]


def test_explain_names_the_host_and_the_reason_for_each_path(local_env: StreamExecutionEnvironment) -> None:
    explained = (
        local_env.from_collection([1, 2, 3], Types.LONG()).map(lambda n: n + 1, Types.LONG()).explain()
    )
    assert explained.splitlines()[0] == "== physical plan for the local host =="
    assert "the local host runs only Python" in explained


def test_each_subtask_has_its_own_functions(local_env: StreamExecutionEnvironment) -> None:
    class Numbered(MapFunction):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.index = runtime_context.get_index_of_this_subtask()
            self.seen = 0

        def map(self, value: int) -> tuple[int, int]:
            self.seen += 1
            return self.index, self.seen

    local_env.set_parallelism(3)
    results = collected(local_env.from_collection(list(range(6))).rebalance().map(Numbered()))
    assert sorted(results) == [(index, seen) for index in range(3) for seen in (1, 2)]


@pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])
def test_without_a_seed_every_run_is_the_same(mode: RuntimeExecutionMode) -> None:
    def results() -> list[Any]:
        env = local_environment().set_parallelism(3)
        env.set_runtime_mode(mode)
        pairs = env.generate_sequence(1, 60).map(lambda n: (n % 7, n))
        return collected(pairs.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1])))

    assert results() == results()


def _merged(**host: Any) -> list[int]:
    env = local_environment(**host)
    low, high = env.generate_sequence(1, 30), env.generate_sequence(101, 130)
    return collected(low.union(high).rebalance().map(lambda n: n))


def test_without_a_seed_channels_advance_together() -> None:
    alternating = [n for pair in zip(range(1, 31), range(101, 131), strict=True) for n in pair]
    assert _merged(clock=ManualClock()) == alternating


def test_seeds_mix_channels_and_keep_the_order_within_each() -> None:
    runs = {tuple(_merged(seed=seed)) for seed in range(8)}
    assert len(runs) > 1
    for run in runs:
        assert [n for n in run if n < 100] == list(range(1, 31))
        assert [n for n in run if n > 100] == list(range(101, 131))


def test_runs_with_the_same_seed_have_the_same_order() -> None:
    assert _merged(seed=5) == _merged(seed=5)


class Second(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 500)), max_size=40), st.integers(0, 99))
@settings(max_examples=40)
def test_windows_do_not_depend_on_the_order_of_channels(events: list[tuple[str, int]], seed: int) -> None:
    env = local_environment(seed=seed).set_parallelism(3)
    events = sorted(events, key=lambda event: event[1])
    timed = env.from_collection(events, EVENT).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
    )
    windows = timed.key_by(lambda event: event[0]).window(TumblingEventTimeWindows(100, 0))
    counted = collected(windows.reduce(lambda one, other: (one[0], max(one[1], other[1]))))
    greatest: dict[tuple[str, int], int] = {}
    for key, moment in events:
        greatest[key, moment // 100] = max(moment, greatest.get((key, moment // 100), 0))
    assert sorted(counted) == sorted((key, moment) for (key, _), moment in greatest.items())


def test_functions_advance_the_clock_and_timers_fire_between_elements() -> None:
    class Alarm(KeyedProcessFunction):
        def process_element(self, value: tuple[str, int], ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
            timers = ctx.timer_service()
            timers.register_processing_time_timer(timers.current_processing_time() + 5)
            yield "element", value[0], timers.current_processing_time()

        def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
            yield "timer", ctx.get_current_key(), timestamp

    clock = ManualClock(1_000)

    def moved(event: tuple[str, int]) -> tuple[str, int]:
        clock.set(event[1])
        return event

    env = local_environment(clock=clock)
    events = env.from_collection([("a", 1_000), ("b", 1_003), ("a", 1_020)]).map(moved)
    assert collected(events.key_by(lambda event: event[0]).process(Alarm())) == [
        ("element", "a", 1_000),
        ("element", "b", 1_003),
        ("timer", "a", 1_005),
        ("timer", "b", 1_008),
        ("element", "a", 1_020),
        ("timer", "a", 1_025),
    ]


def test_a_failed_function_is_reported_as_on_spark(local_env: StreamExecutionEnvironment) -> None:
    def inverse(n: int) -> float:
        return 1 / n

    with pytest.raises(JobExecutionError, match=r"operator 'Map' .*ZeroDivisionError") as caught:
        collected(local_env.from_collection([2, 0]).map(inverse))
    assert "element: 0" in str(caught.value)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_all_subtasks_close_their_functions_after_a_failure(tmp_path: Path) -> None:
    class Closing(ProcessFunction):
        def close(self) -> None:
            (tmp_path / "closed").open("a").write("x")

        def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
            if value == 40:
                raise ValueError(value)
            yield value

    env = local_environment().set_parallelism(3)
    with pytest.raises(JobExecutionError, match="ValueError: 40"):
        collected(env.generate_sequence(1, 50).rebalance().process(Closing()))
    assert (tmp_path / "closed").read_text() == "xxx"


def test_a_failed_job_starts_over() -> None:
    class FailsOnce(MapFunction):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.attempt = runtime_context.get_attempt_number()

        def map(self, value: int) -> tuple[int, int]:
            if value == 2 and self.attempt == 0:
                raise OSError("gone for a moment")
            return value, self.attempt

    env = local_environment()
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    assert collected(env.from_collection([1, 2, 3]).map(FailsOnce())) == [(1, 1), (2, 1), (3, 1)]


def test_a_limit_stops_the_source(local_env: StreamExecutionEnvironment) -> None:
    assert local_env.generate_sequence(1, ENDLESS).filter(lambda n: n % 7 == 0).take(2) == [7, 14]


def test_results_arrive_while_the_job_runs_and_closing_them_ends_it(
    local_env: StreamExecutionEnvironment,
) -> None:
    with local_env.generate_sequence(1, ENDLESS).map(lambda n: -n).execute_and_collect() as results:
        assert next(results) == -1


def test_a_job_is_cancelled(local_env: StreamExecutionEnvironment) -> None:
    local_env.generate_sequence(1, ENDLESS).filter(lambda n: n < 0).print()
    client = local_env.execute_async()
    time.sleep(0.05)
    client.cancel()
    with pytest.raises(JobCancelledError):
        client.get_job_execution_result().result()


def test_elements_of_a_cache_are_computed_once(local_env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    def noted(n: int) -> int:
        (tmp_path / "calls").open("a").write("x")
        return n * 10

    cached = local_env.from_collection([1, 2, 3]).map(noted).cache()
    assert collected(cached) == collected(cached) == [10, 20, 30]
    assert (tmp_path / "calls").read_text() == "xxx"


def test_data_frames_are_refused_with_their_replacement(local_env: StreamExecutionEnvironment) -> None:
    with pytest.raises(UnsupportedOperationError, match=r"to_data_frame: only Spark .* to_arrow\(\)"):
        local_env.from_collection([1], Types.INT()).to_data_frame()


def test_another_interpreter_is_refused(local_env: StreamExecutionEnvironment) -> None:
    local_env.set_python_executable("/bin/sh")
    with pytest.raises(DependencyError, match="the local host runs functions in this process"):
        collected(local_env.from_collection([1]))


def test_functions_can_import_added_files(local_env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "shipped_numbers.py").write_text("STEP = 5\n")
    local_env.add_python_file(str(tmp_path))

    def stepped(n: int) -> int:
        import shipped_numbers  # type: ignore[import-not-found]

        return n + int(shipped_numbers.STEP)

    assert collected(local_env.from_collection([1, 2]).map(stepped)) == [6, 7]
    assert "shipped_numbers" not in sys.modules


def test_files_added_later_are_found_first(local_env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shipped_name.py").write_text(f"NAME = {name!r}\n")
    listed = {"python.files": f"{tmp_path / 'b'},{tmp_path / 'a'}"}

    def named(n: int) -> str:
        import shipped_name  # type: ignore[import-not-found]

        return str(shipped_name.NAME)

    local_env.configure(Configuration.from_dict(listed))
    assert collected(local_env.from_collection([1]).map(named)) == ["b"]
    local_env.add_python_file(str(tmp_path / "c"))
    assert collected(local_env.from_collection([1]).map(named)) == ["c"]


def test_entries_that_functions_add_to_the_path_are_kept(
    local_env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    own, added = str(tmp_path / "own"), str(tmp_path / "added")
    (tmp_path / "own").mkdir()
    local_env.add_python_file(own)

    def add(n: int) -> int:
        sys.path.append(added)
        return n

    before = list(sys.path)
    try:
        assert collected(local_env.from_collection([1]).map(add)) == [1]
        assert sys.path == [*before, added]
    finally:
        sys.path[:] = before


def test_each_job_finds_its_own_archives(tmp_path: Path) -> None:
    def read(n: int) -> str:
        time.sleep(0.01)
        return Path("data/name.txt").read_text()

    directory, running = os.getcwd(), []
    for name in ("first", "second"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr("name.txt", name)
        env = local_environment()
        env.add_python_archive(str(tmp_path / f"{name}.zip"), "data")
        running.append((name, env.generate_sequence(1, 20).map(read).execute_and_collect()))
    for name, results in running:
        assert set(results) == {name}
    assert os.getcwd() == directory
