"""State backends, which store the state of operators."""

from __future__ import annotations

from typing import ClassVar, TypeVar
from urllib.parse import urlsplit

from pystream.datastream.checkpoint_storage import (
    CheckpointStorage,
    FileSystemCheckpointStorage,
    JobManagerCheckpointStorage,
    directory_uri,
)
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings import options as keys
from pystream.settings.config_view import ConfigView
from pystream.settings.configuration import Configuration
from pystream.settings.modes import PredefinedOptions
from typeinfo.arguments import checks_arguments

__all__ = [
    "CustomStateBackend",
    "EmbeddedRocksDBStateBackend",
    "FsStateBackend",
    "HashMapStateBackend",
    "MemoryStateBackend",
    "PredefinedOptions",
    "RocksDBStateBackend",
    "StateBackend",
]

_B = TypeVar("_B", bound="StateBackend")


@checks_arguments(ArgumentTypeError)
class StateBackend(ConfigView):
    """Base class of state backends.

    Backends and their settings can be read back, but have no effect, except for directories and incremental
    checkpoints: the state of an unbounded job on Spark is always in RocksDB, that of a bounded job in the
    memory of the processes that run its tasks. A backend keeps its settings in a configuration of its own
    until it is attached to a job, then in that of the job.
    Mirrors ``org.apache.flink.runtime.state.StateBackend``.
    """

    _example: ClassVar[str] = "HashMapStateBackend()"

    TYPE: ClassVar[str]
    """The value of the option ``state.backend.type`` for this backend."""

    def __init__(self) -> None:
        super().__init__()
        if not hasattr(self, "TYPE"):
            raise ConfigurationError(
                "StateBackend: use HashMapStateBackend() or EmbeddedRocksDBStateBackend()"
            )
        self._set(keys.STATE_BACKEND, self.TYPE)

    def attach(self, configuration: Configuration) -> None:
        """Write the backend to a job's settings; later changes go there, too."""
        self._configuration = configuration.add_all(self._configuration)

    @classmethod
    def over(cls: type[_B], configuration: Configuration) -> _B:
        """Return a backend of this class that reads and writes a job's settings."""
        backend = cls.__new__(cls)
        ConfigView.__init__(backend, configuration)
        return backend

    @staticmethod
    def from_configuration(configuration: Configuration) -> StateBackend | None:
        """Return the backend in a job's settings, ``None`` if they name none."""
        name = configuration.get(keys.STATE_BACKEND)
        if name is None:
            return None
        return _BY_TYPE.get(name.lower(), CustomStateBackend).over(configuration)

    def __str__(self) -> str:
        return f"{type(self).__name__}({self._configuration})"


class HashMapStateBackend(StateBackend):
    """Store state in memory; has no effect.

    Mirrors ``org.apache.flink.runtime.state.hashmap.HashMapStateBackend``.
    """

    TYPE: ClassVar[str] = "hashmap"


@checks_arguments(ArgumentTypeError)
class CustomStateBackend(StateBackend):
    """A Java state backend, given by name; has no effect.

    Args:
        factory_class_name: the Java class that makes it.

    Raises:
        ConfigurationError: the name is not a string.
    """

    def __init__(self, factory_class_name: str) -> None:
        ConfigView.__init__(self)
        self._set(keys.STATE_BACKEND, factory_class_name)

    def get_factory_class_name(self) -> str:
        """Return the Java class that makes the backend."""
        return self._get(keys.STATE_BACKEND) or ""


@checks_arguments(ArgumentTypeError)
class _RocksDB(StateBackend):
    """The settings that both RocksDB backends share."""

    def __init__(self, enable_incremental_checkpointing: bool | None = None) -> None:
        super().__init__()
        if enable_incremental_checkpointing is not None:
            self._set(keys.INCREMENTAL_CHECKPOINTS, enable_incremental_checkpointing)

    def is_incremental_checkpoints_enabled(self) -> bool:
        """Return whether checkpoints are incremental."""
        return self._get(keys.INCREMENTAL_CHECKPOINTS)

    def set_db_storage_paths(self, *paths: str) -> None:
        """Set the local directories of the database.

        Args:
            paths: absolute paths or ``file:`` URIs; without any, the default is restored.

        Raises:
            ConfigurationError: a path is relative or not local.
        """
        if paths:
            self._set(keys.ROCKSDB_DIRECTORIES, [_local_path(path) for path in paths])
        else:
            self._configuration.remove(keys.ROCKSDB_DIRECTORIES)

    def get_db_storage_paths(self) -> list[str] | None:
        """Return the local directories of the database, ``None`` if they are not set."""
        return self._get(keys.ROCKSDB_DIRECTORIES)

    def set_predefined_options(self, options: PredefinedOptions) -> None:
        """Set the tuning profile."""
        self._set(keys.ROCKSDB_PREDEFINED_OPTIONS, options)

    def get_predefined_options(self) -> PredefinedOptions:
        """Return the tuning profile."""
        return self._get(keys.ROCKSDB_PREDEFINED_OPTIONS)

    def set_options(self, options_factory_class_name: str) -> None:
        """Set the Java class of the options factory, which is applied after the profile."""
        self._set(keys.ROCKSDB_OPTIONS_FACTORY, options_factory_class_name)

    def get_options(self) -> str | None:
        """Return the Java class of the options factory, ``None`` if it is not set."""
        return self._get(keys.ROCKSDB_OPTIONS_FACTORY)


