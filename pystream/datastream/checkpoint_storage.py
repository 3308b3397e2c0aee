"""Checkpoint storages."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings import options
from pystream.settings.config_options import ConfigOption
from pystream.settings.configuration import Configuration
from pystream.settings.memory_size import MemorySize
from typeinfo.arguments import checks_arguments

__all__ = [
    "CheckpointStorage",
    "CustomCheckpointStorage",
    "FileSystemCheckpointStorage",
    "JobManagerCheckpointStorage",
]

_JOB_MANAGER = "jobmanager"
_FILE_SYSTEM = "filesystem"
_FROM_CONFIGURATION = -1


@checks_arguments(ArgumentTypeError, methods=False)
class CheckpointStorage(ABC):
    """Base class of checkpoint storages.

    Their directory holds the state of unbounded jobs, one directory per job; everything else can be read
    back, but has no effect. A bounded job takes no checkpoints.
    Mirrors ``org.apache.flink.runtime.state.CheckpointStorage``.
    """

    _example: ClassVar[str] = "FileSystemCheckpointStorage('file:///path')"

    @abstractmethod
    def write_to(self, configuration: Configuration) -> None:
        """Write the storage to a job's settings."""

    @staticmethod
    def from_configuration(configuration: Configuration) -> CheckpointStorage | None:
        """Return the storage in a job's settings, ``None`` if they name neither a storage nor a directory.

        Raises:
            ConfigurationError: they name the file system, but no directory.
        """
        name = configuration.get(options.CHECKPOINT_STORAGE)
        directory = configuration.get(options.CHECKPOINT_DIRECTORY)
        match name and name.lower():
            case None if directory is None:
                return None
            case None | "filesystem":
                if directory is None:
                    raise ConfigurationError(
                        f"{options.CHECKPOINT_STORAGE.key}: {_FILE_SYSTEM!r} needs a directory; set "
                        f"{options.CHECKPOINT_DIRECTORY.key}"
                    )
                return FileSystemCheckpointStorage(
                    directory,
                    configuration.get(options.FILE_SIZE_THRESHOLD).bytes_size,
                    configuration.get(options.WRITE_BUFFER_SIZE),
                    configuration.get(options.SAVEPOINT_DIRECTORY),
                )
            case "jobmanager":
                return JobManagerCheckpointStorage(
                    directory,
                    configuration.get(options.MAX_STATE_SIZE),
                    configuration.get(options.SAVEPOINT_DIRECTORY),
                )
        return CustomCheckpointStorage(str(name))


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class JobManagerCheckpointStorage(CheckpointStorage):
    """Store checkpoints in the memory of the job manager; unbounded jobs keep state in files all the same.

    Mirrors ``org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage``.

    Args:
        checkpoint_path: a directory for the metadata, as a URI; None leaves it to the job's settings.
        max_state_size: the largest size of one state in bytes, at least 1; 5 MiB by default.
        savepoint_path: a directory for savepoints; None leaves it to the job's settings.

    Raises:
        ConfigurationError: the path is not a URI of a directory, or the size is out of range.
    """

    DEFAULT_MAX_STATE_SIZE: ClassVar[int] = 5 * 1024 * 1024

    checkpoint_path: str | None = None
    max_state_size: int | None = None
    savepoint_path: str | None = None

    def __post_init__(self) -> None:
        if self.checkpoint_path is not None:
            object.__setattr__(self, "checkpoint_path", directory_uri(self.checkpoint_path))
        if self.max_state_size is not None:
            options.MAX_STATE_SIZE.accept(self.max_state_size)

    def get_checkpoint_path(self) -> str | None:
        """Return the directory of the metadata, or None."""
        return self.checkpoint_path

    def get_savepoint_path(self) -> str | None:
        """Return the directory of savepoints, or None."""
        return self.savepoint_path

    def get_max_state_size(self) -> int:
        """Return the largest size of one state in bytes."""
        return self.DEFAULT_MAX_STATE_SIZE if self.max_state_size is None else self.max_state_size

    def write_to(self, configuration: Configuration) -> None:
        """Write the storage to a job's settings; unset paths leave them unchanged."""
        configuration.set(options.CHECKPOINT_STORAGE, _JOB_MANAGER)
        configuration.set(options.MAX_STATE_SIZE, self.get_max_state_size())
        _write(configuration, options.CHECKPOINT_DIRECTORY, self.checkpoint_path)
        _write(configuration, options.SAVEPOINT_DIRECTORY, self.savepoint_path)

    def __str__(self) -> str:
        return f"JobManagerCheckpointStorage(max_state_size={self.get_max_state_size()})"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class FileSystemCheckpointStorage(CheckpointStorage):
    """Store checkpoints as files.

    Mirrors ``org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage``.

    Args:
        checkpoint_path: the directory, as a URI.
        file_state_size_threshold: state of fewer bytes goes into the metadata; at most
            ``MAX_FILE_STATE_THRESHOLD``, None or -1 leaves it to the job's settings.
        write_buffer_size: size of the write buffer in bytes; -1 leaves it to the job's settings.
        savepoint_path: a directory for savepoints; None leaves it to the job's settings.

    Raises:
        ConfigurationError: the path is not a URI of a directory, or a size is out of range.
    """

    MAX_FILE_STATE_THRESHOLD: ClassVar[int] = 1024 * 1024

    checkpoint_path: str
    file_state_size_threshold: int | None = None
    write_buffer_size: int = _FROM_CONFIGURATION
    savepoint_path: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "checkpoint_path", directory_uri(self.checkpoint_path))
        if self.file_state_size_threshold == _FROM_CONFIGURATION:
            object.__setattr__(self, "file_state_size_threshold", None)
        self.write_to(Configuration())  # validates the sizes

    def get_checkpoint_path(self) -> str:
        """Return the directory."""
        return self.checkpoint_path

    def get_savepoint_path(self) -> str | None:
        """Return the directory of savepoints, or None."""
        return self.savepoint_path

    def get_min_file_size_threshold(self) -> int:
        """Return the size in bytes below which state goes into the metadata."""
        if self.file_state_size_threshold is None:
            return options.FILE_SIZE_THRESHOLD.default.bytes_size
        return self.file_state_size_threshold

    def get_write_buffer_size(self) -> int:
        """Return the size of the write buffer in bytes."""
        if self.write_buffer_size == _FROM_CONFIGURATION:
            return options.WRITE_BUFFER_SIZE.default
        return self.write_buffer_size

    def write_to(self, configuration: Configuration) -> None:
        """Write the storage to a job's settings; unset parameters leave them unchanged."""
        configuration.set(options.CHECKPOINT_STORAGE, _FILE_SYSTEM)
        _write(configuration, options.CHECKPOINT_DIRECTORY, self.checkpoint_path)
        _write(configuration, options.SAVEPOINT_DIRECTORY, self.savepoint_path)
        if self.file_state_size_threshold is not None:
            configuration.set(options.FILE_SIZE_THRESHOLD, MemorySize(self.file_state_size_threshold))
        if self.write_buffer_size != _FROM_CONFIGURATION:
            configuration.set(options.WRITE_BUFFER_SIZE, self.write_buffer_size)

    def __str__(self) -> str:
        return f"FileSystemCheckpointStorage({self.checkpoint_path})"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CustomCheckpointStorage(CheckpointStorage):
    """A Java checkpoint storage, given by name; has no effect.

    Args:
        factory_class_name: the Java class that makes it.

    Raises:
        ConfigurationError: the name is not a string.
    """

    factory_class_name: str

    def __post_init__(self) -> None:
        options.CHECKPOINT_STORAGE.accept(self.factory_class_name)

    def write_to(self, configuration: Configuration) -> None:
        """Write the storage to a job's settings."""
        configuration.set(options.CHECKPOINT_STORAGE, self.factory_class_name)


def directory_uri(path: str | None) -> str:
    """Return the URI of a directory without doubled and trailing slashes.

    Raises:
        ConfigurationError: it is not a string, has no scheme, or is the root of a local file system.
    """
    key = options.CHECKPOINT_DIRECTORY.key
    if not isinstance(path, str) or not path:
        raise ConfigurationError(
            f"{key}: {path!r} is not allowed; it takes a URI such as 'file:///var/lib/checkpoints'"
        )
    uri = urlsplit(path)
    if not uri.scheme:
        raise ConfigurationError(
            f"{key}: {path!r} has no scheme; write it as a URI such as 'file:///var/lib/checkpoints'"
        )
    place = re.sub("/+", "/", uri.path).removesuffix("/")
    if not uri.netloc and not place:
        raise ConfigurationError(f"{key}: {path!r} is a root directory; use a directory below it")
    return f"{uri.scheme}:{uri.netloc and f'//{uri.netloc}'}{place}"


def _write(configuration: Configuration, option: ConfigOption[str | None], value: str | None) -> None:
    if value is not None:
        configuration.set(option, value)
