"""Unbounded jobs on the local host: the stages run one after another, epoch by epoch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from pystream.engine.epoch import Epoch
from pystream.engine.events import Arrival
from pystream.engine.exchange.row_reader import ReceivedRow, RowReader
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.engine.time.clock import Clock, ManualClock
from pystream.errors import UnsupportedOperationError
from pystream.hosts.inputs import disconnect, epoch_arrivals
from pystream.hosts.job_request import JobRequest
from pystream.hosts.local.activation import activated, error_to_report
from pystream.hosts.local.interleaving import Interleaving
from pystream.hosts.local.state_log import Address, Changes, EpochPages, Pages, StateLog
from pystream.hosts.local.subtasks import Channel, cut
from pystream.hosts.lowering import Stage
from pystream.hosts.unbounded.epoch_subtask import EpochSubtask
from pystream.hosts.unbounded.job import UnboundedJob
from pystream.hosts.unbounded.pace import Pace
from pystream.settings.modes import Runner

__all__ = ["LocalStream"]


class LocalStream(UnboundedJob):
    """An unbounded job on the local host.

    Args:
        request: the plan and settings.
        clock: the clock of processing time.
        interleaving: divides elements into batches.
    """

    _runner = Runner.LOCAL

    def __init__(self, request: JobRequest, clock: Clock, interleaving: Interleaving) -> None:
        super().__init__(request, clock)
        self._interleaving = interleaving

    def _prepare(self) -> None:
        super()._prepare()
        location = None if self._directory.is_temporary else self._directory.local
        self._state = StateLog(location, self.job_id)

    def _pace(self, limits: Mapping[int, int]) -> Pace:
        return self._interleaving.pace(self._settings.batch_interval, limits)

    def _lowered(self) -> list[Stage]:
        stages = super()._lowered()
        sources = (stage.source.source for stage in stages if stage.source is not None)
        if any(getattr(source, "needs_spark", False) for source in sources):
            raise UnsupportedOperationError(
                "from_data_frame: only Spark reads its data frames; set pystream.runner to spark, or read "
                "the input with a source such as a FileSource"
            )
        return stages

    def is_idle_at(self, time: int) -> bool:
        """Return whether nothing is left to do at a time of the clock, and all results are delivered."""
        idle_at = self._epochs.idle_at
        return idle_at is not None and idle_at >= time

    def ready(self, sink_id: int) -> list[Any]:
        """Return the elements of a collecting sink that have been delivered since the last call.

        Args:
            sink_id: the id of its node.
        """
        return self._deliveries.ready(sink_id)

    def _error_to_report(self, error: BaseException) -> BaseException:
        return error_to_report(self.request.name, error)

    def _run_epochs(self) -> None:
        number = self._state.recover() + 1
        with ExitStack() as stack:
            shipped = stack.enter_context(activated(self.request))
            if isinstance(self._clock, ManualClock):
                stack.enter_context(self._clock.calling(self._requests.wake))
            for stage in self._stages:
                if stage.source is not None:
                    stack.callback(disconnect, stage.source.source)
            job = self.request.job_info(self.job_id, shipped, self._restarts)
            subtasks = _Subtasks(
                self._stages, job, self._clock, self._interleaving, self._directory.savepoint
            )
            try:
                while (epoch := self._epochs.begin(number)) is not None:
                    rows, changes = subtasks.run(epoch, self._state.pages)
                    self._epochs.complete(rows)
                    self._state.commit(number, changes)
                    number += 1
            except BaseException:
                subtasks.abandon()
                raise
            subtasks.close()


class _Subtasks:
    """The open subtasks of a job.

    Args:
        stages: senders before receivers.
        job: the job, for the subtasks.
        clock: the clock of processing time, of all subtasks.
        interleaving: divides elements into batches.
        begins_from: location of the savepoint that the job started from; empty for none.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        job: JobInfo,
        clock: Clock,
        interleaving: Interleaving,
        begins_from: str,
    ) -> None:
        self._stages = stages
        self._interleaving = interleaving
        self._subtasks: dict[Address, EpochSubtask] = {}
        for stage in stages:
            spec = stage.task
            for index in range(spec.parallelism):
                subtask = SubtaskInfo(job, index, spec.parallelism, spec.max_parallelism, job.attempt)
                self._subtasks[stage.chain, index] = EpochSubtask(
                    stage.chain, spec, subtask, begins_from, clock
                )

    def run(self, epoch: Epoch, before: Mapping[Address, Pages]) -> tuple[list[OutputRow], Changes]:
        """Run an epoch.

        Args:
            epoch: the epoch.
            before: the state at its start, which stays as it is.

        Returns:
            The rows for the driver, and the changes of the state.
        """
        interleaving = self._interleaving.of_epoch(epoch.number)
        changes: dict[Address, Mapping[tuple[str, int], bytes | None]] = {}
        receivers = {edge.number: stage.chain for stage in self._stages for edge in stage.inputs}
        waiting: dict[Address, list[OutputRow]] = {}
        for_driver: list[OutputRow] = []
        for stage in self._stages:
            for index in range(stage.task.parallelism):
                address = stage.chain, index
                if stage.source is not None:
                    arrivals = epoch_arrivals(epoch, stage.chain, stage.source.source, index)
                else:
                    arrivals = self._received(stage, address, waiting.pop(address, []), interleaving)
                store = EpochPages(before.get(address, {}))
                for row in self._subtasks[address].run(cut(arrivals, interleaving), store, epoch.savepoint):
                    receiver = receivers.get(row.edge)
                    if receiver is None:
                        for_driver.append(row)
                    else:
                        waiting.setdefault((receiver, row.target), []).append(row)
                changes[address] = store.changes
        return for_driver, changes

    def close(self) -> None:
        """Close all functions."""
        for subtask in self._subtasks.values():
            subtask.close()

    def abandon(self) -> None:
        """Close all functions after a failure."""
        for subtask in self._subtasks.values():
            subtask.abandon()

    def _received(
        self, stage: Stage, address: Address, rows: list[OutputRow], interleaving: Interleaving
    ) -> Iterator[Arrival]:
        edges = {edge.number: (edge.side, edge.type_info) for edge in stage.inputs}
        reader = RowReader(edges, self._subtasks[address].metrics, by_group=False)
        for row in _merged(rows, interleaving):
            yield from reader.arrivals(row)


def _merged(sent: list[OutputRow], interleaving: Interleaving) -> Iterator[ReceivedRow]:
    """Yield the rows of all channels of a subtask in the order in which it reads them."""
    rows = [ReceivedRow(row.edge, row.group, row.channel, row.seq, row.payload) for row in sent]
    if interleaving.merges_in_order:
        yield from sorted(rows, key=lambda row: (row.seq, row.edge, row.channel))
        return
    channels: dict[tuple[int, int], Channel] = {}
    for row in sorted(rows, key=lambda row: (row.edge, row.channel, row.seq)):
        channels.setdefault((row.edge, row.channel), Channel()).send(row)
    while waiting := [channel for channel in channels.values() if channel.rows]:
        yield interleaving.choice(waiting).rows.popleft()
