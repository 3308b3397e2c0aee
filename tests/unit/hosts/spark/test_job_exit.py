"""How a job ends where no thread can be started."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

import pystream.hosts.job
from pystream.hosts.job import JobOutcome
from pystream.hosts.results import Results
from pystream.hosts.spark import job
from pystream.hosts.spark.job import SparkJob
from pystream.plan.nodes import PrintTarget


def _job(future: Future[JobOutcome]) -> SparkJob:
    request: Any = SimpleNamespace(cached=())
    run = SparkJob(request)
    run.future = future
    return run


class _Session:
    """Stands where a session would; no call reaches Spark."""


def test_job_is_interrupted_at_exit_where_python_starts_no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    future: Future[JobOutcome] = Future()
    session: Any = _Session()
    run = _job(future)
    run._spark = session
    interrupted = []

    def interrupt(spark: object, job_id: str) -> None:
        interrupted.append((spark, job_id))
        future.set_result(JobOutcome(0, {}))

    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(job, "_cancel_tagged", interrupt)
    monkeypatch.setattr(threading.Thread, "start", start)
    run._stop_at_exit()
    assert interrupted == [(session, run.job_id)]


def test_waiting_at_exit_ends_though_the_job_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    run = _job(Future())
    monkeypatch.setattr(pystream.hosts.job, "_SECONDS_AT_EXIT", 0.01)
    run._stop_at_exit()
    assert not run.future.done()
    assert run._cancelled.is_set()


def test_readers_of_results_are_told_when_the_printer_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []

    class Recorded(Results):
        def end(self, *, succeeded: bool) -> None:
            ends.append(succeeded)

    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    run = _job(Future())
    run.results = Recorded()
    sink: Any = SimpleNamespace(target=object.__new__(PrintTarget))
    run._driver_sinks = [(0, sink, 1)]
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        run._outcome()
    assert ends == [False]
