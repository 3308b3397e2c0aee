"""The life cycle of functions on their subtasks, and their runtime context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pystream.datastream import (
    DataStream,
    FilterFunction,
    FlatMapFunction,
    MapFunction,
    ProcessFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.errors import JobExecutionError


class Journal:
    """Writes each call of open and close to a file that the test reads afterwards."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name

    def note(self, what: str) -> None:
        with self.path.open("a") as journal:
            journal.write(f"{what} {self.name}\n")

    def open(self, runtime_context: RuntimeContext) -> None:
        self.note("open")

    def close(self) -> None:
        self.note("close")


class JournalMap(Journal, MapFunction[Any, Any]):
    def map(self, value: Any) -> Any:
        return value


class JournalFilter(Journal, FilterFunction[Any]):
    def filter(self, value: Any) -> bool:
        return True


class JournalFlatMap(Journal, FlatMapFunction[Any, Any]):
    def flat_map(self, value: Any) -> Iterator[Any]:
        yield value


class JournalProcess(Journal, ProcessFunction[Any, Any]):
    def process_element(self, value: Any, ctx: ProcessFunction.Context) -> Iterator[Any]:
        yield value


class FailingMap(Journal, MapFunction[Any, Any]):
    def map(self, value: Any) -> Any:
        raise ValueError("cannot map")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    path.touch()
    return path


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


def lines(journal: Path) -> list[str]:
    return journal.read_text().splitlines()


def test_every_kind_of_function_is_opened_and_closed_once(
    env: StreamExecutionEnvironment, journal: Path
) -> None:
    stream = (
        env.from_collection([1, 2, 3])
        .map(JournalMap(journal, "map"))
        .filter(JournalFilter(journal, "filter"))
        .flat_map(JournalFlatMap(journal, "flat_map"))
        .process(JournalProcess(journal, "process"))
    )
    assert collected(stream) == [1, 2, 3]
    names = ["map", "filter", "flat_map", "process"]
    assert lines(journal) == [
        *(f"open {name}" for name in reversed(names)),
        *(f"close {name}" for name in names),
    ]


def test_functions_are_opened_and_closed_on_each_subtask(
    env2: StreamExecutionEnvironment, journal: Path
) -> None:
    mapped = env2.from_collection([1, 2]).broadcast().map(JournalMap(journal, "map"))
    assert sorted(collected(mapped)) == [1, 1, 2, 2]
    assert Counter(lines(journal)) == {"open map": 2, "close map": 2}


def test_functions_are_opened_and_closed_without_elements(
    env: StreamExecutionEnvironment, journal: Path
) -> None:
    assert collected(env.from_collection([]).map(JournalMap(journal, "map"))) == []
    assert lines(journal) == ["open map", "close map"]


def test_functions_are_closed_after_a_failure(env: StreamExecutionEnvironment, journal: Path) -> None:
    stream = env.from_collection([1]).map(FailingMap(journal, "failing")).map(JournalMap(journal, "after"))
    with pytest.raises(JobExecutionError, match="cannot map"):
        collected(stream)
    assert Counter(lines(journal)) == {
        "open failing": 1,
        "open after": 1,
        "close failing": 1,
        "close after": 1,
    }


def test_a_function_keeps_its_attributes_within_a_subtask_only(env: StreamExecutionEnvironment) -> None:
    class Counting(MapFunction[Any, int]):
        count = 0

        def map(self, value: Any) -> int:
            self.count += 1
            return self.count

    counting = Counting()
    assert collected(env.from_collection(["abc"] * 3).map(counting)) == [1, 2, 3]
    assert counting.count == 0


def test_a_function_runs_as_it_was_when_the_operator_was_added(env: StreamExecutionEnvironment) -> None:
    class Adding(MapFunction[int, int]):
        def __init__(self) -> None:
            self.summand = 1

        def map(self, value: int) -> int:
            return value + self.summand

    adding = Adding()
    stream = env.from_collection([1]).map(adding)
    adding.summand = 100
    assert collected(stream) == [2]


