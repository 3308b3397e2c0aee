"""Map and filter over 5 million longs: typed and pickled streams against PySpark's UDF and a plain loop.

``typed`` declares the result of the map, ``untyped`` does not. The two tables are read from Spark besides:
one has a column of longs, the other a column of pickled objects.

Run ``python benchmarks/map_filter.py [RECORDS] [ROUNDS]``. The contenders take turns, so that a machine that
slows down slows all of them; quoted are medians, and ratios of them.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.common import Configuration, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.hosts.spark.session import get_session

PAIR = Types.TUPLE((Types.LONG(), Types.LONG()))


def pair(value: int) -> Any:
    return value % 4, value + 1


def itself(value: Any) -> Any:
    return value


def even(value: Any) -> bool:
    return bool(value[1] % 2 == 0)


def contenders(records: int) -> dict[str, Callable[[], object]]:
    """Return what is compared; each gives its results to Spark's sink that discards them."""
    spark = get_session({})
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(2)
    env.configure(Configuration.from_dict({"pystream.lifting": "false"}))  # to call what is compared

    def discard(frame: DataFrame) -> None:
        frame.write.format("noop").mode("overwrite").save()

    def numbers() -> DataStream[int]:
        return env.generate_sequence(0, records - 1)

    def typed() -> None:
        discard(numbers().map(pair, output_type=PAIR).filter(even).to_data_frame())

    def untyped() -> None:
        discard(numbers().map(pair).filter(even).to_data_frame())

    def typed_table() -> None:
        table = env.from_data_frame(numbers().to_data_frame())
        discard(table.map(pair, output_type=PAIR).filter(even).to_data_frame())

    def pickled_table() -> None:
        table = env.from_data_frame(numbers().map(itself).to_data_frame())
        discard(table.map(pair).filter(even).to_data_frame())

    udf = F.udf(lambda value: pair(value), "f0 long, f1 long")

    def pyspark_udf() -> None:
        mapped = spark.range(0, records, 1, 2).select(udf("id").alias("r"))
        discard(mapped.where("r.f1 % 2 = 0"))

    def plain_loop() -> int:
        return sum(1 for result in map(pair, range(records)) if even(result))

    return {
        "typed": typed,
        "untyped": untyped,
        "typed table": typed_table,
        "pickled table": pickled_table,
        "PySpark UDF": pyspark_udf,
        "plain loop, 1 core": plain_loop,
    }


def main() -> None:
    """Measure and print."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    compared = contenders(records)
    times: dict[str, list[float]] = {name: [] for name in compared}
    for number in range(rounds + 1):
        for name, run in compared.items():
            started = time.perf_counter()
            run()
            if number:  # the first round warms up
                times[name].append(time.perf_counter() - started)
    typed = statistics.median(times["typed"])
    print(f"{records:,} records, {rounds} rounds")
    for name, measured in times.items():
        median = statistics.median(measured)
        spread = f"{min(measured):.2f} to {max(measured):.2f} s"
        print(f"{name:20} {records / median / 1e6:6.2f} M/s  ({spread})  typed is {median / typed:.2f} x")


if __name__ == "__main__":
    main()
