"""Unbounded jobs on the local host that are killed or stopped, and resume."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pystream.common import Configuration, Encoder, RestartStrategies, Types, WatermarkStrategy
from pystream.datastream import (
    KeyedProcessFunction,
    RuntimeContext,
    SourceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.connectors.file_system import FileSink
from pystream.datastream.state import ValueStateDescriptor
from pystream.errors import CheckpointError, JobExecutionError
from pystream.testing import local_environment

KEYS = 7
PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


class Count(KeyedProcessFunction[int, int, tuple[int, int]]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[tuple[int, int]]:
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        yield ctx.get_current_key(), count


def environment(directory: Path | None = None, *, resume: bool = False) -> StreamExecutionEnvironment:
    configuration = Configuration()
    if directory is not None:
        configuration.set_string("execution.checkpointing.dir", str(directory))
    retention = "execution.checkpointing.externalized-checkpoint-retention"
    configuration.set_string(retention, "RETAIN_ON_CANCELLATION")
    configuration.set_string("pystream.resume", str(resume).lower())
    return local_environment(configuration)


def counts(env: StreamExecutionEnvironment) -> Any:
    source = DataGeneratorSource(
        int, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(2_000), type_info=Types.LONG()
    )
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
    return numbers.key_by(lambda number: number % KEYS, Types.LONG()).process(Count(), PAIR)


def taken(env: StreamExecutionEnvironment, number: int) -> list[tuple[int, int]]:
    """Return some elements of a run of the job, which then ends."""
    with counts(env).execute_and_collect("counts") as results:
        return [next(results) for _ in range(number)]


def test_a_stopped_job_resumes_with_its_state(tmp_path: Path) -> None:
    first = taken(environment(tmp_path), 100)
    assert first == [(number % KEYS, number // KEYS + 1) for number in range(100)]
    assert (tmp_path / "counts" / "local").exists()
    assert json.loads((tmp_path / "counts" / "job.json").read_text())["runner"] == "local"
    again = taken(environment(tmp_path, resume=True), 100)
    assert again[0] not in first
    assert again[0][1] > 10
    with pytest.raises(CheckpointError, match="has state in"):
        taken(environment(tmp_path), 1)


def test_a_job_without_a_directory_stores_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pystream.hosts.local.state_log.write_checked", None)
    assert len(taken(environment(), 100)) == 100


@pytest.mark.parametrize("lost", ["local", "damaged", "last"])
def test_a_job_does_not_resume_from_state_that_is_lost(tmp_path: Path, lost: str) -> None:
    taken(environment(tmp_path), 100)
    state = tmp_path / "counts" / "local"
    files = sorted(state.iterdir(), key=lambda path: int(path.name.partition(".")[0]))
    assert len(files) > 1
    for file in files if lost == "local" else files[-2:] if lost == "last" else ():
        file.unlink()
    if lost == "damaged":
        files[0].write_bytes(files[0].read_bytes()[:-1])
    before = {path.name for path in (tmp_path / "counts" / "epochs").iterdir()}
    with pytest.raises((CheckpointError, JobExecutionError), match=r"(missing|incomplete).*savepoint"):
        taken(environment(tmp_path, resume=True), 100)
    assert {path.name for path in (tmp_path / "counts" / "epochs").iterdir()} == before


class Three(SourceFunction[int]):
    def run(self, ctx: Any) -> None:
        for number in range(3):
            ctx.collect(number)

    def cancel(self) -> None:
        pass


class Total(KeyedProcessFunction[int, int, int]):
    """Emits the number of elements at the end of event time, and fails there the first time."""

    failures: ClassVar[list[str]] = []

    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> None:
        self.count.update((self.count.value() or 0) + 1)
        ctx.timer_service().register_event_time_timer(2**60)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[int]:
        if not Total.failures:
            Total.failures.append("at the end")
            raise ValueError("at the end")
        yield self.count.value()


def test_a_job_that_fails_in_its_last_epoch_repeats_it() -> None:
    Total.failures.clear()
    env = environment()
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    numbers = env.add_source(Three(), type_info=Types.LONG())
    totals = numbers.key_by(lambda number: 0, Types.LONG()).process(Total(), Types.LONG())
    with totals.execute_and_collect() as results:
        assert list(results) == [3]
    assert Total.failures == ["at the end"]


SCRIPT = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_unbounded import counts
from pystream.common import Encoder
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import FileSink, RollingPolicy
env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(2)
lines = counts(env).map(lambda pair: f"{{pair[0]}} {{pair[1]}}")
sink = FileSink.for_row_format(sys.argv[1], Encoder.simple_string_encoder())
rolling = RollingPolicy.default_rolling_policy(rollover_interval=500)
sink = sink.with_rolling_policy(rolling).with_bucket_check_interval(500)
lines.sink_to(sink.build())
env.execute("counts")
"""


