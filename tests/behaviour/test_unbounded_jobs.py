"""Unbounded jobs: results as they come, clients, failures, restarts, directories, sources and files."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from pystream.common import (
    Configuration,
    Duration,
    Encoder,
    JobClient,
    JobStatus,
    Row,
    Types,
    WatermarkStrategy,
)
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.watermark_strategy import TimestampAssigner, WatermarkGenerator
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    RuntimeContext,
    SourceContext,
    SourceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors import (
    DataGeneratorSource,
    FileSink,
    FileSource,
    RateLimiterStrategy,
)
from pystream.datastream.formats.avro import AvroBulkWriters, AvroReaders, AvroSchema
from pystream.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat, CsvSchema
from pystream.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from pystream.datastream.state import ValueStateDescriptor
from pystream.errors import CheckpointError, JobCancelledError, JobExecutionError, SourceError
from pystream.table import DataTypes

LONG, STRING = Types.LONG(), Types.STRING()
PAIR = Types.TUPLE([STRING, LONG])
NONE = WatermarkStrategy.no_watermarks()
PATIENCE = 60  # seconds


def counting(env: StreamExecutionEnvironment, rate: int = 200, count: int | None = None) -> DataStream[int]:
    """Return the numbers from 0, at a rate per second."""
    count = DataGeneratorSource.UNBOUNDED if count is None else count
    source = DataGeneratorSource(int, count, RateLimiterStrategy.per_second(rate), type_info=LONG)
    return env.from_source(source, NONE, "numbers")


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def is_even(value: int) -> str:
    return "odd" if value % 2 else "even"


class Counted(KeyedProcessFunction[str, int, Any]):
    """Emits the key and the number of its elements so far."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(ValueStateDescriptor("seen", LONG))
        self.elements = runtime_context.get_metrics_group().counter("elements")

    def process_element(self, value: int, ctx: Any) -> Iterator[Any]:
        self.elements.inc()
        self.seen.update((self.seen.value() or 0) + 1)
        yield ctx.get_current_key(), self.seen.value()


# results


@pytest.mark.time_limit(90)
def test_results_are_collected_until_the_program_has_enough(env2: StreamExecutionEnvironment) -> None:
    assert len(counting(env2).execute_and_collect(limit=5)) == 5
    counts = counting(env2).key_by(is_even, STRING).process(Counted(), PAIR)
    with counts.execute_and_collect() as results:
        got = [next(results) for _ in range(100)]
    for name in ("even", "odd"):
        numbers = [count for parity, count in got if parity == name]
        assert numbers == list(range(1, len(numbers) + 1))
    ends = counting(env2, count=3).union(env2.from_collection([3, 4], LONG))
    assert sorted(ends.execute_and_collect()) == [0, 1, 2, 3, 4]


# clients


@pytest.mark.time_limit(90)
def test_a_client_watches_and_cancels_a_job(
    env2: StreamExecutionEnvironment, capfd: pytest.CaptureFixture[str]
) -> None:
    counting(env2).key_by(is_even, STRING).process(Counted(), PAIR).name("count").print()
    client = env2.execute_async("watched")
    try:
        assert client.get_job_status().result() is JobStatus.RUNNING
        wait_until(lambda: client.get_accumulators().result().get("count.elements"))
        metrics = client.get_metrics().result()
        assert metrics["jobName"] == "watched"
        assert metrics["numEpochs"] > 0
        assert metrics["metrics"]["count.elements"] > 0
        assert {stage["name"].partition(" ")[0] for stage in metrics["stages"]} == {"Source:", "count"}
        assert [stage["numRecordsOut"] for stage in metrics["stages"]] == [
            metrics["metrics"]["count.elements"]
        ] * 2
        assert metrics["lastCheckpointSize"] > 0
        assert client.get_job_status().result() is JobStatus.RUNNING
    finally:
        client.cancel().result()
    with pytest.raises(JobCancelledError, match="'watched' was cancelled"):
        client.get_job_execution_result().result()
    assert client.get_job_status().result() is JobStatus.CANCELED
    output = capfd.readouterr()
    assert {line.partition("> ")[2].partition(",")[0] for line in output.out.splitlines()} <= {
        "(even",
        "(odd",
    }
    assert output.err == ""


class Latest(WatermarkGenerator):
    """Emits the timestamp of each element; its state is part of checkpoints."""

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        output.emit_watermark(event_timestamp)

    def on_periodic_emit(self, output: Any) -> None:
        pass


