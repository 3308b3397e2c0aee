"""Compare the word counts of the older guides, and a query between streams, with plain PySpark.

Run ``python benchmarks/doors.py [TEXT] [ROUNDS] [MILLIONS]``. TEXT is a file of text; without one, it is made
of the sources of the installed packages, 100 MB. Contenders run in processes of their own, in turns; each
runs its job on a small input first. MILLIONS of numbers, 20 unless given, go through the query.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pystream.dataset import Collector, GroupReduceFunction, WriteMode, get_environment
from pystream.dataset import Iterator as GroupIterator
from pystream.datastream import StreamExecutionEnvironment
from pystream.jython import (
    FlatMapFunction,
    KeySelector,
    PythonEnvironmentFactory,
    ReduceFunction,
    Time,
)
from pystream.table import StreamTableEnvironment

SIZE = 100_000_000
SMALL = "to be or not to be\n" * 1000
QUERY = "SELECT k, SUM(id) AS total, COUNT(*) AS n FROM numbers WHERE id % 3 <> 0 GROUP BY k"


class Adder(GroupReduceFunction[Any, Any]):
    """The combinable reduction of the DataSet guide."""

    def reduce(self, iterator: GroupIterator[Any], collector: Collector[Any]) -> None:
        count, word = next(iterator)
        collector.collect((count + sum(pair[0] for pair in iterator), word))


class Tokenizer(FlatMapFunction[Any, Any]):
    """The tokenizer of the Jython guide."""

    def flatMap(self, value: str, collector: Any) -> None:
        for word in value.lower().split():
            collector.collect((1, word))


class Selector(KeySelector[Any, Any]):
    """The key of the Jython guide."""

    def getKey(self, value: Any) -> Any:
        return value[1]


class Sum(ReduceFunction[Any]):
    """The reduction of the Jython guide."""

    def reduce(self, value1: Any, value2: Any) -> Any:
        return value1[0] + value2[0], value1[1]


def dataset(text: str, out: str) -> None:
    """Count words as the DataSet guide does."""
    env = get_environment()
    words = env.read_text(text).flat_map(lambda line, _: [(1, word) for word in line.lower().split()])
    counts = words.group_by(1).reduce_group(Adder(), combinable=True)
    counts.write_csv(out, write_mode=WriteMode.OVERWRITE)
    env.execute()


def jython(text: str, out: str) -> None:
    """Count words in windows as the Jython guide does."""
    env = PythonEnvironmentFactory().get_execution_environment()
    words = env.read_text_file(text).flat_map(Tokenizer()).key_by(Selector())
    words.time_window(Time.milliseconds(50)).reduce(Sum()).write_as_text(out, WriteMode.OVERWRITE)
    env.execute()


def pyspark(text: str, out: str) -> None:
    """Count words with the expressions of PySpark."""
    from pyspark.sql import functions as F  # noqa: N812 - its usual name

    words = _spark().read.text(text).select(F.explode(F.split(F.lower("value"), r"\s+")).alias("word"))
    counts = words.where("word <> ''").groupBy("word").count()
    counts.write.mode("overwrite").csv(out)


def pyspark_functions(text: str, out: str) -> None:
    """Count words with Python functions in PySpark."""
    import pyarrow as pa

    def tokens(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            words = [word for line in batch.column(0).to_pylist() for word in line.lower().split()]
            counts: Any = pa.array(words, pa.string()).value_counts()  # type: ignore[attr-defined]
            yield pa.RecordBatch.from_arrays([counts.field(0), counts.field(1)], ["word", "n"])

    counts = _spark().read.text(text).mapInArrow(tokens, "word string, n long").groupBy("word").sum("n")
    counts.write.mode("overwrite").csv(out)


def query_between_streams(millions: str, out: str) -> None:
    """Run a query between a stream of a data frame and a data frame."""
    env = StreamExecutionEnvironment.get_execution_environment()
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("numbers", env.from_data_frame(_numbers(millions)))
    frame = t_env.to_data_stream(t_env.sql_query(QUERY)).to_data_frame()
    frame.write.mode("overwrite").parquet(out)


def query_of_spark(millions: str, out: str) -> None:
    """Run the same query in Spark alone."""
    _spark().sql(QUERY.replace("numbers", "{numbers}"), numbers=_numbers(millions)).write.mode(
        "overwrite"
    ).parquet(out)


def _spark() -> Any:
    from pystream.hosts.spark.session import get_session

    return get_session({})


def _numbers(millions: str) -> Any:
    return _spark().range(0, int(float(millions) * 1e6)).selectExpr("id", "id % 1000 AS k")


WORD_COUNTS: tuple[Callable[[str, str], None], ...] = (dataset, jython, pyspark, pyspark_functions)
QUERIES: tuple[Callable[[str, str], None], ...] = (query_between_streams, query_of_spark)


def write_text(path: Path) -> None:
    """Write the sources of the installed packages, in order, until there are 100 MB."""
    with path.open("wb") as file:
        for source in sorted(Path(sysconfig.get_path("purelib")).rglob("*.py")):
            file.write(source.read_bytes())
            if file.tell() >= SIZE:
                file.truncate(SIZE)
                return


def run(name: str, small: str, given: str) -> None:
    """Run a program on a small input, then on the whole, and print its seconds."""
    (program,) = [each for each in (*WORD_COUNTS, *QUERIES) if each.__name__ == name]
    with tempfile.TemporaryDirectory() as directory:
        program(small, f"{directory}/small")
        started = time.perf_counter()
        program(given, f"{directory}/out")
        print(f"seconds {time.perf_counter() - started}")


def compare(programs: Iterable[Callable[[str, str], None]], small: str, given: str, rounds: int) -> None:
    """Print the median seconds of each program."""
    taken: dict[str, list[float]] = {program.__name__: [] for program in programs}
    for _ in range(rounds):
        for name, seconds in taken.items():
            command = [sys.executable, __file__, "--run", name, small, given]
            printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
            seconds.append(float(printed.rpartition("seconds ")[2]))
    for name, seconds in taken.items():
        print(f"{name:24} {statistics.median(seconds):8.2f} s  {[round(s, 2) for s in seconds]}", flush=True)


def main() -> None:
    """Compare word counts and queries."""
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:])
        return
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    millions = sys.argv[3] if len(sys.argv) > 3 else "20"
    with tempfile.TemporaryDirectory() as directory:
        small, text = Path(directory, "small.txt"), Path(directory, "text.txt")
        small.write_text(SMALL, "utf-8")
        if len(sys.argv) > 1 and sys.argv[1]:
            text = Path(sys.argv[1])
        else:
            write_text(text)
        compare(WORD_COUNTS, str(small), str(text), rounds)
        compare(QUERIES, "0.001", millions, rounds)


if __name__ == "__main__":
    main()
