"""The worker side of a stage: functions for ``mapInArrow`` that feed tasks with batches."""

from __future__ import annotations

import gc
import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Generic, TypeVar

import pyarrow as pa
from pyspark import TaskContext

from pystream import compat
from pystream.engine.exchange.rows import Item, OutputRow
from pystream.engine.failure import OperatorLabel, TaskFailure, guarded
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.spec import TaskSpec
from pystream.engine.task.progress import reporting
from pystream.engine.task.task import Task
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.engine.worker.environment import WorkerEnvironment, activate
from pystream.engine.worker.logs import logging_to_driver
from pystream.hosts.result_files import ResultFiles, ResultWriters
from pystream.hosts.spark.rows import as_batches
from pystream.hosts.spark.task_inputs import TaskInput, partition_id
from typeinfo.pickling import dumps

__all__ = ["ResultOutput", "StageFunction", "StagePayload", "WorkerFunction", "few_collections"]

IN = TypeVar("IN")
OUT = TypeVar("OUT")

_YOUNG = 100_000  # number of new objects that triggers the garbage collector; the default is 700


@dataclass(frozen=True, slots=True)
class ResultOutput:
    """Results for the driver, written to files.

    Attributes:
        files: their files.
        edges: the edges of the stage whose rows are results.
    """

    files: ResultFiles
    edges: frozenset[int]

    def divert(self, items: Iterator[Item], channel: int, run: int) -> Iterator[Item]:
        """Write the results among a subtask's rows as they arrive, and yield all other rows.

        Args:
            items: the output of the subtask.
            channel: its index.
            run: number of this run of the subtask, greater than those of earlier runs.
        """
        with closing(ResultWriters(self.files, [(edge, channel) for edge in self.edges], run)) as writers:
            for item in items:
                if not (isinstance(item, OutputRow) and writers.write(item)):
                    yield item
            writers.end()


@dataclass(frozen=True, slots=True)
class StagePayload:
    """Everything that the workers of a stage need.

    Attributes:
        task: the task.
        job: the job it belongs to.
        input: reads the elements of the task.
        environment: files and paths the user's functions rely on.
        results: files for results of the driver, or ``None`` if they become rows.
    """

    task: TaskSpec
    job: JobInfo
    input: TaskInput
    environment: WorkerEnvironment
    results: ResultOutput | None = None


class WorkerFunction(ABC, Generic[IN, OUT]):
    """A function that Spark calls on batches in a worker, and that runs functions of the program.

    Args:
        payload: what the worker needs.
        label: what to name in messages, if nothing else is at fault.
        environment: files and paths the functions rely on.
        for_job: whether the text of errors is read by a job, not by the program itself.

    The payload is pickled by value where a script defines its contents, such as the class of a record. It
    stays pickled until the worker's environment is in place, because user code may need that to
    load.
    """

    def __init__(
        self, payload: object, label: OperatorLabel, environment: WorkerEnvironment, *, for_job: bool
    ) -> None:
        self._environment = environment
        self._label = label
        self._for_job = for_job
        self._payload = dumps(payload)

    def __call__(self, arriving: Iterator[IN]) -> Iterator[OUT]:
        try:
            yield from guarded(self._activated(arriving), partial(TaskFailure.of, self._label))
        except TaskFailure as failure:
            # PySpark's worker hangs on text that UTF-8 cannot encode, which only the text of a report never
            # is; where Spark shows it, the message should not be buried below where it was raised.
            raise TaskFailure(failure.report, encoded=self._for_job) from None

    def _activated(self, arriving: Iterator[IN]) -> Iterator[OUT]:
        if self._environment.import_names is not None:
            compat.install(self._environment.import_names)
        with activate(self._environment), few_collections():
            yield from self._run(arriving)

    @abstractmethod
    def _run(self, arriving: Iterator[IN]) -> Iterator[OUT]:
        """Return the results for the batches that arrive."""


class StageFunction(WorkerFunction[pa.RecordBatch, pa.RecordBatch]):
    """The function passed to ``mapInArrow``.

    Args:
        payload: the task.
        for_job: whether the text of errors is read by a job, not by the program itself.
    """

    def __init__(self, payload: StagePayload, *, for_job: bool = True) -> None:
        super().__init__(payload, payload.task.input_label, payload.environment, for_job=for_job)

    def _run(self, arriving: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        payload: StagePayload = pickle.loads(self._payload)
        context = TaskContext.get()
        first = next((batch for batch in arriving if batch.num_rows), None)
        index = payload.input.subtask(first) if first is not None else partition_id()
        batches = iter(()) if first is None else chain((first,), arriving)
        subtask = SubtaskInfo(
            job=payload.job,
            index=index % payload.task.parallelism,
            parallelism=payload.task.parallelism,
            max_parallelism=payload.task.max_parallelism,
            attempt_number=payload.job.attempt + (context.attemptNumber() if context else 0),
        )
        metrics = MetricRegistry()
        name = f"{payload.task.name} ({subtask.index + 1}/{subtask.parallelism})"
        with (
            logging_to_driver(payload.job.logging, payload.job.job_id, name),
            reporting(payload.job.progress, payload.input.progress()) as report,
        ):
            task = Task(payload.task, subtask, metrics, worked=report)
            items = task.run(payload.input.batches(batches, subtask, metrics))
            if payload.results is not None:
                run = context.taskAttemptId() if context else 0
                items = payload.results.divert(items, subtask.index, run)
            yield from as_batches(items)


@contextmanager
def few_collections() -> Iterator[None]:
    """Let Python run its cyclic garbage collector rarely.

    Elements live as long as their batch: they would be traversed several times, and none is garbage yet.
    """
    young, middle, old = gc.get_threshold()
    gc.set_threshold(max(young, _YOUNG), middle, old)
    try:
        yield
    finally:
        gc.set_threshold(young, middle, old)
