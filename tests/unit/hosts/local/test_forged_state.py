"""Forged files of a job or savepoint run no code, unless the program declares its state as pickled."""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Configuration, Duration, Encoder, JobClient, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import KeyedProcessFunction, RuntimeContext, StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.connectors.file_system import FileSink, RollingPolicy
from pystream.datastream.state import ValueStateDescriptor
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.engine.connectors.storage import LocalStorage
from pystream.errors import JobCancelledError, PyStreamError
from pystream.hosts.unbounded.checked_file import read_checked, write_checked
from pystream.hosts.unbounded.savepoint import SavepointMetadata
from pystream.hosts.unbounded.savepoint_files import SAVEPOINT
from pystream.testing import local_environment
from tests.unit.hosts.local.test_lost_state import run_on


@dataclass
class Total:
    count: int
    last: int


def made(count: int, last: int) -> Made:
    return Made(count, last)


class Made(Total):
    """Is pickled as a call of a function."""

    def __reduce__(self) -> Any:
        return made, (self.count, self.last)


class Count(KeyedProcessFunction[int, int, int]):
    """Keeps a record per key."""

    def __init__(self, kind: type[Total] = Total) -> None:
        self.kind = kind

    def open(self, runtime_context: RuntimeContext) -> None:
        self.total = runtime_context.get_state(ValueStateDescriptor("total", Types.of(self.kind)))

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        before = self.total.value() or Total(0, 0)
        self.total.update(self.kind(before.count + 1, value))
        yield before.count


class Functions(KeyedProcessFunction[int, int, int]):
    """Keeps a function in the state: declared at its first use if it is late."""

    def __init__(self, *, late: bool) -> None:
        self.late = late

    def open(self, runtime_context: RuntimeContext) -> None:
        self.context = runtime_context
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))
        if not self.late:
            self._declare()

    def _declare(self) -> None:
        self.step: Any = self.context.get_state(ValueStateDescriptor("step", Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        if self.late:
            self._declare()
        step = self.step.value()
        if step is None:
            step = eval("lambda count: count + 1")
            self.step.update(step)
        self.count.update(step(self.count.value() or 0))
        yield self.count.value() or 0


class Named:
    """Is pickled as a call."""

    def __init__(self, *call: Any) -> None:
        self.call = call

    def __reduce__(self) -> Any:
        return self.call[0], tuple(self.call[1:])


def started(
    directory: Path,
    function: KeyedProcessFunction[int, int, int],
    *,
    resume: bool = False,
    savepoint: str = "",
    environment: Callable[[Configuration], StreamExecutionEnvironment] = local_environment,
) -> JobClient:
    configuration = Configuration()
    for key, value in {
        "execution.checkpointing.dir": str(directory / "jobs"),
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        "pystream.resume": str(resume).lower(),
        **({"execution.savepoint.path": savepoint} if savepoint else {}),
        "restart-strategy.type": "none",
    }.items():
        configuration.set_string(key, value)
    env = environment(configuration)
    source = DataGeneratorSource(
        int, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(500), type_info=Types.LONG()
    )
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(1))
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
    timed = numbers.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(ByValue()))
    counts = timed.key_by(lambda number: number % 3).process(function, Types.LONG()).uid("counts")
    window = TumblingEventTimeWindows.of(Time.milliseconds(100))
    sums = (
        counts.key_by(lambda count: count % 2, Types.LONG()).window(window).reduce(lambda one, two: one + two)
    )
    sink = FileSink.for_row_format(str(directory / "out"), Encoder.simple_string_encoder())
    sums.sink_to(sink.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy()).build())
    return env.execute_async("counts")


def ended(client: JobClient, epochs: int = 4) -> None:
    """Cancel a job after some more epochs; raises its error if it has failed before."""
    run_on(client, epochs)
    client.cancel().result()
    with suppress(JobCancelledError):
        client.get_job_execution_result().result()


class ByValue(TimestampAssigner[int]):
    def extract_timestamp(self, value: int, record_timestamp: int) -> int:
        return value


