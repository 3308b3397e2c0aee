"""Small disks that can be full: file systems in memory, for which the harness must be root."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Disk", "mounted"]

_CHUNK = bytes(64 * 1024)


class Disk:
    """A mounted file system.

    Args:
        path: the directory that it is mounted on.
    """

    def __init__(self, path: Path) -> None:
        self._ballast = path / "_ballast"

    def fill(self) -> None:
        """Leave no space."""
        with self._ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(_CHUNK)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def free(self) -> None:
        """Release the space again."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def mounted(path: Path, megabytes: int) -> Iterator[Disk]:
    """Mount a file system on a directory until the block ends.

    Raises:
        CalledProcessError: it cannot be mounted, for instance because this process is not root's.
    """
    path.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(path)],
        check=True,
        capture_output=True,
    )
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=False)