class FailOnce(KeyedProcessFunction[int, int, int]):
    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> None:
        ctx.timer_service().register_event_time_timer(10**15)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[int]:
        if not self._mark.exists():
            self._mark.touch()
            raise ValueError("the first time")
        yield ctx.get_current_key()


def test_the_last_epoch_is_repeated_when_it_fails(tmp_path: Path) -> None:
    env = environment(tmp_path / "checkpoints")
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 1))
    source = DataGeneratorSource(
        int, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(2_000), type_info=Types.LONG()
    )
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
    keyed = numbers.key_by(lambda number: number % KEYS, Types.LONG())
    fired = keyed.process(FailOnce(tmp_path / "mark"), Types.LONG()).map(str, Types.STRING())
    sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
    fired.sink_to(sink)
    client = env.execute_async("timers")
    while not any(stage["numRecordsIn"] > KEYS for stage in client.get_metrics().result()["stages"]):
        time.sleep(0.01)
    with pytest.raises(JobExecutionError, match="the first time"):
        client.stop_with_savepoint(True, str(tmp_path / "savepoints")).result()
    client.stop_with_savepoint(True, str(tmp_path / "savepoints")).result()
    client.get_job_execution_result().result()
    lines = [line for path in (tmp_path / "out").rglob("part-*") for line in path.read_text().split()]
    assert sorted(lines) == [str(key) for key in range(KEYS)]


def visible(out: Path) -> list[tuple[int, int]]:
    """Return the lines of published files."""
    paths = [path for path in out.rglob("*") if path.is_file()]
    hidden = (".", "_")  # so are the files in hidden directories, which the job may move meanwhile
    files = [p for p in paths if not any(part.startswith(hidden) for part in p.relative_to(out).parts)]
    lines = [line.split() for path in files for line in path.read_text().splitlines()]
    return [(int(key), int(count)) for key, count in lines]


def test_nothing_is_lost_or_doubled_by_kill_9(tmp_path: Path) -> None:
    script, out = tmp_path / "job.py", tmp_path / "out"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "pystream", "run", "--local"]
    setting = f"execution.checkpointing.dir={tmp_path / 'jobs'}"
    seen = 0
    for attempt in range(3):
        resume = ["--resume"] if attempt else []
        arguments = [*command, *resume, "-D", setting, str(script), str(out)]
        with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
            try:
                while len(visible(out)) <= seen and process.poll() is None:
                    time.sleep(0.01)
                assert process.poll() is None, process.stderr and process.stderr.read()
            finally:
                process.kill()
        found = visible(out)
        seen = len(found)
        assert len(set(found)) == seen
        for key in range(KEYS):
            numbers = sorted(count for own, count in found if own == key)
            assert numbers == list(range(1, len(numbers) + 1))
    assert seen > 0


@pytest.mark.promise("beh:recovery-from-checkpoint")
def test_a_restarted_job_resumes_after_its_last_checkpoint(tmp_path: Path) -> None:
    failed = tmp_path / "failed"

    def fails_once(pair: tuple[int, int]) -> tuple[int, int]:
        if pair[1] == 20 and not failed.exists():
            failed.touch()
            raise RuntimeError("once")
        return pair

    env = environment(tmp_path)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    with counts(env).map(fails_once, PAIR).execute_and_collect("counts") as results:
        found = [next(results) for _ in range(300)]
    assert failed.exists()
    assert found == [(number % KEYS, number // KEYS + 1) for number in range(300)]
