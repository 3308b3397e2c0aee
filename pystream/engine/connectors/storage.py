"""The file operations needed for publishing, on local and remote file systems."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from pystream.engine.connectors.file_lock import FileLock, can_lock
from pystream.engine.connectors.files import is_web_hdfs, local_path, resolve

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

__all__ = ["LocalStorage", "RemoteStorage", "RenamingStorage", "Storage", "storage_of"]

_TRIES = 10
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP)  # returned by some FUSE file systems for directories


class Storage(Protocol):
    """Interface of file systems for publishing; errors are ``OSError``."""

    def can_lock(self, directory: str) -> bool:
        """Return whether files in a directory can be locked."""
        ...

    def names(self, directory: str) -> list[str]:
        """Return the names in a directory; empty if it does not exist."""
        ...

    def files_below(self, directory: str) -> set[str]:
        """Return all files below a directory, relative to it; empty if it does not exist."""
        ...

    def exists(self, path: str) -> bool:
        """Return whether a path exists."""
        ...

    def obstacle(self, directory: str) -> str | None:
        """Return the reason why a directory cannot be created or written to, ``None`` if there is none."""
        ...

    def foreign_owner(self, directory: str) -> str:
        """Return the user that owns a directory; empty if that is the user of this process, or root."""
        ...

    def is_open_to_others(self, directory: str) -> bool:
        """Return whether other users than the owner may write to a directory."""
        ...

    def read(self, path: str) -> bytes | None:
        """Return the contents of a file; ``None`` if it does not exist."""
        ...

    def replace(
        self, path: str, data: bytes, temporary: str, *, locked: bool = False, private: bool = False
    ) -> FileLock | None:
        """Write a small file atomically, replacing an existing one.

        Args:
            path: the file.
            data: its contents.
            temporary: another path in the same directory; anyone may remove a file there at any time.
            locked: whether to lock the file before it appears.
            private: whether only its owner may read it, where files have modes.

        Returns:
            The lock, if requested.
        """
        ...

    def make_directory(self, directory: str, *, private: bool = False) -> None:
        """Create a directory and its parents.

        Args:
            directory: the directory.
            private: whether only their owner may enter those that are created, where they have modes.
        """

    def make_directory_in(self, directory: str, below: str) -> None:
        """Create a directory and its parents below an existing directory.

        Raises:
            FileNotFoundError: it does not exist, on a file system that has directories.
        """

    def move(self, source: str, target: str) -> None:
        """Move a file."""

    def sync(self, path: str) -> None:
        """Make a file, or the entries of a directory, durable."""

    def touch(self, path: str) -> None:
        """Create an empty file."""

    def remove(self, path: str) -> None:
        """Remove a file, if it exists."""

    def remove_empty(self, directory: str) -> None:
        """Remove a directory, if it is empty."""

    def remove_tree(self, directory: str) -> None:
        """Remove a directory with its contents, if it exists."""


def storage_of(location: str) -> tuple[Storage, str]:
    """Return the storage of a location, and the path in it.

    Raises:
        ConnectorError: no file system is known for the scheme, or it cannot be reached.
    """
    filesystem, path = resolve(location)
    if local_path(location) is not None:
        return LocalStorage(), path
    kind = RenamingStorage if is_web_hdfs(location) else RemoteStorage
    return kind(filesystem), path.rstrip("/")


class LocalStorage(Storage):
    """A mounted file system: moves are atomic, and synced files survive a crash of the machine."""

    def can_lock(self, directory: str) -> bool:
        return can_lock(directory)

    def names(self, directory: str) -> list[str]:
        try:
            return os.listdir(directory)
        except (FileNotFoundError, NotADirectoryError):
            return []

    def files_below(self, directory: str) -> set[str]:
        found: set[str] = set()
        pending = [""]
        while pending:
            below = pending.pop()
            with (
                suppress(FileNotFoundError, NotADirectoryError),
                os.scandir(f"{directory}/{below}") as entries,
            ):
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(f"{below}{entry.name}/")
                    else:
                        found.add(f"{below}{entry.name}")
        return found

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def obstacle(self, directory: str) -> str | None:
        existing = directory
        while not os.path.lexists(existing):
            existing = os.path.dirname(existing)
        if not os.path.isdir(existing):
            return f"{existing} is a file"
        if not os.access(existing, os.W_OK | os.X_OK):
            return f"no permission to write in {existing}"
        return None

    def foreign_owner(self, directory: str) -> str:
        owner = os.stat(directory).st_uid
        return "" if owner in (0, _own_id(directory)) else _user_name(owner)

    def is_open_to_others(self, directory: str) -> bool:
        return bool(os.stat(directory).st_mode & (stat.S_IWGRP | stat.S_IWOTH))

    def read(self, path: str) -> bytes | None:
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def replace(
        self, path: str, data: bytes, temporary: str, *, locked: bool = False, private: bool = False
    ) -> FileLock | None:
        """Write a small file atomically and durably, replacing an existing one."""
        for _ in range(_TRIES):
            lock = _written(temporary, data, locked=locked, private=private)
            try:
                os.replace(temporary, path)
                self.sync(os.path.dirname(path))
            except BaseException as error:
                if lock is not None:
                    lock.close()
                if not isinstance(error, FileNotFoundError):
                    raise
            else:
                return lock
        raise FileNotFoundError(errno.ENOENT, "the file is removed again and again", temporary)

    def make_directory(self, directory: str, *, private: bool = False) -> None:
        """Create a directory and its parents, durably."""
        if os.path.isdir(directory):
            return
        parent = os.path.dirname(directory)
        self.make_directory(parent, private=private)
        with suppress(FileExistsError):  # a file with this name makes later operations fail
            os.mkdir(directory, 0o700 if private else 0o777)
        self.sync(parent)

    def make_directory_in(self, directory: str, below: str) -> None:
        path = directory
        for name in below.split("/") if below else ():
            path = f"{path}/{name}"
            with suppress(FileExistsError):
                os.mkdir(path)

    def move(self, source: str, target: str) -> None:
        os.rename(source, target)

    def sync(self, path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC or not os.path.isdir(path):
                raise
        finally:
            os.close(descriptor)

    def touch(self, path: str) -> None:
        with open(path, "wb"):
            pass

    def remove(self, path: str) -> None:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.remove(path)

    def remove_empty(self, directory: str) -> None:
        with suppress(OSError):
            os.rmdir(directory)

    def remove_tree(self, directory: str) -> None:
        """Remove a directory with its contents, if it exists; tasks being cancelled may still write to it."""
        for attempt in range(_TRIES):
            try:
                shutil.rmtree(directory)
            except FileNotFoundError:
                if not os.path.lexists(directory):
                    return
            except OSError as error:
                if error.errno != errno.ENOTEMPTY or attempt == _TRIES - 1:
                    raise
            else:
                return


class RemoteStorage(Storage):
    """A file system accessed through pyarrow, such as an object store or HDFS.

    Files cannot be locked. What is atomic, and when a file is durable, is up to the file system.
    """

    def __init__(self, filesystem: FileSystem) -> None:
        self._filesystem = filesystem

    def can_lock(self, directory: str) -> bool:
        return False

    def names(self, directory: str) -> list[str]:
        from pyarrow.fs import FileSelector

        found = self._filesystem.get_file_info(FileSelector(directory, allow_not_found=True))
        return [info.base_name for info in found]

    def files_below(self, directory: str) -> set[str]:
        from pyarrow.fs import FileSelector, FileType

        selector = FileSelector(directory, allow_not_found=True, recursive=True)
        found = self._filesystem.get_file_info(selector)
        return {info.path[len(directory) + 1 :] for info in found if info.type == FileType.File}

    def exists(self, path: str) -> bool:
        from pyarrow.fs import FileType

        return bool(self._filesystem.get_file_info(path).type != FileType.NotFound)

    def obstacle(self, directory: str) -> str | None:
        from pyarrow.fs import FileType

        is_file = self._filesystem.get_file_info(directory).type == FileType.File
        return f"{directory} is a file" if is_file else None

    def foreign_owner(self, directory: str) -> str:
        """Return an empty text: the file system has permissions of its own."""
        return ""

    def is_open_to_others(self, directory: str) -> bool:
        """Return ``False``: the file system has permissions of its own."""
        return False

    def read(self, path: str) -> bytes | None:
        try:
            with self._filesystem.open_input_file(path) as file:
                return bytes(file.read())
        except FileNotFoundError:
            return None

    def replace(
        self, path: str, data: bytes, temporary: str, *, locked: bool = False, private: bool = False
    ) -> FileLock | None:
        """Write a small file, replacing an existing one."""
        with self._filesystem.open_output_stream(path, compression=None) as file:
            file.write(data)
        return None

    def make_directory(self, directory: str, *, private: bool = False) -> None:
        self._filesystem.create_dir(directory)

    def make_directory_in(self, directory: str, below: str) -> None:
        self._filesystem.create_dir(f"{directory}/{below}" if below else directory)

    def move(self, source: str, target: str) -> None:
        self._filesystem.move(source, target)

    def sync(self, path: str) -> None:
        """Do nothing: the file system decides when a file is durable."""

    def touch(self, path: str) -> None:
        self.replace(path, b"", path)

    def remove(self, path: str) -> None:
        with suppress(FileNotFoundError):
            self._filesystem.delete_file(path)

    def remove_empty(self, directory: str) -> None:
        if not self.names(directory):
            with suppress(OSError):
                self._filesystem.delete_dir(directory)

    def remove_tree(self, directory: str) -> None:
        with suppress(FileNotFoundError):
            self._filesystem.delete_dir(directory)


class RenamingStorage(RemoteStorage):
    """A remote file system in which renames are atomic, and replace files."""

    def replace(
        self, path: str, data: bytes, temporary: str, *, locked: bool = False, private: bool = False
    ) -> FileLock | None:
        """Write a small file atomically, replacing an existing one."""
        for _ in range(_TRIES):
            super().replace(temporary, data, temporary)
            with suppress(FileNotFoundError):
                self.move(temporary, path)
                return None
        raise FileNotFoundError(errno.ENOENT, "the file is removed again and again", temporary)

    def touch(self, path: str) -> None:
        super().replace(path, b"", path)


def _own_id(directory: str) -> int:
    """Return the id that new files of this process get in a directory, which network file systems may map."""
    try:
        with tempfile.TemporaryFile(dir=directory, prefix=".inprogress-") as file:
            return os.fstat(file.fileno()).st_uid
    except OSError:  # this user may only read
        return os.geteuid()


def _user_name(number: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"with id {number}"


def _written(path: str, data: bytes, *, locked: bool, private: bool) -> FileLock | None:
    """Write a file durably; return its lock if one is requested."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600 if private else 0o644)
    lock = FileLock(descriptor)
    try:
        if locked:
            lock.wait()
        os.ftruncate(descriptor, 0)
        with open(descriptor, "wb", closefd=False) as file:
            file.write(data)
        os.fsync(descriptor)
    except BaseException:
        lock.close()
        raise
    if locked:
        return lock
    lock.close()
    return None
