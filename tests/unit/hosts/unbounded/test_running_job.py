"""The control of a running job: what a client asks for, and what is refused."""

from __future__ import annotations

import re

import pytest

from pystream.errors import UnsupportedOperationError
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.requests import Requests
from pystream.hosts.unbounded.running_job import RunningJob

METRICS = JobMetrics("counts", "0123456789abcdef")


def test_a_savepoint_is_requested_at_a_new_location() -> None:
    requests = Requests()
    job = RunningJob(METRICS, requests)
    job.trigger_savepoint("/savepoints")
    job.stop_with_savepoint(True, "/savepoints/")
    first, second = requests.next_savepoint(), requests.next_savepoint()
    assert first is not None
    assert second is not None
    assert (first.stops, first.drains) == (False, False)
    assert (second.stops, second.drains) == (True, True)
    for request in (first, second):
        assert re.fullmatch("/savepoints/savepoint-012345-[0-9a-f]{12}", request.location)
    assert first.location != second.location


def test_a_job_that_cannot_take_savepoints_refuses_them() -> None:
    requests = Requests()
    job = RunningJob(METRICS, requests, "its source has no position")
    for refused in (job.trigger_savepoint("/x"), job.stop_with_savepoint(False, "/x")):
        with pytest.raises(UnsupportedOperationError, match="job 'counts': its source has no position"):
            refused.result(0)
    assert requests.next_savepoint() is None
