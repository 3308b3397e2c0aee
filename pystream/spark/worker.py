"""The worker's side of a stage: what Spark calls with Arrow batches, and how tasks are fed from them."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import cloudpickle
import pyarrow as pa
from pyspark import TaskContext

from pystream import compat
from pystream.metrics.registry import MetricRegistry
from pystream.runtime.environment import WorkerEnvironment, activate
from pystream.runtime.events import MAX_WATERMARK, Arrival, Elements, EndOfGroup, Watermark
from pystream.runtime.failure import TaskFailure
from pystream.runtime.frames import read_frame
from pystream.runtime.io import BoundedSource
from pystream.runtime.progress import Measurable, ProgressReporter
from pystream.runtime.rows import END_OF_CHANNEL, OutputRow
from pystream.runtime.spec import TaskSpec
from pystream.runtime.task import Task
from pystream.runtime.task_info import JobInfo, SubtaskInfo
from pystream.runtime.vectorised.columns import layout_of
from pystream.runtime.vectorised.parts import elements_of
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["ROW_SCHEMA", "ColumnsInput", "RowsInput", "SourceInput", "StageFunction", "StagePayload"]

ROW_SCHEMA = pa.schema(
    [
        pa.field("edge", pa.int32(), nullable=False),
        pa.field("target", pa.int32(), nullable=False),
        pa.field("group", pa.int32(), nullable=False),
        pa.field("channel", pa.int32(), nullable=False),
        pa.field("seq", pa.int64(), nullable=False),
        pa.field("payload", pa.binary(), nullable=False),
    ]
)
_READ = ("edge", "group", "channel", "seq", "payload")
_ROWS_PER_BATCH = 64
_BYTES_PER_BATCH = 4 << 20
_YOUNG = 100_000  # objects that are new when Python looks for cycles among them; 700 is the default


@dataclass(frozen=True, slots=True)
class SourceInput:
    """Elements a worker reads itself: the splits of each subtask."""

    source: BoundedSource
    splits: tuple[tuple[Any, ...], ...]

    def subtask(self, first: pa.RecordBatch) -> int:
        """Return the subtask's number, which is all the placeholder row holds."""
        return int(first.column(0)[0].as_py())

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        """Yield the elements of the subtask's splits, telling of progress if someone listens."""
        for _ in arriving:
            pass  # the placeholder's end: Spark gives up a worker that has not seen all of its input
        splits = self.splits[subtask.index]
        address = subtask.job.progress
        if address is None or not self.total():
            for split in splits:
                yield from _arrivals(self.source.read(split))
            return
        reporter = ProgressReporter(address)
        for split in splits:
            yield from _arrivals(reporter.watch(cast(Measurable, self.source), self.source.read(split)))
        reporter.close()

    def total(self) -> int:
        """Return how much all splits hold, 0 if the source does not know."""
        if not isinstance(self.source, Measurable):
            return 0
        return sum(self.source.size(split) for splits in self.splits for split in splits)


@dataclass(frozen=True, slots=True)
class RowsInput:
    """Elements other tasks sent, as ``OutputRow`` rows.

    Attributes:
        edges: for each edge, which input it is for and the type of its elements.
        by_group: whether rows come one key group after another.
    """

    edges: Mapping[int, tuple[int, TypeInformation[Any]]]
    by_group: bool

    def subtask(self, first: pa.RecordBatch) -> int:
        """Return the subtask's number, to which all rows are addressed."""
        return int(first.column("target")[0].as_py())

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        """Yield what each row holds; the last of a channel tells what was measured, and ends its time."""
        sides = {
            edge: (side, serializer_for(type_info).deserialize)
            for edge, (side, type_info) in self.edges.items()
        }
        present = None
        for batch in arriving:
            columns = (batch.column(name).to_pylist() for name in _READ)
            for edge, group, channel, seq, payload in zip(*columns, strict=True):
                if self.by_group and present not in (None, group):
                    yield Arrival(EndOfGroup())
                present = group
                side, deserialize = sides[edge]
                if seq == END_OF_CHANNEL:
                    if payload:
                        metrics.take_over(pickle.loads(payload))
                    yield Arrival(Watermark(MAX_WATERMARK), side, (edge, channel))
                    continue
                for event in read_frame(payload, deserialize):
                    yield Arrival(event, side, (edge, channel))


