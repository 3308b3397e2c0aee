"""Compare vectorised functions of pandas objects with ``mapInArrow`` and pandas UDFs.

Longs as ``pd.Series`` are mapped and filtered, rows of two columns as ``pd.DataFrame`` are mapped.

Run ``python benchmarks/vectorised.py [RECORDS] [ROUNDS]``. The contenders take turns, so that disturbances
affect all of them. Figures are medians and ratios of medians.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.common import Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.hosts.spark.session import get_session
from typeinfo.formats.spark import to_spark_schema

LONG = Types.LONG()
SUMS = Types.ROW_NAMED(["total", "ratio"], [LONG, Types.DOUBLE()])


def odd_series(values: pd.Series) -> pd.Series:
    return values * 2 + 1


def third_series(values: pd.Series) -> pd.Series:
    return values % 3 == 0


def sums(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"total": rows["a"] + rows["b"], "ratio": rows["b"] / (rows["a"] + 1)})


def by_hand_series(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        odd = odd_series(batch.column(0).to_pandas())
        kept = odd[third_series(odd)]
        yield pa.RecordBatch.from_arrays([pa.array(kept, pa.int64())], ["value"])


def by_hand_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield pa.RecordBatch.from_pandas(sums(batch.to_pandas()), preserve_index=False)


def contenders(records: int) -> dict[str, dict[str, Callable[[], object]]]:
    """Return the jobs to compare, by input and name. They discard their results."""
    spark = get_session({})
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(2)
    metadata = to_spark_schema(LONG)["value"].metadata  # elements are longs, not rows of one
    longs = spark.range(0, records, 1, 2).select(F.col("id").alias("value", metadata=metadata))
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
        },
        "rows as pd.DataFrame": {
            "mapInArrow": lambda: discard(pairs.mapInArrow(by_hand_rows, "total long, ratio double")),
            "vectorised": lambda: discard(stream(pairs).map(sums, SUMS).to_data_frame()),
        },
    }


def main() -> None:
    """Measure each job and print its rate."""
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
