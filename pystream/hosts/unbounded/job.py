"""UnboundedJob: runs a job epoch by epoch, each of them exactly once, until it is stopped."""

from __future__ import annotations

import logging
import pickle
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from pystream.engine.connectors.interfaces import SplitEnumerator
from pystream.engine.connectors.piecewise import in_pieces
from pystream.engine.epoch import Epoch
from pystream.engine.exchange.rows import REPORTS, OutputRow
from pystream.engine.time.clock import Clock
from pystream.errors import CheckpointError, JobCancelledError
from pystream.hosts.job import Job
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.shipping import ship
from pystream.hosts.unbounded.checked_file import OTHER_REMEDIES
from pystream.hosts.unbounded.commits import SinkCommits
from pystream.hosts.unbounded.control import JobControl
from pystream.hosts.unbounded.coordinator import Coordinator, PlannedEpoch
from pystream.hosts.unbounded.deliveries import Deliveries
from pystream.hosts.unbounded.epoch_log import EpochLog
from pystream.hosts.unbounded.identify import identity_of
from pystream.hosts.unbounded.identity import compare
from pystream.hosts.unbounded.job_directory import Ending, JobDirectory
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.metrics_log import MetricsLog
from pystream.hosts.unbounded.pace import Pace
from pystream.hosts.unbounded.progress_view import progress_view
from pystream.hosts.unbounded.reports import EpochReport, SubtaskReport
from pystream.hosts.unbounded.requests import Requests, Stop
from pystream.hosts.unbounded.running_job import RunningJob
from pystream.hosts.unbounded.savepoint import SavepointMetadata
from pystream.hosts.unbounded.savepoint_files import SavepointFiles
from pystream.settings.modes import Runner

__all__ = ["UnboundedJob"]

_LOG = logging.getLogger(__name__)


