"""HybridSource: sources that are read one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pystream.common import (
    Configuration,
    DeserializationSchema,
    Duration,
    JobClient,
    Types,
    WatermarkStrategy,
)
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import ProcessFunction, StreamExecutionEnvironment
from pystream.datastream.connectors import (
    FileSource,
    NumberSequenceSource,
    RateLimiterStrategy,
    Source,
    StreamFormat,
)
from pystream.datastream.connectors.hybrid_source import HybridSource
from tests.behaviour.test_unbounded_jobs import FailsOnce
from typeinfo.info import TypeInformation

LONG = Types.LONG()
NONE = WatermarkStrategy.no_watermarks()
PATIENCE = 60  # seconds


class Number(DeserializationSchema[int]):
    def deserialize(self, message: bytes) -> int:
        return int(message)

    def get_produced_type(self) -> TypeInformation[int]:
        return LONG


def files(directory: Path, *contents: list[int], unbounded: bool = False) -> FileSource[int]:
    """Return a source of numbers in the lines of files, which are written to a directory."""
    directory.mkdir(exist_ok=True)
    for index, numbers in enumerate(contents):
        write(directory / f"{index}", numbers)
    builder = FileSource.for_record_stream_format(StreamFormat.deserialized_lines(Number()), directory)
    if unbounded:
        builder.monitor_continuously(Duration.of_millis(10))
    return builder.build()


def write(path: Path, numbers: list[int]) -> None:
    hidden = path.parent / f".{path.name}"
    hidden.write_text("".join(f"{number}\n" for number in numbers))
    hidden.rename(path)


def hybrid(first: Source[int], *others: Source[int]) -> HybridSource[int]:
    builder = HybridSource.builder(first)
    for source in others:
        builder.add_source(source)
    return builder.build()


def test_bounded_sources_are_read_in_order(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    first, last = files(tmp_path / "first", [7, 5], [6]), files(tmp_path / "last", [9])
    source = hybrid(first, NumberSequenceSource(1, 3), last)
    assert source.is_bounded()
    results = list(env.from_source(source, NONE, "all").map(lambda number: 10 * number, LONG).to_arrow()[0])
    assert [result.as_py() for result in results] == [70, 50, 60, 10, 20, 30, 90]


class Itself(TimestampAssigner[int]):
    def extract_timestamp(self, value: int, record_timestamp: int) -> int:
        return value


class WithWatermark(ProcessFunction[int, Any]):
    def process_element(self, value: int, ctx: Any) -> Iterator[Any]:
        yield value, ctx.timer_service().current_watermark()


@pytest.mark.time_limit(90)
def test_event_time_does_not_go_back_when_the_next_source_starts(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    later = files(second)

    def write_the_second(number: int) -> int:
        if number == 200:
            write(second / "0", [150, 300])
        return number

    source = hybrid(
        files(tmp_path / "first", [100, 200]), later, files(tmp_path / "third", [250], unbounded=True)
    )
    assert not source.is_bounded()
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Itself())
    stream = env.from_source(source, times, "history, then live").map(write_the_second, LONG)
    found = []
    with stream.process(WithWatermark()).execute_and_collect() as results:
        for value, watermark in results:
            found.append((value, watermark))
            if value == 250:
                break
    assert [value for value, _ in found] == [100, 200, 150, 300, 250]
    assert dict(found[2:]) == {150: 199, 300: 199, 250: 299}


@pytest.mark.time_limit(90)
def test_a_restarted_job_continues_in_the_source_where_it_was(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    env2.set_restart_strategy(RestartStrategies.fixed_delay_restart(4, 0))
    numbers = NumberSequenceSource(1, 60, RateLimiterStrategy.per_second(200))
    history = files(tmp_path / "history", list(range(61, 71)), list(range(71, 81)))
    live = files(tmp_path / "live", list(range(81, 91)), unbounded=True)
    stream = env2.from_source(hybrid(numbers, history, live), NONE, "all")
    for at in (30, 61, 85):
        stream = stream.map(FailsOnce(tmp_path / f"failed at {at}", at), LONG)
    with stream.execute_and_collect() as results:
        found = list(islice(results, 90))
    assert sorted(found) == list(range(1, 91))
    assert sorted(found[:60]) == list(range(1, 61))
    assert sorted(found[60:80]) == list(range(61, 81))
    assert len(list(tmp_path.glob("failed at *"))) == 3


class WaitsAt:
    """Writes down that a number has arrived, and waits until it may be passed on."""

    def __init__(self, directory: Path, at: int) -> None:
        self.arrived, self.may_pass, self.at = directory / f"{at} arrived", directory / f"{at} may pass", at

    def __call__(self, value: int) -> int:
        if value == self.at:
            self.arrived.touch()
            wait_for(self.may_pass)
        return value


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < deadline, f"there is no {path.name}"
        time.sleep(0.005)


@pytest.mark.time_limit(90)
def test_savepoints_within_a_source_and_between_two_are_read_with_another_parallelism(
    host: str, by_value: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = files(tmp_path / "history", *([number] for number in range(201, 211)))
    live = files(tmp_path / "live", [211], unbounded=True)
    numbers = NumberSequenceSource(1, 200, RateLimiterStrategy.per_second(20))  # 10 s

    def started(parallelism: int, waits: WaitsAt, savepoint: str = "") -> JobClient:
        settings = {"execution.checkpointing.savepoint-dir": str(tmp_path / "savepoints")}
        if savepoint:
            settings["execution.savepoint.path"] = savepoint
        env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))
        env.set_parallelism(parallelism)
        stream = env.from_source(hybrid(numbers, history, live), NONE, "all").uid("all")
        stream.map(waits, LONG).uid("waits").print().uid("print")
        return env.execute_async("hybrid")

    def stopped(client: JobClient, waits: WaitsAt) -> str:
        wait_for(waits.arrived)
        saving = client.stop_with_savepoint(False)
        waits.may_pass.touch()
        path = saving.result()
        client.get_job_execution_result().result()
        return path

    def printed() -> list[int]:
        return sorted(int(line.rpartition("> ")[2]) for line in capsys.readouterr().out.splitlines())

    savepoint, parts = "", []
    for parallelism, at in ((2, 7), (1, 200), (3, 211)):
        waits = WaitsAt(tmp_path, at)
        savepoint = stopped(started(parallelism, waits, savepoint), waits)
        parts.append(printed())
    assert parts[0][-1] < 200
    assert parts[1][-1] == 200
    assert [number for part in parts for number in part] == list(range(1, 212))