class Itself(TimestampAssigner):
    def extract_timestamp(self, value: int, record_timestamp: int) -> int:
        return value


@pytest.mark.time_limit(90)
def test_a_source_with_state_is_one_stage_in_metrics(env: StreamExecutionEnvironment) -> None:
    rate = RateLimiterStrategy.per_second(200)
    source = DataGeneratorSource(int, DataGeneratorSource.UNBOUNDED, rate, type_info=LONG)
    strategy = WatermarkStrategy.for_generator(Latest).with_timestamp_assigner(Itself())
    numbers = env.from_source(source, strategy, "numbers")
    numbers.filter(lambda value: value % 2 == 0).print()
    client = env.execute_async("one stage")
    try:
        wait_until(lambda: any(s["numRecordsIn"] > 9 for s in client.get_metrics().result()["stages"]))
        (stage,) = client.get_metrics().result()["stages"]
    finally:
        client.cancel().result()
    assert stage["id"] > 0
    assert stage["numRecordsOut"] == (stage["numRecordsIn"] + 1) // 2
    assert stage["currentOutputWatermark"] == stage["numRecordsIn"] - 1
    assert stage["pendingRecords"] >= 0


# failures


class FailsOnce:
    """Fails at an element, unless it has left a sign that it did."""

    def __init__(self, sign: Path, at: int) -> None:
        self.sign, self.at = sign, at

    def __call__(self, value: int) -> int:
        if value == self.at and not self.sign.exists():
            self.sign.touch()
            raise ValueError("this once")
        return value


