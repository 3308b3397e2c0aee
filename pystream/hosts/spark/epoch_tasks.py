"""The worker side of an unbounded job: the functions that run its levels, epoch by epoch."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pyspark import TaskContext
from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from pystream import compat
from pystream.engine.connectors.interfaces import UnboundedSource
from pystream.engine.epoch import Epoch
from pystream.engine.exchange.row_reader import ReceivedRow, RowReader
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.failure import TaskFailure, guarded
from pystream.engine.spec import TaskSpec
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.engine.worker.environment import WorkerEnvironment, activate
from pystream.engine.worker.logs import logging_to_driver
from pystream.hosts.inputs import disconnect
from pystream.hosts.spark.level_rows import LABELLED_SCHEMA, labelled
from pystream.hosts.spark.levels import Address, Routes
from pystream.hosts.spark.live_subtasks import LiveKey, LiveSubtasks
from pystream.hosts.spark.task_inputs import ColumnsInput
from pystream.hosts.spark.worker import few_collections
from pystream.hosts.unbounded.epoch_log import EpochLog
from pystream.hosts.unbounded.epoch_subtask import EpochSubtask
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps

__all__ = ["Level", "LevelProcessor", "StagePart", "WorkerJob", "epoch_number"]

_ROW = Row(*LABELLED_SCHEMA.names)
_BATCH_NUMBER = "streaming.sql.batchId"
_PAGES = "pages"
_PAGE_KEY = "owner string, page long"
_PAGE_VALUE = "content binary"


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """The part of a job that its workers need for all stages.

    Attributes:
        info: the job.
        run: identifies this run of the query; tasks of another run are not used again.
        epochs: location of the epoch log.
        environment: files and paths the user's functions rely on.
        begins_from: location of the savepoint that the job started from; empty for none.
    """

    info: JobInfo
    run: str
    epochs: str
    environment: WorkerEnvironment
    begins_from: str


@dataclass(frozen=True, slots=True)
class StagePart:
    """A stage for the workers.

    Attributes:
        chain: its chain id.
        task: its task.
        source: the source it reads, if it reads one itself.
        columns: its input, if Spark makes its elements.
        edges: for each edge it reads, the input that it is for and the type of its elements.
        reports: whether its subtasks report.
        makes_table: whether its results are a table, for a query, not rows between levels.
    """

    chain: int
    task: TaskSpec
    source: UnboundedSource | None = None
    columns: ColumnsInput | None = None
    edges: Mapping[int, tuple[int, TypeInformation[Any]]] | None = None
    reports: bool = True
    makes_table: bool = False


class _OpenStage(NamedTuple):
    """A stage with one of its subtasks, open in this process."""

    part: StagePart
    subtask: EpochSubtask

    def abandon(self) -> None:
        self.subtask.abandon()
        if self.part.source is not None:
            disconnect(self.part.source)


_LIVE: LiveSubtasks[_OpenStage] = LiveSubtasks()
"""The open subtasks of this process."""


class Level:
    """The stages of a level, pickled until the worker's environment is in place."""

    def __init__(self, job: WorkerJob, parts: Sequence[StagePart], routes: Routes | None) -> None:
        self._run = job.run
        self._epochs = EpochLog(job.epochs, job.info.job_id)
        self._begins_from = job.begins_from
        self._environment = job.environment
        self._routes = routes
        self._pickled = dumps((job.info, {part.chain: part for part in parts}))
        self._label = parts[0].task.input_label

    def guarded(self, rows: Callable[[], Iterator[OutputRow]]) -> Iterator[OutputRow]:
        """Yield rows, and report failures of user code as text."""
        try:
            yield from guarded(self._activated(rows), partial(TaskFailure.of, self._label))
        except TaskFailure as failure:
            raise TaskFailure(failure.report) from None

    def epoch(self, number: int) -> Epoch:
        """Return the description of the current epoch."""
        return self._epochs.read(number)

    def _activated(self, rows: Callable[[], Iterator[OutputRow]]) -> Iterator[OutputRow]:
        if self._environment.import_names is not None:
            compat.install(self._environment.import_names)
        with activate(self._environment), few_collections():
            yield from rows()

    @contextmanager
    def live(self, address: Address) -> Iterator[tuple[StagePart, EpochSubtask]]:
        """Return an open subtask of a stage of this level; a failed one is never reused."""
        key = LiveKey(self._run, address)
        open_stage = _LIVE.take(key) or self._opened(address)
        subtask = open_stage.subtask.subtask
        name = f"{open_stage.part.task.name} ({subtask.index + 1}/{subtask.parallelism})"
        with logging_to_driver(subtask.job.logging, subtask.job.job_id, name):
            try:
                yield open_stage.part, open_stage.subtask
            except BaseException:
                open_stage.abandon()
                raise
        _LIVE.keep(key, open_stage)

    def _opened(self, address: Address) -> _OpenStage:
        info, parts = pickle.loads(self._pickled)
        part: StagePart = parts[address.chain]
        spec = part.task
        subtask = SubtaskInfo(info, address.subtask, spec.parallelism, spec.max_parallelism, info.attempt)
        opened = EpochSubtask(address.chain, spec, subtask, self._begins_from, reports=part.reports)
        gc.freeze()  # what the subtask has imported stays; a worker collects garbage after each epoch
        return _OpenStage(part, opened)


