"""What the attempts of a job hand to the program, read as one."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pystream.hosts.result_files import ResultFiles, frames_of
from pystream.hosts.results import Results


def write(files: ResultFiles, *frames: list[int], run: int = 0) -> None:
    writer = files.writer(0, 0, run)
    for frame in frames:
        writer.write(pickle.dumps(frame))
    writer.end()


@pytest.mark.parametrize("limit", [None, 3])
def test_a_channel_that_broke_off_goes_on_in_the_next_attempt(tmp_path: Path, limit: int | None) -> None:
    results, read = Results(), list[Any]()
    write(results.begin(tmp_path, early=True, may_break_off=True), [1, 2])

    def reading() -> None:
        if limit is None:
            read.extend(results.read(0, 1, pickle.loads))
        else:
            read.append(results.first(limit, 0, 1, pickle.loads))

    reader = Thread(target=reading, daemon=True)
    reader.start()
    time.sleep(0.2)  # until it has read all there is
    write(results.begin(tmp_path, early=True), [1, 2], [3])
    results.end(succeeded=True)
    reader.join(30)
    assert read == ([[1, 2], [3]] if limit is None else [[1, 2, 3]])


def test_of_runs_that_ended_the_last_counts(tmp_path: Path) -> None:
    """Spark runs a subtask again if another one of the same Spark task fails after it."""
    results = Results()
    files = results.begin(tmp_path, early=False)
    for run in (10, 2, 1):  # that of a task that failed may end after its successor
        write(files, [run], run=run)
    results.end(succeeded=True)
    assert [pickle.loads(frame) for frame in frames_of(results.moved(0) / "0")] == [[10]]


def test_the_last_run_that_ended_is_read(tmp_path: Path) -> None:
    results = Results()
    files = results.begin(tmp_path, early=False)
    for run in (10, 2, 1):
        write(files, [run], run=run)
    results.end(succeeded=True)
    assert list(results.read(0, 1, pickle.loads)) == [[10]]