class UnboundedJob(Job):
    """A job with an unbounded source.

    A host runs the epochs: it calls ``begin`` before each, which also says that the one before is committed,
    and ``complete`` after it.

    Args:
        request: the plan and settings.
        clock: the clock of processing time.
    """

    _runner: ClassVar[Runner]  # the host

    def __init__(self, request: JobRequest, clock: Clock) -> None:
        super().__init__(request)
        self._clock = clock
        self._settings = request.unbounded
        self._coordinator: Coordinator | None = None
        self._current: PlannedEpoch | None = None
        self._requests = Requests()
        self._restarts = 0
        self._has_ended = False

    @abstractmethod
    def _run_epochs(self) -> None:
        """Run epochs until ``begin`` returns ``None``, or one fails."""

    def _without_lifting(self, error: BaseException) -> bool:
        """Prepare to restart without native steps, if one caused the failure; return whether it did."""
        return False

    def _prepare(self) -> None:
        self._plan = self.request.plan
        self._stages = self._lowered()
        sinks = {number: node for stage in self._stages for number, node in stage.sinks}
        driver_sinks = {number: node for number, node in sinks.items() if node.is_for_driver}
        external_sinks = {number: node for number, node in sinks.items() if not node.is_for_driver}
        for node in external_sinks.values():
            node.target.check()
        self._deliveries = Deliveries(driver_sinks, self.stop)
        self._sources = {
            stage.chain: (in_pieces(stage.source.source), stage.task.parallelism)
            for stage in self._stages
            if stage.source is not None
        }
        self._uids = {stage.chain: stage.source.uid for stage in self._stages if stage.source is not None}
        settings = self._settings
        self._identity = identity_of(self.request.name, self._plan)
        self._directory = JobDirectory.open(
            settings.directory,
            self._identity,
            self.job_id,
            runner=self._runner,
            resume=settings.resume,
            savepoint=settings.savepoint,
        )
        try:
            self._check_compatibility()
            self.job_id: str = self._directory.job_id
            info = self.request.job_info(self.job_id, ship(self.request.dependencies))
            self._commits = SinkCommits(self._directory.sinks, info, self._directory.location, external_sinks)
            self.metrics: JobMetrics = JobMetrics(self.request.name, self.job_id, self._clock)
            self._control = RunningJob(self.metrics, self._requests, self._savepoint_obstacle())
            self.control: JobControl | None = self._control
            path = self.request.metrics_file
            self._metrics_log = None if path is None else MetricsLog(Path(path), self.metrics)
        except BaseException:
            self._directory.close()
            raise

    def _lowered(self) -> list[Stage]:
        """Return the stages of the plan, senders before receivers."""
        return lower(self._plan, batch=False, by_epochs=True)

    def _savepoint_obstacle(self) -> str:
        """Return why the job cannot take savepoints, empty if it can."""
        return ""

    def _check_compatibility(self) -> None:
        """Check that the program fits the state in the directory of the job.

        Raises:
            CheckpointError: it does not.
        """
        if self._directory.savepoint and not self._directory.is_resumed:
            stored = SavepointMetadata.read(self._directory.savepoint).identity
            compare(stored, self._identity).check(
                allow_non_restored_state=self._settings.allow_non_restored_state
            )
        differences = self._directory.compatibility
        if differences is None:
            return
        differences.check(allow_non_restored_state=self._settings.allow_non_restored_state)
        if not differences.is_same:
            raise CheckpointError(
                f"job {self.request.name!r} has changed since it stored its state: only the same program "
                "resumes from a checkpoint; stop it with a savepoint, and start the changed program from that"
            )

    def _metrics_at_end(self) -> Mapping[str, Any]:
        ending = Ending.FAILED
        try:
            with progress_view(self.metrics, self.request.progress) as self._view:
                while not self._ran():
                    self._restarts += 1
                    self.metrics.restart(self._restarts)
            is_finished = self._current is not None and self._current.is_last
            ending = Ending.FINISHED if is_finished else Ending.INTERRUPTED
        except JobCancelledError:
            ending = Ending.INTERRUPTED if self._is_interrupted else Ending.CANCELED
            raise
        finally:
            self._deliveries.end()
            self._requests.refuse_all()
            if self._metrics_log is not None:
                self._metrics_log.close()
            if self._can_resume(ending):
                _LOG.info("job %r can resume from %s", self.request.name, self._directory.location)
            if not (ending is Ending.FINISHED or self._can_resume(ending)):
                with suppress(Exception):  # files left in progress are hidden, and harmless
                    self._commits.end(complete=False)
            self._directory.end(ending, self._settings.retention)
        return self.metrics.snapshot().metrics

    def _can_resume(self, ending: Ending) -> bool:
        return not self._directory.is_temporary and ending.keeps_state(self._settings.retention)

    def _ran(self) -> bool:
        """Run the job until it ends, or fails and is to be restarted; return whether it has ended."""
        self._coordinator = self._current = None
        self._failure: BaseException | None = None
        try:
            self._log = EpochLog(self._directory.epochs)
            self._run_epochs()
            if self._cancelled.is_set() and not self._has_ended:
                raise self._cancellation()
            self._commits.close()
        except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
            if self._has_ended and self._cancelled.is_set():
                return True  # a cancellation that comes after the last commit changes nothing
            failure = self._cancellation() if self._cancelled.is_set() else self._error_to_report(error)
            if self._current is not None and self._current.request is not None:
                self._current.request.fail(failure)
            with suppress(Exception):  # the first failure is the one to report
                self._commits.close()
            if not self._cancelled.is_set() and self._without_lifting(error):
                return False
            is_final = self._cancelled.is_set() or self._has_ended
            pause = None if is_final else self._pause(failure)
            if pause is None:
                raise failure from failure.__cause__
            _LOG.warning("job %r restarts in %.3g s: %s", self.request.name, pause, failure)
            self._control.is_restarting = True
            if self._cancelled.wait(pause):
                raise self._cancellation() from None
            self._control.is_restarting = False
            return False
        finally:
            if self._coordinator is not None:
                self._coordinator.close()
        return True

    def begin(self, number: int) -> Epoch | None:
        """Return the next epoch, once there is something to do; ``None`` to end.

        Args:
            number: its number; all epochs before it are committed.
        """
        coordinator = self._committed(number - 1)
        if self._current is not None and self._current.is_last:
            return None
        if number <= self._last_logged:
            epoch = self._log.read(number)
            assert epoch is not None
            self._current = PlannedEpoch(epoch)
        else:
            planned = coordinator.next_epoch(number)
            if planned is None:
                return None
            self._current, epoch = planned, planned.epoch
            self._log.write(
                epoch,
                {self._uids[chain]: change for chain, change in planned.changes.items()},
                {self._uids[chain]: source for chain, source in self._enumerators.items()},
            )
        self._began = time.monotonic()
        self._began_at = self._clock.now()
        self.metrics.begin_epoch(number)
        return epoch

    def complete(self, rows: Sequence[OutputRow]) -> None:
        """Hold the results of the current epoch until it is committed."""
        assert self._coordinator is not None
        assert self._current is not None
        epoch = self._current.epoch
        computed = time.monotonic()
        by_edge: dict[int, list[OutputRow]] = {}
        for row in sorted(rows, key=lambda row: (row.seq, row.channel)):
            by_edge.setdefault(row.edge, []).append(row)
        reports: list[SubtaskReport] = [pickle.loads(row.payload) for row in by_edge.pop(REPORTS, [])]
        self._saved = [saved for report in reports for saved in report.saved]
        self._deliveries.hold(epoch.number, by_edge)
        self._commits.prepare(
            epoch.number,
            {
                edge: [pickle.loads(row.payload) for row in rows]
                for edge, rows in by_edge.items()
                if edge not in self._deliveries.edges
            },
            self._clock.now(),
            publishes=epoch.publishes,
            last=self._current.is_last or bool(epoch.savepoint),
        )
        ended = time.monotonic()
        timers = [report.next_timer for report in reports if report.next_timer is not None]
        self._coordinator.completed(_millis(self._began, ended), min(timers, default=None))
        self.metrics.end_epoch(
            EpochReport(
                epoch.number,
                self._began_at,
                _millis(self._began, ended),
                tuple(reports),
                _millis(computed, ended) if epoch.publishes else None,
                restarts=self._restarts,
            )
        )
        if self._metrics_log is not None:
            self._metrics_log.epoch_ended()

    def _committed(self, number: int) -> Coordinator:
        """Publish the results of an epoch, which the host has committed, and return the coordinator."""
        with self._publishing:
            coordinator = self._coordinator
            if coordinator is None:
                self._commits.recover(number)
                coordinator = self._coordinator = self._new_coordinator(number)
                last = self._log.read(number)
                if last is not None and last.drains:  # event time has ended, and with it the job
                    self._current = PlannedEpoch(last, is_last=True)
            else:
                self._commits.commit(number)
                self._log.trim(number)
            if self._current is not None and self._current.is_last:
                self._commits.end(complete=self._current.request is None and self._requests.stop is None)
            if self._current is not None and self._current.epoch.number == number:
                self._write_savepoint()
                self._has_ended = self._current.is_last
        coordinator.plan_publication(self._commits.next_time())
        self._deliveries.release(number)
        return coordinator

    def _new_coordinator(self, committed: int) -> Coordinator:
        self._last_logged = self._log.recover(committed)
        if self._last_logged > committed + 1:
            raise CheckpointError(
                f"the state of job {self.request.name!r} after epoch {self._last_logged - 1}, which was "
                f"committed, is missing in {self._directory.location}: restore the directory, "
                f"{OTHER_REMEDIES}"
            )
        self._enumerators: dict[int, SplitEnumerator] = {}
        limits = {}
        try:
            for chain, (source, parallelism) in self._sources.items():
                self._enumerators[chain] = source.enumerator(parallelism, *self._position(self._uids[chain]))
                limits[chain] = source.first_limit
        except BaseException:
            for enumerator in self._enumerators.values():
                enumerator.close()
            raise
        return Coordinator(self._enumerators, self._pace(limits), self._settings, self._clock, self._requests)

    def _pace(self, limits: Mapping[int, int]) -> Pace:
        """Return the pace of the job.

        Args:
            limits: the first limit of each source, in units of the source, by chain id.
        """
        return Pace(self._settings.batch_interval, limits)

    def _position(self, uid: str) -> tuple[Any | None, list[Any]]:
        """Return the position of a source: in the epoch log, or at first in the savepoint."""
        if self._last_logged < 0 and self._directory.savepoint:
            return SavepointFiles(self._directory.savepoint).position(uid), []
        return self._log.position(uid)

    def _write_savepoint(self) -> None:
        """Complete the savepoint that the subtasks wrote at the end of the current epoch."""
        assert self._current is not None
        request, epoch = self._current.request, self._current.epoch
        if request is None:
            return
        files = SavepointFiles(request.location)
        files.write_positions({self._uids[chain]: e.snapshot() for chain, e in self._enumerators.items()})
        metadata = SavepointMetadata.of(self.job_id, epoch.number, self._identity, self._saved)
        metadata.write(request.location)
        request.written.set_result(request.location)

    def collected(self, sink_id: int) -> Iterator[list[Any]]:
        return self._deliveries.read(sink_id)

    def discard(self) -> None:
        self._deliveries.end()

    def stop(self) -> None:
        """End the job after the epoch under way; it can resume if it has a directory."""
        self._requests.ask_to_stop(Stop(finishes=self._directory.is_temporary))

    def _interrupt(self) -> None:
        self._deliveries.end()
        self._requests.ask_to_stop(Stop(finishes=False))


def _millis(start: float, end: float) -> int:
    return int((end - start) * 1000)
