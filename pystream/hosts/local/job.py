"""LocalJob: a job whose attempts run in this process."""

from __future__ import annotations

import sys
import threading
from contextlib import ExitStack, closing

from pystream.engine.exchange.rows import OutputRow
from pystream.engine.failure import TaskFailure
from pystream.engine.time.clock import Clock
from pystream.engine.worker.environment import activate
from pystream.errors import DependencyError, JobCancelledError, JobExecutionError, UnsupportedOperationError
from pystream.hosts.bounded_job import BoundedJob
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job_request import JobRequest
from pystream.hosts.local.cluster import LocalCluster
from pystream.hosts.local.interleaving import Interleaving
from pystream.hosts.local.logs import log_levels
from pystream.hosts.progress import job_display
from pystream.hosts.result_files import ResultWriters
from pystream.hosts.shipping import ship

__all__ = ["LocalJob"]

_WORKING_DIRECTORY = threading.Lock()
"""Held by the job that has changed the working directory of this process."""


class LocalJob(BoundedJob):
    """A job on the local host: all subtasks run in one thread of this process.

    A running user function cannot be interrupted: a cancelled job ends when it returns.

    Args:
        request: the plan and settings.
        clock: the clock of processing time.
        interleaving: chooses the order of execution.
    """

    def __init__(self, request: JobRequest, clock: Clock, interleaving: Interleaving) -> None:
        super().__init__(request)
        self._clock = clock
        self._interleaving = interleaving

    def _divided_inputs(self) -> dict[int, SourceInput]:
        divided = {}
        for stage in self._stages:
            if stage.source is not None:
                source = stage.source.source
                if not hasattr(source, "splits"):
                    raise UnsupportedOperationError(
                        "from_data_frame: only Spark reads its data frames; set pystream.runner to spark, or "
                        "pass the rows with from_arrow(frame.toArrow())"
                    )
                divided[stage.chain] = SourceInput.of(source, stage.task.parallelism)
        return divided

    def _interrupt(self) -> None:
        """Do nothing: subtasks check for cancellation after each bundle."""

    def _error_to_report(self, error: BaseException) -> BaseException:
        if not isinstance(error, TaskFailure):
            return error
        failure = JobExecutionError(f"job {self.request.name!r}: {error.report.message()}")
        failure.__cause__ = error.report.original()
        return failure

    def _run_attempt(self, number: int) -> list[OutputRow]:
        shipped = ship(self.request.dependencies)
        if shipped.executable not in (None, sys.executable):
            raise DependencyError(
                f"the local host runs functions in this process, not in {shipped.executable}; leave out the "
                "interpreter, or set pystream.runner to spark"
            )
        files = self.results.begin(None, early=self._has_limit() or not self.request.restarts)
        with ExitStack() as stack:
            writers = stack.enter_context(closing(ResultWriters(files, self._result_channels())))
            display = stack.enter_context(
                job_display(self.request.name, self._total(), self.request.progress)
            )
            progress = None if display is None else display.address
            job = self.request.job_info(self.job_id, shipped, number, progress)
            environment = shipped.environment
            if environment.working_directory:
                stack.enter_context(_WORKING_DIRECTORY)
            if environment.python_path or environment.working_directory:
                stack.enter_context(activate(environment))
            stack.enter_context(log_levels(self.request.logging))
            cluster = LocalCluster(
                self._stages, self._inputs, job, self._clock, self._interleaving, self._cancelled.is_set
            )
            rows = [row for row in cluster.run() if not writers.write(row)]
            writers.end()
        if self._cancelled.is_set():
            raise JobCancelledError(f"job {self.request.name!r} was cancelled")
        return rows
