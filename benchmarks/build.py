"""Measure the time to build and optimise a program of 200 operators, without a JVM.

Run ``python benchmarks/build.py``; it fails if that imports pyspark, pyarrow or pandas.
"""

from __future__ import annotations

import sys
import time

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment


def increment(value: int) -> int:
    return value + 1


def main() -> None:
    """Build the program, and print the time and the heavy imports."""
    started = time.perf_counter()
    env = StreamExecutionEnvironment.get_execution_environment()
    stream = env.generate_sequence(1, 10)
    for _ in range(100):
        stream = stream.map(increment, Types.LONG()).filter(lambda value: value > 0)
    stream.print()
    env.get_execution_plan()
    seconds = time.perf_counter() - started
    heavy = sorted({"pyspark", "pyarrow", "pandas"} & set(sys.modules))
    print(f"200 operators built and optimised in {seconds:.3f} s")
    print(f"heavy imports: {', '.join(heavy) or 'none'}")
    sys.exit(bool(heavy))


if __name__ == "__main__":
    main()