class LevelProcessor(Level, StatefulProcessor):
    """The processor of ``transformWithState`` that runs the stages of a level, keyed by labels of subtasks.

    Args:
        job: the job.
        parts: the stages.
        routes: the routes to the next level, if there is one.
        own: the routes to this level.
    """

    def __init__(
        self, job: WorkerJob, parts: Sequence[StagePart], routes: Routes | None, own: Routes
    ) -> None:
        super().__init__(job, parts, routes)
        self._addresses = {label: address for address, label in own.labels.items()}

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Declare the state: the pages of each subtask."""
        self._pages = handle.getMapState(_PAGES, _PAGE_KEY, _PAGE_VALUE)

    def handleInputRows(
        self,
        key: Any,
        rows: Iterator[Any],
        timerValues: object,  # noqa: N803
    ) -> Iterator[Any]:
        """Run an epoch of the subtask with a label, or pass rows on to a later level."""
        (label,) = key
        address = self._addresses.get(label)
        arriving: Iterator[OutputRow] = (OutputRow(*row[1:]) for row in rows)
        if address is not None:
            arriving = self.guarded(partial(self._rows, address, list(arriving)))
        for row in arriving:
            yield _ROW(*labelled(row, self._routes))

    def close(self) -> None:
        """Do nothing: subtasks stay open for the next epoch."""

    def _rows(self, address: Address, rows: list[OutputRow]) -> Iterator[OutputRow]:
        rows.sort(key=lambda row: (row.seq, row.edge, row.channel))
        with self.live(address) as (part, subtask):
            assert part.edges is not None
            reader = RowReader(part.edges, subtask.metrics, by_group=False)
            arrivals = (
                arrival
                for row in rows
                for arrival in reader.arrivals(
                    ReceivedRow(row.edge, row.group, row.channel, row.seq, row.payload)
                )
            )
            savepoint = self.epoch(epoch_number()).savepoint
            yield from subtask.run(arrivals, _SparkPages(self._pages), savepoint)


def epoch_number() -> int:
    """Return the number of Spark's micro-batch, which is that of the epoch."""
    context = TaskContext.get()
    assert context is not None
    return int(context.getLocalProperty(_BATCH_NUMBER) or 0)


class _SparkPages:
    """The pages of the subtask that Spark's current key stands for."""

    def __init__(self, pages: Any) -> None:
        self._pages = pages

    def get(self, owner: str, page: int) -> bytes | None:
        found = self._pages.getValue((owner, page))
        return None if found is None else bytes(found[0])

    def get_all(self, owner: str) -> dict[int, bytes]:
        pages = self._pages.iterator()
        return {page: bytes(content) for (of, page), (content,) in pages if of == owner}

    def put(self, owner: str, page: int, content: bytes) -> None:
        self._pages.updateValue((owner, page), (content,))

    def remove(self, owner: str, page: int) -> None:
        self._pages.removeKey((owner, page))