@checks_arguments(ArgumentTypeError)
class EmbeddedRocksDBStateBackend(_RocksDB):
    """Store state in RocksDB on the local disk, as unbounded jobs on Spark always do.

    Mirrors ``org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend``.

    Args:
        enable_incremental_checkpointing: whether checkpoints hold only changes; ``None`` leaves it to the
            job's settings.

    Raises:
        ConfigurationError: it is neither ``None`` nor a bool.
    """

    TYPE: ClassVar[str] = "rocksdb"

    def set_number_of_transfer_threads(self, number_of_transfering_threads: int) -> None:
        """Set the number of threads that copy the files of a snapshot, at least 1."""
        self._set(keys.ROCKSDB_TRANSFER_THREADS, number_of_transfering_threads)

    def get_number_of_transfer_threads(self) -> int:
        """Return the number of threads that copy the files of a snapshot."""
        return self._get(keys.ROCKSDB_TRANSFER_THREADS)


@checks_arguments(ArgumentTypeError)
class RocksDBStateBackend(_RocksDB):
    """Store state in RocksDB, together with a checkpoint storage; deprecated.

    Use `EmbeddedRocksDBStateBackend` and a `CheckpointStorage`. Unbounded jobs on Spark always use RocksDB.

    Args:
        checkpoint_data_uri: the directory of checkpoints, as a URI.
        enable_incremental_checkpointing: whether checkpoints hold only changes; None leaves it to the
            job's settings.
        checkpoint_stream_backend: the backend that says where checkpoints go; instead of the directory.

    Raises:
        ConfigurationError: not exactly one of directory and backend is given, or one is not allowed.
    """

    TYPE: ClassVar[str] = "org.apache.flink.contrib.streaming.state.RocksDBStateBackendFactory"

    def __init__(
        self,
        checkpoint_data_uri: str | None = None,
        enable_incremental_checkpointing: bool | None = None,
        checkpoint_stream_backend: FsStateBackend | MemoryStateBackend | None = None,
    ) -> None:
        if (checkpoint_data_uri is None) == (checkpoint_stream_backend is None):
            raise ConfigurationError(
                "RocksDBStateBackend: give either checkpoint_data_uri or checkpoint_stream_backend"
            )
        backend = checkpoint_stream_backend or FsStateBackend(checkpoint_data_uri)
        super().__init__(enable_incremental_checkpointing)
        self._configuration = Configuration(backend._configuration).add_all(self._configuration)

    def get_checkpoint_backend(self) -> FsStateBackend | MemoryStateBackend:
        """Return the backend that stores checkpoints."""
        storage = CheckpointStorage.from_configuration(self._configuration)
        kind = FsStateBackend if isinstance(storage, FileSystemCheckpointStorage) else MemoryStateBackend
        return kind.over(self._configuration)

    def set_number_of_transfering_threads(self, number_of_transfering_threads: int) -> None:
        """Set the number of threads that copy the files of a snapshot, at least 1."""
        self._set(keys.ROCKSDB_TRANSFER_THREADS, number_of_transfering_threads)

    def get_number_of_transfering_threads(self) -> int:
        """Return the number of threads that copy the files of a snapshot."""
        return self._get(keys.ROCKSDB_TRANSFER_THREADS)


@checks_arguments(ArgumentTypeError)
class _OnHeap(StateBackend):
    """Base class of the deprecated in-memory backends."""

    def __init__(self, storage: CheckpointStorage, using_asynchronous_snapshots: bool | None) -> None:
        super().__init__()
        storage.write_to(self._configuration)
        if using_asynchronous_snapshots is not None:
            self._set(keys.ASYNCHRONOUS_SNAPSHOTS, using_asynchronous_snapshots)

    def is_using_asynchronous_snapshots(self) -> bool:
        """Return whether snapshots are asynchronous."""
        return self._get(keys.ASYNCHRONOUS_SNAPSHOTS)


