"""Files of a cached stream: the elements read are those written, as long as the cache is referenced."""

from __future__ import annotations

import gc
import multiprocessing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.events import MAX_WATERMARK, Arrival, Elements, Watermark
from pystream.engine.exchange.rows import END_OF_CHANNEL
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.spec import CacheOutput, TaskSpec
from pystream.engine.task.task import Task
from pystream.engine.task_info import SubtaskInfo
from pystream.hosts.cache_files import CacheFiles
from pystream.hosts.inputs import SourceInput
from pystream.hosts.process import new_directory
from pystream.hosts.result_files import ResultFiles
from pystream.hosts.spark.worker import ResultOutput
from tests.unit.engine.exchange.test_send_buffer import _BATCHES, flat
from tests.unit.engine.tasks import JOB, label
from typeinfo import Types

EDGE = 4
MANY = [Elements(list(range(start, start + 5_000))) for start in range(0, 50_000, 5_000)]


def kept(directory: Path, *channels: list[Any], run: int = 0) -> CacheFiles:
    """Cache the elements that each subtask of a task receives."""
    files = ResultFiles(directory)
    for index, events in enumerate(channels):
        output = CacheOutput(EDGE, Types.LONG())
        spec = TaskSpec("Map", len(channels), 128, label("Map"), Types.LONG(), (output,))
        task = Task(spec, SubtaskInfo(JOB, index, len(channels), 128, 0), MetricRegistry())
        results = ResultOutput(files, frozenset({EDGE}))
        assert list(results.divert(task.run(map(Arrival, events)), index, run)) == []
    target = new_directory(directory)
    files.move(EDGE, target)
    return CacheFiles(target, Types.LONG(), len(channels), batch=False)


def read(files: CacheFiles) -> list[list[Any]]:
    """Return the events that each subtask of a later job reads."""
    source = files.source()
    divided = SourceInput.of(source, files.channels)
    return [[arrival.event for arrival in divided.read(index)] for index in range(files.channels)]


@given(st.lists(_BATCHES, min_size=1, max_size=3))
def test_elements_timestamps_and_watermarks_are_read_as_written(
    tmp_path_factory: pytest.TempPathFactory, channels: list[list[Any]]
) -> None:
    reached = [list(_rising(events)) for events in channels]
    files = kept(tmp_path_factory.mktemp("files"), *reached)
    assert [flat(events) for events in read(files)] == [flat(events) for events in reached]


def _rising(events: list[Any]) -> Any:
    """Omit watermarks that do not advance, and the last one, which the end of a source implies."""
    before = -(2**63)
    for event in events:
        if isinstance(event, Watermark):
            if not before < event.timestamp < MAX_WATERMARK:
                continue
            before = event.timestamp
        yield event


def test_many_elements_are_written_in_several_frames(tmp_path: Path) -> None:
    (events,) = read(kept(tmp_path, MANY))
    assert len(events) > 1
    assert [value for event in events for value in event.values] == list(range(50_000))


def test_a_subtask_that_was_not_run_has_no_elements(tmp_path: Path) -> None:
    target = new_directory(tmp_path)
    files = CacheFiles(target, Types.LONG(), 2, batch=False)
    assert read(files) == [[], []]


def test_the_output_of_a_failed_run_is_ignored(tmp_path: Path) -> None:
    half = ResultFiles(tmp_path).writer(EDGE, 0, run=1)
    half.write(b"half of it")
    half.close()
    assert [flat(events) for events in read(kept(tmp_path, MANY[:1]))] == [flat(MANY[:1])]


@pytest.mark.parametrize("lose", ["directory", "one file"])
def test_lost_files_are_noticed(tmp_path: Path, lose: str) -> None:
    files = kept(tmp_path, MANY)
    assert files.are_there()
    directory = files._directory
    if lose == "directory":
        directory.rename(directory.with_name("elsewhere"))
    else:
        next(path for path in directory.rglob("*") if path.is_file()).unlink()
    assert not files.are_there()


def test_files_are_removed_with_the_last_reference(tmp_path: Path) -> None:
    files = kept(tmp_path, MANY)
    directory, source = files._directory, files.source()
    del files
    gc.collect()
    assert not directory.exists()
    assert source.splits(1) == [[]]


def test_a_forked_process_keeps_the_files_of_its_parent(tmp_path: Path) -> None:
    files = kept(tmp_path, MANY)
    child = multiprocessing.get_context("fork").Process(target=_drop, args=([files],))
    child.start()
    child.join(timeout=30)
    assert child.exitcode == 0
    assert files.are_there()


def _drop(files: list[CacheFiles]) -> None:
    files.clear()


def test_a_cache_has_no_row_at_the_end_of_its_channel(tmp_path: Path) -> None:
    output = CacheOutput(EDGE, Types.LONG())
    spec = TaskSpec("Map", 1, 128, label("Map"), Types.LONG(), (output,))
    metrics = MetricRegistry()
    metrics.group("Map").counter("calls").inc()
    rows = Task(spec, SubtaskInfo(JOB, 0, 1, 128, 0), metrics).run(map(Arrival, MANY))
    assert all(row.edge == EDGE and row.seq != END_OF_CHANNEL for row in rows)  # type: ignore[union-attr]
