"""LocalJob: a job whose attempts run in this process."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import replace

from pystream.engine.exchange.rows import OutputRow
from pystream.engine.time.clock import Clock
from pystream.errors import JobCancelledError, UnsupportedOperationError
from pystream.hosts.bounded_job import BoundedJob
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job_request import JobRequest
from pystream.hosts.local.activation import activated, error_to_report
from pystream.hosts.local.cluster import LocalCluster
from pystream.hosts.local.interleaving import Interleaving
from pystream.hosts.progress import job_display

__all__ = ["LocalJob"]


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
        return error_to_report(self.request.name, error)

    def _run_attempt(self, number: int) -> list[OutputRow]:
        early = self._has_limit() or not self.request.restarts
        with ExitStack() as stack:
            results = self.results.begin_in_memory(
                self._driver_channels(), kept=self._cache_channels(), early=early
            )
            stack.enter_context(closing(results))
            display = stack.enter_context(
                job_display(self.request.name, self._total(), self.request.progress)
            )
            progress = None if display is None else display.address
            shipped = stack.enter_context(activated(self.request))
            job = replace(self.request.job_info(self.job_id, shipped, number, progress), in_process=True)
            cluster = LocalCluster(
                self._stages, self._inputs, job, self._clock, self._interleaving, self._cancelled.is_set
            )
            rows = [row for row in cluster.run() if not results.write(row)]
            results.end()
        if self._cancelled.is_set():
            raise JobCancelledError(f"job {self.request.name!r} was cancelled")
        return rows
