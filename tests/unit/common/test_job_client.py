"""JobClient, driven by the future of a job's result."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from pystream.common.job_client import JobClient
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.job_id import JobID
from pystream.common.job_status import JobStatus
from pystream.errors import JobCancelledError, JobExecutionError, UnsupportedOperationError


class Job:
    def __init__(self) -> None:
        self.id = JobID()
        self.future: Future[JobExecutionResult] = Future()
        self.cancellations = 0
        self.client = JobClient(self.id, self.future, self.cancel)

    def cancel(self) -> None:
        self.cancellations += 1

    def status(self) -> JobStatus:
        return self.client.get_job_status().result()


def test_a_job_that_finishes() -> None:
    job = Job()
    assert job.client.get_job_id() == job.id
    assert job.status() is JobStatus.RUNNING
    assert job.client.get_accumulators().result() == {}
    outcome = job.client.get_job_execution_result()
    assert not outcome.done()
    result = JobExecutionResult(job.id, 5, {"n": 1})
    job.future.set_result(result)
    assert job.status() is JobStatus.FINISHED
    assert outcome.result() is result
    assert job.client.get_job_execution_result().result() is result
    assert job.client.get_accumulators().result() == {"n": 1}


def test_a_job_that_fails() -> None:
    job = Job()
    outcome = job.client.get_job_execution_result()
    error = JobExecutionError("boom")
    job.future.set_exception(error)
    assert job.status() is JobStatus.FAILED
    assert outcome.exception() is error
    with pytest.raises(JobExecutionError, match="boom"):
        outcome.result()
    assert job.client.get_accumulators().result() == {}


def test_a_job_that_is_cancelled_while_it_runs() -> None:
    job = Job()
    asked = job.client.cancel()
    assert asked.done()
    assert asked.result() is None
    assert job.cancellations == 1
    assert job.status() is JobStatus.RUNNING
    job.future.set_exception(JobCancelledError("cancelled"))
    assert job.status() is JobStatus.CANCELED
    with pytest.raises(JobCancelledError):
        job.client.get_job_execution_result().result()


def test_a_job_that_is_cancelled_before_it_runs() -> None:
    job = Job()
    outcome = job.client.get_job_execution_result()
    assert job.future.cancel()
    assert job.status() is JobStatus.CANCELED
    with pytest.raises(JobCancelledError, match="before it began"):
        outcome.result()


def test_a_finished_job_is_not_cancelled() -> None:
    job = Job()
    job.future.set_result(JobExecutionResult(job.id, 1))
    job.client.cancel()
    assert job.cancellations == 0
    assert job.status() is JobStatus.FINISHED


def test_cancelling_the_future_of_the_result_does_not_cancel_the_job() -> None:
    job = Job()
    assert not job.client.get_job_execution_result().cancel()
    assert not job.future.cancelled()
    assert job.cancellations == 0


def test_savepoints_are_refused() -> None:
    client = Job().client
    with pytest.raises(UnsupportedOperationError, match=r"trigger_savepoint: .* no savepoints"):
        client.trigger_savepoint("file:///tmp/x")
    with pytest.raises(UnsupportedOperationError, match="stop_with_savepoint"):
        client.stop_with_savepoint(True)
