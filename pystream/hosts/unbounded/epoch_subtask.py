"""EpochSubtask: a subtask of an unbounded job, which runs one epoch after another."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import cast

from pystream.engine.events import Arrival, Elements
from pystream.engine.exchange.rows import REPORTS, OutputRow
from pystream.engine.failure import TaskFailure, guarded
from pystream.engine.metrics.changes import changes_between
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.metrics.values import MetricValue
from pystream.engine.spec import TaskSpec
from pystream.engine.state.page_store import CountedPageStore, MemoryPageStore, PageStore
from pystream.engine.task.task import Task
from pystream.engine.task.task_state import is_empty
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.clock import Clock
from pystream.errors import CheckpointError, PyStreamError
from pystream.hosts.unbounded.reports import SubtaskReport
from pystream.hosts.unbounded.savepoint_files import SavepointFiles
from pystream.hosts.unbounded.savepoint_reader import SavepointReader

__all__ = ["EpochSubtask"]


class EpochSubtask:
    """Run the epochs of one subtask.

    Functions stay open between epochs. All checkpointed state is read at the start of an epoch and written at
    its end, so that another process may run the next one.

    Args:
        chain: chain id of its stage.
        spec: the task.
        subtask: its index, parallelism and job.
        begins_from: location of the savepoint that the job started from; empty for none.
        clock: the clock of processing time.
        reports: whether it reports; the reading part of a stage leaves that to the other part.

    Raises:
        TaskFailure: a function cannot be created or opened.
    """

    def __init__(
        self,
        chain: int,
        spec: TaskSpec,
        subtask: SubtaskInfo,
        begins_from: str = "",
        clock: Clock | None = None,
        *,
        reports: bool = True,
    ) -> None:
        self._chain = chain
        self._spec = spec
        self._begins_from = begins_from
        self._reports = reports
        self.subtask: SubtaskInfo = subtask
        self.metrics: MetricRegistry = MetricRegistry()
        self._task = Task(spec, subtask, self.metrics, clock)
        self._read = 0
        self._is_open = True
        try:
            self._task.open()
        except BaseException:
            self.abandon()
            raise

    def run(
        self, arrivals: Iterable[Arrival], store: PageStore | None, savepoint: str = ""
    ) -> Iterator[OutputRow]:
        """Run an epoch: yield the resulting rows, the last of which is the report.

        Args:
            arrivals: its input.
            store: the state at its start, and then at its end; ``None`` if nothing is kept.
            savepoint: location of the savepoint to write at its end; empty for none.

        Raises:
            TaskFailure: user code failed, an element does not fit its type, or the input cannot be read.
        """
        task = self._task
        self._read, self._sent_before = 0, task.count_sent()
        before = self.metrics.snapshot()
        counted = CountedPageStore(MemoryPageStore() if store is None else store)
        try:
            self._begin(counted)
            failure = partial(TaskFailure.of, self._spec.input_label)
            for arrival in guarded(iter(arrivals), failure):
                if isinstance(arrival.event, Elements):
                    self._read += len(arrival.event.values)
                yield from map(_row, task.take(arrival))
            yield from map(_row, task.finish_epoch())
            task.save()
            written = 0 if store is None else counted.written
            report = self._saved(self._report(before, written), savepoint)
        except BaseException:
            self.abandon()
            raise
        if self._reports:
            payload = pickle.dumps(report, pickle.HIGHEST_PROTOCOL)
            yield OutputRow(REPORTS, 0, 0, self.subtask.index, 0, payload)

    def close(self) -> None:
        """Close functions and outputs."""
        for _ in self._task.close(b""):
            pass

    def abandon(self) -> None:
        """Close functions and outputs after a failure, once."""
        if self._is_open:
            self._is_open = False
            with suppress(Exception):
                self._task.abandon()

    def _begin(self, store: PageStore) -> None:
        if self._begins_from and self._spec.keeps_state and is_empty(store):
            uids = [operator.label.uid for operator in self._spec.operators]
            try:
                savepoint = SavepointReader(self._begins_from)
                self._task.import_(store, savepoint.types(), savepoint.parts(uids))
            except CheckpointError as error:
                raise TaskFailure.of(self._spec.operators[-1].label, error) from error
        self._task.restore(store)

    def _saved(self, report: SubtaskReport, savepoint: str) -> SubtaskReport:
        """Write a savepoint if the epoch ends with one; report that, or that it has failed."""
        if not savepoint or not self._spec.keeps_state:
            return report
        task = self._task
        try:
            files = SavepointFiles(savepoint)
            saved = files.write(str(self._chain), self.subtask.index, task.export(), task.state_types())
        except PyStreamError as error:
            return replace(report, savepoint_error=str(error))
        return replace(report, saved=tuple(saved))

    def _report(self, before: Mapping[str, MetricValue], written_bytes: int) -> SubtaskReport:
        task = self._task
        return SubtaskReport(
            self._chain,
            self._spec.name,
            self.subtask.index,
            records_in=self._read,
            records_out=task.count_sent() - self._sent_before,
            watermark=task.watermark,
            is_idle=task.is_idle,
            next_timer=task.next_timer(),
            state_entries=task.count_state_entries(),
            state_bytes=task.count_state_bytes(),
            written_bytes=written_bytes,
            metrics=changes_between(before, self.metrics.snapshot()),
        )


def _row(item: object) -> OutputRow:
    """Return a row of a task, none of whose outputs are columns."""
    return cast(OutputRow, item)
