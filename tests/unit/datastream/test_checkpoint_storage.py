"""Checkpoint storages, as in PyFlink 2.3 unless said otherwise."""

from __future__ import annotations

import pytest

from pystream.common.configuration import Configuration
from pystream.datastream.checkpoint_storage import (
    CheckpointStorage,
    CustomCheckpointStorage,
    FileSystemCheckpointStorage,
    JobManagerCheckpointStorage,
)
from pystream.errors import ConfigurationError


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("file:///tmp/x", "file:/tmp/x"),
        ("file:///tmp/x/", "file:/tmp/x"),
        ("file:/tmp//x", "file:/tmp/x"),
        ("hdfs://node:9000/a/b", "hdfs://node:9000/a/b"),
        # Flink refuses this one, though its own guide gives it as the example.
        ("hdfs://checkpoints", "hdfs://checkpoints"),
    ],
)
def test_paths_are_uris(path: str, shown: str) -> None:
    assert FileSystemCheckpointStorage(path).get_checkpoint_path() == shown
    assert JobManagerCheckpointStorage(path).get_checkpoint_path() == shown


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/tmp/x", "has no scheme"),
        ("relative", "has no scheme"),
        ("", "takes a URI"),
        ("file:///", "is a root directory"),
    ],
)
def test_paths_without_scheme_or_directory_are_refused(path: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^execution.checkpointing.dir: .* {message}"):
        FileSystemCheckpointStorage(path)


@pytest.mark.parametrize(("given", "read"), [(None, 20480), (-1, 20480), (0, 0), (1048576, 1048576)])
def test_threshold(given: int | None, read: int) -> None:
    assert FileSystemCheckpointStorage("file:///tmp/x", given).get_min_file_size_threshold() == read


@pytest.mark.parametrize(("given", "read"), [(-1, 4096), (0, 0), (10, 10)])
def test_write_buffer(given: int, read: int) -> None:
    assert FileSystemCheckpointStorage("file:///tmp/x", None, given).get_write_buffer_size() == read


def test_sizes_out_of_range_are_refused() -> None:
    for threshold in (-2, 1048577):
        with pytest.raises(ConfigurationError):
            FileSystemCheckpointStorage("file:///tmp/x", threshold)
    with pytest.raises(ConfigurationError, match="write-buffer-size: -2"):
        FileSystemCheckpointStorage("file:///tmp/x", None, -2)
    for size in (0, -1):
        with pytest.raises(ConfigurationError, match=f"max-state-size: {size} .* at least 1"):
            JobManagerCheckpointStorage(max_state_size=size)


@pytest.mark.parametrize(
    "storage",
    [
        JobManagerCheckpointStorage("file:///tmp/x", 100, "file:///tmp/s"),
        FileSystemCheckpointStorage("file:///tmp/x", 2048, 8192, "file:///tmp/s"),
        CustomCheckpointStorage("com.acme.Factory"),
    ],
)
def test_a_storage_is_read_back_from_settings(storage: CheckpointStorage) -> None:
    configuration = Configuration()
    storage.write_to(configuration)
    assert CheckpointStorage.from_configuration(configuration) == storage


def test_unset_parameters_come_from_the_settings() -> None:
    configuration = Configuration.from_dict(
        {
            "state.savepoints.dir": "hdfs://savepoints",
            "execution.checkpointing.data-inline-threshold": "1 kb",
            "execution.checkpointing.write-buffer-size": "77",
        }
    )
    FileSystemCheckpointStorage("file:///tmp/x").write_to(configuration)
    storage = CheckpointStorage.from_configuration(configuration)
    assert isinstance(storage, FileSystemCheckpointStorage)
    assert storage.get_savepoint_path() == "hdfs://savepoints"
    assert storage.get_min_file_size_threshold() == 1024
    assert storage.get_write_buffer_size() == 77


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({}, type(None)),
        ({"state.checkpoint-storage": "jobmanager"}, JobManagerCheckpointStorage),
        ({"execution.checkpointing.storage": "JobManager"}, JobManagerCheckpointStorage),
        (
            {"execution.checkpointing.storage": "filesystem", "state.checkpoints.dir": "file:///tmp/x"},
            FileSystemCheckpointStorage,
        ),
        ({"execution.checkpointing.dir": "file:///tmp/x"}, FileSystemCheckpointStorage),
        ({"execution.checkpointing.storage": "com.acme.Factory"}, CustomCheckpointStorage),
    ],
)
def test_storage_of_settings(settings: dict[str, str], kind: type) -> None:
    assert type(CheckpointStorage.from_configuration(Configuration.from_dict(settings))) is kind


def test_the_file_system_needs_a_directory() -> None:
    settings = Configuration.from_dict({"execution.checkpointing.storage": "filesystem"})
    with pytest.raises(ConfigurationError, match=r"set execution\.checkpointing\.dir"):
        CheckpointStorage.from_configuration(settings)
