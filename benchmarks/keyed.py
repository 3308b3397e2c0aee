"""Keyed operators and windows, against PyFlink where it is installed, and against Spark's own window.

Run ``python benchmarks/keyed.py [RECORDS] [ROUNDS]``. With ``PYFLINK_PYTHON`` naming the interpreter of an
environment that has ``apache-flink``, the programs run there too, on a share of the records, or more where
that share takes no longer than the start, and on a tenth of it; the difference leaves out what a job takes to
start, which is seconds there. Ours are medians of whole jobs, the start of Java and Spark apart.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream import compat
from pystream.hosts.spark.session import get_session

PROGRAMS = Path(__file__).with_name("keyed_programs.py")
_SHARES = {"thread": 5, "process": 50}
"""PyFlink's modes, and which part of the records each is given, so that it ends within minutes."""


def spark_window(records: int) -> None:
    """Sum in tumbling windows by Spark's own means."""
    frame = get_session({}).range(0, records, 1, 2)
    rows = frame.select(
        (F.col("id") * 7919 % 10_000).alias("key"),
        F.timestamp_millis(F.col("id")).alias("time"),
        (F.col("id") + 1).alias("value"),
    )
    sums = rows.groupBy("key", F.window("time", "100 seconds")).agg(F.sum("value"))
    sums.write.format("noop").mode("overwrite").save()


def seconds(program: Callable[[], object], rounds: int) -> float:
    """Return the median of several runs."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        program()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def pyflink(records: int) -> dict[str, float]:
    """Return PyFlink's records a second by program, in its better mode; nothing if it is not there."""
    python = os.environ.get("PYFLINK_PYTHON")
    if python is None:
        return {}
    best: dict[str, float] = {}
    for mode, share in _SHARES.items():
        environment = os.environ | {"PATH": f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"}
        command = [python, str(PROGRAMS), str(records // share), mode]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                if line.startswith("rate\t"):
                    _, name, rate = line.split("\t")
                    best[name] = max(best.get(name, 0.0), float(rate))
                    print(f"PyFlink, {mode} mode: {name:38} {float(rate) / 1e6:6.3f} M/s", flush=True)
        if running.returncode:
            raise subprocess.CalledProcessError(running.returncode, command)
    return best


def main() -> None:
    """Measure and print."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    compat.install()  # the programs import pyflink
    sys.path.insert(0, str(PROGRAMS.parent))
    from keyed_programs import programs

    theirs = pyflink(records)
    for name, program in programs(records).items():
        program()
        rate = records / seconds(program, rounds)
        text = f"{name:38} {rate / 1e6:6.2f} M/s"
        if name in theirs:
            text += f"   PyFlink {theirs[name] / 1e6:6.3f} M/s: {rate / theirs[name]:5.1f} times as fast"
        print(text)
    spark_window(records)
    rate = records / seconds(lambda: spark_window(records), rounds)
    print(f"{'the same windows by Spark itself':38} {rate / 1e6:6.2f} M/s")


if __name__ == "__main__":
    main()