class Described(MapFunction[Any, dict[str, Any]]):
    """Emits the properties of the runtime context."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.told = {
            "task": runtime_context.get_task_name(),
            "subtasks": runtime_context.get_task_name_with_subtasks(),
            "index": runtime_context.get_index_of_this_subtask(),
            "parallelism": runtime_context.get_number_of_parallel_subtasks(),
            "max": runtime_context.get_max_number_of_parallel_subtasks(),
            "attempt": runtime_context.get_attempt_number(),
            "given": runtime_context.get_job_parameter("given", "other"),
            "missing": runtime_context.get_job_parameter("missing", "other"),
        }

    def map(self, value: Any) -> dict[str, Any]:
        return self.told


@pytest.mark.promise("beh:subtask-index-range")
def test_the_context_describes_the_subtask(env2: StreamExecutionEnvironment) -> None:
    env2.get_config().set_global_job_parameters({"given": 7})
    mapped = env2.from_collection([1]).broadcast().map(Described()).name("describe").set_max_parallelism(9)
    mapped.disable_chaining()
    told = sorted(collected(mapped), key=lambda seen: seen["index"])
    common = {"task": "describe", "parallelism": 2, "max": 9, "attempt": 0, "given": "7", "missing": "other"}
    assert told == [
        {**common, "index": 0, "subtasks": "describe (1/2)#0"},
        {**common, "index": 1, "subtasks": "describe (2/2)#0"},
    ]


def test_functions_can_register_metrics(env: StreamExecutionEnvironment) -> None:
    class Measured(MapFunction[int, int]):
        def open(self, runtime_context: RuntimeContext) -> None:
            group = runtime_context.get_metrics_group().add_group("mine")
            self.counter = group.counter("seen")
            self.meter = group.meter("rate")
            self.distribution = group.distribution("sizes")
            group.gauge("constant", lambda: 4)

        def map(self, value: int) -> int:
            self.counter.inc(value)
            self.meter.mark_event()
            self.distribution.update(value)
            return self.counter.get_count()

    assert collected(env.from_collection([1, 2, 3]).map(Measured())) == [1, 3, 6]


class Counting(MapFunction[int, int]):
    def open(self, runtime_context: RuntimeContext) -> None:
        group = runtime_context.get_metrics_group()
        self.seen = group.counter("seen")
        self.values = group.add_group("of").distribution("values")

    def map(self, value: int) -> int:
        self.seen.inc()
        self.values.update(value)
        return value


def test_a_finished_job_has_the_metrics_of_its_functions(
    env2: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    first = env2.generate_sequence(1, 10).map(Counting()).name("first")
    second = first.rebalance().map(Counting()).name("second")
    second.print()
    first.filter(lambda value: value > 8).map(Counting()).name("third").print()
    client = env2.execute_async()
    result = client.get_job_execution_result().result()
    spread = {"count": 10, "sum": 55, "min": 1, "max": 10, "mean": 5.5}
    assert result.get_all_accumulator_results() == {
        "first.seen": 10,
        "first.of.values": spread,
        "second.seen": 10,
        "second.of.values": spread,
        "third.seen": 2,
        "third.of.values": {"count": 2, "sum": 19, "min": 9, "max": 10, "mean": 9.5},
    }
    assert result.get_accumulator_result("first.seen") == 10
    assert client.get_accumulators().result()["second.seen"] == 10
    assert len(capsys.readouterr().out.splitlines()) == 12


def test_a_process_function_has_no_timestamp_unless_one_was_assigned(env: StreamExecutionEnvironment) -> None:
    class Times(ProcessFunction[int, Any]):
        def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[Any]:
            service = ctx.timer_service()
            yield ctx.timestamp(), service.current_watermark(), service.current_processing_time()

    ((timestamp, watermark, now),) = collected(env.from_collection([1]).process(Times()))
    assert (timestamp, watermark) == (-(2**63), -(2**63))
    assert now > 1_700_000_000_000


@pytest.mark.promise("beh:process-nonkeyed-no-state")
@pytest.mark.parametrize(
    "use",
    [
        lambda ctx: ctx.timer_service().register_event_time_timer(1),
        lambda ctx: ctx.timer_service().register_processing_time_timer(1),
        lambda ctx: ctx.get_current_key(),
    ],
)
def test_timers_and_keys_need_a_keyed_stream(env: StreamExecutionEnvironment, use: Any) -> None:
    class Using(ProcessFunction[int, int]):
        def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
            use(ctx)
            yield value

    with pytest.raises(JobExecutionError, match="PROCESS"):
        collected(env.from_collection([1]).process(Using()))


@pytest.mark.promise("beh:context-getCachedFile")
def test_the_context_has_the_path_of_a_cached_file(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    class Reading(MapFunction[str, str]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.text = Path(runtime_context.get_cached_file("words")).read_text()

        def map(self, value: str) -> str:
            return self.text + value

    file = tmp_path / "anything.txt"
    file.write_text("hello ")
    env.register_cached_file(str(file), "words")
    assert [name for name, _ in env.get_cached_files()] == ["words"]
    assert collected(env.from_collection(["you"]).map(Reading())) == ["hello you"]


def test_an_unknown_cached_file_is_named(env: StreamExecutionEnvironment) -> None:
    class Reading(MapFunction[str, str]):
        def open(self, runtime_context: RuntimeContext) -> None:
            runtime_context.get_cached_file("nothing")

        def map(self, value: str) -> str:
            return value

    with pytest.raises(JobExecutionError, match="no cached file 'nothing'"):
        collected(env.from_collection(["a"]).map(Reading()))
