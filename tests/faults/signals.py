"""Single signals at random moments: each of them ends the program, and only once it is sent."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.faults.outcome import Outcome

__all__ = ["run_signals"]

_PATIENCE = {"local": 90.0, "spark": 300.0}  # seconds to end on a busy machine, on which Spark starts slowly
_LATEST = {"local": 3.0, "spark": 20.0}  # seconds after the start at which a signal is sent
_AT_ONCE = {"local": 4, "spark": 2}
_EVERY_SPARK = 5
_BURNERS = 2
_BURN = "while True: pass"
_PROGRAM = """
import sys, time
from pystream.common import Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.data_generator import DataGeneratorSource, RateLimiterStrategy

def slow(number):
    time.sleep(0.05)
    return number

way = sys.argv[1]
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
count = 100_000 if way == "bounded" else DataGeneratorSource.UNBOUNDED
rate = RateLimiterStrategy.per_second(100)
source = DataGeneratorSource(int, count, rate, type_info=Types.LONG())
numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").map(slow, Types.LONG())
if way == "collect":
    for _ in numbers.execute_and_collect():
        pass
elif way == "async":
    env.execute_async().get_job_execution_result().result()
else:
    env.execute()
"""
_WAYS = ("bounded", "unbounded", "collect", "async")


@dataclass(frozen=True, slots=True)
class _Case:
    """A signal to a program.

    Attributes:
        seed: its number.
        host: the host of the job.
        way: how the program waits for the job.
        signal: the signal; SIGINT reaches all processes of the program, as Ctrl-C does.
        moment: the time after the start in seconds.
    """

    seed: int
    host: str
    way: str
    signal: signal.Signals
    moment: float

    @classmethod
    def of(cls, seed: int, host: str | None) -> _Case:
        drawn = random.Random(seed)
        host = host or ("spark" if seed % _EVERY_SPARK == 0 else "local")
        way, sent = drawn.choice(_WAYS), drawn.choice((signal.SIGINT, signal.SIGTERM))
        return cls(seed, host, way, sent, drawn.uniform(0, _LATEST[host]))

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.signal.name} to {self.way} on {self.host} after {self.moment:.2f} s"


def run_signals(seeds: Sequence[int], host: str | None) -> list[Outcome]:
    """Run a program for each seed and send it a signal, while other processes keep the machine busy.

    Args:
        seeds: the seeds.
        host: the host of all jobs; one in five is on Spark by default.
    """
    cases = [_Case.of(seed, host) for seed in seeds]
    burners = [subprocess.Popen([sys.executable, "-c", _BURN]) for _ in range(_BURNERS)]
    try:
        with ThreadPoolExecutor(_AT_ONCE["local"]) as local, ThreadPoolExecutor(_AT_ONCE["spark"]) as spark:
            pools = {"local": local, "spark": spark}
            results = [pools[case.host].submit(_run, case) for case in cases]
            seconds = [result.result() for result in results]
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    taken = sorted(each for each in seconds if each is not None)
    if taken:
        print(
            f"ended {taken[len(taken) // 2]:.1f} s after the signal in the median, {taken[-1]:.1f} s at most"
        )
    return [Outcome.FAILED if each is None else Outcome.PASSED for each in seconds]


def _run(case: _Case) -> float | None:
    """Return after how many seconds a program ended; ``None`` if it did not end, or before the signal."""
    with tempfile.TemporaryDirectory(prefix=f"signals-{case.seed}-") as directory:
        place = Path(directory)
        program = place / "program.py"
        program.write_text(_PROGRAM)
        (place / "flink-conf.yaml").write_text(f"pystream.runner: {case.host}\n")
        with (place / "output").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, str(program), case.way],
                env={**os.environ, "FLINK_CONF_DIR": directory, "TMPDIR": directory},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                return _signalled(case, process, place / "output")
            finally:
                _end(process)


def _signalled(case: _Case, process: subprocess.Popen[bytes], output: Path) -> float | None:
    try:
        process.wait(case.moment)
    except subprocess.TimeoutExpired:
        sent, patience = time.monotonic(), _PATIENCE[case.host]
        if case.signal is signal.SIGINT:
            os.killpg(process.pid, case.signal)
        else:
            process.send_signal(case.signal)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            problem = f"still runs {patience:.0f} s after the signal"
        else:
            return time.monotonic() - sent
    else:
        problem = f"ended with {process.returncode} before the signal"
    print(f"{case}\n    FAILED: {problem}\n{output.read_text(errors='replace')[-2000:]}", flush=True)
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a program: the process, and its workers and Java."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
