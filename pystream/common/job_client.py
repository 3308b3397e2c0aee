"""JobClient: the handle of a running job."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any, TypeVar

from pystream.common.completable_future import CompletableFuture
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.job_id import JobID
from pystream.common.job_status import JobStatus
from pystream.errors import (
    ArgumentTypeError,
    ConfigurationError,
    JobCancelledError,
    JobExecutionError,
    UnsupportedOperationError,
)
from pystream.settings.options import SAVEPOINT_DIRECTORY
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.hosts.unbounded.control import JobControl

__all__ = ["JobClient", "converted"]

A = TypeVar("A")
B = TypeVar("B")


@checks_arguments(ArgumentTypeError)
class JobClient:
    """Monitor, await or cancel a job that ``execute_async`` started.

    Mirrors ``org.apache.flink.core.execution.JobClient``.

    Args:
        job_id: the id of the job.
        future: the job's result; it ends with `JobCancelledError` after a cancellation.
        cancel: asks the job to stop, without waiting for it.
        control: what else may be asked of an unbounded job; ``None`` for a bounded one.
        savepoint_directory: location of savepoints, if none is given; ``None`` if the settings have none.
    """

    def __init__(
        self,
        job_id: JobID,
        future: Future[JobExecutionResult],
        cancel: Callable[[], None],
        control: JobControl | None = None,
        savepoint_directory: str | None = None,
    ) -> None:
        self._job_id = job_id
        self._future = future
        self._cancel = cancel
        self._control = control
        self._savepoint_directory = savepoint_directory

    def get_job_id(self) -> JobID:
        """Return the id of the job."""
        return self._job_id

    def get_job_status(self) -> CompletableFuture[JobStatus]:
        """Return the current status: RUNNING, RESTARTING, FINISHED, FAILED or CANCELED."""
        return CompletableFuture.completed(self._status())

    def cancel(self) -> CompletableFuture[None]:
        """Request cancellation of the job; a job that has ended is left alone.

        Returns:
            A future that is done when the request is sent; ``get_job_execution_result`` waits for the end.
        """
        if not self._future.done():
            self._cancel()
        return CompletableFuture.completed(None)

    def stop_with_savepoint(
        self, advance_to_end_of_event_time: bool, savepoint_directory: str | None = None
    ) -> CompletableFuture[str]:
        """Stop an unbounded job with a savepoint.

        Args:
            advance_to_end_of_event_time: whether event time first advances to its end, so that all windows
                and timers fire: for a job that will not be resumed.
            savepoint_directory: location of the directory of savepoints; that of the settings by default.

        Returns:
            A future of the location of the savepoint; if it cannot be written, the future fails with a
            CheckpointError, and the job keeps running.

        Raises:
            UnsupportedOperationError: the job is bounded.
            ConfigurationError: no directory is given or set.
        """
        method = "stop_with_savepoint"
        control, directory = self._savepoints(method, savepoint_directory)
        if self._future.done():
            return self._too_late(method)
        return CompletableFuture(
            converted(control.stop_with_savepoint(advance_to_end_of_event_time, directory), str)
        )

    def trigger_savepoint(self, savepoint_directory: str | None = None) -> CompletableFuture[str]:
        """Take a savepoint of an unbounded job, which keeps running.

        Args:
            savepoint_directory: location of the directory of savepoints; that of the settings by default.

        Returns:
            A future of the location of the savepoint, or of a CheckpointError if it cannot be written.

        Raises:
            UnsupportedOperationError: the job is bounded.
            ConfigurationError: no directory is given or set.
        """
        method = "trigger_savepoint"
        control, directory = self._savepoints(method, savepoint_directory)
        if self._future.done():
            return self._too_late(method)
        return CompletableFuture(converted(control.trigger_savepoint(directory), str))

    def get_accumulators(self) -> CompletableFuture[dict[str, Any]]:
        """Return the accumulators: all of them once the job has finished.

        Before, there are none in a bounded job, and those of the last checkpoint in an unbounded one.
        """
        if self._status() is JobStatus.FINISHED:
            return CompletableFuture.completed(self._future.result().get_all_accumulator_results())
        return CompletableFuture.completed(
            {} if self._control is None else dict(self._control.accumulators())
        )

    def get_metrics(self) -> CompletableFuture[dict[str, Any]]:
        """Return the metrics: as of the last checkpoint of an unbounded job, or of the end of a bounded one.

        Flink has them in its web interface and its metric reporters instead.
        """
        if self._control is None:
            return self.get_accumulators()
        return CompletableFuture.completed(dict(self._control.metrics()))

    def get_job_execution_result(self) -> CompletableFuture[JobExecutionResult]:
        """Return a future of the job's result.

        Its ``result()`` raises `JobExecutionError` when the job failed and `JobCancelledError` when it was
        cancelled. Cancelling this future does not cancel the job, so that it cannot be cancelled.
        """
        return CompletableFuture(converted(self._future, lambda result: result))

    def _status(self) -> JobStatus:
        if not self._future.done():
            is_restarting = self._control is not None and self._control.is_restarting
            return JobStatus.RESTARTING if is_restarting else JobStatus.RUNNING
        if self._future.cancelled():
            return JobStatus.CANCELED
        match self._future.exception():
            case None:
                return JobStatus.FINISHED
            case JobCancelledError() | CancelledError():
                return JobStatus.CANCELED
            case _:
                return JobStatus.FAILED

    def _savepoints(self, method: str, directory: str | None) -> tuple[JobControl, str]:
        """Return the control of the job and the directory for its savepoints."""
        if self._control is None:
            raise UnsupportedOperationError(
                f"JobClient.{method}: bounded jobs have no savepoints; run the job again, or write its "
                "results to a sink and start from those"
            )
        chosen = self._savepoint_directory if directory is None else directory
        if not isinstance(chosen, str) or not chosen:
            raise ConfigurationError(
                f"JobClient.{method}: {directory!r} is not a directory; pass one, or set "
                f"{SAVEPOINT_DIRECTORY.key}"
            )
        return self._control, chosen

    def _too_late(self, method: str) -> CompletableFuture[str]:
        future: Future[str] = Future()
        ended = f"JobClient.{method}: job {self._job_id} is {self._status().name}"
        future.set_exception(JobExecutionError(f"{ended}; only a running job takes savepoints"))
        return CompletableFuture(future)


def converted(job: Future[A], convert: Callable[[A], B]) -> Future[B]:
    """Return a future of a job's converted result or error; cancelling the future does not cancel the job."""
    outcome: Future[B] = Future()
    outcome.set_running_or_notify_cancel()

    def pass_on(job: Future[A]) -> None:
        if job.cancelled():
            outcome.set_exception(JobCancelledError("the job was cancelled before it started"))
        elif (error := job.exception()) is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(convert(job.result()))

    job.add_done_callback(pass_on)
    return outcome
