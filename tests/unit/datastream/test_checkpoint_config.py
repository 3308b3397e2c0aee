"""CheckpointConfig: defaults, and settings that depend on each other."""

from __future__ import annotations

import pytest

from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpoint_storage import FileSystemCheckpointStorage, JobManagerCheckpointStorage
from pystream.datastream.checkpointing_mode import CheckpointingMode
from pystream.settings.modes import ExternalizedCheckpointCleanup


@pytest.mark.promise(
    "beh:checkpoint-interval-minus-one",
    "beh:checkpoint-default-mode",
    "beh:fail-on-errors-default-true",
    "beh:tolerable-default-0",
)
def test_defaults() -> None:
    config = CheckpointConfig()
    assert not config.is_checkpointing_enabled()
    assert config.get_checkpoint_interval() == -1
    # PyFlink says AT_LEAST_ONCE for as long as checkpoints are off; the documented default is this one.
    assert config.get_checkpointing_mode() is CheckpointConfig.DEFAULT_MODE
    assert config.get_checkpoint_timeout() == CheckpointConfig.DEFAULT_TIMEOUT
    assert config.get_tolerable_checkpoint_failure_number() == 0
    assert config.is_fail_on_checkpointing_errors()
    assert config.get_checkpoint_storage() is None


def test_an_interval_enables_checkpoints() -> None:
    assert CheckpointConfig().set_checkpoint_interval(10).is_checkpointing_enabled()


def test_failing_on_errors_sets_the_number_of_tolerated_failures() -> None:
    config = CheckpointConfig().set_fail_on_checkpointing_errors(False)
    assert config.get_tolerable_checkpoint_failure_number() == 2**31 - 1
    assert not config.is_fail_on_checkpointing_errors()
    assert config.set_fail_on_checkpointing_errors(True).get_tolerable_checkpoint_failure_number() == 0


def test_checkpoints_that_are_retained_are_externalized() -> None:
    config = CheckpointConfig()
    assert not config.is_externalized_checkpoints_enabled()
    assert config.get_externalized_checkpoint_cleanup() is None
    config.enable_externalized_checkpoints(ExternalizedCheckpointCleanup.DELETE_ON_CANCELLATION)
    assert config.is_externalized_checkpoints_enabled()
    config.set_externalized_checkpoint_cleanup(ExternalizedCheckpointCleanup.NO_EXTERNALIZED_CHECKPOINTS)
    assert not config.is_externalized_checkpoints_enabled()


@pytest.mark.promise("beh:exactly-once-unaligned")
def test_unaligned_checkpoints_need_exactly_once() -> None:
    config = CheckpointConfig().set_checkpointing_mode(CheckpointingMode.AT_LEAST_ONCE)
    assert not config.enable_unaligned_checkpoints().is_unaligned_checkpoints_enabled()
    config.set_checkpointing_mode(CheckpointingMode.EXACTLY_ONCE)
    assert config.is_unaligned_checkpoints_enabled()


@pytest.mark.parametrize("forced", [True, False])
def test_forced_unaligned_checkpoints_are_read_back(forced: bool) -> None:
    assert (
        CheckpointConfig().set_force_unaligned_checkpoints(forced).is_force_unaligned_checkpoints() is forced
    )


@pytest.mark.promise("beh:set-storage-string")
def test_a_storage_is_set_as_an_object_or_by_its_directory() -> None:
    config = CheckpointConfig()
    assert config.set_checkpoint_storage(JobManagerCheckpointStorage()) is config
    assert isinstance(config.get_checkpoint_storage(), JobManagerCheckpointStorage)
    assert config.set_checkpoint_storage_dir("file:///tmp/chk") is config
    assert config.get_checkpoint_storage() == FileSystemCheckpointStorage(
        "file:///tmp/chk", file_state_size_threshold=20480, write_buffer_size=4096
    )
    storage = config.set_checkpoint_storage("hdfs://checkpoints").get_checkpoint_storage()
    assert isinstance(storage, FileSystemCheckpointStorage)
    assert storage.get_checkpoint_path() == "hdfs://checkpoints"
