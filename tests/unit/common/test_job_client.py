"""JobClient, driven by the future of a job's result."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from pystream.common.job_client import JobClient
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.job_id import JobID
from pystream.common.job_status import JobStatus
from pystream.errors import (
    CheckpointError,
    ConfigurationError,
    JobCancelledError,
    JobExecutionError,
    UnsupportedOperationError,
)


class Control:
    """An unbounded job that records the savepoints asked for."""

    def __init__(self) -> None:
        self.is_restarting = False
        self.asked: list[tuple[bool | None, str]] = []
        self.savepoint: Future[str] = Future()

    def trigger_savepoint(self, directory: str) -> Future[str]:
        self.asked.append((None, directory))
        return self.savepoint

    def stop_with_savepoint(self, drain: bool, directory: str) -> Future[str]:
        self.asked.append((drain, directory))
        return self.savepoint

    def accumulators(self) -> dict[str, int]:
        return {"n": 3}

    def metrics(self) -> dict[str, int]:
        return {"records": 7}


class Job:
    def __init__(self, control: Control | None = None, savepoint_directory: str | None = None) -> None:
        self.id = JobID()
        self.future: Future[JobExecutionResult] = Future()
        self.cancellations = 0
        self.client = JobClient(self.id, self.future, self.cancel, control, savepoint_directory)

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
    with pytest.raises(JobCancelledError, match="before it started"):
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


# unbounded jobs


def test_a_savepoint_of_an_unbounded_job() -> None:
    control = Control()
    client = Job(control).client
    taken = client.trigger_savepoint("file:///s")
    assert not taken.done()
    control.savepoint.set_result("file:///s/savepoint-1")
    assert taken.result() == "file:///s/savepoint-1"
    assert client.stop_with_savepoint(True, "/t").result() == "file:///s/savepoint-1"
    assert control.asked == [(None, "file:///s"), (True, "/t")]


@pytest.mark.promise("beh:config-savepoint-fallback")
def test_the_savepoint_directory_falls_back_to_the_settings() -> None:
    control = Control()
    client = Job(control, "file:///default").client
    client.trigger_savepoint()
    client.stop_with_savepoint(False)
    assert control.asked == [(None, "file:///default"), (False, "file:///default")]


def test_a_savepoint_needs_a_directory() -> None:
    client = Job(Control()).client
    for directory in (None, ""):
        with pytest.raises(
            ConfigurationError, match=r"pass one, or set execution\.checkpointing\.savepoint-dir"
        ):
            client.trigger_savepoint(directory)  # type: ignore[arg-type]


def test_a_failed_savepoint() -> None:
    control = Control()
    taken = Job(control).client.trigger_savepoint("/s")
    control.savepoint.set_exception(CheckpointError("disk full"))
    with pytest.raises(CheckpointError, match="disk full"):
        taken.result()


def test_cancelling_the_future_of_a_savepoint_does_not_cancel_it() -> None:
    control = Control()
    assert not Job(control).client.trigger_savepoint("/s").cancel()
    assert not control.savepoint.cancelled()


def test_a_job_that_has_ended_takes_no_savepoint() -> None:
    control = Control()
    job = Job(control)
    job.future.set_result(JobExecutionResult(job.id, 1))
    for taken in (job.client.trigger_savepoint("/s"), job.client.stop_with_savepoint(False, "/s")):
        with pytest.raises(JobExecutionError, match=r"is FINISHED; only a running job"):
            taken.result()
    assert control.asked == []


def test_status_and_numbers_of_an_unbounded_job() -> None:
    control = Control()
    job = Job(control)
    assert job.status() is JobStatus.RUNNING
    control.is_restarting = True
    assert job.status() is JobStatus.RESTARTING
    assert job.client.get_accumulators().result() == {"n": 3}
    assert job.client.get_metrics().result() == {"records": 7}
    job.future.set_result(JobExecutionResult(job.id, 1, {"n": 4}))
    assert job.status() is JobStatus.FINISHED
    assert job.client.get_accumulators().result() == {"n": 4}
    assert job.client.get_metrics().result() == {"records": 7}


def test_metrics_of_a_bounded_job_are_those_at_its_end() -> None:
    job = Job()
    assert job.client.get_metrics().result() == {}
    job.future.set_result(JobExecutionResult(job.id, 1, {"n": 4}))
    assert job.client.get_metrics().result() == {"n": 4}
