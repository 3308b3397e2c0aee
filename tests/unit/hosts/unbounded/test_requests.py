"""Requests of a program to a job that has ended."""

from __future__ import annotations

import pytest

from pystream.errors import JobExecutionError
from pystream.hosts.unbounded.requests import Requests, SavepointRequest


def test_savepoints_are_refused_once_the_job_has_ended() -> None:
    requests = Requests()
    waiting, late = SavepointRequest("first"), SavepointRequest("second")
    requests.ask_for_savepoint(waiting)
    requests.refuse_all()
    requests.ask_for_savepoint(late)
    for request in (waiting, late):
        with pytest.raises(JobExecutionError, match="the job ended before the savepoint was taken"):
            request.written.result(timeout=0)
