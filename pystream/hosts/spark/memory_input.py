"""Send elements from the driver's memory to the workers: in a file, or as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.engine.connectors.collection import MemorySource
from pystream.hosts.spark.rows import batch_of
from pystream.hosts.spark.task_inputs import Extent, MemoryInput

__all__ = ["send_to_workers"]

_SCHEMA = pa.schema([("target", pa.int32()), ("seq", pa.int64()), ("piece", pa.binary())])


def send_to_workers(
    spark: SparkSession, source: MemorySource, parallelism: int, scratch: Path | None
) -> tuple[DataFrame, MemoryInput]:
    """Return the table to run subtasks on, and the input by which they read the elements.

    Args:
        spark: the session.
        source: the elements.
        parallelism: number of subtasks.
        scratch: a directory that the workers share; without one, the table holds the elements themselves.
    """
    pieces = source.pieces(parallelism)
    if scratch is None:
        return _table(spark, pieces, parallelism), MemoryInput(source)
    path = scratch / f"input-{id(source)}"
    extents: list[list[Extent]] = [[] for _ in range(parallelism)]
    with path.open("xb") as file:
        for subtask, piece in pieces:
            extents[subtask].append(Extent(file.tell(), len(piece)))
            file.write(piece)
    shares = tuple(map(tuple, extents))
    return spark.range(0, parallelism, 1, parallelism), MemoryInput(source, path, shares)


def _table(spark: SparkSession, pieces: Iterator[tuple[int, bytes]], parallelism: int) -> DataFrame:
    batches = [batch_of([(target, seq, piece)], _SCHEMA) for seq, (target, piece) in enumerate(pieces)]
    rows = spark.createDataFrame(pa.Table.from_batches(batches, _SCHEMA))
    return rows.repartitionById(parallelism, F.col("target")).sortWithinPartitions("seq")
