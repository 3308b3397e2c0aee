"""Measure the memory that join, co_group and reduce of large data sets take.

Run ``python benchmarks/dataset_joins.py [MILLIONS ...]``. Data sets have 1 and then 5 million pairs of a key
and a short text, unless other numbers are given. Keys are unique in each data set of ``join`` and
``co_group``; each key of ``reduce`` has ten pairs. A program runs in processes of its own, on Spark with two
workers, while their memory is observed from outside. ``SPARK_DRIVER_MEMORY`` limits Java's heap, which Java
otherwise lets grow before it collects garbage.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(_ROOT)]

from benchmarks.unbounded.session import DRIVER, JAVA, WORKERS, end, processes  # noqa: E402
from pystream.dataset import DataSet, Environment, get_environment  # noqa: E402

_INTERVAL = 0.1

Pair = tuple[int, str]


def join(env: Environment, size: int) -> DataSet[int]:
    """Join two data sets, and count the results."""
    first, second = _pairs(env, size, size), _pairs(env, size, size)
    return _count(first.join(second).where(0).equal_to(0))


def co_group(env: Environment, size: int) -> DataSet[int]:
    """Co-group two data sets, and count the results."""
    sets = _pairs(env, size, size).co_group(_pairs(env, size, size)).where(0).equal_to(0)
    return _count(sets.using(lambda first, second: zip(first, second, strict=True)))


def reduce(env: Environment, size: int) -> DataSet[int]:
    """Reduce the pairs of each key, and count the results."""
    return _count(_pairs(env, size, size // 10).group_by(0).reduce(lambda first, second: max(first, second)))


PROGRAMS: tuple[Callable[[Environment, int], DataSet[int]], ...] = (join, co_group, reduce)


def _pairs(env: Environment, size: int, keys: int) -> DataSet[Pair]:
    def pair(number: int) -> Pair:
        return number * 7919 % keys, f"text {number % 1000}"

    return env.generate_sequence(0, size - 1).map(pair)


def _count(data_set: DataSet[object]) -> DataSet[int]:
    def count(elements: Iterable[object]) -> list[int]:
        return [sum(1 for _ in elements)]

    return data_set.map_partition(count).reduce(lambda first, second: first + second)


def run(name: str, size: str) -> None:
    """Run a program, and print its number of results and its seconds."""
    (program,) = [each for each in PROGRAMS if each.__name__ == name]
    env = get_environment()
    env.set_parallelism(2)
    program(env, int(size)).output()
    started = time.perf_counter()
    env.execute()
    print(time.perf_counter() - started)


def measure(name: str, size: int) -> tuple[int, float, dict[str, int]]:
    """Run a program; return its number of results, its seconds, and the peak of its largest processes."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--run", name, str(size)],
        env=os.environ | {"SPARK_MASTER": "local[2]"},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    peaks = dict.fromkeys((DRIVER, JAVA, WORKERS), 0)
    try:
        while process.poll() is None:
            for part, resident in processes(process.pid):
                peaks[part] = max(peaks[part], resident)
            time.sleep(_INTERVAL)
    finally:
        end(process.pid)
    assert process.stdout is not None
    printed = process.stdout.read().split()
    if process.returncode:
        raise SystemExit(f"{name} of {size:,} pairs ended with exit code {process.returncode}")
    return int(printed[0]), float(printed[1]), peaks


def main() -> None:
    """Print a line for each size and program."""
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:])
        return
    print(f"{'':<10}{'pairs':>14}{'results':>14}{'s':>8}   peak MB: driver, Java, largest worker", flush=True)
    for millions in sys.argv[1:] or ["1", "5"]:
        size = int(float(millions) * 1e6)
        for program in PROGRAMS:
            sides = 1 if program is reduce else 2
            results, seconds, peaks = measure(program.__name__, size)
            sizes = "".join(f"{peak / 1e6:>10,.0f}" for peak in peaks.values())
            print(
                f"{program.__name__:<10}{sides * size:>14,}{results:>14,}{seconds:>8.1f}{sizes}", flush=True
            )


if __name__ == "__main__":
    main()