@pytest.mark.time_limit(90)
def test_a_restarted_job_loses_and_doubles_nothing(
    env2: StreamExecutionEnvironment, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    env2.set_restart_strategy(RestartStrategies.fixed_delay_restart(3, 0))
    before, after = FailsOnce(tmp_path / "before", 30), FailsOnce(tmp_path / "after", 60)
    aside = FailsOnce(tmp_path / "aside", 20)
    numbers = counting(env2, 100, 100).map(before, LONG)
    counts = numbers.key_by(is_even, STRING).process(Counted(), PAIR)
    checked = counts.key_by(lambda pair: pair[0], STRING).map(lambda pair: after(2 * pair[1]) // 2, LONG)
    checked.print()
    sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
    checked.sink_to(sink)
    unused = numbers.key_by(is_even, STRING).process(Counted(), PAIR).name("unused")
    unused.flat_map(lambda pair: [aside(pair[1])] * 0)
    result = env2.execute("restarted")
    expected = sorted([*range(1, 51)] * 2)
    output = capfd.readouterr()
    assert sorted(int(line.partition("> ")[2]) for line in output.out.splitlines()) == expected
    assert written(tmp_path / "out") == list(map(str, sorted(map(str, expected))))
    assert result.get_accumulator_result("KEYED PROCESS.elements") == 100
    assert result.get_accumulator_result("unused.elements") == 100
    assert all((tmp_path / sign).exists() for sign in ("before", "after", "aside"))


def written(directory: Path) -> list[str]:
    """Return the sorted lines of the visible files below a directory."""
    files = (path for path in directory.rglob("*") if path.is_file())
    visible = (
        path for path in files if not any(part[0] in "._" for part in path.relative_to(directory).parts)
    )
    return sorted(line for path in visible for line in path.read_text().splitlines())


@pytest.mark.time_limit(90)
def test_a_failing_function_is_reported_with_its_element_and_place(env2: StreamExecutionEnvironment) -> None:
    def fail(value: int) -> int:
        return 10 // (20 - value)

    counting(env2).map(fail, LONG).name("divide").print()
    with pytest.raises(
        JobExecutionError, match=r"'divide' \(.*fail at .*test_unbounded_jobs.py:\d+, added(.|\n)*element: 20"
    ) as failure:
        env2.execute("failing")
    assert isinstance(failure.value.__cause__, ZeroDivisionError)

    def fail_twice(pair: Any) -> Any:
        raise ValueError(f"no {pair[0]}")

    counts = counting(env2).key_by(is_even, STRING).process(Counted(), PAIR)
    counts.key_by(lambda pair: pair[0], STRING).map(fail_twice, PAIR).name("second stage").print()
    with pytest.raises(
        JobExecutionError, match=r"'second stage' (.|\n)*ValueError: no (even|odd)(.|\n)*key: "
    ):
        env2.execute("failing")


class Breaking(SourceFunction[int]):
    """Emits numbers until it fails."""

    def run(self, ctx: SourceContext[int], /) -> None:
        for number in range(3):
            ctx.collect(number)
        raise OSError("the service is gone")

    def cancel(self) -> None:
        pass


@pytest.mark.time_limit(60)
def test_a_failing_source_is_reported(env: StreamExecutionEnvironment) -> None:
    env.add_source(Breaking(), "service", LONG).print()
    message = r"job 'broken': source function Breaking(.|\n)*run failed: OSError: the service is gone"
    with pytest.raises(JobExecutionError, match=message) as failure:
        env.execute("broken")
    assert isinstance(failure.value.__cause__, SourceError)
    assert isinstance(failure.value.__cause__.__cause__, OSError)


# directories


@pytest.mark.time_limit(90)
@pytest.mark.usefixtures("env2")
def test_a_job_with_a_directory_resumes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    directory = tmp_path / "checkpoints"
    kept = {
        "execution.checkpointing.dir": str(directory),
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
    }

    def start(**settings: str) -> JobClient:
        env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)
        env.configure(Configuration.from_dict({**kept, **settings}))
        counting(env).key_by(is_even, STRING).process(Counted(), PAIR).name("count").print()
        return env.execute_async("kept")

    def printed() -> list[int]:
        return [int(line.rpartition(",")[2][:-1]) for line in capfd.readouterr().out.splitlines()]

    def run(client: JobClient) -> list[int]:
        numbers: list[int] = []
        while len(numbers) < 20:
            numbers += printed()
            time.sleep(0.02)
        client.cancel().result()
        with pytest.raises(JobCancelledError):
            client.get_job_execution_result().result()
        return sorted(numbers + printed())

    first = run(start())
    with pytest.raises(CheckpointError, match=r"'kept'(.|\n)*resume"):
        start()
    second = run(start(**{"pystream.resume": "true"}))
    assert sorted(set(first + second)) == list(range(1, max(second) + 1))
    assert min(second) > 1


# sources


@pytest.mark.time_limit(60)
def test_lines_of_a_socket_and_a_rate(
    env: StreamExecutionEnvironment, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                for line in ("to", "be", "or"):
                    connection.sendall(f"{line}\n".encode())
                    time.sleep(0.1)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        lines = env.socket_text_stream("127.0.0.1", server.getsockname()[1])
        lines.print("socket")
        started = time.monotonic()
        counting(env, 100, 50).print("rate")
        env.execute("socket")
        thread.join(10)
    assert time.monotonic() - started >= 0.4
    output = capfd.readouterr().out.splitlines()
    assert [line for line in output if line.startswith("socket")] == [
        "socket> to",
        "socket> be",
        "socket> or",
    ]
    assert [line for line in output if line.startswith("rate")] == [f"rate> {number}" for number in range(50)]


AVRO = AvroSchema.parse_string(
    '{"type": "record", "name": "r", "fields":'
    ' [{"name": "n", "type": "long"}, {"name": "s", "type": "string"}]}'
)
CSV = CsvSchema.builder().add_number_column("n", DataTypes.BIGINT()).add_string_column("s").build()
COLUMNS = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.BIGINT()), DataTypes.FIELD("s", DataTypes.STRING())])
ROW = Types.ROW_NAMED(["n", "s"], [LONG, STRING])


