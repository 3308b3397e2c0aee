"""Jobs at exit, and failures of their threads and files, independently of a host."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pystream.hosts.job
from pystream.engine.exchange.rows import OutputRow
from pystream.hosts.bounded_job import BoundedJob
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job import JobOutcome
from pystream.hosts.results import Results
from pystream.plan.cache import Cache
from pystream.plan.nodes import CacheTarget, NodeSettings, PrintTarget, SinkNode
from typeinfo import Types


class HostlessJob(BoundedJob):
    """A job without stages, which ends at its second interruption."""

    def __init__(self) -> None:
        request: Any = SimpleNamespace(name="counts")
        super().__init__(request)
        self.interruptions = 0

    def _run_attempt(self, number: int) -> list[OutputRow]:
        return []

    def _interrupt(self) -> None:
        self.interruptions += 1
        if self.interruptions == 2:
            self.future.set_result(JobOutcome(0, {}))

    def _error_to_report(self, error: BaseException) -> BaseException:
        return error

    def _divided_inputs(self) -> dict[int, SourceInput]:
        return {}


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", start)


def sink(target: Any) -> SinkNode:
    settings = NodeSettings("Cache (empty)", parallelism=1)
    return SinkNode(id=1, type_info=Types.LONG(), settings=settings, target=target)


@pytest.mark.usefixtures("no_threads")
def test_a_job_is_interrupted_at_exit_until_it_ends() -> None:
    job = HostlessJob()
    job._stop_at_exit()
    assert job.interruptions == 2


def test_waiting_at_exit_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    job = HostlessJob()
    monkeypatch.setattr(pystream.hosts.job, "_SECONDS_AT_EXIT", 0.01)
    job._stop_at_exit()
    assert not job.future.done()
    assert job._cancelled.is_set()


@pytest.mark.usefixtures("no_threads")
def test_results_end_if_the_printer_cannot_start() -> None:
    job = HostlessJob()
    job._driver_sinks = {0: sink(PrintTarget(""))}
    with pytest.raises(RuntimeError, match="can't create new thread"):
        job._metrics_at_end()
    assert list(job.results.read(0, 1, lambda frame: [frame])) == []


def test_lost_files_fill_no_cache(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    results = Results()
    results.begin(tmp_path, early=True)
    shutil.rmtree(next(tmp_path.iterdir()))
    cache = Cache()
    job = HostlessJob()
    job.results = results
    job._caches = {0: sink(CacheTarget(cache, 0))}
    job._fill_caches()
    assert not cache.is_filled
    assert "job 'counts': the result of 'Sink: Cache (empty)' is not kept" in caplog.text
    assert list(tmp_path.iterdir()) == []
