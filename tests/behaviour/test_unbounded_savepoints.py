"""Savepoints on the local host: their files, the types of all kinds of state, and savepoints that fail."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pystream.cli import main
from pystream.common import Configuration, JobClient, JobStatus, Row, Time, Types, WatermarkStrategy
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    BroadcastProcessFunction,
    CoGroupFunction,
    DataStream,
    KeyedProcessFunction,
    KeyedStream,
    ProcessJoinFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
    WindowFunction,
)
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.state import MapStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import (
    CountEvictor,
    EventTimeSessionWindows,
    TumblingEventTimeWindows,
)
from pystream.engine.connectors import storage
from pystream.errors import CheckpointError, JobExecutionError, PyStreamError
from pystream.hosts.unbounded.savepoint_reader import SavepointReader
from pystream.testing import local_environment
from typeinfo.info import TypeInformation

LONG, STRING = Types.LONG(), Types.STRING()
OLD = Types.ROW_NAMED(["a"], [LONG])
NEW = Types.ROW_NAMED(["a", "b"], [LONG, LONG])
OTHER = Types.ROW_NAMED(["a"], [STRING])
HOUR = Time.hours(1)
RESULTS: list[Any] = []
PATIENCE = 60


def environment(directory: Path, savepoint: str = "") -> StreamExecutionEnvironment:
    RESULTS.clear()
    configuration = Configuration()
    configuration.set_string("execution.checkpointing.dir", str(directory / "jobs"))
    configuration.set_string("execution.checkpointing.savepoint-dir", str(directory / "savepoints"))
    if savepoint:
        configuration.set_string("execution.savepoint.path", savepoint)
    return local_environment(configuration)


class Times(TimestampAssigner[Any]):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value["a"])


def rows(env: StreamExecutionEnvironment, type_info: TypeInformation[Any]) -> DataStream[Any]:
    """Return rows with the numbers from 0 in ``a``, their time, and 7 in further fields."""
    names = ["a", "b"] if type_info == NEW else ["a"]
    is_text = type_info == OTHER

    def row(number: int) -> Row:
        return Row(**{name: 7 if name != "a" else str(number) if is_text else number for name in names})

    source = DataGeneratorSource(
        row, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(200), type_info=type_info
    )
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Times())
    found = env.from_source(source, WatermarkStrategy.no_watermarks(), "rows").uid("rows")
    return found.assign_timestamps_and_watermarks(times).uid("times")


def one(value: Any) -> int:
    return 1


def keyed(env: StreamExecutionEnvironment, type_info: TypeInformation[Any]) -> KeyedStream[Any, int]:
    return rows(env, type_info).key_by(one, LONG)


def none(value: Any) -> bool:
    return False


def keep(value: Any) -> Any:
    RESULTS.append(value)
    return value


class Apply(WindowFunction[Any, Any, Any, Any]):
    def apply(self, key: Any, window: Any, inputs: Any) -> Iterator[Any]:
        yield list(inputs)


class Last(AggregateFunction[Any, Any, Any]):
    def create_accumulator(self) -> Any:
        return []

    def add(self, value: Any, accumulator: Any) -> Any:
        return [*accumulator, value]

    def get_result(self, accumulator: Any) -> Any:
        return accumulator

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return acc_a + acc_b


class Pair(ProcessJoinFunction[Any, Any, Any]):
    def process_element(self, left: Any, right: Any, ctx: Any) -> Iterator[Any]:
        yield [left, right]


class Both(CoGroupFunction[Any, Any, Any]):
    def co_group(self, first: Any, second: Any) -> Iterator[Any]:
        yield [*first, *second]


class Remember(BroadcastProcessFunction[Any, Any, Any]):
    """Keeps rows in a broadcast state, and emits all of them for each element."""

    def __init__(self, descriptor: MapStateDescriptor[Any, Any]) -> None:
        self.descriptor = descriptor

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield list(ctx.get_broadcast_state(self.descriptor).values())

    def process_broadcast_element(self, value: Any, ctx: Any) -> None:
        ctx.get_broadcast_state(self.descriptor).put(value["a"], value)


class Elements(KeyedProcessFunction[Any, Any, Any]):
    """Emits the value in its state, which it gets as it opens or at its first use, and replaces it."""

    def __init__(self, type_info: TypeInformation[Any], late: bool) -> None:
        self.descriptor = ValueStateDescriptor("last", type_info)
        self.late = late

    def open(self, runtime_context: RuntimeContext) -> None:
        self.context = runtime_context
        if not self.late:
            self.last = runtime_context.get_state(self.descriptor)

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        last = self.context.get_state(self.descriptor) if self.late else self.last
        if last.value() is not None:
            yield [last.value()]
        last.update(value)


def tumbling(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).window(TumblingEventTimeWindows.of(HOUR)).apply(Apply())


def late(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).window(TumblingEventTimeWindows.of(HOUR)).allowed_lateness(1).apply(Apply())


def sessions(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).window(EventTimeSessionWindows.with_gap(HOUR)).apply(Apply())


def merging(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).window(EventTimeSessionWindows.with_gap(HOUR)).allowed_lateness(1).apply(Apply())


def evicting(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    windows = keyed(env, of).window(TumblingEventTimeWindows.of(HOUR))
    return windows.evictor(CountEvictor.of(1_000_000)).apply(Apply())


def counted(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).count_window(150).apply(Apply())


def aggregated(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    windows = keyed(env, of).window(TumblingEventTimeWindows.of(HOUR))
    return windows.aggregate(Last(), accumulator_type=Types.LIST(of))


def reduced(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).reduce(lambda first, second: first)


def windows_joined(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    left = rows(env, of)
    joined = left.co_group(left).where(one, LONG).equal_to(one, LONG)
    return joined.window(TumblingEventTimeWindows.of(HOUR)).apply(Both())


def interval_joined(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    both = keyed(env, of)
    return both.interval_join(both).between(Time.hours(-1), HOUR).process(Pair())


def broadcast(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    descriptor = MapStateDescriptor("rules", Types.PICKLED_BYTE_ARRAY(), of)
    both = rows(env, of)
    return both.connect(both.broadcast(descriptor)).process(Remember(descriptor))


def declared(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).process(Elements(of, late=False))


def used(env: StreamExecutionEnvironment, of: TypeInformation[Any]) -> DataStream[Any]:
    return keyed(env, of).process(Elements(of, late=True))


Program = Callable[[StreamExecutionEnvironment, TypeInformation[Any]], DataStream[Any]]

PROGRAMS: dict[Program, tuple[str, str]] = {
    tumbling: ("window-contents", "ListState"),
    late: ("window-contents", "ListState"),
    sessions: ("window-contents", "ListState"),
    merging: ("window-contents", "ListState"),
    evicting: ("window-contents", "ListState"),
    counted: ("window-contents", "ListState"),
    aggregated: ("window-contents", "AggregatingState"),
    windows_joined: ("window-contents", "ListState"),
    interval_joined: ("left-buffer", "MapState"),
    reduced: ("_reduce_state", "ValueState"),
    broadcast: ("broadcast:rules", "BroadcastState"),
}
"""Programs with a state of an operator itself, its name and kind."""


def started(directory: Path, program: Program, of: TypeInformation[Any], savepoint: str = "") -> JobClient:
    env = environment(directory, savepoint)
    program(env, of).uid("op").map(keep).filter(none).print()
    return env.execute_async("job")


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def has_read(client: JobClient, number: int) -> bool:
    stages = client.get_metrics().result()["stages"]
    return any(stage["numRecordsOut"] >= number for stage in stages)


def stopped(client: JobClient, *, drain: bool = False) -> str:
    """Stop a job with a savepoint, once it has read some rows, and return its path."""
    wait_until(lambda: has_read(client, 3))
    path = client.stop_with_savepoint(drain).result()
    client.get_job_execution_result().result()
    return path


def local(path: str) -> Path:
    return Path(path.removeprefix("file://"))


@pytest.mark.parametrize("program", [*PROGRAMS, declared, used], ids=lambda program: program.__name__)
def test_a_field_is_added_to_the_elements_in_state(tmp_path: Path, program: Program) -> None:
    savepoint = stopped(started(tmp_path, program, OLD))
    client = started(tmp_path, program, NEW, savepoint)
    wait_until(lambda: has_read(client, 200))
    stopped(client, drain=True)
    found = [row for result in RESULTS for row in ([result] if program is reduced else result)]
    assert any(row["b"] is None for row in found)
    assert program not in PROGRAMS or Row(a=0, b=None) in found
    if program is not reduced:
        assert any(row["b"] == 7 for row in found)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_types_of_all_states_are_shown_and_checked(
    tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    savepoint = stopped(started(tmp_path, program, OLD))
    capsys.readouterr()
    assert main(["savepoint", savepoint, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    (operator,) = (each["operator"] for each in shown["operators"] if each["operator"]["uid"] == "op")
    state, kind = PROGRAMS[program]
    assert (state, kind) in [(each["name"], each["kind"]) for each in operator["states"]]
    assert "a: Long" in str(operator["states"])

    with pytest.raises(CheckpointError) as raised:
        started(tmp_path, program, OTHER, savepoint)
    message = str(raised.value)
    assert "(uid op)" in message
    assert f"state {state!r}" in message
    assert ".a: it was LONG, and is STRING now" in message
    assert not (tmp_path / "jobs" / "job" / "job.json").exists()


@pytest.mark.parametrize("program", [declared, used], ids=lambda program: program.__name__)
def test_a_state_of_a_function_fails_the_job_for_good(tmp_path: Path, program: Program) -> None:
    savepoint = stopped(started(tmp_path, program, OLD))
    env = environment(tmp_path, savepoint)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1_000_000, 0))
    program(env, OTHER).uid("op").map(keep).filter(none).print()
    with pytest.raises(JobExecutionError) as raised:
        env.execute("job")
    message = str(raised.value)
    assert "uid op" in message
    assert "state 'last' has another type than the stored one at .a: it was LONG, and is STRING" in message


@pytest.mark.parametrize(("before", "after"), [(tumbling, late), (late, evicting), (tumbling, sessions)])
def test_windows_stored_in_another_way_are_refused(tmp_path: Path, before: Program, after: Program) -> None:
    savepoint = stopped(started(tmp_path, before, OLD))
    with pytest.raises(CheckpointError, match=r"\(uid op\) stores windows .*, but stored them "):
        started(tmp_path, after, OLD, savepoint)


# files


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return local(stopped(started(tmp_path_factory.mktemp("intact"), tumbling, OLD)))


def files_of(savepoint: Path) -> list[str]:
    return sorted(str(path.relative_to(savepoint)) for path in savepoint.rglob("*") if path.is_file())


def refusal(savepoint: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the error with which a savepoint is shown and started from."""
    with pytest.raises(CheckpointError) as raised:
        started(savepoint.parent, tumbling, OLD, str(savepoint))
    capsys.readouterr()
    assert main(["savepoint", str(savepoint)]) == 1
    assert capsys.readouterr().err == f"pystream: {raised.value}\n"
    assert not (savepoint.parent / "jobs" / "job").exists()
    return str(raised.value)


