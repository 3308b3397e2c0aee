"""Results reach the program while the job runs, complete and once, even if the job fails or restarts."""

from __future__ import annotations

import gc
import itertools
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pystream.common import Types
from pystream.common.restart_strategy import RestartStrategies
from pystream.datastream import MapFunction, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.environment import execution
from pystream.errors import JobCancelledError, JobExecutionError
from pystream.hosts.spark import job

PATIENCE = 60  # seconds
ENDLESS = 10**12


class Gate:
    """Makes functions wait for the test."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> None:
        self.path.touch()

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.path.exists():
            assert time.monotonic() < deadline, "nobody opened the gate"
            time.sleep(0.02)


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "open")


def files(spark: SparkSession) -> list[Path]:
    return list(Path(str(spark.sparkContext._temp_dir)).glob("pystream-*"))


def are_gone(spark: SparkSession, before: list[Path]) -> bool:
    gc.collect()  # the traceback of a failed job refers to the job
    return set(files(spark)) <= set(before)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def waiting_after(gate: Gate, count: int) -> Callable[[int], int]:
    """Return a function that waits at the gate after the first elements."""

    def checked(value: int) -> int:
        if value >= count:
            gate.wait()
        return value

    return checked


def test_the_first_result_is_available_while_the_job_runs(
    env: StreamExecutionEnvironment, gate: Gate
) -> None:
    stream = env.from_collection(range(10), Types.LONG()).map(waiting_after(gate, 3), Types.LONG())
    with stream.execute_and_collect() as results:
        assert list(itertools.islice(results, 3)) == [0, 1, 2]
        gate.open()
        assert list(results) == [3, 4, 5, 6, 7, 8, 9]


def test_printed_lines_appear_while_the_job_runs(
    env: StreamExecutionEnvironment, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = env.from_collection(range(4), Types.LONG()).map(waiting_after(gate, 2), Types.LONG())
    stream.print()
    stream.map(lambda value: -value, Types.LONG()).print("negative")
    client = env.execute_async()
    shown = ""

    def seen() -> bool:
        nonlocal shown
        shown += capsys.readouterr().out
        return shown == "0\n1\n"

    wait_until(seen)
    gate.open()
    client.get_job_execution_result().result()
    assert capsys.readouterr().out == "2\n3\nnegative> 0\nnegative> -1\nnegative> -2\nnegative> -3\n"


def test_results_are_in_the_order_of_subtasks(env2: StreamExecutionEnvironment) -> None:
    numbers = env2.generate_sequence(1, 100_000)
    with numbers.map(lambda n: (n,)).execute_and_collect() as results:
        assert list(results) == [(n,) for n in range(1, 100_001)]


def test_an_error_comes_after_the_results_before_it(env: StreamExecutionEnvironment, gate: Gate) -> None:
    def fails(value: int) -> int:
        if value == 3:
            gate.wait()
            raise ValueError("three")
        return value

    stream = env.from_collection(range(5), Types.LONG()).map(fails, Types.LONG())
    with stream.execute_and_collect() as results:
        taken = list(itertools.islice(results, 3))
        gate.open()
        with pytest.raises(JobExecutionError, match="three"):
            list(results)
    assert taken == [0, 1, 2]


@pytest.mark.parametrize("end", ["read", "closed", "dropped", "failed"])
def test_no_files_and_no_jobs_are_left(
    spark: SparkSession, env2: StreamExecutionEnvironment, gate: Gate, end: str
) -> None:
    before = files(spark)
    stream = env2.generate_sequence(0, 9).map(waiting_after(gate, 1), Types.LONG())
    if end == "failed":
        stream = stream.map(lambda value: 1 // (9 - value), Types.LONG())
    results = stream.execute_and_collect()
    if end == "closed":
        assert results.next() == 0
        results.close()
        assert list(results) == []
    gate.open()
    if end == "read":
        assert list(results) == list(range(10))
    if end == "failed":
        with pytest.raises(JobExecutionError, match="ZeroDivisionError"):
            list(results)
    del results
    wait_until(lambda: are_gone(spark, before))


def test_closing_from_another_thread_ends_the_wait_for_an_element(
    spark: SparkSession, env: StreamExecutionEnvironment, gate: Gate
) -> None:
    before = files(spark)
    results = (
        env.from_collection([0, 1], Types.LONG())
        .map(waiting_after(gate, 1), Types.LONG())
        .execute_and_collect()
    )
    assert results.next() == 0
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            results.next()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            raised.append(error)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    time.sleep(0.2)  # usually long enough for it to wait; closing must also work before that
    results.close()
    waiting.join(PATIENCE)
    assert [type(error) for error in raised] == [JobCancelledError]
    wait_until(lambda: not spark.sparkContext.statusTracker().getActiveJobsIds())
    wait_until(lambda: are_gone(spark, before))


class Closing(MapFunction[int, int]):
    """Creates a file when it is closed."""

    def __init__(self, closed: Path) -> None:
        self.closed = closed

    def map(self, value: int) -> int:
        return value

    def close(self) -> None:
        time.sleep(0.3)  # time for the test to continue, if closing did not wait
        self.closed.touch()


def test_closing_waits_for_the_end_of_the_job(
    env: StreamExecutionEnvironment, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if host == "local":  # the local host keeps results in the temporary directory
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    closed = tmp_path / "closed"
    results = env.generate_sequence(1, ENDLESS).map(Closing(closed), Types.LONG()).execute_and_collect("job")
    assert results.next() == 1
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "pystream-job")
    results.close()
    assert not thread.is_alive()
    if host == "local":  # Spark kills the worker of a task that it cancels
        assert list(tmp_path.iterdir()) == [closed]


def test_closing_does_not_wait_for_a_function_for_ever(
    local_env: StreamExecutionEnvironment, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "SECONDS_TO_CLEAN_UP", 0.1)
    stream = local_env.from_collection([0, 1], Types.LONG()).map(waiting_after(gate, 1), Types.LONG())
    with stream.execute_and_collect() as results:
        assert results.next() == 0
    gate.open()


def test_a_job_whose_results_nobody_reads_ends(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    done = tmp_path / "done"

    def marked(value: int) -> int:
        if value == 100_000:
            done.touch()
        return value

    results = env.generate_sequence(1, 100_000).map(marked, Types.LONG()).execute_and_collect()
    wait_until(done.exists)
    assert list(results) == list(range(1, 100_001))


class FailsOnce:
    """Fails at an element of the first attempt; its results include the attempt."""

    def __init__(self, path: Path, at: int) -> None:
        self.path, self.at = path, at

    def __call__(self, value: int) -> tuple[int, int]:
        if value == self.at and not self.path.exists():
            self.path.touch()
            time.sleep(0.5)  # time to read the first results, if they were returned
            raise ValueError("once")
        return value, int(self.path.exists())


def test_results_of_a_failed_attempt_are_not_returned(
    env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    numbers = env.from_collection(range(200), Types.LONG())
    with numbers.map(FailsOnce(tmp_path / "one", 150)).execute_and_collect() as results:
        assert list(results) == [(value, 1) for value in range(200)]
    numbers.map(FailsOnce(tmp_path / "two", 150)).print()
    env.execute()
    assert capsys.readouterr().out.splitlines() == [f"({value},1)" for value in range(200)]


@pytest.mark.spark_only("lifted functions run as expressions of Spark")
def test_expressions_that_fail_after_results_were_read(env: StreamExecutionEnvironment) -> None:
    """The job continues in Python after the results that were read."""
    numbers = env.generate_sequence(1, 400_000)
    large = 2**63 - 300_000
    stream = numbers.map(lambda n: n + large, Types.LONG()).filter(lambda n: n > 5)
    assert "native" in stream.explain()
    with stream.execute_and_collect() as results:
        taken = []
        with pytest.raises(JobExecutionError, match="does not fit"):
            taken.extend(results)
    assert taken == [n + large for n in range(1, len(taken) + 1)]
    assert 0 < len(taken) < 300_000


@pytest.mark.parametrize("parallelism", [1, 2])
@pytest.mark.spark_only("lifted functions run as expressions of Spark")
def test_expressions_that_fail_are_continued_in_python(
    env: StreamExecutionEnvironment, parallelism: int
) -> None:
    env.set_parallelism(parallelism)
    positive = env.generate_sequence(1, 200_000).filter(lambda n: n * 10**14 > 0)
    assert "native" in positive.explain()
    with positive.execute_and_collect() as results:
        assert list(results) == list(range(1, 200_001))


@pytest.mark.parametrize("parallelism", [1, 2])
@pytest.mark.spark_only("lifted functions run as expressions of Spark")
def test_aggregations_whose_expressions_fail_run_in_python(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str], parallelism: int
) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.BATCH).set_parallelism(parallelism)
    pair = Types.TUPLE([Types.LONG(), Types.LONG()])
    pairs = env.generate_sequence(1, 10).map(lambda n: (n % 2, n * 2**62 // 2**62), pair)
    sums = pairs.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
    assert sums.explain().operators[-1].path == "native"
    assert sorted(sums.execute_and_collect()) == [(0, 30), (1, 25)]
    assert sorted(map(tuple, sums.to_pandas().itertuples(index=False))) == [(0, 30), (1, 25)]
    capsys.readouterr()
    sums.print().set_parallelism(1)
    env.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["(0,30)", "(1,25)"]


def test_the_workers_of_a_cluster_send_results_as_rows(
    env2: StreamExecutionEnvironment, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(job, "shared_directory", lambda spark: None)
    with env2.generate_sequence(1, 50_000).map(lambda n: (n,)).execute_and_collect() as results:
        assert list(results) == [(n,) for n in range(1, 50_001)]
    env2.generate_sequence(1, 3).print()
    env2.execute()
    assert sorted(line[3:] for line in capsys.readouterr().out.splitlines()) == ["1", "2", "3"]


def test_a_limit_ends_an_endless_job(env2: StreamExecutionEnvironment) -> None:
    endless = env2.generate_sequence(1, 10**15).map(lambda n: (n,))
    assert endless.execute_and_collect(limit=3) == [(1,), (2,), (3,)]


LARGE = """
    import time
    from pystream.common import Configuration, Types
    from pystream.datastream import RuntimeExecutionMode, StreamExecutionEnvironment

    configuration = Configuration()
    configuration.set_string("spark.driver.memory", "512m")
    configuration.set_string("spark.master", "local[2]")
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    data = [bytes([n % 256]) * 1_000_000 for n in range(400)]
    kind = Types.PRIMITIVE_ARRAY(Types.BYTE())
    stream = env.from_collection(data, kind).map(lambda value: value + b"!", kind)
    with stream.execute_and_collect() as results:
        print(sum(len(value) for value in results), flush=True)
    text = env.from_elements(1).map(lambda n: "x" * 150_000_000, Types.STRING())
    print(text.to_arrow().nbytes > 150_000_000, flush=True)
    env.generate_sequence(1, 25).map(lambda n: "y" * 10_000_000, Types.STRING()).print()
    env.execute()
"""


def test_large_inputs_and_results_do_not_need_a_large_java_heap(tmp_path: Path) -> None:
    program = tmp_path / "large.py"
    program.write_text(textwrap.dedent(LARGE))
    with (tmp_path / "out").open("w+b") as out:
        ended = subprocess.run(
            [sys.executable, str(program)],
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=240,
            check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert ended.returncode == 0, ended.stderr.decode()
        out.seek(0)
        assert out.readline() == b"400000400\n"
        assert out.readline() == b"True\n"
        assert out.read().count(b"y") == 250_000_000
