"""Measure the cost of the mypy plugin on a pipeline of 2,000 lines.

    python benchmarks/typing_time.py

mypy runs alternately with and without the plugin: first without a cache, so that it reads pystream too, then
with a cache of everything but the pipeline. Figures are medians.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINES = 2_000
RUNS = 5
TARGET = 1.3

HEADER = '''"""A generated pipeline."""

from collections.abc import Iterable, Iterator

from pystream.common import Row, Time, Types
from pystream.datastream import (
    AggregateFunction,
    KeyedProcessFunction,
    OutputTag,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import TumblingEventTimeWindows


class Mean(AggregateFunction[tuple[str, int], list[int], float]):
    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def add(self, value: tuple[str, int], accumulator: list[int]) -> list[int]:
        return [accumulator[0] + value[1], accumulator[1] + 1]

    def get_result(self, accumulator: list[int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: list[int], acc_b: list[int]) -> list[int]:
        return [acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]]


env = StreamExecutionEnvironment.get_execution_environment()
'''

STEP = """

class Counts{n}(KeyedProcessFunction[str, tuple[str, int], int]):
    def process_element(
        self, value: tuple[str, int], ctx: KeyedProcessFunction.Context
    ) -> Iterator[int]:
        yield value[1] + len(ctx.get_current_key()) + {n}


def pipeline{n}() -> None:
    pair_type = Types.TUPLE([Types.STRING(), Types.INT()])
    row_type = Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])
    lines = env.from_collection(["a b", "c d"], Types.STRING())
    words = lines.flat_map(lambda line: line.split(), Types.STRING())
    pairs = words.map(lambda word: (word, {n}), pair_type)
    rows = pairs.map(lambda pair: Row(word=pair[0], count=pair[1]), row_type)
    long = rows.filter(lambda row: len(row.word) > {n})
    long.map(lambda row: row["count"] + row[1], Types.INT()).print()
    keyed = pairs.key_by(lambda pair: pair[0], Types.STRING())
    keyed.reduce(lambda a, b: (a[0], a[1] + b[1])).print()
    keyed.sum(1).project(1, 0).map(lambda pair: pair[1].upper(), Types.STRING()).print()
    keyed.process(Counts{n}(), Types.INT()).print()
    windows = keyed.window(TumblingEventTimeWindows.of(Time.seconds({n} + 1)))
    windows.aggregate(Mean(), output_type=Types.DOUBLE()).print()
    late = OutputTag("late", pair_type)
    windows.side_output_late_data(late).reduce(lambda a, b: max(a, b)).get_side_output(late).print()
    rows.key_by("word").max_by("count").union(long).print()
    pairs.connect(rows).key_by(lambda pair: pair[0], lambda row: row.word)
"""

CONFIG = """
[mypy]
strict = true
follow_imports = silent
mypy_path = {root}:{root}/stubs
cache_dir = {cache}
plugins = {plugins}

[mypy-pyspark.*,pandas.*,numpy.*,pyarrow.*]
follow_imports = skip
follow_imports_for_stubs = true
"""


def program() -> str:
    """Return a pipeline of about ``LINES`` lines."""

    def parts() -> Iterator[str]:
        yield HEADER
        written, n = HEADER.count("\n"), 0
        while written < LINES:
            step = STEP.format(n=n)
            yield step
            written, n = written + step.count("\n"), n + 1

    return "".join(parts())


def check(directory: Path, plugin: bool) -> float:
    """Return the seconds that mypy takes.

    Raises:
        RuntimeError: if it reports an error.
    """
    name = "plugin" if plugin else "plain"
    config = directory / f"{name}.ini"
    plugins = "pystream.mypy_plugin" if plugin else ""
    config.write_text(CONFIG.format(root=ROOT, cache=directory / name, plugins=plugins))
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), str(directory / "pipeline.py")]
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    seconds = time.perf_counter() - start
    if result.returncode:
        raise RuntimeError(f"mypy {name}:\n{result.stdout}{result.stderr}")
    return seconds


def main() -> None:
    times: dict[tuple[str, bool], list[float]] = {}
    source = program()
    for run in range(RUNS):
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            for cache in ("no cache", "only the pipeline new"):
                # One line longer, because mypy considers a file of the same size and second unchanged.
                (directory / "pipeline.py").write_text(source + "\n" * (cache != "no cache"))
                for plugin in (run % 2 == 0, run % 2 != 0):
                    times.setdefault((cache, plugin), []).append(check(directory, plugin))
    print(f"mypy --strict over {source.count(chr(10)):,} lines, median of {RUNS} runs")
    for cache in ("no cache", "only the pipeline new"):
        plain, exact = (statistics.median(times[cache, plugin]) for plugin in (False, True))
        print(f"{cache:24}{plain:8.2f} s without   {exact:8.2f} s with   {exact / plain:6.2f} x")
    plain, exact = (statistics.median(times["no cache", plugin]) for plugin in (False, True))
    met = "met" if exact / plain < TARGET else "missed"
    print(f"target: under {TARGET} x without a cache: {met}")


if __name__ == "__main__":
    main()
