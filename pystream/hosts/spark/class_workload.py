"""Queries that load the classes most programs need, recorded by `pystream.hosts.spark.class_archive`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pystream.hosts.spark.session import get_session

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["run"]


def run(spark: SparkSession, directory: str) -> None:
    """Run a few queries, batch and streaming, and write their files to a directory."""
    numbers = spark.range(0, 1000, 1, 2)
    frame = numbers.unionByName(spark.createDataFrame([(-1,)], "id long"))
    exchanged = frame.mapInArrow(_same, "id long").repartition(2, "id").mapInArrow(_same, "id long")
    exchanged.toArrow()
    exchanged.collect()
    numbers.selectExpr("id % 7 as key", "id").groupBy("key").sum("id").orderBy("key").collect()
    exchanged.write.parquet(f"{directory}/table")
    stream = spark.readStream.schema("id long").parquet(f"{directory}/table").mapInArrow(_same, "id long")
    query = (
        stream.writeStream.foreachBatch(_count)
        .option("checkpointLocation", f"{directory}/checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def _same(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def _count(frame: DataFrame, _batch: int) -> None:
    frame.count()


def main() -> None:
    """Run all queries."""
    with tempfile.TemporaryDirectory() as scratch:
        run(get_session({}), scratch)


if __name__ == "__main__":
    main()
