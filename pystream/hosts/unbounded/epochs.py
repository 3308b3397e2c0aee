"""Epochs: the protocol by which an attempt of an unbounded job runs each epoch exactly once."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pystream.engine.connectors.interfaces import SplitEnumerator
from pystream.engine.epoch import Epoch
from pystream.engine.exchange.rows import REPORTS, OutputRow
from pystream.engine.time.clock import Clock
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.commits import SinkCommits
from pystream.hosts.unbounded.coordinator import Coordinator, PlannedEpoch
from pystream.hosts.unbounded.deliveries import Deliveries
from pystream.hosts.unbounded.epoch_log import EpochLog
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.job_directory import JobDirectory
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.job_sources import JobSources
from pystream.hosts.unbounded.known_epochs import KnownEpochs
from pystream.hosts.unbounded.metrics_log import MetricsLog
from pystream.hosts.unbounded.pace import Pace
from pystream.hosts.unbounded.pending_savepoint import PendingSavepoint
from pystream.hosts.unbounded.reports import EpochReport, SubtaskReport
from pystream.hosts.unbounded.requests import Requests
from pystream.hosts.unbounded.savepoint_reader import SavepointReader
from pystream.hosts.unbounded.settings import UnboundedSettings

__all__ = ["Epochs", "JobParts"]


@dataclass(frozen=True, slots=True)
class JobParts:
    """The parts of a job that all its attempts use.

    Attributes:
        identity: its name and operators.
        directory: its durable state.
        settings: its settings.
        clock: the clock of processing time.
        sources: its sources.
        pace: returns the pace, given the first limit of each source by chain id.
        commits: the output of its external sinks.
        known: the epochs that are known to be committed.
        deliveries: the results for the program.
        requests: those of the program.
        metrics: its metrics.
        metrics_log: the file of its metrics, if there is one.
        publishing: held while results become visible.
    """

    identity: JobIdentity
    directory: JobDirectory
    settings: UnboundedSettings
    clock: Clock
    sources: JobSources
    pace: Callable[[Mapping[int, int]], Pace]
    commits: SinkCommits
    known: KnownEpochs
    deliveries: Deliveries
    requests: Requests
    metrics: JobMetrics
    metrics_log: MetricsLog | None
    publishing: threading.Lock


class Epochs:
    """The epochs of an attempt, from the last committed one to the end of the job or a failure.

    A host runs them: it calls ``begin`` before each, which also says that the one before is committed, and
    ``complete`` after it.

    Args:
        job: the parts of the job.
        restarts: number of earlier attempts.

    Attributes:
        has_ended: whether the last epoch of the job is committed.
    """

    def __init__(self, job: JobParts, restarts: int) -> None:
        self._job = job
        self._restarts = restarts
        self._log = EpochLog(job.directory.epochs, job.directory.job_id)
        self._last_logged = -1
        self._enumerators: dict[int, SplitEnumerator] = {}
        self._coordinator: Coordinator | None = None
        self._current: PlannedEpoch | None = None
        self._savepoint: PendingSavepoint | None = None
        self.has_ended: bool = False

    @property
    def is_last(self) -> bool:
        """Whether the current epoch is the last one of the job."""
        return self._current is not None and self._current.is_last

    @property
    def idle_at(self) -> int | None:
        """The time at which there was nothing left to do; ``None`` while an epoch runs."""
        return None if self._coordinator is None else self._coordinator.idle_at

    def begin(self, number: int) -> Epoch | None:
        """Return the next epoch, once there is something to do; ``None`` to end.

        Args:
            number: its number; all epochs before it are committed.
        """
        coordinator = self._committed(number - 1)
        if self.is_last:
            return None
        if number <= self._last_logged:
            epoch = self._log.read(number)
            self._current = PlannedEpoch(epoch)
        else:
            planned = coordinator.next_epoch(number)
            if planned is None:
                return None
            self._current, epoch = planned, planned.epoch
            sources, directory = self._job.sources, self._job.directory
            directory.check_lock()
            self._log.write(epoch, sources.by_uid(planned.changes), sources.by_uid(self._enumerators))
            directory.begin()
        self._began = time.monotonic()
        self._began_at = self._job.clock.now()
        self._job.metrics.begin_epoch(number)
        return epoch

    def complete(self, rows: Sequence[OutputRow]) -> None:
        """Hold the results of the current epoch until it is committed."""
        assert self._coordinator is not None
        assert self._current is not None
        job = self._job
        job.directory.check_lock()
        epoch = self._current.epoch
        computed = time.monotonic()
        by_edge: dict[int, list[OutputRow]] = {}
        for row in sorted(rows, key=lambda row: (row.seq, row.channel)):
            by_edge.setdefault(row.edge, []).append(row)
        reports: list[SubtaskReport] = [pickle.loads(row.payload) for row in by_edge.pop(REPORTS, [])]
        self._prepare_savepoint(self._current, reports)
        job.deliveries.hold(epoch.number, by_edge)
        job.commits.prepare(
            epoch.number,
            {
                edge: [pickle.loads(row.payload) for row in rows]
                for edge, rows in by_edge.items()
                if edge not in job.deliveries.edges
            },
            job.clock.now(),
            publishes=epoch.publishes,
            last=self._current.is_last or bool(epoch.savepoint),
        )
        ended = time.monotonic()
        timers = [report.next_timer for report in reports if report.next_timer is not None]
        self._coordinator.completed(_millis(self._began, ended), min(timers, default=None))
        job.metrics.end_epoch(
            EpochReport(
                epoch.number,
                self._began_at,
                _millis(self._began, ended),
                tuple(reports),
                _millis(computed, ended) if epoch.publishes else None,
                job.sources.backlogs(self._enumerators, job.clock.now()),
                restarts=self._restarts,
            )
        )
        if job.metrics_log is not None:
            job.metrics_log.epoch_ended()

    def fail(self, error: BaseException) -> None:
        """Fail the savepoint of the current epoch, if it was to write one."""
        if self._current is not None and self._current.request is not None:
            self._current.request.fail(error)

    def close(self) -> None:
        """Release the sources."""
        if self._coordinator is not None:
            self._coordinator.close()

    def _committed(self, number: int) -> Coordinator:
        """Publish the results of an epoch, which the host has committed, and return the coordinator."""
        job = self._job
        with job.publishing:
            job.directory.check_lock()
            job.known.note(number)
            coordinator = self._coordinator
            if coordinator is None:
                coordinator = self._coordinator = self._recovered(number)
            else:
                job.commits.commit(number)
                self._log.trim(number)
            if number >= self._last_logged:
                coordinator.committed()
            self._complete_savepoint()
            current = self._current
            if current is not None and current.is_last:
                job.commits.end(complete=current.request is None and job.requests.stop is None)
            if current is not None and current.epoch.number == number:
                if current.request is not None:
                    current.request.succeed()
                self.has_ended = current.is_last
        coordinator.plan_publication(job.commits.next_time())
        job.deliveries.release(number)
        return coordinator

    def _recovered(self, committed: int) -> Coordinator:
        """Continue after an epoch, if nothing shows that a later one is committed."""
        job = self._job
        job.known.check(committed)
        job.known.require(committed, *self._log.known())
        job.commits.recover(committed, job.known)
        self._last_logged = self._log.recover(committed)
        if committed >= 0 and (last := self._log.read(committed)).drains:
            self._current = PlannedEpoch(last, ends=True)  # event time has ended, and with it the job
        self._enumerators = job.sources.open(self._position)
        return Coordinator(
            self._enumerators, job.pace(job.sources.limits), job.settings, job.clock, job.requests
        )

    def _position(self, uid: str) -> tuple[Any | None, list[Any]]:
        """Return the position of a source: in the epoch log, or at first in the savepoint."""
        savepoint = self._job.directory.savepoint
        if self._last_logged < 0 and savepoint:
            return SavepointReader(savepoint).position(uid), []
        return self._log.position(uid)

    def _prepare_savepoint(self, planned: PlannedEpoch, reports: Sequence[SubtaskReport]) -> None:
        """Prepare the savepoint of the current epoch; if that fails, only its request fails.

        Raises:
            CheckpointError: it fails, and event time has ended for it: the epoch is repeated without that.
        """
        request, job = planned.request, self._job
        if request is None:
            return
        number = planned.epoch.number
        savepoint = PendingSavepoint(request.location, job.directory.job_id, job.identity, number)
        positions = {chain: enumerator.snapshot() for chain, enumerator in self._enumerators.items()}
        try:
            savepoint.prepare(reports, job.sources.by_uid(positions))
        except CheckpointError as error:
            self._give_up(savepoint, error)
            if request.drains:
                raise
        else:
            self._savepoint = savepoint

    def _complete_savepoint(self) -> None:
        """Complete the savepoint of the current epoch, which is committed; only its request may fail."""
        savepoint, self._savepoint = self._savepoint, None
        if savepoint is not None:
            try:
                savepoint.complete()
            except CheckpointError as error:
                self._give_up(savepoint, error)

    def _give_up(self, savepoint: PendingSavepoint, error: CheckpointError) -> None:
        """Fail the request for a savepoint; the job continues, unless event time has ended for it."""
        savepoint.discard()
        self.fail(error)
        if self._current is not None and not self._current.epoch.drains:
            self._current = replace(self._current, request=None)


def _millis(start: float, end: float) -> int:
    return int((end - start) * 1000)
