"""Offsets at which a job in Real-Time Mode starts, found once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.job_directory import JobDirectory
from pystream.hosts.unbounded.starting_offsets import StartingOffsets
from pystream.settings.modes import Runner

OFFSETS = {"source-1": {TopicPartition("words", 0): 7, TopicPartition("words", 1): 0}}


def opened(parent: Path, *, resume: bool = False, real_time: bool = True) -> JobDirectory:
    identity = JobIdentity("words", ())
    return JobDirectory.open(
        str(parent), identity, "abc", runner=Runner.SPARK, resume=resume, real_time=real_time
    )


def test_a_job_that_resumes_starts_at_the_offsets_at_which_it_started_first(tmp_path: Path) -> None:
    directory = opened(tmp_path)
    StartingOffsets(directory, OFFSETS).store()
    directory.close()
    resumed = opened(tmp_path, resume=True)
    assert StartingOffsets.of(resumed, {}).by_source == OFFSETS
    resumed.close()


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    directory = opened(tmp_path)
    StartingOffsets(directory, OFFSETS).store()
    Path(directory.real_time, "starting-offsets").write_bytes(b"pystream")
    directory.close()
    resumed = opened(tmp_path, resume=True)
    with pytest.raises(CheckpointError, match="starting-offsets is incomplete"):
        StartingOffsets.of(resumed, {})
    resumed.close()


def test_the_state_of_one_mode_is_not_that_of_the_other(tmp_path: Path) -> None:
    directory = opened(tmp_path)
    StartingOffsets(directory, OFFSETS).store()
    directory.close()
    with pytest.raises(CheckpointError, match="has state"):
        opened(tmp_path)
    with pytest.raises(CheckpointError, match=r"in Real-Time Mode; set pystream\.real-time to true"):
        opened(tmp_path, resume=True, real_time=False)
    other = opened(tmp_path / "other", real_time=False)
    Path(other.epochs).mkdir(parents=True)
    Path(other.epochs, "1").touch()
    other.close()
    with pytest.raises(CheckpointError, match=r"outside of Real-Time Mode; set pystream\.real-time to false"):
        opened(tmp_path / "other", resume=True)
