"""Compare the time to the first result of pystream with that of a plain Spark session.

Each program runs in a new process, in turns, and is measured from the start of Python to the line with its
result.

    python benchmarks/startup.py [--rounds 5] [--long]

``--long`` measures the effect of the quick start on the speed of longer jobs instead.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from pystream.errors import PyStreamError
from pystream.hosts.spark import class_archive
from pystream.hosts.spark.java import find_java, launcher_home

_FIRST_RESULT = """
def same(batches):
    yield from batches

rows = spark.createDataFrame([(1,), (2,)], "id long").mapInArrow(same, "id long").collect()
print("result", sorted(row.id for row in rows), flush=True)
"""

_LONG_RUN = """
import json, time

def same(batches):
    yield from batches

def seconds(job):
    def once():
        started = time.perf_counter()
        job()
        return time.perf_counter() - started
    return min(once() for _ in range(5))

def run_to_end(frame):
    frame.write.format("noop").mode("overwrite").save()

numbers = spark.range(0, 5_000_000, 1, 2)
grouped = spark.range(0, 20_000_000, 1, 2).selectExpr("id * 3 as x", "id % 1007 as k").groupBy("k").sum("x")
print("result", json.dumps({
    "5 M rows through a Python function": seconds(lambda: run_to_end(numbers.mapInArrow(same, "id long"))),
    "20 M rows grouped by Spark itself": seconds(lambda: run_to_end(grouped)),
}), flush=True)
"""

_PLAIN = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
_OURS = "from pystream.hosts.spark.session import get_session\nspark = get_session({})\n"
_USUAL_START = (
    "from pystream.hosts.spark.session import get_session\n"
    'spark = get_session({"pystream.quick-start": "false"})\n'
)


def main() -> None:
    """Run one of the comparisons, with a class archive if this Java supports it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    java = find_java()
    try:
        class_archive.record(java)
    except PyStreamError as error:
        print(f"without a class archive: {error}")
    environ = os.environ | {"JAVA_HOME": str(launcher_home(java)), "PYSPARK_PYTHON": sys.executable}
    if arguments.long:
        _compare_long_runs(environ, arguments.rounds)
    else:
        _compare_starts(environ, arguments.rounds)


def _compare_starts(environ: Mapping[str, str], rounds: int) -> None:
    programs = {"plain session": _PLAIN, "pystream": _OURS}
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            taken[name].append(_run(program + _FIRST_RESULT, environ)[0])
    medians = {name: statistics.median(times) for name, times in taken.items()}
    for name, median in medians.items():
        print(f"first result, {name:13}  {median:5.2f} s  (of {_listed(taken[name])})")
    ratios = [ours / plain for plain, ours in zip(*taken.values(), strict=True)]
    print(f"pystream takes {statistics.median(ratios):.2f} of the plain session's time (target: 0.50)")


def _compare_long_runs(environ: Mapping[str, str], rounds: int) -> None:
    programs = {"usual": _USUAL_START, "quick": _OURS}
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            taken[name].append(json.loads(_run(program + _LONG_RUN, environ)[1]))
    for job in taken["quick"][0]:
        usual, quick = (min(times[job] for times in taken[name]) for name in programs)
        print(f"{job:36} {usual:5.2f} s, with the quick start {quick:5.2f} s: ratio {quick / usual:.2f}")


def _run(program: str, environ: Mapping[str, str]) -> tuple[float, str]:
    """Run a program, and return the seconds until its result and the result."""
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("result "):
                taken = time.perf_counter() - started
                process.stdout.read()  # until Java has ended too
                return taken, line.removeprefix("result ")
    raise SystemExit(f"a program failed with exit code {process.returncode}")


def _listed(times: Sequence[float]) -> str:
    return ", ".join(f"{seconds:.2f}" for seconds in sorted(times))


if __name__ == "__main__":
    main()
