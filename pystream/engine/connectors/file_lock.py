"""File locks, by which a process shows others that it is alive."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

__all__ = ["FileLock", "can_lock"]


class FileLock:
    """A locked file; the lock ends with `close` or with the process, however it ends.

    Args:
        descriptor: of the file; closed with the lock.
        path: a file to remove with the lock, if any.
    """

    def __init__(self, descriptor: int, path: str = "") -> None:
        self._descriptor = descriptor
        self.path = path
        _OPEN.add(self)

    @classmethod
    def on_this_machine(cls) -> FileLock:
        """Lock a temporary file of this machine, removed with the lock."""
        lock = cls(*tempfile.mkstemp(prefix="pystream-", suffix=".lock"))
        lock.wait()
        return lock

    @classmethod
    def take(cls, path: str) -> FileLock | None:
        """Lock an existing file without waiting.

        Returns:
            The lock; ``None`` while someone else holds it.

        Raises:
            FileNotFoundError: the file does not exist, or was removed meanwhile.
        """
        import fcntl

        while True:
            lock = cls(_open_existing(path))
            try:
                fcntl.flock(lock._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Between opening and locking, another file may have taken its place.
                if os.path.samestat(os.fstat(lock._descriptor), os.stat(path)):
                    return lock
                lock.close()
            except BlockingIOError:
                lock.close()
                return None
            except BaseException:
                lock.close()
                raise

    def wait(self) -> None:
        """Lock the file, waiting for the current holder.

        Raises:
            OSError: the file system has no locks.
        """
        import fcntl

        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def is_at(self, path: str) -> bool:
        """Return whether the locked file is still the one at a path.

        Raises:
            OSError: the path cannot be read.
        """
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(path))
        except (FileNotFoundError, NotADirectoryError):
            return False

    def close(self) -> None:
        """Release the lock; does nothing the second time."""
        if self._descriptor < 0:
            return
        if self.path:
            with suppress(FileNotFoundError):
                os.remove(self.path)
        self.forget()

    def forget(self) -> None:
        """Close the file without removing it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            _OPEN.discard(self)
            os.close(descriptor)


def can_lock(directory: str) -> bool:
    """Return whether files in a local directory can be locked."""
    import fcntl

    # Network file systems may lock files, but not directories.
    with tempfile.TemporaryFile(dir=directory, prefix=".inprogress-") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def _open_existing(path: str) -> int:
    try:
        return os.open(path, os.O_RDWR)
    except PermissionError:
        return os.open(path, os.O_RDONLY)


# A lock lasts as long as any process has the file open, and a forked process inherits it.
_OPEN: set[FileLock] = set()


def _forget_inherited_locks() -> None:
    for lock in list(_OPEN):
        lock.forget()


os.register_at_fork(after_in_child=_forget_inherited_locks)