@pytest.mark.time_limit(120)
def test_new_files_of_each_format_are_read_and_written(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    kinds: dict[str, tuple[Any, Any, Any]] = {
        "csv": (CsvReaderFormat.for_schema(CSV), CsvBulkWriters.for_schema(CSV), ROW),
        "avro": (AvroReaders.for_generic_record(AVRO), AvroBulkWriters.for_generic_record(AVRO), None),
        "parquet": (ParquetColumnarRowInputFormat(COLUMNS), ParquetBulkWriters.for_row_type(COLUMNS), ROW),
    }
    for kind, (_, writers, type_info) in kinds.items():
        elements = [Row(n=n, s=f"{kind} {n}") for n in range(3)]
        if type_info is None:
            stream = env2.from_collection([row.as_dict() for row in elements])
        else:
            stream = env2.from_collection(elements, type_info)
        stream.sink_to(FileSink.for_bulk_format(str(tmp_path / kind / "made"), writers).build())
    env2.execute("made")

    def field(record: Any) -> str:
        return str(record["s"])

    for kind, (reads, writers, _) in kinds.items():
        (tmp_path / kind / "in").mkdir()
        builder = (
            FileSource.for_bulk_file_format(reads, str(tmp_path / kind / "in"))
            if kind == "parquet"
            else FileSource.for_record_stream_format(reads, str(tmp_path / kind / "in"))
        )
        source = builder.monitor_continuously(Duration.of_millis(50)).build()
        stream = env2.from_source(source, NONE, kind)
        stream.sink_to(FileSink.for_bulk_format(str(tmp_path / kind / "out"), writers).build())
        lines = FileSink.for_row_format(
            str(tmp_path / kind / "lines"), Encoder.simple_string_encoder()
        ).build()
        stream.map(field, STRING).sink_to(lines)
    client = env2.execute_async("files")
    try:
        for kind in kinds:
            for number, part in enumerate(p for p in (tmp_path / kind / "made").rglob("part-*")):
                os.replace(part, tmp_path / kind / "in" / f"{number}-{part.name}")
        wait_until(lambda: all(any((tmp_path / kind / "out").rglob("part-*")) for kind in kinds))
        savepoint = client.stop_with_savepoint(True, str(tmp_path / "savepoints")).result()
        client.get_job_execution_result().result()
    finally:
        client.cancel().result()
    assert Path(savepoint.removeprefix("file:")).exists()
    for kind in kinds:
        assert written(tmp_path / kind / "lines") == [f"{kind} {n}" for n in range(3)]


# terminals

COUNTING = """
from pystream.common import Configuration, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy

env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict({settings}))
rate = RateLimiterStrategy.per_second(50)
source = DataGeneratorSource(int, DataGeneratorSource.UNBOUNDED, rate, type_info=Types.LONG())
numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
numbers.key_by(lambda n: n % 2, Types.LONG()).reduce(lambda a, b: b).print()
print(env.execute("counting"))
"""


@contextmanager
def counting_program(directory: Path, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """Run a job on Spark in processes of its own."""
    script = directory / "counting.py"
    script.write_text(COUNTING.replace("{settings}", repr(settings)))
    program = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # the processes of a session are what a terminal interrupts
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield program
    finally:
        program.kill()


@pytest.mark.usefixtures("host")
@pytest.mark.spark_only("it has processes of its own")
@pytest.mark.time_limit(120)
def test_an_interrupt_of_all_processes_ends_a_job_cleanly(tmp_path: Path) -> None:
    with counting_program(tmp_path) as program:
        assert program.stdout is not None
        first = program.stdout.readline()
        os.killpg(program.pid, signal.SIGINT)
        output, errors = program.communicate()
    assert (program.returncode, errors) == (0, "")
    numbers = [int(line.rpartition(" ")[2]) for line in [first, *output.splitlines()[:-2]]]
    assert sorted(numbers) == list(range(len(numbers)))


@pytest.mark.usefixtures("host")
@pytest.mark.spark_only("it has a web interface")
@pytest.mark.time_limit(120)
def test_progress_names_the_page_of_spark_and_says_when_the_job_stops(tmp_path: Path) -> None:
    interface = {"spark.ui.enabled": "true", "spark.ui.port": "0"}
    with counting_program(tmp_path, **{"pystream.progress": "on"}, **interface) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        job, address = program.stderr.readline().split(": ", 1)
        program.stdout.readline()
        with urlopen(address.strip(), timeout=30) as page:
            assert b"Streaming Query Statistics" in page.read()
        applications = f"{address.partition('/StreamingQuery')[0]}/api/v1/applications"
        with urlopen(applications, timeout=30) as found:
            (application,) = json.load(found)
        with urlopen(f"{applications}/{application['id']}/environment", timeout=30) as found:
            remembered = dict(json.load(found)["sparkProperties"])["spark.sql.ui.retainedExecutions"]
        program.send_signal(signal.SIGTERM)
        _, errors = program.communicate()
    stopping, finished = (line for line in errors.splitlines() if ": running " not in line)
    assert (job, program.returncode) == ("counting", 0)
    assert stopping == "counting: stopping after the current epoch"
    assert finished.startswith("counting: finished after ")
    assert remembered == "100"  # epochs: the memory of Java does not grow with their number
