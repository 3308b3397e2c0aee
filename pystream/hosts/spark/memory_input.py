"""Send elements from the driver's memory to the workers: in a file, or as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.events import Arrival, Elements
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.task.progress import Progress, counted
from pystream.engine.task_info import SubtaskInfo

__all__ = ["MemoryInput", "send_to_workers"]

_ROWS = pa.schema(
    [
        pa.field("target", pa.int32(), nullable=False),
        pa.field("seq", pa.int64(), nullable=False),
        pa.field("piece", pa.binary(), nullable=False),
    ]
)


class _Extent(NamedTuple):
    """The position of a piece in the file."""

    start: int
    length: int


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """Elements of the driver's memory, in pieces.

    Attributes:
        source: decodes the pieces.
        path: the file they are in, or ``None`` if they arrive as rows.
        extents: positions of the pieces of each subtask in the file.
    """

    source: MemorySource
    path: Path | None = None
    extents: tuple[tuple[_Extent, ...], ...] = ()

    def subtask(self, first: pa.RecordBatch) -> int:
        """Return the subtask's number, which every row starts with."""
        return int(first.column(0)[0].as_py())

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        """Yield the elements of the subtask's pieces."""
        for piece in self._pieces(arriving, subtask.index):
            for values in self.source.read(piece):
                if values:
                    yield Arrival(Elements(cast("list[Any]", values)))

    def progress(self) -> Callable[[Sequence[Any]], Progress]:
        """Return a function that reports the progress of processed elements."""
        return counted

    def _pieces(self, arriving: Iterator[pa.RecordBatch], index: int) -> Iterator[bytes]:
        if self.path is None:
            for batch in arriving:
                yield from (piece.as_py() for piece in batch.column("piece"))
            return
        for _ in arriving:
            pass  # read the placeholder to its end: Spark discards a worker with unread input
        with self.path.open("rb") as file:
            for start, length in self.extents[index]:
                file.seek(start)
                yield file.read(length)


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
    extents: list[list[_Extent]] = [[] for _ in range(parallelism)]
    with path.open("xb") as file:
        for subtask, piece in pieces:
            extents[subtask].append(_Extent(file.tell(), len(piece)))
            file.write(piece)
    shares = tuple(map(tuple, extents))
    return spark.range(0, parallelism, 1, parallelism), MemoryInput(source, path, shares)


def _table(spark: SparkSession, pieces: Iterator[tuple[int, bytes]], parallelism: int) -> DataFrame:
    batches = [
        pa.RecordBatch.from_arrays(
            [pa.array([value], field.type) for value, field in zip((target, seq, piece), _ROWS, strict=True)],
            schema=_ROWS,
        )
        for seq, (target, piece) in enumerate(pieces)
    ]
    table = pa.Table.from_batches(batches, _ROWS)
    rows = spark.createDataFrame(table, "target int, seq bigint, piece binary")
    return rows.repartitionById(parallelism, F.col("target")).sortWithinPartitions("seq")
