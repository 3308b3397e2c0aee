"""Results of several attempts and runs, read as one stream."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pystream.hosts.result_files import ResultFiles, frames_of
from pystream.hosts.results import Results


def write(files: ResultFiles, *frames: list[int], edge: int = 0, run: int = 0) -> None:
    writer = files.writer(edge, 0, run)
    for frame in frames:
        writer.write(pickle.dumps(frame))
    writer.end()


@pytest.mark.parametrize("limit", [None, 3])
def test_an_interrupted_channel_continues_in_the_next_attempt(tmp_path: Path, limit: int | None) -> None:
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


def test_only_the_last_completed_run_counts(tmp_path: Path) -> None:
    """Spark runs a subtask again if another one of the same Spark task fails after it."""
    results = Results()
    files = results.begin(tmp_path, early=False)
    for edge in (0, 1):
        for run in (10, 2, 1):  # that of a task that failed may end after its successor
            write(files, [run], edge=edge, run=run)
    results.end(succeeded=True)
    assert list(results.read(0, 1, pickle.loads)) == [[10]]
    assert [pickle.loads(frame) for frame in frames_of(results.moved(1) / "0")] == [[10]]
