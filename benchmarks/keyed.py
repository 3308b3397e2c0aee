"""Compare keyed operators that the suite leaves out with PyFlink, if it is installed.

Run ``python benchmarks/keyed.py [RECORDS] [ROUNDS]``. The rates of pystream are medians of whole jobs in a
running session. If ``PYFLINK_PYTHON`` names the interpreter of an environment with ``apache-flink``, the
programs also run there, on a share of the records and on a tenth of that share: the rate is that of the
difference, because a job takes seconds to start. The share grows until the start is less than half of the
job.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pystream import compat

PROGRAMS = Path(__file__).with_name("keyed_programs.py")
_SHARES = {"thread": 5, "process": 50}
"""Divisor of the number of records for each mode of PyFlink, so that jobs end within minutes."""


def median_seconds(program: Callable[[], object], rounds: int) -> float:
    """Return the median duration of several runs."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        program()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def pyflink_rates(records: int) -> dict[str, float]:
    """Return the records per second of PyFlink's faster mode by program, none if PyFlink is not installed."""
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
    """Measure each program and print its rates."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    compat.install()  # the programs import pyflink
    sys.path.insert(0, str(PROGRAMS.parent))
    from keyed_programs import programs

    flink_rates = pyflink_rates(records)
    for name, program in programs(records).items():
        program()
        rate = records / median_seconds(program, rounds)
        text = f"{name:38} {rate / 1e6:6.2f} M/s"
        if name in flink_rates:
            ratio = rate / flink_rates[name]
            text += f"   PyFlink {flink_rates[name] / 1e6:6.3f} M/s: {ratio:5.1f} times as fast"
        print(text)


if __name__ == "__main__":
    main()
