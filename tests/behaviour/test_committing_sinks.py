"""Sinks written in Python, and buckets by event time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Encoder, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import (
    BucketAssigner,
    Committer,
    CommitterInitContext,
    CommittingSinkWriter,
    FileSink,
    SinkWriterContext,
    TwoPhaseCommittingSink,
    WriterInitContext,
)
from pystream.engine.connectors.buckets import BucketContext
from pystream.errors import JobExecutionError, SinkError


class Directory(TwoPhaseCommittingSink[int, str]):
    """Writes a file per element, and renames it when it is committed."""

    def __init__(self, path: Path, refuses: bool = False) -> None:
        self.path = path
        self.refuses = refuses

    def create_writer(self, context: WriterInitContext) -> DirectoryWriter:
        return DirectoryWriter(self.path, context)

    def create_committer(self, context: CommitterInitContext) -> DirectoryCommitter:
        assert len(context.get_job_id()) == 32
        return DirectoryCommitter(self)


class DirectoryWriter(CommittingSinkWriter[int, str]):
    def __init__(self, path: Path, context: WriterInitContext) -> None:
        self.path = path
        self.subtask = f"{context.get_subtask_id()} of {context.get_number_of_parallel_subtasks()}"
        self.written: list[str] = []
        self.flushed = False

    def write(self, element: int, context: SinkWriterContext) -> None:
        name = f".{element} at {context.timestamp()} in {self.subtask}"
        if 100 // element:
            (self.path / name).touch()
        self.written.append(name)

    def flush(self, end_of_input: bool) -> None:
        self.flushed = end_of_input

    def prepare_commit(self) -> list[str]:
        assert self.flushed
        return self.written

    def close(self) -> None:
        (self.path / "closed").touch()


class DirectoryCommitter(Committer[str]):
    def __init__(self, sink: Directory) -> None:
        self.sink = sink

    def commit(self, checkpoint_id: int, committables: Sequence[str]) -> None:
        if self.sink.refuses:
            raise RuntimeError("the directory is read only")
        for name in committables:
            os.rename(self.sink.path / name, self.sink.path / f"{name[1:]}, {checkpoint_id}")


def test_a_bounded_job_commits_once(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    env.set_parallelism(1)
    env.from_collection([1, 2, 3], Types.INT()).sink_to(Directory(tmp_path))
    env.execute()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "1 at None in 0 of 1, 0",
        "2 at None in 0 of 1, 0",
        "3 at None in 0 of 1, 0",
        "closed",
    ]


def test_a_failing_writer_is_named_with_the_element(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    env.from_collection([1, 0], Types.INT()).sink_to(Directory(tmp_path)).name("directory")
    with pytest.raises(JobExecutionError, match=r"(?s)'Sink: directory'.*ZeroDivisionError.*element: 0"):
        env.execute()
    assert all(path.name.startswith((".", "closed")) for path in tmp_path.iterdir())


def test_a_failing_committer_fails_the_job_before_files_appear(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    numbers = env.from_collection([1, 2], Types.INT())
    numbers.sink_to(Directory(tmp_path, refuses=True)).name("directory")
    files = tmp_path / "files"
    numbers.sink_to(FileSink.for_row_format(str(files), Encoder.simple_string_encoder()).build())
    message = r"'Sink: directory' .*failed to commit epoch 0: RuntimeError: the directory is read only"
    with pytest.raises(SinkError, match=message):
        env.execute()
    assert [path for path in files.rglob("*") if path.is_file()] == []


class Itself(TimestampAssigner):
    def extract_timestamp(self, value: int, record_timestamp: int) -> int:
        return value


class ByHundreds(BucketAssigner[int]):
    def get_bucket_id(self, element: int, context: BucketContext) -> str:
        timestamp = context.timestamp()
        assert timestamp is not None
        assert context.current_watermark() < timestamp
        return f"{timestamp // 100}"


def test_a_bucket_may_depend_on_event_time(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Itself())
    sink: Any = FileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder())
    env.set_parallelism(1)
    numbers = env.from_collection([1, 120, 130, 210], Types.INT())
    numbers.assign_timestamps_and_watermarks(strategy).sink_to(
        sink.with_bucket_assigner(ByHundreds()).build()
    )
    env.execute()
    found = {path.parent.name: path.read_text() for path in tmp_path.rglob("part-*")}
    assert found == {"0": "1\n", "1": "120\n130\n", "2": "210\n"}
