"""UnboundedJob: runs a job epoch by epoch until it is stopped, and restarts it after failures."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from pystream.engine.state.errors import StateMigrationError
from pystream.engine.time.clock import Clock
from pystream.errors import CheckpointError, JobCancelledError, JobExecutionError, SourceError
from pystream.hosts.job import Job
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.shipping import ship
from pystream.hosts.unbounded.commits import SinkCommits
from pystream.hosts.unbounded.control import JobControl
from pystream.hosts.unbounded.deliveries import Deliveries
from pystream.hosts.unbounded.epochs import Epochs, JobParts
from pystream.hosts.unbounded.identify import identity_of, known_states
from pystream.hosts.unbounded.job_directory import Ending
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.job_sources import JobSources
from pystream.hosts.unbounded.known_epochs import KnownEpochs
from pystream.hosts.unbounded.lost_state import StateLostError
from pystream.hosts.unbounded.metrics_log import MetricsLog
from pystream.hosts.unbounded.opening import open_job_directory
from pystream.hosts.unbounded.pace import Pace
from pystream.hosts.unbounded.progress_view import NoView, ProgressView, progress_view
from pystream.hosts.unbounded.requests import Requests, Stop
from pystream.hosts.unbounded.running_job import RunningJob
from pystream.settings.modes import Runner

__all__ = ["UnboundedJob"]

_LOG = logging.getLogger(__name__)


class UnboundedJob(Job):
    """A job with an unbounded source.

    An attempt runs its epochs until the job ends or fails; after a failure, the restart strategy decides
    whether another attempt follows.

    Args:
        request: the plan and settings.
        clock: the clock of processing time.
    """

    _runner: ClassVar[Runner]  # the host

    def __init__(self, request: JobRequest, clock: Clock) -> None:
        super().__init__(request)
        self._clock = clock
        self._settings = request.unbounded
        self._requests = Requests()
        self._restarts = 0
        self._view: ProgressView = NoView()

    @abstractmethod
    def _run_epochs(self) -> None:
        """Run epochs until ``Epochs.begin`` returns ``None``, or one fails."""

    def _may_run_again(self, error: BaseException) -> bool:
        """Return whether the host, not the program, caused a failure, and the plan is ready for another run.

        The restart strategy is not asked for such a run.
        """
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
        sources = JobSources(self._stages)
        settings = self._settings
        known = known_states(self._stages)
        identity = identity_of(self.request.name, self._plan, known)
        self._directory = open_job_directory(settings, identity, known, self.job_id, self._runner)
        try:
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
        self._parts = JobParts(
            identity,
            self._directory,
            settings,
            self._clock,
            sources,
            self._pace,
            self._commits,
            KnownEpochs(self.request.name, self._directory.location),
            self._deliveries,
            self._requests,
            self.metrics,
            self._metrics_log,
            self._publishing,
        )
        self._epochs = Epochs(self._parts, self._restarts)

    def _lowered(self) -> list[Stage]:
        """Return the stages of the plan, senders before receivers."""
        return lower(self._plan, batch=False, by_epochs=True)

    def _savepoint_obstacle(self) -> str:
        """Return why the job cannot take savepoints, empty if it can."""
        return ""

    def _pace(self, limits: Mapping[int, int]) -> Pace:
        """Return the pace of the job.

        Args:
            limits: the first limit of each source, in units of the source, by chain id.
        """
        return Pace(self._settings.batch_interval, limits)

    def _pause(self, failure: BaseException) -> float | None:
        errors = failure, failure.__cause__
        if any(isinstance(error, StateMigrationError | StateLostError) for error in errors):
            return None  # it would fail again and again
        return super()._pause(failure)

    def _metrics_at_end(self) -> Mapping[str, Any]:
        ending = Ending.FAILED
        try:
            with progress_view(self.metrics, self.request.progress) as self._view:
                while not self._ran():
                    self._restarts += 1
                    self.metrics.restart(self._restarts)
                    self._epochs = Epochs(self._parts, self._restarts)
            ending = Ending.FINISHED if self._epochs.is_last else Ending.INTERRUPTED
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
        """Run an attempt until the job ends, or fails and is to be restarted; return whether it has ended."""
        epochs = self._epochs
        try:
            self._directory.check()
            self._run_epochs()
            if self._cancelled.is_set() and not epochs.has_ended:
                raise self._cancellation()
            self._commits.close()
        except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
            if epochs.has_ended and self._cancelled.is_set():
                return True  # a cancellation that comes after the last commit changes nothing
            failure = self._cancellation() if self._cancelled.is_set() else self._failure_of(error)
            epochs.fail(failure)
            with suppress(Exception):  # the first failure is the one to report
                self._commits.close()
            if not self._cancelled.is_set() and self._may_run_again(error):
                return False
            is_final = isinstance(failure, JobCancelledError) or epochs.has_ended
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
            epochs.close()
        return True

    def _failure_of(self, error: BaseException) -> BaseException:
        """Return the failure of the job, given the error that ended an attempt.

        What is missing in the directory comes first: it explains other errors.
        """
        try:
            self._directory.check()
        except CheckpointError as loss:
            return loss
        if isinstance(error, SourceError):  # it is raised in this process, unlike those of functions
            failure = JobExecutionError(f"job {self.request.name!r}: {error}")
            failure.__cause__ = error
            return failure
        return self._error_to_report(error)

    def collected(self, sink_id: int) -> Iterator[list[Any]]:
        return self._deliveries.read(sink_id)

    def discard(self) -> None:
        self._deliveries.end()

    def stop(self) -> None:
        """End the job after the current epoch; it can resume if it has a directory."""
        self._view.announce("stopping after the current epoch")
        self._requests.ask_to_stop(Stop(finishes=self._directory.is_temporary))

    def _interrupt(self) -> None:
        self._deliveries.end()
        self._requests.ask_to_stop(Stop(finishes=False))
