"""Functions called once a batch against the same bodies written by hand: mapInArrow and pandas UDFs.

Three bodies on a table of 5 million rows: longs as ``pd.Series`` and as ``pa.Array``, mapped and filtered;
rows of two columns as ``pd.DataFrame``, mapped. ``elementwise`` is the first, called once an element.

Run ``python benchmarks/vectorised.py [RECORDS] [ROUNDS]``. The contenders take turns, so that a machine that
slows down slows all of them; quoted are medians, and ratios of them.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.common import Configuration, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.hosts.spark.session import get_session
from typeinfo.formats.spark import to_spark_schema

LONG = Types.LONG()
SUMS = Types.ROW_NAMED(["total", "ratio"], [LONG, Types.DOUBLE()])


def odd_series(values: pd.Series) -> pd.Series:
    return values * 2 + 1


def third_series(values: pd.Series) -> pd.Series:
    return values % 3 == 0


def odd_array(values: pa.Array) -> pa.Array:
    return pc.add(pc.multiply(values, 2), 1)


def large_array(values: pa.Array) -> pa.Array:
    return pc.greater(values, 1000)


def sums(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"total": rows["a"] + rows["b"], "ratio": rows["b"] / (rows["a"] + 1)})


def by_hand_series(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        odd = odd_series(batch.column(0).to_pandas())
        kept = odd[third_series(odd)]
        yield pa.RecordBatch.from_arrays([pa.array(kept, pa.int64())], ["value"])


def by_hand_array(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        odd = odd_array(batch.column(0))
        yield pa.RecordBatch.from_arrays([odd.filter(large_array(odd))], ["value"])


def by_hand_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield pa.RecordBatch.from_pandas(sums(batch.to_pandas()), preserve_index=False)


def odd(value: int) -> int:
    return value * 2 + 1


def third(value: int) -> bool:
    return value % 3 == 0


def contenders(records: int) -> dict[str, dict[str, Callable[[], object]]]:
    """Return what is compared, by body; each gives its results to Spark's sink that discards them."""
    spark = get_session({})
    unlifted = Configuration().set_string("pystream.lifting", "false")  # or nothing would call ``odd``
    env = StreamExecutionEnvironment.get_execution_environment(unlifted)
    env.set_parallelism(2)
    noted = to_spark_schema(LONG)["value"].metadata  # by which a column stands for longs, not for rows of one
    longs = spark.range(0, records, 1, 2).select(F.col("id").alias("value", metadata=noted))
    pairs = spark.range(0, records, 1, 2).select(F.col("id").alias("a"), (F.col("id") * 3).alias("b"))

    def discard(frame: DataFrame) -> None:
        frame.write.format("noop").mode("overwrite").save()

    def stream(frame: DataFrame) -> DataStream[Any]:
        return env.from_data_frame(frame)

    odd_udf = F.pandas_udf("long")(odd_series)
    third_udf = F.pandas_udf("boolean")(third_series)
    odds = longs.select(odd_udf("value").alias("value"))
    return {
        "longs as pd.Series": {
            "mapInArrow": lambda: discard(longs.mapInArrow(by_hand_series, "value long")),
            "vectorised": lambda: discard(
                stream(longs).map(odd_series, LONG).filter(third_series).to_data_frame()
            ),
            "pandas UDF": lambda: discard(odds.where(third_udf("value"))),
            "elementwise": lambda: discard(stream(longs).map(odd, LONG).filter(third).to_data_frame()),
        },
        "longs as pa.Array": {
            "mapInArrow": lambda: discard(longs.mapInArrow(by_hand_array, "value long")),
            "vectorised": lambda: discard(
                stream(longs).map(odd_array, LONG).filter(large_array).to_data_frame()
            ),
        },
        "rows as pd.DataFrame": {
            "mapInArrow": lambda: discard(pairs.mapInArrow(by_hand_rows, "total long, ratio double")),
            "vectorised": lambda: discard(stream(pairs).map(sums, SUMS).to_data_frame()),
        },
    }


def main() -> None:
    """Measure and print."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    compared = contenders(records)
    times: dict[tuple[str, str], list[float]] = {
        (body, name): [] for body, runs in compared.items() for name in runs
    }
    for number in range(rounds + 1):
        for body, name in times:
            started = time.perf_counter()
            compared[body][name]()
            if number:  # the first round warms up
                times[body, name].append(time.perf_counter() - started)
    print(f"{records:,} records, {rounds} rounds")
    for (body, name), measured in times.items():
        median = statistics.median(measured)
        by_hand = statistics.median(times[body, "mapInArrow"])
        spread = f"{min(measured):.2f} to {max(measured):.2f} s"
        print(
            f"{body:21} {name:12} {records / median / 1e6:6.2f} M/s  ({spread})"
            f"  {by_hand / median:.2f} x mapInArrow"
        )


if __name__ == "__main__":
    main()
