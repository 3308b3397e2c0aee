"""A job whose directory is disturbed while it runs, or before it resumes, writes nothing twice."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pystream.common import Configuration, Encoder, JobClient, Types, WatermarkStrategy
from pystream.datastream import KeyedProcessFunction, RuntimeContext
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.connectors.file_system import FileSink, RollingPolicy
from pystream.datastream.state import ValueStateDescriptor
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.lost_state import StateLostError
from pystream.testing import local_environment

SECONDS = 60.0
EPOCHS = 4


class Count(KeyedProcessFunction[int, int, str]):
    """Counts the elements of a key, and fails once after the file ``fail`` has appeared."""

    def __init__(self, directory: Path) -> None:
        self.fail = directory / "fail"

    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[str]:
        if self.fail.exists():
            self.fail.unlink()
            raise RuntimeError("the file has appeared")
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        yield f"{ctx.get_current_key()},{count}"


def started(directory: Path, *, resume: bool = False) -> JobClient:
    """Start a job that counts numbers, and restarts at once after failures."""
    configuration = Configuration()
    for key, value in {
        "execution.checkpointing.dir": str(directory / "jobs"),
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        "pystream.resume": str(resume).lower(),
        "restart-strategy.type": "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "1000",
        "restart-strategy.fixed-delay.delay": "10 ms",
    }.items():
        configuration.set_string(key, value)
    env = local_environment(configuration)
    source = DataGeneratorSource(
        int, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(500), type_info=Types.LONG()
    )
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
    counts = numbers.key_by(lambda number: number % 3, Types.LONG()).process(Count(directory), Types.STRING())
    sink = FileSink.for_row_format(str(directory / "out"), Encoder.simple_string_encoder())
    counts.sink_to(sink.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy()).build())
    return env.execute_async("counts")


def epoch_of(client: JobClient) -> int:
    return int(client.get_metrics().result()["lastEpoch"] or 0)


def run_on(client: JobClient, epochs: int) -> None:
    """Wait until a job has run some further epochs, or has ended."""
    last, until = epoch_of(client) + epochs, time.monotonic() + SECONDS
    while epoch_of(client) < last and not client.get_job_execution_result().done():
        assert time.monotonic() < until
        time.sleep(0.005)


def visible(directory: Path) -> Counter[str]:
    lines: Counter[str] = Counter()
    for path in (directory / "out").rglob("part-*"):
        if not any(name.startswith(".") for name in path.parts):
            lines.update(path.read_text().splitlines())
    return lines


def assert_nothing_doubled(directory: Path) -> None:
    lines = visible(directory)
    assert lines
    assert max(lines.values()) == 1


def removed(path: Path, copy: Path) -> None:
    aside = path.rename(path.with_name(f"{path.name}.removed"))
    shutil.rmtree(aside) if aside.is_dir() else aside.unlink()


def emptied(path: Path, copy: Path) -> None:
    if path.is_dir():
        removed(path, copy)
        path.mkdir()
    else:
        path.write_bytes(b"")


def moved_away(path: Path, copy: Path) -> None:
    path.rename(path.with_name(f"{path.name}.away"))


def replaced(path: Path, copy: Path) -> None:
    """Put an older copy in place."""
    removed(path, copy)
    shutil.copytree(copy, path) if copy.is_dir() else shutil.copyfile(copy, path)


def copied(path: Path, copy: Path) -> None:
    """Copy a directory in which files appear and vanish."""
    for _ in range(100):
        shutil.rmtree(copy, ignore_errors=True)
        try:
            shutil.copytree(path, copy)
        except shutil.Error:
            continue
        return


@pytest.mark.parametrize(
    ("part", "disturb", "running", "resuming"),
    [
        ("", removed, r"no longer owns .*counts: the directory is gone", r"there is no state in .*counts;"),
        (
            "",
            replaced,
            r"no longer owns .*counts: ",
            r"sink .* shows that epoch \d+ is .* ends with epoch \d+",
        ),
        ("lock", removed, r"no longer owns .*counts: its file lock was removed", ""),
        (
            "job.json",
            removed,
            r"job\.json is missing",
            r"in epochs/, local/, sinks/, but job\.json is missing",
        ),
        ("epochs", emptied, r"epochs/ is missing or empty|\d+\.epoch is missing", r"epochs.* is missing"),
        ("epochs", replaced, r"epochs/ is missing or empty|\d+\.epoch is missing", r"\d+\.epoch is missing"),
        ("local", moved_away, r"this process shows that .* has none at all", r"\.epoch shows that epoch \d+"),
        (
            "local",
            replaced,
            r"this process shows|changes is missing",
            r"\.epoch shows that|changes is missing",
        ),
        ("sinks", emptied, r"\d+\.commit, .* is missing", r"\d+\.commit, .* is missing"),
    ],
)
def test_a_job_does_not_begin_again(
    tmp_path: Path, part: str, disturb: Callable[[Path, Path], None], running: str, resuming: str
) -> None:
    client = started(tmp_path)
    run_on(client, EPOCHS)
    copied(tmp_path / "jobs" / "counts", tmp_path / "copy")
    run_on(client, EPOCHS)
    disturb(tmp_path / "jobs" / "counts" / part, tmp_path / "copy" / part)
    (tmp_path / "fail").touch()
    with pytest.raises(StateLostError, match=running):
        client.get_job_execution_result().result()
    assert_nothing_doubled(tmp_path)
    if resuming:
        with pytest.raises(CheckpointError, match=resuming) as caught:
            started(tmp_path, resume=True).get_job_execution_result().result()
        assert "remove" not in str(caught.value)
    else:
        client = started(tmp_path, resume=True)
        run_on(client, EPOCHS)
        client.cancel().result()
    assert_nothing_doubled(tmp_path)


def test_of_two_processes_the_later_one_runs_the_job(tmp_path: Path) -> None:
    client = started(tmp_path)
    run_on(client, EPOCHS)
    (tmp_path / "jobs" / "counts" / "lock").unlink()
    later = started(tmp_path, resume=True)
    with pytest.raises(StateLostError, match="no longer owns"):
        client.get_job_execution_result().result()
    run_on(later, EPOCHS)
    assert not later.get_job_execution_result().done()
    later.cancel().result()
    assert_nothing_doubled(tmp_path)
