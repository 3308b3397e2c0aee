"""Queries that load the classes most programs need, recorded by `pystream.hosts.spark.class_archive`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pystream.hosts.spark.session import get_session

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["main"]


def main() -> None:
    """Run a few queries, batch and streaming."""
    spark = get_session({})
    with tempfile.TemporaryDirectory() as directory:
        numbers = spark.range(0, 1000, 1, 2)
        frame = numbers.unionByName(spark.createDataFrame([(-1,)], "id long"))
        exchanged = frame.mapInArrow(_same, "id long").repartition(2, "id").mapInArrow(_same, "id long")
        exchanged.toArrow()
        exchanged.collect()
        numbers.selectExpr("id % 7 as key", "id").groupBy("key").sum("id").orderBy("key").collect()
        exchanged.write.parquet(f"{directory}/table")
        stream = spark.readStream.schema("id long").parquet(f"{directory}/table").mapInArrow(_same, "id long")
        writer = stream.writeStream.foreachBatch(_count).trigger(availableNow=True)
        writer.option("checkpointLocation", f"{directory}/checkpoint").start().awaitTermination()


def _same(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def _count(frame: DataFrame, _batch: int) -> None:
    frame.count()


if __name__ == "__main__":
    main()
