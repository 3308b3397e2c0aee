"""State backends, alone and attached to a job."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pystream.common.configuration import Configuration
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpoint_storage import FileSystemCheckpointStorage, JobManagerCheckpointStorage
from pystream.datastream.state_backend import (
    CustomStateBackend,
    EmbeddedRocksDBStateBackend,
    FsStateBackend,
    HashMapStateBackend,
    MemoryStateBackend,
    PredefinedOptions,
    RocksDBStateBackend,
    StateBackend,
)
from pystream.errors import ConfigurationError

MAKERS: list[Callable[[], StateBackend]] = [
    HashMapStateBackend,
    EmbeddedRocksDBStateBackend,
    lambda: EmbeddedRocksDBStateBackend(True),
    lambda: MemoryStateBackend(max_state_size=7),
    lambda: FsStateBackend("file:///tmp/x", write_buffer_size=9),
    lambda: RocksDBStateBackend("file:///tmp/x"),
    lambda: CustomStateBackend("com.acme.Factory"),
]


@pytest.mark.promise("beh:deprecated-backends-work")
@pytest.mark.parametrize("make", MAKERS)
def test_a_backend_is_read_back_from_a_job(make: Callable[[], StateBackend]) -> None:
    backend, job = make(), Configuration()
    alone = make()
    backend.attach(job)
    read = StateBackend.from_configuration(job)
    assert type(read) is type(backend)
    assert read == backend == alone


def test_a_job_without_a_backend_has_none() -> None:
    assert StateBackend.from_configuration(Configuration()) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("hashmap", HashMapStateBackend),
        ("HashMap", HashMapStateBackend),
        ("rocksdb", EmbeddedRocksDBStateBackend),
        ("jobmanager", MemoryStateBackend),
        ("filesystem", FsStateBackend),
        ("forst", CustomStateBackend),
        ("org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory", HashMapStateBackend),
    ],
)
@pytest.mark.parametrize("key", ["state.backend.type", "state.backend"])
def test_backend_of_settings(key: str, name: str, kind: type) -> None:
    assert type(StateBackend.from_configuration(Configuration.from_dict({key: name}))) is kind


def test_a_later_backend_replaces_an_earlier_one() -> None:
    job = Configuration()
    EmbeddedRocksDBStateBackend().attach(job)
    HashMapStateBackend().attach(job)
    assert isinstance(StateBackend.from_configuration(job), HashMapStateBackend)


def test_changes_after_attaching_reach_the_job_and_others_keep_their_own() -> None:
    job = Configuration()
    backend, other = EmbeddedRocksDBStateBackend(), EmbeddedRocksDBStateBackend()
    backend.attach(job)
    backend.set_predefined_options(PredefinedOptions.FLASH_SSD_OPTIMIZED)
    read = StateBackend.from_configuration(job)
    assert isinstance(read, EmbeddedRocksDBStateBackend)
    assert read.get_predefined_options() is PredefinedOptions.FLASH_SSD_OPTIMIZED
    assert other.get_predefined_options() is PredefinedOptions.DEFAULT


def test_rocksdb_settings() -> None:
    backend = EmbeddedRocksDBStateBackend()
    assert backend.get_predefined_options() is PredefinedOptions.DEFAULT
    backend.set_predefined_options(PredefinedOptions.SPINNING_DISK_OPTIMIZED)
    assert str(backend.get_predefined_options()) == "PredefinedOptions.SPINNING_DISK_OPTIMIZED"
    assert backend.get_db_storage_paths() is None
    backend.set_db_storage_paths("/tmp/a", "file:///tmp/b")
    assert backend.get_db_storage_paths() == ["/tmp/a", "/tmp/b"]
    backend.set_db_storage_paths("file://var/db/", "/")
    assert backend.get_db_storage_paths() == ["/db", "/"]
    backend.set_db_storage_paths()
    assert backend.get_db_storage_paths() is None
    assert backend.get_options() is None
    backend.set_options("com.acme.Options")
    assert backend.get_options() == "com.acme.Options"
    assert backend.get_number_of_transfer_threads() == 4
    backend.set_number_of_transfer_threads(3)
    assert backend.get_number_of_transfer_threads() == 3
    assert backend.is_incremental_checkpoints_enabled() is False
    assert EmbeddedRocksDBStateBackend(True).is_incremental_checkpoints_enabled() is True
    assert EmbeddedRocksDBStateBackend(False).is_incremental_checkpoints_enabled() is False


def test_rocksdb_settings_out_of_range_are_refused() -> None:
    backend = EmbeddedRocksDBStateBackend()
    for path in ("a", "hdfs://a", "hdfs:///a"):
        with pytest.raises(ConfigurationError, match="absolute local paths"):
            backend.set_db_storage_paths(path)
    for threads in (0, -1):
        with pytest.raises(ConfigurationError, match=f"thread.num: {threads} .* at least 1"):
            backend.set_number_of_transfer_threads(threads)
    with pytest.raises(ConfigurationError, match="enable_incremental_checkpointing"):
        EmbeddedRocksDBStateBackend(5)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=r"takes a PredefinedOptions .*not None"):
        backend.set_predefined_options(None)  # type: ignore[arg-type]
    assert backend == EmbeddedRocksDBStateBackend()


def test_the_memory_backend_sets_a_checkpoint_storage() -> None:
    job = Configuration()
    backend = MemoryStateBackend("file:///tmp/x", "file:///tmp/s", 100, False)
    assert backend.get_max_state_size() == 100
    assert backend.is_using_asynchronous_snapshots() is False
    backend.attach(job)
    assert CheckpointConfig(job).get_checkpoint_storage() == JobManagerCheckpointStorage(
        "file:///tmp/x", 100, "file:///tmp/s"
    )
    assert MemoryStateBackend.DEFAULT_MAX_STATE_SIZE == MemoryStateBackend().get_max_state_size() == 5242880
    assert MemoryStateBackend().is_using_asynchronous_snapshots() is True


def test_the_file_backend_sets_a_checkpoint_storage() -> None:
    job = Configuration()
    backend = FsStateBackend("hdfs://checkpoints", "hdfs://savepoints", 100, 200, True)
    assert backend.get_checkpoint_path() == "hdfs://checkpoints"
    assert backend.get_min_file_size_threshold() == 100
    assert backend.get_write_buffer_size() == 200
    assert backend.is_using_asynchronous_snapshots() is True
    backend.attach(job)
    assert CheckpointConfig(job).get_checkpoint_storage() == FileSystemCheckpointStorage(
        "hdfs://checkpoints", 100, 200, "hdfs://savepoints"
    )
    assert FsStateBackend("hdfs://checkpoints").get_min_file_size_threshold() == 20480
    assert FsStateBackend("hdfs://checkpoints").get_write_buffer_size() == 4096
    with pytest.raises(ConfigurationError, match="checkpoint_directory_uri"):
        FsStateBackend()


def test_the_old_rocksdb_backend_takes_a_directory_or_a_backend() -> None:
    by_directory = RocksDBStateBackend("hdfs://checkpoints", True)
    assert by_directory.is_incremental_checkpoints_enabled() is True
    files = by_directory.get_checkpoint_backend()
    assert isinstance(files, FsStateBackend)
    assert files.get_checkpoint_path() == "hdfs://checkpoints"
    stream = MemoryStateBackend(max_state_size=9)
    by_backend = RocksDBStateBackend(checkpoint_stream_backend=stream)
    memory = by_backend.get_checkpoint_backend()
    assert isinstance(memory, MemoryStateBackend)
    assert memory.get_max_state_size() == 9
    assert stream == MemoryStateBackend(max_state_size=9)
    by_backend.set_number_of_transfering_threads(2)
    assert by_backend.get_number_of_transfering_threads() == 2
    by_backend.set_options("com.acme.Options")
    assert by_backend.get_options() == "com.acme.Options"
    with pytest.raises(ConfigurationError, match="either"):
        RocksDBStateBackend()
    with pytest.raises(ConfigurationError, match="either"):
        RocksDBStateBackend("hdfs://checkpoints", None, stream)


@pytest.mark.promise("beh:java-factories-by-name")
def test_a_custom_backend_has_a_factory() -> None:
    assert CustomStateBackend("com.acme.Factory").get_factory_class_name() == "com.acme.Factory"
    with pytest.raises(ConfigurationError, match="factory_class_name"):
        CustomStateBackend(5)  # type: ignore[arg-type]