def test_a_savepoint_without_one_of_its_files_is_refused(
    intact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = files_of(intact)
    assert {"_metadata", "_positions", "_types"} < set(files)
    assert any(file.startswith("operators/op/") for file in files)
    for number, file in enumerate(files):
        copy = Path(shutil.copytree(intact, tmp_path / str(number)))
        (copy / file).unlink()
        message = refusal(copy, capsys)
        assert (file if file == "_metadata" else str(copy / file)) in message


@pytest.mark.parametrize("damage", ["truncated", "changed", "empty", "of another savepoint"])
def test_a_savepoint_with_a_damaged_file_is_refused(
    intact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    other = intact
    if damage == "of another savepoint":
        client = started(tmp_path / "other", tumbling, OLD)
        wait_until(lambda: has_read(client, 100))
        other = local(stopped(client))
    for number, file in enumerate(files_of(intact)):
        copy = Path(shutil.copytree(intact, tmp_path / str(number)))
        content = (copy / file).read_bytes()
        if file == "_metadata" and damage in ("changed", "of another savepoint"):
            continue
        match damage:
            case "truncated":
                content = content[:-1] if file != "_metadata" else content[: len(content) // 2]
            case "changed":
                content = content[:-2] + bytes([content[-2] ^ 1]) + content[-1:]
            case "empty":
                content = b""
            case _:
                foreign = (other / file).read_bytes()
                assert (foreign == content) is (file == "_types")
                if foreign == content:
                    continue
                content = foreign
        (copy / file).write_bytes(content)
        message = refusal(copy, capsys)
        assert (file if file == "_metadata" else str(copy / file)) in message


def test_a_file_too_many_is_refused(intact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = Path(shutil.copytree(intact, tmp_path / "copy"))
    foreign = copy / "operators" / "op" / "7.0"
    foreign.write_bytes(b"foreign")
    assert refusal(copy, capsys) == f"{foreign} is not part of the savepoint: remove it"


@pytest.mark.parametrize("file", ["_positions", "operators/op"])
def test_a_savepoint_that_is_lost_before_the_first_epoch_fails_the_job_for_good(
    intact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    copy = Path(shutil.copytree(intact, tmp_path / "copy"))
    env = environment(tmp_path, str(copy))
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1_000_000, 0))
    tumbling(env, OLD).uid("op").map(keep).filter(none).print()
    lost = next(path for path in [copy / file, *(copy / file).glob("*")] if path.is_file())

    def verify(self: SavepointReader) -> None:
        lost.unlink()

    monkeypatch.setattr(SavepointReader, "verify", verify)
    with pytest.raises(PyStreamError, match=f"{lost} is missing; restore it, or use another savepoint"):
        env.execute("job")


# failures


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let writing files whose path has some part fail."""
    written = storage.LocalStorage.replace

    def fill(part: str) -> None:
        def failing(self: Any, path: str, *args: Any, **named: Any) -> Any:
            if part and part in path:
                raise OSError(28, "No space left on device", path)
            return written(self, path, *args, **named)

        monkeypatch.setattr(storage.LocalStorage, "replace", failing)

    return fill


@pytest.mark.parametrize("file", ["/operators/op/", "/_positions", "/_types", "/_metadata"])
@pytest.mark.parametrize("stops", [False, True])
def test_a_savepoint_that_fails_leaves_the_job_running(
    tmp_path: Path, full_disk: Callable[[str], None], file: str, stops: bool
) -> None:
    client = started(tmp_path, tumbling, OLD)
    wait_until(lambda: has_read(client, 3))
    full_disk(file)
    failed = client.stop_with_savepoint(False) if stops else client.trigger_savepoint()
    with pytest.raises(CheckpointError, match=r"No space left.*; fix the cause, then take another savepoint"):
        failed.result()
    assert list((tmp_path / "savepoints").iterdir()) == []
    full_disk("")
    assert client.get_job_status().result() is JobStatus.RUNNING
    read = max(stage["numRecordsOut"] for stage in client.get_metrics().result()["stages"])
    wait_until(lambda: has_read(client, read + 3))
    assert client.get_metrics().result()["numRestarts"] == 0
    stopped(client, drain=True)
    (found,) = RESULTS
    assert [row["a"] for row in found] == list(range(len(found)))


def test_a_savepoint_that_drains_and_fails_is_repeated_without(
    tmp_path: Path, full_disk: Callable[[str], None]
) -> None:
    env = environment(tmp_path)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    tumbling(env, OLD).uid("op").map(keep).filter(none).print()
    client = env.execute_async("job")
    wait_until(lambda: has_read(client, 3))
    full_disk("/_types")
    with pytest.raises(CheckpointError, match="No space left"):
        client.stop_with_savepoint(True).result()
    full_disk("")
    wait_until(lambda: client.get_metrics().result()["numRestarts"] == 1)
    RESULTS.clear()  # what came before was not published
    stopped(client, drain=True)
    (found,) = RESULTS
    assert [row["a"] for row in found] == list(range(len(found)))


def test_a_savepoint_in_a_place_that_cannot_be_written_fails_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    client = started(tmp_path, tumbling, OLD)
    for failed in (
        client.trigger_savepoint(str(tmp_path / "file" / "savepoints")),
        client.stop_with_savepoint(True, str(tmp_path / "file")),
    ):
        with pytest.raises(CheckpointError, match=r"cannot write a savepoint to .*/file/.* is a file"):
            failed.result()
    stopped(client)
