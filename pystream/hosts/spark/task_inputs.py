"""The inputs of tasks on Spark workers: decode the rows that Spark hands to a subtask."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark import TaskContext

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.events import Arrival, Elements
from pystream.engine.exchange.row_reader import ReceivedRow, RowReader
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.task.progress import Progress, counted, received
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.timestamps import timestamps_of_array
from pystream.engine.vectorised.columns import layout_of
from pystream.engine.vectorised.parts import elements_of
from pystream.hosts.inputs import SourceInput, disconnect
from typeinfo.info import TypeInformation

__all__ = ["ColumnsInput", "Extent", "MemoryInput", "RowsInput", "SplitsInput", "TaskInput", "partition_id"]


def partition_id() -> int:
    """Return Spark's number of the running task; 0 in tests without Spark.

    It is the number of the subtask, unless Spark runs the task in one stage with those of other sources or
    sinks, among which it numbers on.
    """
    context = TaskContext.get()
    return context.partitionId() if context is not None else 0


class TaskInput(ABC):
    """The input of a task on a worker."""

    def subtask(self, first: pa.RecordBatch) -> int:
        """Return the number of the subtask, given its first rows, by default from the first column."""
        return int(first.column(0)[0].as_py())

    @abstractmethod
    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        """Yield the elements of a subtask, with the watermarks among them.

        Args:
            arriving: the rows from Spark.
            subtask: the subtask.
            metrics: receives the metrics of senders.
        """

    def progress(self) -> Callable[[Sequence[Any]], Progress]:
        """Return a function that reports the progress of processed elements."""
        return received


@dataclass(frozen=True, slots=True)
class SplitsInput(TaskInput):
    """Elements that a worker reads from the splits of its subtask; Spark's rows only hold its number."""

    input: SourceInput

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        for _ in arriving:
            pass  # read the placeholder to its end: Spark discards a worker with unread input
        try:
            yield from self.input.read(subtask.index)
        finally:
            disconnect(self.input.source)

    def progress(self) -> Callable[[Sequence[Any]], Progress]:
        return self.input.progress()


@dataclass(frozen=True, slots=True)
class RowsInput(TaskInput):
    """Elements sent by other tasks, as ``OutputRow`` rows, all addressed to one subtask.

    Attributes:
        edges: for each edge, the input that it is for and the type of its elements.
        by_group: whether rows are ordered by key group.
    """

    edges: Mapping[int, tuple[int, TypeInformation[Any]]]
    by_group: bool

    def subtask(self, first: pa.RecordBatch) -> int:
        return int(first.column("target")[0].as_py())

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        reader = RowReader(self.edges, metrics, by_group=self.by_group)
        for batch in arriving:
            columns = (batch.column(name).to_pylist() for name in ReceivedRow._fields)
            for row in zip(*columns, strict=True):
                yield from reader.arrivals(ReceivedRow._make(row))


@dataclass(frozen=True, slots=True)
class ColumnsInput(TaskInput):
    """Elements that are rows of a Spark table; any subtask may read any partition.

    Attributes:
        type_info: their type.
        timed: whether the last column holds their timestamps.
    """

    type_info: TypeInformation[Any]
    timed: bool

    def subtask(self, first: pa.RecordBatch) -> int:
        return partition_id()  # a column that numbers the parts would cost more than a call per batch

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        layout = layout_of(self.type_info)
        for batch in arriving:
            arrays = batch.columns
            timestamps = timestamps_of_array(arrays.pop()) if self.timed else None
            yield from map(Arrival, elements_of(layout, arrays, timestamps))


class Extent(NamedTuple):
    """The position of a piece in the file."""

    start: int
    length: int


@dataclass(frozen=True, slots=True)
class MemoryInput(TaskInput):
    """Elements of the driver's memory, in pieces; Spark's rows start with the number of the subtask.

    Attributes:
        source: decodes the pieces.
        path: the file they are in, or ``None`` if they arrive as rows.
        extents: positions of the pieces of each subtask in the file.
    """

    source: MemorySource
    path: Path | None = None
    extents: tuple[tuple[Extent, ...], ...] = ()

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        for piece in self._pieces(arriving, subtask.index):
            for values in self.source.read(piece):
                if values:
                    yield Arrival(Elements(values))

    def progress(self) -> Callable[[Sequence[Any]], Progress]:
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
