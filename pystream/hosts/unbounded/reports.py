"""Reports of an unbounded job: one per subtask and epoch, and one per epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.metrics.values import MetricValue
from pystream.hosts.unbounded.savepoint_files import SavedOperator

__all__ = ["NO_WATERMARK", "EpochReport", "SubtaskReport"]

NO_WATERMARK = NO_TIMESTAMP


@dataclass(frozen=True, slots=True)
class SubtaskReport:
    """The work of a subtask in one epoch and its condition at the end of it; picklable and small.

    Attributes:
        chain: chain id of its stage.
        stage: name of its stage.
        subtask: its index within the stage.
        records_in: number of elements received in the epoch, from sources or from other stages.
        records_out: number of elements sent in the epoch, to other stages or to sinks.
        watermark: the lowest watermark in ms that its outputs were last sent by this process;
            ``NO_WATERMARK`` before the first.
        is_idle: whether it has marked its outputs as idle, so that they wait for no watermark of it.
        next_timer: time in ms of its next processing-time timer, if there is one.
        state_entries: number of its state entries.
        state_bytes: size of its state.
        written_bytes: size of the state that it stored at the end of the epoch.
        metrics: the changes of its functions' metrics in the epoch, from ``changes_between``.
        saved: the state that it wrote to a savepoint at the end of the epoch.
        savepoint_error: the reason why it could not write its state to the savepoint; empty if it could.
    """

    chain: int
    stage: str
    subtask: int
    records_in: int = 0
    records_out: int = 0
    watermark: int = NO_WATERMARK
    is_idle: bool = False
    next_timer: int | None = None
    state_entries: int = 0
    state_bytes: int = 0
    written_bytes: int = 0
    metrics: Mapping[str, MetricValue] = field(default_factory=dict)
    saved: tuple[SavedOperator, ...] = ()
    savepoint_error: str = ""


@dataclass(frozen=True, slots=True)
class EpochReport:
    """A completed epoch. Epochs that fail and are repeated have no report of the failed attempt.

    Attributes:
        number: its number within the job, from 0.
        started: its start, in ms since the Unix epoch.
        duration: in ms, including the checkpoint.
        subtasks: the reports of the subtasks that ran.
        checkpoint_duration: time in ms to make the output of sinks durable; ``None`` if it did not end with a
            checkpoint.
        backlog: the backlog of each source that knows it, by chain id.
        restarts: number of restarts of the job so far.
    """

    number: int
    started: int
    duration: int
    subtasks: tuple[SubtaskReport, ...] = ()
    checkpoint_duration: int | None = None
    backlog: Mapping[int, Backlog] = field(default_factory=dict)
    restarts: int = 0

    @property
    def ended(self) -> int:
        """Return its end, in ms since the Unix epoch."""
        return self.started + self.duration

    @property
    def written_bytes(self) -> int:
        """Return the size of the state that was stored at its end."""
        return sum(report.written_bytes for report in self.subtasks)

    def records(self) -> dict[int, tuple[int, int]]:
        """Return the numbers of elements that each stage received and sent, by chain id."""
        sums: dict[int, tuple[int, int]] = {}
        for report in self.subtasks:
            received, sent = sums.get(report.chain, (0, 0))
            sums[report.chain] = (received + report.records_in, sent + report.records_out)
        return sums
