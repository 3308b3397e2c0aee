"""LocalCluster: runs the subtasks of a job in this process, in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, cast

from pystream.engine.exchange.row_reader import ReceivedRow, RowReader
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.spec import TaskSpec
from pystream.engine.task.progress import received, reporting
from pystream.engine.task.task import Task
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.engine.time.clock import Clock
from pystream.hosts.inputs import SourceInput, disconnect
from pystream.hosts.local.interleaving import Interleaving
from pystream.hosts.local.subtasks import Channel, ReceivingSubtask, SourceSubtask, Subtask
from pystream.hosts.lowering import Edge, Stage

__all__ = ["LocalCluster"]


class _StoppedError(Exception):
    """The job was stopped in the middle of a batch."""


class LocalCluster:
    """Run the stages of a job, one arrival at a time.

    Subtasks of later stages run first, so that few rows wait between stages; those of one stage take turns.

    Args:
        stages: senders before receivers.
        inputs: the divided source of each stage that has one, by chain id.
        job: the job, for the subtasks.
        clock: the clock of processing time, of all subtasks.
        interleaving: chooses the next subtask and channel.
        is_stopped: returns whether to stop.
    """

    def __init__(
        self,
        stages: list[Stage],
        inputs: Mapping[int, SourceInput],
        job: JobInfo,
        clock: Clock,
        interleaving: Interleaving,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._inputs = inputs
        self._job = job
        self._clock = clock
        self._interleaving = interleaving
        self._is_stopped = is_stopped
        self._parallelism = {stage.chain: stage.task.parallelism for stage in stages}
        self._channels: dict[tuple[int, int, int], Channel] = {}  # by edge, sender and receiver
        self._closing = ExitStack()
        for each in inputs.values():
            self._closing.callback(disconnect, each.source)
        self._waiting: list[list[Subtask]] = []  # the subtasks of each stage, receivers before senders
        try:
            for stage in stages:
                self._waiting.insert(0, [])
                for index in range(stage.task.parallelism):
                    self._waiting[0].append(self._subtask(stage, index))
                    self._waiting[0][-1].task.open()
        except BaseException:
            self._abandon()
            raise

    def run(self) -> Iterator[OutputRow]:
        """Yield the rows for the driver as they arrive, until the job has ended or is stopped.

        Raises:
            TaskFailure: user code failed, an element does not fit its type, or an input cannot be read.
        """
        try:
            while (subtask := self._next()) is not None and not self._is_stopped():
                for item in subtask.work():
                    row = cast(OutputRow, item)  # no output in this process takes columns
                    channel = self._channels.get((row.edge, row.channel, row.target))
                    if channel is None:
                        yield row
                    else:
                        channel.send(ReceivedRow(row.edge, row.group, row.channel, row.seq, row.payload))
        except _StoppedError:
            return
        finally:
            self._abandon()  # those that have not ended, after a failure

    def _next(self) -> Subtask | None:
        """Return the subtask to run next, ``None`` if all have ended."""
        self._waiting = [
            [subtask for subtask in stage if not subtask.is_over] for stage in self._waiting if stage
        ]
        if self._interleaving.merges_in_order:
            for stage in self._waiting:
                for position, subtask in enumerate(stage):
                    if subtask.is_ready:
                        stage.append(stage.pop(position))  # subtasks of a stage take turns
                        return subtask
            return None
        ready = [subtask for stage in self._waiting for subtask in stage if subtask.is_ready]
        return self._interleaving.choice(ready) if ready else None

    def _abandon(self) -> None:
        try:
            for stage in self._waiting:
                for subtask in stage:
                    if not subtask.is_over:
                        subtask.task.abandon()
        finally:
            self._closing.close()

    def _subtask(self, stage: Stage, index: int) -> Subtask:
        spec = stage.task
        info = SubtaskInfo(self._job, index, spec.parallelism, spec.max_parallelism, self._job.attempt)
        metrics = MetricRegistry()
        source = self._inputs.get(stage.chain)
        progress = received if source is None else source.progress()
        report = self._closing.enter_context(reporting(self._job.progress, progress))
        task = self._task(spec, info, metrics, self._reporting(report))
        if source is not None:
            arriving = source.read(index)
            return SourceSubtask(task, spec.input_label, arriving, self._interleaving)
        channels = [channel for edge in stage.inputs for channel in self._feeding(edge, index)]
        edges = {edge.number: (edge.side, edge.type_info) for edge in stage.inputs}
        by_group = any(edge.by_group for edge in stage.inputs)
        reader = RowReader(edges, metrics, by_group=by_group)
        return ReceivingSubtask(
            task, spec.input_label, channels, reader, self._interleaving, by_group=by_group
        )

    def _task(
        self,
        spec: TaskSpec,
        subtask: SubtaskInfo,
        metrics: MetricRegistry,
        worked: Callable[[Sequence[Any]], None],
    ) -> Task:
        """Return a new task, which calls a function with elements after they are processed."""
        return Task(spec, subtask, metrics, self._clock, worked)

    def _reporting(self, report: Callable[[Sequence[Any]], None] | None) -> Callable[[Sequence[Any]], None]:
        def worked(values: Sequence[Any]) -> None:
            if self._is_stopped():  # a batch may take long
                raise _StoppedError
            if report is not None:
                report(values)

        return worked

    def _feeding(self, edge: Edge, receiver: int) -> Iterator[Channel]:
        """Yield new channels from each sending subtask of an edge."""
        parallelism = self._parallelism[edge.source]
        senders = range(parallelism) if edge.channels == parallelism else (receiver,)
        for sender in senders:
            channel = self._channels[edge.number, sender, receiver] = Channel()
            yield channel
