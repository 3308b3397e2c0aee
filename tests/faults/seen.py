"""SeenRecords: the records that a job has read, as its processes note them in files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

__all__ = ["SeenRecords"]


class SeenRecords:
    """The numbers of the records that a job has read at least once.

    Args:
        control: directory of the files of its processes.
    """

    def __init__(self, control: Path) -> None:
        self._control = control
        self._forgotten: set[str] = set()

    def count(self) -> int:
        """Return how many there are."""
        return len(set[str]().union(*map(_numbers, self._files())))

    def forget(self, numbers: Collection[int]) -> None:
        """Remove records that the job is to read again; no process of it may run."""
        self._forgotten = set(map(str, numbers))
        for path in self._files():
            path.write_text("".join(f"{each}\n" for each in _numbers(path) if each not in self._forgotten))

    def remember(self) -> None:
        """Add the forgotten records again, which the job has kept."""
        (self._control / "seen-before").write_text("".join(f"{each}\n" for each in self._forgotten))
        self._forgotten = set()

    def _files(self) -> list[Path]:
        return list(self._control.glob("seen-*"))


def _numbers(path: Path) -> list[str]:
    return path.read_text().split("\n")[:-1]
