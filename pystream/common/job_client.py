"""JobClient: the handle of a running job."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from pystream.common.completable_future import CompletableFuture
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.job_id import JobID
from pystream.common.job_status import JobStatus
from pystream.errors import JobCancelledError, UnsupportedOperationError

__all__ = ["JobClient", "converted"]

A = TypeVar("A")
B = TypeVar("B")


class JobClient:
    """Monitor, await or cancel a job that ``execute_async`` started.

    Mirrors ``org.apache.flink.core.execution.JobClient``.

    Args:
        job_id: the id of the job.
        future: the job's result; it ends with `JobCancelledError` after a cancellation.
        cancel: asks the job to stop, without waiting for it.
    """

    def __init__(self, job_id: JobID, future: Future[JobExecutionResult], cancel: Callable[[], None]) -> None:
        self._job_id = job_id
        self._future = future
        self._cancel = cancel

    def get_job_id(self) -> JobID:
        """Return the id of the job."""
        return self._job_id

    def get_job_status(self) -> CompletableFuture[JobStatus]:
        """Return the current status: RUNNING, FINISHED, FAILED or CANCELED."""
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
        """Raise an error: bounded jobs have no savepoints.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _no_savepoints("stop_with_savepoint")

    def trigger_savepoint(self, savepoint_directory: str | None = None) -> CompletableFuture[str]:
        """Raise an error: bounded jobs have no savepoints.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _no_savepoints("trigger_savepoint")

    def get_accumulators(self) -> CompletableFuture[dict[str, Any]]:
        """Return the accumulators: all of them once the job has finished, none before."""
        if self._status() is not JobStatus.FINISHED:
            return CompletableFuture.completed({})
        return CompletableFuture.completed(self._future.result().get_all_accumulator_results())

    def get_job_execution_result(self) -> CompletableFuture[JobExecutionResult]:
        """Return a future of the job's result.

        Its ``result()`` raises `JobExecutionError` when the job failed and `JobCancelledError` when it was
        cancelled. Cancelling this future does not cancel the job, so that it cannot be cancelled.
        """
        return CompletableFuture(converted(self._future, lambda result: result))

    def _status(self) -> JobStatus:
        if not self._future.done():
            return JobStatus.RUNNING
        if self._future.cancelled():
            return JobStatus.CANCELED
        match self._future.exception():
            case None:
                return JobStatus.FINISHED
            case JobCancelledError() | CancelledError():
                return JobStatus.CANCELED
            case _:
                return JobStatus.FAILED


def converted(job: Future[A], convert: Callable[[A], B]) -> Future[B]:
    """Return a future of a job's converted result or error; cancelling the future does not cancel the job."""
    outcome: Future[B] = Future()
    outcome.set_running_or_notify_cancel()

    def pass_on(job: Future[A]) -> None:
        if job.cancelled():
            outcome.set_exception(JobCancelledError("the job was cancelled before it began"))
        elif (error := job.exception()) is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(convert(job.result()))

    job.add_done_callback(pass_on)
    return outcome


def _no_savepoints(method: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"JobClient.{method}: bounded jobs have no savepoints; run the job again, or write its "
        "results to a sink and start from those"
    )