@dataclass(frozen=True, slots=True)
class ColumnsInput:
    """Elements that are rows of a Spark table.

    Attributes:
        type_info: their type.
        timed: whether the last column holds their event times.
    """

    type_info: TypeInformation[Any]
    timed: bool

    def subtask(self, first: pa.RecordBatch) -> int:
        """Return the number of Spark's task, which tells subtasks apart: any may read any part of a table.

        Beside those of other tables the numbers begin further on, but without gaps. A column that numbers the
        parts would cost more than a function called once a batch.
        """
        return _position(TaskContext.get())

    def batches(
        self, arriving: Iterator[pa.RecordBatch], subtask: SubtaskInfo, metrics: MetricRegistry
    ) -> Iterator[Arrival]:
        """Yield the elements of each batch of rows."""
        layout = layout_of(self.type_info)
        for batch in arriving:
            arrays = batch.columns
            timestamps = arrays.pop().to_pylist() if self.timed else None
            yield from map(Arrival, elements_of(layout, arrays, timestamps))


@dataclass(frozen=True, slots=True)
class StagePayload:
    """Everything the workers of a stage need.

    Attributes:
        task: what to do.
        job: the job it belongs to.
        input: how elements reach the task.
        environment: files and paths the user's functions rely on.
    """

    task: TaskSpec
    job: JobInfo
    input: SourceInput | RowsInput | ColumnsInput
    environment: WorkerEnvironment


class StageFunction:
    """The function handed to ``mapInArrow``.

    The payload is pickled by value where a script defines what it holds, such as the class of a record. It
    stays pickled until the worker's environment is in place, because user code may need that to
    load.
    """

    def __init__(self, payload: StagePayload) -> None:
        self._environment = payload.environment
        self._payload = cloudpickle.dumps(payload, pickle.HIGHEST_PROTOCOL)

    def __call__(self, arriving: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if self._environment.pyflink_names:
            compat.install()
        with activate(self._environment), _few_collections():
            payload: StagePayload = pickle.loads(self._payload)
            context = TaskContext.get()
            first = next((batch for batch in arriving if batch.num_rows), None)
            index = payload.input.subtask(first) if first is not None else _position(context)
            batches = iter(()) if first is None else chain((first,), arriving)
            subtask = SubtaskInfo(
                job=payload.job,
                index=index % payload.task.parallelism,
                parallelism=payload.task.parallelism,
                max_parallelism=payload.task.max_parallelism,
                attempt_number=payload.job.attempt + (context.attemptNumber() if context else 0),
            )
            metrics = MetricRegistry()
            task = Task(payload.task, subtask, metrics)
            try:
                yield from _as_batches(task.run(payload.input.batches(batches, subtask, metrics)))
            except TaskFailure as failure:
                # Where Spark shows it, the message should not be buried below where it was raised.
                raise failure.with_traceback(None) from None


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let Python look for cycles seldom.

    Elements live as long as their batch: they would be looked at several times, and none is garbage yet.
    """
    young, middle, old = gc.get_threshold()
    gc.set_threshold(max(young, _YOUNG), middle, old)
    try:
        yield
    finally:
        gc.set_threshold(young, middle, old)


def _arrivals(batches: Iterator[Any]) -> Iterator[Arrival]:
    return (Arrival(Elements(values)) for values in batches if values)


def _position(context: TaskContext | None) -> int:
    """Return the number of a subtask that nothing arrives at.

    Spark's own number is right but for tasks that share a Spark stage with those of other sinks.
    """
    return context.partitionId() if context is not None else 0


def _as_batches(items: Iterator[OutputRow | pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows: list[OutputRow] = []
    size = 0
    for item in items:
        if isinstance(item, pa.RecordBatch):
            yield item
            continue
        rows.append(item)
        size += len(item.payload)
        if len(rows) >= _ROWS_PER_BATCH or size >= _BYTES_PER_BATCH:
            yield _row_batch(rows)
            rows, size = [], 0
    if rows:
        yield _row_batch(rows)


def _row_batch(rows: list[OutputRow]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, ROW_SCHEMA, strict=True)],
        schema=ROW_SCHEMA,
    )
