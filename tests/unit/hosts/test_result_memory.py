"""Results in memory: their order, how many wait there, and their end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pytest

from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.hosts import result_memory
from pystream.hosts.process import new_directory
from pystream.hosts.result_files import frames_of
from pystream.hosts.result_memory import ResultMemory
from pystream.hosts.results import Results
from typeinfo import Types

FORMAT = ElementsFormat(Types.LONG())
LAYOUT = layout_of(Types.LONG())
HELD = 800  # bytes, which is 100 numbers in columns


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "pystream.hosts.results.new_directory", lambda parent=None: new_directory(parent or tmp_path)
    )
    monkeypatch.setattr(result_memory, "_HELD_BYTES", HELD)
    return tmp_path


def columns(*numbers: int) -> ColumnValues:
    batch = pa.RecordBatch.from_arrays([pa.array(numbers, pa.int64())], schema=LAYOUT.schema)
    return ColumnValues(LAYOUT, batch)


def write(memory: ResultMemory, *batches: Any, edge: int = 0) -> None:
    for batch in batches:
        assert memory.write(OutputRow(edge, 0, 0, 0, 0, FORMAT.share(batch)))


def begin(results: Results, *, early: bool = True) -> ResultMemory:
    return results.begin_in_memory([(0, 0)], kept=[], early=early)


def read(results: Results) -> Iterator[list[int]]:
    return results.read(0, 1, FORMAT.load_list)


def files_in(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_few_results_wait_in_memory_alone(directory: Path) -> None:
    results = Results()
    memory = begin(results)
    write(memory, columns(1, 2), [3], columns(4))
    memory.end()
    assert list(read(results)) == [[1, 2], [3], [4]]
    assert list(directory.iterdir()) == []


def test_results_beyond_the_bound_wait_in_files_and_keep_their_order(directory: Path) -> None:
    results = Results()
    memory = begin(results)
    batches = [columns(*range(n * 50, n * 50 + 50)) if n % 3 else [n] * 50 for n in range(12)]
    write(memory, *batches[:8])
    assert memory.reader(0, 0, ended=False).held < HELD + 400  # a batch may exceed what is left
    assert len(files_in(directory)) == 1
    reading = read(results)
    first = [next(reading) for _ in range(8)]
    (size,) = (path.stat().st_size for path in files_in(directory))
    write(memory, *batches[8:10])  # in memory again
    (after,) = (path.stat().st_size for path in files_in(directory))
    write(memory, *batches[10:])
    memory.end()
    memory.close()
    assert first + list(reading) == [list(batch) for batch in batches]
    assert after == size


def test_columns_are_passed_on_without_a_copy() -> None:
    results = Results()
    memory = begin(results)
    given = columns(1, 2, 3)
    write(memory, given)
    memory.end()
    (found,) = results.read(0, 1, FORMAT.load)
    assert isinstance(found, ColumnValues)
    addresses = [
        [buffer and buffer.address for buffer in values.batch.column(0).buffers()]
        for values in (found, given)
    ]
    assert addresses[0] == addresses[1]


@pytest.mark.parametrize("limit", [None, 3])
def test_another_attempt_continues_where_its_predecessor_was_read(limit: int | None) -> None:
    results, found = Results(), list[Any]()
    write(begin(results), columns(1, 2))

    def reading() -> None:
        found.extend(read(results) if limit is None else [results.first(limit, 0, 1, FORMAT.load_list)])

    reader = Thread(target=reading, daemon=True)
    reader.start()
    time.sleep(0.1)  # until it has read all there is
    memory = begin(results)
    write(memory, columns(1), columns(2), [3])
    memory.end()
    results.end(succeeded=True)
    reader.join(30)
    assert found == ([[1, 2], [3]] if limit is None else [[1, 2, 3]])


def test_an_attempt_that_may_be_repeated_is_read_once_it_has_succeeded(directory: Path) -> None:
    results = Results()
    write(begin(results, early=False), columns(*range(200)), columns(7), columns(8))
    assert len(files_in(directory)) == 1
    memory = begin(results, early=False)
    assert files_in(directory) == []  # those of the attempt that failed
    write(memory, columns(5))
    memory.end()
    results.end(succeeded=True)
    assert list(read(results)) == [[5]]


@pytest.mark.parametrize("closed_first", [True, False])
def test_unread_results_are_dropped_once_nobody_wants_them(directory: Path, closed_first: bool) -> None:
    results = Results()
    memory = begin(results)
    write(memory, *[columns(*range(100))] * 3)
    memory.close()
    for step in (results.close, lambda: results.end(succeeded=True))[:: 1 if closed_first else -1]:
        step()
    write(memory, *[columns(*range(100))] * 3)
    assert next(read(results), None) is None
    assert list(directory.iterdir()) == []


def test_a_job_goes_on_without_a_reader_and_holds_no_results(directory: Path) -> None:
    results = Results()
    memory = begin(results)
    results.close()
    write(memory, *[columns(*range(100))] * 3)
    assert memory.reader(0, 0, ended=False).held == 0
    assert files_in(directory) == []


def test_kept_channels_are_moved_as_files() -> None:
    results = Results()
    memory = results.begin_in_memory([(0, 0)], kept=[(1, 0)], early=True)
    memory.write(OutputRow(1, 0, 0, 0, 0, b"kept"))
    write(memory, [1])
    memory.end()
    memory.close()
    assert list(read(results)) == [[1]]
    assert list(frames_of(results.moved(1) / "0")) == [b"kept"]