@checks_arguments(ArgumentTypeError)
class MemoryStateBackend(_OnHeap):
    """Store state and checkpoints in memory; deprecated.

    Use `HashMapStateBackend` and `JobManagerCheckpointStorage`. Only the directory has an effect.

    Args:
        checkpoint_path: a directory for the metadata, as a URI; None leaves it to the job's settings.
        savepoint_path: a directory for savepoints; None leaves it to the job's settings.
        max_state_size: the largest size of one state in bytes, at least 1; 5 MiB by default.
        using_asynchronous_snapshots: whether snapshots are asynchronous; None leaves it to the job's
            settings.

    Raises:
        ConfigurationError: the path is not a URI of a directory, or the size is out of range.
    """

    TYPE: ClassVar[str] = "jobmanager"
    DEFAULT_MAX_STATE_SIZE: ClassVar[int] = JobManagerCheckpointStorage.DEFAULT_MAX_STATE_SIZE

    def __init__(
        self,
        checkpoint_path: str | None = None,
        savepoint_path: str | None = None,
        max_state_size: int | None = None,
        using_asynchronous_snapshots: bool | None = None,
    ) -> None:
        storage = JobManagerCheckpointStorage(checkpoint_path, max_state_size, savepoint_path)
        super().__init__(storage, using_asynchronous_snapshots)

    def get_max_state_size(self) -> int:
        """Return the largest size of one state in bytes."""
        return self._get(keys.MAX_STATE_SIZE)


@checks_arguments(ArgumentTypeError)
class FsStateBackend(_OnHeap):
    """Store state in memory and checkpoints in files; deprecated.

    Use `HashMapStateBackend` and `FileSystemCheckpointStorage`. Only the directory has an effect.

    Args:
        checkpoint_directory_uri: the directory of checkpoints, as a URI; needed.
        default_savepoint_directory_uri: that of savepoints; None leaves it to the job's settings.
        file_state_size_threshold: state of fewer bytes goes into the metadata; at most 1 MiB, None leaves it
            to the job's settings.
        write_buffer_size: size of the write buffer in bytes; None leaves it to the job's settings.
        using_asynchronous_snapshots: whether snapshots are asynchronous; None leaves it to the job's
            settings.

    Raises:
        ConfigurationError: the directory is missing or not a URI, or a size is out of range.
    """

    TYPE: ClassVar[str] = "filesystem"

    def __init__(
        self,
        checkpoint_directory_uri: str | None = None,
        default_savepoint_directory_uri: str | None = None,
        file_state_size_threshold: int | None = None,
        write_buffer_size: int | None = None,
        using_asynchronous_snapshots: bool | None = None,
    ) -> None:
        if checkpoint_directory_uri is None:
            raise ConfigurationError("FsStateBackend: checkpoint_directory_uri must be given")
        storage = FileSystemCheckpointStorage(
            checkpoint_directory_uri,
            file_state_size_threshold,
            -1 if write_buffer_size is None else write_buffer_size,
            default_savepoint_directory_uri,
        )
        super().__init__(storage, using_asynchronous_snapshots)

    def get_checkpoint_path(self) -> str:
        """Return the directory of checkpoints."""
        return directory_uri(self._get(keys.CHECKPOINT_DIRECTORY))

    def get_min_file_size_threshold(self) -> int:
        """Return the size in bytes below which state goes into the metadata."""
        return self._get(keys.FILE_SIZE_THRESHOLD).bytes_size

    def get_write_buffer_size(self) -> int:
        """Return the size of the write buffer in bytes."""
        return self._get(keys.WRITE_BUFFER_SIZE)


_BY_TYPE: dict[str, type[StateBackend]] = {
    **{
        kind.TYPE.lower(): kind
        for kind in (
            HashMapStateBackend,
            EmbeddedRocksDBStateBackend,
            RocksDBStateBackend,
            MemoryStateBackend,
            FsStateBackend,
        )
    },
    "org.apache.flink.runtime.state.hashmap.hashmapstatebackendfactory": HashMapStateBackend,
    "org.apache.flink.state.rocksdb.embeddedrocksdbstatebackendfactory": EmbeddedRocksDBStateBackend,
}


def _local_path(path: str) -> str:
    uri = urlsplit(path)
    if uri.scheme not in ("", "file") or not uri.path.startswith("/"):
        raise ConfigurationError(
            f"{keys.ROCKSDB_DIRECTORIES.key}: {path!r} is not allowed; it takes absolute local paths"
        )
    return uri.path.rstrip("/") or "/"