def forged(content: bytes, forgery: bytes, level: int) -> bytes | None:
    """Return a content in which one of its pickles is forged; ``None`` if it has fewer of them."""
    if not level:
        return forgery
    number = 0

    def replaced(value: Any) -> Any:
        nonlocal number
        if isinstance(value, bytes):
            number += 1
            return forgery if number == level else value
        if isinstance(value, dict):
            return {key: replaced(part) for key, part in value.items()}
        if type(value) in (tuple, list):
            return type(value)(map(replaced, value))
        if isinstance(value, tuple):
            return type(value)(*map(replaced, value))
        return value

    made = pickle.dumps(replaced(pickle.loads(content)))
    return made if number >= level else None


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the directory of a job that has ended, and a savepoint of it."""
    directory = tmp_path_factory.mktemp("job")
    client = started(directory, Count())
    run_on(client, 6)
    savepoint = client.trigger_savepoint(str(directory / "savepoints")).result()
    ended(client)
    shutil.copytree(directory, f"{directory}.original")
    return directory, savepoint


REFUSAL = r"({}|operator '.* \(uid) .* names posix\.mkdir, which is not data"
KINDS = {".epoch", ".positions", ".changes", ".commit"}


def forgeries(directory: Path, path: Path, content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield forged contents of a file, each with the original directory in place."""
    call = pickle.dumps([Named(os.mkdir, str(directory / "mark"))])
    for level in range(100):
        made = forged(content, call, level)
        if made is None:
            return
        shutil.rmtree(directory)
        shutil.copytree(f"{directory}.original", directory)
        yield level, made


def refused(directory: Path, **how: Any) -> str:
    """Return the error of a job that starts from forged state."""
    with pytest.raises(PyStreamError) as caught:
        ended(started(directory, Count(), **how))
    assert not (directory / "mark").exists()
    return str(caught.value)


def test_forged_files_of_a_job_run_no_code(job: tuple[Path, str]) -> None:
    directory, _ = job
    place = directory / "jobs" / "counts"
    job_id = json.loads((place / "job.json").read_text())["job_id"]
    files = sorted((path for path in place.rglob("*.*") if path.suffix in KINDS), key=lambda at: int(at.stem))
    last = {path.suffix: path for path in files}
    assert last.keys() == KINDS
    for path in last.values():
        content = read_checked(LocalStorage(), str(path), job_id)
        assert content is not None
        for level, made in forgeries(directory, path, content):
            write_checked(LocalStorage(), str(path), made, job_id)
            error = refused(directory, resume=True)
            assert re.search(
                rf"({path}|operator '.* \(uid) .* names posix\.mkdir, which is not data", error
            ), level


def test_forged_files_of_a_savepoint_run_no_code(job: tuple[Path, str]) -> None:
    directory, savepoint = job
    metadata = SavepointMetadata.read(savepoint)
    assert {file.path.rpartition("/")[0] for file in metadata.files} >= {"", "operators/counts"}
    for file in metadata.files:
        path = Path(savepoint, file.path)
        content = read_checked(LocalStorage(), str(path), SAVEPOINT)
        assert content is not None
        for level, made in forgeries(directory, path, content):
            write_checked(LocalStorage(), str(path), made, SAVEPOINT)
            changed = replace(file, size=len(made), checksum=zlib.crc32(made))
            files = tuple(changed if each == file else each for each in metadata.files)
            replace(metadata, files=files).write(savepoint)
            error = refused(directory, savepoint=savepoint)
            assert re.search(
                rf"({path}|operator '.* \(uid) .* names posix\.mkdir, which is not data", error
            ), level


@pytest.mark.parametrize("late", [False, True])
def test_functions_in_pickled_state_survive(tmp_path: Path, late: bool) -> None:
    client = started(tmp_path, Functions(late=late))
    run_on(client, 4)
    savepoint = client.trigger_savepoint(str(tmp_path / "savepoints")).result()
    ended(client)
    starts: list[dict[str, Any]] = [{"resume": True}, {"savepoint": savepoint}]
    for how in starts:
        ended(started(tmp_path, Functions(late=late), **how))
    if late:
        ended(started(tmp_path, Functions(late=False), resume=True))


def test_what_is_not_data_is_refused_as_it_is_stored(tmp_path: Path) -> None:
    client = started(tmp_path, Count(Made))
    with pytest.raises(PyStreamError, match=r"\(uid counts.* state 'total' cannot be stored: .*PICKLED_BYTE"):
        ended(client)
